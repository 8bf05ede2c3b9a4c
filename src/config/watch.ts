import { statSync } from "node:fs";

/** How often the files are looked at. What has changed is read when two looks agree, so never while it is being written. */
const lookEveryMs = 250;

/**
 * Calls `onChange` once for each change of any of the files, in whatever way: written in place, replaced by a rename as editors
 * do, or behind a symbolic link that is swapped as Kubernetes does. `stat` follows all of these; notifications of the system
 * follow a file or a folder, and lose it. `files` is asked at each look: a new config may name other files. `isCurrent` tells whether
 * they are at this moment as `onChange` was last told.
 */
export function watchFiles(
  files: () => readonly string[],
  onChange: () => void,
  intervalMs = lookEveryMs,
): { readonly stop: () => void; readonly isCurrent: () => boolean } {
  let known = signatureOf(files());
  let seen = known;
  const timer = setInterval(() => {
    const now = signatureOf(files());
    const isStill = now === seen;
    seen = now;
    if (now === known || !isStill) return;
    known = now;
    onChange();
  }, intervalMs).unref();
  return { stop: () => clearInterval(timer), isCurrent: () => signatureOf(files()) === known };
}

const signatureOf = (files: readonly string[]): string => files.map(stampOf).join("\n");

function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? `${file} ${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.mode}` : `${file} missing`;
}
