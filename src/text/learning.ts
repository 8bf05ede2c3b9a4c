import { memoized } from "./memo.ts";
import { createRedactor, type Redact, type Redacted } from "./redact.ts";

/** A redactor that can be told more secrets; those of before stay secrets. */
export function createLearningRedactor(first: readonly string[]): {
  readonly redact: Redact;
  /** The same for what is drawn again and again: a text in which nothing was found is not searched again until more secrets are known. */
  readonly redactAgain: Redact;
  readonly learn: (secrets: readonly string[]) => void;
} {
  const known = new Set<string>();
  let now: Redact = () => ({ ok: false, reason: "the redactor knows no secrets yet" });
  let again: Redact = now;
  const learn = (more: readonly string[]): void => {
    for (const secret of more) known.add(secret);
    now = createRedactor({ secrets: [...known] });
    again = memoized<Redacted>(now, (redacted, text) => redacted.ok && redacted.text === text);
  };
  learn(first);
  const redact: Redact = Object.defineProperty((text: string) => now(text), "inPieces", { get: () => now.inPieces });
  return {
    redact,
    redactAgain: (text) => again(text),
    // Asked for each command with the same: what is known already costs nothing.
    learn: (more) => {
      if (!more.every((secret) => known.has(secret))) learn(more);
    },
  };
}
