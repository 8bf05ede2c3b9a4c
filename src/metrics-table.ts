/** Every metric there is: its name, what it tells, and which event of the log makes it, with labels from closed lists. */

type Facts = Readonly<Record<string, unknown>>;
type Labels = Readonly<Record<string, string>>;

export interface Count {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** The events that make it. */
  readonly of: readonly Source[];
}

export interface Measure extends Count {
  readonly buckets: readonly number[];
}

interface Source {
  readonly event: string;
  readonly labels?: (facts: Facts) => Labels;
  /** 1 unless said otherwise. What is no number of at least 0 is left out. */
  readonly value?: (facts: Facts) => unknown;
}

/** A value as a label: one of these, or `other`. */
const oneOf =
  (...known: readonly string[]) =>
  (value: unknown): string =>
    known.find((one) => one === value) ?? "other";

const risk = oneOf("low", "medium", "high", "block");
const queue = oneOf("delivery", "turn", "execute", "post");
const origin = oneOf("model", "offline", "person");
const ending = oneOf("exited", "signalled", "timed-out", "cancelled", "waiting-for-input", "unreachable", "unknown");
const outcome = oneOf("stored", "duplicate", "echo");
const budget = oneOf(
  ...["tokensPerIncident", "tokensPerPersonPerDay", "tokensPerRepositoryPerDay", "tokensPerInstallationPerDay"],
  ...["tokensPerDay", "costPerIncident", "costPerDay"],
);

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
    labels: ["outcome"],
    of: [
      { event: "delivery_accepted", labels: (facts) => ({ outcome: outcome(facts.outcome) }) },
      { event: "delivery_refused", labels: () => ({ outcome: "refused" }) },
      { event: "delivery_not-stored", labels: () => ({ outcome: "not-stored" }) },
    ],
  },
  {
    name: "countersign_job_failures_total",
    help: "Attempts at a job that failed; set-aside ones are given up.",
    labels: ["queue", "outcome"],
    of: [
      { event: "job_failed", labels: (facts) => ({ queue: queue(facts.queue), outcome: "failed" }) },
      { event: "job_set_aside", labels: (facts) => ({ queue: queue(facts.queue), outcome: "set-aside" }) },
    ],
  },
  {
    name: "countersign_tool_calls_total",
    help: "Tools that the model called.",
    labels: ["error"],
    of: [{ event: "tool_call", labels: ({ isError }) => ({ error: String(isError === true) }) }],
  },
  {
    name: "countersign_model_tokens_total",
    help: "Tokens that the model has cost; cached ones are input, too.",
    labels: ["kind"],
    of: [
      { event: "provider_reply", labels: () => ({ kind: "input" }), value: ({ inputTokens }) => inputTokens },
      { event: "provider_reply", labels: () => ({ kind: "cached" }), value: ({ cachedTokens }) => cachedTokens },
      { event: "provider_reply", labels: () => ({ kind: "output" }), value: ({ outputTokens }) => outputTokens },
    ],
  },
  {
    name: "countersign_model_cost_total",
    help: "What the model has cost, in the currency of the endpoints' prices; 0 without prices.",
    labels: [],
    of: [{ event: "provider_reply", value: ({ cost }) => cost }],
  },
  {
    name: "countersign_model_failures_total",
    help: "Requests to the model that failed, repeated ones each.",
    labels: ["kind"],
    of: [
      { event: "provider_error", labels: () => ({ kind: "error" }) },
      { event: "provider_rate_limit", labels: () => ({ kind: "rate-limit" }) },
    ],
  },
  {
    name: "countersign_budget_refusals_total",
    help: "Asks of the model that a budget refused.",
    labels: ["budget"],
    of: [{ event: "budget_spent", labels: (facts) => ({ budget: budget(facts.budget) }) }],
  },
  {
    name: "countersign_injections_total",
    help: "Times the model was told its instructions: first, repeated; failed where the repository's rules could not be read.",
    labels: ["kind"],
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
    labels: ["risk", "origin"],
    of: ["command_proposed", "tool_blocked"].map((event) => ({
      event,
      labels: (facts) => ({ risk: risk(facts.risk), origin: origin(facts.origin) }),
    })),
  },
  {
    name: "countersign_approvals_total",
    help: "Countersignatures of people.",
    labels: ["risk"],
    of: [{ event: "command_approved", labels: (facts) => ({ risk: risk(facts.risk) }) }],
  },
  {
    name: "countersign_runs_total",
    help: "Commands that were run, by how they ended; unknown ones need a person.",
    labels: ["ending", "risk"],
    of: [{ event: "run_end", labels: (facts) => ({ ending: ending(facts.ending), risk: risk(facts.risk) }) }],
  },
  {
    name: "countersign_post_failures_total",
    help: "Comments that GitHub did not take; parked ones are not tried again.",
    labels: ["outcome"],
    of: [
      { event: "post_failed", labels: () => ({ outcome: "failed" }) },
      { event: "post_parked", labels: () => ({ outcome: "parked" }) },
    ],
  },
  {
    name: "countersign_config_reloads_total",
    help: "Changes of the config file that were applied or refused.",
    labels: ["outcome"],
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
    labels: ["queue"],
    buckets: quick,
    of: [{ event: "job_end", labels: (facts) => ({ queue: queue(facts.queue) }), value: seconds("durationMs") }],
  },
  {
    name: "countersign_turn_seconds",
    help: "How long the agent's turns took.",
    labels: [],
    buckets: slow,
    of: [{ event: "turn_end", value: seconds("durationMs") }],
  },
  {
    name: "countersign_model_request_seconds",
    help: "How long the model took for requests that it answered.",
    labels: ["provider"],
    buckets: slow,
    // Hosts of the operator's own endpoints.
    of: [
      {
        event: "provider_reply",
        labels: ({ provider }) => ({ provider: String(provider) }),
        value: seconds("durationMs"),
      },
    ],
  },
  {
    name: "countersign_first_proposal_seconds",
    help: "From the incident's opening to its first proposed command.",
    labels: [],
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
    labels: ["risk"],
    buckets: quick,
    of: [{ event: "run_start", labels: (facts) => ({ risk: risk(facts.risk) }), value: seconds("sinceApprovedMs") }],
  },
  {
    name: "countersign_run_seconds",
    help: "How long commands ran.",
    labels: [],
    buckets: slow,
    of: [
      { event: "run_end", value: ({ durationMs }) => (durationMs === null ? Number.NaN : Number(durationMs) / 1000) },
    ],
  },
];

