import { createRedactor, type Redact } from "./redact.ts";

/** A redactor that can be told more secrets; those of before stay secrets. */
export function createLearningRedactor(first: readonly string[]): {
  readonly redact: Redact;
  readonly learn: (secrets: readonly string[]) => void;
} {
  let secrets = first;
  let now = createRedactor({ secrets });
  const redact: Redact = Object.defineProperty((text: string) => now(text), "inPieces", { get: () => now.inPieces });
  return {
    redact,
    learn: (more) => {
      secrets = [...new Set([...secrets, ...more])];
      now = createRedactor({ secrets });
    },
  };
}
