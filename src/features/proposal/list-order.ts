import { isUndecided } from "../../base/action.ts";
import { stopsRest } from "../../base/run.ts";
import { type Action, type Approval, approvalsOfAction } from "../../store/actions.ts";
import type { RowsWith } from "../../store/incident-rows.ts";
import type { Batch, Run } from "../../store/runs.ts";
import type { Deps, RepoContext } from "../context.ts";
import { isLiveAction } from "./same-action.ts";

/** Something that stands before an action in its list and keeps it waiting. */
export interface ListPredecessor {
  readonly number: number;
  /** `open`: it waits for a decision or for values. `going`: it is approved and has not ended. `failed`: it ended, and not well. */
  readonly is: "open" | "going" | "failed";
}

interface ListRows {
  readonly actions: readonly Action[];
  readonly runs: readonly Pick<Run, "actionId" | "ending" | "outcome" | "endedAt">[];
  /** Whether people can still decide on it, or it has not ended. */
  readonly isUnderWay: (action: Action) => boolean;
}

export const inListOrder = (
  deps: Pick<Deps, "now">,
  repoContext: Pick<RepoContext, "rules">,
  { actions, runs }: Pick<ListRows, "actions" | "runs">,
): ListRows => ({ actions, runs, isUnderWay: (action) => isLiveAction(deps, repoContext, action) });

/**
 * Returns what stands before an action in its list, which is its card, and has not ended well, been rejected or lapsed. A read keeps
 * nothing waiting. An action that a person wrote with `/edit` stands where the old one stood. Pure.
 */
export function standBefore(action: Action, { actions, runs, isUnderWay }: ListRows): readonly ListPredecessor[] {
  return actions
    .filter(({ card, number }) => card === action.card && number < action.number)
    .map((one) => inPlaceOf(one, actions))
    .flatMap((one): readonly ListPredecessor[] => {
      const { number, spec } = one;
      if (spec.risk === "low" || number === action.number) return [];
      if (isUnderWay(one)) return [{ number, is: isUndecided(one) ? "open" : "going" }];
      return hasFailed(one, runs) ? [{ number, is: "failed" }] : [];
    });
}

/** Whether an action has ended and what comes after it must not run. */
export const hasFailed = ({ id, state, spec }: Action, runs: ListRows["runs"]): boolean =>
  state === "done" && runs.some((run) => run.actionId === id && stopsRest(spec.risk, run));

function inPlaceOf(action: Action, actions: readonly Action[]): Action {
  const by = actions.find(({ number }) => number === action.supersededBy);
  return action.state === "superseded" && by?.origin === "person" ? inPlaceOf(by, actions) : action;
}

/**
 * Returns the action before it because of which an approved action may not be sent now; undefined if it may. A failure counts only
 * against earlier approvals: a later approver knows of it, and so does one who said `--keep-going` of both.
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

/** Returns numbers as they were typed, except that one that has to come before another is moved there. */
export function asListed<T extends { readonly number: number }>(typed: readonly T[], rows: ListRows): readonly T[] {
  const placed: T[] = [];
  const place = (one: T): void => {
    if (placed.includes(one)) return;
    const action = rows.actions.find(({ number }) => number === one.number);
    const before = action ? standBefore(action, rows).map(({ number }) => number) : [];
    for (const other of typed) if (before.includes(other.number)) place(other);
    placed.push(one);
  };
  typed.forEach(place);
  return placed;
}

/** Returns what stands before an action in its list and waits for a decision, without those that go first anyway. */
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

/** What keeps an approved action of a batch waiting as of these rows; undefined if its turn has come. */
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
 * Whether an approval of this number would be taken now. It would if one comment can approve it together with what stands before it,
 * or if that waits for values. The check of a change is decided on with the change.
 */
export function isDecidable(number: number, rows: ListRows): boolean {
  const { actions } = rows;
  const action = actions.find((one) => one.number === number);
  if (!action || actions.some((one) => one.number === action.spec.checks && isUndecided(one))) return false;
  const isAlone = ({ spec }: Action): boolean => spec.risk === "high";
  const together = actions.filter((one) => one.state === "incomplete" || !(isAlone(action) || isAlone(one)));
  return openBefore(action, rows, together).length === 0;
}
