import type { Ending, ScheduledStep } from "../../base/run.ts";
import { loadTemplate } from "../../base/template.ts";
import { renderRecord } from "../../github/render/schedule.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { AuditEvent } from "../../store/audit/events.ts";
import type { Tx } from "../../store/database/open.ts";
import { slots } from "../../store/outbox/slots.ts";
import { wantComments } from "../../store/outbox/wanted.ts";
import {
  latestRuns,
  lockScheduleRun,
  type Schedule,
  type ScheduleRun,
  scheduleOf,
  setSchedule,
  setScheduleRun,
} from "../../store/schedules.ts";
import type { Deps } from "../context.ts";
import { wakePoster } from "../thread/show.ts";

/** The audit has all runs. */
const shownRuns = 20;

const record = loadTemplate("comments/schedule.md");

/**
 * Opens a schedule's issue before its first command (AR-08). One comment is edited in place, so successful runs notify nobody. If this
 * throws, nothing runs.
 */
export async function openRecord(deps: Deps, schedule: Schedule): Promise<Schedule & { readonly issue: number }> {
  const { issue, key, installationId, repo, workflow, marker } = schedule;
  if (issue !== null) return { ...schedule, issue };
  const opened = await deps.issues.open(
    { installationId, repo },
    { title: `Schedule: ${workflow}`, body: record({ workflow: deps.markdown.code(workflow) }), labels: [], marker },
  );
  await setSchedule(deps.store.db, key, { issue: opened.number });
  return { ...(await scheduleOf(deps.store.db, key)), issue: opened.number };
}

/** Updates that comment; does nothing without an issue. */
export async function drawRecord(tx: Tx, deps: Deps, schedule: Schedule, suspended?: string): Promise<void> {
  const { key, issue, installationId, repo } = schedule;
  if (issue === null) return;
  const runs = await latestRuns(tx, key, shownRuns);
  const body = renderRecord({ ...schedule, suspended, runs }, deps.markdown);
  await wantComments(tx, { installationId, repo, issue, incidentId: null }, [{ slot: slots.schedule(key), body }]);
  await wakePoster(tx, deps, { repo, number: issue });
}

/** `proof` is for the audit alone. */
export interface EndedStep extends ScheduledStep {
  readonly ending: Ending;
  readonly proof: Partial<
    Pick<
      AuditEvent<"command_executed">["body"],
      "hostKey" | "housekeeping" | "bytes" | "outputSha256" | "redactedSha256"
    >
  >;
}

/** Replaces the intents of commands by their endings. */
export async function keepEnds(
  tx: Tx,
  deps: Deps,
  { run, schedule }: { readonly run: Pick<ScheduleRun, "id">; readonly schedule: Schedule },
  ended: readonly EndedStep[],
): Promise<void> {
  const now = (await lockScheduleRun(tx, run.id)).steps.map((step) => {
    const own = ended.find((one) => one.step === step.step && one.server === step.server);
    if (!own) return step;
    const { proof: _, ...shown } = own;
    return shown;
  });
  await setScheduleRun(tx, run.id, { steps: now });
  for (const { step, server, ending, outcome, durationMs, proof } of ended) {
    const about = { schedule: schedule.key, run: run.id, step, server };
    await appendAudit(tx, {
      kind: "schedule_command_executed",
      body: { ...about, ending, durationMs: durationMs ?? null, ...(outcome ? { outcome } : {}), ...proof },
    });
  }
  await drawRecord(tx, deps, schedule);
}
