import type { ChatMessage, Reading, ToolCall } from "../base/agent.ts";
import { parseJson } from "../base/json.ts";
import type { Ending } from "../base/run.ts";
import { clean } from "./read/clean.ts";
import { visible } from "./read/visible.ts";
import type { Redact } from "./redact.ts";

/** People's Markdown as it may be stored: hidden text is removed, and the text that this joins is redacted again. */
export const redactMarkdown = (redact: Redact, markdown: string): string =>
  redactText(redact, visible(redactText(redact, markdown)));

/**
 * Text as it may be stored, sent or shown (SR-45). Cleans it first, because an invisible character hides a secret from the redactor and
 * not from a reader; replaces a text that cannot be redacted with the reason. Idempotent.
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

/** Endpoints refuse arguments that are not JSON, so arguments that redaction breaks are not sent. */
function bareCall(redact: Redact, call: ToolCall): ToolCall {
  const text = redactText(redact, call.arguments);
  return {
    ...call,
    name: redactText(redact, call.name),
    arguments: text === call.arguments || parseJson(text) !== undefined ? text : "{}",
  };
}

/** A run's ending as it may be stored: a server's words in it can hold anything. */
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

/** The agent's reply as it may be stored. Commands stay unchanged, because one with a secret is refused as a whole. */
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
 * A delivery's JSON as it may be stored after it was served (SR-50); empty if redaction leaves no JSON.
 */
export function barePayload(redact: Redact, payload: string): string {
  const redacted = redact(payload);
  return redacted.ok && parseJson(redacted.text) !== undefined ? redacted.text : "{}";
}
