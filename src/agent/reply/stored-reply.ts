import type { ChatMessage, ToolCall } from "../../base/agent.ts";
import { readArguments } from "../tools.ts";
import type { Reply } from "../wire/request.ts";
import { dropThoughts } from "../wire/thoughts.ts";

/** Sent again with each request of the session. */
const maxKeptCharacters = 6_000;
/** Words may have proposals too. */
const maxCallsCharacters = 4_500;
const maxNameCharacters = 64;

/** Returns the reply to store and send again: bounded, without thoughts, which models must not be shown. */
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

/** Proposals and suggestions are at the end. */
function kept(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2) - 30;
  return `${text.slice(0, half)}\n⋯ ${text.length - 2 * half} characters left out ⋯\n${text.slice(-half)}`;
}

/** Endpoints refuse a conversation if a call's arguments are no JSON object. */
function keptArguments(json: string, most: number): string {
  if (json.length <= most && readArguments(json)) return json;
  const cut = JSON.stringify({ unreadable: kept(json, 400) });
  return cut.length <= most ? cut : "{}";
}
