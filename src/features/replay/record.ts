import * as z from "zod";
import { risks } from "../../base/risk.ts";
import { actionsOf } from "../../store/actions.ts";
import type { Db } from "../../store/database/open.ts";
import { valuesOf } from "../../store/incidents.ts";
import { closedIncidents } from "../../store/past-incidents.ts";
import { runsOf } from "../../store/runs.ts";
import { fixesOf } from "../incident/cause.ts";

/** The lines of `countersign export --incidents`: JSON, servers first. */

const name = z.string().max(200);

/** No address, user or key (PA-8). */
const serverRecordSchema = z.strictObject({
  name,
  os: z.enum(["linux", "windows", "auto"]),
  shell: z.enum(["bash", "powershell", "cmd"]),
  env: name.optional(),
  groups: z.array(name).max(100),
  maxRisk: z.enum(risks),
  protectedPaths: z.array(z.string()).max(1_000),
  criticalServices: z.array(name).max(1_000).optional(),
});
export type ServerRecord = z.output<typeof serverRecordSchema>;

/** A closed incident as opened, and what helped. */
export const incidentRecordSchema = z.strictObject({
  number: z.int().positive(),
  title: z.string().max(1_000),
  body: z.string().max(70_000),
  values: z
    .array(z.strictObject({ source: z.enum(["alert", "form", "person"]), name, value: z.string().max(2_000) }))
    .max(200),
  /** As an alert's `instance` or `node` names it. */
  server: name.optional(),
  /** Successful changes, in order. */
  helped: z.array(z.string().max(4_000)).max(200),
});
export type IncidentRecord = z.output<typeof incidentRecordSchema>;

export const recordSchema = z.union([
  z.strictObject({ repo: name, servers: z.array(serverRecordSchema).max(10_000) }),
  incidentRecordSchema,
]);

/** A line for each closed incident, oldest first, unredacted: the caller must redact. */
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
