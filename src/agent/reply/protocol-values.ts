import { phases } from "../../base/agent.ts";
import { apis } from "./actions.ts";
import { endMarker, startMarker } from "./markers.ts";
import { defaultMaxActions } from "./protocol.ts";

export interface ProtocolLimits {
  readonly maxActions?: number;
  readonly outputCharacters?: number;
}

/** The default (AR-14). */
const defaultOutputCharacters = 5_000;

/** The parser reads by the same tables. */
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
    .map(([name, { needs, description }]) => `\`${name}\` (${needs.join(", ") || "no params"}) ${description}`)
    .join(", "),
});

/** Fills `templates/prompt/protocol.md` (PA-1 "generated"). Throws for an unknown placeholder: a prompt with a hole must not be sent. */
export function fillProtocol(template: string, limits: ProtocolLimits): string {
  const values = protocolValues(limits);
  return template.replace(/\{\{(\w+)\}\}/g, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the protocol's template wants a value for ${name}`);
    return value;
  });
}
