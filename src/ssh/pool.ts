import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs, isOlderThan, sleep as sleepUntil } from "../base/clock.ts";
import { createLine, type WaitingLine } from "../base/line.ts";
import type { Server } from "../base/server.ts";
import { type DialOrder, type DialResult, dial, type SshConnection } from "./dial.ts";
import type { SshFailure } from "./failure.ts";
import { jumpChain } from "./inventory.ts";
import type { SystemLogin } from "./keys/identity.ts";
import type { SshLimits } from "./limits.ts";
import {
  type OpenSession,
  openSession,
  type SessionPlace,
  type SharedConnection,
  type UnsentReason,
} from "./session.ts";
import type { Certify } from "./signed.ts";
import { saysWindows } from "./windows/decode.ts";
import { cutOff } from "./wire.ts";

interface Lease {
  readonly connection: SharedConnection;
  readonly release: () => void;
  /** Lowers the places to what the server grants; false if no other session was open. */
  readonly narrow: () => boolean;
}

type LeaseResult =
  | { readonly kind: "lease"; readonly lease: Lease }
  | { readonly kind: "failed"; readonly failure: SshFailure }
  | { readonly kind: "cancelled" };

interface Pool {
  /** Waits for a place on the server's connection. Replaces an old connection whose key is not in `hostKeys`. Never throws. */
  readonly lease: (
    server: Server,
    wanted: { readonly signal: AbortSignal; readonly hostKeys?: readonly string[] | undefined },
  ) => Promise<LeaseResult>;
  /**
   * Makes a server prove its host key again, on another connection, if the last proof is older than `freshMs`. Fails if the server was
   * replaced or refuses our login, not if it is silent: the open connection keeps its verified key. Never throws.
   */
  readonly prove: (server: Server, connection: SshConnection) => Promise<SshFailure | undefined>;
  /** Opens a connection for the one command of a certificate, which nothing else may use. Never throws. */
  readonly openSigned: (
    server: Server,
    wanted: { readonly login: SystemLogin; readonly hostKeys?: readonly string[] | undefined },
  ) => Promise<DialResult>;
  readonly close: () => Promise<void>;
}

export function createPool(options: ConnectionsOptions): Pool {
  const { limits } = options;
  const connections = createConnections(options);

  const lease: Pool["lease"] = async (server, { signal, hostKeys }) => {
    let ended = "";
    for (let tries = 0; tries < limits.dialAttempts; tries++) {
      if (tries > 0) await sleepUntil(backoffMs(tries - 1, { baseMs: limits.retryBaseMs / 2, spread: 2 }), signal);
      const entry = connections.enter(server);
      const giveUp = (leased: LeaseResult): LeaseResult => {
        connections.leave(server, entry);
        return leased;
      };
      const dialled = await orAborted(entry.opened, signal);
      if (dialled === "aborted") return giveUp({ kind: "cancelled" });
      if (!dialled.ok) return giveUp({ kind: "failed", failure: dialled });
      const { connection } = dialled;
      if (!isOneOf(connection, hostKeys)) {
        const isOld = isOlderThan(limits.freshMs, connection.provedAt);
        if (isOld) connections.replace(server, entry);
        const failure = otherKey(server, connection);
        const refused = giveUp({ kind: "failed", failure });
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
        release(); // nothing was sent, so a new one is safe
        ended = closedBecause;
        continue;
      }
      const insideAtStart = entry.places.inside();
      const narrow = (): boolean => {
        // One may have left since the request.
        const others = Math.max(insideAtStart, entry.places.inside()) - 1;
        entry.places.narrow(others);
        return others > 0;
      };
      const shared: SharedConnection = { ...connection, running: entry.running, stops: entry.stops };
      return { kind: "lease", lease: { connection: shared, release, narrow } };
    }
    const failure = {
      reason: `${server.name} took the login and then ended the connection, several times in a row (${ended}); nothing was sent`,
      remedy: "see the log of its sshd, and try again",
      transient: false,
    };
    return { kind: "failed", failure };
  };

  const proofs = new Map<string, HostKeyProof>();
  const isFresh = (at: number): boolean => !isOlderThan(limits.freshMs, at);

  const proveNow = async (server: Server): Promise<SshFailure | undefined> => {
    const dialling = connections.open(server);
    void dialling.then(hangUp);
    const dialled = await Promise.race([dialling, sleep(limits.proveMs, undefined, { ref: false })]);
    return dialled?.ok === false && dialled.identity ? dialled : undefined;
  };

  const prove: Pool["prove"] = async (server, { provedAt }) => {
    if (isFresh(provedAt)) return undefined;
    const key = connectionKey(server);
    const known = proofs.get(key);
    if (known && (known.at === undefined || isFresh(known.at))) return known.failure;
    const proof: HostKeyProof = { failure: proveNow(server) };
    proofs.set(key, proof);
    const failure = await proof.failure;
    proof.at = Date.now();
    return failure;
  };
  const signed = new Set<DialResult>();
  const openSigned: Pool["openSigned"] = async (server, { login, hostKeys }) => {
    const dialled = await connections.open(server, login);
    if (!dialled.ok) return dialled;
    const { connection } = dialled;
    if (!isOneOf(connection, hostKeys)) {
      void hangUp(dialled);
      return { ok: false, ...otherKey(server, connection) };
    }
    signed.add(dialled);
    connection.client.once("close", () => signed.delete(dialled));
    return dialled;
  };
  const close = async (): Promise<void> => {
    await Promise.all([connections.close(), ...[...signed].map(hangUp)]);
  };
  return { lease, prove, openSigned, close };
}

