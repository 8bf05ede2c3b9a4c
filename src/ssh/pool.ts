import type { Server } from "../types.ts";
import { type Connection, type Dialled, type DialOrder, dial } from "./dial.ts";
import type { Failure } from "./failure.ts";
import { jumpChain } from "./inventory.ts";
import type { Limits } from "./limits.ts";
import { createLine, type Line } from "./line.ts";
import type { SharedConnection } from "./session.ts";

/** A place on an open connection, for one command. */
interface Lease {
  readonly connection: SharedConnection;
  readonly release: () => void;
  /** The server granted fewer sessions than we hoped: others wait now. False where we were alone on it. */
  readonly narrow: () => boolean;
}

type Leased =
  | { readonly kind: "lease"; readonly lease: Lease }
  | { readonly kind: "failed"; readonly failure: Failure }
  | { readonly kind: "cancelled" };

export interface Pool {
  /** A place on the server's connection, opened where there is none. Never throws. */
  readonly lease: (server: Server, signal: AbortSignal) => Promise<Leased>;
  readonly close: () => Promise<void>;
}

interface Entry {
  readonly opened: Promise<Dialled>;
  readonly places: Line;
  readonly running: Set<symbol>;
  readonly stops: Line;
  /** Commands and tunnels that need it; at none the idle time runs. */
  users: number;
  idle?: NodeJS.Timeout;
}

export function createPool(options: {
  readonly servers: ReadonlyMap<string, Server>;
  readonly limits: Limits;
  readonly agentSocket: string | undefined;
}): Pool {
  const { servers, limits } = options;
  const entries = new Map<string, Entry>();
  const handshakes = createLine(limits.handshakesAtOnce);

  const inTurn: DialOrder["inTurn"] = async (handshake) => {
    await handshakes.enter();
    try {
      return await handshake();
    } finally {
      handshakes.leave();
    }
  };

  const open = async (server: Server): Promise<Dialled> => {
    const chain = jumpChain(server, servers);
    if (!chain.ok) return { ...chain, transient: false };
    const jump = chain.chain.at(-1);
    if (jump === undefined)
      return dial({ server, through: undefined, agentSocket: options.agentSocket, limits, inTurn });
    const entry = enter(jump);
    entry.users++;
    const through = await entry.opened;
    const dialled = through.ok
      ? await dial({ server, through: through.connection.client, agentSocket: options.agentSocket, limits, inTurn })
      : { ...through, reason: `the jump host of ${server.name} failed: ${through.reason}` };
    if (dialled.ok) dialled.connection.client.once("close", () => leave(jump, entry));
    else leave(jump, entry);
    return dialled;
  };

  const enter = (server: Server): Entry => {
    const key = keyOf(server);
    const known = entries.get(key);
    if (known !== undefined) return known;
    const entry: Entry = {
      opened: open(server),
      places: createLine(limits.sessionsPerConnection),
      running: new Set(),
      stops: createLine(1),
      users: 0,
    };
    entries.set(key, entry);
    const forget = (): void => {
      clearTimeout(entry.idle);
      if (entries.get(key) === entry) entries.delete(key);
    };
    void entry.opened.then((dialled) => (dialled.ok ? dialled.connection.client.once("close", forget) : forget()));
    return entry;
  };

  const leave = (server: Server, entry: Entry): void => {
    entry.users--;
    if (entry.users > 0 || entries.get(keyOf(server)) !== entry) return;
    entry.idle = setTimeout(() => {
      if (entry.users === 0) void entry.opened.then((dialled) => dialled.ok && dialled.connection.client.end());
    }, limits.idleMs);
    entry.idle.unref();
  };

  const lease = async (server: Server, signal: AbortSignal): Promise<Leased> => {
    const entry = enter(server);
    clearTimeout(entry.idle);
    entry.users++;
    const giveUp = (leased: Leased): Leased => {
      leave(server, entry);
      return leased;
    };
    const dialled = await orAborted(entry.opened, signal);
    if (dialled === "aborted") return giveUp({ kind: "cancelled" });
    if (!dialled.ok) return giveUp({ kind: "failed", failure: dialled });
    if (!(await entry.places.enter(signal))) return giveUp({ kind: "cancelled" });
    const release = (): void => {
      entry.places.leave();
      leave(server, entry);
    };
    if (dialled.connection.closedBecause() !== undefined) {
      release(); // it ended while we waited for a place; nothing was sent, so a new one is safe
      return lease(server, signal);
    }
    const connection: SharedConnection = { ...dialled.connection, running: entry.running, stops: entry.stops };
    const insideAtStart = entry.places.inside();
    const narrow = (): boolean => {
      // Who took the last session may have left by now; what counts is who was there when we asked.
      const others = Math.max(insideAtStart, entry.places.inside()) - 1;
      entry.places.narrow(others);
      return others > 0;
    };
    return { kind: "lease", lease: { connection, release, narrow } };
  };

  return {
    lease,
    close: async () => {
      const all = [...entries.values()];
      entries.clear();
      await Promise.all(
        all.map((entry) => entry.opened.then((dialled) => (dialled.ok ? hangUp(dialled.connection) : undefined))),
      );
    },
  };
}

/** What makes a connection; a changed inventory entry gets a new one. */
function keyOf(server: Server): string {
  const { name, host, port, user, keyFile, keyPassphraseFile, agent, agentSocket, jump, backend } = server;
  const { knownHostsFile, hostKey, hostKeyAlias, sshConfig } = server;
  const login = [user, keyFile, keyPassphraseFile, agent, agentSocket];
  return JSON.stringify([name, host, port, login, knownHostsFile, hostKey, hostKeyAlias, jump, backend, sshConfig]);
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | "aborted"> {
  if (signal.aborted) return Promise.resolve("aborted");
  return new Promise((resolve) => {
    const onAbort = (): void => resolve("aborted");
    signal.addEventListener("abort", onAbort, { once: true });
    void promise.then((value) => {
      signal.removeEventListener("abort", onAbort);
      resolve(value);
    });
  });
}

async function hangUp({ client, closedBecause }: Connection): Promise<void> {
  if (closedBecause() !== undefined) return;
  const closed = new Promise<void>((resolve) => client.once("close", () => resolve()));
  client.end();
  const force = setTimeout(() => client.destroy(), 1_000);
  await closed;
  clearTimeout(force);
}
