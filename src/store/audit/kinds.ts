import * as z from "zod";
import type { AuditRow } from "./rows.ts";

/** How grave an event is, as OCSF counts: 1 informational … 4 high. */
export type Severity = 1 | 2 | 3 | 4;

/** Kinds that say more than that something happened as it should; every other is informational. */
const grave: Readonly<Record<string, Severity>> = {
  approval_refused: 2,
  approval_withdrawn: 2,
  command_denied: 2,
  command_ignored: 2,
  command_unverified: 2,
  denials_muted: 2,
  incident_refused: 2,
  command_void: 2,
  command_blocked: 3,
  command_unknown: 3,
  ground_lost: 3,
  halted: 3,
  job_set_aside: 3,
  repository_refused: 3,
  card_imitated: 4,
  card_tampered: 4,
};

/** Kinds of what somebody wanted and did not get. */
const refused = new Set([
  "approval_refused",
  "command_blocked",
  "command_denied",
  "command_ignored",
  "command_unverified",
  "incident_refused",
  "repository_refused",
]);

const personSchema = z.object({ id: z.number(), login: z.string() });
const factsSchema = z.object({
  by: personSchema.optional().catch(undefined),
  login: z.string().optional().catch(undefined),
  number: z.number().optional().catch(undefined),
  digest: z.string().optional().catch(undefined),
  server: z.string().optional().catch(undefined),
  place: z.string().optional().catch(undefined),
  run: z.string().optional().catch(undefined),
  runs: z.record(z.string(), z.string()).optional().catch(undefined),
  command: z.string().optional().catch(undefined),
  reason: z.string().optional().catch(undefined),
  redactedSha256: z.string().optional().catch(undefined),
  ending: z.object({ kind: z.string(), code: z.number().optional() }).optional().catch(undefined),
});

/** What every form of the log says of a row, taken from its body where it is there. */
export interface AuditFacts extends Omit<z.infer<typeof factsSchema>, "login"> {
  readonly severity: Severity;
  readonly succeeded: boolean;
  /** `command executed` */
  readonly words: string;
}

export function factsOf({ kind, body }: Pick<AuditRow, "kind" | "body">): AuditFacts {
  const { by, login, ...facts } = factsSchema.parse(body);
  // Some rows have the number and the name of whoever it was apart.
  const person = by ?? (typeof body.by === "number" && login !== undefined ? { id: body.by, login } : undefined);
  const failed = facts.ending !== undefined && facts.ending.code !== 0;
  const gravest: Severity = grave[kind] ?? (failed ? 2 : 1);
  return {
    ...facts,
    by: person,
    severity: gravest,
    succeeded: !refused.has(kind) && !failed,
    words: kind.replaceAll("_", " "),
  };
}
