import * as z from "zod";
import type { Problem } from "./errors.ts";
import { loginForm } from "./github.ts";
import { type FilePlace, parseYaml } from "./yaml.ts";

/** Findings of zod as place, mistake and nearest valid choice (SR-14). */

export interface SchemaFinding {
  readonly path: readonly PropertyKey[];
  /** Set if an environment variable is wrong. */
  readonly variable?: string | undefined;
  readonly message: string;
  readonly remedy?: string | undefined;
  readonly login?: string | undefined;
  /** Other sections that the finding relies on. */
  readonly restsOn?: readonly string[];
}

/** Adds `file:line:column`, sorted from the top. */
export function placeFindings(
  findings: readonly SchemaFinding[],
  file: string,
  locate: (path: readonly PropertyKey[]) => FilePlace,
): readonly Problem[] {
  return findings
    .map((finding) => ({ ...finding, at: locate(finding.path) }))
    .sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column)
    .map(({ at, variable, message, remedy, login }) => ({
      place: variable ?? `${file}:${at.line}:${at.column}`,
      message,
      remedy,
      ...(login === undefined ? {} : { login }),
    }));
}

type FileContent<T> =
  | {
      readonly ok: true;
      readonly value: T;
      readonly locate: (path: readonly PropertyKey[]) => FilePlace;
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** An empty file is `{}`. Never throws. */
export function parseFile<T>(schema: z.ZodType<T>, text: string, file: string): FileContent<T> {
  const yaml = parseYaml(text, file);
  if (!yaml.ok) return yaml;
  const value = yaml.value ?? {};
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data, locate: yaml.locate };
  return { ok: false, problems: placeFindings(schemaFindings(schema, value, parsed.error.issues), file, yaml.locate) };
}

/** One finding a mistake, with the nearest valid key. */
export function schemaFindings(
  schema: z.core.$ZodType,
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
): readonly SchemaFinding[] {
  return issues.flatMap((issue): SchemaFinding[] => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => {
        const path = [...issue.path, key];
        const valid = Object.keys(shapeAt(schema, issue.path));
        const near = meantBy(schema, path);
        const known = `valid here: ${valid.map((one) => `\`${one}\``).join(", ")}`;
        return {
          path,
          message: `${name(path)} is not a known key`,
          remedy: near ? `did you mean \`${near}\`?` : known,
        };
      });
    }
    if (issue.code === "invalid_key") {
      const inner = issue.issues.map(({ message }) => message).join("; ");
      return [{ path: issue.path, message: `\`${last(issue.path)}\` ${inner}` }];
    }
    const { path } = issue;
    // Refinements bring their own words (src/config/refinements.ts).
    if (issue.code === "custom" && issue.params) return [{ ...issue.params, path, message: issue.message }];
    const login = loginWithoutId(value, path);
    // Only ids are identities, because strangers can take a renamed login.
    if (login !== undefined)
      return [
        {
          path,
          message: `${name(path.at(-1) === "id" ? path.slice(0, -1) : path)} has no valid id for ${login}, and only ids count`,
          remedy: `write { login: ${login}, id: N } in the list; N is the \`id\` in the answer of \`gh api users/${login}\`, and \`countersign check\` prints it`,
          login,
        },
      ];
    const { message, remedy } = explain(issue, valueAtPath(value, path));
    return [{ path, message: `${name(path)} ${message}`, remedy }];
  });
}

const isLogin = new RegExp(`^${loginForm}$`, "i");

function loginWithoutId(value: unknown, path: readonly PropertyKey[]): string | undefined {
  const [list = ""] =
    /^policy\.(?:approvers|proposers|for\.\d+\.approvers)\.users(?:\.\d+)?(?=$|\.id$)/.exec(path.join(".")) ?? [];
  if (list === "") return undefined;
  const entry = valueAtPath(value, path.slice(0, list.split(".").length));
  const login = typeof entry === "string" ? entry.replace(/^@/, "") : valueAtPath(entry, ["login"]);
  return typeof login === "string" && isLogin.test(login) ? login : undefined;
}

