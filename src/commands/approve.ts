import { reached } from "../crash-point.ts";
import { enqueueBatch } from "../jobs/enqueue-batch.ts";
import { isFromBefore, standingOf } from "../jobs/hold.ts";
import { show } from "../jobs/show.ts";
import { type Decision, decideApproval, type EarlierApproval, effectiveRisk, isRestated } from "../policy/authorize.ts";
import { type Action, type Approval, actionsOf, addApproval, approvalsOf, moveAction } from "../store/actions.ts";
import { appendAudit } from "../store/audit.ts";
import type { Tx } from "../store/database.ts";
import { firstShownOf, type Shown } from "../store/first-shown.ts";
import type { Incident } from "../store/incidents.ts";
import { addBatch } from "../store/runs.ts";
import { inSpan } from "../trace.ts";
import { answer } from "./answer.ts";
import { approvable } from "./approvable.ts";
import { approvalAnswer, countedText, type Outcome } from "./approval-answer.ts";
import { approvalComment, reasonOf, unfitnessOf } from "./approval-comment.ts";
import type { Call, Command } from "./command.ts";
import { type Haste, hasteOf, leftOutOf, recordRefusal, refusalOf } from "./confirmation.ts";
import { elsewhere } from "./elsewhere.ts";
import { type Id, noteOf, type SlashCommand } from "./grammar.ts";
import { type Links, linksOf } from "./links.ts";
import {
  fromBefore,
  missingNumber,
  nothingRun,
  openOnes,
  type Refusal,
  stateRefusal,
  stoppedAnswer,
  unknownNumber,
  unseenNumber,
} from "./refusals.ts";
import { asSeen, type SeenAs } from "./seen.ts";
import { readTime } from "./time-limit.ts";

/** The countersignature (DC-4): binds one person to the digest of each action named; complete ones run, in order. */
export const approve: Command = {
  verb: "approve",
  usage: "/approve 1 2",
  summary: "countersigns proposed commands; they run in this order and stop at the first failure",
  examples: ["/approve 1 2", "/approve all --keep-going --timeout 10m", "/approve 4 web-1 the log volume is full"],
  may: "approve",
  readsCards: true,
  flags: { "--keep-going": {}, "--timeout": { example: "10m" } },
  line: "strict",
  takesSeveral: true,
  run: (call) =>
    inSpan("approval", { incidentId: call.incident.id }, async () => {
      let batchId: string | undefined;
      await call.commit(async (tx, incident) => {
        batchId = await countersign(tx, call, incident);
      });
      reached("CP08");
      if (batchId !== undefined) call.world.handoff.put(batchId, call.facts);
    }),
};

/** Does it all in the command's transaction; the id of the batch where something is ready to run. */
async function countersign(tx: Tx, call: Call, incident: Incident): Promise<string | undefined> {
  const { world, slash, caller } = call;
  const actions = await actionsOf(tx, incident.id);
  const mistake = (body: string) => answer(tx, call, incident, { outcome: "mistake", body });
  if (!world.config.execution.enabled) {
    await mistake(nothingRun("This bot only proposes here (`execution.enabled: false`): ask its operator."));
    return undefined;
  }
  const standing = await standingOf(world, tx, incident);
  if (standing.kind === "stopped") {
    await mistake(stoppedAnswer(standing));
    return undefined;
  }
  if (isFromBefore(standing, call.event.comment)) {
    await mistake(nothingRun(fromBefore));
    return undefined;
  }
  const firstShown = await firstShownOf(tx, incident);
  const seen = asSeen(actions, firstShown, call.event.comment);
  const named = idsOf(slash.ids, actions, seen);
  if (named.length === 0) {
    await mistake(nothingRun(slash.ids === "all" ? openOnes(actions) : missingNumber("approve", actions)));
    return undefined;
  }
  const timeout = slash.flags.get("--timeout");
  const asked = actions.filter(({ number }) => named.some((id) => id.number === number));
  const soft = timeout === undefined ? undefined : readTime(timeout, asked);
  if (soft && "mistake" in soft) {
    await mistake(nothingRun(`\`--timeout\`: ${soft.mistake}`));
    return undefined;
  }
  const approvals = await approvalsOf(tx, incident.id);
  const links = await linksOf(tx, world, incident, actions);
  const outcomes: Outcome[] = [];
  for (const id of named)
    outcomes.push(await countOne(tx, call, incident, { id, named, actions, approvals, seen, firstShown, links }));
  const ready = outcomes.flatMap((one): readonly Action[] => (one.kind === "ready" ? [one.action] : []));
  const batch = ready.length > 0 ? await setGoing(tx, call, incident, { ready, softTimeoutMs: soft?.ms }) : undefined;
  // A batch draws everything as it begins, a moment later: drawing twice would only keep the command waiting.
  if (!batch) await show(tx, world, call.ground, { incident });
  const isCounted = outcomes.some(({ kind }) => kind === "counted");
  const outcome = batch ? "seen" : isCounted ? "done" : "mistake";
  await answer(tx, call, incident, { outcome, body: approvalAnswer(outcomes, actions) });
  world.log.info({
    module: "commands",
    event: "approve",
    incidentId: incident.id,
    by: caller.login,
    ready: ready.map((a) => a.number),
  });
  return batch;
}

