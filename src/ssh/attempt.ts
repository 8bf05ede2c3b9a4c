import { setTimeout as sleep } from "node:timers/promises";
import type { Server } from "../base/server.ts";
import { backoffMs } from "../base/sleep.ts";
import type { SshLimits } from "./limits.ts";
import type { Pool } from "./pool.ts";
import {
  openSession,
  type SessionPlace,
  type SessionResult,
  type SessionSending,
  type SharedConnection,
  type Unsent,
} from "./session.ts";
import { saysWindows, wrongSystem } from "./windows/exit.ts";

/** What everything sent to a server needs. */
export interface Means {
  readonly pool: Pool;
  readonly limits: SshLimits;
  /** Aborted once no new connection may be opened. */
  readonly closing: AbortSignal;
}

/** What is waited for: a session on whatever connection the server has. */
export type Wanted = Pick<SessionPlace, "command" | "tty" | "signal"> & {
  /** Fingerprints of which the connection's host key must be one; any key that the inventory pins, where nothing is said. */
  readonly hostKeys?: readonly string[] | undefined;
};

export type Sending = Wanted &
  Omit<SessionSending, "windows"> & {
    /** The connection it goes over, told before anything is sent. */
    readonly onConnection?: (connection: SharedConnection) => void;
  };

export interface Attempt {
  readonly result: SessionResult;
  readonly hostKey?: string;
  /** The server says that it runs Windows. */
  readonly windows?: boolean;
}

/** An open session of our own. */
export interface Place {
  readonly kind: "place";
  readonly connection: SharedConnection;
  /** Sends the command within this very tick, follows it to its end and leaves. Never rejects. */
  readonly send: (sending: SessionSending) => Promise<Attempt>;
  /** Leaves; nothing happens where the command was sent. */
  readonly leave: () => void;
}

/** Nothing was sent, and nothing will be. */
export interface NoPlace extends Attempt {
  readonly kind: "none";
  readonly result: Unsent;
}

/** Sends one command line once and follows its session to its end. Never throws. */
export async function sendOnce(means: Means, server: Server, sending: Sending): Promise<Attempt> {
  const place = await acquire(means, server, sending);
  if (place.kind === "none") return place;
  sending.onConnection?.(place.connection);
  return place.send(sending);
}

/**
 * Waits for all that a command needs before it can be sent: a connection, a place on it, an open session. Tries again only where the
 * server refused a session because others are open or have only just closed: nothing was sent then. Never throws.
 */
export async function acquire({ pool, limits }: Means, server: Server, wanted: Wanted): Promise<Place | NoPlace> {
  let refusals = 0;
  for (;;) {
    const leased = await pool.lease(server, wanted);
    if (leased.kind !== "lease") return { kind: "none", result: leased };
    const { connection, release, narrow } = leased.lease;
    const { client, hostKey } = connection;
    const windows = saysWindows(client);
    const wrong = windows ? wrongSystem(server, wanted.command) : undefined;
    if (wrong !== undefined) {
      release();
      return { kind: "none", result: { kind: "failed", failure: wrong }, hostKey, windows };
    }
    const session = await openSession({ ...wanted, connection, serverName: server.name, limits });
    if (session.kind === "open") {
      let isOver = false;
      return {
        kind: "place",
        connection,
        send: async (sending) => {
          isOver = true;
          const result = await session.send({ ...sending, windows: server.os === "windows" });
          release();
          return { result, hostKey, windows };
        },
        leave: () => {
          if (isOver) return;
          isOver = true;
          session.close();
          release();
        },
      };
    }
    const refused = session.kind === "no-session";
    const waitsForOthers = refused && narrow();
    release();
    // A server frees a session a moment after we have seen it close. Nothing was sent, so asking again is safe.
    const mayFreeOne = !waitsForOthers && refused && refusals++ < maxRefusals;
    if (!waitsForOthers && !mayFreeOne) return { kind: "none", result: session, hostKey, windows };
    await sleep(backoffMs(refusals, { baseMs: 50, mostMs: 800 }));
  }
}

/** How often a refused session is asked for again where nobody else of ours holds one: about a second in all. */
const maxRefusals = 3;
