import type { Action, Approval } from "../store/actions.ts";
import type { Folded } from "../store/minimise.ts";
import { slots } from "../store/outbox.ts";
import type { Batch, Run } from "../store/runs.ts";
import { wentWell } from "../types.ts";

type View = Pick<Action, "card" | "state"> & { readonly verdicts: readonly Approval[]; readonly runs: readonly Run[] };

/**
 * The comments of an incident that are over (PRODUCT.md): a card of which every proposal was superseded, undecided, is
 * outdated; a run card of which all went well is resolved once a later batch has ended. Whatever failed, and every card with a
 * decision on it, stays open to see. Pure.
 */
export function foldedOf(views: readonly View[], batches: readonly Batch[]): readonly Folded[] {
  const cards = [...Map.groupBy(views, ({ card }) => card)]
    .filter(([, actions]) => actions.every(({ state, verdicts }) => state === "superseded" && verdicts.length === 0))
    .map(([slot]) => ({ slot, as: "OUTDATED" }) as const);
  const ended = batches.filter(({ endedAt }) => endedAt !== null);
  const runs = ended
    .slice(0, -1)
    .filter(({ id, note, numbers }) => {
      const own = views.flatMap((view) => view.runs.filter(({ batchId }) => batchId === id));
      return note === null && own.length >= numbers.length && own.every(wentWell);
    })
    .map(({ id }) => ({ slot: slots.batch(id), as: "RESOLVED" }) as const);
  return [...cards, ...runs];
}
