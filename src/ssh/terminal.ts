import type { ClientChannel } from "ssh2";
import { detectWaiting } from "./waiting.ts";

export interface TerminalWatch {
  readonly show: (chunk: Uint8Array) => void;
  readonly close: () => void;
}

/** Without a terminal hardly anything can ask, and much says what it does and works on: it gets this much longer. */
const patienceWithoutTerminal = 10;

/** Enough for any last line. */
const recentBytes = 8192;

/**
 * Looks at the last line once the output has rested (AR-07). On a terminal a pager is left with `q`, and nothing else is
 * ever typed. A question, and a pager that no key can reach, is told once; while output goes on nothing is.
 */
export function watchTerminal(
  tty: boolean,
  channel: ClientChannel,
  watch: { readonly quietMs: number; readonly onQuestion: (asks: string) => void },
): TerminalWatch {
  const quietMs = tty ? watch.quietMs : watch.quietMs * patienceWithoutTerminal;
  let recent = Buffer.alloc(0);
  let timer: NodeJS.Timeout | undefined;
  const rest = (): void => {
    const waiting = detectWaiting(recent.toString("utf8"));
    if (waiting === undefined) return;
    if (waiting.kind === "pager" && tty) channel.write("q");
    else watch.onQuestion(waiting.asks);
  };
  return {
    show: (chunk) => {
      recent = Buffer.concat([recent, chunk.subarray(-recentBytes)]).subarray(-recentBytes);
      timer = timer?.refresh() ?? setTimeout(rest, quietMs);
    },
    close: () => clearTimeout(timer),
  };
}
