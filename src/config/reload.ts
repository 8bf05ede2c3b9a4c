/** What of a new config can take the place of the running one (CFG-1). Pure. */

import { isDeepStrictEqual } from "node:util";
import type { Config } from "./values.ts";

/** What was decided when the process started: the store it holds, the port it listens on, whom it is to GitHub, where it logs. */
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
  ["audit", "checkpointFile"],
  ["execution", "storedOutputMb"],
  ["logging", "file"],
  ["logging", "stdout"],
  ["logging", "rotation"],
] as const satisfies readonly (readonly [keyof Config, string])[];

type Fixed = (typeof fixed)[number];
/** Its key in the file; the App's key itself stands in a file of its own. */
const nameOf = ([section, key]: Fixed): string => `${section}.${snakeCase(key)}${key === "privateKey" ? "_file" : ""}`;

/** The keys of the file whose change waits for a restart; every other one holds at once. */
export const restartKeys = (): readonly string[] => fixed.map(nameOf);

export interface Reloaded {
  /** The new config, with the running values where only a start can change them. */
  readonly config: Config;
  /** The file's sections in which it differs from the running one. */
  readonly changedSections: readonly string[];
  /** Keys of the file whose change waits for a restart, e.g. `server.port`. */
  readonly needsRestart: readonly string[];
}

/** Lays a new config over the running one. */
export function reloaded(running: Config, next: Config): Reloaded {
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

/** What no section of the file is. */
const besides: readonly (keyof Config)[] = ["file", "warnings", "storePasswords", "secretFiles", "roles"];

/** The sections of the file in which two configs differ, by its own names. */
export function changedSections(before: Config, after: Config): readonly string[] {
  const keys = (Object.keys(after) as (keyof Config)[]).filter((key) => !besides.includes(key));
  const changed = keys.filter((key) => !isDeepStrictEqual(before[key], after[key]));
  return [...new Set(changed.map((key) => (key === "repositories" ? "github" : snakeCase(key))))];
}

const snakeCase = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
