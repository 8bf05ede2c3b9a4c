import type { ChatMessage } from "../base/agent.ts";

export interface CompactedConversation {
  readonly messages: readonly ChatMessage[];
  readonly removed: number;
}

/** Shares of the window: above `full`, the oldest outputs are shortened down to `roomy`. */
const shares = { full: 0.75, roomy: 0.5 } as const;
/** At each end, because later turns come back to it. */
const keptCharacters = 200;
/** Shortening less is not worth the note. */
const worthCharacters = 3 * keptCharacters;

/** A run's output between its delimiters (SR-39). */
const runOutput = /<(output-of-[\w.-]+) nonce="([^"]*)">\n([\s\S]*?)\n<\/\1 nonce="\2">/g;

/**
 * Shortens outputs, oldest first and never skills, before the window (in tokens) is full. Walks the conversation as it grew, so that the
 * provider's cache holds. Pure.
 */
export function compact(
  messages: readonly ChatMessage[],
  window: number,
  count: (message: ChatMessage) => number,
): CompactedConversation {
  const sizes = messages.map(count);
  const protectedIds = new Set(
    messages.flatMap((message) =>
      message.role === "assistant"
        ? (message.toolCalls ?? []).filter(({ name }) => name === "use_skill").map(({ id }) => id)
        : [],
    ),
  );
  const kept: ChatMessage[] = [];
  let total = 0;
  /** Earlier messages are as short as they can be. */
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

/** Shortens all outputs but the newest message's, for an endpoint that calls the conversation too long. */
export const compactAll = (messages: readonly ChatMessage[]): CompactedConversation => compact(messages, 0, () => 1);

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
