import { wentWell } from "../../base/run.ts";
import { renderEnd } from "../../github/render/batch.ts";
import { unknownWords } from "../../github/render/state.ts";
import type { Tx } from "../../store/database/open.ts";
import { type Incident, sessionOf } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/slots.ts";
import { wantComments } from "../../store/outbox/wanted.ts";
import { outputOf } from "../../store/outputs.ts";
import type { Batch, Run } from "../../store/runs.ts";
import type { Deps } from "../context.ts";
import { postedComments } from "./links.ts";
import { threadOf } from "./show.ts";
import { viewsOf } from "./views.ts";

/** A shorter one is seen by whoever has just approved it. */
const longMs = 60_000;

/**
 * One new comment with a line for each command of a batch of which an edit of its card would tell nobody (PRODUCT): what took long
 * or did not go well, where no turn of the agent follows to tell of it, and in any case what is UNKNOWN or was withheld (RR-22).
 */
export async function tellUnread(
  tx: Tx,
  { markdown, config }: Pick<Deps, "markdown" | "config">,
  incident: Incident,
  { batch, read }: { readonly batch: Batch; readonly read: boolean },
): Promise<void> {
  const session = await sessionOf(tx, incident.id);
  const isRead = read && session.steps < session.stepLimit;
  const card = (await postedComments(tx, config.github.apiUrl, incident)).get(slots.batch(batch.id));
  const lines: string[] = [];
  for (const view of await viewsOf(tx, incident.id)) {
    const ran = view.runs.filter(({ batchId }) => batchId === batch.id);
    const { number } = view;
    const withheld = (await Promise.all(ran.map(({ id }) => outputOf(tx, id)))).flatMap((one) => one?.withheld ?? []);
    const isUnknown = ran.some(({ ending }) => ending?.kind === "unknown");
    if (!isUnknown && withheld.length === 0 && (isRead || !ran.some(isWorthALine))) continue;
    const notes = [
      ...(isUnknown ? [unknownWords(number)] : []),
      ...new Set(withheld.map((reason) => `Its output is withheld: ${markdown.plain(reason)}.`)),
    ];
    const result = card === undefined ? "" : ` · ${markdown.link("result", card)}`;
    lines.push([`${renderEnd(view, markdown)}${result} · \`/output ${number}\``, ...notes].join(" · "));
  }
  if (lines.length === 0) return;
  await wantComments(tx, threadOf(incident), [{ slot: slots.unread(batch.id), body: lines.join("\n\n") }]);
}

const isWorthALine = (run: Run): boolean =>
  run.ending !== null && (!wentWell(run) || run.trouble !== null || (run.durationMs ?? 0) > longMs);
