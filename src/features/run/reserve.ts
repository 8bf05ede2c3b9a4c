import { isDeepStrictEqual } from "node:util";
import type { ExecOrder, HowToRun, Reservation } from "../../base/run.ts";
import type { Server } from "../../base/server.ts";
import type { Action } from "../../store/actions.ts";
import type { Run } from "../../store/runs.ts";
import type { Deps } from "../context.ts";
import type { RegisteredRun } from "./run-registry.ts";

/** The sessions of one action, asked for before it is looked at whether it may be sent at all (SR-24). */
export interface Reservations {
  /** Resolves when one of them is there, or will not be; at once where none is asked for. */
  readonly first: () => Promise<Reservation | undefined>;
  /** The one on this server, which is the caller's from now on. */
  readonly take: (server: Server) => Promise<Reservation>;
  /** Lets go of all that nobody has taken. */
  readonly release: () => Promise<void>;
}

/**
 * Asks for sessions on as many of an action's servers as are served at once, by the inventory as it is now; the others are asked for
 * when they are taken.
 */
export function reserveFor(deps: Deps, action: Action, watched: RegisteredRun): Reservations {
  const ask = (server: Server): Promise<Reservation> =>
    deps.reserve(orderFor(action, server), watched.signalOn(server.name));
  const asked = new Map<string, { readonly server: Server; readonly reservation: Promise<Reservation> }>();
  for (const target of action.spec.targets.slice(0, deps.config.execution.atOnce)) {
    const server = deps.config.servers.get(target.server);
    if (server) asked.set(server.name, { server, reservation: ask(server) });
  }
  const dropOne = async (reservation: Promise<Reservation>): Promise<void> => (await reservation).release();
  return {
    first: async () =>
      asked.size === 0 ? undefined : Promise.race([...asked.values()].map(({ reservation }) => reservation)),
    take: async (server) => {
      const own = asked.get(server.name);
      asked.delete(server.name);
      if (own && isDeepStrictEqual(own.server, server)) return own.reservation;
      if (own) await dropOne(own.reservation);
      return ask(server);
    },
    release: async () => {
      const left = [...asked.values()];
      asked.clear();
      await Promise.all(left.map(({ reservation }) => dropOne(reservation)));
    },
  };
}

/** For a run that an earlier process may have sent: it is found again, and nothing is sent that could start it. */
export const reserveAgain = (
  deps: Deps,
  action: Action,
  sent: Run,
  given: { server: Server; watched: RegisteredRun },
) => deps.reserve(orderFor(action, given.server, sent), given.watched.signalOn(given.server.name));

/** The bytes that were approved for this server, and whether they were sent before by a process that is no more. */
function orderFor({ spec }: Action, server: Server, sent?: Run): ExecOrder {
  const target = spec.targets.find((candidate) => candidate.server === server.name);
  if (!target) throw new Error(`${server.name} is no server of the action`);
  const { wrapped, jobId, hostKeys } = target;
  const how: HowToRun =
    jobId === null
      ? { mode: "direct" }
      : { mode: "job", jobId, ...(sent?.startedAt ? { resume: { sentAt: sent.startedAt } } : {}) };
  return { server, wrapped, hostKeys, ...how };
}
