import * as z from "zod";
import { isTimeZone } from "../base/clock.ts";
import { loginForm, namesGroup } from "../base/github.ts";
import { parseFile, type SchemaFinding } from "../base/problems.ts";
import type { ProcessRole } from "../base/roles.ts";
import { type Environment, fromFile, type Notes } from "./secrets.ts";
import { durationText, path, section } from "./shape.ts";

/** See docs/operating.md. */
const hookKinds = ["slack", "teams", "ntfy", "pagerduty", "webhook"] as const;
const loginPattern = new RegExp(`^${loginForm}$`, "i");
const login = z.string().check((context) => {
  const { value: text } = context;
  const complain = (message: string) => context.issues.push({ code: "custom", input: text, message });
  if (namesGroup(text)) complain("is a group: only a person can be on call; write the login of each");
  else if (text.startsWith("@") && loginPattern.test(text.slice(1)))
    complain(`is no login on GitHub: write it without the @`);
  else if (!loginPattern.test(text)) complain("is no login on GitHub");
});
const names = z.record(z.string().min(2), login).default({});
const timeZone = z.string().refine(isTimeZone, "is no time zone, such as `Europe/Berlin`").default("UTC");

export const onCallSchema = section({
  calendar: z.strictObject({ url_file: path(), names, time_zone: timeZone }).optional(),
  hook: z
    .strictObject({ kind: z.enum(hookKinds), url_file: path().optional(), secret_file: path().optional() })
    .optional(),
});

/** Undefined without an entry, or if this process makes no calls (SR-55). */
export interface OnCallConfig {
  readonly calendar:
    | { readonly url: string; readonly names: Readonly<Record<string, string>>; readonly timeZone: string }
    | undefined;
  readonly hook:
    | { readonly kind: (typeof hookKinds)[number]; readonly url: string; readonly secret: string | undefined }
    | undefined;
}

/** PagerDuty's key is secret; of the others the address is. */
export const secretsOfOnCall = ({ calendar, hook }: OnCallConfig): readonly string[] =>
  [calendar?.url, hook?.kind === "pagerduty" ? undefined : hook?.url, hook?.secret].flatMap((text) => text ?? []);

const pagerDuty = "https://events.pagerduty.com/v2/enqueue";

/** Never throws: mistakes are findings. */
export function readOnCall(
  { calendar, hook }: z.output<typeof onCallSchema>,
  given: { readonly file: string; readonly env: Environment; readonly roles: readonly ProcessRole[] },
): Omit<Notes, "warnings"> & OnCallConfig {
  const files: string[] = [];
  const findings: SchemaFinding[] = [];
  if (!given.roles.includes("agent")) return { files, findings, calendar: undefined, hook: undefined };
  const read = (setting: string | undefined, key: readonly string[]): string | undefined => {
    if (setting === undefined) return undefined;
    const { value, ...notes } = fromFile(setting, key, given);
    files.push(...notes.files);
    findings.push(...notes.findings);
    if (value?.text.trim() === "") findings.push({ path: key, message: "the file is empty" });
    return value?.text.trim() || undefined;
  };
  const address = (setting: string | undefined, key: readonly string[]): string | undefined => {
    const text = read(setting, key)?.replace(/^webcal:/i, "https:");
    if (text === undefined) return undefined;
    const isLocal = /^http:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?(\/|$)/i.test(text);
    if (URL.canParse(text) && (/^https:/i.test(text) || isLocal)) return text;
    findings.push({
      path: key,
      message: "the file holds no https:// address",
      remedy: "write the address alone into it",
    });
    return undefined;
  };
  const url = address(calendar?.url_file, ["oncall", "calendar", "url_file"]);
  const secret = read(hook?.secret_file, ["oncall", "hook", "secret_file"]);
  const hookUrl =
    address(hook?.url_file, ["oncall", "hook", "url_file"]) ?? (hook?.kind === "pagerduty" ? pagerDuty : undefined);
  const hookPath = ["oncall", "hook"];
  if (hook && hook.url_file === undefined && hook.kind !== "pagerduty")
    findings.push({ path: hookPath, message: `\`${hook.kind}\` needs a \`url_file\`` });
  if (hook && hook.secret_file === undefined && (hook.kind === "pagerduty" || hook.kind === "webhook")) {
    const what = hook.kind === "pagerduty" ? "the routing key" : "the key that signs what is sent";
    findings.push({ path: hookPath, message: `\`${hook.kind}\` needs a \`secret_file\` with ${what}` });
  }
  return {
    files,
    findings,
    calendar: calendar && url ? { url, names: calendar.names, timeZone: calendar.time_zone } : undefined,
    hook: hook && hookUrl ? { kind: hook.kind, url: hookUrl, secret } : undefined,
  };
}

/** `2026-11-02 09:00`, in ms as if it were UTC. */
const wall = z.string().transform((text, context): number => {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)$/.exec(text.trim()) ?? [];
  const iso = `${day}T${time}:00.000Z`;
  const ms = day === undefined ? Number.NaN : Date.parse(iso);
  // JavaScript reads February 31st as March 3rd.
  if (!Number.isNaN(ms) && new Date(ms).toISOString() === iso) return ms;
  context.addIssue({ code: "custom", message: "is no time, such as 2026-11-02 09:00" });
  return z.NEVER;
});

const hourMs = 3_600_000;

/** `.github/countersign/oncall.yml`. */
const repoOnCallSchema = z
  .strictObject({
    time_zone: timeZone,
    people: z.array(login).max(50).default([]),
    from: wall.optional(),
    every: durationText.refine((ms) => ms >= hourMs, "is shorter than an hour").prefault("7d"),
    overrides: z
      .array(
        z.strictObject({ who: login, from: wall, until: wall }).refine(({ from, until }) => from < until, {
          error: "ends before it begins",
          path: ["until"],
        }),
      )
      .max(500)
      .default([]),
    /** The logins behind the calendar's names. */
    names,
  })
  .refine(({ people, from }) => people.length === 0 || from !== undefined, {
    error: "is missing: when the first turn of the first of them began",
    path: ["from"],
  });

export const parseRepoOnCall = (text: string, file: string) => parseFile(repoOnCallSchema, text, file);
