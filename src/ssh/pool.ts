import { setTimeout as sleep } from "node:timers/promises";
import { isOlderThan } from "../base/clock.ts";
import type { Server } from "../base/server.ts";
import { backoffMs, sleep as sleepUntil } from "../base/sleep.ts";
import { type Connections, type ConnectionsOptions, connectionKey, createConnections, hangUp } from "./connections.ts";
import type { SshConnection } from "./dial.ts";
import type { SshFailure } from "./failure.ts";
import type { SshLimits } from "./limits.ts";
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

export function createPool(options: ConnectionsOptions): Pool {
  const { limits } = options;
  const connections = createConnections(options);
  return {
    lease: (server, wanted) => lease({ connections, limits }, server, wanted),
    prove: createProof(connections, limits),
    close: connections.close,
  };
}

async function lease(
  { connections, limits }: { readonly connections: Connections; readonly limits: SshLimits },
  server: Server,
  { signal, hostKeys }: Parameters<Pool["lease"]>[1],
): Promise<Leased> {
  let ended = "";
  for (let tries = 0; tries < limits.dialAttempts; tries++) {
    if (tries > 0) await sleepUntil(backoffMs(tries - 1, { baseMs: limits.retryBaseMs / 2, spread: 2 }), signal);
    const entry = connections.enter(server);
    const giveUp = (leased: Leased): Leased => {
      connections.leave(server, entry);
      return leased;
    };
    const dialled = await orAborted(entry.opened, signal);
    if (dialled === "aborted") return giveUp({ kind: "cancelled" });
    if (!dialled.ok) return giveUp({ kind: "failed", failure: dialled });
    const { connection } = dialled;
    if (!isOneOf(connection, hostKeys)) {
      const isOld = isOlderThan(limits.freshMs, connection.provedAt);
      // A new one is made with the keys of now.
      if (isOld) connections.replace(server, entry);
      const refused = giveUp({ kind: "failed", failure: otherKey(server, connection) });
      if (isOld && tries + 1 < limits.dialAttempts) continue;
      return refused;
    }
    if (!(await entry.places.enter(signal))) return giveUp({ kind: "cancelled" });
    const release = (): void => {
      entry.places.leave();
      connections.leave(server, entry);
    };
    const closedBecause = connection.closedBecause();
    if (closedBecause !== undefined) {
      release(); // it ended while we waited for a place; nothing was sent, so a new one is safe
      ended = closedBecause;
      continue;
    }
    const insideAtStart = entry.places.inside();
    const narrow = (): boolean => {
      // Who took the last session may have left by now; what counts is who was there when we asked.
      const others = Math.max(insideAtStart, entry.places.inside()) - 1;
      entry.places.narrow(others);
      return others > 0;
    };
    const shared: SharedConnection = { ...connection, running: entry.running, stops: entry.stops };
    return { kind: "lease", lease: { connection: shared, release, narrow } };
  }
  return { kind: "failed", failure: keepsEnding(server, ended) };
}

interface Proof {
  /** When it was there; absent while it is not. */
  at?: number;
  readonly failure: Promise<SshFailure | undefined>;
}

/** Proves host keys again; each server's newest proof is kept, and waited for by all who want it. */
function createProof({ open }: Connections, limits: SshLimits): Pool["prove"] {
  const proofs = new Map<string, Proof>();
  const isFresh = (at: number): boolean => !isOlderThan(limits.freshMs, at);

  const proveNow = async (server: Server): Promise<SshFailure | undefined> => {
    const dialling = open(server);
    void dialling.then(hangUp);
    const dialled = await Promise.race([dialling, sleep(limits.proveMs, undefined, { ref: false })]);
    return dialled?.ok === false && dialled.identity ? dialled : undefined;
  };

  return async (server, { provedAt }) => {
    if (isFresh(provedAt)) return undefined;
    const key = connectionKey(server);
    const known = proofs.get(key);
    if (known && (known.at === undefined || isFresh(known.at))) return known.failure;
    const proof: Proof = { failure: proveNow(server) };
    proofs.set(key, proof);
    const failure = await proof.failure;
    proof.at = Date.now();
    return failure;
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

const keepsEnding = ({ name }: Server, why: string): SshFailure => ({
  reason: `${name} took the login and then ended the connection, several times in a row (${why}); nothing was sent`,
  remedy: "see the log of its sshd, and try again",
  transient: false,
});

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
