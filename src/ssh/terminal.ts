import type { ClientChannel } from "ssh2";
import { detectWaiting } from "./waiting.ts";

export interface TerminalWatch {
  readonly show: (chunk: Uint8Array) => void;
  readonly close: () => void;
}

/**
 * For servers with `tty: true`: when the output rests on a pager's line, leaves it with `q`; when it rests on a
 * question, says so (AR-07). Without a terminal nothing can ask, and nothing is watched.
 */
export function watchTerminal(
  tty: boolean,
  channel: ClientChannel,
  watch: { readonly quietMs: number; readonly onQuestion: (asks: string) => void },
): TerminalWatch {
  if (!tty) return { show: () => undefined, close: () => undefined };
  let recent = "";
  let timer: NodeJS.Timeout | undefined;
  const rest = (): void => {
    const waiting = detectWaiting(recent);
    if (waiting?.kind === "pager") channel.write("q");
    if (waiting?.kind === "question") watch.onQuestion(waiting.asks);
  };
  return {
    show: (chunk) => {
      recent = (recent + Buffer.from(chunk).toString("latin1")).slice(-4096);
      clearTimeout(timer);
      timer = setTimeout(rest, watch.quietMs);
    },
    close: () => clearTimeout(timer),
  };
}
