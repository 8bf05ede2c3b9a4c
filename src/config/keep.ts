/** Keeps the valid parts of a broken config, so that `check` reports all mistakes at once. */

import type * as z from "zod";
import { meantBy, type SchemaFinding, schemaFindings, valueAtPath } from "../base/problems.ts";
import type { Server } from "../base/server.ts";
import { refinedSchema } from "./refinements.ts";
import { configSchema, type ParsedFile } from "./schema.ts";

type Path = readonly PropertyKey[];

/** Sections with an unusable part, and keys of unreadable secrets, e.g. `github.app_id`. */
export type Gaps = ReadonlySet<string>;

export interface KeptFile {
  readonly parsed: ParsedFile;
  /** Wrong in form; left out of `parsed`. */
  readonly malformed: readonly SchemaFinding[];
  /** Contradicts another part; still in `parsed`. */
  readonly misfits: readonly SchemaFinding[];
  readonly gaps: Gaps;
}

/** Drops keys of the wrong form, or the parent of a missing key. An unknown key leaves a gap only if it looks misspelled. */
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

/** Whether no section that the finding relies on has a gap. */
export const isSure =
  (gaps: Gaps) =>
  ({ path: [section], restsOn = [] }: SchemaFinding): boolean =>
    [...(section === undefined ? [] : [String(section)]), ...restsOn].every((one) => !gaps.has(one));

/** Servers with known user, login and jump host. */
export function connectable(servers: ReadonlyMap<string, Server>): ReadonlyMap<string, Server> {
  const whole = new Map(
    [...servers].filter(
      ([, { user, agent, keyFile, signer, cluster, local, source, patches }]) =>
        cluster || local || source || patches || (user !== "" && (agent || keyFile || signer)),
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

/** Each round shortens the path, so the rounds end. */
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
