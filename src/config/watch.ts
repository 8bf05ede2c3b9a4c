import { statSync } from "node:fs";

/** How often the files are looked at. What has changed is read when two looks agree, so never while it is being written. */
const lookEveryMs = 250;

/** How each file was at a look. */
export type Stamps = ReadonlyMap<string, string>;

/**
 * Calls `onChange` once for each change of any of the files, in whatever way: written in place, replaced by a rename as editors
 * do, or behind a symbolic link that is swapped as Kubernetes does. `stat` follows all of these; notifications of the system
 * follow a file or a folder, and lose it. `files` is asked at each look: a new config may name other files, which `onChange` has
 * read then. `isCurrent` tells whether they are at this moment as `onChange` was last told.
 * `read`: how they were when they were read first, where that is a while ago.
 */
export function watchFiles(
  files: () => readonly string[],
  onChange: () => void,
  read = stampsOf(files()),
): { readonly stop: () => void; readonly isCurrent: () => boolean } {
  let known = read;
  let seen = known;
  const timer = setInterval(() => {
    const now = stampsOf(files());
    const isStill = isAsIn(seen, now);
    seen = now;
    if (isAsIn(known, now) || !isStill) return;
    onChange();
    known = new Map([...stampsOf(files()), ...now]);
    seen = known;
  }, lookEveryMs).unref();
  return { stop: () => clearInterval(timer), isCurrent: () => isAsIn(known, stampsOf(files())) };
}

const isAsIn = (before: Stamps, now: Stamps): boolean => [...now].every(([file, stamp]) => before.get(file) === stamp);

/** How the files are at this moment. */
export const stampsOf = (files: readonly string[]): Stamps => new Map(files.map((file) => [file, stampOf(file)]));

function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.mode}` : "missing";
}
