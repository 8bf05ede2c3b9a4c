import { phases } from "../types.ts";
import { apis } from "./actions.ts";
import { endMarker, startMarker } from "./markers.ts";

/**
 * The values for `templates/prompt/protocol.md`, from the tables that the parser itself reads by: what the model is told and
 * what is accepted cannot drift apart (PA-1 "generated").
 */
export const protocolValues = (maxActions: number) => ({
  start_marker: startMarker,
  end_marker: endMarker,
  max_actions: String(maxActions),
  phases: phases.join(", "),
  apis: Object.entries(apis)
    .map(([name, { needs, description }]) => `| \`${name}\` | ${needs.join(", ") || "none"} | ${description} |`)
    .join("\n"),
});
