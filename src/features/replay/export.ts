import { actionsOf } from "../../store/actions.ts";
import type { Db } from "../../store/database/open.ts";
import { valuesOf } from "../../store/incidents.ts";
import { closedIncidents } from "../../store/past-incidents.ts";
import { runsOf } from "../../store/runs.ts";
import { fixesOf } from "../incident/cause.ts";
import type { IncidentRecord } from "./record.ts";

/** Each closed incident of a repository as a line, oldest first, as the store has it: whoever prints it redacts it. */
export async function* incidentLines(
  db: Db,
  which: { readonly repo: string; readonly since?: Date | undefined },
): AsyncGenerator<string> {
  for await (const incidents of closedIncidents(db, which))
    for (const { id, number, title, body } of incidents) {
      const past = { actions: await actionsOf(db, id), runs: await runsOf(db, id) };
      const helped = fixesOf(past).map(({ spec }) => spec.command);
      const record: IncidentRecord = { number, title, body, values: [...(await valuesOf(db, id))], helped };
      yield `${JSON.stringify(record)}\n`;
    }
}
