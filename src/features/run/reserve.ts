import { isDeepStrictEqual } from "node:util";
import { placeOfRun, targetOfRun } from "../../base/action.ts";
import type { ExecOrder, HowToRun, Reservation } from "../../base/run.ts";
import type { Server } from "../../base/server.ts";
import type { Action } from "../../store/actions.ts";
import type { Run } from "../../store/runs.ts";
import type { Deps } from "../context.ts";
import type { RegisteredRun } from "./run-registry.ts";

/** Which of an action's targets is meant. */
type AtTarget = Parameters<typeof placeOfRun>[0];

/** The sessions of one action, asked for before it is looked at whether it may be sent at all (SR-24). */
export interface Reservations {
  /** Resolves when one of them is there, or will not be; at once where none is asked for. */
  readonly first: () => Promise<Reservation | undefined>;
  /** The one on this server, which is the caller's from now on. */
  readonly take: (server: Server, run: Pick<Run, "server" | "step">) => Promise<Reservation>;
  /** Lets go of all that nobody has taken. */
  readonly release: () => Promise<void>;
}

/**
 * Asks for sessions on as many of an action's servers as are served at once, by the inventory as it is now; the others are asked for
 * when they are taken.
 */
export function reserveFor(deps: Deps, action: Action, watched: RegisteredRun): Reservations {
  const ask = (server: Server, at: AtTarget): Promise<Reservation> =>
    deps.reserve(orderFor(action, { server, at }), watched.signalOn(placeOfRun(at)));
  const asked = new Map<string, { readonly server: Server; readonly reservation: Promise<Reservation> }>();
  for (const target of action.spec.targets.slice(0, deps.config.execution.atOnce)) {
    const server = deps.config.servers.get(target.server);
    if (server) asked.set(placeOfRun(target), { server, reservation: ask(server, target) });
  }
  const dropOne = async (reservation: Promise<Reservation>): Promise<void> => (await reservation).release();
  return {
    first: async () =>
      asked.size === 0 ? undefined : Promise.race([...asked.values()].map(({ reservation }) => reservation)),
    take: async (server, run) => {
      const own = asked.get(placeOfRun(run));
      asked.delete(placeOfRun(run));
      if (own && isDeepStrictEqual(own.server, server)) return own.reservation;
      if (own) await dropOne(own.reservation);
      return ask(server, run);
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
) => deps.reserve(orderFor(action, { server: given.server, at: sent, sent }), given.watched.signalOn(placeOfRun(sent)));

/** The bytes that were approved for this server, and whether they were sent before by a process that is no more. */
function orderFor(
  { spec }: Action,
  { server, at, sent }: { readonly server: Server; readonly at: AtTarget; readonly sent?: Run },
): ExecOrder {
  const target = targetOfRun(spec.targets, at);
  if (target?.server !== server.name) throw new Error(`${server.name} is no server of the action`);
  const { wrapped, jobId, hostKeys } = target;
  const how: HowToRun =
    jobId === null
      ? { mode: "direct" }
      : { mode: "job", jobId, ...(sent?.startedAt ? { resume: { sentAt: sent.startedAt } } : {}) };
  return { server, wrapped, hostKeys, ...how };
}