function explain(issue: z.core.$ZodIssue, given: unknown): { message: string; remedy?: string | undefined } {
  switch (issue.code) {
    case "invalid_type":
      if (given === undefined) return { message: `is missing; ${article(issue.expected)} belongs here` };
      return { message: `must be ${article(issue.expected)}, not ${shown(given)}` };
    case "invalid_value": {
      const values = issue.values.map(String);
      const near = nearest(String(given), values);
      return {
        message: `is ${shown(given)}, but must be ${values
          .map((value) => `\`${value}\``)
          .join(", ")
          .replace(/, ([^,]*)$/, " or $1")}`,
        remedy: near && `did you mean \`${near}\`?`,
      };
    }
    case "invalid_union":
      return { message: `has none of the forms that are valid here: ${shown(given)}` };
    case "too_small":
      return {
        message: `must be ${issue.origin === "string" ? "filled in" : `at least ${issue.minimum}`}, not ${shown(given)}`,
      };
    case "too_big":
      return { message: `must be at most ${issue.maximum}, not ${shown(given)}` };
    default:
      return { message: given === undefined ? issue.message : `(${shown(given)}) ${issue.message}` };
  }
}

/** The new name of an old key (`.meta({ formerly })`), or else the nearest. */
export function meantBy(schema: z.core.$ZodType, path: readonly PropertyKey[]): string | undefined {
  const shape = shapeAt(schema, path.slice(0, -1));
  const renamed = Object.entries(shape).find(([, key]) => z.globalRegistry.get(key)?.formerly === last(path));
  return renamed?.[0] ?? nearest(last(path), Object.keys(shape));
}

function shapeAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): Readonly<Record<string, z.core.$ZodType>> {
  let current = unwrapSchema(schema);
  for (const step of path) {
    if (current instanceof z.ZodObject) current = unwrapSchema(current.shape[String(step)] ?? z.unknown());
    else if (current instanceof z.ZodRecord) current = unwrapSchema(current.valueType);
    else if (current instanceof z.ZodArray) current = unwrapSchema(current.element);
  }
  return current instanceof z.ZodObject ? current.shape : {};
}

/**
 * The nearest candidate, if at most a third of the letters differ. On a tie, only added or missing letters win: `webs` is `web` rather than
 * `web-1`.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[-_ ]/g, "");
  const given = plain(word);
  const ranked = candidates
    .map((candidate) => {
      const known = plain(candidate);
      const isPart = known.startsWith(given) || given.startsWith(known);
      return { candidate, distance: editDistance(given, known) + (isPart ? 0 : 0.5) };
    })
    .sort((a, b) => a.distance - b.distance)
    .map((one) => ({ ...one, distance: Math.floor(one.distance) }));
  const best = ranked[0];
  return best && best.distance <= Math.max(1, Math.floor(best.candidate.length / 3)) ? best.candidate : undefined;
}

/** Letters that are missing, added, other or swapped. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}

const last = (path: readonly PropertyKey[]): string => String(path.at(-1) ?? "");
const name = (path: readonly PropertyKey[]): string =>
  path.length === 0 ? "the file" : `\`${path.map(String).join(".")}\``;

const articles: Readonly<Record<string, string>> = {
  object: "a mapping (key: value)",
  record: "a mapping (name: value)",
  array: "a list",
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
};
const article = (expected: string): string => articles[expected] ?? expected;

/** Hides the login in an address. */
function shown(value: unknown): string {
  const text = (JSON.stringify(value) ?? String(value)).replace(/\/\/[^/\s"]*@/g, "//…@");
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** Undefined if the path does not exist. */
export function valueAtPath(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, step) => (typeof at === "object" && at !== null ? (at as Record<PropertyKey, unknown>)[step] : undefined),
    value,
  );
}

/** Unwraps `.optional()`, `.default()`, `.prefault()` and `.transform()`. */
export function unwrapSchema(schema: z.core.$ZodType): z.core.$ZodType {
  const wrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault
      ? schema.unwrap()
      : schema instanceof z.ZodPipe
        ? schema.in
        : undefined;
  return wrapped === undefined ? schema : unwrapSchema(wrapped);
}
