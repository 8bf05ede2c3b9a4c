/** Keeps the valid parts of a broken config, so that `check` reports all mistakes in one run. */

import type * as z from "zod";
import { meantBy, type SchemaFinding, schemaFindings, valueAtPath } from "../base/problems.ts";
import type { Server } from "../base/server.ts";
import { refinedSchema } from "./refinements.ts";
import { configSchema, type ParsedFile } from "./schema.ts";

type Path = readonly PropertyKey[];

/** Sections that lost a part that cannot be used, and keys of secrets that cannot be read, e.g. `github.app_id`. */
export type Gaps = ReadonlySet<string>;

/** The valid parts of a file, and its mistakes. */
export interface KeptFile {
  readonly parsed: ParsedFile;
  /** What has the wrong form: it is left out of `parsed`. */
  readonly malformed: readonly SchemaFinding[];
  /** What contradicts another part: it is in `parsed` all the same. */
  readonly misfits: readonly SchemaFinding[];
  readonly gaps: Gaps;
}

/**
 * Leaves out what has the wrong form: the key, or what a missing key belongs to. An unknown key leaves a gap only if it looks like a
 * misspelled one.
 */
export function keepWhatFits(value: unknown): KeptFile {
  const first = configSchema.safeParse(value);
  const gaps = new Set<string>();
  let rest = value;
  let result = first;
  while (!result.success) {
    const { issues } = result.error;
    for (const section of issues.flatMap(gapsOf)) gaps.add(section);
    const dropped = issues.flatMap((issue) => pathsOf(issue).map((path) => placeIn(rest, path)));
    rest = dropped.some((path) => path.length === 0) ? {} : without(rest, new Set(dropped.map(keyOf)));
    result = configSchema.safeParse(rest);
  }
  return {
    parsed: result.data,
    malformed: first.success ? [] : schemaFindings(configSchema, value, first.error.issues),
    misfits: schemaFindings(refinedSchema, rest, refinedSchema.safeParse(rest).error?.issues ?? []),
    gaps,
  };
}

/** Whether a finding can be trusted: neither its own section nor another that it rests on has a gap. */
export const isSure =
  (gaps: Gaps) =>
  ({ path: [section], restsOn = [] }: SchemaFinding): boolean =>
    [...(section === undefined ? [] : [String(section)]), ...restsOn].every((one) => !gaps.has(one));

/** The servers that a connection can be tried to: user, login and jump host are known. */
export function connectable(servers: ReadonlyMap<string, Server>): ReadonlyMap<string, Server> {
  const whole = new Map(
    [...servers].filter(
      ([, { user, agent, keyFile, cluster, local, source }]) =>
        cluster || local || source || (user !== "" && (agent || keyFile)),
    ),
  );
  const left = new Map([...whole].filter(([, { jump }]) => jump === undefined || whole.has(jump)));
  return left.size === servers.size ? servers : connectable(left);
}

const allSections: readonly string[] = Object.keys(configSchema.shape);

function gapsOf(issue: z.core.$ZodIssue): readonly string[] {
  const [section] = issue.path.map(String);
  if (issue.code !== "unrecognized_keys") return section === undefined ? allSections : [section];
  const meant = issue.keys.flatMap((key) => meantBy(configSchema, [...issue.path, key]) ?? []);
  return meant.length === 0 || section === undefined ? meant : [section];
}

const pathsOf = (issue: z.core.$ZodIssue): readonly Path[] =>
  issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];

/** The path, or as much of it as exists: each round drops something, so the rounds end. */
function placeIn(value: unknown, path: Path): Path {
  let place = path;
  while (place.length > 0 && valueAtPath(value, place) === undefined) place = place.slice(0, -1);
  return place;
}

function without(value: unknown, dropped: ReadonlySet<string>, path: Path = []): unknown {
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, key];
    return dropped.has(keyOf(at)) ? [] : [[key, without(inner, dropped, at)] as const];
  });
  return Array.isArray(value) ? kept.map(([, inner]) => inner) : Object.fromEntries(kept);
}

const keyOf = (path: Path): string => JSON.stringify(path.map(String));
