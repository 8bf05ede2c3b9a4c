import { newId } from "../ids.ts";
import type { Arrival } from "./arrival.ts";

/** How an agent's proposal is called among deliveries. No webhook's event has a colon. */
export const agentEvent = "countersign:proposal" as const;

/** A proposal as the inbox takes it, like a webhook: those of one agent are served one after another. No webhook's GUID has a colon. */
export function agentArrival(agent: string, proposal: object): Arrival {
  const guid = `agent:${agent}:${newId()}`;
  return {
    guid,
    line: `agent:${agent}`,
    event: agentEvent,
    action: null,
    semanticKey: null,
    payload: JSON.stringify({ ...proposal, guid, agent }),
  };
}
