import { answer } from "../../features/thread/answer.ts";
import { postedComments } from "../../features/thread/links.ts";
import { partsOf } from "../../store/incident-rows.ts";
import { slots } from "../../store/outbox/slots.ts";
import { writeLink } from "../../text/links.ts";
import type { Handler } from "../command.ts";

/** Links the agent's plan, a comment edited in place (OP-6). */
export const plan: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const { deps } = call;
    const url = postedComments(deps, await partsOf(tx, incident.id, "posted")).get(slots.plan);
    const none = deps.config.features.planning
      ? "The agent has written no plan here yet; the board shows which phase it is in."
      : "Plans are switched off here (`features.planning`).";
    const body =
      url === undefined ? none : `${writeLink("The plan", url)} is kept in one comment, edited as it changes.`;
    await answer(tx, call, incident, { outcome: url === undefined ? "mistake" : "done", body });
  });
