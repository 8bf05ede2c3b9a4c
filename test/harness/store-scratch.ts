import { existsSync, mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Linux's folder in memory: on a disk the thousand files of one store take a second. */
const inMemory = "/dev/shm";
/** Room for all stores of a run. */
const leastBytes = 4 * 2 ** 30;

/** Makes a folder of this test's own for what has a store in it, in memory where there is room. */
export function storeScratch(prefix: string): string {
  const { bavail, bsize } = existsSync(inMemory) ? statfsSync(inMemory) : { bavail: 0, bsize: 0 };
  return mkdtempSync(join(bavail * bsize > leastBytes ? inMemory : tmpdir(), prefix));
}
