import { lockIncident } from "../../store/incidents.ts";
import type { Deps } from "../context.ts";
import { show } from "./show.ts";

/** What the board says is going on while a turn is taken. */
export interface StatusLine {
  /** Shows this, unless something newer comes before it could be. Never throws. */
  readonly say: (doing: string) => void;
  /** Resolves when nothing is written any more: the board that follows must be the last. */
  readonly settled: () => Promise<void>;
}

/** A status line for an incident's board (S15.6, OP-5). What cannot be written is logged: it is not worth failing a turn for. */
export function createStatusLine(deps: Deps, incidentId: string): StatusLine {
  let next: string | undefined;
  let writing = Promise.resolve();

  const write = async (): Promise<void> => {
    const doing = next;
    if (doing === undefined) return;
    next = undefined;
    try {
      await deps.store.transaction(async (tx) => show(tx, deps, await lockIncident(tx, incidentId), doing));
    } catch (error) {
      deps.log.warn({ module: "agent", event: "status_lost", err: error });
    }
  };
  return {
    say: (doing) => {
      next = doing;
      writing = writing.then(write);
    },
    settled: () => writing,
  };
}
