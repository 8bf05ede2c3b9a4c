import { type Action, moveAction, withdrawApprovals } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";

/**
 * Takes approvals back: the actions that had any are open again without them, and only a fresh one lets them run. Returns their
 * numbers. The caller holds the incident's lock.
 */
export async function reopen(tx: Tx, actions: readonly Action[], reason: string): Promise<readonly number[]> {
  const reopened: number[] = [];
  for (const action of actions) {
    if (action.state === "approved" && !(await moveAction(tx, action, { from: "approved", to: "proposed", reason })))
      continue;
    const withdrawn = await withdrawApprovals(tx, { actionIds: [action.id] });
    if (action.state !== "approved" && withdrawn.length === 0) continue;
    await appendAudit(tx, {
      kind: "approval_withdrawn",
      incidentId: action.incidentId,
      body: { number: action.number, digest: action.digest, reason },
    });
    reopened.push(action.number);
  }
  return reopened;
}
