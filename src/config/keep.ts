/** Of a file with mistakes what can be used all the same, so that whoever looks at it learns everything at once. */

import type * as z from "zod";
import { meantBy, type SchemaFinding, schemaFindings, valueAtPath } from "../base/problems.ts";
import type { Server } from "../base/server.ts";
import { configSchema, type ParsedFile } from "./schema.ts";

type Path = readonly PropertyKey[];

/** Sections of which something is missing, since what stands there cannot be used; and keys, e.g. `github.app_id`, of a secret. */
export type Gaps = ReadonlySet<string>;

export interface Kept {
  /** The file without what cannot be used. */
  readonly parsed: ParsedFile;
  readonly findings: readonly SchemaFinding[];
  readonly gaps: Gaps;
}

/**
 * Takes out of the file whatever has not the right form: the key, or where one is missing what it is missing of. A key that nobody
 * knows leaves a gap only where it looks like a misspelt one.
 */
export function keepWhatFits(value: unknown): Kept {
  const first = configSchema.safeParse(value);
  if (first.success) return { parsed: first.data, findings: [], gaps: new Set() };
  const gaps = new Set<string>();
  let rest = value;
  let result: typeof first | z.ZodSafeParseResult<ParsedFile> = first;
  while (!result.success) {
    const { issues } = result.error;
    for (const section of issues.flatMap(gapsOf)) gaps.add(section);
    const dropped = issues.flatMap((issue) => pathsOf(issue).map((path) => placeIn(rest, path)));
    if (dropped.some((path) => path.length === 0)) result = { success: true, data: configSchema.parse({}) };
    else {
      rest = without(rest, new Set(dropped.map(keyOf)));
      result = configSchema.safeParse(rest);
    }
  }
  return { parsed: result.data, findings: schemaFindings(configSchema, value, first.error.issues), gaps };
}

/** Whether a finding rests on what is there: of a section with a gap only what its form tells is sure. */
export const restsOn =
  (gaps: Gaps) =>
  ({ path: [section] }: SchemaFinding): boolean =>
    section === undefined || !gaps.has(String(section));

/** Servers to which a connection can be tried: with somebody to be there, a way to log in, and a way there that has no gap either. */
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

/** The path, or as much of it as is there: each look takes something out, so that they come to an end. */
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
