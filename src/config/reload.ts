import { statSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { Config } from "./values.ts";

/** What takes effect without a restart (CFG-1). Pure. */

/** Only a start decides these. */
const fixed = [
  ["store", "url"],
  ["server", "host"],
  ["server", "port"],
  ["server", "maxBodyMb"],
  ["server", "metrics"],
  ["github", "mode"],
  ["github", "appId"],
  ["github", "apiUrl"],
  ["github", "privateKey"],
  ["github", "patchesApp"],
  ["audit", "checkpointFile"],
  ["model", "atOnce"],
  ["execution", "storedOutputMb"],
  ["logging", "file"],
  ["logging", "stdout"],
  ["logging", "rotation"],
] as const satisfies readonly (readonly [keyof Config, string])[];

type FixedKey = (typeof fixed)[number];
/** The App's private key is in its own file. */
const nameOf = ([section, key]: FixedKey): string =>
  `${section}.${snakeCase(key)}${key === "privateKey" ? "_file" : ""}`;

/** All other changes take effect at once. */
export const restartKeys = (): readonly string[] => fixed.map(nameOf);

interface ConfigReload {
  /** With the running values of restart keys. */
  readonly config: Config;
  readonly changedSections: readonly string[];
  /** Keys of the file, e.g. `server.port`. */
  readonly needsRestart: readonly string[];
}

export function reloaded(running: Config, next: Config): ConfigReload {
  let config = next;
  const needsRestart: string[] = [];
  for (const one of fixed) {
    const [section, key] = one;
    const now: Readonly<Record<string, unknown>> = running[section];
    const wanted: Readonly<Record<string, unknown>> = next[section];
    if (isDeepStrictEqual(now[key], wanted[key])) continue;
    needsRestart.push(nameOf(one));
    config = { ...config, [section]: { ...config[section], [key]: now[key] } };
  }
  return { config, changedSections: changedSections(running, config), needsRestart };
}

const outsideSections: readonly (keyof Config)[] = [
  "file",
  "fileSha256",
  "warnings",
  "storePasswords",
  "secretFiles",
  "roles",
];

export function changedSections(before: Config, after: Config): readonly string[] {
  const keys = (Object.keys(after) as (keyof Config)[]).filter((key) => !outsideSections.includes(key));
  const changed = keys.filter((key) => !isDeepStrictEqual(before[key], after[key]));
  return [...new Set(changed.map((key) => (key === "repositories" ? "github" : snakeCase(key))))];
}

const snakeCase = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

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

export const stampsOf = (files: readonly string[]): Stamps =>
  new Map(
    files.map((file) => {
      const stat = statSync(file, { throwIfNoEntry: false });
      return [file, stat ? `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.mode}` : "missing"];
    }),
  );
