import { show } from "../jobs/show.ts";
import { type Action, actionsOf, addApproval, moveAction } from "../store/actions.ts";
import { appendAudit } from "../store/audit.ts";
import { answer } from "./answer.ts";
import { approvalComment, reasonOf } from "./approval-comment.ts";
import type { Call, Command } from "./command.ts";
import { linksOf } from "./links.ts";
import { missingNumber, type Refusal, sentencesOf, stateRefusal, unknownNumber } from "./refusals.ts";

/** Turns proposed actions down for good (SR-18: one rejection is final); the reason goes to the agent's next turn. */
export const reject: Command = {
  verb: "reject",
  aliases: ["deny"],
  usage: "/reject 2 [why]",
  summary: "turns a proposed command down, for good",
  examples: ["/reject 2 not during the sale"],
  may: "approve",
  takesSeveral: true,
  run: (call) =>
    call.commit(async (tx, incident) => {
      const actions = await actionsOf(tx, incident.id);
      const { ids } = call.slash;
      if (ids === "all" || ids.length === 0) {
        await answer(tx, call, incident, { outcome: "mistake", body: missingNumber("reject", actions) });
        return;
      }
      const links = await linksOf(tx, call.world, incident, actions);
      const refusals: Refusal[] = [];
      const rejected: number[] = [];
      for (const id of ids.filter(({ number }, at) => ids.findIndex((other) => other.number === number) === at)) {
        const action = actions.find((candidate) => candidate.number === id.number);
        if (!action || (action.state !== "proposed" && action.state !== "approved")) {
          refusals.push(action ? stateRefusal({ incident, action, links }) : unknownNumber(id.number));
          continue;
        }
        await rejectOne(tx, call, action);
        rejected.push(id.number);
      }
      const isDone = rejected.length > 0;
      if (isDone) await show(tx, call.world, call.ground, { incident });
      const said = [
        ...sentencesOf(refusals, await actionsOf(tx, incident.id)),
        ...(isDone && refusals.length > 0 ? [`Rejected: **${rejected.join("**, **")}**.`] : []),
      ];
      await answer(tx, call, incident, { outcome: isDone ? "done" : "mistake", body: said.join("\n\n") });
    }),
};

async function rejectOne(tx: Parameters<typeof addApproval>[0], call: Call, action: Action): Promise<void> {
  const reason = reasonOf(call);
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
