import type { ChatMessage, ToolCall } from "../../base/types.ts";
import { readArguments } from "../tool-arguments.ts";
import type { Reply } from "../wire/request.ts";
import { dropThoughts } from "../wire/thoughts.ts";

/** Enough for every useful reply; what it says is sent again with each request of the session. */
const maxKeptCharacters = 6_000;

/** The reply as it is kept and sent again: without thoughts, which models are not to be shown again, and within bounds. */
export function storedReply(reply: Reply, calls: readonly ToolCall[]): ChatMessage {
  const content = kept(dropThoughts(reply.text.split("\n")).join("\n").trim());
  const toolCalls = calls.map((call) => ({ ...call, arguments: keptArguments(call.arguments) }));
  return { role: "assistant", content, ...(calls.length > 0 && { toolCalls }) };
}

/** How a reply begins and ends: what it proposes and suggests stands at its end. */
function kept(text: string): string {
  if (text.length <= maxKeptCharacters) return text;
  const half = maxKeptCharacters / 2 - 30;
  return `${text.slice(0, half)}\n⋯ ${text.length - 2 * half} characters left out ⋯\n${text.slice(-half)}`;
}

/** Endpoints refuse a conversation whose calls have arguments that are no JSON object: one that is cut must stay one. */
function keptArguments(json: string): string {
  if (json.length <= maxKeptCharacters && readArguments(json)) return json;
  return JSON.stringify({ unreadable: kept(json).slice(0, 500) });
}
