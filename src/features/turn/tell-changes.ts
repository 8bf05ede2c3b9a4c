import { labelsIn } from "../../agent/reply/labels.ts";
import { actionsOf, approvalsOf } from "../../store/actions.ts";
import { factsOf, readEvent } from "../../store/audit/events.ts";
import { auditRows } from "../../store/audit/rows.ts";
import { autoModeOf } from "../../store/auto-mode.ts";
import { batchesOf, runsOf } from "../../store/runs.ts";
import { messagesOf, turnsOf } from "../../store/turns.ts";
import { redactText } from "../../text/bare.ts";
import { delimit, visible } from "../../text/read/visible.ts";
import type { Deps } from "../context.ts";
import { describeChanges } from "./changes.ts";
import type { TurnInput } from "./turn-input.ts";

/**
 * What became of everything since the agent's last reply, for its next turn; undefined where there is nothing. What people wrote
 * may stand in it, so it is data between delimiters (SR-39), as people see it (SR-37).
 */
export async function tellChanges(
  deps: Deps,
  { incident, session, repoContext }: Pick<TurnInput, "incident" | "session" | "repoContext">,
): Promise<string | undefined> {
  const { db } = deps.store;
  // What a runbook answered the model has not seen said.
  const last = (await turnsOf(db, incident.id)).findLast(({ offline }) => !offline);
  const actions = await actionsOf(db, incident.id);
  const approvals = await approvalsOf(db, incident.id);
  const runs = await runsOf(db, incident.id);
  const { low, medium, high } = repoContext.rules.policy;
  const line = describeChanges({
    actions: actions.map((action) => ({
      ...action,
      verdicts: approvals
        .filter(({ actionId }) => actionId === action.id)
        // Each by itself: what one of them hides must not take the others along.
        .map((verdict) => ({ ...verdict, reason: visible(verdict.reason).trim() })),
      runs: runs.filter(({ actionId }) => actionId === action.id),
    })),
    touched: last && (await numbersSince(deps, incident.id, last.createdAt)),
    since: last?.createdAt,
    batches: await batchesOf(db, incident.id),
    needed: { low: low.approvals, medium: medium.approvals, high: high.approvals },
    labels: labelsIn(await messagesOf(db, session.id)),
    notes: last?.notes ?? [],
    auto: await autoModeOf(db, incident.id),
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
