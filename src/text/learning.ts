import { memoized } from "./memo.ts";
import { createRedactor, type Redact, type RedactionResult } from "./redact.ts";

/** A redactor that can learn more secrets, and forgets none. */
export function createLearningRedactor(first: readonly string[]): {
  readonly redact: Redact;
  /** For texts that are drawn again and again: a text without a secret is searched again only after it learns more. */
  readonly redactAgain: Redact;
  readonly learn: (secrets: readonly string[]) => void;
} {
  const known = new Set<string>();
  let now: Redact = () => ({ ok: false, reason: "the redactor knows no secrets yet" });
  let again: Redact = now;
  const learn = (more: readonly string[]): void => {
    for (const secret of more) known.add(secret);
    now = createRedactor({ secrets: [...known] });
    again = memoized<RedactionResult>(now, (redacted, text) => redacted.ok && redacted.text === text);
  };
  learn(first);
  const redact: Redact = Object.defineProperty((text: string) => now(text), "inPieces", { get: () => now.inPieces });
  return {
    redact,
    redactAgain: (text) => again(text),
    // Each command comes with the same secrets; known ones cost nothing.
    learn: (more) => {
      if (!more.every((secret) => known.has(secret))) learn(more);
    },
  };
}
