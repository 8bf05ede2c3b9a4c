import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { AlertKind } from "../alert/sources.ts";
import { messageOf, OperatorError } from "../base/errors.ts";
import { placeFindings } from "../base/problems.ts";
import { parseYaml } from "../base/yaml.ts";
import { keepWhatFits } from "../config/keep.ts";
import { environment, storeUrlOf } from "../config/load.ts";
import { configSchema, type ParsedFile } from "../config/schema.ts";
import { toProgramSide, withoutNulls } from "../config/shape.ts";
import type { Config } from "../config/values.ts";

const ownFile = "name the bot's own file with --config FILE or COUNTERSIGN_CONFIG";

/** Reads no secrets, because the person who halts, or keeps the records, may not have them (SR-55). */
export function readPlaces(given: string | undefined): {
  readonly storeUrl: string;
  readonly repositories: readonly string[];
  readonly audit: Config["audit"];
  readonly publicUrl: string | undefined;
  readonly server: Pick<Config["server"], "host" | "port">;
  readonly alertKinds: ReadonlyMap<string, AlertKind>;
  /** Undefined if the policy has mistakes. */
  readonly agents: readonly string[] | undefined;
} {
  const file = resolve(given || environment().COUNTERSIGN_CONFIG || "countersign.yml");
  const yaml = parseYaml(readNamedFile(file, ownFile), file);
  if (!yaml.ok) throw new OperatorError(yaml.problems);
  const { parsed, malformed, gaps } = keepWhatFits(withoutNulls(yaml.value) ?? {});
  // A mistake elsewhere must not prevent a halt.
  const sure = <S extends keyof ParsedFile>(section: S): ParsedFile[S] => {
    if (gaps.has(section)) throw new OperatorError(placeFindings(malformed, file, yaml.locate));
    return parsed[section];
  };
  return {
    get storeUrl() {
      return storeUrlOf(sure("store").url, file);
    },
    repositories: parsed.github.repositories.map(({ name }) => name),
    agents: gaps.has("policy") ? undefined : Object.keys(parsed.policy.proposers.mcp),
    get audit() {
      return toProgramSide(configSchema.shape.audit, sure("audit"), file);
    },
    get publicUrl() {
      return sure("server").public_url;
    },
    get server() {
      return sure("server");
    },
    get alertKinds() {
      return new Map(Object.entries(sure("alerts").sources).map(([name, { kind }]) => [name, kind]));
    },
  };
}

/** Throws an `OperatorError` if the file is unreadable. */
export function readNamedFile(file: string, remedy?: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new OperatorError({ place: file, message: `cannot be read: ${messageOf(error)}`, remedy });
  }
}
