import { mayRun } from "../../features/incident/hold.ts";
import { openBefore } from "../../features/proposal/list-order.ts";
import { inListOrder } from "../../features/proposal/order-now.ts";
import { isOwnWord, saidIn } from "../../features/run/approval-comment.ts";
import type { Action } from "../../store/actions.ts";
import type { Tx } from "../../store/database/open.ts";
import { partsOf } from "../../store/incident-rows.ts";
import type { Incident } from "../../store/incidents.ts";
import type { Call } from "../command.ts";
import { decide, record, setGoing } from "./count-approval.ts";

/**
 * Counts an approver's own `/run` or `/retry` as the approval of what it proposes, where that only reads and policy wants no more
 * than this comment says (DC-4). What that makes complete runs when this commits; the batch's id. Else it waits as any other does.
 */
export async function sendOwn(
  tx: Tx,
  call: Call,
  incident: Incident,
  actions: readonly Action[],
): Promise<string | undefined> {
  const { deps, repoContext, rights, slash, event } = call;
  if (!rights.approve || !deps.config.execution.enabled) return undefined;
  if ((await mayRun(deps, tx, incident, [saidIn(event)])).kind !== "yes") return undefined;
  const rows = inListOrder(deps, repoContext, await partsOf(tx, incident.id, "actions", "runs"));
  const ready: Action[] = [];
  for (const action of actions) {
    if (action.state !== "proposed" || !isOwnWord(slash, action) || openBefore(action, rows, ready).length > 0)
      continue;
    const haste = { readForMs: 0, recentHigh: 0, confirmed: false };
    const decision = decide(call, action, { number: action.number }, { amongOthers: false, earlier: [], haste });
    if (decision.kind !== "complete") continue;
    await record(tx, call, action, decision);
    ready.push(action);
  }
  return ready.length > 0 ? setGoing(tx, call, incident, { ready, softTimeoutMs: undefined }) : undefined;
}

/** Commits a command that may set a batch going, and hands what was read of GitHub on to it. */
export async function commitAndHandOn(
  call: Call,
  work: (tx: Tx, incident: Incident) => Promise<string | undefined>,
): Promise<void> {
  const batchId = await call.commit(work);
  if (batchId !== undefined) call.deps.factsCache.put(batchId, call.facts);
}
