import type { ClientChannel } from "ssh2";
import { detectWaiting } from "./waiting.ts";

export interface TerminalWatch {
  readonly show: (chunk: Uint8Array) => void;
  readonly close: () => void;
}

/**
 * How many quiet times a question must stand. More than a pager, where a wrong guess costs a key and not the run; and much
 * more without a terminal, where hardly anything can ask and much says what it does and works on.
 */
const patience = { terminal: 3, none: 10 } as const;

/** Enough for any last line; little enough to be copied with each chunk of a long output. */
const recentBytes = 4096;

/**
 * Looks at the last line once the output has rested (AR-07). On a terminal a pager is left with `q`, and nothing else is
 * ever typed. A question, and a pager that no key can reach, is told; while output goes on nothing is.
 */
export function watchTerminal(
  tty: boolean,
  channel: ClientChannel,
  watch: { readonly quietMs: number; readonly onQuestion: (asks: string) => void },
): TerminalWatch {
  const quietTimes = patience[tty ? "terminal" : "none"];
  let recent = Buffer.alloc(0);
  let quiet = 0;
  let timer: NodeJS.Timeout | undefined;
  const rest = (): void => {
    const waiting = detectWaiting(recent.toString("utf8"));
    if (waiting === undefined) return;
    if (waiting.kind === "pager" && tty) channel.write("q");
    else if (++quiet >= quietTimes) watch.onQuestion(waiting.asks);
    else timer?.refresh();
  };
  return {
    show: (chunk) => {
      const last = chunk.subarray(-recentBytes);
      recent = Buffer.concat(last.length < recentBytes ? [recent.subarray(last.length - recentBytes), last] : [last]);
      quiet = 0;
      timer = timer?.refresh() ?? setTimeout(rest, watch.quietMs);
    },
    close: () => clearTimeout(timer),
  };
}
