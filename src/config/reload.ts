/** Which parts of a new config take effect without a restart (CFG-1). Pure. */

import { isDeepStrictEqual } from "node:util";
import type { Config } from "./values.ts";

/** Only a start decides these: the store, the port, the App, the log. */
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

type FixedKey = (typeof fixed)[number];
/** Its key in the config file; the App's private key is in a file of its own. */
const nameOf = ([section, key]: FixedKey): string =>
  `${section}.${snakeCase(key)}${key === "privateKey" ? "_file" : ""}`;

/** The keys whose change waits for a restart; every other one takes effect at once. */
export const restartKeys = (): readonly string[] => fixed.map(nameOf);

export interface ConfigReload {
  /** The new config, with the running values of the keys that wait for a restart. */
  readonly config: Config;
  /** The file's sections that differ from the running ones. */
  readonly changedSections: readonly string[];
  /** Keys of the file whose change waits for a restart, e.g. `server.port`. */
  readonly needsRestart: readonly string[];
}

/** Applies a new config to the running one. */
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

/** Keys that no section of the file has. */
const outsideSections: readonly (keyof Config)[] = ["file", "warnings", "storePasswords", "secretFiles", "roles"];

/** The sections of the file that differ between two configs. */
export function changedSections(before: Config, after: Config): readonly string[] {
  const keys = (Object.keys(after) as (keyof Config)[]).filter((key) => !outsideSections.includes(key));
  const changed = keys.filter((key) => !isDeepStrictEqual(before[key], after[key]));
  return [...new Set(changed.map((key) => (key === "repositories" ? "github" : snakeCase(key))))];
}

const snakeCase = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
