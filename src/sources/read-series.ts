/** The JSON that Prometheus and Loki answer, read strictly: what has another form is no answer. Pure. */

import * as z from "zod";
import { parseJson } from "../base/json.ts";
import type { Source } from "../base/server.ts";
import type { Series, SeriesAnswer, SeriesLabels } from "./render.ts";

const labels = z.record(z.string(), z.string());
const sample = z.tuple([z.number(), z.string()]);
/** Of a native histogram only what a line has room for. */
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

type Read = { readonly ok: true; readonly answer: SeriesAnswer } | { readonly ok: false; readonly why: string };

/** Reads an answer within the cap of series. `why` is a sentence for people. */
export function readSeries(text: string, status: number, { maxSeries }: Source): Read {
  const json = parseJson(text);
  if (status !== 200) {
    const failed = failure.safeParse(json);
    return { ok: false, why: `HTTP ${status}: ${failed.success ? failed.data.error : text.trim().slice(0, 500)}` };
  }
  const parsed = whole.safeParse(json);
  if (!parsed.success) return { ok: false, why: "The answer has not the form that its API documents." };
  const { resultType, result } = parsed.data.data;
  const isLogs = resultType === "streams";
  // Of lines their limit bounds how many: each trace id in them can make a stream of its own.
  if (!isLogs && result.length > maxSeries) return { ok: false, why: tooMany(result, maxSeries) };
  return { ok: true, answer: { isLogs, rows: result, warnings: parsed.data.warnings } };
}

/** Names the labels to aggregate by, those with the fewest values first. */
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
