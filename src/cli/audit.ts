import { loadConfig } from "../config.ts";
import { verifyAudit } from "../store/audit.ts";
import { openStore } from "../store/database.ts";

/** Checks the chain of the audit; true where it holds. */
export async function auditVerify(options: { readonly config?: string | undefined }): Promise<boolean> {
  const store = await openStore(loadConfig({ file: options.config }).store.url);
  try {
    const verified = await verifyAudit(store.db);
    if (verified.ok) console.log(`the audit holds: ${verified.rows} rows, head ${verified.head}`);
    else console.error(`the audit does NOT hold: row ${verified.seq}: ${verified.reason}`);
    return verified.ok;
  } finally {
    await store.close();
  }
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
