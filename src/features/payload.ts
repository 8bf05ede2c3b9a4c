import { hash } from "node:crypto";
import { redactText } from "../text/bare.ts";
import type { Deps } from "./context.ts";

/** A redacted text in a log line of level debug. */
interface LoggedText {
  readonly bytes: number;
  readonly sha256: string;
  /** Only with `logging.payloads`. */
  readonly body?: string;
}

/** Longer texts would fill the log file. The store has the whole output. */
const maxCharacters = 100_000;

/** Calls `tell` with a text for the log if the level is debug, and does no work otherwise (S14). */
export function onDebug(
  { config, log, redact }: Pick<Deps, "config" | "log" | "redact">,
  text: string,
  tell: (payload: LoggedText) => void,
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
