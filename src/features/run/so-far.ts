import type { Capture } from "../../base/run.ts";
import { excerpt, presentCapture } from "../../text/output.ts";
import type { Deps } from "../context.ts";
import { whySecret } from "./present-output.ts";

/** Redaction looks at all of it each time it is drawn, on every server of the action. */
const keptBytes = 32 * 1024;
const shownLines = 10;

/** The beginning and the end of what a command has said, in bounded memory. `push` never throws. */
export interface SoFar {
  readonly push: (chunk: Uint8Array) => void;
  readonly bytes: () => number;
  readonly capture: () => Pick<Capture, "head" | "tail" | "bytes" | "dropped">;
}

export function createSoFar(maxBytes = keptBytes): SoFar {
  const half = Math.floor(maxBytes / 2);
  const head: Uint8Array[] = [];
  /** Its end is the tail; what is written behind it goes on at its beginning when it is full. */
  let last: Buffer | undefined;
  let bytes = 0;
  let headBytes = 0;
  let lastBytes = 0;
  return {
    push: (chunk) => {
      bytes += chunk.length;
      const first = new Uint8Array(chunk.subarray(0, half - headBytes));
      if (first.length > 0) head.push(first);
      headBytes += first.length;
      const rest = chunk.subarray(first.length).subarray(-half);
      if (rest.length === 0) return;
      last ??= Buffer.allocUnsafeSlow(2 * half);
      if (lastBytes + rest.length > last.length) {
        last.copyWithin(0, lastBytes + rest.length - half, lastBytes);
        lastBytes = half - rest.length;
      }
      last.set(rest, lastBytes);
      lastBytes += rest.length;
    },
    bytes: () => bytes,
    capture: () => {
      const tail = Buffer.from(last?.subarray(Math.max(0, lastBytes - half), lastBytes) ?? []);
      const first = Buffer.concat(head);
      const dropped = bytes - first.length - tail.length;
      return dropped > 0
        ? { head: first, tail, bytes, dropped }
        : { head: Buffer.concat([first, tail]), tail: new Uint8Array(), bytes, dropped };
    },
  };
}

/** What can be shown of it: the last lines for people, and for the model as much as it reads of an output. */
export interface SeenSoFar {
  readonly lines: string;
  readonly soFar: string;
}

/** Cleaned and redacted as the whole output will be (SR-46, SR-48). */
export function presentSoFar(
  deps: Pick<Deps, "config" | "evaluate" | "redact">,
  ran: { readonly command: string; readonly server: string },
  said: SoFar,
): SeenSoFar {
  const withhold = (reason: string): SeenSoFar => ({ lines: "", soFar: `output withheld: ${reason}` });
  if (said.bytes() === 0) return { lines: "", soFar: "" };
  const bySecret = whySecret(deps, ran);
  if (bySecret !== undefined) return withhold(bySecret);
  const presented = presentCapture({ ...said.capture(), sha256: "" }, deps.redact);
  if (!presented.ok) return withhold(presented.reason);
  // The last line may be half a secret, which has no shape to know it by: it waits for its end.
  const whole = presented.text.slice(0, presented.text.lastIndexOf("\n") + 1);
  const limit = deps.config.agent.outputCharacters;
  const cut = excerpt(whole, { limit, more: "the rest when it has ended", redact: deps.redact });
  if ("withheld" in cut) return withhold(cut.withheld);
  const lines = whole.trimEnd().split("\n").slice(-shownLines).join("\n").slice(-limit);
  return { lines, soFar: cut.text };
}
