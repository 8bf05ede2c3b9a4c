import { wentWell } from "../../base/run.ts";
import { renderEnd } from "../../github/render/batch.ts";
import { unknownWords } from "../../github/render/ending.ts";
import type { Tx } from "../../store/database/open.ts";
import type { RowsWith } from "../../store/incident-rows.ts";
import { slots } from "../../store/outbox/slots.ts";
import { wantComments } from "../../store/outbox/wanted.ts";
import { outputsOf } from "../../store/outputs.ts";
import type { Batch, Run } from "../../store/runs.ts";
import type { Deps } from "../context.ts";
import { postedComments } from "./links.ts";
import { threadOf } from "./show.ts";
import { joinViews } from "./views.ts";

export const unreadParts = ["session", "actions", "approvals", "runs", "posted"] as const;

/** After a shorter run the approver still looks at the issue. */
const longMs = 60_000;

/**
 * Comments on what an edited card would hide (PRODUCT): long or troubled runs unless the agent reports them, and always UNKNOWN or withheld
 * ones (RR-22).
 */
export async function tellUnread(
  tx: Tx,
  deps: Pick<Deps, "markdown" | "config">,
  rows: RowsWith<(typeof unreadParts)[number]>,
  { batch, read }: { readonly batch: Batch; readonly read: boolean },
): Promise<void> {
  const { markdown } = deps;
  const isRead = read && rows.session.steps < rows.session.stepLimit;
  const card = postedComments(deps, rows).get(slots.batch(batch.id));
  const lines: string[] = [];
  const isOfBatch = ({ batchId }: Run): boolean => batchId === batch.id;
  const outputs = await outputsOf(
    tx,
    rows.runs.filter(isOfBatch).map(({ id }) => id),
  );
  for (const view of joinViews(rows)) {
    const ran = view.runs.filter(isOfBatch);
    const { number } = view;
    const withheld = ran.flatMap(({ id }) => outputs.get(id)?.withheld ?? []);
    const isUnknown = ran.some(({ ending }) => ending?.kind === "unknown");
    if (
      !isUnknown &&
      withheld.length === 0 &&
      (isRead ||
        !ran.some(
          (run) => run.ending !== null && (!wentWell(run) || run.trouble !== null || (run.durationMs ?? 0) > longMs),
        ))
    )
      continue;
    const notes = [
      ...(isUnknown ? [unknownWords(number)] : []),
      ...new Set(withheld.map((reason) => `Its output is withheld: ${markdown.plain(reason)}.`)),
    ];
    const result = card === undefined ? "" : ` · ${markdown.link("result", card)}`;
    lines.push([`${renderEnd(view, markdown)}${result} · \`/output ${number}\``, ...notes].join(" · "));
  }
  if (lines.length === 0) return;
  await wantComments(tx, threadOf(rows.incident), [{ slot: slots.unread(batch.id), body: lines.join("\n\n") }]);
}
