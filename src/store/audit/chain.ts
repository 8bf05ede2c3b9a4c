import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { sql } from "kysely";
import * as z from "zod";
import { reached } from "../../base/crash-point.ts";
import { beforeCommit, writeNow } from "../database/commit.ts";
import type { Db, Tx } from "../database/connection.ts";
import { type AuditEvent, type AuditKind, type ReadEvent, readEvent } from "./events.ts";

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

export interface AuditRow {
  readonly seq: number;
  /** RFC 3339. */
  readonly at: string;
  readonly kind: string;
  readonly incidentId: string | null;
  readonly body: Readonly<Record<string, unknown>>;
  readonly prev: string;
  readonly hash: string;
}

/** All rows by default. */
export interface AuditFilter {
  /** `owner/name`, in any case. */
  readonly repo?: string | undefined;
  /** In every repository if none is named. */
  readonly issue?: number | undefined;
  readonly incidentId?: string | undefined;
  /** Exclusive. */
  readonly after?: number | undefined;
  /** Inclusive; `until` is exclusive. */
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

const rowsPerPage = 500;
const bodySchema = z.record(z.string(), z.unknown());

export const changedRow = (rows: readonly AuditRow[]): AuditRow | undefined =>
  rows.find((row) => hashOf({ ...row, body: canonicalize(row.body) ?? "{}" }) !== row.hash);

/** Oldest first, in batches, so that memory does not grow with the audit. */
export async function* auditRows(db: Db | Tx, filter: AuditFilter): AsyncGenerator<readonly AuditRow[]> {
  await writeNow(db, "audit");
  const { repo, issue, incidentId, after = 0, since, until } = filter;
  let last = after;
  for (;;) {
    const rows = await db
      .selectFrom("audit")
      .selectAll()
      .where("seq", ">", last)
      .$if(incidentId !== undefined, (query) => query.where("incidentId", "=", incidentId ?? ""))
      // RFC 3339 in UTC and of one length: text order is time order.
      .$if(since !== undefined, (query) => query.where("at", ">=", since?.toISOString() ?? ""))
      .$if(until !== undefined, (query) => query.where("at", "<", until?.toISOString() ?? ""))
      .$if(repo !== undefined || issue !== undefined, (query) =>
        query.where((eb) => {
          // A whole repository includes rows without an incident, such as its refusal.
          const name = repo?.toLowerCase() ?? "";
          const incidents = eb
            .selectFrom("incident")
            .select("incident.id")
            .$if(repo !== undefined, (query) =>
              query.where((inner) => inner(inner.fn("lower", ["incident.repo"]), "=", name)),
            )
            .$if(issue !== undefined, (query) => query.where("incident.number", "=", issue ?? 0));
          const named = eb("incidentId", "in", incidents);
          if (repo === undefined || issue !== undefined) return named;
          const told = eb(sql<string>`lower(body::jsonb ->> 'repo')`, "=", name);
          return eb.or([named, eb.and([eb("incidentId", "is", null), told])]);
        }),
      )
      .orderBy("seq")
      .limit(rowsPerPage)
      .execute();
    if (rows.length > 0) yield rows.map((row) => ({ ...row, body: bodySchema.parse(JSON.parse(row.body)) }));
    last = rows.at(-1)?.seq ?? last;
    if (rows.length < rowsPerPage) return;
  }
}

export type AuditLine = ReadEvent & { readonly at: string };

const lineOf = ({
  at,
  kind,
  body,
}: {
  readonly at: string;
  readonly kind: string;
  readonly body: string;
}): AuditLine => ({
  at,
  ...readEvent({ kind, body: JSON.parse(body) }),
});

const rowsOf = (db: Db | Tx, incidentId: string, kinds: readonly AuditKind[]) =>
  db
    .selectFrom("audit")
    .select(["at", "kind", "body"])
    .where("incidentId", "=", incidentId)
    .$if(kinds.length > 0, (query) => query.where("kind", "in", kinds));

/** Oldest first; of all kinds if none is named. */
export async function auditOf(
  db: Db | Tx,
  incidentId: string,
  ...kinds: readonly AuditKind[]
): Promise<readonly AuditLine[]> {
  await writeNow(db, "audit");
  return (await rowsOf(db, incidentId, kinds).orderBy("seq").execute()).map(lineOf);
}

export async function lastAuditOf(
  db: Db | Tx,
  incidentId: string,
  ...kinds: readonly AuditKind[]
): Promise<AuditLine | undefined> {
  await writeNow(db, "audit");
  const row = await rowsOf(db, incidentId, kinds).orderBy("seq", "desc").limit(1).executeTakeFirst();
  return row && lineOf(row);
}

/** Oldest first. Locks the audit until the transaction ends, so that of several readers one is first. */
export async function lockedAudit(tx: Tx, ...kinds: readonly AuditKind[]): Promise<readonly AuditLine[]> {
  await writeNow(tx, "audit");
  await tx.selectFrom("auditHead").select("seq").where("one", "=", 1).forUpdate().executeTakeFirstOrThrow();
  const rows = await tx
    .selectFrom("audit")
    .select(["at", "kind", "body"])
    .where("kind", "in", kinds)
    .orderBy("seq")
    .execute();
  return rows.map(lineOf);
}
