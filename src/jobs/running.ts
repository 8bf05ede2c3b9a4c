import type { Stoppable } from "./hold.ts";

/** A command of this process, from just before it is claimed until its end. */
export interface Watched {
  readonly signal: AbortSignal;
  /** The request has left: from now on only a stop that also ends what runs reaches it. */
  readonly sent: () => void;
  readonly release: () => void;
}

/** The commands that this process is running or about to run, so that they can be ended by aborting their signals. */
export interface Running {
  /** To be called before the claim: a stop that comes after the claim has looked then still finds the command. */
  readonly add: (actionId: string, incident: Stoppable) => Watched;
  /** Cancels a run, telling it by whom; false where it is not run here. */
  readonly cancel: (actionId: string, by: string) => boolean;
  /** The incidents that have a command here. */
  readonly incidents: () => readonly Stoppable[];
  /** Ends an incident's commands, those that were not sent yet or all; they are told by whom. */
  readonly stop: (incident: Stoppable, how: { readonly by: string; readonly which: "unsent" | "all" }) => void;
}

export function createRunning(): Running {
  const commands = new Map<string, { readonly incident: Stoppable; readonly abort: AbortController; sent: boolean }>();
  return {
    add: (actionId, incident) => {
      const command = { incident, abort: new AbortController(), sent: false };
      commands.set(actionId, command);
      return {
        signal: command.abort.signal,
        sent: () => {
          command.sent = true;
        },
        release: () => {
          if (commands.get(actionId) === command) commands.delete(actionId);
        },
      };
    },
    cancel: (actionId, by) => {
      const command = commands.get(actionId);
      command?.abort.abort(by);
      return command !== undefined;
    },
    incidents: () => [
      ...new Map(
        [...commands.values()].map(({ incident }) => [`${incident.repoId}#${incident.number}`, incident]),
      ).values(),
    ],
    stop: ({ repoId, number }, { by, which }) => {
      for (const { incident, abort, sent } of commands.values()) {
        const isThere = incident.repoId === repoId && incident.number === number;
        // The first to end a command is the one who did.
        if (isThere && (which === "all" || !sent) && !abort.signal.aborted) abort.abort(by);
      }
    },
  };
}
