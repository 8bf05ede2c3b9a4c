import { isUndecided } from "../../base/action.ts";
import { stopsRest } from "../../base/run.ts";
import type { Action, Approval } from "../../store/actions.ts";
import type { Batch, Run } from "../../store/runs.ts";

/** Something that stands before an action in its list and keeps it waiting. */
export interface ListPredecessor {
  readonly number: number;
  /** `open`: nobody has decided on it, or given its values. `going`: it is approved and has not ended. `failed`: it ended, and not well. */
  readonly is: "open" | "going" | "failed";
}

/** The rows of an incident that its order is read from. */
export interface ListRows {
  readonly actions: readonly Action[];
  readonly runs: readonly Pick<Run, "actionId" | "ending" | "outcome" | "endedAt">[];
  /** Whether it can still be decided on, or goes. */
  readonly isUnderWay: (action: Action) => boolean;
}

/**
 * Returns what stands before an action in its list, which is its card, and has not ended well, been turned down or lapsed. What only
 * reads keeps nothing waiting; what a person put in its place by `/edit` stands where it stood. Pure.
 */
export function standBefore(action: Action, rows: ListRows): readonly ListPredecessor[] {
  return rows.actions
    .filter(({ card, number }) => card === action.card && number < action.number)
    .map((one) => inPlaceOf(one, rows.actions))
    .flatMap((one): readonly ListPredecessor[] => {
      const is = one.spec.risk === "low" || one.number === action.number ? undefined : standingOf(one, rows);
      return is === undefined ? [] : [{ number: one.number, is }];
    });
}

function inPlaceOf(action: Action, actions: readonly Action[]): Action {
  const by = actions.find(({ number }) => number === action.supersededBy);
  return action.state === "superseded" && by?.origin === "person" ? inPlaceOf(by, actions) : action;
}

function standingOf(one: Action, { runs, isUnderWay }: ListRows): ListPredecessor["is"] | undefined {
  if (isUnderWay(one)) return isUndecided(one) ? "open" : "going";
  const own = runs.filter(({ actionId }) => actionId === one.id);
  return one.state === "done" && own.some((run) => stopsRest(one.spec.risk, run)) ? "failed" : undefined;
}

/**
 * Returns why an approved action may not be sent now for what stands before it; undefined where it may. That something failed counts
 * against approvals from before it had: who approves later knows, and so does who said `--keep-going` of both.
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

/** Numbers as they were typed, but for those of which another one of them has to come first. */
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

/** What stands before an action in its list, waits for a decision and is none of those that go first. */
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
