import { isOpen, reopen } from "../../features/incident/withdraw.ts";
import { isLiveAction } from "../../features/proposal/same-action.ts";
import { approvalComment, approvalReason } from "../../features/run/approval-comment.ts";
import { answer } from "../../features/thread/answer.ts";
import { linksOf } from "../../features/thread/links.ts";
import { show } from "../../features/thread/show.ts";
import { enqueueTurn } from "../../features/turn/turn.ts";
import { verbs } from "../../slash/verbs.ts";
import { type Action, actionsOf, addApproval, moveAction } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { partsOf } from "../../store/incident-rows.ts";
import type { Incident } from "../../store/incidents.ts";
import { type CommandRefusal, missingNumber, sentencesOf, stateRefusal, unknownNumber } from "../answer/refusals.ts";
import { toldBy } from "../answer/reported.ts";
import type { Call, Command } from "../command.ts";
import { whyNoTurn } from "../steer/no-turn.ts";

/** Turns proposed actions down for good (SR-18: one rejection is final); the reason goes to the agent's next turn. */
export const reject: Command = {
  ...verbs.reject,
  summary: "turns a proposed command down, for good",
  examples: ["/reject 2 not during the sale"],
  may: "approve",
  takesSeveral: true,
  run: (call) =>
    call.commit(async (tx, incident) => {
      const rows = await partsOf(tx, incident.id, "actions", "batches", "posted");
      const { actions } = rows;
      const { ids } = call.slash;
      if (ids === "all" || ids.length === 0) {
        await answer(tx, call, incident, { outcome: "mistake", body: missingNumber("reject", actions) });
        return;
      }
      const links = linksOf(call.deps, rows);
      const refusals: CommandRefusal[] = [];
      const rejected: number[] = [];
      for (const id of ids.filter(({ number }, at) => ids.findIndex((other) => other.number === number) === at)) {
        const action = actions.find((candidate) => candidate.number === id.number);
        if (!action || !isOpen(action)) {
          refusals.push(action ? stateRefusal({ incident, action, links }) : unknownNumber(id.number));
          continue;
        }
        await rejectOne(tx, call, action);
        const others = actions.filter((one) => !ids.some((named) => named.number === one.number));
        await dropCheck(tx, others, action);
        rejected.push(id.number);
      }
      const isDone = rejected.length > 0;
      const reads = isDone && (await letItThinkAgain(tx, call, incident, rejected));
      if (isDone) await show(tx, call.deps, incident, reads ? "thinking again" : "");
      const said = [
        ...sentencesOf(refusals, await actionsOf(tx, incident.id)),
        ...(isDone && refusals.length > 0 ? [`Rejected: **${rejected.join("**, **")}**.`] : []),
      ];
      await answer(tx, call, incident, { outcome: isDone ? "done" : "mistake", body: said.join("\n\n") });
    }),
};

/** What would show whether it helped has nothing to show. */
async function dropCheck(tx: Tx, actions: readonly Action[], { number }: Action): Promise<void> {
  const reason = `${number}, which it checks, was turned down`;
  for (const check of actions.filter(({ spec }) => spec.checks === number)) {
    await reopen(tx, [check], reason);
    if (!(await moveAction(tx, check, { from: "proposed", to: "void", reason }))) continue;
    const { incidentId, digest } = check;
    await appendAudit(tx, { kind: "command_void", incidentId, body: { number: check.number, digest, reason } });
  }
}

/** Where nothing is left to decide on and a reason was given, the agent goes on by it; true where it does. */
async function letItThinkAgain(tx: Tx, call: Call, incident: Incident, numbers: readonly number[]): Promise<boolean> {
  const { deps, repoContext, caller } = call;
  const reason = approvalReason(call).trim();
  const isLeft = (await actionsOf(tx, incident.id)).some((action) => isLiveAction(deps, repoContext, action));
  if (reason === "" || isLeft || incident.state !== "open" || (await whyNoTurn(tx, deps, incident)) !== undefined)
    return false;
  const by = { personId: caller.id, login: caller.login };
  await enqueueTurn(tx, deps, incident, {
    kind: "rejected",
    ...by,
    numbers: [...numbers],
    reason,
    told: toldBy(call),
  });
  return true;
}

async function rejectOne(tx: Tx, call: Call, action: Action): Promise<void> {
  const reason = approvalReason(call);
  await addApproval(tx, action, {
    verdict: "reject",
    person: call.caller,
    role: call.caller.role,
    comment: approvalComment(call.event),
    reason,
  });
  await moveAction(tx, action, { from: action.state, to: "rejected", reason });
  await appendAudit(tx, {
    kind: "command_rejected",
    incidentId: action.incidentId,
    body: {
      number: action.number,
      digest: action.digest,
      by: { id: call.caller.id, login: call.caller.login, role: call.caller.role },
      commentId: call.event.comment.id,
      reason,
    },
  });
}
