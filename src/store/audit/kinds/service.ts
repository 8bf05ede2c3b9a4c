import * as z from "zod";
import { ended, sent } from "./commands.ts";
import { kind, list, member, person, proof, sourceComment } from "./kind.ts";

const scheduled = z.object({ schedule: z.string(), run: z.string() });
const passkey = z.object({ owner: person, id: z.string(), digest: z.string() });
const halt = z.object({
  scope: z.string(),
  by: z.string().nullable(),
  at: z.string().nullable(),
  kill: z.boolean().optional(),
});

export const serviceKinds = {
  halted: kind("the kill switch is on for `scope`; `by` is a name on the machine", halt, { severity: 3 }),
  resumed: kind("the kill switch is off again", halt),
  passkey_added: kind(
    "a passkey of `owner` is in force: an approver (`by`) confirmed it with their own, or the operator gave it",
    passkey.extend({
      publicKey: z.string(),
      by: member.optional(),
      comment: sourceComment.optional(),
      proof: proof.optional(),
    }),
    { severity: 3 },
  ),
  passkey_revoked: kind(
    "a passkey counts no more; `by` is its owner, or absent for the operator",
    passkey.extend({ by: person.optional() }),
    {
      severity: 3,
    },
  ),
  ground_lost: kind(
    "a repository was renamed, transferred, deleted or made public, or the App lost it",
    z.object({
      what: z.string(),
      installationId: z.number(),
      repoIds: list(z.number()).or(z.literal("all")),
      by: person,
      incidents: z.number(),
    }),
    { severity: 3 },
  ),
  repository_refused: kind(
    "an event of a repository for which the bot does not work",
    z.object({
      repo: z.string(),
      repoId: z.number(),
      installationId: z.number(),
      event: z.string(),
      by: person,
      reason: z.string(),
      scope: z.string(),
    }),
    { severity: 3, refused: true },
  ),
  denials_muted: kind(
    "a person, or a `scope`, was refused so often that more is not written down for a while",
    z.object({
      by: person.optional(),
      scope: z.string().optional(),
      rows: z.number(),
      windowMs: z.number(),
    }),
    { severity: 2 },
  ),
  job_set_aside: kind(
    "work that failed to the last attempt",
    z.object({ queue: z.string(), key: z.string(), reason: z.string() }),
    { severity: 3 },
  ),
  outputs_removed: kind(
    "outputs older than `retention.outputs` are gone",
    z.object({ outputs: z.number(), deliveries: z.number(), days: z.number() }),
  ),
  store_restored: kind(
    "the store is an older copy; what was open (`void`) no longer runs",
    z.object({ reason: z.string(), void: list(z.number()) }),
  ),
  schedule_started: kind(
    "a scheduled workflow began",
    scheduled.extend({ cron: z.string(), due: z.string(), sha256: z.string() }),
  ),
  schedule_ended: kind(
    "a scheduled workflow ended",
    scheduled.extend({ state: z.string(), why: z.string().nullable() }),
  ),
  schedule_missed: kind(
    "a scheduled workflow was due while the bot was down",
    z.object({ schedule: z.string(), due: z.string(), missed: z.number() }),
  ),
  schedule_suspended: kind(
    "a scheduled workflow may not run as it is now",
    z.object({ schedule: z.string(), why: z.string() }),
  ),
  schedule_command_dispatched: kind(
    "a scheduled command goes to its servers; written before it is sent",
    scheduled.extend({ ...sent.shape, due: z.string(), sha256: z.string(), step: z.number() }),
  ),
  schedule_command_executed: kind(
    "a scheduled command ended on a server",
    // An unsent command has no proof of a run.
    scheduled.extend({ step: z.number(), ...ended.partial().required({ server: true, ending: true }).shape }),
  ),
} as const;
