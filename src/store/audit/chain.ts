import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { sql } from "kysely";
import { reached } from "../../base/crash-point.ts";
import type { Db, Tx } from "../database/connection.ts";
import type { AuditEvent } from "./events.ts";

/** What is hashed of a row, in this order, a line each. */
interface Link {
  readonly prev: string;
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  readonly incidentId: string | null;
  readonly body: string;
}

export type AuditEntry = AuditEvent & { readonly incidentId?: string | null };

export type Verification =
  | { readonly ok: true; readonly rows: number; readonly head: string }
  /** `reached`: up to there it holds, and no further was looked. */
  | { readonly ok: false; readonly seq: number; readonly reason: string; readonly reached?: Row };

/** A row of the audit by its place and hash. */
export interface Row {
  readonly seq: number;
  readonly hash: string;
}

const rowsPerRead = 1_000;

/** Before the first row. */
export const beginning: Row = { seq: 0, hash: "" };

/** The hash of an audit row, SHA-256 in hex, over its fields and the hash before it (SR-64). */
export function hashOf({ prev, seq, at, kind, incidentId, body }: Link): string {
  return createHash("sha256")
    .update([prev, seq, at, kind, incidentId ?? "", body].join("\n"))
    .digest("hex");
}

/**
 * Appends to the audit in the caller's transaction, so that what is done and its record are one commit (SR-63). Appends
 * are one after another: the head's row is locked until the transaction ends.
 */
export async function appendAudit(tx: Tx, { kind, incidentId = null, body }: AuditEntry): Promise<void> {
  const at = new Date().toISOString();
  const text = canonicalize(body) ?? "{}";
  // As `hashOf` has it, in the statement that holds the head: one way to the database in place of three.
  const link = sql`concat_ws(e'\n', last.hash, last.seq + 1, ${at}::text, ${kind}::text, ${incidentId ?? ""}::text, ${text}::text)`;
  const { numAffectedRows } = await sql`
    with last as (select seq, hash from audit_head where one = 1 for update),
    head as (
      update audit_head set seq = last.seq + 1, hash = encode(sha256(convert_to(${link}, 'UTF8')), 'hex')
      from last where one = 1 returning audit_head.seq, audit_head.hash
    )
    insert into audit (seq, at, kind, incident_id, body, prev, hash)
    select head.seq, ${at}, ${kind}, ${incidentId}::uuid, ${text}, last.hash, head.hash from last, head`.execute(tx);
  if (numAffectedRows !== 1n) throw new Error("the audit has lost its head: nothing can be appended to it");
  reached("CP16");
}

/**
 * Walks the chain to its end, from its start unless said otherwise, and says the first place where it does not hold: a row
 * changed, removed, put in, moved, or cut off at the end (SR-64). After `mostRows` it stops and says how far it came.
 */
export async function verifyAudit(
  db: Db,
  { from = beginning, mostRows = Number.POSITIVE_INFINITY }: { readonly from?: Row; readonly mostRows?: number } = {},
): Promise<Verification> {
  let last = from;
  let expected = 0;
  for (;;) {
    if (last.seq - from.seq >= mostRows)
      return {
        ok: false,
        seq: last.seq + 1,
        reason: "was not reached in one look; the next goes on there",
        reached: last,
      };
    const rows = await db
      .selectFrom("audit")
      .selectAll()
      .where("seq", ">", last.seq)
      .orderBy("seq")
      .limit(rowsPerRead)
      .execute();
    for (const row of rows) {
      const reason = faultOf(row, last);
      if (reason) return { ok: false, seq: last.seq + 1, reason };
      last = row;
    }
    if (rows.length === rowsPerRead) continue;
    const head = await db.selectFrom("auditHead").selectAll().where("one", "=", 1).executeTakeFirst();
    if (head?.seq === last.seq && head.hash === last.hash) return { ok: true, rows: last.seq, head: last.hash };
    // Rows may have been appended since the last look, together with their head: then they are there to be walked too.
    if (head && head.seq > last.seq && head.seq !== expected) {
      expected = head.seq;
      continue;
    }
    return {
      ok: false,
      seq: last.seq + 1,
      reason: `the head says ${head?.seq ?? "nothing"}, the rows end at ${last.seq}`,
    };
  }
}

function faultOf(row: Link & { readonly hash: string }, before: { readonly seq: number; readonly hash: string }) {
  if (row.seq !== before.seq + 1) return "a row is missing";
  if (row.prev !== before.hash) return "does not follow the row before it";
  if (row.hash !== hashOf(row)) return "was changed after it was written";
  return undefined;
}
