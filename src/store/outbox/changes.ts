import { sql } from "kysely";
import { beforeCommit, countOf, writeNow } from "../database/commit.ts";
import type { Db, Tx } from "../database/connection.ts";
import { slots } from "./slots.ts";

/**
 * Counts a change of what the incident's comments show, and keeps what is going on now, in the transaction that changes it. What is to
 * be drawn for the first time gets its place among the issue's comments here: later ones must not come before it. Of what one
 * transaction makes, a proposal comes before its run, whatever the clocks say: the database's and ours both give such times.
 */
export const markChanged = (tx: Tx, incidentId: string, doing: string): Promise<void> =>
  mark(tx, { incidentId, doing });

const mark = beforeCommit<{ readonly incidentId: string; readonly doing: string }>("marks", (all) => {
  const marks = [...new Map(all.map(({ incidentId, doing }) => [incidentId, doing]))];
  const steps = marks.flatMap(([incidentId, doing], index) => {
    const own = sql`where incident_id = ${incidentId}::uuid`;
    const [marked, drawn, placed] = ["marked", "drawn", "placed"].map((name) => sql.raw(`${name}_${index}`));
    return [
      sql`${marked} as (
        update incident set changed = changed + 1, doing = ${doing}, undrawn_since = coalesce(undrawn_since, now())
        where id = ${incidentId}::uuid returning id as incident_id, installation_id, repo, number)`,
      sql`${drawn} as (
        select ${slots.board} as slot, 0 as level, null::timestamptz as since, 0 as n
        union all select 'card:' || step, 1, created_at, step from turn ${own}
        union all select card, 2, created_at, number from action ${own} and card = 'action:' || number
        union all select ${slots.batch("")} || id, 3, created_at, 0 from batch ${own})`,
      sql`${placed} as (
        insert into comment (id, installation_id, repo, issue, incident_id, slot, body, version)
        select gen_random_uuid(), installation_id, repo, number, incident_id, slot, '', 0
        from ${marked} marked cross join ${drawn} drawn
        where not exists (
          select from comment c where c.repo = marked.repo and c.issue = marked.number and c.slot = drawn.slot)
        order by level, since, n
        on conflict (repo, issue, slot) do nothing returning id)`,
    ];
  });
  return { steps, outcome: countOf("placed", marks) };
});

/** The issues whose incident has changed since its comments were drawn. */
export const undrawnThreads = (db: Db | Tx): Promise<readonly { readonly repo: string; readonly number: number }[]> =>
  db.selectFrom("incident").select(["repo", "number"]).whereRef("changed", ">", "drawn").execute();

/** Whether an issue's incident has changed since its comments were drawn. */
export async function isUndrawn(
  tx: Tx,
  { repo, issue }: { readonly repo: string; readonly issue: number },
): Promise<boolean> {
  await writeNow(tx, "marks");
  const row = await tx
    .selectFrom("incident")
    .select("id")
    .where("repo", "=", repo)
    .where("number", "=", issue)
    .whereRef("changed", ">", "drawn")
    .executeTakeFirst();
  return row !== undefined;
}
