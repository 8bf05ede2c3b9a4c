import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { CamelCasePlugin, type DatabaseConnection, type Driver, Kysely, PostgresDialect } from "kysely";
import type { Connection } from "../../src/store/database/connection.ts";
import { createPglitePool } from "../../src/store/database/embedded.ts";
import { openStoreOn } from "../../src/store/database/open.ts";
import { planOnce } from "../../src/store/database/pool.ts";
import type { Tables } from "../../src/store/database/tables.ts";
import { freshFolder, removeFolder } from "../store/fresh.ts";

/** `before`: it fails and nothing was done; `after`: it was done, and the one who asked hears of a failure. */
export type StoreFault = "before" | "after";

/** A process's hold on the database. Once the process is dead it can do nothing more, whatever its code goes on to try. */
export interface Hold {
  /** Asked before each statement. */
  readonly isAlive: () => boolean;
  /** Takes the fault that is to strike a commit, if there is one. */
  readonly takeFault: () => StoreFault | undefined;
  /** Takes the fault that is to strike a row of the audit. */
  readonly takeAuditFault: () => boolean;
}

export interface Database {
  /** Counts what was asked of it, so that stillness can be seen. */
  readonly asked: () => number;
  readonly connect: (hold: Hold) => Connection;
  /** Without a process: what an observer reads. */
  readonly look: Kysely<Tables>;
  /** As it was made. */
  readonly empty: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** One PostgreSQL for all runs and all processes of a model test: a start of it costs more than ten runs. */
export async function createDatabase(): Promise<Database> {
  const pglite = await PGlite.create({ loadDataDir: await emptyStore() });
  const pool = createPglitePool(pglite);
  const dialect = new PostgresDialect({ pool: planOnce(pool) });
  let asked = 0;
  let emptied = 0;
  const connect = (hold: Hold): Connection => {
    const { isAlive } = hold;
    const whileAlive = () => {
      asked++;
      if (!isAlive()) throw new Error("this process is dead");
    };
    const db = new Kysely<Tables>({
      dialect: {
        createAdapter: () => dialect.createAdapter(),
        createDriver: () => mortal(dialect.createDriver(), { ...hold, whileAlive }),
        createIntrospector: (kysely) => dialect.createIntrospector(kysely),
        createQueryCompiler: () => dialect.createQueryCompiler(),
      },
      plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    });
    return {
      kind: "embedded",
      db,
      relaxed: async (name, text) => {
        whileAlive();
        return (await pool.query({ name, text })).rows;
      },
      inTurn: (work) => work(),
      whileAlone: (work) => work(),
      close: async () => {},
    };
  };
  const observer = connect({ isAlive: () => true, takeFault: () => undefined, takeAuditFault: () => false });
  const store = await openStoreOn(observer, "the model's store", () => {});
  await store.close();
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'`,
  );
  const bare: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query(`select 1 from ${name} limit 1`);
    if (rows.length === 0) bare.push(name);
  }
  return {
    asked: () => asked,
    connect,
    look: observer.db,
    empty: async () => {
      // Rows are deleted in a fraction of the time that emptying a file takes, and leave their room behind.
      const clear =
        emptied++ % 25 === 0 ? `truncate ${bare.join(", ")}` : bare.map((name) => `delete from ${name}`).join(";");
      // The audit's own guard would not have it.
      await pool.query(`set session_replication_role = replica; ${clear};
        update audit_head set seq = 0, hash = '';
        set session_replication_role = origin`);
    },
    close: async () => {
      await pool.end();
      await pglite.close();
    },
  };
}

/** In memory: what survives a power cut is shown elsewhere (test/store/crash.long.test.ts). */
async function emptyStore(): Promise<Blob> {
  const folder = await freshFolder();
  const made = await PGlite.create(join(folder, "pgdata-18"));
  const image = await made.dumpDataDir("none");
  await made.close();
  removeFolder(folder);
  return image;
}

/** A driver whose statements and commits fail once its process is dead; what it had begun is rolled back then. */
function mortal(
  driver: Driver,
  { whileAlive, takeFault, takeAuditFault }: Hold & { readonly whileAlive: () => void },
): Driver {
  const guarded = (connection: DatabaseConnection): DatabaseConnection => ({
    executeQuery: async (query, ...rest) => {
      whileAlive();
      if (query.sql.startsWith('insert into "audit"') && takeAuditFault())
        throw new Error("the audit cannot be written");
      return connection.executeQuery(query, ...rest);
    },
    streamQuery: (...given) => connection.streamQuery(...given),
  });
  let inner: DatabaseConnection;
  return {
    init: (...given) => driver.init(...given),
    acquireConnection: async (...given) => {
      inner = await driver.acquireConnection(...given);
      return guarded(inner);
    },
    beginTransaction: async (_, settings) => {
      whileAlive();
      await driver.beginTransaction(inner, settings);
    },
    commitTransaction: async () => {
      const fault = takeFault();
      if (fault === "after") {
        await driver.commitTransaction(inner);
        throw new Error("the answer to the commit was lost");
      }
      if (fault === "before") throw new Error("the disk is full");
      whileAlive();
      await driver.commitTransaction(inner);
    },
    rollbackTransaction: () => driver.rollbackTransaction(inner),
    releaseConnection: () => driver.releaseConnection(inner),
    destroy: () => driver.destroy(),
  };
}
