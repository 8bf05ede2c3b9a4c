import { setTimeout as sleep } from "node:timers/promises";
import type { Server } from "../types.ts";
import type { Limits } from "./limits.ts";
import type { Pool } from "./pool.ts";
import { runSession, type SessionOrder, type SessionResult, type SharedConnection } from "./session.ts";
import { saysWindows, wrongSystem } from "./windows.ts";

/** What everything sent to a server needs. */
export interface Means {
  readonly pool: Pool;
  readonly limits: Limits;
  /** Aborted once no new connection may be opened. */
  readonly closing: AbortSignal;
}

/** A session on whatever connection the server has. */
export type Sending = Omit<SessionOrder, "connection" | "serverName" | "limits"> & {
  /** The connection it goes over, told before anything is sent. */
  readonly onConnection?: (connection: SharedConnection) => void;
};

export interface Attempt {
  readonly result: SessionResult;
  readonly hostKey?: string;
  /** The server says that it runs Windows. */
  readonly windows?: boolean;
}

/**
 * Sends one command line once and follows its session to its end. Tries again only where the server refused a session
 * because others are open or have only just closed: then nothing was sent. Never throws.
 */
export async function sendOnce({ pool, limits }: Means, server: Server, sending: Sending): Promise<Attempt> {
  let refusals = 0;
  for (;;) {
    const leased = await pool.lease(server, sending.signal);
    if (leased.kind !== "lease") return { result: leased };
    const { connection, release, narrow } = leased.lease;
    sending.onConnection?.(connection);
    const windows = saysWindows(connection.client);
    const wrong = windows ? wrongSystem(server, sending.command) : undefined;
    if (wrong !== undefined) {
      release();
      return { result: { kind: "failed", failure: wrong }, hostKey: connection.hostKey, windows };
    }
    const order = { ...sending, connection, serverName: server.name, limits, windows: server.os === "windows" };
    const result = await runSession(order);
    const refused = result.kind === "no-session";
    const waitsForOthers = refused && narrow();
    release();
    // A server frees a session a moment after we have seen it close. Nothing was sent, so asking again is safe.
    const mayFreeOne = !waitsForOthers && refused && refusals++ < maxRefusals;
    if (!waitsForOthers && !mayFreeOne) return { result, hostKey: connection.hostKey, windows };
    await sleep(50 * 2 ** Math.min(refusals, 4));
  }
}

/** How often a refused session is asked for again where nobody else of ours holds one: about a second in all. */
const maxRefusals = 3;
