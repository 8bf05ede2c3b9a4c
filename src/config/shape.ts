import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import * as z from "zod";
import { parseDuration } from "../base/duration.ts";
import { unwrapSchema } from "../base/problems.ts";

/** The program's side: camelCase keys, absolute paths, frozen. */

type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;
type CamelKey<K, V> = K extends string ? (V extends Milliseconds ? `${CamelCase<K>}Ms` : CamelCase<K>) : K;

/** A record's keys (names of servers) stay as written. */
export type Camel<T> = T extends Milliseconds
  ? number
  : T extends readonly (infer Item)[]
    ? readonly Camel<Item>[]
    : T extends object
      ? string extends keyof T
        ? { readonly [K in keyof T]: Camel<T[K]> }
        : { readonly [K in keyof T as CamelKey<K, T[K]>]: Camel<T[K]> }
      : T;

/** In YAML a heading with only comments is `null`; it means "the defaults". */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value ?? undefined;
  const entries = Object.entries(value).filter(([, entry]) => entry !== null);
  return Object.fromEntries(entries.map(([key, entry]) => [key, withoutNulls(entry)]));
}

/** Relative to the file; `~` is the bot's home. */
export function resolvePath(path: string, file: string): string {
  if (path === "~" || path.startsWith("~/")) return join(homedir(), path.slice(1));
  return isAbsolute(path) ? path : resolve(dirname(file), path);
}

export function toProgramSide<S extends z.ZodType>(schema: S, value: z.output<S>, file: string): Camel<z.output<S>> {
  return convert(schema, value, file) as Camel<z.output<S>>;
}

function convert(schema: z.core.$ZodType, value: unknown, file: string): unknown {
  if (value === undefined || value === null) return value;
  if (markOf(schema)?.kind === "path" && typeof value === "string") return resolvePath(value, file);
  const bare = unwrapSchema(schema);
  if (bare instanceof z.ZodObject) {
    const shape = bare.shape as Readonly<Record<string, z.core.$ZodType>>;
    const entries = Object.entries(value).flatMap(([key, entry]) => {
      const inner = shape[key];
      if (inner === undefined) return [];
      const suffix = markOf(inner)?.kind === "duration" ? "Ms" : "";
      const name = key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
      return [[name + suffix, convert(inner, entry, file)]];
    });
    return Object.freeze(Object.fromEntries(entries));
  }
  if (bare instanceof z.ZodRecord) {
    const entries = Object.entries(value).map(([key, entry]) => [key, convert(bare.valueType, entry, file)]);
    return Object.freeze(Object.fromEntries(entries));
  }
  if (bare instanceof z.ZodArray && Array.isArray(value)) {
    return Object.freeze(value.map((item) => convert(bare.element, item, file)));
  }
  return value;
}

function markOf(schema: z.core.$ZodType): { readonly kind: "duration" | "path" } | undefined {
  const own = marks.get(schema as z.ZodType);
  if (own !== undefined) return own;
  const bare = unwrapSchema(schema);
  return bare === schema ? undefined : marks.get(bare as z.ZodType);
}

const marks = z.registry<{ readonly kind: "duration" | "path" }>();

type Milliseconds = number & z.$brand<"ms">;

export const durationText = z.string().transform((text, context): Milliseconds => {
  const ms = parseDuration(text);
  if (ms !== undefined && ms > 0) return ms as Milliseconds;
  context.addIssue({ code: "custom", message: "is not a duration; write 30s, 10m, 2h or 14d" });
  return z.NEVER;
});
export const durationKey = (fallback: string) => durationText.prefault(fallback).register(marks, { kind: "duration" });

/** Node fires longer timers at once (limit: 24.8 days). */
const longestTimerMs = 24 * 86_400_000;
export const timerKey = (fallback: string) =>
  durationText
    .refine((ms) => ms <= longestTimerMs, "is longer than 24d, the most that can be waited for")
    .prefault(fallback)
    .register(marks, { kind: "duration" });

/** 0 is any free port. */
export const portNumber = (least: 0 | 1) =>
  z.custom<number>(
    (given) => Number.isInteger(given) && Number(given) >= least && Number(given) <= 65_535,
    `is not a port; write a whole number from ${least} to 65535`,
  );

export const countKey = (fallback: number) => z.int().positive().default(fallback);
export const path = () => z.string().min(1).register(marks, { kind: "path" });
/** With defaults, so it may be left out. */
export const section = <T extends z.core.$ZodLooseShape>(shape: T) => z.strictObject(shape).prefault({} as never);
export const repositoryName = z.string().regex(/^[\w.-]+\/[\w.-]+$/, "is not `owner/name`");

/** A login would be ignored, or end up in the message of a failed request. */
export const webAddress = z
  .url({ protocol: /^https?$/, error: "is not an http(s) address", abort: true })
  .refine((text) => new URL(text).username + new URL(text).password === "", "holds a user or a password; leave it out");

/** Slash commands read the other words differently. */
export const serverName = z.string().regex(/^(?!all$)(?!\d+$)[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/i, {
  error: "cannot name a server: letters, digits, `.`, `_`, `-`; not only digits and not `all`, which /approve reads",
});
