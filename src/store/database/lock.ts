import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { OperatorError } from "../../base/errors.ts";

/**
 * Takes the folder for this process alone: two writers on one embedded store lose each other's rows. The lock is one
 * of the operating system (through SQLite, since Node has none itself), so it ends with the process, also by SIGKILL.
 * Throws an `OperatorError` that names the other process.
 */
export function lockFolder(folder: string): { readonly release: () => void } {
  const owner = join(folder, "lock.pid");
  const lock = new DatabaseSync(join(folder, "lock.db"), { timeout: 0 });
  try {
    lock.exec("pragma locking_mode = exclusive; begin exclusive");
  } catch {
    lock.close();
    throw new OperatorError([
      {
        place: folder,
        message: `the store is in use by another process (${pidIn(owner)})`,
        remedy: "end that process, give this one a folder of its own, or use a PostgreSQL server for several processes",
      },
    ]);
  }
  writeFileSync(owner, String(process.pid));
  return { release: () => lock.close() };
}

function pidIn(file: string): string {
  try {
    return `pid ${readFileSync(file, "utf8")}`;
  } catch {
    return "its pid is not known";
  }
}
