import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { performance } from "node:perf_hooks";
import * as z from "zod";
import { messageOf } from "../base/errors.ts";
import { parseJson } from "../base/json.ts";
import {
  type Capture,
  type Ending,
  type ExecResult,
  type Reserve,
  type Stopper,
  shielded,
  stopperIn,
} from "../base/run.ts";
import { createReserve, describeStopReason, followToEnd, type StopReason } from "../base/runner.ts";
import type { Server, Source } from "../base/server.ts";
import { endUnknown } from "../base/unknown.ts";
import { openSource, sendRequest } from "./connect.ts";
import type { QueryPlan, ToolPlan } from "./parse-query.ts";

interface SourcesOptions {
  /** Throws if the file is unreadable. */
  readonly readToken: (tokenFile: string) => string;
  readonly createCapture: () => { readonly push: (chunk: Uint8Array) => void; readonly finish: () => Capture };
  /** Maximum age of the last check when a query is sent. */
  readonly freshMs: number;
}

export interface SourceRunner {
  readonly reserve: Reserve;
  readonly close: () => void;
}

/** Identifies a source, as host keys do for SSH. */
export const pinOfSource = ({ url, ca }: Pick<Source, "url" | "ca">): string => {
  if (url.startsWith("http:")) return "no TLS";
  return ca === undefined ? "the system's CAs" : `CA SHA256:${createHash("sha256").update(ca).digest("hex")}`;
};

/** Writes a plan as an approval binds it. */
export const writeQuery = (plan: QueryPlan | ToolPlan): string => JSON.stringify(plan);

/** Makes the runner of sources. */
export function createSources(options: SourcesOptions): SourceRunner {
  const { readToken, createCapture, freshMs } = options;
  const closing = new AbortController();
  const reserve = createReserve<WayResult>({
    freshMs,
    open: async ({ server, hostKeys, wrapped }, signal) => {
      const { name, source } = server;
      if (!source) return { ok: false, reason: `${name} is no source` };
      if (hostKeys && !hostKeys.includes(pinOfSource(source)))
        return { ok: false, reason: `the certificate authority of ${name} is not the one that was approved` };
      let token: string | undefined;
      try {
        token = source.tokenFile === undefined ? undefined : readToken(source.tokenFile);
      } catch (thrown) {
        return { ok: false, reason: `the token of ${name} cannot be read: ${messageOf(thrown)}` };
      }
      if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
        return { ok: false, reason: `the token file of ${name} holds no token` };
      const open = source.kind === "mcp" ? (await import("./mcp.ts")).openToolCall : openQuery;
      const opened = await open(source, { wrapped, token, signal, freshMs, withinMs: withinMs(server) });
      return opened.ok ? opened : { ok: false, reason: `${name} ${opened.reason}` };
    },
    isCurrent: (opened) => opened.ok && opened.way.isFresh(),
    whyRefused: async (opened, _, signal) => (opened.ok || signal.aborted ? undefined : opened.reason),
    start: async (opened, { order: { server, wrapped }, watch }) => {
      const { signal } = watch;
      const { hardTimeoutMs } = server;
      const started = performance.now();
      const end = (ending: Ending, text = ""): ExecResult => {
        if (opened.ok) opened.way.close();
        const capture = createCapture();
        const output = Buffer.from(text);
        capture.push(output);
        shielded(watch.onOutput)(output);
        const durationMs = Math.round(performance.now() - started);
        const pin = server.source && pinOfSource(server.source);
        return { ending, capture: capture.finish(), durationMs, ...(pin && { hostKey: pin }), housekeeping: [] };
      };
      if (signal.aborted) return end({ kind: "cancelled", ...stopperIn(signal), note: "it had not been started" });
      if (!opened.ok) return end({ kind: "unreachable", reason: opened.reason });
      const { way } = opened;
      if (!way.isOpen())
        return end({ kind: "unreachable", reason: `${server.name} ended the connection before the query` });
      const done = way.ask(hardTimeoutMs);
      shielded(watch.onSent)();
      const { answer, stopped } = await followToEnd({ done, stop: way.close }, { signal, hardTimeoutMs });
      return end(endingOf(answer, stopped, isRead(server, wrapped)), stopped ? "" : `${answer.text.trimEnd()}\n`);
    },
    close: (opened) => {
      if (opened.ok) opened.way.close();
    },
  });
  return {
    reserve: (order, signal) => reserve(order, AbortSignal.any([signal, closing.signal])),
    close: () => closing.abort({ by: "the bot, which stops,", operator: true } satisfies Stopper),
  };
}

