import * as z from "zod";
import { pillars } from "../../incidents.ts";
import { kind, list, member, onIssue, person, sourceComment } from "./kind.ts";

const said = z.object({ by: person, commentId: z.number() });
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
  incident_held: kind("`/hold`", held),
  repository_held: kind("`/hold all`", held),
  incident_resumed: kind("`/resume`: a hold lifted, or more steps granted", resumed),
  repository_resumed: kind("`/resume all`", resumed),
  lease_given: kind(
    "a lease was given, `/lease` or `/auto on`: on which servers, until when, for how many commands",
    z.object({
      by: member,
      comment: sourceComment,
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
      givenBy: person.extend({ commentId: z.number() }),
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
