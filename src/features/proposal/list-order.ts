import { isUndecided } from "../../base/action.ts";
import { stopsRest } from "../../base/run.ts";
import { type Action, type Approval, approvalsOfAction } from "../../store/actions.ts";
import type { Tx } from "../../store/database/open.ts";
import type { RowsWith } from "../../store/incident-rows.ts";
import type { Incident } from "../../store/incidents.ts";
import type { Batch, Run } from "../../store/runs.ts";
import type { Deps, RepoContext } from "../context.ts";
import { isLiveAction } from "./same-action.ts";

export interface ListPredecessor {
  readonly number: number;
  /** `open`: awaits a decision or values. `going`: approved, not ended. `failed`: ended badly. */
  readonly is: "open" | "going" | "failed";
}

export interface ListRows {
  readonly actions: readonly Action[];
  readonly runs: readonly Pick<Run, "actionId" | "ending" | "outcome" | "endedAt">[];
  /** Still decidable, or not ended. */
  readonly isUnderWay: (action: Action) => boolean;
}

export const inListOrder = (
  deps: Pick<Deps, "now">,
  repoContext: Pick<RepoContext, "rules">,
  { actions, runs }: Pick<ListRows, "actions" | "runs">,
): ListRows => ({ actions, runs, isUnderWay: (action) => isLiveAction(deps, repoContext, action) });

/**
 * What stands before an action on its card and has not ended well, been rejected or lapsed. Reads keep nothing waiting. A person's `/edit`
 * takes the old action's place.
 */
export function standBefore(action: Action, { actions, runs, isUnderWay }: ListRows): readonly ListPredecessor[] {
  // A repeated check goes where its change goes.
  const at = action.spec.guards ?? action.number;
  return actions
    .filter(({ card, number }) => card === action.card && number < at)
    .map((one) => inPlaceOf(one, actions))
    .flatMap((one): readonly ListPredecessor[] => {
      const { number, spec } = one;
      if (spec.risk === "low" || number === action.number) return [];
      if (isUnderWay(one)) return [{ number, is: isUndecided(one) ? "open" : "going" }];
      return hasFailed(one, runs) ? [{ number, is: "failed" }] : [];
    });
}

/** Whether it ended so that what follows must not run. */
export const hasFailed = ({ id, state, spec }: Action, runs: ListRows["runs"]): boolean =>
  state === "done" && runs.some((run) => run.actionId === id && stopsRest(spec.risk, run));

function inPlaceOf(action: Action, actions: readonly Action[]): Action {
  const by = actions.find(({ number }) => number === action.supersededBy);
  return action.state === "superseded" && by?.origin === "person" ? inPlaceOf(by, actions) : action;
}

/**
 * What forbids sending an approved action now. A failure counts only against earlier approvals: later approvers know of it, as do those who
 * said `--keep-going` of both.
 */
export function outOfOrder(
  action: Action,
  rows: ListRows,
  given: {
    readonly approvals: readonly Pick<Approval, "createdAt">[];
    readonly batch: Pick<Batch, "numbers" | "keepGoing">;
  },
): ListPredecessor | undefined {
  const { approvals, batch } = given;
  const isKnown = ({ number }: ListPredecessor): boolean => {
    if (batch.keepGoing && batch.numbers.includes(number)) return true;
    const failed = rows.actions.find((one) => one.number === number);
    const ends = rows.runs.flatMap(({ actionId, endedAt }) => (actionId === failed?.id && endedAt ? [endedAt] : []));
    return approvals.every(({ createdAt }) => ends.every((end) => end <= createdAt));
  };
  return standBefore(action, rows).find((one) => one.is !== "failed" || !isKnown(one));
}

/** Undecided predecessors that do not go first anyway. */
export const openBefore = (
  action: Action,
  rows: ListRows,
  going: readonly Pick<Action, "number">[],
): readonly Action[] =>
  standBefore(action, rows).flatMap(({ number, is }) =>
    is === "open" && !going.some((one) => one.number === number)
      ? rows.actions.filter((one) => one.number === number)
      : [],
  );

/** What keeps a batch's approved action waiting; undefined if it may run. */
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

/** Enqueues a batch. An incident's batches run one after another. */
export async function enqueueBatch(
  tx: Tx,
  deps: Pick<Deps, "store">,
  { id, repoId }: Pick<Incident, "id" | "repoId">,
  batch: Pick<Batch, "id">,
  when: { readonly afterMs?: number } = {},
): Promise<void> {
  const share = String(repoId);
  await deps.store.queue.enqueue(tx, "execute", id, { batchId: batch.id }, { share, ...when });
}
