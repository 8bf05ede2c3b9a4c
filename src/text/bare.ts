import { type ChatMessage, maxHypothesisCharacters, type Reading } from "../base/agent.ts";
import { parseJson } from "../base/json.ts";
import type { Ending } from "../base/run.ts";
import { clean } from "./read/clean.ts";
import { visible } from "./read/visible.ts";
import type { Redact } from "./redact.ts";

/** Removes hidden text and redacts again, because removal can join text to a secret. */
export const redactMarkdown = (redact: Redact, markdown: string): string =>
  redactText(redact, visible(redactText(redact, markdown)));

/**
 * Makes text safe to store, send or show (SR-45). Cleans first, because invisible characters hide a secret from the redactor but not from
 * readers. Unredactable text becomes the reason. Idempotent.
 */
export function redactText(redact: Redact, text: string): string {
  const redacted = redact(clean(text));
  return redacted.ok ? redacted.text : `(withheld: ${redacted.reason})`;
}

/** Redacts the arguments of tool calls too. */
export function bareMessage(redact: Redact, message: ChatMessage): ChatMessage {
  const content = redactText(redact, message.content);
  if (message.role !== "assistant" || !message.toolCalls) return { ...message, content };
  return {
    ...message,
    content,
    toolCalls: message.toolCalls.map((call) => {
      // Endpoints refuse arguments that are not JSON, so broken ones are dropped.
      const text = redactText(redact, call.arguments);
      return {
        ...call,
        name: redactText(redact, call.name),
        arguments: text === call.arguments || parseJson(text) !== undefined ? text : "{}",
      };
    }),
  };
}

/** A server's words can hold anything. */
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

/** Commands stay unchanged, because one with a secret is refused. */
export function bareReading(redact: Redact, reading: Reading): Reading {
  const each = (texts: readonly string[]): string[] => texts.map((text) => redactText(redact, text));
  return {
    ...reading,
    prose: redactText(redact, reading.prose),
    suggestions: each(reading.suggestions),
    notes: each(reading.notes),
    ...(reading.hypotheses && {
      hypotheses: reading.hypotheses.map(({ id, says, ...one }) => {
        const line = redactText(redact, says);
        const isLong = line.length > maxHypothesisCharacters;
        return {
          ...{ ...one, id: redactText(redact, id) },
          says: isLong ? `${line.slice(0, maxHypothesisCharacters - 1).toWellFormed()}…` : line,
        };
      }),
    }),
    runbooks: reading.runbooks.map(({ label, url }) => ({
      label: redactText(redact, label),
      url: redactText(redact, url),
    })),
  };
}

/** A served delivery for storing (SR-50); empty if no JSON is left. */
export function barePayload(redact: Redact, payload: string): string {
  const redacted = redact(payload);
  return redacted.ok && parseJson(redacted.text) !== undefined ? redacted.text : "{}";
}
