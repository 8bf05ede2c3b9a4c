import { reached } from "../../base/crash-point.ts";
import { mayRun } from "../../features/incident/hold.ts";
import { asListed, openBefore } from "../../features/proposal/list-order.ts";
import { listRowsOf } from "../../features/proposal/order-now.ts";
import { saidIn } from "../../features/run/approval-comment.ts";
import { answer } from "../../features/thread/answer.ts";
import { linksOf } from "../../features/thread/links.ts";
import { show } from "../../features/thread/show.ts";
import type { Id } from "../../slash/grammar.ts";
import { verbs } from "../../slash/verbs.ts";
import { type Action, actionsOf, approvalsOf } from "../../store/actions.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import { firstShownOf } from "../../store/outbox/first-shown.ts";
import { inSpan } from "../../telemetry/trace.ts";
import { type ApprovalOutcome, approvalAnswer } from "../answer/approval-answer.ts";
import { fromBefore, missingNumber, nothingRun, openOnes, stoppedAnswer } from "../answer/refusals.ts";
import { asSeen, type SeenAs } from "../answer/seen.ts";
import type { Call, Command } from "../command.ts";
import { readTime } from "../reading/time-limit.ts";
import { countOne, setGoing } from "./count-approval.ts";

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
      let batchId: string | undefined;
      await call.commit(async (tx, incident) => {
        batchId = await countersign(tx, call, incident);
      });
      reached("CP08");
      if (batchId !== undefined) call.deps.factsCache.put(batchId, call.facts);
    }),
};

/** Does it all in the command's transaction; the id of the batch where something is ready to run. */
async function countersign(tx: Tx, call: Call, incident: Incident): Promise<string | undefined> {
  const { deps, slash, caller } = call;
  const actions = await actionsOf(tx, incident.id);
  const mistake = (body: string) => answer(tx, call, incident, { outcome: "mistake", body });
  if (!deps.config.execution.enabled) {
    await mistake(nothingRun("This bot only proposes here (`execution.enabled: false`): ask its operator."));
    return undefined;
  }
  const may = await mayRun(deps, tx, incident, [saidIn(call.event)]);
  if (may.kind !== "yes") {
    await mistake(may.kind === "stopped" ? stoppedAnswer(may) : nothingRun(fromBefore));
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
  const links = await linksOf(tx, deps, incident, actions);
  const listed = await listRowsOf(tx, deps, call.repoContext, incident.id);
  // What they saw open and its successor has superseded since kept waiting what stood behind it.
  const asTheySaw = (action: Action): Action =>
    seen.get(action.number) === "revived" ? { ...action, state: "proposed" } : action;
  const rows = { ...listed, actions: listed.actions.map(asTheySaw) };
  const inOrder = asListed(named, rows);
  const outcomes: ApprovalOutcome[] = [];
  const readyNow = () => outcomes.flatMap((one): readonly Action[] => (one.kind === "ready" ? [one.action] : []));
  for (const id of inOrder) {
    const found = actions.find(({ number }) => number === id.number);
    const waitsFor = found ? openBefore(found, rows, readyNow()) : [];
    const asked = { id, named, actions, approvals, seen, firstShown, links, waitsFor };
    const outcome = await countOne(tx, call, incident, asked);
    outcomes.push(outcome);
    if (outcome.kind !== "ready") continue;
    // Its check goes with it, unless policy asks more of that than this comment says: then it stays open.
    const own = actions.filter(
      ({ spec, number }) => spec.checks === id.number && !named.some((one) => one.number === number),
    );
    for (const { number } of own) {
      const check = await countOne(tx, call, incident, { ...asked, id: { number }, waitsFor: [] });
      if (check.kind === "ready") outcomes.push(check);
    }
  }
  const ready = readyNow();
  const batch = ready.length > 0 ? await setGoing(tx, call, incident, { ready, softTimeoutMs: soft?.ms }) : undefined;
  // A batch draws everything as it begins, a moment later: drawing twice would only keep the command waiting.
  if (!batch) await show(tx, deps, incident);
  const isCounted = outcomes.some(({ kind }) => kind === "counted");
  const outcome = batch ? "seen" : isCounted ? "done" : "mistake";
  const asTyped = named.flatMap(({ number }) => ready.find((one) => one.number === number) ?? []);
  const isMoved = ready.filter((action) => asTyped.includes(action)).some((action, at) => asTyped[at] !== action);
  await answer(tx, call, incident, { outcome, body: approvalAnswer(outcomes, actions, isMoved) });
  deps.log.info({
    module: "commands",
    event: "approve",
    incidentId: incident.id,
    by: caller.login,
    ready: ready.map((a) => a.number),
  });
  return batch;
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
