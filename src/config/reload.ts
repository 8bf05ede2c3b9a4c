/** What takes effect without a restart (CFG-1). Pure. */

import { isDeepStrictEqual } from "node:util";
import type { Config } from "./values.ts";

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
  ["audit", "checkpointFile"],
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

export interface ConfigReload {
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

const outsideSections: readonly (keyof Config)[] = ["file", "warnings", "storePasswords", "secretFiles", "roles"];

export function changedSections(before: Config, after: Config): readonly string[] {
  const keys = (Object.keys(after) as (keyof Config)[]).filter((key) => !outsideSections.includes(key));
  const changed = keys.filter((key) => !isDeepStrictEqual(before[key], after[key]));
  return [...new Set(changed.map((key) => (key === "repositories" ? "github" : snakeCase(key))))];
}

const snakeCase = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