const otherKey = ({ name }: Server, { hostKey }: SshConnection) => ({
  reason: `${name} shows the host key ${hostKey}, which is not the one that was approved; nothing was sent`,
  remedy: "propose the command again, for the server as it is now",
  transient: false,
  identity: true,
});

interface HostKeyProof {
  /** Absent until it ended. */
  at?: number;
  readonly failure: Promise<SshFailure | undefined>;
}

/** ssh itself has checked certificates. */
const isOneOf = ({ hostKey }: SshConnection, hostKeys: readonly string[] | undefined): boolean =>
  hostKeys === undefined || hostKeys.includes(hostKey) || hostKeys.some((key) => key.startsWith("authority "));

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

interface ConnectionEntry {
  readonly opened: Promise<DialResult>;
  readonly places: WaitingLine;
  readonly running: Set<symbol>;
  readonly stops: WaitingLine;
  /** True once it is ending, before `close`. */
  readonly hasEnded: () => boolean;
  /** Commands and tunnels. */
  users: number;
  idle?: NodeJS.Timeout;
}

interface Connections {
  /** Never returns one known to have ended. It stays open at least until `leave`. */
  readonly enter: (server: Server) => ConnectionEntry;
  readonly leave: (server: Server, entry: ConnectionEntry) => void;
  /** The next `enter` opens a new one; users finish on this one. */
  readonly replace: (server: Server, entry: ConnectionEntry) => void;
  readonly open: (server: Server, login?: SystemLogin) => Promise<DialResult>;
  readonly close: () => Promise<void>;
}

interface ConnectionsOptions {
  readonly servers: ReadonlyMap<string, Server>;
  readonly limits: SshLimits;
  readonly agentSocket: string | undefined;
}

