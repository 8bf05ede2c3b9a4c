import { sql } from "kysely";
import type { Db, Tx } from "./database/connection.ts";
import type { Incident } from "./incidents.ts";

export interface SimilarIncident {
  readonly number: number;
  /** As seen from its closing: `today`, `12 days ago`. */
  readonly closed: string;
  readonly cause: string | null;
  /** The agent's cause, because the closing person gave none. */
  readonly byAgent: boolean;
  /** Commands that ended a fault, in order. */
  readonly helped: readonly string[];
}

export type PastIncident = Pick<Incident, "id" | "number" | "title" | "body" | "cause"> & { readonly closedAt: Date };

const bodyCharacters = 4_000;
const mostIncidents = 200;

/** The last 200 closed within a year before `asOf`, newest first, so that matching stays quick. */
export async function pastIncidents(
  db: Db | Tx,
  { repoId, asOf }: { readonly repoId: number; readonly asOf: Date },
): Promise<readonly PastIncident[]> {
  const { rows } = await sql<PastIncident>`
    select id, number, title, left(body, ${bodyCharacters}) as body, cause, closed_at as "closedAt" from incident
    where repo_id = ${repoId} and state = 'closed'
      and closed_at <= ${asOf} and closed_at > ${asOf}::timestamptz - interval '1 year'
    order by closed_at desc limit ${mostIncidents}`.execute(db);
  return rows.map((row) => ({ ...row, closedAt: new Date(row.closedAt) }));
}

const incidentsPerRead = 100;

/** Oldest first, a hundred at a time, so that memory does not grow. */
export async function* closedIncidents(
  db: Db | Tx,
  { repo, since }: { readonly repo: string; readonly since?: Date | undefined },
): AsyncGenerator<readonly Incident[]> {
  let last = 0;
  for (;;) {
    const incidents = await db
      .selectFrom("incident")
      .selectAll()
      .where(sql`lower(repo)`, "=", repo.toLowerCase())
      .where("state", "=", "closed")
      .where("number", ">", last)
      .$if(since !== undefined, (query) => query.where("createdAt", ">=", since ?? new Date(0)))
      .orderBy("number")
      .limit(incidentsPerRead)
      .execute();
    if (incidents.length > 0) yield incidents;
    last = incidents.at(-1)?.number ?? last;
    if (incidents.length < incidentsPerRead) return;
  }
}
