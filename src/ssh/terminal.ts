import type { ClientChannel } from "ssh2";
import { detectWaiting, keyFor } from "./waiting.ts";

export interface TerminalWatch {
  readonly show: (chunk: Uint8Array) => void;
  readonly close: () => void;
  /** What a pager did not show, for people; nothing where it showed all. */
  readonly note: () => string | undefined;
}

/** More of a pager than this is not shown: a file may have no end, and each page takes `quietMs`. */
const maxPages = 20;

/**
 * How many quiet times a question must stand. More than a pager, where a wrong guess costs a key and not the run; and much
 * more without a terminal, where hardly anything can ask and much says what it does and works on.
 */
const patience = { terminal: 3, none: 10 } as const;

/** Enough for any last line; little enough to be copied with each chunk of a long output. */
const recentBytes = 4096;

/**
 * Looks at the last line once the output has rested (AR-07). On a terminal a pager is paged through, so that its data is
 * the output, and left with `q`; nothing else is ever typed. A question, and a pager that no key can reach, is told;
 * while output goes on nothing is.
 */
export function watchTerminal(
  tty: boolean,
  channel: ClientChannel,
  watch: {
    readonly quietMs: number;
    readonly onQuestion: (asks: string) => void;
    /** A pager's prompt has been answered: what it printed on its line is no output. */
    readonly onPaged: () => void;
  },
): TerminalWatch {
  const quietTimes = patience[tty ? "terminal" : "none"];
  let recent = Buffer.alloc(0);
  let quiet = 0;
  let pages = 0;
  let note: string | undefined;
  let isDeaf = false;
  let isWarned = false;
  let timer: NodeJS.Timeout | undefined;
  const page = (key: ReturnType<typeof keyFor>): void => {
    pages += 1;
    isWarned = key === "\r";
    const isLeft = isDeaf || pages > maxPages;
    if (isLeft && key !== "q") note = `The pager was left after page ${pages}. Without it the command shows the rest.`;
    watch.onPaged();
    channel.write(isLeft ? "q" : key);
    if (isLeft || key === "q") return;
    // A key that changes nothing is none that it knows.
    isDeaf = true;
    timer?.refresh();
  };
  const rest = (): void => {
    const waiting = detectWaiting(recent.toString("utf8"), isWarned);
    if (waiting === undefined) return;
    if (waiting.kind === "pager" && tty) page(keyFor(waiting));
    else if (++quiet >= quietTimes) watch.onQuestion(waiting.asks);
    else timer?.refresh();
  };
  return {
    show: (chunk) => {
      const last = chunk.subarray(-recentBytes);
      recent = Buffer.concat(last.length < recentBytes ? [recent.subarray(last.length - recentBytes), last] : [last]);
      quiet = 0;
      isDeaf = false;
      timer = timer?.refresh() ?? setTimeout(rest, watch.quietMs);
    },
    close: () => clearTimeout(timer),
    note: () => note,
  };
}
