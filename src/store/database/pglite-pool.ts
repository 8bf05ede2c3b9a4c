import type { PGlite } from "@electric-sql/pglite";
import { createPgConfig } from "@electric-sql/pglite/node-postgres";
import type { PostgresCursor, PostgresPool, PostgresQueryResult } from "kysely";
import pg from "pg";
import { types } from "./pg-types.ts";

/** Lists of other lengths make other texts; each that is kept takes some memory of PostgreSQL's. */
const mostPlanned = 500;

/** PGlite as node-postgres reaches a server: one connection, which whoever is in a transaction has alone. */
export const createPglitePool = (pglite: PGlite): pg.Pool =>
  new pg.Pool({ ...createPgConfig(pglite), types, max: 1, idleTimeoutMillis: 0 });

/**
 * The same pool, on which each text is parsed and planned once and then known by a name: in WebAssembly that takes three quarters of
 * a statement's time. A plan goes by the size of its tables, so `discard plans` is to be said from time to time.
 */
export function planOnce(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>();
  const nameOf = (text: string): string | undefined => {
    if (!names.has(text) && names.size < mostPlanned) names.set(text, `planned_${names.size}`);
    return names.get(text);
  };
  return {
    connect: async () => {
      const client = await pool.connect();
      function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
      function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
      function query(text: unknown, values: readonly unknown[] = []): unknown {
        if (typeof text !== "string") throw new Error("there are no cursors");
        // What has no values is a word such as `begin`, or several statements, which cannot have a name.
        return client.query(values.length === 0 ? { text } : { text, values: [...values], name: nameOf(text) });
      }
      return { query, release: () => client.release() };
    },
    end: () => pool.end(),
    options: pool.options,
    Client: pg.Client,
  };
}
