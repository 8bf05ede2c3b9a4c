/** What is counted and measured: its name, what it tells, and which event of the log makes it, with labels from closed lists. */

import { queues } from "../base/queues.ts";
import { risks } from "../base/risk.ts";
import type { Ending } from "../base/run.ts";

type Facts = Readonly<Record<string, unknown>>;

/** In place of a list: names from the operator's own file, of which nobody else can make more. */
export const operators = "operators";

export type Lists = Readonly<Record<string, readonly string[] | typeof operators>>;

export interface Count {
  readonly name: string;
  readonly help: string;
  /**
   * Each label with all the values it may have; whatever else an event says is `other` (SR-04). Every combination is there as 0 from
   * the start: of a series that appears with its first event Prometheus sees no increase.
   */
  readonly labels: Lists;
  /** The events that make it. */
  readonly of: readonly Source[];
}

export interface Measure extends Count {
  readonly buckets: readonly number[];
}

interface Source {
  readonly event: string;
  /** Labels that the event does not have as fields of the same name. */
  readonly labels?: (facts: Facts) => Facts;
  /** 1 unless said otherwise. What is no number of at least 0 is left out. */
  readonly value?: (facts: Facts) => unknown;
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
  (facts: Facts): number =>
    Number(facts[field] ?? Number.NaN) / 1000;
const quick = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const slow = [0.1, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600, 1_800, 3_600];

export const counters: readonly Count[] = [
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

export const histograms: readonly Measure[] = [
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
