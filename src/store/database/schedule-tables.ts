import type { Generated, JSONColumnType } from "kysely";
import type { ScheduledStep } from "../../base/run.ts";

/** Workflows that run by time (WF-2). */
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
