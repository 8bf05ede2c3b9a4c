import { hash } from "node:crypto";
import { memoized } from "./memo.ts";
import { createRedactor, type Redact, type RedactionResult } from "./redact.ts";

/** A redactor that learns more secrets and forgets none. */
export function createLearningRedactor(first: readonly string[]): {
  readonly redact: Redact;
  /** Remembers texts without a secret until it learns more. */
  readonly redactAgain: Redact;
  readonly learn: (secrets: readonly string[]) => void;
  /** Other secrets, another one; for a hash with more in it. */
  readonly secretsSha256: () => string;
} {
  const known = new Set<string>();
  let now: Redact = () => ({ ok: false, reason: "the redactor knows no secrets yet" });
  let again: Redact = now;
  let secretsSha256 = "";
  const learn = (more: readonly string[]): void => {
    for (const secret of more) known.add(secret);
    now = createRedactor({ secrets: [...known] });
    secretsSha256 = hash("sha256", JSON.stringify([...known].sort()));
    again = memoized<RedactionResult>(now, (redacted, text) => redacted.ok && redacted.text === text);
  };
  learn(first);
  const redact: Redact = Object.defineProperty((...given: Parameters<Redact>) => now(...given), "inPieces", {
    get: () => now.inPieces,
  });
  return {
    redact,
    redactAgain: (text) => again(text),
    // Each command brings the same secrets.
    learn: (more) => {
      if (!more.every((secret) => known.has(secret))) learn(more);
    },
    secretsSha256: () => secretsSha256,
  };
}
