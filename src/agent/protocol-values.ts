import { phases } from "../types.ts";
import { apis } from "./actions.ts";
import { endMarker, startMarker } from "./markers.ts";

/** What stands in for the placeholders, from the tables that the parser itself reads by. */
const protocolValues = (maxActions: number): Readonly<Record<string, string>> => ({
  start_marker: startMarker,
  end_marker: endMarker,
  max_actions: String(maxActions),
  phases: phases.join(", "),
  apis: Object.entries(apis)
    .map(([name, { needs, description }]) => `| \`${name}\` | ${needs.join(", ") || "none"} | ${description} |`)
    .join("\n"),
});

/**
 * Fills `templates/prompt/protocol.md`, so that what the model is told and what is accepted cannot drift apart (PA-1
 * "generated"). Throws, naming it, for a placeholder that is not known: a prompt with a hole must not be sent.
 */
export function fillProtocol(template: string, maxActions: number): string {
  const values = protocolValues(maxActions);
  return template.replace(/\{\{(\w+)\}\}/g, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the protocol's template wants a value for ${name}`);
    return value;
  });
}
