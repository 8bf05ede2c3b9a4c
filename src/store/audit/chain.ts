import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
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
  const head = await tx
    .selectFrom("auditHead")
    .select(["seq", "hash"])
    .where("one", "=", 1)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const link = {
    prev: head.hash,
    seq: head.seq + 1,
    at: new Date().toISOString(),
    kind,
    incidentId,
    body: canonicalize(body) ?? "{}",
  };
  const hash = hashOf(link);
  await tx
    .insertInto("audit")
    .values({ ...link, hash })
    .execute();
  reached("CP16");
  await tx.updateTable("auditHead").set({ seq: link.seq, hash }).where("one", "=", 1).execute();
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
