import type { Kysely, Transaction } from "kysely";
import type { Tables } from "./tables.ts";

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/**
 * Runs a statement without parameters. With a name its text is the same each time, and it is planned once: planning the claim of a job
 * costs several times what the claim does.
 */
export type RelaxedStatement = (name: string | undefined, text: string) => Promise<readonly unknown[]>;

/** Warns the operator about something that stops nothing; without payloads and secrets. */
export type Warn = (text: string) => void;

/** What an opener returns: one database, reached in two ways, and what only this kind of database has. */
export interface Connection {
  readonly kind: "embedded" | "server";
  readonly db: Db;
  /**
   * The same for claims and heartbeats, which never wait for a connection behind transactions. On a server it does not wait for the
   * disk, because the database outlives this process: a claim counts also if the process ends just after it (RR-17).
   */
  readonly relaxed: RelaxedStatement;
  /** Runs `work` when no other process of this store runs such work; it may wait for that one. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Runs `work` if no other process uses this store, and lets none begin before it is done; otherwise does nothing. */
  readonly whileAlone: (work: () => Promise<void>) => Promise<void>;
  /** Announces queues to other processes, and hears their announcements; absent if there cannot be any. */
  readonly others?: {
    readonly announce: (queue: string) => void;
    readonly onAnnounced: (listener: (queue: string) => void) => void;
  };
  /** Throws if the disk is so full that the next writes would fail; a server watches its own. */
  readonly checkRoom?: () => Promise<void>;
  /** Copies the database into a new folder; only if it is files of this process. */
  readonly copyTo?: (folder: string) => Promise<void>;
  readonly close: () => Promise<void>;
}
