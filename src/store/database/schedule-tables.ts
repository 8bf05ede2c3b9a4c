import type { Generated, JSONColumnType } from "kysely";
import type { ScheduledStep } from "../../base/scheduled-step.ts";

/** Workflows that run by time (WF-2). `migrations.ts` makes the tables. */
export const scheduleTables: readonly string[] = [
  // `seen_due` is the last due time that somebody has dealt with: whoever moves it on has claimed the next, of all processes one.
  `create table schedule (
    key text primary key,
    marker uuid not null,
    repo text not null,
    workflow text not null,
    installation_id bigint not null,
    repo_id bigint,
    issue integer,
    seen_due timestamptz,
    suspended text,
    failures integer not null default 0,
    incident_id uuid references incident
  )`,
  `create table schedule_run (
    id uuid primary key,
    key text not null references schedule,
    due_at timestamptz not null,
    cron text not null,
    state text not null check (state in ('claimed', 'running', 'ok', 'failed', 'not-run', 'missed')),
    why text,
    steps jsonb not null default '[]',
    started_at timestamptz,
    ended_at timestamptz,
    incident_id uuid references incident,
    unique (key, due_at)
  )`,
  `create index schedule_run_unknown on schedule_run (id) where steps @> '[{"ending": {"kind": "unknown"}}]'`,
];

export interface ScheduleTable {
  /** `acme/oncall nightly-disk-check`: repository in lower case, workflow. */
  key: string;
  /** Nobody can know it before it stands on the issue of this schedule, which is found again by it. */
  marker: string;
  repo: string;
  workflow: string;
  installationId: number;
  /** Pinned when GitHub was first asked. */
  repoId: number | null;
  /** The issue that shows its runs. */
  issue: number | null;
  seenDue: Date | null;
  /** Why it is suspended, as it was said last. */
  suspended: string | null;
  /** In a row. */
  failures: Generated<number>;
  /** The incident that its last failure has opened. */
  incidentId: string | null;
}

export interface ScheduleRunTable {
  id: string;
  key: string;
  dueAt: Date;
  cron: string;
  state: "claimed" | "running" | "ok" | "failed" | "not-run" | "missed";
  why: string | null;
  steps: JSONColumnType<readonly ScheduledStep[], string | undefined, string>;
  startedAt: Date | null;
  endedAt: Date | null;
  incidentId: string | null;
}
