import type { Stopper } from "../../base/run.ts";
import type { StoppableIncident } from "../incident/hold.ts";

/** A command from just before its claim to its end. */
export interface RegisteredRun {
  /** Aborted: end it everywhere. */
  readonly signal: AbortSignal;
  readonly signalOn: (server: string) => AbortSignal;
  /** The request has left; only a stop of running commands still reaches it. */
  readonly sent: (server: string) => void;
  readonly drawnBy: (draw: () => Promise<void>) => void;
  readonly release: () => void;
}

/** This process's commands. */
export interface RunRegistry {
  /** Call it before the claim: a stop that the claim misses still finds the command. */
  readonly add: (actionId: string, incident: StoppableIncident) => RegisteredRun;
  /** Ends its command, if it runs here; `by` is a login. */
  readonly cancel: (actionId: string, by: string, server?: string) => void;
  /** Stores and shows its output so far. */
  readonly draw: (actionId: string) => Promise<void>;
  readonly actionIds: () => readonly string[];
  readonly incidents: () => readonly StoppableIncident[];
  readonly stop: (incident: StoppableIncident, how: { readonly by: Stopper; readonly which: "unsent" | "all" }) => void;
}

interface Command {
  readonly incident: StoppableIncident;
  readonly everywhere: AbortController;
  readonly on: Map<string, AbortController>;
  readonly sent: Set<string>;
  draw: () => Promise<void>;
}

export function createRunRegistry(): RunRegistry {
  const commands = new Map<string, Command>();
  return {
    add: (actionId, incident) => {
      const command: Command = {
        incident,
        everywhere: new AbortController(),
        on: new Map(),
        sent: new Set(),
        draw: async () => {},
      };
      commands.set(actionId, command);
      return {
        signal: command.everywhere.signal,
        signalOn: (server) => AbortSignal.any([command.everywhere.signal, controllerOf(command, server).signal]),
        sent: (server) => {
          command.sent.add(server);
        },
        drawnBy: (draw) => {
          command.draw = draw;
        },
        release: () => {
          if (commands.get(actionId) === command) commands.delete(actionId);
        },
      };
    },
    cancel: (actionId, by, server) => {
      const command = commands.get(actionId);
      if (command) end(server === undefined ? command.everywhere : controllerOf(command, server), { by });
    },
    draw: async (actionId) => commands.get(actionId)?.draw(),
    actionIds: () => [...commands.keys()],
    incidents: () => [
      ...new Map(
        [...commands.values()].map(({ incident }) => [`${incident.repoId}#${incident.number}`, incident]),
      ).values(),
    ],
    stop: ({ repoId, number }, { by, which }) => {
      for (const { incident, everywhere, on, sent } of commands.values()) {
        if (incident.repoId !== repoId || incident.number !== number) continue;
        if (which === "all" || sent.size === 0) end(everywhere, by);
        else for (const [server, controller] of on) if (!sent.has(server)) end(controller, by);
      }
    },
  };
}

function end(controller: AbortController, by: Stopper): void {
  if (!controller.signal.aborted) controller.abort(by);
}

function controllerOf({ on }: Command, server: string): AbortController {
  const controller = on.get(server) ?? new AbortController();
  on.set(server, controller);
  return controller;
}
