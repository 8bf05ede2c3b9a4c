import { isUndecided } from "../../base/action.ts";
import { reached } from "../../base/crash-point.ts";
import { mayRunOn, standingIn } from "../../features/incident/hold.ts";
import { asListed, inListOrder, openBefore, outOfOrder } from "../../features/proposal/list-order.ts";
import { saidIn } from "../../features/run/approval-comment.ts";
import { answer } from "../../features/thread/answer.ts";
import { linksOf } from "../../features/thread/links.ts";
import { show } from "../../features/thread/show.ts";
import type { Id } from "../../slash/grammar.ts";
import { verbs } from "../../slash/verbs.ts";
import { type Action, approvedByComment } from "../../store/actions.ts";
import type { Tx } from "../../store/database/open.ts";
import { partsOf, type RowsWith } from "../../store/incident-rows.ts";
import type { Incident } from "../../store/incidents.ts";
import { firstShownOf } from "../../store/outbox/thread-comments.ts";
import { inSpan } from "../../telemetry/trace.ts";
import { type ApprovalOutcome, approvalAnswer } from "../answer/approval-answer.ts";
import { fromBefore, missingNumber, nothingRun, openOnes, stoppedAnswer } from "../answer/refusals.ts";
import { asSeen, type SeenAs } from "../answer/seen.ts";
import type { Call, Command } from "../command.ts";
import { readTime } from "../reading/time-limit.ts";
import { type Asked, countOne, setGoing } from "./count-approval.ts";
import { commitAndHandOn } from "./send-own.ts";

/** The countersignature (DC-4): binds one person to the digest of each action named; complete ones run, in order. */
export const approve: Command = {
  ...verbs.approve,
  summary: "countersigns proposed commands; they run in order and stop at the first failure",
  examples: ["/approve 1 2", "/approve all --keep-going --timeout 10m", "/approve 4 web-1 the log volume is full"],
  may: "approve",
  readsCards: true,
  flags: { "--keep-going": {}, "--timeout": { example: "10m" } },
  line: "strict",
  takesSeveral: true,
  run: (call) =>
    inSpan("approval", { incidentId: call.incident.id }, async () => {
      await commitAndHandOn(call, (tx, incident) => countersign(tx, call, incident));
      reached("CP08");
    }),
};

/** What an approval is counted by. */
const neededParts = ["actions", "approvals", "runs", "batches", "posted", "halts", "holds"] as const;
type NeededRows = RowsWith<(typeof neededParts)[number]>;

/** Does it all in the command's transaction; the id of the batch where something is ready to run. */
async function countersign(tx: Tx, call: Call, incident: Incident): Promise<string | undefined> {
  const { deps, caller } = call;
  const rows = await partsOf(tx, incident.id, ...neededParts);
  const { actions } = rows;
  const asked = await readApproval(call, rows);
  if ("mistake" in asked) {
    await answer(tx, call, incident, { outcome: "mistake", body: asked.mistake });
    return undefined;
  }
  const { named, softTimeoutMs } = asked;
  const outcomes = await countAll(tx, call, rows, asked);
  const ready = readyIn(outcomes);
  const batch = ready.length > 0 ? await setGoing(tx, call, incident, { ready, softTimeoutMs }) : undefined;
  const isCounted = outcomes.some(({ kind }) => kind === "counted");
  const isAsked = outcomes.some(({ kind }) => kind === "asked");
  const outcome = batch || (isAsked && !isCounted) ? "seen" : isCounted ? "done" : "mistake";
  const asTyped = named.flatMap(({ number }) => ready.find((one) => one.number === number) ?? []);
  const isMoved = ready.filter((action) => asTyped.includes(action)).some((action, at) => asTyped[at] !== action);
  await answer(tx, call, incident, { outcome, body: approvalAnswer(outcomes, actions, isMoved) });
  // The answer stands before the run.
  await show(tx, deps, incident);
  deps.log.info({
    module: "commands",
    event: "approve",
    incidentId: incident.id,
    by: caller.login,
    ready: ready.map((a) => a.number),
  });
  return batch;
}

/** What a comment asks to approve. */
interface Approving extends Pick<Asked, "actions" | "named" | "seen" | "firstShown"> {
  readonly softTimeoutMs: number | undefined;
}

