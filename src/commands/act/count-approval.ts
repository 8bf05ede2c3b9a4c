import { type Decision, decideApproval, type EarlierApproval } from "../../approval/authorize.ts";
import { needsPasskey, type PasskeyStanding } from "../../approval/passkey.ts";
import { askForPasskey, presenceOf } from "../../features/passkey/passkey.ts";
import { approvable, saidBehind } from "../../features/proposal/approvable.ts";
import { enqueueBatch } from "../../features/proposal/enqueue-batch.ts";
import type { ListPredecessor } from "../../features/proposal/list-order.ts";
import { approvalComment, approvalReason, unfitnessOf } from "../../features/run/approval-comment.ts";
import type { Links } from "../../features/thread/links.ts";
import type { Id } from "../../slash/grammar.ts";
import { type Action, type Approval, addApproval, moveAction } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Proof } from "../../store/audit/kinds/kind.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import type { ShownCard } from "../../store/outbox/thread-comments.ts";
import type { CountersignRequest } from "../../store/passkeys.ts";
import { addBatch } from "../../store/runs.ts";
import { redactText } from "../../text/bare.ts";
import { type ApprovalOutcome, countedText, passkeyText } from "../answer/approval-answer.ts";
import { elsewhere } from "../answer/elsewhere.ts";
import { type CommandRefusal, stateRefusal, unknownNumber, unseenNumber } from "../answer/refusals.ts";
import type { SeenAs } from "../answer/seen.ts";
import type { Call } from "../command.ts";
import {
  failedBefore,
  type Haste,
  hasteOf,
  leftOutOf,
  recordRefusal,
  refusalOf,
  takenBack,
  waitingOf,
} from "./confirmation.ts";

export interface Asked {
  readonly id: Id;
  readonly named: readonly Id[];
  readonly actions: readonly Action[];
  readonly approvals: readonly Approval[];
  readonly seen: ReadonlyMap<number, SeenAs>;
  readonly firstShown: ReadonlyMap<string, ShownCard>;
  readonly links: Links;
  /** What this comment has approved before, where it is served once more for a passkey. */
  readonly counted: ReadonlySet<string>;
  /** What stands before it in its list and is decided on neither yet nor here. */
  readonly waitsFor: readonly Action[];
  /** What stands before it and had not ended well when the comment was written, if anything. */
  readonly failed: ListPredecessor | undefined;
}

/** Counts the approval of one number where it counts; what became of that. */
export async function countOne(tx: Tx, call: Call, incident: Incident, asked: Asked): Promise<ApprovalOutcome> {
  const { id, named, actions, approvals, seen, firstShown, links, counted, waitsFor, failed } = asked;
  const action = actions.find((candidate) => candidate.number === id.number);
  const standing = seen.get(id.number) ?? "closed";
  const refused = (refusal: CommandRefusal): ApprovalOutcome => ({ kind: "refused", number: id.number, refusal });
  if (!action) return refused((await elsewhere(tx, incident, id)) ?? unknownNumber(id.number));
  if (standing === "closed") return refused(stateRefusal({ incident, action, links }));
  if (standing === "unseen") return refused(unseenNumber(id.number));
  const comment = approvalComment(call.event);
  const about = { digest: action.digest, personId: call.caller.id, comment };
  const isAsked = needsPasskey(approvable(action), call.repoContext.rules.policy);
  const presence = isAsked ? await presenceOf(tx, call.deps, about) : undefined;
  const earlier = approvals.filter((approval) => approval.actionId === action.id);
  // An approval counts once: whoever took it back is not overruled by another passkey of its comment.
  if (counted.has(action.id) && !earlier.some(({ commentId }) => commentId === comment.id))
    return refused(takenBack(action));
  // Its passkey may come after a failure that nobody knew of when they named it.
  if (presence?.proved && failed?.is === "failed") return refused(failedBefore(call, action, failed.number));
  const decision = decide(call, action, id, {
    amongOthers: named.length > 1 || call.slash.ids === "all",
    earlier,
    presence,
    haste: await hasteOf(tx, call, action, firstShown.get(action.id)?.createdAt),
  });
  if (decision.kind === "refuse" && decision.code === "not-alone") return refused(leftOutOf(call, action));
  if (decision.kind === "refuse") {
    await recordRefusal(tx, call, action, decision);
    const other = decision.code === "digest-mismatch" ? await elsewhere(tx, incident, id) : undefined;
    return refused(other ?? refusalOf(call, incident, action, decision));
  }
  // One of several approvals sets nothing going, so it may come before its turn; the last one may not.
  if (decision.kind !== "counted" && decision.have >= decision.need && waitsFor.length > 0)
    return refused(waitingOf(call, action, { waitsFor, named }));
  if (decision.kind === "prove") return askFor(tx, call, action, about);
  if (standing === "revived") await moveAction(tx, action, { from: "superseded", to: "proposed" });
  await record(tx, call, action, { have: decision.have, need: decision.need, proof: presence?.proof });
  if (decision.kind === "complete") return { kind: "ready", action, isProved: presence?.proved };
  return { kind: "counted", text: countedText(call, action, earlier, decision) };
}

