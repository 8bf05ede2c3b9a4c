import { phases } from "../../base/agent.ts";
import { apis } from "./actions.ts";
import { endMarker, startMarker } from "./markers.ts";
import { defaultMaxActions } from "./protocol.ts";

/** What the operator may set. */
export interface ProtocolLimits {
  readonly maxActions?: number;
  readonly outputCharacters?: number;
}

/** AR-14, where the operator says nothing else. */
const defaultOutputCharacters = 5_000;

/** What stands in for the placeholders, from the tables that the parser itself reads by. */
const protocolValues = ({
  maxActions = defaultMaxActions,
  outputCharacters = defaultOutputCharacters,
}: ProtocolLimits): Readonly<Record<string, string>> => ({
  start_marker: startMarker,
  end_marker: endMarker,
  max_actions: String(maxActions),
  output_characters: outputCharacters.toLocaleString("en-US"),
  phases: phases.join(", "),
  apis: Object.entries(apis)
    .map(([name, { needs, description }]) => `| \`${name}\` | ${needs.join(", ") || "none"} | ${description} |`)
    .join("\n"),
});

/**
 * Fills `templates/prompt/protocol.md`, so that what the model is told and what is accepted cannot drift apart (PA-1
 * "generated"). Throws, naming it, for a placeholder that is not known: a prompt with a hole must not be sent.
 */
export function fillProtocol(template: string, limits: ProtocolLimits): string {
  const values = protocolValues(limits);
  return template.replace(/\{\{(\w+)\}\}/g, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the protocol's template wants a value for ${name}`);
    return value;
  });
}