function createConnections({ servers, limits, agentSocket }: ConnectionsOptions): Connections {
  const entries = new Map<string, ConnectionEntry>();
  const handshakes = createLine(limits.handshakesAtOnce);
  const inTurn: DialOrder["inTurn"] = async (handshake) => {
    await handshakes.enter();
    try {
      return await handshake();
    } finally {
      handshakes.leave();
    }
  };

  const open: Connections["open"] = async (server, login) => {
    const chain = jumpChain(server, servers);
    if (!chain.ok) return { ...chain, transient: false };
    const jump = chain.chain.at(-1);
    if (jump === undefined) return dial({ server, through: undefined, agentSocket, login, limits, inTurn });
    const entry = enter(jump);
    const through = await entry.opened;
    const dialled = through.ok
      ? await dial({ server, through: through.connection.client, agentSocket, login, limits, inTurn })
      : { ...through, reason: `the jump host of ${server.name} failed: ${through.reason}` };
    if (dialled.ok) dialled.connection.client.once("close", () => leave(jump, entry));
    else leave(jump, entry);
    return dialled;
  };

  const enter = (server: Server): ConnectionEntry => {
    const entry = currentOf(server) ?? add(server);
    clearTimeout(entry.idle);
    entry.users++;
    return entry;
  };
  const add = (server: Server): ConnectionEntry => {
    const places = createLine(limits.sessionsPerConnection);
    let connection: SshConnection | undefined;
    const entry: ConnectionEntry = {
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
      // If it has ended already, `close` does not come again.
      if (entry.hasEnded()) forget();
    });
    return entry;
  };
  /** ssh2 reports a reset by `error` or `end`, and emits `close` in a later turn. */
  const currentOf = (server: Server): ConnectionEntry | undefined => {
    const entry = entries.get(connectionKey(server));
    return entry?.hasEnded() ? undefined : entry;
  };
  const replace = (server: Server, entry: ConnectionEntry): void => {
    if (entries.get(connectionKey(server)) === entry) entries.delete(connectionKey(server));
  };

  const leave = (server: Server, entry: ConnectionEntry): void => {
    entry.users--;
    if (entry.users > 0) return;
    const end = (): void => {
      replace(server, entry);
      void entry.opened.then(hangUp);
    };
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

/** If the inventory changes any of these, the server gets a new connection. */
function connectionKey(server: Server): string {
  const { name, host, port, user, keyFile, keyPassphraseFile, agent, agentSocket, jump, backend } = server;
  const { knownHostsFile, hostKey, hostKeyAlias, sshConfig } = server;
  const login = [user, keyFile, keyPassphraseFile, agent, agentSocket];
  return JSON.stringify([name, host, port, login, knownHostsFile, hostKey, hostKeyAlias, jump, backend, sshConfig]);
}

/** Ends an unused connection within a second, even if its server is gone. */
export async function hangUp(dialled: DialResult): Promise<void> {
  if (!dialled.ok || dialled.connection.closedBecause() !== undefined) return;
  const { client } = dialled.connection;
  const closed = new Promise<void>((resolve) => client.once("close", () => resolve()));
  client.end();
  const force = setTimeout(cutOff, 1_000, client);
  await closed;
  clearTimeout(force);
}

export interface Means {
  readonly pool: Pool;
  /** Absent if no server has a signer. */
  readonly certify?: Certify | undefined;
  readonly limits: SshLimits;
  /** Aborted once no connection may be opened. */
  readonly closing: AbortSignal;
}

/** Nothing was sent, and nothing will be. */
export interface NoSession {
  readonly kind: "none";
  readonly result: UnsentReason;
  readonly hostKey?: string;
  /** The server says that it runs Windows. */
  readonly windows?: boolean;
  /** The signer let no such job begin since then, in ms since the epoch. */
  readonly noJobSince?: number;
}

export const noSession = (reason: string, remedy: string): NoSession => ({
  kind: "none",
  result: { kind: "failed", failure: { reason, remedy, transient: false } },
});

/** About a second in all, if no other session is open there. */
const maxRefusals = 3;

/**
 * Waits for all a command needs before it is sent. Retries only if the server refused a session because others are open or just closed:
 * nothing was sent then. Never throws.
 */
export async function acquire(
  { pool, limits }: Means,
  server: Server,
  wanted: Pick<SessionPlace, "command" | "tty" | "signal"> & {
    /** Allowed fingerprints; any pinned key if absent. */
    readonly hostKeys?: readonly string[] | undefined;
  },
): Promise<OpenSession | NoSession> {
  let refusals = 0;
  for (;;) {
    const leased = await pool.lease(server, wanted);
    if (leased.kind !== "lease") return { kind: "none", result: leased };
    const { connection, release, narrow } = leased.lease;
    const { client, hostKey } = connection;
    const windows = saysWindows(client);
    // The line was made for Linux.
    if (windows && /^(?:exec )?env -u /.test(wanted.command)) {
      release();
      const failure = {
        reason: `${server.name} runs Windows, and the command was made for Linux; nothing was run`,
        remedy: "write `os: windows` and its `shell:` (powershell or cmd) in the inventory, and propose it again",
        transient: false,
      };
      return { kind: "none", result: { kind: "failed", failure }, hostKey, windows };
    }
    const session = await openSession({ ...wanted, connection, server, limits, leave: release });
    if (session.kind === "open") return session;
    const refused = session.kind === "no-session";
    const waitsForOthers = refused && narrow();
    release();
    // A server frees a session a moment after its close; nothing was sent.
    const mayFreeOne = !waitsForOthers && refused && refusals++ < maxRefusals;
    if (!waitsForOthers && !mayFreeOne) return { kind: "none", result: session, hostKey, windows };
    await sleep(backoffMs(refusals, { baseMs: 50, mostMs: 800 }));
  }
}
