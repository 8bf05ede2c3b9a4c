import type { ChatMessage } from "../base/agent.ts";

/** A conversation that fits, and how many of its messages were shortened. */
export interface CompactedConversation {
  readonly messages: readonly ChatMessage[];
  readonly removed: number;
}

/** Shares of the window: above the first, the oldest outputs are shortened until the second is reached. */
const shares = { full: 0.75, roomy: 0.5 } as const;
/** What is left at each end of an output: later turns come back to how it begins and ends. */
const keptCharacters = 200;
/** Shortening a shorter output is not worth the note. */
const worthCharacters = 3 * keptCharacters;

/** A run's output inside a message of ours, between its delimiters (SR-39). */
const runOutput = /<(output-of-[\w.-]+) nonce="([^"]*)">\n([\s\S]*?)\n<\/\1 nonce="\2">/g;

/**
 * Shortens outputs, oldest first, before a conversation fills the window (in tokens). Skills, people's words and the model's own stay
 * whole. It walks the conversation as it grew, so that the session's next request begins like this one and the provider's cache
 * holds. Pure.
 */
export function compact(
  messages: readonly ChatMessage[],
  window: number,
  count: (message: ChatMessage) => number,
): CompactedConversation {
  const sizes = messages.map(count);
  const protectedIds = skillCalls(messages);
  const kept: ChatMessage[] = [];
  let total = 0;
  /** All messages before this one are as short as they can be. */
  let next = 0;
  const shorten = (upTo: number, target: number): void => {
    for (; next < upTo && total > target; next += 1) {
      const message = kept[next];
      const short = message && shortened(message, protectedIds);
      if (!message || !short) continue;
      total += count(short) - (sizes[next] ?? 0);
      kept[next] = short;
    }
  };
  for (const [at, message] of messages.entries()) {
    kept.push(message);
    total += sizes[at] ?? 0;
    // The newest message stays: the next reply is about it.
    if (total > shares.full * window) shorten(at, shares.roomy * window);
  }
  return { messages: kept, removed: kept.filter((message, at) => message !== messages[at]).length };
}

/**
 * Shortens all outputs except the newest message's. For a conversation that the endpoint calls too long: nothing fits a window of
 * 0.
 */
export const compactAll = (messages: readonly ChatMessage[]): CompactedConversation => compact(messages, 0, () => 1);

/** The ids of the calls that loaded a skill. */
const skillCalls = (messages: readonly ChatMessage[]): ReadonlySet<string> =>
  new Set(
    messages.flatMap((message) =>
      message.role === "assistant"
        ? (message.toolCalls ?? []).filter(({ name }) => name === "use_skill").map(({ id }) => id)
        : [],
    ),
  );

/** The message with its outputs shortened; undefined if that gains nothing. */
function shortened(message: ChatMessage, protectedIds: ReadonlySet<string>): ChatMessage | undefined {
  if (message.role === "tool") {
    const content = protectedIds.has(message.toolCallId)
      ? message.content
      : cut(message.content, "call the tool again");
    return content === message.content ? undefined : { ...message, content };
  }
  if (message.role !== "user") return undefined;
  const content = message.content.replace(
    runOutput,
    (_whole, tag: string, nonce: string, output: string) =>
      `<${tag} nonce="${nonce}">\n${cut(output, "read_output shows them")}\n</${tag} nonce="${nonce}">`,
  );
  return content === message.content ? undefined : { ...message, content };
}

function cut(text: string, how: string): string {
  if (text.length <= worthCharacters) return text;
  const left = text.length - 2 * keptCharacters;
  return `${text.slice(0, keptCharacters)}\n⋯ ${left} characters left out to save room; ${how} ⋯\n${text.slice(-keptCharacters)}`;
}
