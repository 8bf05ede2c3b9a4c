import { createRate } from "../base/clock.ts";
import { OperatorError, type Problem } from "../base/errors.ts";
import { nearest } from "../base/problems.ts";
import { loadConfig } from "../config/load.ts";
import { type AgentAnswer, type AgentAsk, agentTools, answerAgent, failed } from "../features/agents/answer-agent.ts";
import { callerNamed } from "../features/agents/caller.ts";
import { socketPath } from "../features/operator/socket.ts";
import { serveMcpOnStdio } from "../http/mcp-server.ts";
import { createEvaluator, inventoryOf } from "../risk/evaluate.ts";
import { openStore } from "../store/database/open.ts";
import { askBot, knock } from "./local.ts";
import { readPlaces } from "./places.ts";

interface McpOptions {
  readonly config?: string | undefined;
  /** The agent's name in `policy.proposers.mcp`. */
  readonly as: string;
}

/**
 * Serves an agent on standard input and output until the input ends. An embedded store is the running bot's, so that bot answers; a
 * store on a server is opened for each call. Throws an `OperatorError` for an agent that the file does not list.
 */
export async function serveMcp({ config: file, as: agent }: McpOptions): Promise<void> {
  const { storeUrl, agents } = readPlaces(file);
  if (agents && !agents.includes(agent)) throw new OperatorError(unknownAgent(agent, agents));
  const door = socketPath(storeUrl);
  const answer = door === undefined ? fromServer(file, storeUrl, agent) : (ask: AgentAsk) => fromBot(door, ask);
  await serveMcpOnStdio({
    tools: agentTools,
    call: (tool, input) => answer({ ask: "agent", agent, tool, input }).catch((): AgentAnswer => failed),
  });
}

function unknownAgent(agent: string, agents: readonly string[]): Problem {
  const near = nearest(agent, agents);
  const listed = agents.length > 0 ? `use one of: ${agents.join(", ")}; or add` : "add";
  return {
    place: "policy.proposers.mcp",
    message: `there is no agent \`${agent}\`, so nothing was started`,
    remedy: near ? `did you mean \`--as ${near}\`?` : `${listed} \`${agent}\` with its repositories and servers`,
  };
}

async function fromBot(door: string, ask: AgentAsk): Promise<AgentAnswer> {
  const bot = await knock(door);
  if (!bot) return { ok: false, why: "Countersign is not running, so nothing was proposed. Try again later." };
  let text = "";
  for await (const part of askBot(bot, ask)) text += part;
  // The bot is this very program.
  return JSON.parse(text) as AgentAnswer;
}

function fromServer(file: string | undefined, storeUrl: string, agent: string) {
  let known = readRules(file);
  const mayCall = createRate(() => new Date());
  return async (ask: AgentAsk): Promise<AgentAnswer> => {
    try {
      known = readRules(file);
    } catch {
      // What is wrong with it the bot tells; until it is right what was in force stays, here as there.
    }
    const { config, evaluate } = known;
    const { callsPerMinute = 0 } = callerNamed(config, agent) ?? {};
    if (callsPerMinute > 0 && !mayCall(agent, callsPerMinute))
      return { ok: false, why: "Too many calls. Try again in a minute." };
    const store = await openStore(storeUrl);
    try {
      return await answerAgent({ store, config, evaluate }, ask);
    } finally {
      await store.close();
    }
  };
}

/** The operator's file as it is now: an agent stays for days, and what is taken from it meanwhile is taken at once. */
function readRules(file: string | undefined) {
  // With no role it has no secret but the store's password (SR-55).
  const config = loadConfig({ file, roles: [] });
  const inventory = inventoryOf(config.servers.values());
  return { config, evaluate: createEvaluator({ ...config.policy, inventory, now: Date.now }) };
}
