import type { Db } from "../database/connection.ts";
import { toCef } from "./cef.ts";
import { toOcsf } from "./ocsf.ts";
import { type AuditFilter, type AuditRow, auditRows } from "./rows.ts";

type Form = (row: AuditRow, version: string) => string;

/** The forms of the log, each a line a row. JSONL has all that is hashed, so that the chain can be checked from it. */
const forms = {
  jsonl: (row) => JSON.stringify(row),
  cef: toCef,
  ocsf: (row, version) => JSON.stringify(toOcsf(row, version)),
} as const satisfies Record<string, Form>;

export const auditFormats = ["jsonl", "cef", "ocsf"] as const satisfies readonly (keyof typeof forms)[];
export type AuditFormat = (typeof auditFormats)[number];

/** The rows that fit as lines, oldest first, a few hundred to a piece, so that memory does not grow with the audit. */
export async function* exportAudit(
  db: Db,
  { format, version, ...filter }: AuditFilter & { readonly format: AuditFormat; readonly version: string },
): AsyncGenerator<string> {
  for await (const rows of auditRows(db, filter)) yield rows.map((row) => `${forms[format](row, version)}\n`).join("");
}
