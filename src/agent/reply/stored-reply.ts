import type { ChatMessage, ToolCall } from "../../base/agent.ts";
import { readArguments } from "../tools.ts";
import type { Reply } from "../wire/request.ts";
import { dropThoughts } from "../wire/thoughts.ts";

/** Enough for every useful reply, its calls included; what it says is sent again with each request of the session. */
const maxKeptCharacters = 6_000;
/** What words and calls leave each other: proposals stand in either. */
const maxCallsCharacters = 4_500;
/** More than the name of any tool. */
const maxNameCharacters = 64;

/** The reply as it is kept and sent again: without thoughts, which models are not to be shown again, and within bounds as a whole. */
export function storedReply(reply: Reply, calls: readonly ToolCall[]): ChatMessage {
  let left = maxCallsCharacters;
  const toolCalls = calls.map((call) => {
    const kept = keptArguments(call.arguments, left);
    left -= kept.length;
    return { ...call, name: call.name.slice(0, maxNameCharacters), arguments: kept };
  });
  const used = toolCalls.reduce((total, { arguments: json }) => total + json.length, 0);
  const content = kept(dropThoughts(reply.text.split("\n")).join("\n").trim(), maxKeptCharacters - used);
  return { role: "assistant", content, ...(calls.length > 0 && { toolCalls }) };
}

/** How a reply begins and ends: what it proposes and suggests stands at its end. */
function kept(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2) - 30;
  return `${text.slice(0, half)}\n⋯ ${text.length - 2 * half} characters left out ⋯\n${text.slice(-half)}`;
}

/** Endpoints refuse a conversation whose calls have arguments that are no JSON object: one that is cut must stay one. */
function keptArguments(json: string, most: number): string {
  if (json.length <= most && readArguments(json)) return json;
  const cut = JSON.stringify({ unreadable: kept(json, 400) });
  return cut.length <= most ? cut : "{}";
}
