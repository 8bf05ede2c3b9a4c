import { wentWell } from "../../base/run.ts";
import { renderEnd } from "../../github/render/batch.ts";
import { unknownWords } from "../../github/render/ending.ts";
import type { Tx } from "../../store/database/open.ts";
import { partsOf, type RowsWith } from "../../store/incident-rows.ts";
import { holdResult } from "../../store/outbox/results.ts";
import { slots } from "../../store/outbox/thread-comments.ts";
import { wantComments } from "../../store/outbox/wanted.ts";
import { outputsOf } from "../../store/outputs.ts";
import { type Batch, setBatch } from "../../store/runs.ts";
import type { Deps } from "../context.ts";
import { postedComments } from "./links.ts";
import { threadOf } from "./post.ts";
import { joinViews } from "./views.ts";

export const endParts = ["session", "actions", "approvals", "runs", "posted"] as const;

/** After a shorter run the approver still looks at the issue. */
const longMs = 60_000;

/**
 * Says how a batch ended (PRODUCT): its result waits for the agent's `reading`, to be one comment with it, or is due now. An edit of a run
 * card on the issue notifies no one, so a line says it: always if the agent reads it, if it is UNKNOWN or withheld (RR-22), else if it was
 * long or troubled.
 */
export async function tellEnd(
  tx: Tx,
  deps: Pick<Deps, "markdown" | "config">,
  rows: RowsWith<(typeof endParts)[number]>,
  { batch, reading }: { readonly batch: Batch; readonly reading: boolean },
): Promise<void> {
  const { markdown } = deps;
  const thread = threadOf(rows.incident);
  const isRead = reading && rows.session.steps < rows.session.stepLimit;
  const views = joinViews(rows).filter(({ runs }) => runs.some(({ batchId }) => batchId === batch.id));
  const isOnCard = isProbeBatch(rows, batch);
  const next = isRead ? "waits" : "at once";
  // First, because then a run card is on the issue, or never comes.
  const hasRunCard = await holdResult(tx, thread, batch, next);
  if (isOnCard || hasRunCard) {
    const posted = postedComments(deps, rows);
    const outputs = await outputsOf(
      tx,
      views.flatMap(({ runs }) => runs.map(({ id }) => id)),
    );
    const lines = views.flatMap((view) => {
      const { number, spec } = view;
      const ran = view.runs.filter(({ batchId }) => batchId === batch.id);
      const withheld = ran.flatMap(({ id }) => outputs.get(id)?.withheld ?? []);
      const isUnknown = ran.some(({ ending }) => ending?.kind === "unknown");
      const isNews = ran.some(
        (run) => run.ending !== null && (!wentWell(run) || run.trouble !== null || (run.durationMs ?? 0) > longMs),
      );
      if (!isRead && !isOnCard && !isUnknown && !isNews && withheld.length === 0) return [];
      const notes = [
        ...(isUnknown ? [unknownWords(view)] : []),
        ...new Set(withheld.map((reason) => `Its output is withheld: ${markdown.plain(reason)}.`)),
      ];
      const probed = rows.actions.find((action) => action.number === spec.probes);
      const card = posted.get(probed && isOnCard ? probed.card : slots.batch(batch.id));
      const result = card === undefined ? "" : ` · ${markdown.link("result", card)}`;
      return [[`${renderEnd(view, markdown)}${result} · \`/output ${number}\``, ...notes].join(" · ")];
    });
    // What never ran has no end that its card could show.
    const { batches } = await partsOf(tx, rows.incident.id, "batches");
    const note = batches.find(({ id }) => id === batch.id)?.note ?? null;
    const news = [...lines, ...(note === null || (lines.length > 0 && !isOnCard) ? [] : [markdown.note(note)])].join(
      "\n\n",
    );
    await setBatch(tx, batch.id, { news });
    if (news === "") return;
    await wantComments(tx, thread, [{ slot: slots.unread(batch.id), body: news }]);
    await holdResult(tx, thread, batch, next);
  }
}

/** Its results stand on the cards of the changes they probe. */
export const isProbeBatch = (
  { actions }: Pick<RowsWith<"actions">, "actions">,
  { numbers }: Pick<Batch, "numbers">,
): boolean => {
  const own = actions.filter(({ number }) => numbers.includes(number));
  return own.length > 0 && own.every(({ spec }) => spec.probes !== undefined);
};
