import canonicalize from "canonicalize";
import { sql } from "kysely";
import * as z from "zod";
import { writeNow } from "../database/commit.ts";
import type { Db, Tx } from "../database/connection.ts";
import { hashOf } from "./chain.ts";
import { type AuditKind, type ReadEvent, readEvent } from "./events.ts";

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

const rowsPerRead = 500;
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
      .limit(rowsPerRead)
      .execute();
    if (rows.length > 0) yield rows.map((row) => ({ ...row, body: bodySchema.parse(JSON.parse(row.body)) }));
    last = rows.at(-1)?.seq ?? last;
    if (rows.length < rowsPerRead) return;
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
