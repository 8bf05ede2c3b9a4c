/**
 * Loaded only if metrics are on. Counters and histograms follow the log's events by the tables below, so the two cannot disagree; most
 * gauges are read per page. Labels come from closed lists: no person's name, no repository's text (SR-04, SR-45).
 */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Fields } from "../base/json.ts";
import { queues } from "../base/queues.ts";
import { risks } from "../base/risk.ts";
import type { Ending } from "../base/run.ts";

/** Names from the operator's own file, which no one else can extend. */
export const operators = "operators";

type LabelLists = Readonly<Record<string, readonly string[] | typeof operators>>;

interface CounterRow {
  readonly name: string;
  readonly help: string;
  /**
   * Any other value becomes `other`. Every combination starts at 0, because Prometheus sees no increase in a series that appears with its
   * first event.
   */
  readonly labels: LabelLists;
  readonly of: readonly CountedEvent[];
}

interface HistogramRow extends CounterRow {
  readonly buckets: readonly number[];
}

interface CountedEvent {
  readonly event: string;
  /** Labels that are no fields of the event. */
  readonly labels?: (facts: Fields) => Fields;
  /** 1 by default; anything but a number from 0 is left out. */
  readonly value?: (facts: Fields) => unknown;
}

const endings = Object.keys({
  exited: true,
  signalled: true,
  "timed-out": true,
  cancelled: true,
  "waiting-for-input": true,
  unreachable: true,
  unknown: true,
} satisfies Record<Ending["kind"], true>);
const origins = ["model", "offline", "person"];
const budgets = [
  ...["tokensPerIncident", "tokensPerPersonPerDay", "tokensPerRepositoryPerDay", "tokensPerInstallationPerDay"],
  ...["tokensPerDay", "costPerIncident", "costPerDay"],
];

const seconds =
  (field: string) =>
  (facts: Fields): number =>
    Number(facts[field] ?? Number.NaN) / 1000;
const quick = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const slow = [0.1, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600, 1_800, 3_600];

export const counters: readonly CounterRow[] = [
  {
    name: "countersign_deliveries_total",
    help: "Webhook calls, by what became of them.",
    labels: { outcome: ["stored", "duplicate", "echo", "refused", "not-stored"] },
    of: [
      { event: "delivery_accepted" },
      { event: "delivery_refused", labels: () => ({ outcome: "refused" }) },
      { event: "delivery_not-stored", labels: () => ({ outcome: "not-stored" }) },
    ],
  },
  {
    name: "countersign_alerts_total",
    help: "Messages of sources of alerts, by what became of them; of a source that nobody configured it is `other`.",
    labels: { source: operators, outcome: ["stored", "duplicate", "ignored", "refused", "not-stored"] },
    of: [
      { event: "alert_accepted" },
      { event: "alert_refused", labels: ({ source = "other" }) => ({ source, outcome: "refused" }) },
      { event: "alert_not-stored", labels: () => ({ outcome: "not-stored" }) },
    ],
  },
  {
    name: "countersign_job_failures_total",
    help: "Attempts at a job that failed; set-aside ones are given up.",
    labels: { queue: queues, outcome: ["failed", "set-aside"] },
    of: [
      { event: "job_failed", labels: () => ({ outcome: "failed" }) },
      { event: "job_set_aside", labels: () => ({ outcome: "set-aside" }) },
    ],
  },
  {
    name: "countersign_tool_calls_total",
    help: "Tools that the model called.",
    labels: { error: ["true", "false"] },
    of: [{ event: "tool_call", labels: ({ isError }) => ({ error: String(isError === true) }) }],
  },
  {
    name: "countersign_model_tokens_total",
    help: "Tokens that the model has cost; cached ones are input, too.",
    labels: { kind: ["input", "cached", "output"] },
    of: [
      { event: "provider_reply", labels: () => ({ kind: "input" }), value: ({ inputTokens }) => inputTokens },
      { event: "provider_reply", labels: () => ({ kind: "cached" }), value: ({ cachedTokens }) => cachedTokens },
      { event: "provider_reply", labels: () => ({ kind: "output" }), value: ({ outputTokens }) => outputTokens },
    ],
  },
  {
    name: "countersign_model_cost_total",
    help: "What the model has cost, in the currency of the endpoints' prices; 0 without prices.",
    labels: {},
    of: [{ event: "provider_reply", value: ({ cost }) => cost }],
  },
  {
    name: "countersign_model_failures_total",
    help: "Requests to the model that failed, repeated ones each.",
    labels: { kind: ["error", "rate-limit"] },
    of: [
      { event: "provider_error", labels: () => ({ kind: "error" }) },
      { event: "provider_rate_limit", labels: () => ({ kind: "rate-limit" }) },
    ],
  },
  {
    name: "countersign_budget_refusals_total",
    help: "Asks of the model that a budget refused.",
    labels: { budget: budgets },
    of: [{ event: "budget_spent" }],
  },
  {
    name: "countersign_injections_total",
    help: "Times the model was told its instructions: first, repeated; failed where the repository's rules could not be read.",
    labels: { kind: ["first", "repeated", "failed"] },
    of: [
      {
        event: "prompt_injected",
        labels: ({ trigger }) => ({ kind: trigger === "initial" ? "first" : "repeated" }),
      },
      { event: "rules_unreadable", labels: () => ({ kind: "failed" }) },
    ],
  },
  {
    name: "countersign_proposals_total",
    help: "Commands proposed; block ones can never run.",
    labels: { risk: risks, origin: origins },
    of: [{ event: "command_proposed" }, { event: "tool_blocked" }],
  },
  {
    name: "countersign_approvals_total",
    help: "Countersignatures of people.",
    labels: { risk: risks },
    of: [{ event: "command_approved" }],
  },
  {
    name: "countersign_runs_total",
    help: "Commands that were run, by how they ended; unknown ones need a person.",
    labels: { ending: endings, risk: risks },
    of: [{ event: "run_end" }],
  },
  {
    name: "countersign_post_failures_total",
    help: "Comments that GitHub did not take; parked ones it refused, or left without an answer for hours.",
    labels: { outcome: ["failed", "parked"] },
    of: [
      { event: "post_failed", labels: () => ({ outcome: "failed" }) },
      { event: "post_parked", labels: () => ({ outcome: "parked" }) },
    ],
  },
  {
    name: "countersign_config_reloads_total",
    help: "Changes of the config file that were applied or refused.",
    labels: { outcome: ["applied", "refused"] },
    of: [
      { event: "config_reload", labels: () => ({ outcome: "applied" }) },
      { event: "config_refused", labels: () => ({ outcome: "refused" }) },
    ],
  },
];

