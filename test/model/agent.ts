import type { AskModel } from "../../src/agent/wire/model.ts";
import type { Wire } from "./github.ts";

/** `fail`: no endpoint answers; `junk`: what comes is no proposal. */
export type ModelFault = "fail" | "junk";

/** What each turn proposes: one of each risk. */
export const commands = {
  low: "uptime",
  medium: "systemctl restart checkout",
  high: "rm -rf /var/tmp/checkout",
} as const;

const proposal = [
  "LIKELY: the disk fills up.",
  "---ACTIONS_JSON_START---",
  JSON.stringify({
    actions: Object.values(commands).map((command, index) => ({
      id: `${index + 1}`,
      api: "ssh.execute",
      title: "Look",
      description: "looks",
      params: { server: "web-1", command },
    })),
  }),
  "---ACTIONS_JSON_END---",
].join("\n");

export interface Agent {
  readonly faults: ModelFault[];
  /** Everything it was ever told. */
  readonly told: readonly string[];
  readonly door: (wire: Wire) => AskModel;
}

/** A model that proposes the same whatever it reads: what is still open keeps its number, what has run comes under a new one. */
export function createAgent(): Agent {
  const faults: ModelFault[] = [];
  const told: string[] = [];
  return {
    faults,
    told,
    door: (wire) => async (request) => {
      const fault = await wire("model →", () => {
        told.push(JSON.stringify(request.messages.at(-1)));
        return faults.shift();
      });
      return wire("model ←", () => {
        if (fault === "fail") return { kind: "failed", why: "unreachable", message: "the model does not answer" };
        const text = fault === "junk" ? "---ACTIONS_JSON_START---\n{" : proposal;
        const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0, estimated: false };
        return { kind: "reply", text, toolCalls: [], finish: "stop", usage, model: "fake", cost: 0 };
      });
    },
  };
}
