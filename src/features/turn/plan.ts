import type { TurnTools } from "../../agent/tools.ts";
import { incidentOf } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/slots.ts";
import { wantComments } from "../../store/outbox/wanted.ts";
import { redactText } from "../../text/bare.ts";
import type { Deps } from "../context.ts";
import { filesAt } from "../thread/links.ts";
import { threadOf, wakePoster } from "../thread/show.ts";

const maxPlanCharacters = 10_000;

/** Boxes and signs belong to cards, and prose loses them; what is done must still show. */
const ticked = (markdown: string): string =>
  markdown.replace(/^( {0,20}(?:[-*+]|\d{1,3}[.)]) )\[([ x])\]/gim, (_box, bullet: string, mark: string) =>
    mark === " " ? `${bullet}to do:` : `${bullet}done:`,
  );

/** The tool by which the agent keeps its plan: one comment of the incident, edited in place (OP-6). Throws, for the model, where there is none to keep. */
export const createUpdatePlan =
  (deps: Deps, incidentId: string, commit: string | null): NonNullable<TurnTools["updatePlan"]> =>
  async (markdown) => {
    if (markdown.length > maxPlanCharacters)
      throw new Error(`a plan has at most ${maxPlanCharacters.toLocaleString("en")} characters`);
    await deps.store.transaction(async (tx) => {
      const incident = await incidentOf(tx, incidentId);
      if (incident.state === "closed") throw new Error("the incident is closed");
      const written = deps.markdown.prose(
        redactText(deps.redact, ticked(markdown)),
        filesAt(deps, incident.repo, commit),
      );
      const body = `📋 **Plan** · the agent's, not verified\n\n${written}`;
      await wantComments(tx, threadOf(incident), [{ slot: slots.plan, body }]);
      await wakePoster(tx, deps, incident);
    });
  };
