import type { ChatMessage } from "../base/agent.ts";
import { planTaken } from "./tools.ts";

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

/** Of an output that has been read, at most. */
const keptLines = 12;

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

/**
 * Keeps of long outputs, once a later turn has been answered too, what the model kept of them: the command, the lines that its reply used, those
 * that tell of trouble, and the way to the rest. Drops a plan that this turn or the next replaced. A turn that is over never changes again, so
 * that the provider's cache holds. Pure.
 */
export function shortenRead(history: readonly ChatMessage[]): readonly ChatMessage[] {
  const begins = history.flatMap((message, at) => (message.role === "user" && !message.ofReply ? [at] : []));
  const newest = begins.at(-1) ?? 0;
  const replaced = replacedPlans(history, begins);
  return history.flatMap((message, at) => {
    if (at >= newest || message.role === "system") return message;
    if (message.role === "assistant") return withoutCalls(message, replaced);
    if (message.role === "tool" && replaced.has(message.toolCallId)) return [];
    const end = begins.find((begin) => begin > at);
    const used = wordsOf(
      history
        .slice(at, end)
        .map((one) => (one.role === "assistant" ? `${one.content} ${JSON.stringify(one.toolCalls ?? "")}` : ""))
        .join("\n"),
    );
    const content = message.content.replace(runOutput, (whole, tag: string, nonce: string, output: string) =>
      output.length <= worthCharacters
        ? whole
        : `<${tag} nonce="${nonce}">\n${linesUsed(output, used)}\n</${tag} nonce="${nonce}">`,
    );
    return content === message.content ? message : { ...message, content };
  });
}

/** The ids of the calls whose plan another replaced, before the next turn was over. A plan is sent whole each time. */
function replacedPlans(history: readonly ChatMessage[], begins: readonly number[]): ReadonlySet<string> {
  const results = new Map(
    history.flatMap((message) => (message.role === "tool" ? [[message.toolCallId, message.content] as const] : [])),
  );
  const plans = history.flatMap((message, at) => {
    if (message.role !== "assistant") return [];
    const { content, toolCalls = [] } = message;
    // Words without a call would stand right before the next reply.
    const isAlone = toolCalls.length === 1 && content !== "";
    return toolCalls
      .filter(({ name, id }) => name === "update_plan" && results.get(id)?.startsWith(planTaken))
      .map(({ id }) => ({ id, at, isNeeded: isAlone || results.get(id)?.match(runOutput) !== null }));
  });
  const replaced = plans.filter(({ at, isNeeded }, index) => {
    const [, end = history.length] = begins.filter((begin) => begin > at);
    return !isNeeded && (plans[index + 1]?.at ?? history.length) < end;
  });
  return new Set(replaced.map(({ id }) => id));
}

function withoutCalls(
  message: Extract<ChatMessage, { readonly role: "assistant" }>,
  ids: ReadonlySet<string>,
): ChatMessage | readonly ChatMessage[] {
  const left = message.toolCalls?.filter(({ id }) => !ids.has(id)) ?? [];
  if (left.length === (message.toolCalls?.length ?? 0)) return message;
  return left.length > 0 ? { ...message, toolCalls: left } : [];
}

function linesUsed(output: string, used: ReadonlySet<string>): string {
  const [command = "", ...lines] = output.split("\n");
  const weighed = lines.map((line, at) => {
    const shared = [...wordsOf(line)].filter((word) => used.has(word)).length;
    return { line, at, weight: /^ *⋯ trouble in it:/.test(line) ? Number.POSITIVE_INFINITY : shared };
  });
  const kept = weighed
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, keptLines)
    .toSorted((one, other) => one.at - other.at)
    .map(({ line }) => cut(line, "read_output shows them"));
  const left = output.length - command.length - kept.join("\n").length;
  return [
    cut(command, "they were sent whole"),
    ...kept,
    `⋯ you have read it; ${left} characters left out; read_output shows them ⋯`,
  ].join("\n");
}

/** What tells a line from others: words of some length, and figures. */
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .toLowerCase()
      .match(/[\p{L}\d][\p{L}\d._:/%-]{1,99}/gu)
      ?.filter((word) => word.length > 5 || /\d/.test(word)) ?? [],
  );
