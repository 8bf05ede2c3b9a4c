import { isOpen, reopen } from "../../features/incident/withdraw.ts";
import { isLiveAction } from "../../features/proposal/same-action.ts";
import { approvalComment, approvalReason } from "../../features/run/approval-comment.ts";
import { answer } from "../../features/thread/answer.ts";
import { linksOf } from "../../features/thread/links.ts";
import { show } from "../../features/thread/show.ts";
import { enqueueTurn } from "../../features/turn/turn.ts";
import { type Action, actionsOf, addApproval, moveAction } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { partsOf } from "../../store/incident-rows.ts";
import type { Incident } from "../../store/incidents.ts";
import { type CommandRefusal, missingNumber, sentencesOf, stateRefusal, unknownNumber } from "../answer/refusals.ts";
import type { Call, Handler } from "../command.ts";
import { toldBy, whyNoTurn } from "../steer/agent-turn.ts";

/** Rejects actions for good (SR-18: one rejection is final); the reason reaches the agent's next turn. */
export const reject: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const { deps, slash } = call;
    const { ids } = slash;
    const rows = await partsOf(tx, incident.id, "actions", "batches", "posted");
    const { actions } = rows;
    if (ids === "all" || ids.length === 0)
      return answer(tx, call, incident, { outcome: "mistake", body: missingNumber("reject", actions) });
    const links = linksOf(deps, rows);
    const refusals: CommandRefusal[] = [];
    const rejected: number[] = [];
    for (const number of new Set(ids.map((id) => id.number))) {
      const action = actions.find((candidate) => candidate.number === number);
      if (!action || !isOpen(action)) {
        refusals.push(action ? stateRefusal({ incident, action, links }) : unknownNumber(number));
        continue;
      }
      await rejectOne(tx, call, action);
      const others = actions.filter((one) => !ids.some((named) => named.number === one.number));
      for (const check of others.filter(({ spec }) => spec.checks === number)) {
        const reason = `${number}, which it checks, was turned down`;
        await reopen(tx, [check], reason);
        if (!(await moveAction(tx, check, { from: "proposed", to: "void", reason }))) continue;
        const body = { number: check.number, digest: check.digest, reason };
        await appendAudit(tx, { kind: "command_void", incidentId: incident.id, body });
      }
      rejected.push(number);
    }
    const isDone = rejected.length > 0;
    const reads = isDone && (await letItThinkAgain(tx, call, incident, rejected));
    if (isDone) await show(tx, deps, incident, reads ? "thinking again" : "");
    const said = [
      ...sentencesOf(refusals, await actionsOf(tx, incident.id)),
      ...(isDone && refusals.length > 0 ? [`Rejected: **${rejected.join("**, **")}**.`] : []),
    ];
    await answer(tx, call, incident, { outcome: isDone ? "done" : "mistake", body: said.join("\n\n") });
  });

async function rejectOne(tx: Tx, call: Call, action: Action): Promise<void> {
  const { caller, event } = call;
  const { number, digest, incidentId } = action;
  const { id, login, role } = caller;
  const reason = approvalReason(call);
  const comment = approvalComment(event);
  await addApproval(tx, action, { verdict: "reject", person: caller, role, comment, reason });
  await moveAction(tx, action, { from: action.state, to: "rejected", reason });
  await appendAudit(tx, {
    kind: "command_rejected",
    incidentId,
    body: { number, digest, by: { id, login, role }, commentId: event.comment.id, reason },
  });
}

/** If there is a reason and nothing is left to decide; returns whether the agent takes a turn. */
async function letItThinkAgain(tx: Tx, call: Call, incident: Incident, numbers: readonly number[]): Promise<boolean> {
  const { deps, repoContext, caller } = call;
  const reason = approvalReason(call).trim();
  const isLeft = (await actionsOf(tx, incident.id)).some((action) => isLiveAction(deps, repoContext, action));
  if (reason === "" || isLeft || incident.state !== "open" || (await whyNoTurn(tx, deps, incident)) !== undefined)
    return false;
  await enqueueTurn(tx, deps, incident, {
    kind: "rejected",
    personId: caller.id,
    login: caller.login,
    numbers: [...numbers],
    reason,
    told: toldBy(call),
  });
  return true;
}
