import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import * as z from "zod";
import { parseDuration } from "../base/duration.ts";
import { messageOf, type Refusal, refuse } from "../base/errors.ts";
import { type Fields, isRecord } from "../base/json.ts";
import type { Source } from "../base/server.ts";
import { splitPipeline } from "../base/words.ts";

/** A query as an approval binds it: all but the time of sending. */
export interface QueryPlan {
  readonly call: "query" | "query_range";
  readonly query: string;
  /** RFC 3339; the time of sending if absent. */
  readonly until?: string;
  readonly sinceMs?: number;
  readonly stepMs?: number;
  readonly limit?: number;
}

type QueryParsing = { readonly ok: true; readonly plan: QueryPlan } | Refusal;

/** As many as a card has room for. */
const usualPoints = 60;
const mostPoints = 1000;
/** Prometheus' own limit for a range. */
const mostSubPoints = 11_000;
const usualLines = 100;
const mostLines = 1000;

const form = "write `query 'EXPRESSION'` or `query_range 'EXPRESSION' --since 1h --step 1m`";

/** Reads a command line within the source's limits; a refusal says what to write instead. Pure. */
export function parseQuery(command: string, source: Source): QueryParsing {
  const split = splitPipeline(command);
  if (!split.ok) return split;
  const [words = [], ...filters] = split.stages;
  if (filters.length > 0) return refuse("a query takes no pipe", "filter in the query itself");
  const [call, query = "", ...rest] = words;
  if (call !== "query" && call !== "query_range") return refuse("only queries run on a source", form);
  if (query.trim() === "" || query.startsWith("--")) return refuse("the query is missing", form);
  const given = readFlags(rest, flagsOf(call, source));
  if (!given.ok) return given;
  const { since = call === "query_range" ? "1h" : undefined, step, until, limit } = given.flags;
  const sinceMs = since === undefined ? 0 : (parseDuration(since) ?? 0);
  // By default whole seconds, readable on a card.
  const usualStepMs = Math.max(1, Math.ceil(sinceMs / usualPoints / 1000)) * 1000;
  const stepMs = step === undefined ? usualStepMs : (parseDuration(step) ?? 0);
  if (call === "query_range" && sinceMs === 0) return refuse(`\`${since}\` is no duration`, "write `--since 1h`");
  if (stepMs === 0) return refuse(`\`${step}\` is no duration`, "write `--step 1m`");
  const isTime = (text: string): boolean =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z$/.test(text) && !Number.isNaN(Date.parse(text));
  if (until !== undefined && !isTime(until))
    return refuse(`\`${until}\` is no time`, "write it in UTC: `--until 2026-11-24T03:00Z`");
  if (limit !== undefined && !(/^[1-9]\d*$/.test(limit) && Number(limit) <= mostLines))
    return refuse(`\`--limit ${limit}\` is not between 1 and ${mostLines}`, `write \`--limit ${mostLines}\` or less`);
  // All ranges are added up, because a subquery multiplies its content.
  const unreadable = (why: string): Refusal => refuse(why, "write it out, such as `[5m]`");
  let sumMs = 0;
  for (const { groups } of query.matchAll(parts)) {
    if (groups?.comment) return unreadable("it has a comment");
    if (groups?.stray) return unreadable(`a \`${groups.stray}\` in it is not closed`);
    if (groups?.range === undefined) continue;
    const [range = "", part = ""] = groups.range.split(":");
    const ms = promDurationMs(range);
    const partMs = part.trim() === "" ? Number.POSITIVE_INFINITY : promDurationMs(part);
    if (ms === undefined || partMs === undefined)
      return unreadable(`\`[${groups.range}]\` is no range that can be read`);
    if (ms / partMs > mostSubPoints) return unreadable(`\`[${groups.range}]\` has more than ${mostSubPoints} steps`);
    sumMs += ms;
  }
  const widest = Math.max(sinceMs, sumMs);
  if (widest > source.maxRangeMs) {
    const most = durationText(source.maxRangeMs);
    return refuse(
      `it reads ${durationText(widest)}, and this source allows ${most}`,
      `keep \`--since\`, and all ranges in brackets together, within ${most}`,
    );
  }
  if (sinceMs / stepMs > mostPoints)
    return refuse(
      `that is more than ${mostPoints} points a series`,
      `write \`--step ${durationText(Math.ceil(sinceMs / mostPoints))}\` or longer`,
    );
  const plan: QueryPlan = {
    call,
    query,
    ...(until === undefined ? {} : { until }),
    ...(call === "query" ? {} : { sinceMs, stepMs }),
    ...(source.kind === "loki" ? { limit: Number(limit ?? usualLines) } : {}),
  };
  return { ok: true, plan };
}

type Flag = "since" | "step" | "until" | "limit";
type Flags = Readonly<Partial<Record<Flag, string>>>;

const flagsOf = (call: QueryPlan["call"], { kind }: Source): readonly Flag[] => [
  ...(call === "query_range" ? (["since", "step"] as const) : []),
  "until",
  ...(kind === "loki" ? (["limit"] as const) : []),
];

