import { createRate } from "../base/clock.ts";
import { OperatorError } from "../base/errors.ts";
import { nearest } from "../base/problems.ts";
import { loadConfig } from "../config/load.ts";
import {
  type AgentAnswer,
  type AgentAsk,
  agentTools,
  answerAgent,
  callerNamed,
  failed,
} from "../features/agents/answer-agent.ts";
import { socketPath } from "../features/operator/socket.ts";
import { serveMcpOnStdio } from "../http/mcp-server.ts";
import { createEvaluator, inventoryOf } from "../risk/evaluate.ts";
import { openStore } from "../store/database/open.ts";
import { askBot, knock } from "./local.ts";
import { readPlaces } from "./places.ts";

interface McpOptions {
  readonly config?: string | undefined;
  readonly as: string;
}

/**
 * Serves an agent until standard input ends. A running bot answers for an embedded store; a store on a server is opened for each call
 * (SR-55). Throws an `OperatorError` for an unlisted agent.
 */
export async function serveMcp({ config: file, as: agent }: McpOptions): Promise<void> {
  const { storeUrl, agents } = readPlaces(file);
  if (agents && !agents.includes(agent)) {
    const near = nearest(agent, agents);
    const listed = agents.length > 0 ? `use one of: ${agents.join(", ")}; or add` : "add";
    throw new OperatorError({
      place: "policy.proposers.mcp",
      message: `there is no agent \`${agent}\`, so nothing was started`,
      remedy: near ? `did you mean \`--as ${near}\`?` : `${listed} \`${agent}\` with its repositories and servers`,
    });
  }
  const door = socketPath(storeUrl);
  const answer = door === undefined ? fromServer(file, storeUrl, agent) : (ask: AgentAsk) => fromBot(door, ask);
  await serveMcpOnStdio({
    tools: agentTools,
    call: (tool, input) => answer({ ask: "agent", agent, tool, input }).catch((): AgentAnswer => failed),
  });
}

async function fromBot(door: string, ask: AgentAsk): Promise<AgentAnswer> {
  const bot = await knock(door);
  if (!bot) return { ok: false, why: "Countersign is not running, so nothing was proposed. Try again later." };
  let text = "";
  for await (const part of askBot(bot, ask)) text += part;
  // The bot is this program.
  return JSON.parse(text) as AgentAnswer;
}

function fromServer(file: string | undefined, storeUrl: string, agent: string) {
  let known = readRules(file);
  const mayCall = createRate(() => new Date());
  return async (ask: AgentAsk): Promise<AgentAnswer> => {
    try {
      known = readRules(file);
    } catch {
      // Until the bot's reported mistake is corrected, the old rules hold.
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

/** At each call, because an agent stays for days and must lose a right at once. */
function readRules(file: string | undefined) {
  // Without a role the store's password is its only secret.
  const config = loadConfig({ file, roles: [] });
  const inventory = inventoryOf(config.servers.values());
  return { config, evaluate: createEvaluator({ ...config.policy, inventory, now: Date.now }) };
}
