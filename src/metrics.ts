/**
 * What `/metrics` tells, in Prometheus' words (issue 9). It is loaded only where it is on. Counters and histograms are made of
 * the log's own events, by the table in `metrics-table.ts`, so that the two cannot disagree; gauges are read from the store when
 * they are asked for. Labels come from closed lists and from the operator's file: no name of a person, no text of a repository
 * (SR-04, SR-45).
 */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { counters, gauges, histograms } from "./metrics-table.ts";

type GaugeName = keyof typeof gauges;

interface Labelled {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Values of gauges at a moment; a number is one without labels. */
export type GaugeValues = Readonly<Partial<Record<GaugeName, number | readonly Labelled[]>>>;

export interface Metrics {
  /** Takes note of one event of the log. */
  readonly observe: (fields: object) => void;
  /** The page. Where `read` throws, what it would have told is left out and `countersign_store_readable` is 0. */
  readonly render: () => Promise<{ readonly contentType: string; readonly text: string }>;
  readonly close: () => void;
}

type Facts = Readonly<Record<string, unknown>>;

/** Makes a registry of its own, so that several bots of one process do not count each other's events. */
export function createMetrics(options: {
  readonly version: string;
  readonly read: () => Promise<GaugeValues>;
}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  /** What is done at an event: each source of each row. */
  const byEvent = new Map<string, ((facts: Facts) => void)[]>();
  const at = (event: string, act: (facts: Facts) => void) => byEvent.set(event, [...(byEvent.get(event) ?? []), act]);

  for (const { name, help, labels: labelNames, of } of counters) {
    const counter = new Counter({ name, help, labelNames, registers });
    for (const { event, labels = noLabels, value = one } of of)
      at(event, (facts) => whereCounted(value(facts), (amount) => counter.inc(labels(facts), amount)));
  }
  for (const { name, help, labels: labelNames, of, buckets } of histograms) {
    const histogram = new Histogram({ name, help, labelNames, buckets: [...buckets], registers });
    for (const { event, labels = noLabels, value = one } of of)
      at(event, (facts) => whereCounted(value(facts), (amount) => histogram.observe(labels(facts), amount)));
  }

  const standing = new Map(
    Object.entries(gauges).map(([name, { help, labels: labelNames }]) => [
      name,
      new Gauge({ name, help, labelNames, registers }),
    ]),
  );
  const set = (name: GaugeName, value: number | readonly Labelled[]): void => {
    const gauge = standing.get(name);
    if (typeof value === "number") gauge?.set(value);
    else for (const { labels, value: one } of value) gauge?.set(labels, one);
  };
  set("countersign_build_info", [{ labels: { version: options.version }, value: 1 }]);
  const breaker = (isOpen: number) => (facts: Facts) =>
    standing.get("countersign_breaker_open")?.set({ provider: String(facts.provider) }, isOpen);
  at("breaker_open", breaker(1));
  at("breaker_closed", breaker(0));

  return {
    observe: (fields) => {
      const facts = fields as Facts;
      for (const act of byEvent.get(String(facts.event)) ?? []) act(facts);
    },
    render: async () => {
      try {
        for (const [name, value] of Object.entries(await options.read())) set(name as GaugeName, value);
        set("countersign_store_readable", 1);
      } catch {
        // That it cannot be read is what the operator must see here; old figures must not stand for new ones.
        for (const [name, { isRead, labels }] of Object.entries(gauges))
          if (isRead && labels.length > 0) standing.get(name)?.reset();
          else if (isRead) standing.get(name)?.remove();
        set("countersign_store_readable", 0);
      }
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
    close: () => registry.clear(),
  };
}

const noLabels = () => ({});
const one = () => 1;

function whereCounted(value: unknown, act: (amount: number) => void): void {
  if (typeof value === "number" && Number.isFinite(value) && value >= 0) act(value);
}
