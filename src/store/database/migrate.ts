import { accessSync, constants, existsSync, readdirSync, readFileSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import pg from "pg";
import { messageOf, OperatorError, type Problem } from "../../base/errors.ts";
import type { Db } from "./connection.ts";

const folder = new URL("./migrations/", import.meta.url);

/** One file per release that changes the schema; a released one is never edited. */
export const migrations: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => [file.slice(0, -".sql".length), readFileSync(new URL(file, folder), "utf8")]),
);

/** Builds from before 0.1.0 named their first migration so. */
export const isUnreleased = (names: readonly string[]): boolean =>
  ["0001-first", "0001-schema", "0001-initial"].some((name) => names.includes(name));

/** Refuses a store of a newer or an unreleased program (RR-18). `place` names the store in messages. */
export async function migrate(db: Db, place: string): Promise<void> {
  const { rows: tables } = await sql`select 1 from pg_tables where tablename = 'kysely_migration'`.execute(db);
  const { rows } =
    tables.length === 0 ? { rows: [] } : await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const executed = rows.map(({ name }) => name);
  if (isUnreleased(executed)) {
    throw new OperatorError({
      place,
      message:
        "the store was written by an unreleased build, from before 0.1.0, and stores of those cannot be upgraded",
      remedy:
        "name an empty folder or database in store.url, and keep this store with the build that wrote it; nothing was changed",
    });
  }
  const unknown = executed.filter((name) => !(name in migrations));
  if (unknown.length > 0) {
    throw new OperatorError({
      place,
      message: `the store was written by a newer version of this program (it has ${unknown.join(", ")})`,
      remedy: "start that version, or restore a backup made before the upgrade",
    });
  }
  // The migrator reads the whole catalog, most of an embedded store's start.
  if (Object.keys(migrations).every((name) => executed.includes(name))) return;
  const steps: Record<string, Migration> = {};
  for (const [name, text] of Object.entries(migrations))
    steps[name] = {
      // A text without values may hold several statements.
      up: async (db: Kysely<unknown>) => {
        await sql.raw(text).execute(db);
      },
    };
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => steps } }).migrateToLatest();
  if (error) throw error;
}

const place = "store.url";
const leastFreeBytes = 500 * 1024 * 1024;
const leastVersion = 150_000;

/** Does not open the store, because the bot may have it open. Never throws. */
export async function lookAtStore(url: string): Promise<readonly Problem[]> {
  return url.startsWith("file:") ? lookAtFolder(url.slice("file:".length)) : await lookAtServer(url);
}

function lookAtFolder(folder: string): readonly Problem[] {
  let there = folder;
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  try {
    accessSync(there, constants.W_OK | constants.X_OK);
  } catch {
    return [{ place, message: `${there} cannot be written by this user`, remedy: `chown it to whoever runs the bot` }];
  }
  const { bavail, bsize } = statfsSync(there);
  if (bavail * bsize >= leastFreeBytes) return [];
  const free = Math.round((bavail * bsize) / 1024 / 1024);
  return [{ place, message: `only ${free} MB are free below ${there}`, remedy: "make room: without it nothing runs" }];
}

async function lookAtServer(url: string): Promise<readonly Problem[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version_num: string }>("show server_version_num");
    const version = Number(rows[0]?.server_version_num);
    if (version >= leastVersion) return [];
    return [
      { place, message: `PostgreSQL ${Math.floor(version / 10_000)} is too old`, remedy: "15 or newer is needed" },
    ];
  } catch (error) {
    const remedy = "is the server up, do user, password (PGPASSWORD) and database fit, may this machine connect?";
    return [{ place, message: `the database cannot be reached: ${messageOf(error)}`, remedy }];
  } finally {
    await client.end().catch(() => {
      // A connection that was never made cannot be ended.
    });
  }
}
