import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { messageOf, OperatorError } from "../../base/errors.ts";

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
    throw new OperatorError({
      place: folder,
      ...(isBusy(error)
        ? {
            message: `the store is in use by another process (${pidIn(owner)})`,
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

function pidIn(file: string): string {
  try {
    return `pid ${readFileSync(file, "utf8")}`;
  } catch {
    return "its pid is not known";
  }
}