function readFlags(
  words: readonly string[],
  known: readonly Flag[],
): { readonly ok: true; readonly flags: Flags } | Refusal {
  const flags: Partial<Record<Flag, string>> = {};
  for (let at = 0; at < words.length; at += 2) {
    const [word = "", value] = words.slice(at, at + 2);
    const flag = known.find((name) => word === `--${name}`);
    if (flag === undefined)
      return refuse(
        `\`${word}\` is not known here`,
        `${form}; quote the whole expression. Flags: ${known.map((name) => `--${name}`).join(", ")}`,
      );
    if (value === undefined || flag in flags) return refuse(`\`${word}\` takes one value`, form);
    flags[flag] = value;
  }
  return { ok: true, flags };
}

/** A string, a comment (also as in Go, for Loki), or a range. */
const parts =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|(?<comment>#|\/\/|\/\*)|\[(?<range>[^\]]*)\]|(?<stray>["'`[])/gs;

const unitsMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
};

/** `1h30m`, or plain seconds as Prometheus 3 allows. */
function promDurationMs(text: string): number | undefined {
  const written = text.trim();
  if (/^\d+(\.\d+)?$/.test(written)) return Number(written) * 1000;
  if (!/^(\d+(ms|[smhdwy]))+$/.test(written)) return undefined;
  return [...written.matchAll(/(\d+)(ms|[smhdwy])/g)].reduce(
    (sum, [, count, unit = ""]) => sum + Number(count) * (unitsMs[unit] ?? Number.NaN),
    0,
  );
}

/** `90m`, `36h`; rounded up. */
function durationText(ms: number): string {
  const unit = ["d", "h", "m"].find((name) => ms % (unitsMs[name] ?? 1) === 0) ?? "s";
  return `${Math.ceil(ms / (unitsMs[unit] ?? 1))}${unit}`;
}

/** A tool's call as an approval binds it. */
export interface ToolPlan {
  readonly call: string;
  readonly arguments: Fields;
  /** Of the tool as listed. */
  readonly sha256: string;
}

type ToolParsing = { readonly ok: true; readonly plan: QueryPlan | ToolPlan } | Refusal;

/** Reads a command line for a source; a refusal says what to write instead. Pure. */
export function parseOnSource(command: string, source: Source): ToolParsing {
  if (source.kind !== "mcp") return parseQuery(command, source);
  const { tools = {} } = source;
  const [, call = "", written = ""] = /^(\S*)\s*(.*)$/s.exec(command.trim()) ?? [];
  const sha256 = Object.hasOwn(tools, call) ? tools[call] : undefined;
  const form = `write \`${sha256 === undefined ? "TOOL" : call} {"name": "value"}\``;
  if (sha256 === undefined) {
    const names = Object.keys(tools);
    return refuse(
      "the operator has not listed that tool",
      names.length === 0 ? "ask the operator to list it in `sources`" : `${form}; the tools here: ${names.join(", ")}`,
    );
  }
  try {
    const json = written === "" ? "{}" : written;
    const given: unknown = JSON.parse(json);
    if (!isRecord(given)) return refuse("its arguments are no JSON object", form);
    const exact = JSON.stringify(given);
    // A repeated name or a too long number would not be sent as the approver reads it.
    return json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1") === exact
      ? { ok: true, plan: { call, arguments: given, sha256 } }
      : refuse("its arguments would not be sent as they are written", `write \`${call} ${exact}\``);
  } catch (thrown) {
    return refuse(`its arguments are no JSON (${messageOf(thrown)})`, form);
  }
}

/** As its server describes it. */
export const listedTool = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  inputSchema: z.record(z.string(), z.unknown()),
  annotations: z.unknown().optional(),
});
export type ListedTool = z.infer<typeof listedTool>;

/** SHA-256 (hex) of all that a person or model sees of a tool, as canonical JSON (RFC 8785). Throws if there is none. */
export const hashOfTool = ({ name, description, inputSchema, annotations }: ListedTool): string =>
  createHash("sha256")
    .update(canonicalize({ name, description, inputSchema, annotations }) ?? "")
    .digest("hex");

/** Finds the tool if it is as listed. `reason` follows the server's name in a sentence. */
export function findTool(
  tools: readonly ListedTool[],
  { call, sha256 }: Pick<ToolPlan, "call" | "sha256">,
): { readonly ok: true; readonly tool: ListedTool } | { readonly ok: false; readonly reason: string } {
  const [tool, twin] = tools.filter(({ name }) => name === call);
  if (tool === undefined) return { ok: false, reason: `has no tool \`${call}\` any more` };
  if (twin !== undefined) return { ok: false, reason: `has two tools \`${call}\`` };
  const now = hashOfTool(tool);
  return now === sha256
    ? { ok: true, tool }
    : {
        ok: false,
        reason: `has changed its tool \`${call}\` since the operator listed it; if the change is meant, the operator lists \`sha256: ${now}\``,
      };
}
