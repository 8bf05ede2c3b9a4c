/** What `countersign export --incidents` writes and the check reads: JSON, a line a record, the servers first. */

import * as z from "zod";
import { risks } from "../../base/risk.ts";

const name = z.string().max(200);

/** A server as far as a runbook and the policy know it; never its address, user or key (PA-8). */
export const serverRecordSchema = z.strictObject({
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

/** A closed incident as it came in, and what helped. */
export const incidentRecordSchema = z.strictObject({
  number: z.int().positive(),
  title: z.string().max(1_000),
  body: z.string().max(70_000),
  values: z
    .array(z.strictObject({ source: z.enum(["alert", "form", "person"]), name, value: z.string().max(2_000) }))
    .max(200),
  /** The server that an alert's `instance` or `node` names. */
  server: name.optional(),
  /** The commands that changed something and went well, in order. */
  helped: z.array(z.string().max(4_000)).max(200),
});
export type IncidentRecord = z.output<typeof incidentRecordSchema>;

export const recordSchema = z.union([
  z.strictObject({ repo: name, servers: z.array(serverRecordSchema).max(10_000) }),
  incidentRecordSchema,
]);
