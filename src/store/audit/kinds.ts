import * as z from "zod";
import { hypothesisStatuses } from "../../base/agent.ts";
import { risks } from "../../base/risk.ts";
import type { Ending, Outcome } from "../../base/run.ts";
import type { Target } from "../actions.ts";
import { pillars } from "../incidents.ts";

/** As OCSF counts: 1 informational … 4 high. */
export type Severity = 1 | 2 | 3 | 4;

interface Weight {
  readonly severity?: Severity;
  /** A person wanted it and did not get it. */
  readonly refused?: true;
}

/** `means` also stands in docs/audit.md. */
export const kind = <Body extends z.ZodType>(means: string, body: Body, weight: Weight = {}) => ({
  means,
  body,
  ...weight,
});

const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();
export const person = z.object({ id: z.number(), login: z.string() });
const member = person.extend({ role: z.string(), teams: list(z.string()).optional() });
const sourceComment = z.object({
  id: z.number(),
  nodeId: z.string(),
  sha256: z.string(),
  writtenAt: z.string().optional(),
});
const sha256 = z.string();
const ofCommand = z.object({ number: z.number(), digest: z.string() });
const onIssue = z.object({ repo: z.string(), repoId: z.number(), issue: z.number() });

/** An authenticator's answer, base64url (WebAuthn Level 3, §5.2.2). */
const assertion = z.object({
  id: z.string(),
  authenticatorData: z.string(),
  clientDataJSON: z.string(),
  signature: z.string(),
});
export type Assertion = z.output<typeof assertion>;
/** Enough to verify a person's presence years later. */
const proof = z.object({ assertion, publicKey: z.string(), origin: z.string() });
export type Proof = z.output<typeof proof>;

const isRecord = (value: unknown): boolean => typeof value === "object" && value !== null;
const targets = list(z.custom<Target>(isRecord));
const ended = z.object({
  server: z.string(),
  ending: z.custom<Ending>((value) => isRecord(value) && "kind" in Object(value)),
  outcome: z.custom<Outcome>(isRecord).optional(),
  durationMs: z.number().nullable(),
  hostKey: z.string().nullable(),
  housekeeping: list(z.string()),
  bytes: z.number().nullable(),
  outputSha256: z.string().nullable(),
  redactedSha256: z.string().nullable(),
});
const sent = z.object({
  place: z.string(),
  targets,
  command: z.string(),
  risk: z.enum(risks),
  rulesVersion: z.string(),
});

const proposed = ofCommand.extend({
  place: z.string(),
  risk: z.enum(risks),
  origin: z.enum(["model", "offline"]).optional(),
  rulesVersion: z.string().optional(),
  by: person.optional(),
  commentId: z.number().optional(),
  insteadOf: z.number().optional(),
  probes: z.number().optional(),
  checksMergeOf: z.number().optional(),
  workflow: z.object({ name: z.string(), sha256: z.string() }).optional(),
});
/** `step`: which command of a set, from 0. */
const ran = ofCommand.extend({ run: z.string(), step: z.number().optional(), ...ended.shape });
const said = z.object({ by: person, commentId: z.number() });
const onRuns = z.object({ number: z.number(), servers: list(z.string()), by: member, commentId: z.number() });