/** What the comment asks for, or why it can be none of it. */
async function readApproval(call: Call, rows: NeededRows): Promise<Approving | { readonly mistake: string }> {
  const { deps, slash } = call;
  if (!deps.config.execution.enabled)
    return { mistake: nothingRun("This bot only proposes here (`execution.enabled: false`): ask its operator.") };
  const may = mayRunOn(await standingIn(deps, rows.incident, rows), [saidIn(call.event)]);
  if (may.kind !== "yes") return { mistake: may.kind === "stopped" ? stoppedAnswer(may) : nothingRun(fromBefore) };
  const { actions } = rows;
  const firstShown = firstShownOf(rows);
  const seen = asSeen(actions, firstShown, call.event.comment);
  const named = idsOf(slash.ids, actions, seen);
  if (named.length === 0)
    return { mistake: nothingRun(slash.ids === "all" ? openOnes(actions) : missingNumber("approve", actions)) };
  const timeout = slash.flags.get("--timeout");
  const asked = actions.filter(({ number }) => named.some((id) => id.number === number));
  const soft = timeout === undefined ? undefined : readTime(timeout, asked);
  if (soft && "mistake" in soft) return { mistake: nothingRun(`\`--timeout\`: ${soft.mistake}`) };
  return { actions, named, seen, firstShown, softTimeoutMs: soft?.ms };
}

/** Counts each number that is named, in the order of the list, and with it the check that goes with it. */
async function countAll(
  tx: Tx,
  call: Call,
  given: NeededRows,
  { actions, named, seen, firstShown }: Approving,
): Promise<readonly ApprovalOutcome[]> {
  const { incident, approvals } = given;
  const links = linksOf(call.deps, given);
  const listed = inListOrder(call.deps, call.repoContext, given);
  // What they saw open and its successor has superseded since kept waiting what stood behind it.
  const asTheySaw = (action: Action): Action =>
    seen.get(action.number) === "revived" ? { ...action, state: "proposed" } : action;
  const rows = { ...listed, actions: listed.actions.map(asTheySaw) };
  const counted = await approvedByComment(tx, { incidentId: incident.id, commentId: call.event.comment.id });
  const said = {
    approvals: [{ createdAt: call.event.comment.createdAt }],
    batch: { numbers: named.map(({ number }) => number), keepGoing: call.slash.flags.has("--keep-going") },
  };
  const outcomes: ApprovalOutcome[] = [];
  /** What this comment names before, on any card. */
  const passed: Action[] = [];
  for (const id of asListed(named, rows)) {
    const found = actions.find(({ number }) => number === id.number);
    // Its own run card tells what became of it.
    if (found && counted.has(found.id) && seen.get(id.number) === "closed") continue;
    const ready = readyIn(outcomes);
    const waitsFor = found ? [...new Set([...openBefore(found, rows, ready), ...leftBehind(passed, ready)])] : [];
    const failed = found && outOfOrder(found, rows, said);
    const asked = { id, named, actions, approvals, seen, firstShown, links, counted, waitsFor, failed };
    const outcome = await countOne(tx, call, incident, asked);
    // Each passkey is asked for at once: whose page is still open keeps no other page back.
    if (found && outcome.kind !== "asked" && call.slash.ids !== "all" && !said.batch.keepGoing) passed.push(found);
    outcomes.push(outcome);
    if (outcome.kind !== "ready") continue;
    // Its check goes with it, unless policy asks more of that than this comment says: then it stays open.
    const own = actions.filter(
      ({ spec, number }) => spec.checks === id.number && !named.some((one) => one.number === number),
    );
    for (const { number } of own) {
      const check = await countOne(tx, call, incident, { ...asked, id: { number }, waitsFor: [], failed: undefined });
      if (check.kind === "ready") outcomes.push(check);
    }
  }
  return outcomes;
}

/** Of what a comment names first that which it does not set going, although it changes something and was not turned down. */
const leftBehind = (passed: readonly Action[], ready: readonly Action[]): readonly Action[] =>
  passed.filter((one) => one.spec.risk !== "low" && isUnsettled(one) && !ready.includes(one));

const isUnsettled = ({ state }: Action): boolean =>
  isUndecided({ state }) || ["void", "expired", "superseded"].includes(state);

const readyIn = (outcomes: readonly ApprovalOutcome[]): readonly Action[] =>
  outcomes.flatMap((one) => (one.kind === "ready" ? [one.action] : []));

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
