import { hash } from "node:crypto";
import { redactText } from "../text/bare.ts";
import type { Deps } from "./context.ts";

interface LoggedText {
  readonly bytes: number;
  readonly sha256: string;
  readonly body?: string;
}

const maxCharacters = 100_000;

/** Passes a text to `tell` at log level debug; otherwise does no work (S14). */
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
