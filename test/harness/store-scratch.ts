import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Linux's folder in memory: on a disk the thousand files of one store take a second. */
const inMemory = "/dev/shm";
/** Room for all stores of a run. */
const leastBytes = 4 * 2 ** 30;

/** No run of the tests is so long: what is older was left by one that was killed, and takes memory. */
const staleMs = 3 * 3_600_000;
let isSwept = false;

/** Makes a folder of this test's own for what has a store in it, in memory where there is room. `prefix` begins with `countersign-`. */
export function storeScratch(prefix: string): string {
  sweep();
  const { bavail, bsize } = existsSync(inMemory) ? statfsSync(inMemory) : { bavail: 0, bsize: 0 };
  return mkdtempSync(join(bavail * bsize > leastBytes ? inMemory : tmpdir(), prefix));
}

/** Removes what killed runs have left in memory, once for each process. */
function sweep(): void {
  if (isSwept || !existsSync(inMemory)) return;
  isSwept = true;
  const uid = process.getuid?.();
  for (const name of readdirSync(inMemory).filter((one) => one.startsWith("countersign-"))) {
    const folder = join(inMemory, name);
    const found = statSync(folder, { throwIfNoEntry: false });
    const isOurs = uid === 0 || found?.uid === uid;
    if (found && isOurs && Date.now() - found.mtimeMs > staleMs) rmSync(folder, { recursive: true, force: true });
  }
}
