/**
 * Loaded only if metrics are on. Counters and histograms follow the log's events by `metrics-table.ts`, so the two cannot disagree; most
 * gauges are read per page. Labels hold no person's name and no repository's text (SR-04, SR-45).
 */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Fields } from "../base/json.ts";
import {
  type CounterRow,
  counters,
  type GaugeRow,
  gauges,
  histograms,
  type LabelLists,
  operators,
} from "./metrics-table.ts";

type GaugeName = keyof typeof gauges;

interface LabelledValue {
  readonly labels: Labels;
  readonly value: number;
}

/** A number has no labels. */
export type GaugeValues = Readonly<Partial<Record<GaugeName, number | readonly LabelledValue[]>>>;

export interface Metrics {
  readonly observe: (fields: object) => void;
  /** If `read` throws, its gauges are left out and `countersign_store_readable` is 0. */
  readonly render: () => Promise<{ readonly contentType: string; readonly text: string }>;
  readonly close: () => void;
}

type Labels = Readonly<Record<string, string>>;

/** Each bot has a registry: bots in one process do not count each other's events. */
export function createMetrics(options: {
  readonly version: string;
  readonly read: () => Promise<GaugeValues>;
}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const byEvent = new Map<string, ((facts: Fields) => void)[]>();
  const at = (event: string, act: (facts: Fields) => void) => byEvent.set(event, [...(byEvent.get(event) ?? []), act]);

  const follow = ({ labels, of }: CounterRow, act: (labels: Labels, amount: number) => void): void => {
    for (const { event, labels: more = noLabels, value = one } of of)
      at(event, (facts) =>
        whereCounted(value(facts), (amount) => act(labelsOf(labels, { ...facts, ...more(facts) }), amount)),
      );
  };

  for (const row of counters) {
    const { name, help, labels } = row;
    const counter = new Counter({ name, help, labelNames: Object.keys(labels), registers });
    for (const combination of combinations(labels)) counter.inc(combination, 0);
    follow(row, (of, amount) => counter.inc(of, amount));
  }
  for (const row of histograms) {
    const { name, help, labels, buckets } = row;
    const histogram = new Histogram({ name, help, labelNames: Object.keys(labels), buckets: [...buckets], registers });
    for (const combination of combinations(labels)) histogram.zero(combination);
    follow(row, (of, amount) => histogram.observe(of, amount));
  }

  const standing = new Map<string, Gauge>();
  for (const [name, { help, labels, atFirst, set = {} }] of Object.entries<GaugeRow>(gauges)) {
    const gauge = new Gauge({ name, help, labelNames: labels, registers });
    standing.set(name, gauge);
    if (atFirst !== undefined) gauge.set(atFirst);
    const fromFile = Object.fromEntries(labels.map((label) => [label, operators] as const));
    for (const [event, value] of Object.entries(set)) at(event, (facts) => gauge.set(labelsOf(fromFile, facts), value));
  }
  const set = (name: GaugeName, value: number | readonly LabelledValue[]): void => {
    const gauge = standing.get(name);
    if (typeof value === "number") gauge?.set(value);
    else for (const { labels, value: one } of value) gauge?.set(labels, one);
  };
  const forget = (): void => {
    for (const [name, { isRead, labels }] of Object.entries(gauges))
      if (isRead && labels.length > 0) standing.get(name)?.reset();
      else if (isRead) standing.get(name)?.remove();
  };
  set("countersign_build_info", [{ labels: { version: options.version }, value: 1 }]);

  return {
    observe: (fields) => {
      const facts = fields as Fields;
      for (const act of byEvent.get(String(facts.event)) ?? []) act(facts);
    },
    render: async () => {
      try {
        for (const [name, value] of Object.entries(await options.read())) set(name as GaugeName, value);
        set("countersign_store_readable", 1);
      } catch {
        // Old figures must not look new.
        forget();
        set("countersign_store_readable", 0);
      }
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
    close: () => registry.clear(),
  };
}

const noLabels = () => ({});
const one = () => 1;

/** None if a label has no list. */
const combinations = (lists: LabelLists): readonly Labels[] =>
  Object.entries(lists).reduce<readonly Labels[]>(
    (some, [name, list]) =>
      list === operators ? [] : some.flatMap((labels) => list.map((value) => ({ ...labels, [name]: value }))),
    [{}],
  );

/** An unlisted value is `other`. */
const labelsOf = (lists: LabelLists, facts: Fields): Labels =>
  Object.fromEntries(
    Object.entries(lists).map(([name, list]) => {
      const value = facts[name];
      return [name, list === operators ? String(value) : (list.find((known) => known === value) ?? "other")];
    }),
  );

function whereCounted(value: unknown, act: (amount: number) => void): void {
  if (typeof value === "number" && Number.isFinite(value) && value >= 0) act(value);
}
