/**
 * Reads file and environment once; after that everything is present, camelCase and frozen. The only reader of `process.env` (CFG-1, INJ-3).
 */

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { messageOf, OperatorError, type Problem } from "../base/errors.ts";
import { placeFindings, type SchemaFinding } from "../base/problems.ts";
import { processRoles as allRoles, type ProcessRole } from "../base/roles.ts";
import { parseYaml } from "../base/yaml.ts";
import { readAlertSources } from "./alert-sources.ts";
import { connectable, type Gaps, isSure, keepWhatFits } from "./keep.ts";
import { readOnCall } from "./oncall.ts";
import { doubts } from "./refinements.ts";
import { configSchema, type ParsedFile } from "./schema.ts";
import { checkFiles, type Environment, readSecrets } from "./secrets.ts";
import { buildServers } from "./servers.ts";
import { resolvePath, toProgramSide, withoutNulls } from "./shape.ts";
import type { Config, FileSide } from "./values.ts";

type ParsedConfig =
  | { readonly ok: true; readonly config: Config }
  | {
      readonly ok: false;
      readonly problems: readonly Problem[];
      /** Missing if the text is no YAML. */
      readonly rest?: UsablePart;
    };

/** To look at, never to start with. */
interface UsablePart {
  /** Around a gap, defaults replace values and keys may be missing. */
  readonly config: Config;
  readonly gaps: Gaps;
}

interface LoadOptions {
  readonly file?: string | undefined;
  readonly env?: Environment;
  /** By default all. */
  readonly roles?: readonly ProcessRole[] | undefined;
}

// biome-ignore lint/style/noProcessEnv: the one place that reads it
export const environment = (): Environment => process.env;

/** Reads `file`, COUNTERSIGN_CONFIG's file or ./countersign.yml. Throws an `OperatorError` with every problem. */
export function loadConfig(options: LoadOptions): Config {
  const parsed = surveyConfig(options);
  if (!parsed.ok) throw new OperatorError(parsed.problems);
  return parsed.config;
}

/** Like `loadConfig`, but returns the usable part of a broken file. Never throws. */
export function surveyConfig(options: LoadOptions): ParsedConfig {
  const env = options.env ?? environment();
  const file = resolve(options.file || env.COUNTERSIGN_CONFIG || "countersign.yml");
  if (!existsSync(file)) {
    const remedy =
      "write one (README.md, “Install for real”, has an example), name it with --config FILE or " +
      "COUNTERSIGN_CONFIG, or try `countersign demo`, which needs none";
    return { ok: false, problems: [{ place: file, message: "there is no such config file", remedy }] };
  }
  const read = readText(file);
  return typeof read === "string" ? parseConfig(read, file, env, options.roles) : { ok: false, problems: [read] };
}

export const defaultConfig = (): FileSide => toProgramSide(configSchema, configSchema.parse({}), "countersign.yml");

