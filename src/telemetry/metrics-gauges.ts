/** How things stand: each gauge with what it tells, read from the store or set by an event of the log. */

export interface GaugeRow {
  readonly help: string;
  readonly labels: readonly string[];
  /** False for what is not read when the page is asked for. */
  readonly isRead: boolean;
  /** What it is when the process starts; nothing for one that is read, or that has labels. */
  readonly atFirst?: number;
  /** The events of the log that set it, and to what; its labels are fields of theirs. */
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
