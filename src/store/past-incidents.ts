import { sql } from "kysely";
import type { Db, Tx } from "./database/connection.ts";
import type { Incident } from "./incidents.ts";

/** What an incident of before is told of in a line. */
export interface Similar {
  readonly number: number;
  /** When it was closed, as of then: `today`, `12 days ago`. */
  readonly closed: string;
  /** What it was; null where nobody said. */
  readonly cause: string | null;
  /** The agent says so, and nobody when it was closed. */
  readonly byAgent: boolean;
  /** The commands that changed something and went well, in the order in which they ran. */
  readonly helped: readonly string[];
}

export type PastIncident = Pick<Incident, "id" | "number" | "title" | "body" | "cause"> & { readonly closedAt: Date };

/** What is enough to know an incident by; its matching looks at no more of it. */
const bodyCharacters = 4_000;
const mostIncidents = 200;

/** The incidents of this repository that were closed within a year before `asOf`, newest first; the last 200, so that looking stays quick. */
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

/** The closed incidents of a repository, oldest first, so many at a time that memory does not grow with them. */
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
