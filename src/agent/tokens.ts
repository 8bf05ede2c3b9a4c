import type { ChatMessage, TokenUsage } from "../base/agent.ts";
import { type ToolSpec, wireTools } from "./wire/shapes.ts";

/** Added by the provider around each message. */
const perMessage = 4;

const isLetter = (c: number): boolean => (c >= 97 && c <= 122) || (c >= 65 && c <= 90);
const isDigit = (c: number): boolean => c >= 48 && c <= 57;
const isMark = (c: number): boolean => c > 32 && c < 127 && !isLetter(c) && !isDigit(c);
const isSpace = (c: number): boolean => c === 32 || (c >= 9 && c <= 13);

/**
 * Estimates a text's tokens. Against the o200k tokenizer: within 5 % on prose, code and logs, 25 % on JSON, a third on random strings. An
 * exact tokenizer takes seconds for 65,536 times "a".
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let i = 0;
  while (i < text.length) {
    const start = i;
    const c = text.charCodeAt(i);
    if (isLetter(c)) {
      while (i < text.length && isLetter(text.charCodeAt(i))) i += 1;
      // Common words are one token; longer ones fall into pieces of about four letters.
      tokens += i - start <= 7 ? 1 : Math.ceil((i - start) / 4.5);
    } else if (isDigit(c)) {
      while (i < text.length && isDigit(text.charCodeAt(i))) i += 1;
      tokens += Math.ceil((i - start) / 3);
    } else if (isSpace(c)) {
      while (i < text.length && isSpace(text.charCodeAt(i))) i += 1;
      // A single blank belongs to the next word.
      tokens += i - start === 1 && c === 32 ? 0 : 1;
    } else if (c < 128) {
      i += 1;
      while (i < text.length && isMark(text.charCodeAt(i))) i += 1;
      // `":"` or `---` is one token; a single mark often belongs to the next word.
      tokens += i - start === 1 ? 0.7 : Math.ceil((i - start) / 3);
    } else {
      i += 1;
      tokens += 0.75;
    }
  }
  return Math.ceil(tokens);
}

export interface TokenCounter {
  readonly countText: (text: string) => number;
  readonly countRequest: (messages: readonly ChatMessage[], tools: readonly ToolSpec[]) => number;
  readonly learn: (messages: readonly ChatMessage[], tools: readonly ToolSpec[], usage: TokenUsage) => void;
}

/** Creates a counter for one model: the estimate times a factor learned from `usage`. */
export function createTokenCounter(): TokenCounter {
  let factor = 1;
  const rawRequest = (messages: readonly ChatMessage[], tools: readonly ToolSpec[]): number => {
    const texts = messages.map((m) => m.content + (m.role === "assistant" ? JSON.stringify(m.toolCalls ?? "") : ""));
    const specs = tools.length > 0 ? estimateTokens(JSON.stringify(wireTools(tools))) : 0;
    return texts.reduce((sum, text) => sum + perMessage + estimateTokens(text), specs);
  };
  return {
    countText: (text) => Math.ceil(estimateTokens(text) * factor),
    countRequest: (messages, tools) => Math.ceil(rawRequest(messages, tools) * factor),
    learn: (messages, tools, usage) => {
      if (usage.estimated || usage.inputTokens === 0) return;
      const measured = usage.inputTokens / Math.max(1, rawRequest(messages, tools));
      // One odd reply must not spoil the counter.
      factor = (factor + Math.min(3, Math.max(1 / 3, measured))) / 2;
    },
  };
}
