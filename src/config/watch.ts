import { statSync } from "node:fs";

/** A change is read when two looks in a row agree, so never while it is being written. */
const lookEveryMs = 250;

/** The state of each file at one look. */
export type Stamps = ReadonlyMap<string, string>;

/**
 * Calls `onChange` once for each change of any of the files: written in place, replaced by a rename as editors do, or behind a
 * symbolic link that is swapped as Kubernetes does. `stat` sees all of these; notifications of the system follow one file or
 * folder, and lose it. `files` is called at each look because a new config may name other files. `isCurrent` says whether the
 * files are still as they were at the last `onChange`. `read`: their state when they were first read, if that is a while ago.
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

export const stampsOf = (files: readonly string[]): Stamps => new Map(files.map((file) => [file, stampOf(file)]));

function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.mode}` : "missing";
}