/** Asks for the passkey behind an approval; it counts when its comment is served again, with the proof in the store (PK-01). */
async function askFor(tx: Tx, call: Call, action: Action, about: CountersignRequest): Promise<ApprovalOutcome> {
  const { deps, caller, event } = call;
  const it = `**${action.number}**`;
  // What is kept of the comment until then is kept without secrets, and would not be this comment.
  if (redactText(deps.redact, event.comment.body) !== event.comment.body) {
    const refusal = {
      what: `${it} is not approved: your comment reads as if it held a secret`,
      next: "Write it without.",
    };
    return { kind: "refused", number: action.number, refusal };
  }
  const link = await askForPasskey(tx, deps, { ...about, login: caller.login, about: { actionId: action.id } });
  return { kind: "asked", text: passkeyText(deps, `${it} is not approved yet`, link) };
}

export function decide(
  call: Call,
  action: Action,
  id: Id,
  given: {
    readonly amongOthers: boolean;
    readonly earlier: readonly EarlierApproval[];
    readonly haste: Haste;
    readonly presence?: PasskeyStanding | undefined;
  },
): Decision {
  const { repoContext, caller, slash, deps } = call;
  const { policy } = repoContext.rules;
  const subject = approvable(action);
  const now = deps.now().getTime();
  return decideApproval({
    policy,
    roster: policy.approvers,
    standing: { person: caller, type: caller.type, role: caller.role, teams: caller.teams, viaApp: caller.viaApp },
    // What the person saw superseded since counts as it stood then (PA-6); the caller revives it.
    action: {
      ...subject,
      state: action.spec.open === undefined ? "proposed" : "incomplete",
      createdAt: now - given.haste.readForMs,
    },
    earlier: given.earlier,
    slash: {
      alone: !given.amongOthers,
      pinnedDigest: id.pin,
      ...saidBehind(slash, subject),
      unfit: unfitnessOf(call),
      confirmed: given.haste.confirmed,
    },
    recentHigh: given.haste.recentHigh,
    presence: given.presence,
    now,
  });
}

export async function record(
  tx: Tx,
  call: Call,
  action: Action,
  progress: { readonly have: number; readonly need: number; readonly proof?: Proof | undefined },
) {
  const { caller, event } = call;
  const reason = approvalReason(call);
  const comment = approvalComment(event);
  await addApproval(tx, action, { verdict: "approve", person: caller, role: caller.role, comment, reason });
  call.deps.log.info({
    module: "commands",
    event: "command_approved",
    incidentId: action.incidentId,
    number: action.number,
    risk: action.spec.risk,
    have: progress.have,
    need: progress.need,
    passkey: progress.proof !== undefined,
  });
  await appendAudit(tx, {
    kind: "command_approved",
    incidentId: action.incidentId,
    body: {
      number: action.number,
      digest: action.digest,
      by: { id: caller.id, login: caller.login, role: caller.role, teams: caller.teams },
      comment: { ...comment, writtenAt: event.comment.createdAt.toISOString() },
      reason,
      ...progress,
    },
  });
}

/** The actions that are complete become one batch, which runs when this commits. */
export async function setGoing(
  tx: Tx,
  call: Call,
  incident: Incident,
  { ready, softTimeoutMs }: { readonly ready: readonly Action[]; readonly softTimeoutMs: number | undefined },
): Promise<string> {
  for (const action of ready) await moveAction(tx, action, { from: "proposed", to: "approved" });
  const batch = await addBatch(tx, {
    incidentId: incident.id,
    commentId: call.event.comment.id,
    person: call.caller,
    numbers: ready.map((action) => action.number),
    keepGoing: call.slash.flags.has("--keep-going"),
    softTimeoutMs,
  });
  await enqueueBatch(tx, call.deps, incident, batch);
  return batch.id;
}
