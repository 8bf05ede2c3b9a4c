import { agentTools, answerAloud } from "../features/agents/answer-agent.ts";
import type { Deps } from "../features/context.ts";
import { createMcpDoor } from "../http/mcp.ts";

/** The door for agents that call by MCP, by the config in force. */
export const openAgentDoor = (deps: Deps): ReturnType<typeof createMcpDoor> =>
  createMcpDoor({
    agents: () => deps.config.policy.proposers.mcp,
    tools: (agent) => ({
      tools: agentTools,
      call: (tool, input) => answerAloud(deps, { ask: "agent", agent, tool, input }),
    }),
    log: (event) => deps.log.warn({ module: "front", ...event, event: "mcp_refused" }),
    now: deps.now,
  });
