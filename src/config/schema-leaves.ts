import * as z from "zod";
import { parseDuration } from "../base/duration.ts";

export const marks = z.registry<{ readonly kind: "duration" | "path" }>();

export type Milliseconds = number & z.$brand<"ms">;

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
