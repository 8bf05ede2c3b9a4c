import { labelsIn } from "../../agent/reply/labels.ts";
import type { ChatMessage } from "../../base/agent.ts";
import { factsOf, readEvent } from "../../store/audit/events.ts";
import { type AuditFilter, auditRows } from "../../store/audit/rows.ts";
import { redactText } from "../../text/bare.ts";
import { delimit, visible } from "../../text/read/visible.ts";
import type { Deps } from "../context.ts";
import { joinViews } from "../thread/views.ts";
import { type ChangesSince, describeChanges } from "./changes.ts";
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
    since: last && (await changesSince(deps, incident.id, toldUpTo(history, last.createdAt))),
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

/** Starts where the agent's last message ended, not when it replied: it did not know what was recorded while it was thinking. */
export function toldUpTo(history: readonly ChatMessage[], repliedAt: Date): Pick<AuditFilter, "after" | "since"> {
  const after = history.findLast((message) => message.role === "user" && message.auditSeq !== undefined);
  // A conversation from before this was kept.
  return after?.role === "user" ? { after: after.auditSeq } : { since: repliedAt };
}

async function changesSince(
  { store }: Deps,
  incidentId: string,
  from: Pick<AuditFilter, "after" | "since">,
): Promise<ChangesSince> {
  const [touched, added] = [new Set<number>(), new Set<number>()];
  let leaseEnded = false;
  for await (const rows of auditRows(store.db, { incidentId, ...from }))
    for (const event of rows.map(readEvent)) {
      const { number, digest } = factsOf(event);
      leaseEnded ||= event.kind === "agent_mode_off";
      // A question has a number too; an action has a digest beside it.
      if (number === undefined || digest === undefined) continue;
      touched.add(number);
      if (event.kind === "command_proposed" || event.kind === "command_blocked") added.add(number);
    }
  return { touched, added, leaseEnded };
}
