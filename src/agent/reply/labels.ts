import type { ChatMessage } from "../../base/agent.ts";
import type { Risk } from "../../base/risk.ts";
import { readArguments } from "../tools.ts";
import { type ParsedAction, readActionList, readActions, toListItem } from "./actions.ts";
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
    const single = name === "suggest_ssh_command" ? [toListItem(readArguments(json) ?? {})] : [];
    return readActionList(single, { maxActions: 1 }).actions;
  });
  return [...parseReply(content, { maxActions: most }).actions, ...called];
}
