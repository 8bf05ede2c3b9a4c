import { allowanceOf } from "../../approval/schedule.ts";
import { every, isOlderThan } from "../../base/clock.ts";
import { messageOf } from "../../base/errors.ts";
import { countDue, lastDue } from "../../runbooks/cron.ts";
import type { Workflow } from "../../runbooks/workflows.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import { findPin } from "../../store/pins.ts";
import {
  addScheduleRun,
  claimDue,
  findSchedule,
  isScheduleRun,
  keepSchedule,
  lockSchedule,
  type Schedule,
  scheduleKey,
  setSchedule,
} from "../../store/schedules.ts";
import { type Deps, loadRepoContext } from "../context.ts";
import { readRunbooks } from "../turn/runbooks.ts";
import { drawRecord } from "./record.ts";

const everyMs = 5_000;
/** A due time seen later is missed, because people no longer expect it. */
const graceMs = 60_000;
/** The rest after a failed look, short enough to miss no due time. */
const restMs = 15_000;

type ScheduleName = Readonly<Record<"repo" | "name", string>>;

/** Looks every 5 s for due schedules (WF-2), in any number of processes. */
export function keepSchedules(deps: Deps): { readonly stop: () => Promise<void> } {
  const failed = (error: unknown) =>
    deps.log.error({ module: "schedule", event: "cron_error", error: messageOf(error), err: error });
  return every(everyMs, createScheduleWatch(deps), failed);
}

/** A failed schedule does not delay the next. Never throws. */
export function createScheduleWatch(deps: Deps): () => Promise<void> {
  const failedAt = new Map<string, number>();
  let latest = 0;
  return async () => {
    latest = Math.max(latest, deps.now().getTime());
    if (!deps.config.execution.enabled) return;
    const { allowed } = deps.config.schedules;
    const named = new Map(
      allowed.map(({ repo, workflow: name }) => [scheduleKey(repo, name), { repo, name }] as const),
    );
    for (const [key, one] of named) {
      const now = deps.now().getTime();
      if (!isOlderThan(restMs, failedAt.get(key) ?? Number.NEGATIVE_INFINITY, now)) continue;
      await lookAt(deps, one, latest).catch((error) => {
        failedAt.set(key, now);
        deps.log.error({ module: "schedule", event: "cron_error", jobId: key, error: messageOf(error), err: error });
      });
    }
  };
}

/** Claims and enqueues in one commit. `latest`: the clock's latest time. */
async function lookAt(deps: Deps, named: ScheduleName, latest: number): Promise<void> {
  const { db } = deps.store;
  const key = scheduleKey(named.repo, named.name);
  const known = await findSchedule(db, key);
  const kept = known ?? (await findPin(db, named.repo));
  const installationId = kept?.installationId ?? (await deps.issues.installationOf(named.repo));
  const schedule = known ?? (await keepSchedule(db, { repo: named.repo, workflow: named.name, installationId }));
  const repoContext = await loadRepoContext(deps, { installationId, repo: named.repo });
  const workflow = readRunbooks(deps, repoContext).workflows.find(({ name }) => name === named.name);
  const fault = faultOf(deps, named, workflow);
  const due = workflow?.schedule === undefined ? undefined : lastDue(workflow.schedule, deps.now());
  if (fault !== undefined || workflow?.schedule === undefined)
    return suspend(deps, schedule, { due, ...(fault ?? noSchedule) });
  if (schedule.suspended !== null) await setSchedule(db, key, { suspended: null });
  const { seenDue } = schedule;
  if (due === undefined) return;
  if (seenDue !== null && due <= seenDue) return restartCount(deps, schedule, { due, latest });
  const cron = workflow.schedule;
  const isLate = deps.now().getTime() - due.getTime() > graceMs;
  await deps.store.transaction(async (tx) => {
    // What was due before the first look does not run.
    if (!(await claimDue(tx, schedule, due)) || seenDue === null) return;
    // The clock was ahead.
    if (await isScheduleRun(tx, key, due)) return;
    const missed = countDue(cron, seenDue, due) + (isLate ? 1 : 0);
    const why =
      missed === 0
        ? null
        : `${missed === 1 ? "one run was" : `${missed} runs were`} missed while the bot was down, and will not be made up`;
    const run = await addScheduleRun(tx, { key, dueAt: due, cron, state: isLate ? "missed" : "claimed", why });
    if (missed > 0) {
      deps.log.warn({ module: "schedule", event: "cron_missed", jobId: key, schedule: cron, missed, due });
      await appendAudit(tx, { kind: "schedule_missed", body: { schedule: key, due: due.toISOString(), missed } });
    }
    if (isLate) await drawRecord(tx, deps, await lockSchedule(tx, key));
    else await deps.store.queue.enqueue(tx, "schedule", key, { runId: run.id }, { share: named.repo });
  });
}

/** Starts again if our clock was ahead; else nothing is due until the time it showed. */
async function restartCount(
  deps: Deps,
  schedule: Schedule,
  { due, latest }: { readonly due: Date; readonly latest: number },
): Promise<void> {
  const { key, seenDue } = schedule;
  // Another process's clock may be right.
  if (seenDue === null || seenDue <= deps.now() || seenDue.getTime() > latest) return;
  if (!(await deps.store.transaction((tx) => claimDue(tx, schedule, due)))) return;
  const error = `the clock was ahead, at ${seenDue.toISOString()} or later, and is not any more; what was due then and has run does not run again`;
  deps.log.error({ module: "schedule", event: "cron_error", jobId: key, error });
}

interface ScheduleFault {
  /** Reported once. */
  readonly about: string;
  readonly why: string;
}

const noSchedule: ScheduleFault = { about: "no schedule", why: "its file has no `schedule:`" };

function faultOf(deps: Deps, named: ScheduleName, workflow: Workflow | undefined): ScheduleFault | undefined {
  if (!workflow) return { about: "no workflow", why: "the repository has no such workflow that can be used" };
  const { kind } = allowanceOf(deps.config.schedules.allowed, { ...named, sha256: workflow.sha256 });
  if (kind === "allowed") return undefined;
  return {
    about: workflow.sha256,
    why: `its file was changed; the operator may allow it as it is now (schedules.allowed, sha256: ${workflow.sha256})`,
  };
}

/** Reports a fault once. What is due meanwhile never runs. */
async function suspend(
  deps: Deps,
  schedule: Schedule,
  { due, about, why }: ScheduleFault & { readonly due: Date | undefined },
): Promise<void> {
  const { key } = schedule;
  if (schedule.suspended === about && (due === undefined || due.getTime() === schedule.seenDue?.getTime())) return;
  await deps.store.transaction(async (tx) => {
    const now = await lockSchedule(tx, key);
    if (due && (now.seenDue === null || due > now.seenDue)) await claimDue(tx, now, due);
    if (now.suspended === about) return;
    await setSchedule(tx, key, { suspended: about });
    await appendAudit(tx, { kind: "schedule_suspended", body: { schedule: key, why } });
    deps.log.warn({ module: "schedule", event: "cron_suspended", jobId: key, reason: why });
    await drawRecord(tx, deps, await lockSchedule(tx, key), why);
  });
}
