import { labelsIn } from "../../agent/reply/labels.ts";
import type { ChatMessage } from "../../base/agent.ts";
import { factsOf, readEvent } from "../../store/audit/events.ts";
import { auditRows } from "../../store/audit/rows.ts";
import { redactText } from "../../text/bare.ts";
import { delimit, visible } from "../../text/read/visible.ts";
import type { Deps } from "../context.ts";
import { joinViews } from "../thread/views.ts";
import { describeChanges } from "./changes.ts";
import type { TurnInput } from "./turn-input.ts";

/**
 * What became of everything since the agent's last reply, for its next turn; undefined where there is nothing. What people wrote
 * may stand in it, so it is data between delimiters (SR-39), as people see it (SR-37).
 */
export async function tellChanges(
  deps: Deps,
  { incident, session, repoContext, rows }: Pick<TurnInput, "incident" | "session" | "repoContext" | "rows">,
  history: readonly ChatMessage[],
): Promise<string | undefined> {
  // What a runbook answered the model has not seen said.
  const last = rows.turns.findLast(({ offline }) => !offline);
  const { low, medium, high } = repoContext.rules.policy;
  const line = describeChanges({
    actions: joinViews(rows).map((action) => ({
      ...action,
      // Each by itself: what one of them hides must not take the others along.
      verdicts: action.verdicts.map((verdict) => ({ ...verdict, reason: visible(verdict.reason).trim() })),
    })),
    touched: last && (await numbersSince(deps, incident.id, last.createdAt)),
    since: last?.createdAt,
    batches: rows.batches,
    needed: { low: low.approvals, medium: medium.approvals, high: high.approvals },
    labels: labelsIn(history),
    notes: last?.notes ?? [],
    lease: rows.lease ?? undefined,
  });
  if (line === "") return undefined;
  const intro = last ? "What became of the actions since your last reply:" : "What stands here already:";
  return `${intro}\n${delimit(redactText(deps.redact, line), "what became of the actions", session.nonce)}`;
}

async function numbersSince({ store }: Deps, incidentId: string, since: Date): Promise<ReadonlySet<number>> {
  const numbers = new Set<number>();
  // A question has a number too; an action has a digest beside it.
  for await (const rows of auditRows(store.db, { incidentId, since }))
    for (const { number, digest } of rows.map((row) => factsOf(readEvent(row))))
      if (number !== undefined && digest !== undefined) numbers.add(number);
  return numbers;
}
