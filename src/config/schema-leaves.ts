/** The smallest parts of the schema of the operator's file. */

import * as z from "zod";
import { parseDuration } from "../base/duration.ts";

/** What a leaf of the schema means beyond its type. */
export const marks = z.registry<{ readonly kind: "duration" | "path" }>();

/** Marks a number as milliseconds for the type of the camelCase side. */
export type Milliseconds = number & z.$brand<"ms">;

export const durationText = z.string().transform((text, context): Milliseconds => {
  const ms = parseDuration(text);
  if (ms !== undefined && ms > 0) return ms as Milliseconds;
  context.addIssue({ code: "custom", message: "is not a duration; write 30s, 10m, 2h or 14d" });
  return z.NEVER;
});
export const durationKey = (fallback: string) => durationText.prefault(fallback).register(marks, { kind: "duration" });

/** No timer of Node's waits longer: a longer one is over at once. */
const longestTimerMs = 24 * 86_400_000;
/** A duration that a timer waits for. */
export const timerKey = (fallback: string) =>
  durationText
    .refine((ms) => ms <= longestTimerMs, "is longer than 24d, the most that can be waited for")
    .prefault(fallback)
    .register(marks, { kind: "duration" });

/** The number of a port; 0, where it is allowed, is any that is free. */
export const portNumber = (least: 0 | 1) =>
  z.custom<number>(
    (given) => Number.isInteger(given) && Number(given) >= least && Number(given) <= 65_535,
    `is not a port; write a whole number from ${least} to 65535`,
  );

export const path = () => z.string().min(1).register(marks, { kind: "path" });
/** A mapping whose every key has a default, so that the whole of it may be left out. */
export const section = <T extends z.core.$ZodLooseShape>(shape: T) => z.strictObject(shape).prefault({} as never);
export const repositoryName = z.string().regex(/^[\w.-]+\/[\w.-]+$/, "is not `owner/name`");

/** Where requests are made to. A login in it would be left out, or fail each request with a message that holds it. */
export const webAddress = z
  .url({ protocol: /^https?$/, error: "is not an http(s) address", abort: true })
  .refine((text) => new URL(text).username + new URL(text).password === "", "holds a user or a password; leave it out");

/** Words that `/approve` and other slash commands read differently cannot name a server. */
export const serverName = z.string().regex(/^(?!all$)(?!\d+$)[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/i, {
  error: "cannot name a server: letters, digits, `.`, `_`, `-`; not only digits and not `all`, which /approve reads",
});
