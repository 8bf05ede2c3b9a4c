import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { sql } from "kysely";
import { reached } from "../../base/crash-point.ts";
import { beforeCommit } from "../database/commit.ts";
import type { Db, Tx } from "../database/connection.ts";
import type { AuditEvent } from "./events.ts";

/** Hashed in this order, one field on each line. */
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
  /** `reached`: the walk stopped there, and the chain holds so far. */
  | { readonly ok: false; readonly seq: number; readonly reason: string; readonly reached?: ChainRow };

export interface ChainRow {
  readonly seq: number;
  readonly hash: string;
}

const rowsPerRead = 1_000;

const beginning: ChainRow = { seq: 0, hash: "" };

/** SHA-256 in hex over the row and the hash before it (SR-63, SR-64). */
export function hashOf({ prev, seq, at, kind, incidentId, body }: Link): string {
  return createHash("sha256")
    .update([prev, seq, at, kind, incidentId ?? "", body].join("\n"))
    .digest("hex");
}

/**
 * An act and its record are one commit. Locks the audit head in the transaction's last statement: locking it earlier deadlocks with a
 * transaction that waits for it.
 */
export async function appendAudit(tx: Tx, { kind, incidentId = null, body }: AuditEntry): Promise<void> {
  await append(tx, { at: new Date().toISOString(), kind, incidentId, body: canonicalize(body) ?? "{}" });
}

const append = beforeCommit<Omit<Link, "prev" | "seq">>("audit", (entries) => {
  const column = (name: keyof (typeof entries)[number]) => entries.map((entry) => entry[name]);
  // As `hashOf`, but in the statement that locks the head: one round trip instead of three.
  const link = sql`concat_ws(e'\n', link.hash, link.seq + 1, at, kind, coalesce(incident::text, ''), body)`;
  return {
    steps: [
      sql`last as (select seq, hash from audit_head where one = 1 for update)`,
      sql`entry as (select * from unnest(${column("at")}::text[], ${column("kind")}::text[],
        ${column("incidentId")}::uuid[], ${column("body")}::text[]) with ordinality as entry (at, kind, incident, body, n))`,
      sql`link (n, seq, prev, hash) as (
        select 0::bigint, seq, '', hash from last
        union all
        select entry.n, link.seq + 1, link.hash, encode(sha256(convert_to(${link}, 'UTF8')), 'hex')
        from link join entry on entry.n = link.n + 1)`,
      sql`head as (
        update audit_head set seq = link.seq, hash = link.hash
        from link where one = 1 and n = ${entries.length}::bigint returning audit_head.seq)`,
      sql`added as (
        insert into audit (seq, at, kind, incident_id, body, prev, hash)
        select link.seq, at, kind, incident, body, prev, link.hash from link join entry using (n), head
        order by n returning seq)`,
    ],
    outcome: sql`(select count(*)::integer from added)`,
    check: (added) => {
      if (added !== entries.length) throw new Error("the audit has lost its head: nothing can be appended to it");
      reached("CP16");
    },
  };
});

/**
 * Returns the chain's first fault: a row changed, removed, inserted, moved, or cut off at the end. Stops after `mostRows` and returns how
 * far it came.
 */
export async function verifyAudit(
  db: Db,
  {
    from = beginning,
    mostRows = Number.POSITIVE_INFINITY,
  }: { readonly from?: ChainRow; readonly mostRows?: number } = {},
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
    // Rows may have been appended since the last read.
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

const mostRowsAtOnce = 250_000;

/**
 * Only counts rows that held before: their change shows when they are read (`changedRow`), or in a whole walk. Never says that a partly
 * walked chain holds.
 */
export function createChainWalk(db: () => Db, mostRows = mostRowsAtOnce): () => Promise<Verification> {
  let walked = beginning;
  return async () => {
    const from = (await stands(db(), walked)) ? walked : beginning;
    const found = await verifyAudit(db(), { from, mostRows });
    walked = found.ok ? { seq: found.rows, hash: found.head } : (found.reached ?? beginning);
    return found;
  };
}

async function stands(db: Db, { seq, hash }: ChainRow): Promise<boolean> {
  if (seq === 0) return true;
  const { count } = await db
    .selectFrom("audit")
    .select(sql<number>`count(*)::int`.as("count"))
    .where("seq", "<=", seq)
    .executeTakeFirstOrThrow();
  const row = await db.selectFrom("audit").select("hash").where("seq", "=", seq).executeTakeFirst();
  return count === seq && row?.hash === hash;
}