/** Parses a config file and reads its secret files. Never throws. */
export function parseConfig(
  text: string,
  file: string,
  env: Environment,
  roles: readonly ProcessRole[] = allRoles,
): ParsedConfig {
  const yaml = parseYaml(text, file);
  if (!yaml.ok) return yaml;
  const { parsed, malformed, misfits, gaps } = keepWhatFits(withoutNulls(yaml.value) ?? {});
  const secrets = readSecrets(parsed, file, env, roles);
  // So that a container can change it without a new file.
  const findings: SchemaFinding[] = [];
  const read = <T>(variable: string, fallback: T, convert: (text: string) => T | undefined, valid: string): T => {
    const text = env[variable]?.trim();
    if (!text) return fallback;
    const value = convert(text);
    if (value === undefined) findings.push({ path: [], variable, message: `is "${text}"`, remedy: `write ${valid}` });
    return value ?? fallback;
  };
  const switches = new Map(Object.entries({ true: true, "1": true, false: false, "0": false }));
  const settings = {
    turns: read(
      "COUNTERSIGN_REINJECTION_TURNS",
      parsed.reinjection.turns,
      (text) => (/^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined),
      "a whole number from 1",
    ),
    enabled: read(
      "COUNTERSIGN_REINJECTION_ENABLED",
      parsed.reinjection.enabled,
      (text) => switches.get(text.toLowerCase()),
      "true or false",
    ),
  };
  const reinjection = { settings, findings };
  const {
    alerts,
    github,
    model,
    oncall: _,
    servers,
    sources,
    patches,
    ...rest
  } = toProgramSide(configSchema, parsed, file);
  const alertSources = readAlertSources(parsed, alerts.sources, { file, env, roles, gaps });
  const onCall = readOnCall(parsed.oncall, { file, env, roles });
  const inventory = buildServers({ servers, sources, patches, github }, { env, roles });
  // Processes with different roles meet in a shared database.
  const sharesEmbeddedStore =
    parsed.signing === undefined && roles.length < allRoles.length && parsed.store.url.startsWith("file:");
  const authorities = Object.values(sources).flatMap(({ caFile }) => caFile ?? []);
  const beside = [
    ...secrets.findings,
    ...alertSources.findings,
    ...onCall.findings,
    ...(sharesEmbeddedStore
      ? [
          {
            path: ["store", "url"],
            message: `a process with the roles ${roles.join(", ")} alone cannot share an embedded store with others`,
            remedy: "use postgres://…, or start without --role",
          },
        ]
      : []),
    ...reinjection.findings,
    ...misfits,
    ...checkFiles(parsed, file),
    ...inventory.findings,
  ];
  const problems = placeFindings([...malformed, ...beside.filter(isSure(gaps))], file, yaml.locate);
  const signingKey = rest.audit.signingKeyFile === undefined ? undefined : readText(rest.audit.signingKeyFile);
  const doubtful = [
    ...secrets.warnings,
    ...alertSources.warnings,
    ...findMissingKeys(parsed, file, roles),
    ...doubts.flatMap((doubt) => doubt(parsed)),
  ];
  const config: Config = {
    ...rest,
    policy: { ...rest.policy, approvers: { ...rest.policy.approvers, proposers: rest.policy.proposers } },
    file: resolve(file),
    fileSha256: createHash("sha256").update(text).digest("hex"),
    store: { ...rest.store, url: storeUrlOf(rest.store.url, file) },
    audit: {
      ...rest.audit,
      // A new key in the same file makes a new config.
      signingKeySha256:
        typeof signingKey === "string" ? createHash("sha256").update(signingKey).digest("hex") : undefined,
    },
    reinjection: reinjection.settings,
    github: {
      mode: github.mode,
      appId: secrets.appId,
      writesPerMinute: github.writesPerMinute,
      apiUrl: github.apiUrl.replace(/\/+$/, ""),
      privateKey: secrets.privateKey,
      ...(github.patchesApp === undefined
        ? {}
        : { patchesApp: { appId: github.patchesApp.appId, privateKey: secrets.patchesKey } }),
      webhookSecrets: secrets.webhookSecrets,
    },
    roles,
    storePasswords: secrets.storePasswords,
    secretFiles: [...secrets.files, ...alertSources.files, ...onCall.files, ...authorities],
    alerts: { sources: alertSources.sources },
    oncall: { calendar: onCall.calendar, hook: onCall.hook },
    repositories: github.repositories,
    servers: inventory.servers,
    model: { ...model, endpoints: model.endpoints.map((it, index) => ({ ...it, apiKey: secrets.apiKeys[index] })) },
    warnings: placeFindings(doubtful.filter(isSure(gaps)), file, yaml.locate),
  };
  if (problems.length === 0) return { ok: true, config: deepFreeze(config) };
  const left = { ...config, servers: connectable(config.servers) };
  const lost = left.servers.size < Object.keys({ ...servers, ...sources, ...patches }).length ? ["servers"] : [];
  return {
    ok: false,
    problems,
    rest: { config: deepFreeze(left), gaps: new Set([...gaps, ...secrets.gaps, ...lost]) },
  };
}

/** Only the runner has keys. */
function findMissingKeys(
  { servers }: ParsedFile,
  file: string,
  roles: readonly ProcessRole[],
): readonly SchemaFinding[] {
  if (!roles.includes("runner")) return [];
  return Object.entries(servers).flatMap(([name, { key_file: setting }]) => {
    const keyFile = setting === undefined ? undefined : resolvePath(setting, file);
    if (keyFile === undefined || existsSync(keyFile)) return [];
    const message = `\`${name}\` cannot be reached: there is no ${keyFile}`;
    return [{ path: ["servers", name, "key_file"], message, remedy: "create the key, or correct the path" }];
  });
}

/** Relative to the file. */
export function storeUrlOf(url: string, file: string): string {
  if (!url.startsWith("file:")) return url;
  const folder = url.slice("file:".length).replace(/^\/\/(?=\/)/, "");
  return `file:${resolve(resolvePath(folder, file))}`;
}

function readText(file: string): string | Problem {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    return {
      place: file,
      message: `cannot be read: ${messageOf(error, file)}`,
      remedy: "correct the path, or its permissions",
    };
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  const parts = value instanceof Map ? value.values() : Object.values(value);
  for (const part of parts) deepFreeze(part);
  return Object.freeze(value);
}