const prepareMs = 10_000;

/** Limit in ms for all before the request. */
export const withinMs = ({ hardTimeoutMs }: Server): number => Math.min(prepareMs, hardTimeoutMs);

function isRead({ source }: Server, wrapped: string): boolean {
  const { call }: QueryPlan | ToolPlan = JSON.parse(wrapped);
  return source?.levels[call] === "low";
}

/** A call that may change something is unknown without an answer; a read never is. */
function endingOf({ kind, text }: SourceAnswer, stopped: StopReason | undefined, reads: boolean): Ending {
  if (reads || (stopped === undefined && kind !== "lost"))
    return stopped ?? { kind: "exited", code: kind === "answered" ? 0 : 1 };
  return endUnknown("call-not-confirmed", { what: stopped === undefined ? text : describeStopReason(stopped) });
}

/** `lost`: it was sent, and its effect is unknown. */
export interface SourceAnswer {
  readonly kind: "answered" | "refused" | "lost";
  readonly text: string;
}

/** A connection to a verified source, for one request. */
interface Way {
  readonly isOpen: () => boolean;
  /** False if the verification is too old. */
  readonly isFresh: () => boolean;
  /** Sends within this tick. Never rejects; `close` ends it. */
  readonly ask: (timeoutMs: number) => Promise<SourceAnswer>;
  readonly close: () => void;
}

export interface WayOptions {
  readonly wrapped: string;
  readonly token: string | undefined;
  readonly signal: AbortSignal;
  /** Maximum age of the verification. */
  readonly freshMs: number;
  readonly withinMs: number;
}

export type WayResult =
  | { readonly ok: true; readonly way: Way }
  /** Continues a sentence after the source's name. */
  | { readonly ok: false; readonly reason: string };

/** Connects for one query to Prometheus or Loki. Never throws. */
async function openQuery(source: Source, { wrapped, token, signal }: WayOptions): Promise<WayResult> {
  const opened = await openSource(source, signal);
  if (!opened.ok) return { ok: false, reason: `cannot be reached: ${opened.reason}` };
  const { socket } = opened;
  const plan: QueryPlan = JSON.parse(wrapped);
  const isOpen = (): boolean => !socket.destroyed;
  const ask = async (timeoutMs: number): Promise<SourceAnswer> => {
    const now = plan.until === undefined ? new Date() : new Date(plan.until);
    try {
      const response = await sendRequest(source, {
        socket,
        method: "POST",
        path: `${source.kind === "loki" ? "/loki" : ""}/api/v1/${plan.call}`,
        body: formOf(plan, source, now, timeoutMs).toString(),
        token,
        headers: {
          accept: "application/json",
          "content-type": "application/x-www-form-urlencoded",
          ...(source.tenant === undefined ? {} : { "x-scope-orgid": source.tenant }),
        },
      });
      return answerOf(await textOf(response, source), response.statusCode ?? 0, { plan, source, now });
    } catch (thrown) {
      return { kind: "lost", text: `The answer did not come: ${messageOf(thrown)}` };
    }
  };
  return { ok: true, way: { isOpen, isFresh: isOpen, ask, close: () => socket.destroy() } };
}

/** Returns undefined if it is too long, and reads no further. */
async function textOf(response: IncomingMessage, { maxBytes }: Source): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function formOf(plan: QueryPlan, source: Source, now: Date, timeoutMs: number): URLSearchParams {
  const { call, query, sinceMs = 0, stepMs = 0, limit } = plan;
  const times: Record<string, string> =
    call === "query"
      ? { time: now.toISOString() }
      : {
          start: new Date(now.getTime() - sinceMs).toISOString(),
          end: now.toISOString(),
          step: String(stepMs / 1000),
        };
  // Prometheus before 3 ignores `limit`, so the series are counted too.
  const own: Record<string, string> =
    source.kind === "loki"
      ? { limit: String(limit), direction: "backward" }
      : { limit: String(source.maxSeries + 1), timeout: `${Math.ceil(timeoutMs / 1000)}s` };
  return new URLSearchParams({ query, ...times, ...own });
}

