import type { ChatMessage } from "../../base/agent.ts";
import type { Risk } from "../../base/risk.ts";
import { readArguments } from "../tools.ts";
import { type ParsedAction, readActions } from "./actions.ts";
import { parseReply } from "./protocol.ts";

/** By command. */
export type ReplyLabels = ReadonlyMap<string, Risk>;

const newest = 12;
/** Enough, because only commands that were taken are looked up. */
const most = 20;

/** Reads the risks in the newest replies' blocks and tool calls. Never throws. */
export function labelsIn(history: readonly ChatMessage[]): ReplyLabels {
  const named = history
    .slice(-newest)
    .flatMap((message) => (message.role === "assistant" ? actionsIn(message) : []))
    .flatMap(({ params, risk }) => (params.command && risk ? [[params.command.trim(), risk] as const] : []));
  return new Map(named);
}

function actionsIn({ content, toolCalls = [] }: ChatMessage & { role: "assistant" }): readonly ParsedAction[] {
  const called = toolCalls.flatMap(({ name, arguments: json }) => {
    if (name === "propose_actions") return readActions(json, { maxActions: most }).actions;
    return name === "suggest_ssh_command" ? readActions(asList(json), { maxActions: 1 }).actions : [];
  });
  return [...parseReply(content, { maxActions: most }).actions, ...called];
}

function asList(json: string): string {
  const { server, command, ...about } = readArguments(json) ?? {};
  return JSON.stringify([{ id: "1", api: "ssh.execute", ...about, params: { server, command } }]);
}
