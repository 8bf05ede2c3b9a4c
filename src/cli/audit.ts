import { existsSync, readFileSync } from "node:fs";
import { type Config, loadConfig } from "../config.ts";
import { verifyAudit } from "../store/audit.ts";
import { type Checkpoint, contradiction, createNotary, readUnsigned } from "../store/checkpoint.ts";
import { openStore, type Store } from "../store/database.ts";

/** Checks the chain of the audit, and holds it against the operator's checkpoint file; true where both hold (SR-64, SR-66). */
export async function auditVerify(options: { readonly config?: string | undefined }): Promise<boolean> {
  const config = loadConfig({ file: options.config });
  const store = await openStore(config.store.url);
  try {
    const verified = await verifyAudit(store.db);
    const faults = [
      ...(verified.ok ? [] : [`row ${verified.seq}: ${verified.reason}`]),
      ...(await faultsOfCheckpoint(store, config)),
    ];
    if (verified.ok && faults.length === 0) {
      console.log(`the audit holds: ${verified.rows} rows, head ${verified.head}${checkpointWords(config)}`);
    }
    for (const fault of faults) console.error(`the audit does NOT hold: ${fault}`);
    return faults.length === 0;
  } finally {
    await store.close();
  }
}

const checkpointWords = ({ audit }: Config): string =>
  audit.checkpointFile && existsSync(audit.checkpointFile) ? `; it agrees with ${audit.checkpointFile}` : "";

async function faultsOfCheckpoint(store: Store, { audit }: Config): Promise<readonly string[]> {
  const { checkpointFile, signingKeyFile } = audit;
  if (checkpointFile === undefined || !existsSync(checkpointFile)) return [];
  const note = readFileSync(checkpointFile, "utf8");
  const checkpoint: Checkpoint | undefined =
    signingKeyFile === undefined ? readUnsigned(note) : createNotary(readFileSync(signingKeyFile, "utf8")).read(note);
  if (!checkpoint) return [`${checkpointFile} is no checkpoint of this audit, or its signature does not hold`];
  const fault = await contradiction(store.db, checkpoint);
  return fault === undefined ? [] : [fault];
}

/** Prints the audit, a JSON line a row, oldest first. */
export async function auditExport(options: { readonly config?: string | undefined }): Promise<void> {
  const store = await openStore(loadConfig({ file: options.config }).store.url);
  try {
    const rows = await store.db.selectFrom("audit").selectAll().orderBy("seq").execute();
    for (const { body, ...row } of rows)
      process.stdout.write(`${JSON.stringify({ ...row, body: JSON.parse(body) })}\n`);
  } finally {
    await store.close();
  }
}
