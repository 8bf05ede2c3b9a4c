import { sql } from "kysely";
import type { Db, Tx } from "./database/connection.ts";
import type { Incident } from "./incidents.ts";

/** An earlier incident, as one line shows it. */
export interface SimilarIncident {
  readonly number: number;
  /** When it was closed, seen from that time: `today`, `12 days ago`. */
  readonly closed: string;
  /** What it was; null if unknown. */
  readonly cause: string | null;
  /** The cause is the agent's; the person who closed it gave none. */
  readonly byAgent: boolean;
  /** The commands that changed something and succeeded, in their order. */
  readonly helped: readonly string[];
}

export type PastIncident = Pick<Incident, "id" | "number" | "title" | "body" | "cause"> & { readonly closedAt: Date };

/** The part of an incident's text that matching reads. */
const bodyCharacters = 4_000;
const mostIncidents = 200;

/** The incidents of this repository that were closed within a year before `asOf`, newest first; the last 200, so that matching stays quick. */
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

/** The closed incidents of a repository, oldest first, a hundred at a time, so that memory does not grow with them. */
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
