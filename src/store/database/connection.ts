import type { Kysely, Transaction } from "kysely";
import type { Tables } from "./tables.ts";

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/**
 * Runs a statement without parameters. With a name its text is the same each time, and it is planned once: planning the claim of a job
 * costs several times what the claim does.
 */
export type Relaxed = (name: string | undefined, text: string) => Promise<readonly unknown[]>;

/** Tells the operator something that stops nothing; no payload and no secret in it. */
export type Warn = (text: string) => void;

/** What an opener hands over: one database, reached in two ways, and what only that kind of database can tell. */
export interface Connection {
  readonly kind: "embedded" | "server";
  readonly db: Db;
  /**
   * The same, for claims and signs of life, which never wait for a connection behind transactions; where the database outlives this
   * process it does not wait for the disk. A death of this process undoes nothing of it, so that a claim is counted whatever comes after
   * it (RR-17).
   */
  readonly relaxed: Relaxed;
  /** Does `work` when no other process of this store is at such a work; it may wait for that one. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Does `work` where no other process uses this store, and lets none begin before it is done; else does nothing. */
  readonly whileAlone: (work: () => Promise<void>) => Promise<void>;
  /** Other processes, where there can be any: tells them of a queue, and hears of one. */
  readonly others?: {
    readonly announce: (queue: string) => void;
    readonly onAnnounced: (listener: (queue: string) => void) => void;
  };
  /** Throws where the disk is so full that the next writes would fail; a server watches its own. */
  readonly checkRoom?: () => Promise<void>;
  /** Puts a whole copy of the database into a folder that is not there yet, where it is files of this process's own. */
  readonly copyTo?: (folder: string) => Promise<void>;
  readonly close: () => Promise<void>;
}
