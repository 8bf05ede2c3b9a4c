import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { cp, statfs } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import { PGlite } from "@electric-sql/pglite";
import { createPgConfig } from "@electric-sql/pglite/node-postgres";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import { CamelCasePlugin, Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { every } from "../../base/clock.ts";
import { messageOf, OperatorError } from "../../base/errors.ts";
import type { Connection, Warn } from "./connection.ts";
import { planOnce, types } from "./pool.ts";
import type { Tables } from "./tables.ts";

const clusterName = "pgdata-18";
/** Two segments of the write-ahead log and a burst of deliveries. */
const minFreeBytes = 64 * 1024 * 1024;
/** Assembling the rows of so much takes half a second. */
const wholeBytes = 64 * 1024 * 1024;

/** Stock PGlite starts with `-F` (no fsync at all): in simulated power cuts four stores of ten did not open again. */
const startParams = [
  ...PGlite.defaultStartParams.filter((param) => param !== "-F"),
  ...["-c", "wal_sync_method=fsync", "-c", "shared_buffers=16MB"],
];

/**
 * A commit is on the disk when it returns. Throws an `OperatorError` if another process has the folder, if the store cannot be read (RR-12,
 * F-21: an empty one never replaces it), or if commits do not reach the disk.
 */
export async function openEmbedded(folder: string, warn: Warn): Promise<Connection> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = lockFolder(folder);
  try {
    const cluster = join(folder, clusterName);
    const marker = join(folder, "store");
    if (!existsSync(cluster) && !existsSync(marker)) await createCluster(cluster, () => checkRoom(folder));
    mkdirSync(marker, { recursive: true });
    if (!existsSync(join(cluster, "PG_VERSION"))) throw damaged(folder, "its database files are gone");
    const { pglite, countSyncs } = await openDurably(cluster).catch((error: unknown) => {
      throw damaged(folder, messageOf(error));
    });
    await proveDurable(pglite, countSyncs, folder);
    const pool = createPglitePool(pglite);
    const upkeep = startUpkeep(pool, (error) => warn(`the store's upkeep failed: ${messageOf(error)}`));
    const db = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: planOnce(pool) }),
      plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    });
    await readEveryRow(pool).catch((error: unknown) => {
      throw damaged(folder, messageOf(error));
    });
    // PGlite's one session keeps prepared statements. It ends with this process, so each commit waits for the disk.
    const prepared = new Set<string>();
    return {
      kind: "embedded",
      db,
      relaxed: async (name, text) => {
        if (name === undefined) return (await pool.query(text)).rows;
        if (!prepared.has(name)) await pool.query(`prepare ${name} as ${text}`);
        prepared.add(name);
        return (await pool.query(`execute ${name}`)).rows;
      },
      inTurn: (work) => work(),
      whileAlone: (work) => work(),
      checkRoom: () => checkRoom(folder),
      // The only connection is held, so nothing changes; after a checkpoint the files hold everything.
      copyTo: async (copy) => {
        const alone = await pool.connect();
        try {
          await alone.query("checkpoint");
          const aside = `${copy}.new`;
          rmSync(aside, { recursive: true, force: true });
          mkdirSync(join(aside, "store"), { recursive: true, mode: 0o700 });
          // Shares blocks if the file system can.
          await cp(cluster, join(aside, clusterName), { recursive: true, mode: constants.COPYFILE_FICLONE });
          syncTree(aside);
          renameSync(aside, copy);
          syncPath(dirname(resolve(copy)));
        } finally {
          alone.release();
        }
      },
      close: async () => {
        await upkeep.stop();
        await pool.end();
        await pglite.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openDurably(cluster: string): Promise<{ pglite: PGlite; countSyncs: () => number }> {
  let syncs = 0;
  const files = new NodeFS(resolve(cluster));
  const init = files.init.bind(files);
  // PGlite's file system has no fsync: without this, PostgreSQL's calls do nothing.
  files.init = async (pg, options) => {
    const started = await init(pg, options);
    started.emscriptenOpts.preRun?.push((module) => {
      const operations = (module as unknown as NodeFsModule).NODEFS.stream_ops;
      operations.fsync = (stream) => {
        syncs++;
        fsyncSync(stream.nfd);
        return 0;
      };
    });
    return started;
  };
  const pglite = await PGlite.create({ fs: files, startParams });
  return { pglite, countSyncs: () => syncs };
}

/** PGlite does not type this part of Emscripten's module. */
interface NodeFsModule {
  readonly NODEFS: { readonly stream_ops: { fsync?: (stream: { readonly nfd: number }) => number } };
}

/** Our fsync hooks an inner function of PGlite, so every start proves that it works. */
async function proveDurable(pglite: PGlite, countSyncs: () => number, folder: string): Promise<void> {
  await pglite.exec("create table if not exists durability_proof (at timestamptz)");
  const before = countSyncs();
  await pglite.exec("insert into durability_proof values (now())");
  const reached = countSyncs() > before;
  await pglite.exec("delete from durability_proof");
  if (reached) return;
  throw new OperatorError([
    {
      place: folder,
      message: "commits of the embedded database do not reach the disk",
      remedy: "use the version of @electric-sql/pglite this program was released with",
    },
  ]);
}

/**
 * Checksums show damage only on reading, so every table is read once, without indexes, which skip pages. Assembling small tables' rows also
 * finds values missing from intact pages. Measured: 0.9 s for 1.3 GB.
 */
async function readEveryRow(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; aside: string | null; size: string }>(
    `select c.oid::regclass::text as name, nullif(c.reltoastrelid, 0)::regclass::text as aside,
      pg_total_relation_size(c.oid) as size
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
  );
  for (const { name, aside, size } of rows) {
    const reads = [name, ...(aside === null ? [] : [aside])].map((one) => `select count(*) from ${one}`);
    if (Number(size) <= wholeBytes) reads.push(`select count(md5(t::text)) from ${name} t`);
    await pool.query(`begin; set local enable_indexonlyscan = off; ${reads.join("; ")}; commit`);
  }
}

async function checkRoom(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < minFreeBytes) throw new Error(`less than ${minFreeBytes / 1024 / 1024} MB left on its disk`);
}

/** A first start that is cut off leaves no half database. */
async function createCluster(cluster: string, checkRoom: () => Promise<void>): Promise<void> {
  const aside = `${cluster}.new`;
  rmSync(aside, { recursive: true, force: true });
  try {
    await checkRoom();
    const pglite = await PGlite.create({ dataDir: aside });
    await pglite.close();
  } catch (error) {
    const message = `the store cannot be made: ${messageOf(error)}`;
    throw new OperatorError({ place: dirname(cluster), message, remedy: "make room, or name another folder" });
  }
  syncTree(aside);
  renameSync(aside, cluster);
  syncPath(dirname(cluster));
}

function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) syncTree(path);
    else if (entry.isFile()) syncPath(path);
  }
  syncPath(folder);
}

function syncPath(path: string): void {
  const descriptor = openSync(path, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}

const damaged = (folder: string, reason: string): OperatorError =>
  new OperatorError([
    {
      place: folder,
      message: `the store cannot be read: ${reason}`,
      remedy: "restore a backup into this folder, or name an empty folder for a new store; nothing was changed",
    },
  ]);

const breatheAfterMs = 10;

/** One connection. PGlite answers in microtasks, so the event loop needs a turn between statements. */
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

const intervalMs = 60_000;

const tablesOf = async (pool: Pick<pg.Pool, "query">): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public' order by 1`,
  );
  return rows.map(({ name }) => name);
};

/** PGlite lacks a server's daemons: each minute a checkpoint, new plans, and the next table's vacuum with statistics. */
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

/**
 * Two writers on an embedded store lose each other's rows. The lock is the operating system's (through SQLite; Node has none), so even
 * SIGKILL ends it. Throws an `OperatorError` that names the other process.
 */
export function lockFolder(folder: string): { readonly release: () => void } {
  const owner = join(folder, "lock.pid");
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(folder, "lock.db"), { timeout: 0 });
    lock.exec("pragma locking_mode = exclusive; begin exclusive");
    writeFileSync(owner, String(process.pid));
  } catch (error) {
    lock?.close();
    let holder = "its pid is not known";
    try {
      holder = `pid ${readFileSync(owner, "utf8")}`;
    } catch {
      // The other process has not written it yet.
    }
    throw new OperatorError({
      place: folder,
      ...(isBusy(error)
        ? {
            message: `the store is in use by another process (${holder})`,
            remedy:
              "end that process, give this one a folder of its own, or use a PostgreSQL server for several processes",
          }
        : {
            message: `the store's folder cannot be written to: ${messageOf(error)}`,
            remedy: "make room on its disk, and see that this account may write there",
          }),
    });
  }
  return { release: lock.close.bind(lock) };
}

/** SQLITE_BUSY means another process; a full or read-only disk has other codes. */
const isBusy = (error: unknown): boolean => error instanceof Error && "errcode" in error && error.errcode === 5;
