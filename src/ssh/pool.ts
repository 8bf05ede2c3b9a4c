import { setTimeout as sleep } from "node:timers/promises";
import type { Server } from "../base/server.ts";
import { type Dialled, type DialOrder, dial, type SshConnection } from "./dial.ts";
import type { SshFailure } from "./failure.ts";
import { jumpChain } from "./inventory.ts";
import type { SshLimits } from "./limits.ts";
import { createLine, type WaitingLine } from "./line.ts";
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
  | { readonly kind: "failed"; readonly failure: SshFailure }
  | { readonly kind: "cancelled" };

export interface Pool {
  /**
   * A place on the server's connection, opened where there is none, or anew where the key it was opened with is not one of
   * `hostKeys`. Never throws.
   */
  readonly lease: (
    server: Server,
    wanted: { readonly signal: AbortSignal; readonly hostKeys?: readonly string[] | undefined },
  ) => Promise<Leased>;
  /**
   * Has a server that is connected prove its host key again, on a connection of its own, where that was longer ago than `freshMs`:
   * one that was replaced behind its address, or takes our login no more, is a failure. One that does not answer now tells nothing of
   * its key, and the open connection still has the one it was made with. Never throws.
   */
  readonly prove: (server: Server, connection: SshConnection) => Promise<SshFailure | undefined>;
  readonly close: () => Promise<void>;
}

interface Entry {
  readonly opened: Promise<Dialled>;
  readonly places: WaitingLine;
  readonly running: Set<symbol>;
  readonly stops: WaitingLine;
  /** Commands and tunnels that need it; at none the idle time runs. */
  users: number;
  idle?: NodeJS.Timeout;
}

export function createPool(options: {
  readonly servers: ReadonlyMap<string, Server>;
  readonly limits: SshLimits;
  readonly agentSocket: string | undefined;
}): Pool {
  const { servers, limits } = options;
  const entries = new Map<string, Entry>();
  const handshakes = createLine(limits.handshakesAtOnce);
  /** The newest proof of each server's key: when it was given, or that it is being waited for. */
  const proofs = new Map<string, { at: number; readonly failure: Promise<SshFailure | undefined> }>();

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
    if (entry.users > 0) return;
    const end = (): void => {
      if (entry.users === 0) void entry.opened.then((dialled) => dialled.ok && dialled.connection.client.end());
    };
    // One that was given up for another is of no use any more.
    const isCurrent = entries.get(keyOf(server)) === entry;
    entry.idle = setTimeout(end, isCurrent ? limits.idleMs : 0);
    entry.idle.unref();
  };

  const lease: Pool["lease"] = async (server, wanted) => {
    const { signal, hostKeys } = wanted;
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
    if (!isOneOf(dialled.connection, hostKeys)) {
      const isOld = Date.now() - dialled.connection.provedAt > limits.freshMs;
      // Others end what they have begun on it; a new one is made with the keys of now.
      if (isOld && entries.get(keyOf(server)) === entry) entries.delete(keyOf(server));
      const refused = giveUp({ kind: "failed", failure: otherKey(server, dialled.connection) });
      return isOld ? lease(server, wanted) : refused;
    }
    if (!(await entry.places.enter(signal))) return giveUp({ kind: "cancelled" });
    const release = (): void => {
      entry.places.leave();
      leave(server, entry);
    };
    if (dialled.connection.closedBecause() !== undefined) {
      release(); // it ended while we waited for a place; nothing was sent, so a new one is safe
      return lease(server, wanted);
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

  const proveNow = async (server: Server): Promise<SshFailure | undefined> => {
    const dialling = open(server).then((dialled) => {
      if (dialled.ok) dialled.connection.client.end();
      return dialled;
    });
    const dialled = await Promise.race([dialling, sleep(limits.proveMs, undefined, { ref: false })]);
    return dialled?.ok === false && dialled.identity ? dialled : undefined;
  };

  const prove: Pool["prove"] = async (server, { provedAt }) => {
    const isFresh = (at: number): boolean => Date.now() - at <= limits.freshMs;
    if (isFresh(provedAt)) return undefined;
    const key = keyOf(server);
    const known = proofs.get(key);
    if (known && isFresh(known.at)) return known.failure;
    const proof = { at: Number.POSITIVE_INFINITY, failure: proveNow(server) };
    proofs.set(key, proof);
    const failure = await proof.failure;
    proof.at = Date.now();
    return failure;
  };

  return {
    lease,
    prove,
    close: async () => {
      const all = [...entries.values()];
      entries.clear();
      await Promise.all(
        all.map((entry) => entry.opened.then((dialled) => (dialled.ok ? hangUp(dialled.connection) : undefined))),
      );
    },
  };
}

/** Whether a connection was made with one of these keys. What an authority vouches for, ssh itself has held against it. */
const isOneOf = ({ hostKey }: SshConnection, hostKeys: readonly string[] | undefined): boolean =>
  hostKeys === undefined || hostKeys.includes(hostKey) || hostKeys.some((key) => key.startsWith("authority "));

const otherKey = (server: Server, { hostKey }: SshConnection): SshFailure => ({
  reason: `${server.name} shows the host key ${hostKey}, which is not the one that was approved; nothing was sent`,
  remedy: "propose the command again, for the server as it is now",
  transient: false,
  identity: true,
});

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

async function hangUp({ client, closedBecause }: SshConnection): Promise<void> {
  if (closedBecause() !== undefined) return;
  const closed = new Promise<void>((resolve) => client.once("close", () => resolve()));
  client.end();
  const force = setTimeout(() => client.destroy(), 1_000);
  await closed;
  clearTimeout(force);
}
