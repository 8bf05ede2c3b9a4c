import type { Server } from "../base/server.ts";
import { type Dialled, type DialOrder, dial, type SshConnection } from "./dial.ts";
import { jumpChain } from "./inventory.ts";
import type { SshLimits } from "./limits.ts";
import { createLine, type WaitingLine } from "./line.ts";
import { cutOff } from "./wire.ts";

/** A connection that is open or being opened, with all that those who share it must know of one another. */
interface Entry {
  readonly opened: Promise<Dialled>;
  readonly places: WaitingLine;
  readonly running: Set<symbol>;
  readonly stops: WaitingLine;
  /** The connection is known to have ended, or is ending: its `close` may be yet to come. */
  readonly hasEnded: () => boolean;
  /** Commands and tunnels that need it; at none the idle time runs. */
  users: number;
  idle?: NodeJS.Timeout;
}

/** One connection for each server, opened for the first who needs it and closed a while after the last. */
export interface Connections {
  /** Never gives out a connection that is known to have ended. What it gives out stays open at least until `leave`. */
  readonly enter: (server: Server) => Entry;
  readonly leave: (server: Server, entry: Entry) => void;
  /** Gives it up for a new one, which the next to enter opens; others end what they have begun on it. */
  readonly replace: (server: Server, entry: Entry) => void;
  /** Opens one that is in no entry, for the caller alone. */
  readonly open: (server: Server) => Promise<Dialled>;
  readonly close: () => Promise<void>;
}

export interface ConnectionsOptions {
  readonly servers: ReadonlyMap<string, Server>;
  readonly limits: SshLimits;
  readonly agentSocket: string | undefined;
}

export function createConnections({ servers, limits, agentSocket }: ConnectionsOptions): Connections {
  const entries = new Map<string, Entry>();
  const inTurn = takeTurns(limits.handshakesAtOnce);

  const open = async (server: Server): Promise<Dialled> => {
    const chain = jumpChain(server, servers);
    if (!chain.ok) return { ...chain, transient: false };
    const jump = chain.chain.at(-1);
    if (jump === undefined) return dial({ server, through: undefined, agentSocket, limits, inTurn });
    const entry = enter(jump);
    const through = await entry.opened;
    const dialled = through.ok
      ? await dial({ server, through: through.connection.client, agentSocket, limits, inTurn })
      : { ...through, reason: `the jump host of ${server.name} failed: ${through.reason}` };
    if (dialled.ok) dialled.connection.client.once("close", () => leave(jump, entry));
    else leave(jump, entry);
    return dialled;
  };

  const enter = (server: Server): Entry => {
    const entry = currentOf(server) ?? add(server);
    clearTimeout(entry.idle);
    entry.users++;
    return entry;
  };
  const add = (server: Server): Entry => {
    const places = createLine(limits.sessionsPerConnection);
    let connection: SshConnection | undefined;
    const entry: Entry = {
      opened: open(server),
      places,
      running: new Set(),
      stops: createLine(1),
      hasEnded: () => connection?.closedBecause() !== undefined,
      users: 0,
    };
    entries.set(connectionKey(server), entry);
    const forget = (): void => {
      clearTimeout(entry.idle);
      replace(server, entry);
    };
    void entry.opened.then((dialled) => {
      if (!dialled.ok) return forget();
      connection = dialled.connection;
      connection.client.once("close", forget);
      // What ended before anybody listened does not say so again.
      if (entry.hasEnded()) forget();
    });
    return entry;
  };
  /** ssh2 tells a reset by `error` or `end`, and `close` only in a later turn of the loop. */
  const currentOf = (server: Server): Entry | undefined => {
    const entry = entries.get(connectionKey(server));
    return entry?.hasEnded() ? undefined : entry;
  };
  const replace = (server: Server, entry: Entry): void => {
    if (entries.get(connectionKey(server)) === entry) entries.delete(connectionKey(server));
  };

  const leave = (server: Server, entry: Entry): void => {
    entry.users--;
    if (entry.users > 0) return;
    const end = (): void => {
      replace(server, entry);
      void entry.opened.then(hangUp);
    };
    // One that was given up for another is of no use any more.
    entry.idle = setTimeout(end, currentOf(server) === entry ? limits.idleMs : 0);
    entry.idle.unref();
  };

  const close = async (): Promise<void> => {
    const all = [...entries.values()];
    entries.clear();
    await Promise.all(all.map(({ opened }) => opened.then(hangUp)));
  };
  return { enter, leave, replace, open, close };
}

/** So many handshakes at once; the others wait. */
function takeTurns(atOnce: number): DialOrder["inTurn"] {
  const handshakes = createLine(atOnce);
  return async (handshake) => {
    await handshakes.enter();
    try {
      return await handshake();
    } finally {
      handshakes.leave();
    }
  };
}

/** What makes a connection; a changed inventory entry gets a new one. */
export function connectionKey(server: Server): string {
  const { name, host, port, user, keyFile, keyPassphraseFile, agent, agentSocket, jump, backend } = server;
  const { knownHostsFile, hostKey, hostKeyAlias, sshConfig } = server;
  const login = [user, keyFile, keyPassphraseFile, agent, agentSocket];
  return JSON.stringify([name, host, port, login, knownHostsFile, hostKey, hostKeyAlias, jump, backend, sshConfig]);
}

/** Ends a connection that nobody is given any more, at the latest after a second, whether its server is still there or not. */
export async function hangUp(dialled: Dialled): Promise<void> {
  if (!dialled.ok || dialled.connection.closedBecause() !== undefined) return;
  const { client } = dialled.connection;
  const closed = new Promise<void>((resolve) => client.once("close", () => resolve()));
  client.end();
  const force = setTimeout(cutOff, 1_000, client);
  await closed;
  clearTimeout(force);
}
