/** The smallest parts of the schema of the operator's file. */

import * as z from "zod";
import { parseDuration } from "../base/duration.ts";

/** Marks a leaf that is more than its type says. */
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

/** Node's timers wait no longer: a longer one fires at once. */
const longestTimerMs = 24 * 86_400_000;
/** A duration that a timer waits for. */
export const timerKey = (fallback: string) =>
  durationText
    .refine((ms) => ms <= longestTimerMs, "is longer than 24d, the most that can be waited for")
    .prefault(fallback)
    .register(marks, { kind: "duration" });

/** Port 0 means any that is free. */
export const portNumber = (least: 0 | 1) =>
  z.custom<number>(
    (given) => Number.isInteger(given) && Number(given) >= least && Number(given) <= 65_535,
    `is not a port; write a whole number from ${least} to 65535`,
  );

/** A number of things, from 1. */
export const countKey = (fallback: number) => z.int().positive().default(fallback);
export const path = () => z.string().min(1).register(marks, { kind: "path" });
/** A mapping whose every key has a default, so that it may be left out. */
export const section = <T extends z.core.$ZodLooseShape>(shape: T) => z.strictObject(shape).prefault({} as never);
export const repositoryName = z.string().regex(/^[\w.-]+\/[\w.-]+$/, "is not `owner/name`");

/** An address for requests. A login in it would be ignored, or fail each request with a message that contains it. */
export const webAddress = z
  .url({ protocol: /^https?$/, error: "is not an http(s) address", abort: true })
  .refine((text) => new URL(text).username + new URL(text).password === "", "holds a user or a password; leave it out");

/** Words that `/approve` and other slash commands read differently cannot name a server. */
export const serverName = z.string().regex(/^(?!all$)(?!\d+$)[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/i, {
  error: "cannot name a server: letters, digits, `.`, `_`, `-`; not only digits and not `all`, which /approve reads",
});
