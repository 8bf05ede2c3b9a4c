import { createReadStream, createWriteStream } from "node:fs";
import { rename } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { sql } from "kysely";
import { messageOf, OperatorError } from "../../base/errors.ts";
import { jsonLines } from "../../base/json.ts";
import type { Tx } from "./connection.ts";
import { isUnreleased } from "./migrate.ts";
import type { Store } from "./open.ts";

/** Only a program with the same schema imports it. */
interface Head {
  readonly countersign: "store";
  readonly schema: string;
  readonly at: string;
  /** An embedded store's kill switch. */
  readonly beside: unknown;
}

const rowsAtOnce = 100;
const batchBytes = 1024 * 1024;

/**
 * Exports the whole store as of one moment, as gzipped JSON lines for either kind of database. A server goes on meanwhile; an embedded
 * store waits. Returns the number of rows.
 */
export async function exportStore(
  store: Pick<Store, "db">,
  file: string,
  { beside = null, now }: { readonly beside?: unknown; readonly now: Date },
): Promise<number> {
  let rows = 0;
  await store.db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (tx) => {
      const head: Head = { countersign: "store", schema: await schemaOf(tx), at: now.toISOString(), beside };
      const lines = async function* (): AsyncGenerator<string> {
        yield `${JSON.stringify(head)}\n`;
        for (const table of await tablesOf(tx)) {
          for await (const row of rowsOf(tx, table)) {
            rows++;
            yield `${JSON.stringify(table)} ${row}\n`;
          }
        }
      };
      const out = createWriteStream(`${file}.new`, { mode: 0o600, flush: true });
      await pipeline(Readable.from(lines()), createGzip({ level: 1 }), out);
    });
  // A dump that was cut off never has the name of a whole one.
  await rename(`${file}.new`, file);
  return rows;
}

/**
 * Imports into an empty store, all or nothing, `takeBeside` included. Returns the number of rows. Throws an `OperatorError` if the store is
 * not empty, or the file is not a dump with this schema.
 */
export async function importStore(
  store: Pick<Store, "transaction" | "db">,
  file: string,
  takeBeside: (tx: Tx, beside: unknown) => Promise<void>,
): Promise<number> {
  let rows = 0;
  await store.transaction(async (tx) => {
    if (!(await isEmpty(tx))) throw refused(file, "this store is not empty", "name an empty one in store.url");
    const tables = await tablesOf(tx);
    const schema = await schemaOf(tx);
    let table = "";
    let waiting: string[] = [];
    let bytes = 0;
    const end = async (): Promise<void> => {
      if (waiting.length === 0) return;
      const rows = `[${waiting.join(",")}]`;
      waiting = [];
      bytes = 0;
      const target = sql.raw(table);
      await sql`insert into ${target} overriding system value
      select * from json_populate_recordset(null::${target}, ${rows}::text::json)`.execute(tx);
    };
    const batch = {
      end,
      add: async (into: string, row: string): Promise<void> => {
        if (into !== table || bytes > batchBytes) await end();
        table = into;
        waiting.push(row);
        bytes += row.length;
      },
    };
    let head: Head | undefined;
    for await (const line of linesOf(file)) {
      if (head === undefined) {
        head = headOf(line, schema, file);
        // A new store's first rows are in the dump, too.
        await clear(tx, tables.toReversed());
        continue;
      }
      const at = line.indexOf(" ");
      const table: unknown = JSON.parse(line.slice(0, at));
      if (typeof table !== "string" || !tables.includes(table))
        throw refused(file, "it names a table that is not there");
      await batch.add(table, line.slice(at + 1));
      rows++;
    }
    if (head === undefined) throw refused(file, "it is empty");
    await batch.end();
    const { rows: counters } = await sql<{ table: string; column: string }>`
    select format('%I.%I', table_schema, table_name) as table, column_name as column from information_schema.columns
    where table_schema = 'public' and is_identity = 'YES'`.execute(tx);
    for (const { table, column } of counters)
      await sql`select setval(pg_get_serial_sequence(${table}, ${column}),
      (select coalesce(max(${sql.ref(column)}), 0) + 1 from ${sql.raw(table)}), false)`.execute(tx);
    await takeBeside(tx, head.beside);
  });
  return rows;
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const text = createGunzip();
  const read = pipeline(createReadStream(file), text).catch((error) => text.destroy(error));
  try {
    yield* jsonLines(text);
  } catch (error) {
    throw error instanceof OperatorError ? error : refused(file, `it cannot be read: ${messageOf(error)}`);
  } finally {
    await read;
  }
}

