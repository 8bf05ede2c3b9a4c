import { isUndecided } from "../../base/action.ts";
import { type Action, approvalsOfAction } from "../../store/actions.ts";
import type { RowsWith } from "../../store/incident-rows.ts";
import type { Batch } from "../../store/runs.ts";
import type { Deps, RepoContext } from "../context.ts";
import { type ListPredecessor, type ListRows, openBefore, outOfOrder } from "./list-order.ts";
import { isLiveAction } from "./same-action.ts";

/** The rows that the order of an incident's lists is in, of rows that are read already. */
export const inListOrder = (
  deps: Pick<Deps, "now">,
  repoContext: Pick<RepoContext, "rules">,
  { actions, runs }: Pick<ListRows, "actions" | "runs">,
): ListRows => ({ actions, runs, isUnderWay: (action) => isLiveAction(deps, repoContext, action) });

/** What keeps an approved action of a batch waiting as of these rows; nothing where its turn has come. */
export const orderOf = (
  deps: Pick<Deps, "now">,
  repoContext: Pick<RepoContext, "rules">,
  rows: RowsWith<"actions" | "approvals" | "runs">,
  { action, batch }: { readonly action: Action; readonly batch: Batch },
): ListPredecessor | undefined =>
  outOfOrder(action, inListOrder(deps, repoContext, rows), {
    approvals: approvalsOfAction(rows.approvals, action),
    batch,
  });

/**
 * Returns whether an approval of this number would be taken now. What can be approved in one comment with what stands before it
 * counts, and so does what waits for values, for which nobody else is called; the check of a change is decided on with the change.
 */
export function isDecidable(number: number, rows: ListRows): boolean {
  const { actions } = rows;
  const action = actions.find((one) => one.number === number);
  if (!action || actions.some((one) => one.number === action.spec.checks && isUndecided(one))) return false;
  const isAlone = ({ spec }: Action): boolean => spec.risk === "high";
  const together = actions.filter((one) => one.state === "incomplete" || !(isAlone(action) || isAlone(one)));
  return openBefore(action, rows, together).length === 0;
}
