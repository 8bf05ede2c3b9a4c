import * as z from "zod";
import { risks } from "../../../base/risk.ts";
import type { Ending, Outcome } from "../../../base/run.ts";
import type { Target } from "../../actions.ts";
import { kind, list, member, ofCommand, person, proof, sourceComment } from "./kind.ts";

const isRecord = (value: unknown): boolean => typeof value === "object" && value !== null;
const targets = list(z.custom<Target>(isRecord));
export const ended = z.object({
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
export const sent = z.object({
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
    "an approval counted; `have` of the `need` that it takes",
    ofCommand.extend({
      via: z.literal("lease").optional(),
      by: member,
      comment: sourceComment,
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