export const commandKinds = {
  command_proposed: kind("a command has got its number and waits for approval", proposed),
  command_blocked: kind("a proposed command is one that never runs", proposed, { severity: 3, refused: true }),
  command_approved: kind(
    "an approval counted; `have` of the `need` that it takes; `operatorFile`: by the opening lease of the file with this hash",
    ofCommand.extend({
      via: z.enum(["lease", "opening"]).optional(),
      by: member,
      comment: sourceComment.optional(),
      operatorFile: sha256.optional(),
      reason: z.string(),
      have: z.number(),
      need: z.number(),
      proof: proof.optional(),
    }),
  ),
  approval_refused: kind(
    "an approval did not count; `code` says why",
    said.extend({ ...ofCommand.shape, code: z.string(), role: z.string() }),
    { severity: 2, refused: true },
  ),
  approval_withdrawn: kind(
    "approvals of a command are void; its comment was changed (`how`), or something before it failed",
    ofCommand.extend({
      reason: z.string(),
      commentId: z.number().optional(),
      by: person.optional(),
      how: z.enum(["edited", "deleted"]).optional(),
    }),
    { severity: 2 },
  ),
  command_rejected: kind(
    "a person turned a command down",
    ofCommand.extend({ by: member, commentId: z.number(), reason: z.string() }),
  ),
  command_superseded: kind(
    "another command, the number in `by`, took its place, or its proposer took it back",
    ofCommand.extend({ by: z.number().nullable(), reason: z.string().optional() }),
  ),
  approver_called: kind(
    "somebody was called because a command waits for an approval; `step` by step, `why` it was not the one on call",
    ofCommand.extend({ step: z.number(), kind: z.enum(["person", "hook", "team"]), who: z.string(), why: z.string() }),
  ),
  incident_called: kind(
    "somebody was called because an incident waits for people and no command does; `round` says for what",
    z.object({
      round: z.string(),
      step: z.number(),
      kind: z.enum(["person", "hook", "team"]),
      who: z.string(),
      why: z.string(),
    }),
  ),
  pager_told: kind(
    "the pager of an alert was told what people did, or could not be; `reason` says why",
    z.object({
      pager: z.string(),
      told: z.enum(["acknowledge", "resolve"]),
      by: z.string(),
      outcome: z.enum(["done", "failed", "unsure", "moot"]),
      reason: z.string().optional(),
    }),
  ),
  command_expired: kind("nobody approved a command in time", ofCommand.extend({ reason: z.string().optional() })),
  command_void: kind("a command can no longer run", ofCommand.extend({ reason: z.string() }), { severity: 2 }),
  command_dispatched: kind(
    "a command goes to its servers; written before it is sent",
    ofCommand.extend({
      ...sent.shape,
      runs: z.record(z.string(), z.string()),
      byLease: z.boolean(),
      origin: z.enum(["model", "offline", "person"]),
      askedBy: person,
      model: z.string().nullable(),
      conversation: z.object({ messages: z.number(), sha256: z.string() }),
      promptSha256: z.string().nullable(),
      contextCommit: z.string().nullable(),
    }),
  ),
  command_executed: kind("a command ended on a server", ran),
  command_unknown: kind("a command may have run on a server; nobody knows", ran, { severity: 3 }),
  command_cancelled: kind(
    "a person had a running command ended",
    ofCommand.extend({ by: member, comment: sourceComment, reason: z.string(), servers: list(z.string()) }),
  ),
  command_waited_for: kind("a person gave a running command more time", onRuns.extend({ until: z.string() })),
  command_continued: kind("a person had the agent read the output so far", onRuns),
  command_denied: kind(
    "a slash command of somebody who may not give it; `told`: at length",
    said.extend({ verb: z.string(), role: z.string(), told: z.boolean() }),
    { severity: 2, refused: true },
  ),
  command_ignored: kind("a slash command that nobody answers", said.extend({ why: z.string() }), {
    severity: 2,
    refused: true,
  }),
  command_unverified: kind(
    "a slash command that could not be checked: GitHub did not answer, or it was edited",
    said.extend({ why: z.string().optional() }),
    { severity: 2, refused: true },
  ),
} as const;

const saidByMember = z.object({ by: member, commentId: z.number() });
const issueChanged = onIssue.extend({ action: z.string(), by: person });
const held = onIssue.extend({
  by: member,
  comment: sourceComment,
  kill: z.boolean(),
  reason: z.string(),
  standing: z.object({ by: z.number(), commentId: z.number(), kill: z.boolean() }),
});
const resumed = onIssue.extend({
  by: member,
  comment: sourceComment,
  reason: z.string(),
  lifted: z.boolean(),
  granted: z.boolean(),
});
const handover = saidByMember.extend({ from: z.string(), to: z.string() });
const cardChanged = z.object({
  slot: z.string(),
  by: person,
  action: z.string(),
  editedAt: z.string().optional(),
  numbers: list(z.number()),
});

