import type { PostgresCursor, PostgresPool, PostgresQueryResult } from "kysely";
import pg from "pg";

/** Lists of other lengths are other statements, and plans take PostgreSQL's memory. */
const mostPlanned = 500;

/**
 * Plans a statement once per connection: in WebAssembly parsing and planning take three quarters of a statement's time. Plans fit the
 * tables' size back then, so `discard plans` must follow at times.
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
      let isStale = false;
      function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
      function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
      function query(text: unknown, values: readonly unknown[] = []): unknown {
        if (typeof text !== "string") throw new Error("there are no cursors");
        // Words such as `begin`, or several statements, cannot have a name.
        if (values.length === 0) return client.query({ text });
        return client.query({ text, values: [...values], name: nameOf(text) }).catch((error: unknown) => {
          // A newer version changed a planned table; only a new connection plans again.
          isStale ||=
            error instanceof pg.DatabaseError && error.code === "0A000" && error.message.includes("cached plan");
          throw error;
        });
      }
      return { query, release: () => client.release(isStale) };
    },
    end: () => pool.end(),
    options: pool.options,
    Client: pg.Client,
  };
}

const int8Oid = 20;

/** Reads a bigint as a number; ours stay below 2⁵³. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === int8Oid ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};
