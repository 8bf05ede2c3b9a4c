import { wentWell } from "../../base/run.ts";
import type { Action, Approval } from "../../store/actions.ts";
import { foldDone, foldFailed, openFolds } from "../../store/outbox/posting.ts";
import { slots } from "../../store/outbox/slots.ts";
import type { Folded, Thread } from "../../store/outbox/wanted.ts";
import type { Batch, Run } from "../../store/runs.ts";
import type { Deps } from "../context.ts";
import { failCosmetic, type Poster } from "./cosmetic.ts";

type View = Pick<Action, "card" | "state"> & { readonly verdicts: readonly Approval[]; readonly runs: readonly Run[] };

/**
 * The comments of an incident that are over: a card of which every proposal was superseded, undecided, is
 * outdated; a run card of which all went well, by its outputs too, is resolved once a later batch has ended. Whatever failed, and every card with a
 * decision on it, stays open to see. Pure.
 */
export function foldedOf(views: readonly View[], batches: readonly Batch[]): readonly Folded[] {
  const cards = [...Map.groupBy(views, ({ card }) => card)]
    .filter(([, actions]) => actions.every(({ state, verdicts }) => state === "superseded" && verdicts.length === 0))
    .map(([slot]) => ({ slot, as: "OUTDATED" }) as const);
  const ended = batches.filter(({ endedAt }) => endedAt !== null);
  const runsOfBatch = Map.groupBy(
    views.flatMap((view) => view.runs),
    ({ batchId }) => batchId,
  );
  const runs = ended
    .slice(0, -1)
    .filter(({ id, note, numbers }) => {
      const own = runsOfBatch.get(id) ?? [];
      return note === null && own.length >= numbers.length && own.every((run) => wentWell(run) && run.trouble === null);
    })
    .map(({ id }) => ({ slot: slots.batch(id), as: "RESOLVED" }) as const);
  return [...cards, ...runs];
}

/** Folds what is to be folded on an issue, each once. What cannot be is logged and stays as it is; nothing waits for it. */
export async function postFolds(
  deps: Pick<Deps, "store" | "log" | "comments">,
  thread: Pick<Thread, "repo" | "issue">,
  poster: Poster,
): Promise<void> {
  const { db } = deps.store;
  for (const comment of await openFolds(db, thread)) {
    const { nodeId, foldAs: as } = comment;
    if (nodeId === null || as === null) continue;
    if (!(await poster.mayWrite(comment.installationId))) return;
    const outcome = await deps.comments.minimize(comment, { nodeId, as });
    if (outcome.kind !== "posted") {
      const attempts = await foldFailed(db, comment);
      const giveUp = () => foldDone(db, comment);
      const failed = { thread: comment, event: "fold_failed", failure: outcome, attempts, giveUp } as const;
      await failCosmetic(deps, poster, failed);
      if (outcome.kind !== "never") return;
    } else await foldDone(db, comment);
  }
}
