import { existsSync, readFileSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import own from "../../package.json" with { type: "json" };
import type { Config } from "../config.ts";
import { OperatorError } from "../errors.ts";
import { verifyAudit } from "../store/audit.ts";
import { type AuditFormat, exportAudit } from "../store/audit-export.ts";
import { type Checkpoint, contradiction, readHead, readNotary, readUnsigned } from "../store/checkpoint.ts";
import { openStore, type Store } from "../store/database.ts";
import { readPlaces } from "./places.ts";

/** Checks the chain of the audit, and holds it against the operator's checkpoint file; true where both hold (SR-64, SR-66). */
export async function auditVerify(options: { readonly config?: string | undefined }): Promise<boolean> {
  const { storeUrl, audit } = readPlaces(options.config);
  const store = await openStore(storeUrl);
  try {
    const verified = await verifyAudit(store.db);
    const faults = [
      ...(verified.ok ? [] : [`row ${verified.seq}: ${verified.reason}`]),
      ...(await faultsOfCheckpoint(store, audit)),
    ];
    if (verified.ok && faults.length === 0) {
      console.log(`the audit holds: ${verified.rows} rows, head ${verified.head}${checkpointWords(audit)}`);
    }
    for (const fault of faults) console.error(`the audit does NOT hold: ${fault}`);
    return faults.length === 0;
  } finally {
    await store.close();
  }
}

const checkpointWords = ({ checkpointFile }: Config["audit"]): string =>
  checkpointFile && existsSync(checkpointFile) ? `; it agrees with ${checkpointFile}` : "";

async function faultsOfCheckpoint(store: Store, files: Config["audit"]): Promise<readonly string[]> {
  const { checkpointFile, signingKeyFile } = files;
  if (checkpointFile === undefined) return [];
  if (!existsSync(checkpointFile)) {
    const isNew = (await readHead(store.db)).size === 0;
    return isNew ? [] : [`${checkpointFile} is missing; the bot writes it a minute after its start and when it stops`];
  }
  const note = readFileSync(checkpointFile, "utf8");
  const checkpoint: Checkpoint | undefined =
    signingKeyFile === undefined ? readUnsigned(note) : readNotary(signingKeyFile).read(note);
  if (!checkpoint) return [`${checkpointFile} is no checkpoint of this audit, or its signature does not hold`];
  const fault = await contradiction(store.db, checkpoint);
  return fault === undefined ? [] : [fault];
}

export interface ExportOptions {
  readonly config?: string | undefined;
  readonly format: AuditFormat;
  /** `owner/name` */
  readonly repo?: string | undefined;
  /** The issue's number. */
  readonly incident?: string | undefined;
  /** RFC 3339, or a day. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/**
 * Prints the audit, or what of it is asked for, a line a row, oldest first, as fast as it is read. Throws an `OperatorError` where
 * a number or a time is none.
 */
export async function auditExport(options: ExportOptions): Promise<void> {
  const filter = {
    repo: options.repo,
    issue: issueIn(options.incident),
    since: momentIn("--since", options.since),
    until: momentIn("--until", options.until),
  };
  const store = await openStore(readPlaces(options.config).storeUrl);
  try {
    const lines = exportAudit(store.db, { ...filter, format: options.format, version: own.version });
    await pipeline(lines, process.stdout, { end: false });
  } catch (error) {
    // Whoever reads has had enough, as `head` does.
    if (!(error instanceof Error && "code" in error && error.code === "EPIPE")) throw error;
  } finally {
    await store.close();
  }
}

function issueIn(text: string | undefined): number | undefined {
  if (text === undefined || /^\d{1,9}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new OperatorError([
    { place: "--incident", message: `${text} is no issue's number`, remedy: "write --incident 42" },
  ]);
}

function momentIn(place: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const at = new Date(text);
  if (!Number.isNaN(at.getTime())) return at;
  const remedy = `write ${place} 2026-03-01 or ${place} 2026-03-01T14:00:00Z`;
  throw new OperatorError([{ place, message: `${text} is no time`, remedy }]);
}
