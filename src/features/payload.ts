import { hash } from "node:crypto";
import { redactText } from "../text/bare.ts";
import type { Deps } from "./context.ts";

/** What a line of the log at level debug says of a text: of what the redactor leaves of it. */
interface Payload {
  readonly bytes: number;
  readonly sha256: string;
  /** Where the operator asks for it (`logging.payloads`). */
  readonly body?: string;
}

/** Longer ones would fill a log file in no time; all of an output is in the store. */
const maxCharacters = 100_000;

/** Does `log` with what is to be said of a text, where anybody reads lines at level debug: nothing is worked out otherwise (S14). */
export function onDebug(
  { config, log, redact }: Pick<Deps, "config" | "log" | "redact">,
  text: string,
  tell: (payload: Payload) => void,
): void {
  if (!log.isLevelEnabled("debug")) return;
  const body = redactText(redact, text);
  const cut = body.length - maxCharacters;
  tell({
    bytes: Buffer.byteLength(body),
    sha256: hash("sha256", body),
    ...(config.logging.payloads && {
      body: cut > 0 ? `${body.slice(0, maxCharacters)} [${cut} characters left out]` : body,
    }),
  });
}
