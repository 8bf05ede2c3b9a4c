import { readdirSync, readFileSync } from "node:fs";
import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { OperatorError } from "../../base/errors.ts";
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
