import type { Deps } from "../context.ts";
import { type AgentAnswer, type AgentAsk, agentTools, answerAgent } from "./answer-agent.ts";

/** What an agent is told where the bot itself fails; asking again is safe. */
export const failed = {
  ok: false,
  why: "Countersign could not answer, and nothing was run. Call again with the same arguments.",
} as const satisfies AgentAnswer;

/** Answers one call of an agent, and logs it. Never throws. */
export async function answerAloud(deps: Deps, ask: AgentAsk): Promise<AgentAnswer> {
  const { agent } = ask;
  const tool = agentTools.find(({ name }) => name === ask.tool)?.name ?? "unknown";
  try {
    const answer = await answerAgent(deps, ask);
    deps.log.info({ module: "front", event: "agent_call", agent, tool, ok: answer.ok });
    return answer;
  } catch (error) {
    deps.log.error({ module: "front", event: "agent_call_failed", agent, tool, err: error });
    return failed;
  }
}