export const incidentKinds = {
  incident_opened: kind(
    "an issue became an incident, by a person, a failed run of a schedule, or an alert",
    onIssue.extend({
      action: z.string().optional(),
      by: person.optional(),
      schedule: z.string().optional(),
      run: z.string().optional(),
      alert: z.string().optional(),
    }),
  ),
  incident_refused: kind(
    "somebody without the right to open an incident tried",
    issueChanged.extend({ role: z.string() }),
    { severity: 2, refused: true },
  ),
  incident_reopened: kind("the incident's issue was reopened, or labeled again", issueChanged),
  incident_ended: kind("the incident's issue was closed, deleted or transferred, or lost its label", issueChanged),
  incident_closed: kind("`/close`", said),
  close_questioned: kind(
    "`/close` was put off because of `why`; the next one closes unless there is a new reason",
    said.extend({ why: list(z.string()) }),
  ),
  cause_given: kind("`/close` of a closed incident gave its cause", said),
  incident_held: kind("`/hold`", held),
  repository_held: kind("`/hold all`", held),
  incident_resumed: kind("`/resume`: a hold lifted, or more steps granted", resumed),
  repository_resumed: kind("`/resume all`", resumed),
  lease_given: kind(
    "a lease was given, by `/lease` or `/auto on`, or to a new incident by `operatorFile`: on which servers, until when, for how many commands",
    z.object({
      by: member,
      comment: sourceComment.optional(),
      operatorFile: sha256.optional(),
      servers: list(z.string()),
      endsAt: z.string(),
      maxCommands: z.number(),
    }),
  ),
  lease_ended: kind(
    "a lease ended; `by` where a person ended it",
    z.object({
      why: z.string(),
      by: person.extend({ commentId: z.number() }).optional(),
      givenBy: person.extend({ commentId: z.number().optional() }),
    }),
  ),
  handover_offered: kind("an incident was offered to somebody", handover),
  handover_accepted: kind("somebody took an incident that was offered", handover),
  handover_declined: kind("somebody did not take an incident that was offered", handover),
  pillar_changed: kind(
    "what the session is about first, by `/pillar` or a label",
    z.object({
      from: z.enum(pillars),
      to: z.enum(pillars),
      by: person,
      commentId: z.number().optional(),
      label: z.string().optional(),
    }),
  ),
  investigation_asked: kind("`/investigate`", said.extend({ note: z.string(), reopened: z.boolean() })),
  agent_asked: kind("`/ask`; `suggestion` where it took one", said.extend({ suggestion: z.number().nullable() })),
  question_asked: kind(
    "the agent asked people something",
    z.object({ number: z.number(), step: z.number(), text: z.string() }),
  ),
  question_answered: kind(
    "a person answered a question of the agent",
    saidByMember.extend({ number: z.number(), answer: z.string() }),
  ),
  hypothesis_changed: kind(
    "the agent named or changed what it takes for a cause, with the runs for and against it",
    z.object({
      id: z.string(),
      step: z.number(),
      says: z.string(),
      status: z.enum(hypothesisStatuses),
      for: list(z.number()),
      against: list(z.number()),
    }),
  ),
  pull_request_changed: kind(
    "a pull request that a patch opened: opened, merged, closed, its checks or reviews changed",
    z.object({
      number: z.number(),
      url: z.string(),
      state: z.enum(["open", "merged", "closed"]),
      checks: z.object({ passed: z.number(), failed: z.number(), pending: z.number() }).nullable(),
      approved: list(z.string()),
      changesRequested: list(z.string()),
    }),
  ),
  feedback_given: kind(
    "a person judged a turn of the agent",
    said.extend({ step: z.number(), verdict: z.enum(["up", "down"]), note: z.string() }),
  ),
  prompt_changed: kind(
    "a person changed their own part 1 of the prompt",
    saidByMember.extend({ characters: z.number(), sha256: z.string() }),
  ),
  issue_verified: kind(
    "`/verify`, and what it found",
    said.extend({
      comments: z.number(),
      head: z.string().nullable(),
      findings: z.record(z.string(), z.number()),
      faults: list(z.string()),
    }),
  ),
  card_ticked: kind("somebody ticked a box of a card, which means nothing", cardChanged),
  card_tampered: kind("somebody edited or deleted a card; `numbers` are void", cardChanged, { severity: 4 }),
  card_imitated: kind(
    "somebody posted a look-alike of a card; `anew`: proposed again",
    said.extend({ action: z.string(), numbers: list(z.number()), anew: list(z.number()) }),
    { severity: 4 },
  ),
} as const;

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