interface Standing {
  readonly help: string;
  readonly labels: readonly string[];
  /** False for what is set by an event and not read when the page is asked for. */
  readonly isRead: boolean;
}

const read = (help: string, ...labels: readonly string[]): Standing => ({ help, labels, isRead: true });
const kept = (help: string, ...labels: readonly string[]): Standing => ({ help, labels, isRead: false });

export const gauges = {
  countersign_queue_waiting: read("Jobs that are due and not served yet.", "queue"),
  countersign_queue_oldest_seconds: read("How long the oldest of them has waited.", "queue"),
  countersign_outbox_waiting: read("Comments that GitHub does not show yet as they should read."),
  countersign_outbox_oldest_seconds: read("How long the oldest of them has been due."),
  countersign_outbox_parked: read("Comments that GitHub never took."),
  countersign_runs_unknown: read("Runs in the store of which nobody knows how they ended."),
  countersign_runs_open: read("Runs that have been sent and not ended."),
  countersign_incidents_open: read("Incidents that are open."),
  countersign_budget_spent_tokens: read("Tokens that the model has cost today (UTC), reserved ones included."),
  countersign_budget_limit_tokens: read("The operator's budget of tokens for a day."),
  countersign_budget_spent_cost: read("Money that the model has cost today (UTC)."),
  countersign_halted: read("1 while the kill switch is on for the whole bot or a repository, or cannot be read."),
  countersign_store_readable: kept("0 where the figures of the store could not be read."),
  countersign_breaker_open: kept("1 while an endpoint of the model is left alone after repeated failures.", "provider"),
  countersign_build_info: kept("Always 1, with the version that runs.", "version"),
} as const satisfies Readonly<Record<string, Standing>>;
