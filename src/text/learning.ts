import { createRedactor, type Redact } from "./redact.ts";

/** A redactor that can be told more secrets. */
export function createLearningRedactor(secrets: readonly string[]): {
  readonly redact: Redact;
  readonly learn: (secrets: readonly string[]) => void;
} {
  let now = createRedactor({ secrets });
  const redact: Redact = Object.defineProperty((text: string) => now(text), "inPieces", { get: () => now.inPieces });
  return {
    redact,
    learn: (more) => {
      now = createRedactor({ secrets: more });
    },
  };
}
