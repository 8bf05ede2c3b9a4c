import { parseJson } from "../base/json.ts";
import type { ChatMessage, Ending, Reading, ToolCall } from "../base/types.ts";
import { clean } from "./read/clean.ts";
import { visible } from "./read/visible.ts";
import type { Redact } from "./redact.ts";

/** Markdown that people wrote, as it may be kept: what it hides is taken out, and what that brings together is redacted again. */
export const redactMarkdown = (redact: Redact, markdown: string): string =>
  redactText(redact, visible(redactText(redact, markdown)));

/**
 * Text as it may be kept, sent or shown (SR-45): cleaned first, since an invisible character parts a secret for the redactor
 * and not for a reader; what cannot be redacted is replaced by the reason. Idempotent.
 */
export function redactText(redact: Redact, text: string): string {
  const redacted = redact(clean(text));
  return redacted.ok ? redacted.text : `(withheld: ${redacted.reason})`;
}

/** A message of the conversation with the model, the arguments of its tool calls included. */
export function bareMessage(redact: Redact, message: ChatMessage): ChatMessage {
  const content = redactText(redact, message.content);
  if (message.role !== "assistant" || !message.toolCalls) return { ...message, content };
  return { ...message, content, toolCalls: message.toolCalls.map((call) => bareCall(redact, call)) };
}

/** Endpoints refuse arguments that are not JSON, so those that redaction has broken are not sent at all. */
function bareCall(redact: Redact, call: ToolCall): ToolCall {
  const text = redactText(redact, call.arguments);
  return {
    ...call,
    name: redactText(redact, call.name),
    arguments: text === call.arguments || parseJson(text) !== undefined ? text : "{}",
  };
}

/** How a run ended, as it may be kept: what a server says of it, or asks, can hold anything. */
export function bareEnding(redact: Redact, ending: Ending): Ending {
  switch (ending.kind) {
    case "exited":
    case "signalled":
      return ending;
    case "timed-out":
    case "cancelled":
      return ending.note === undefined ? ending : { ...ending, note: redactText(redact, ending.note) };
    case "waiting-for-input":
      return { ...ending, asks: redactText(redact, ending.asks).slice(-200) };
    case "unreachable":
    case "unknown":
      return { ...ending, reason: redactText(redact, ending.reason) };
  }
}

/** What the agent said, as it may be kept. The commands stay to the letter: one that holds a secret is refused as a whole. */
export function bareReading(redact: Redact, reading: Reading): Reading {
  const each = (texts: readonly string[]): string[] => texts.map((text) => redactText(redact, text));
  return {
    ...reading,
    prose: redactText(redact, reading.prose),
    suggestions: each(reading.suggestions),
    notes: each(reading.notes),
    runbooks: reading.runbooks.map(({ label, url }) => ({
      label: redactText(redact, label),
      url: redactText(redact, url),
    })),
  };
}

/**
 * A delivery's JSON as it may be kept once it has been served (SR-50). Where redaction leaves no JSON, nothing of it is kept.
 */
export function barePayload(redact: Redact, payload: string): string {
  const redacted = redact(payload);
  return redacted.ok && parseJson(redacted.text) !== undefined ? redacted.text : "{}";
}
