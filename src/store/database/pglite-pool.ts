import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import type { PGlite } from "@electric-sql/pglite";
import { createPgConfig } from "@electric-sql/pglite/node-postgres";
import pg from "pg";
import { types } from "./pg-types.ts";

/** How long statements may follow one another before timers and sockets have their turn. */
const breatheAfterMs = 10;

/**
 * PGlite as node-postgres reaches a server: one connection, which whoever is in a transaction has alone. PGlite answers in microtasks, so
 * statement after statement would keep the event loop from turning for as long as they go on: it turns between two of them.
 */
export function createPglitePool(pglite: PGlite): pg.Pool {
  let turnedAt = performance.now();
  const execProtocolStream: PGlite["execProtocolStream"] = async (message, options) => {
    if (performance.now() - turnedAt > breatheAfterMs) {
      await turnOfTheLoop();
      turnedAt = performance.now();
    }
    return pglite.execProtocolStream(message, options);
  };
  const breathing = { waitReady: pglite.waitReady, execProtocolStream } as unknown as PGlite;
  return new pg.Pool({ ...createPgConfig(breathing), types, max: 1, idleTimeoutMillis: 0 });
}