export const histograms: readonly HistogramRow[] = [
  {
    name: "countersign_job_seconds",
    help: "How long jobs took that ended well.",
    labels: { queue: queues },
    buckets: quick,
    of: [{ event: "job_end", value: seconds("durationMs") }],
  },
  {
    name: "countersign_turn_seconds",
    help: "How long the agent's turns took.",
    labels: {},
    buckets: slow,
    of: [{ event: "turn_end", value: seconds("durationMs") }],
  },
  {
    name: "countersign_model_request_seconds",
    help: "How long the model took for requests that it answered.",
    // Hosts of endpoints.
    labels: { provider: operators },
    buckets: slow,
    of: [{ event: "provider_reply", value: seconds("durationMs") }],
  },
  {
    name: "countersign_first_proposal_seconds",
    help: "From the incident's opening to its first proposed command.",
    labels: {},
    buckets: slow,
    of: [
      {
        event: "command_proposed",
        value: (facts) => (facts.number === 1 ? seconds("sinceOpenedMs")(facts) : Number.NaN),
      },
    ],
  },
  {
    name: "countersign_approval_to_run_seconds",
    help: "From the approval that completed a command to its start, waiting for others in its batch included.",
    labels: { risk: risks },
    buckets: quick,
    of: [{ event: "run_start", value: seconds("sinceApprovedMs") }],
  },
  {
    name: "countersign_run_seconds",
    help: "How long commands ran.",
    labels: {},
    buckets: slow,
    of: [
      { event: "run_end", value: ({ durationMs }) => (durationMs === null ? Number.NaN : Number(durationMs) / 1000) },
    ],
  },
];

interface GaugeRow {
  readonly help: string;
  readonly labels: readonly string[];
  /** Whether each page reads it. */
  readonly isRead: boolean;
  /** Missing if it is read or has labels. */
  readonly atFirst?: number;
  /** With the value; their fields are its labels. */
  readonly set?: Readonly<Record<string, number>>;
}

const read = (help: string, ...labels: readonly string[]): GaugeRow => ({ help, labels, isRead: true });
const kept = (help: string, how: Partial<GaugeRow> = {}): GaugeRow => ({ help, labels: [], isRead: false, ...how });

export const gauges = {
  countersign_queue_waiting: read("Jobs that are due and not served yet.", "queue"),
  countersign_queue_oldest_seconds: read("How long the oldest of them has waited.", "queue"),
  countersign_outbox_waiting: read("Comments that GitHub does not show yet as they should read."),
  countersign_outbox_oldest_seconds: read("How long the oldest of them has been due."),
  countersign_outbox_parked: read(
    "Comments of open incidents that GitHub refused, or left without an answer for hours.",
  ),
  countersign_writes_refused_seconds: read(
    "How long GitHub has taken nothing at all of what is to be written, by its limits or for a token that it refuses.",
  ),
  countersign_runs_unknown: read("Runs of which nobody knows how they ended, until somebody has looked."),
  countersign_runs_open: read("Runs that have been sent and not ended."),
  countersign_incidents_open: read("Incidents that are open."),
  countersign_budget_spent_tokens: read("Tokens that the model has cost today (UTC), reserved ones included."),
  countersign_budget_limit_tokens: read("The operator's budget of tokens for a day."),
  countersign_budget_spent_cost: read("Money that the model has cost today (UTC)."),
  countersign_able: read(
    "0 while the bot runs and cannot do all of its work as it is set up; GET /readyz has the reasons.",
  ),
  countersign_halted: read("1 while the kill switch is on for the whole bot or a repository, or cannot be read."),
  countersign_store_readable: kept("0 where the figures of the store could not be read."),
  countersign_config_in_force: kept("0 while the config file is refused as it is, and the one before it is in force.", {
    atFirst: 1,
    set: { config_refused: 0, config_accepted: 1 },
  }),
  countersign_breaker_open: kept("1 while an endpoint of the model is left alone after repeated failures.", {
    labels: ["provider"],
    set: { breaker_open: 1, breaker_closed: 0 },
  }),
  countersign_build_info: kept("Always 1, with the version that runs.", { labels: ["version"] }),
} as const satisfies Readonly<Record<string, GaugeRow>>;

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
    for (const { event, labels: more, value } of of)
      at(event, (facts) => {
        const amount = value ? value(facts) : 1;
        if (typeof amount !== "number" || !Number.isFinite(amount) || amount < 0) return;
        act(labelsOf(labels, { ...facts, ...more?.(facts) }), amount);
      });
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
