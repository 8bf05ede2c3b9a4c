import type pg from "pg";
import { every } from "../../base/every.ts";

const intervalMs = 60_000;

const tablesOf = async (pool: Pick<pg.Pool, "query">): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public' order by 1`,
  );
  return rows.map(({ name }) => name);
};

/**
 * Does what a server's own daemons do, which PGlite has not: once a minute a checkpoint, so that a start has little to read again;
 * plans go by the size that their tables have now; and one table after the other gives its dead rows' room back and is counted anew.
 * `failed` hears why one could not be done.
 */
export function startUpkeep(
  pool: pg.Pool,
  failed: (error: unknown) => void,
): { readonly once: () => Promise<void>; readonly stop: () => Promise<void> } {
  let turn = 0;
  const once = async (): Promise<void> => {
    const tables = await tablesOf(pool);
    await pool.query("checkpoint; discard plans");
    await pool.query(`vacuum (analyze) ${tables[turn++ % tables.length]}`);
  };
  return { once, stop: every(intervalMs, once, failed, { first: "later" }).stop };
}