function answerOf(
  text: string | undefined,
  status: number,
  { plan, source, now }: { readonly plan: QueryPlan; readonly source: Source; readonly now: Date },
): SourceAnswer {
  if (text === undefined)
    return {
      kind: "refused",
      text: `The answer is longer than ${source.maxBytes} bytes, so it is not shown. Write \`topk(10, …)\`, \`sum by (job) (…)\`, a shorter range or a longer step.`,
    };
  const json = parseJson(text);
  if (status !== 200) {
    const failed = failure.safeParse(json);
    const why = failed.success ? failed.data.error : text.trim().slice(0, 500);
    return { kind: "refused", text: `HTTP ${status}: ${why}` };
  }
  const parsed = whole.safeParse(json);
  if (!parsed.success) return { kind: "refused", text: "The answer has not the form that its API documents." };
  const { data, warnings } = parsed.data;
  const { result: rows } = data;
  const isLogs = data.resultType === "streams";
  // Logs have their own limit, and each trace id may make a stream.
  if (!isLogs && rows.length > source.maxSeries) return { kind: "refused", text: tooMany(rows, source.maxSeries) };
  return { kind: "answered", text: renderAnswer({ isLogs, rows, warnings }, plan, now) };
}

const labels = z.record(z.string(), z.string());
/** In seconds, as far as a date goes. */
const time = z.number().min(0).max(8.64e12);
const sample = z.tuple([time, z.string()]);
/** A line has no room for a histogram's buckets. */
const histogram = z
  .tuple([time, z.looseObject({ count: z.string(), sum: z.string() })])
  .transform(([at, { count, sum }]): [number, string] => [at, `count ${count}, sum ${sum}`]);
const data = z.discriminatedUnion("resultType", [
  z.looseObject({
    resultType: z.literal("vector"),
    result: z.array(
      z
        .looseObject({ metric: labels, value: sample.optional(), histogram: histogram.optional() })
        .transform((row): Series => ({ labels: row.metric, values: [row.value ?? row.histogram ?? [0, ""]] })),
    ),
  }),
  z.looseObject({
    resultType: z.literal("matrix"),
    result: z.array(
      z
        .looseObject({
          metric: labels,
          values: z.array(sample).default([]),
          histograms: z.array(histogram).default([]),
        })
        .transform((row): Series => ({ labels: row.metric, values: [...row.values, ...row.histograms] })),
    ),
  }),
  z.looseObject({
    resultType: z.literal("streams"),
    result: z.array(
      z
        .looseObject({
          stream: labels,
          values: z.array(z.tuple([z.string().regex(/^\d{1,20}$/), z.string()], z.unknown())),
        })
        .transform(
          (row): Series => ({ labels: row.stream, values: row.values.map(([at, line]) => [at, line] as const) }),
        ),
    ),
  }),
  z.looseObject({
    resultType: z.enum(["scalar", "string"]),
    result: sample.transform((value): Series[] => [{ labels: {}, values: [value] }]),
  }),
]);
const whole = z.looseObject({
  status: z.literal("success"),
  data,
  warnings: z.array(z.string()).default([]),
});
const failure = z.looseObject({ error: z.string() });

/** Suggests labels to aggregate by, fewest values first. */
function tooMany(rows: readonly Series[], maxSeries: number): string {
  const values = new Map<string, Set<string>>();
  for (const { labels: own } of rows)
    for (const [name, value] of Object.entries(own satisfies SeriesLabels))
      values.set(name, (values.get(name) ?? new Set()).add(value));
  const names = [...values]
    .filter(([name, seen]) => name !== "__name__" && seen.size > 1 && seen.size <= maxSeries)
    .toSorted(([, a], [, b]) => a.size - b.size)
    .slice(0, 5)
    .map(([name]) => name);
  const by = names.length === 0 ? "" : ` Its labels: ${names.join(", ")}.`;
  return `More than ${maxSeries} series match, so none is shown. Write \`topk(10, …)\` or \`sum by (${names[0] ?? "job"}) (…)\`.${by}`;
}

