import type { InsertResult, Kysely, Transaction, UpdateResult } from "kysely";
import type { Tables } from "./tables.ts";

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/** Runs a compare-and-set. Returns false if the row was no longer so, because another process was first. */
export const hasChanged = async (update: {
  readonly executeTakeFirst: () => Promise<UpdateResult>;
}): Promise<boolean> => (await update.executeTakeFirst()).numUpdatedRows === 1n;

/** Runs an insert that does nothing on a conflict. Returns false if there was such a row. */
export const hasAdded = async (insert: { readonly executeTakeFirst: () => Promise<InsertResult> }): Promise<boolean> =>
  (await insert.executeTakeFirst()).numInsertedOrUpdatedRows === 1n;

/** Without parameters. A named text is constant and planned once: planning a job's claim costs several times the claim. */
export type RelaxedStatement = (name: string | undefined, text: string) => Promise<readonly unknown[]>;

/** Without payloads and secrets. */
export type Warn = (text: string) => void;

export interface Connection {
  readonly kind: "embedded" | "server";
  readonly db: Db;
  /**
   * For claims and heartbeats: never waits behind transactions. On a server it does not wait for the disk, because the database outlives
   * this process: a claim counts even if the process then ends (RR-17).
   */
  readonly relaxed: RelaxedStatement;
  /** Runs `work` alone, after other processes' turns. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Keeps other processes out during `work`; does nothing if there is one. */
  readonly whileAlone: (work: () => Promise<void>) => Promise<void>;
  /** Absent if there cannot be other processes. */
  readonly others?: {
    readonly announce: (queue: string) => void;
    readonly onAnnounced: (listener: (queue: string) => void) => void;
  };
  /** Throws if the disk is too full to write; a server watches its own. */
  readonly checkRoom?: () => Promise<void>;
  /** For an embedded store only. */
  readonly copyTo?: (folder: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** JSON rows as Kysely returns them: camelCase, moments as dates. Values inside a column stay as they are. */
export function revived(found: Readonly<Record<string, unknown>> | undefined): unknown {
  return Object.fromEntries(
    Object.entries(found ?? {}).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(rowOf) : isRow(value) ? rowOf(value) : value,
    ]),
  );
}

const isRow = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !(value instanceof Date);

function rowOf(row: object): object {
  const revived: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) {
    const { name, moment } = columnOf(column);
    revived[name] = moment && typeof value === "string" ? new Date(value) : value;
  }
  return revived;
}

/** Matches exactly the schema's `timestamptz` columns (`test/store/incident-rows.test.ts`). */
export const isMoment = (column: string): boolean => /(^|_)(at|until|since|due)$/.test(column);

const columns = new Map<string, { readonly name: string; readonly moment: boolean }>();

function columnOf(column: string) {
  const known = columns.get(column);
  if (known) return known;
  const name = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const found = { name, moment: isMoment(column) };
  columns.set(column, found);
  return found;
}
