import type { IncomingMessage } from "node:http";
import * as z from "zod";
import { messageOf } from "../base/errors.ts";
import { parseJson } from "../base/json.ts";
import type { Source } from "../base/server.ts";
import { openSource, sendRequest } from "./connect.ts";
import type { QueryPlan } from "./parse-query.ts";
import { renderAnswer, type Series, type SeriesAnswer, type SeriesLabels } from "./render.ts";
import type { SourceAnswer, WayOptions, WayResult } from "./run.ts";

/** Connects for one query to Prometheus or Loki. Never throws. */
export async function openQuery(source: Source, { wrapped, token, signal }: WayOptions): Promise<WayResult> {
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
  const read = readSeries(text, status, source);
  return read.ok
    ? { kind: "answered", text: renderAnswer(read.answer, plan, now) }
    : { kind: "refused", text: read.why };
}

const labels = z.record(z.string(), z.string());
const sample = z.tuple([z.number(), z.string()]);
/** A line has no room for a histogram's buckets. */
const histogram = z
  .tuple([z.number(), z.looseObject({ count: z.string(), sum: z.string() })])
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

type SeriesReading =
  | { readonly ok: true; readonly answer: SeriesAnswer }
  | { readonly ok: false; readonly why: string };

function readSeries(text: string, status: number, { maxSeries }: Source): SeriesReading {
  const json = parseJson(text);
  if (status !== 200) {
    const failed = failure.safeParse(json);
    return { ok: false, why: `HTTP ${status}: ${failed.success ? failed.data.error : text.trim().slice(0, 500)}` };
  }
  const parsed = whole.safeParse(json);
  if (!parsed.success) return { ok: false, why: "The answer has not the form that its API documents." };
  const { resultType, result } = parsed.data.data;
  const isLogs = resultType === "streams";
  // Logs have their own limit, and each trace id may make a stream.
  if (!isLogs && result.length > maxSeries) return { ok: false, why: tooMany(result, maxSeries) };
  return { ok: true, answer: { isLogs, rows: result, warnings: parsed.data.warnings } };
}

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