interface Asked {
  readonly id: Id;
  readonly named: readonly Id[];
  readonly actions: readonly Action[];
  readonly approvals: readonly Approval[];
  readonly seen: ReadonlyMap<number, SeenAs>;
  readonly firstShown: ReadonlyMap<string, Shown>;
  readonly links: Links;
}

/** Counts the approval of one number where it counts; what became of that. */
async function countOne(tx: Tx, call: Call, incident: Incident, asked: Asked): Promise<Outcome> {
  const { id, named, actions, approvals, seen, firstShown, links } = asked;
  const action = actions.find((candidate) => candidate.number === id.number);
  const standing = seen.get(id.number) ?? "closed";
  const refused = (refusal: Refusal): Outcome => ({ kind: "refused", number: id.number, refusal });
  if (!action) return refused((await elsewhere(tx, incident, id)) ?? unknownNumber(id.number));
  if (standing === "closed") return refused(stateRefusal({ incident, action, links }));
  if (standing === "unseen") return refused(unseenNumber(id.number));
  const earlier = approvals.filter((approval) => approval.actionId === action.id);
  const decision = decide(call, action, id, {
    amongOthers: named.length > 1 || call.slash.ids === "all",
    earlier,
    haste: await hasteOf(tx, call, action, firstShown.get(action.id)?.createdAt),
  });
  if (decision.kind === "left-out") return refused(leftOutOf(call, action));
  if (decision.kind === "refuse") {
    await recordRefusal(tx, call, action, decision);
    const other = decision.code === "digest-mismatch" ? await elsewhere(tx, incident, id) : undefined;
    return refused(other ?? refusalOf(call, incident, action, decision));
  }
  if (standing === "revived") await moveAction(tx, action, { from: "superseded", to: "proposed" });
  await record(tx, call, action, decision);
  if (decision.kind === "complete") return { kind: "ready", action };
  return { kind: "counted", text: countedText(call, action, earlier, decision) };
}

/** `all` means those that the person saw open; one of high risk among them is left out, and told so. */
function idsOf(
  ids: readonly Id[] | "all",
  actions: readonly Action[],
  seen: ReadonlyMap<number, SeenAs>,
): readonly Id[] {
  if (ids !== "all") return ids.filter((id, index) => ids.findIndex((other) => other.number === id.number) === index);
  return actions
    .filter(({ number }) => seen.get(number) === "open" || seen.get(number) === "revived")
    .map(({ number }) => ({ number }));
}

function decide(
  call: Call,
  action: Action,
  id: Id,
  given: { readonly amongOthers: boolean; readonly earlier: readonly EarlierApproval[]; readonly haste: Haste },
): Decision | { readonly kind: "left-out" } {
  const { ground, caller, slash, world } = call;
  const { policy } = ground.rules;
  const subject = approvable(action);
  const risk = effectiveRisk(subject.risk, subject.servers.length, policy.manyServers);
  if (risk === "high" && given.amongOthers) return { kind: "left-out" };
  const restated = restatedIn(slash);
  const names = isRestated(restated, subject);
  const now = world.now().getTime();
  return decideApproval({
    policy,
    roster: policy.approvers,
    standing: { person: caller, type: caller.type, role: caller.role, teams: caller.teams, viaApp: caller.viaApp },
    // What the person saw superseded since counts as it stood then (PA-6); the caller revives it.
    action: { ...subject, state: "proposed", createdAt: now - given.haste.readForMs },
    earlier: given.earlier,
    slash: {
      note: noteOf(slash, names ? 1 : 0),
      pinnedDigest: id.pin,
      restated: names ? restated : undefined,
      unfit: unfitnessOf(call),
      confirmed: given.haste.confirmed,
    },
    recentHigh: given.haste.recentHigh,
    now,
  });
}

/** What stands where the server is to be named again: `web-1:`, `` `web-1` `` and `web-1,web-2` mean what they say. */
export const restatedIn = ({ words }: Pick<SlashCommand, "words">): string | undefined =>
  words[0]
    ?.replace(/[`:]/g, "")
    .split(",")
    .filter((name) => name !== "")
    .join(", ");

async function record(tx: Tx, call: Call, action: Action, progress: { readonly have: number; readonly need: number }) {
  const { caller, event } = call;
  const reason = reasonOf(call);
  const comment = approvalComment(event);
  await addApproval(tx, action, { verdict: "approve", person: caller, role: caller.role, comment, reason });
  call.world.log.info({
    module: "commands",
    event: "command_approved",
    incidentId: action.incidentId,
    number: action.number,
    risk: action.spec.risk,
    ...progress,
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
async function setGoing(
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
  await enqueueBatch(tx, call.world, incident, batch);
  return batch.id;
}
