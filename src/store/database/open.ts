import { AsyncLocalStorage } from "node:async_hooks";
import { OperatorError } from "../../base/errors.ts";
import { createChainWalk, type Verification } from "../audit/chain.ts";
import { createQueue, type Queue } from "../queue/queue.ts";
import { transact } from "./commit.ts";
import type { Connection, Db, Tx, Warn } from "./connection.ts";
import { migrate } from "./migrate.ts";

export type { Db, Tx } from "./connection.ts";

/** Everything durable, in this process or on a server. */
export interface Store {
  readonly kind: "embedded" | "server";
  /** Throws inside a transaction, which it would wait for forever. */
  readonly db: Db;
  readonly queue: Queue;
  /** Durable when it returns. Must not be nested. */
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Takes little time even for a long audit. */
  readonly chain: () => Promise<Verification>;
  /** Throws if a write cannot be made durable (RR-20). */
  readonly writable: () => Promise<void>;
  /** Makes a new embedded store while this one waits; a server has `exportStore`. */
  readonly copyTo: ((folder: string) => Promise<void>) | undefined;
  /** Waits for the queue's active jobs. */
  readonly close: () => Promise<void>;
}

/**
 * Opens and migrates `file:./folder` or `postgres://…`. Throws an `OperatorError` if the store is in use, damaged, of another version,
 * unreachable, or would lose what it has confirmed (RR-12, RR-18).
 */
export async function openStore(url: string, options: { readonly onWarning?: Warn } = {}): Promise<Store> {
  const warn = options.onWarning ?? (() => {});
  return openStoreOn(await connect(url, warn), placeOf(url), warn);
}

export async function openStoreOn(connection: Connection, place: string, warn: Warn): Promise<Store> {
  try {
    // On an empty database one process makes the tables.
    return await connection.inTurn(async () => {
      await migrate(connection.db, place);
      const { kind, db } = connection;
      const open = new AsyncLocalStorage<{ running: boolean }>();
      const refuseInside = () => {
        if (open.getStore()?.running)
          throw new Error("inside a transaction: use its tx, or this waits for itself for ever");
      };
      const transaction = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
        refuseInside();
        const scope = { running: true };
        return transact(db, (tx) => open.run(scope, () => work(tx))).finally(() => {
          scope.running = false;
        });
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
        // What cannot be audited must not happen.
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
    });
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function connect(url: string, warn: Warn): Promise<Connection> {
  // The embedded PostgreSQL is large.
  if (url.startsWith("file:")) return (await import("./embedded.ts")).openEmbedded(url.slice("file:".length), warn);
  if (/^postgres(ql)?:\/\//.test(url))
    return (await import("./server-database.ts")).openServer(url, placeOf(url), warn);
  throw new OperatorError([
    { place: "store.url", message: "names no store", remedy: "write file:./data or postgres://user@host/database" },
  ]);
}

/** Without user and password. */
function placeOf(url: string): string {
  if (!URL.canParse(url) || url.startsWith("file:")) return url;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
