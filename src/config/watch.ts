import { statSync } from "node:fs";

/** A change counts when two looks agree, so never while it is being written. */
const lookEveryMs = 250;

export type Stamps = ReadonlyMap<string, string>;

/**
 * Calls `onChange` once per change: in place, by an editor's rename, or behind a swapped symbolic link as in Kubernetes. `stat` sees all of
 * these; system notifications follow one file and lose it. `files` is called at each look, because a new config may name others.
 * `isCurrent`: no change since the last `onChange`. `read`: the files' state when first read.
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