const refused = (file: string, message: string, remedy = "name a file that `countersign store export` has written") =>
  new OperatorError([{ place: file, message, remedy }]);

function headOf(line: string, schema: string, file: string): Head {
  let head: Partial<Head> | null;
  try {
    head = JSON.parse(line);
  } catch {
    throw refused(file, "it is no dump of a store");
  }
  if (head?.countersign !== "store") throw refused(file, "it is no dump of a store");
  if (head.schema === schema) return { countersign: "store", schema, at: head.at ?? "", beside: head.beside };
  throw isUnreleased(String(head.schema).split(" "))
    ? refused(
        file,
        "it was written by another version of this program, an unreleased build from before 0.1.0, and stores of those cannot be upgraded",
        "keep it with the build that wrote it, and begin with an empty store",
      )
    : refused(
        file,
        `it was written by another version of this program (${head.schema}, here ${schema})`,
        "import it with that version, then start this one on the store",
      );
}

async function schemaOf(tx: Tx): Promise<string> {
  const { rows } = await sql<{ schema: string }>`
    select string_agg(name, ' ' order by name) as schema from kysely_migration`.execute(tx);
  return rows[0]?.schema ?? "";
}

/** Each after those that it refers to. */
async function tablesOf(tx: Tx): Promise<readonly string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname = 'public' and tablename not like 'kysely_%' and tablename <> 'durability_proof'
    order by tablename`.execute(tx);
  const { rows: references } = await sql<{ from: string; to: string }>`
    select distinct format('%I.%I', ns.nspname, one.relname) as "from", format('%I.%I', ns.nspname, other.relname) as "to"
    from pg_constraint join pg_class one on one.oid = conrelid join pg_class other on other.oid = confrelid
      join pg_namespace ns on ns.oid = one.relnamespace
    where contype = 'f' and ns.nspname = 'public' and conrelid <> confrelid`.execute(tx);
  return inOrder(
    tables.map(({ name }) => name),
    references,
  );
}

/** Sorts names after those they refer to; throws for a circle. */
export function inOrder(
  names: readonly string[],
  references: readonly { readonly from: string; readonly to: string }[],
): readonly string[] {
  const left = new Set(names);
  const ordered: string[] = [];
  while (left.size > 0) {
    const free = [...left].filter((name) => !references.some(({ from, to }) => from === name && left.has(to)));
    if (free.length === 0) throw new Error(`tables that refer to each other: ${[...left].join(", ")}`);
    for (const name of free) left.delete(name);
    ordered.push(...free);
  }
  return ordered;
}

/** The database reads its own JSON back exactly. */
async function* rowsOf(tx: Tx, table: string): AsyncGenerator<string> {
  await sql.raw(`declare dump no scroll cursor for select row_to_json(t)::text as row from ${table} t`).execute(tx);
  for (;;) {
    const { rows } = await sql.raw<{ row: string }>(`fetch ${rowsAtOnce} from dump`).execute(tx);
    for (const { row } of rows) yield row;
    if (rows.length < rowsAtOnce) break;
  }
  await sql`close dump`.execute(tx);
}

async function isEmpty(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ filled: boolean }>`
    select exists (select 1 from audit) or exists (select 1 from delivery) or exists (select 1 from incident) as filled`.execute(
    tx,
  );
  return rows[0]?.filled === false;
}

async function clear(tx: Tx, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const { rows } = await sql.raw<{ filled: boolean }>(`select exists (select 1 from ${table}) as filled`).execute(tx);
    if (rows[0]?.filled) await sql.raw(`delete from ${table}`).execute(tx);
  }
}
