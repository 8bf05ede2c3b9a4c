import type { TokenUsage } from "../base/agent.ts";
import type { TurnTools } from "./tools.ts";
import { runTurn, type TurnOptions } from "./turn.ts";

/** The tools of a sub-agent: those that only read (OP-7). */
export const readOnlyTools = ({ listServers, useSkill, skillNames, readOutput }: TurnTools): TurnTools => ({
  ...(listServers && { listServers }),
  ...(useSkill && { useSkill }),
  ...(skillNames && { skillNames }),
  ...(readOutput && { readOutput }),
  mayPropose: false,
  mayAsk: false,
});

/** A helper has a step limit of its own (OP-7): fewer asks than the turn that waits for it. */
const helperAsks = 5;

/**
 * Runs a sub-agent on a side task and returns its summary with what it cost. `system` is a prompt without a planning
 * section. Throws with the reason where the model could not be asked: the caller is a tool, and its model reads that.
 */
export async function runDelegate(
  options: Pick<TurnOptions, "ask" | "system" | "tools" | "signal" | "log" | "onStatus" | "onMessage"> & {
    readonly task: string;
  },
): Promise<{ readonly summary: string; readonly usage: TokenUsage }> {
  const { task, tools, ...rest } = options;
  const result = await runTurn({
    ...rest,
    tools: readOnlyTools(tools),
    news: task,
    history: [],
    servers: [],
    maxActions: 0,
    maxAsks: helperAsks,
  });
  if (result.kind === "failed") throw new Error(result.message);
  return { summary: result.reading.prose, usage: result.usage };
}