type SeriesLabels = Readonly<Record<string, string>>;

/** A series or stream; times are seconds, or nanoseconds as text for lines. */
interface Series {
  readonly labels: SeriesLabels;
  readonly values: readonly (readonly [at: number | string, value: string])[];
}

interface SeriesAnswer {
  readonly isLogs: boolean;
  readonly rows: readonly Series[];
  readonly warnings: readonly string[];
}

/** Renders an answer that ends at `end`, as a table or log lines. Pure. */
function renderAnswer({ isLogs, rows, warnings }: SeriesAnswer, plan: QueryPlan, end: Date): string {
  const notes = warnings.map((warning) => `warning: ${warning}`);
  const time = (at: number): string => new Date(at).toISOString().replace(/\.000Z$/, "Z");
  const when =
    plan.sinceMs === undefined
      ? `at ${time(end.getTime())}`
      : `${time(end.getTime() - plan.sinceMs)} to ${time(end.getTime())}`;
  if (rows.length === 0) return lines([`nothing matches, ${when}`, ...notes]);
  const [first, ...others] = rows;
  const shared =
    others.length === 0
      ? {}
      : Object.fromEntries(
          Object.entries(first?.labels ?? {}).filter(([name, value]) =>
            others.every(({ labels }) => labels[name] === value),
          ),
        );
  const common = Object.keys(shared).length === 0 ? [] : [`all: ${labelText(shared)}`];
  const own = ({ labels }: Series): string =>
    labelText(Object.fromEntries(Object.entries(labels).filter(([name]) => !Object.hasOwn(shared, name))));
  const body = isLogs ? logLines(rows, own, plan.limit) : table(rows, own, plan.stepMs ?? 0);
  const count = isLogs ? `${rows.length} streams` : `${rows.length} series`;
  return lines([`${count}, ${when}`, ...common, "", ...body, ...notes]);
}

const lines = (all: readonly string[]): string => `${all.join("\n")}\n`;

/** Text from outside stays on its line. */
const labelText = (labels: SeriesLabels): string =>
  `{${Object.entries(labels)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(", ")}}`;

