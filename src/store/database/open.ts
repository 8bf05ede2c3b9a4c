import { AsyncLocalStorage } from "node:async_hooks";
import { OperatorError } from "../../base/errors.ts";
import { createChainWalk, type Verification } from "../audit/chain.ts";
import { createQueue, type Queue } from "../queue/queue.ts";
import { runAfterCommit, writingLast } from "./commit.ts";
import type { Connection, Db, Tx, Warn } from "./connection.ts";
import { migrate } from "./migrate.ts";

export type { Db, Tx } from "./connection.ts";

/** Everything durable. One SQL dialect and one code path for two places: in this process or on a server. */
export interface Store {
  readonly kind: "embedded" | "server";
  /** For single statements. Throws inside a transaction, because it would wait for that transaction for ever. */
  readonly db: Db;
  readonly queue: Queue;
  /** All or nothing; durable when it returns, and then its jobs are picked up. Must not be nested. */
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Checks the audit's chain in little time, however long it is. */
  readonly chain: () => Promise<Verification>;
  /** Throws when a write cannot be made durable (RR-20). */
  readonly writable: () => Promise<void>;
  /**
   * Copies an embedded store, which waits meanwhile, into a new folder. The copy is a store of its own. Undefined for a server's store:
   * that has its own means, and `exportStore`.
   */
  readonly copyTo: ((folder: string) => Promise<void>) | undefined;
  /** Stops the queue, waits for its active jobs, and closes the database. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the store at `url`, `file:./folder` or `postgres://…`, and migrates it. Throws an `OperatorError` with a remedy if it is in use,
 * damaged, not of this version, cannot be reached, or would lose what it has confirmed (RR-12, RR-18).
 */
export async function openStore(url: string, options: { readonly onWarning?: Warn } = {}): Promise<Store> {
  const warn = options.onWarning ?? (() => {});
  return openStoreOn(await connect(url, warn), placeOf(url), warn);
}

/** Opens the store on a connection, and closes that if it fails; `place` names it in messages. */
export async function openStoreOn(connection: Connection, place: string, warn: Warn): Promise<Store> {
  try {
    // If several processes begin on an empty database, one makes the tables and the others find them.
    return await connection.inTurn(async () => {
      await migrate(connection.db, place);
      return storeOn(connection, warn);
    });
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function storeOn(connection: Connection, warn: Warn): Promise<Store> {
  const { kind, db } = connection;
  const open = new AsyncLocalStorage<{ running: boolean }>();
  const refuseInside = () => {
    if (open.getStore()?.running)
      throw new Error("inside a transaction: use its tx, or this waits for itself for ever");
  };
  const transaction = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    refuseInside();
    const scope = { running: true };
    let committed: Tx | undefined;
    const result = await db
      .transaction()
      .execute((tx) => {
        committed = tx;
        return open.run(scope, () => writingLast(tx, () => work(tx)));
      })
      .finally(() => {
        scope.running = false;
      });
    if (committed) runAfterCommit(committed);
    return result;
  };
  const queue = await createQueue(connection, warn);
  return {
    kind,
    get db() {
      refuseInside();
      return db;
    },
    queue,
    transaction,
    chain: createChainWalk(() => {
      refuseInside();
      return db;
    }),
    // Writes the audit's head, because what cannot be audited must not happen.
    writable: async () => {
      await connection.checkRoom?.();
      await db
        .updateTable("auditHead")
        .set((row) => ({ seq: row.ref("seq") }))
        .where("one", "=", 1)
        .execute();
    },
    copyTo: connection.copyTo,
    close: async () => {
      await queue.stop();
      await connection.close();
    },
  };
}

async function connect(url: string, warn: Warn): Promise<Connection> {
  // The embedded PostgreSQL is large, and a store on a server does not need it.
  if (url.startsWith("file:")) return (await import("./embedded.ts")).openEmbedded(url.slice("file:".length), warn);
  if (/^postgres(ql)?:\/\//.test(url))
    return (await import("./server-database.ts")).openServer(url, placeOf(url), warn);
  throw new OperatorError([
    { place: "store.url", message: "names no store", remedy: "write file:./data or postgres://user@host/database" },
  ]);
}

/** The store's address for messages: a server's without user and password. */
function placeOf(url: string): string {
  if (!URL.canParse(url) || url.startsWith("file:")) return url;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