function table(rows: readonly Series[], own: (row: Series) => string, stepMs: number): readonly string[] {
  const isRange = rows.some(({ values }) => values.length > 1);
  const times = rows.flatMap(({ values }) => values.map(([at]) => Number(at)));
  // One grid in seconds for all, gaps included, so that one axis fits each.
  const [from, to] = [times.reduce(smaller, Infinity), times.reduce(larger, -Infinity)];
  const count = stepMs > 0 ? Math.round((to - from) / (stepMs / 1000)) + 1 : 0;
  const grid =
    count > 1 && count <= mostGrid
      ? Array.from({ length: count }, (_, at) => from + (at * stepMs) / 1000)
      : [...new Set(times)].toSorted((one, other) => one - other);
  // `09:00…11:00`, as wide as the sparkline below it.
  const width = Math.ceil(grid.length / Math.ceil(grid.length / mostBars));
  const axis = `${minute(grid[0] ?? 0)}${"".padEnd(Math.max(1, width - 10), "·")}${minute(grid.at(-1) ?? 0)}`;
  const cells = rows.map((row) => {
    if (isRange) return [own(row), ...rangeCells(row, grid)];
    const value = row.values[0]?.[1] ?? "";
    // Drops digits that only the binary form adds.
    const isLong = /^-?\d+\.\d{12,}$/.test(value);
    return [own(row), isLong ? String(Number(Number(value).toPrecision(12))) : value];
  });
  const head = ["series", ...(isRange ? ["last", "min", "max", axis, "since"] : ["value"])];
  const all = [head, ...cells];
  // One long name must not push every number off a phone.
  const widths = head.map((_, at) => Math.min(60, Math.max(...all.map((line) => line[at]?.length ?? 0))));
  return all.map((line) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

const mostGrid = 20_000;

const minute = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 16);

function rangeCells({ values }: Series, grid: readonly number[]): readonly string[] {
  const byTime = new Map(values.map(([at, value]) => [Math.round(Number(at)), Number(value)]));
  const numbers = grid.map((at) => byTime.get(Math.round(at)) ?? Number.NaN);
  const known = numbers.filter(Number.isFinite);
  const last = numberText(Number(values.at(-1)?.[1] ?? Number.NaN));
  if (known.length === 0) return [last, "", "", "", ""];
  const [min, max] = [known.reduce(smaller), known.reduce(larger)];
  const at = onsetOf(numbers);
  return [
    last,
    numberText(min),
    numberText(max),
    sparkline(numbers, min, max),
    at === undefined
      ? ""
      : `${minute(grid[at] ?? 0)}Z ${numberText(numbers[at - 1] ?? Number.NaN)} → ${numberText(numbers[at] ?? Number.NaN)}`,
  ];
}

/**
 * The index at which a series changes for the rest of the range: the split into two levels that leaves the least variation, if it explains
 * most of it. Undefined for a series without one.
 */
export function onsetOf(values: readonly number[]): number | undefined {
  const known = values.flatMap((value, at) => (Number.isFinite(value) ? [{ at, value }] : []));
  const count = known.length;
  if (count < 4) return undefined;
  const mean = known.reduce((sum, { value }) => sum + value, 0) / count;
  const total = known.reduce((sum, { value }) => sum + (value - mean) ** 2, 0);
  if (!(total > 0) || !Number.isFinite(total)) return undefined;
  let left = 0;
  let best = { gain: 0, at: 0 };
  for (let split = 1; split < count; split++) {
    left += (known[split - 1]?.value ?? 0) - mean;
    // Between the two levels; a sum of deviations from the common mean is enough for it.
    const gain = left ** 2 / split + left ** 2 / (count - split);
    if (gain > best.gain) best = { gain, at: split };
  }
  if (best.gain / total < leastExplained) return undefined;
  // A ramp begins before the middle of its rise: where it leaves what it was at first.
  const first = known.slice(0, Math.max(1, best.at >> 1)).map(({ value }) => value);
  const [low, high] = [first.reduce(smaller), first.reduce(larger)];
  let at = best.at;
  while (at > 1 && ((known[at - 1]?.value ?? 0) > high || (known[at - 1]?.value ?? 0) < low)) at--;
  return known[at]?.at;
}

/** Noise around one level is explained by a split to a fourth; a ramp to three fourths, and begins nowhere. */
const leastExplained = 0.8;

/** Six digits suffice; counts and bytes are whole. */
const numberText = (value: number): string =>
  Number.isInteger(value) || Math.abs(value) >= 1e6 ? String(Math.round(value)) : String(Number(value.toPrecision(6)));

// Math.max(...) overflows the stack with many numbers.
const smaller = (a: number, b: number): number => Math.min(a, b);
const larger = (a: number, b: number): number => Math.max(a, b);

const bars = "▁▂▃▄▅▆▇█";
const mostBars = 30;

/** Draws values from `min` to `max`. A bar shows its highest value, so no peak is lost; a gap is a dot. */
export function sparkline(values: readonly number[], min: number, max: number): string {
  const each = Math.ceil(values.length / mostBars);
  const drawn: string[] = [];
  for (let from = 0; from < values.length; from += each) {
    const highest = values
      .slice(from, from + each)
      .filter(Number.isFinite)
      .reduce(larger, Number.NEGATIVE_INFINITY);
    const step = max === min ? 0 : Math.round(((highest - min) / (max - min)) * (bars.length - 1));
    drawn.push(Number.isFinite(highest) ? bars.charAt(step) : "·");
  }
  return drawn.join("");
}

/** Newest last, as in a terminal. */
function logLines(rows: readonly Series[], own: (row: Series) => string, limit: number | undefined): readonly string[] {
  const all = rows.flatMap((row) =>
    row.values.map(([at, line]) => ({ at: BigInt(at), text: `${own(row)} ${line}`.replace(/^\{\} /, "") })),
  );
  const sorted = all.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const shown = sorted.map(({ at, text }) => `${new Date(Number(at / 1_000_000n)).toISOString()} ${text}`);
  return all.length === limit
    ? [`the newest ${limit} lines; \`--limit\` allows more, a filter shows others`, ...shown]
    : shown;
}
