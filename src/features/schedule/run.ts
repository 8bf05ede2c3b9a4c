import * as z from "zod";
import { allowanceOf } from "../../approval/schedule.ts";
import type { ScheduledStep } from "../../base/run.ts";
import { endUnknown } from "../../base/unknown.ts";
import type { Workflow } from "../../runbooks/workflows.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Job } from "../../store/queue/queue.ts";
import {
  beginScheduleRun,
  lockSchedule,
  type ScheduleRun,
  scheduleOf,
  scheduleRunOf,
  setSchedule,
  setScheduleRun,
} from "../../store/schedules.ts";
import { type Deps, loadRepoContext } from "../context.ts";
import { startWorkflow } from "../proposal/start-workflow.ts";
import { readRunbooks } from "../turn/runbooks.ts";
import { checkStep, type Due } from "./check.ts";
import { openFailure } from "./incident.ts";
import { drawRecord, keepEnds, openRecord } from "./record.ts";
import { sendStep } from "./send.ts";

const jobSchema = z.object({ runId: z.string() });

/** How late a run may begin: behind the one before it, or while GitHub does not answer. After that it is missed. */
const latestMs = 5 * 60_000;

/** How a due time ended. Only `failed` opens an incident. */
interface End {
  readonly state: Extract<ScheduleRun["state"], "ok" | "failed" | "not-run" | "missed">;
  readonly why: string | null;
}

/**
 * Carries out one due time of a schedule (WF-2): its steps in order, each checked again just before it is sent, until one fails.
 * What an earlier attempt had sent is never repeated.
 */
export async function runSchedule(deps: Deps, job: Job): Promise<void> {
  const { runId } = jobSchema.parse(job.data);
  const run = await scheduleRunOf(deps.store.db, runId);
  if (run.endedAt === null) await endRun(deps, job, run, await carryOut(deps, job, run));
  await openFailure(deps, runId);
}

async function carryOut(deps: Deps, job: Job, run: ScheduleRun): Promise<End> {
  if (run.state === "running") return leftBehind(deps, job, run);
  if (deps.now().getTime() - run.dueAt.getTime() > latestMs)
    return { state: "missed", why: "it could not begin in time, and does not run late" };
  const schedule = await openRecord(deps, await scheduleOf(deps.store.db, run.key));
  const { installationId, repo, workflow: name } = schedule;
  // Read anew, whatever has become of the webhook that told of a change.
  deps.context.drop(repo);
  const repoContext = await loadRepoContext(deps, { installationId, repo });
  const workflow = readRunbooks(deps, repoContext).workflows.find((one) => one.name === name);
  if (!workflow) return { state: "not-run", why: "the repository has no such workflow any more" };
  const { sha256 } = workflow;
  if (allowanceOf(deps.config.schedules.allowed, { repo, name, sha256 }).kind !== "allowed")
    return { state: "not-run", why: "the operator does not allow its file as it is (schedules.allowed)" };
  const filled = startWorkflow(workflow, {}, repoContext.rules.servers);
  if (!filled.ok) return { state: "not-run", why: filled.refusals.join("; ") };
  await begin(deps, job, run, workflow);
  const due: Due = { schedule, run, sha256 };
  return runSteps(
    deps,
    job,
    due,
    filled.proposals.map((proposal, index) => ({ number: index + 1, proposal })),
  );
}

async function begin(deps: Deps, job: Job, run: ScheduleRun, { sha256 }: Workflow): Promise<void> {
  const { id, key, cron, dueAt } = run;
  await deps.store.transaction(async (tx) => {
    await job.fence(tx);
    if (!(await beginScheduleRun(tx, id, deps.now()))) throw new Error("another process carries it out");
    const body = { schedule: key, run: id, cron, due: dueAt.toISOString(), sha256 };
    await appendAudit(tx, { kind: "schedule_started", body });
  });
  deps.log.info({ module: "schedule", event: "cron_start", ...lineOf(run), schedule: cron });
}

async function runSteps(
  deps: Deps,
  job: Job,
  due: Due,
  steps: readonly Parameters<typeof checkStep>[2][],
): Promise<End> {
  let sent = 0;
  for (const step of steps) {
    const look = () =>
      checkStep(deps, due, step).catch((error: unknown) => {
        deps.log.warn({ module: "schedule", event: "check_failed", ...lineOf(due.run), err: error });
        return { kind: "no", reason: "GitHub cannot be asked whether it may still run" } as const;
      });
    const lookedAt = Date.now();
    const checked = await look();
    const named = `step ${step.number}: `;
    if (checked.kind === "no") return { state: "not-run", why: named + checked.reason };
    if (checked.kind === "skip") {
      await leaveOut(deps, due, step, checked.reason);
      continue;
    }
    const went = await sendStep(deps, job, { due, step, go: checked }, { at: lookedAt, again: look });
    if (went.kind === "stopped") return { state: "not-run", why: named + went.why };
    if (went.kind === "failed") return { state: "failed", why: `${named}${step.proposal.title}` };
    sent += 1;
  }
  return sent === 0 ? { state: "not-run", why: "none of its steps may run by a schedule" } : { state: "ok", why: null };
}

async function leaveOut(
  deps: Deps,
  { run }: Due,
  { number, proposal }: Parameters<typeof checkStep>[2],
  skipped: string,
): Promise<void> {
  const { title, server, command } = proposal;
  await deps.store.transaction(async (tx) => {
    const { steps } = await scheduleRunOf(tx, run.id);
    const left: ScheduledStep = { step: number, title, place: server, server, command, skipped };
    await setScheduleRun(tx, run.id, { steps: [...steps, left] });
  });
}

/** A process has died in the midst of it: what it had sent may have run, and what it had not is not sent now. */
async function leftBehind(deps: Deps, job: Job, run: ScheduleRun): Promise<End> {
  const ending = endUnknown("bot-stopped", { check: "" });
  const lost = { ending, outcome: null, durationMs: null, proof: {} } as const;
  const open = run.steps.filter(({ ending, skipped }) => ending === undefined && skipped === undefined);
  const ended = open.map((step) => ({ ...step, ...lost }));
  await deps.store.transaction(async (tx) => {
    await job.fence(tx);
    await keepEnds(tx, deps, { run, schedule: await lockSchedule(tx, run.key) }, ended);
  });
  return { state: "failed", why: "the bot stopped in the midst of it" };
}

/** A run is told by its schedule, and by its own id, which is that of the session where it opens an incident (S14.4). */
const lineOf = ({ id, key }: ScheduleRun) => ({ jobId: key, sessionId: id });

/** Ends a due time, once, and counts its failures in a row. */
async function endRun(deps: Deps, job: Job, run: ScheduleRun, { state, why }: End): Promise<void> {
  const endedAt = deps.now();
  const ended = await deps.store.transaction(async (tx) => {
    // How it went is told whoever has it now; that it does not go is for who has it alone.
    if (state === "missed" || state === "not-run") await job.fence(tx);
    const schedule = await lockSchedule(tx, run.key);
    if (!(await setScheduleRun(tx, run.id, { state, why, endedAt }))) return false;
    if (state === "failed") await setSchedule(tx, run.key, { failures: schedule.failures + 1 });
    if (state === "ok") await setSchedule(tx, run.key, { failures: 0 });
    await appendAudit(tx, { kind: "schedule_ended", body: { schedule: run.key, run: run.id, state, why } });
    await drawRecord(tx, deps, await lockSchedule(tx, run.key));
    return true;
  });
  if (!ended) return;
  const line = { module: "schedule", ...lineOf(run) };
  const { startedAt } = await scheduleRunOf(deps.store.db, run.id);
  if (state !== "ok") deps.log.error({ ...line, event: "cron_error", error: why ?? state });
  const durationMs = startedAt === null ? 0 : endedAt.getTime() - startedAt.getTime();
  deps.log.info({ ...line, event: "cron_end", status: state, durationMs });
}

/** What could not be carried out to the last attempt is ended, so that nothing of it is sent later (RR-17). */
export async function giveUpSchedule(deps: Deps, job: Job, reason: string): Promise<void> {
  const run = await scheduleRunOf(deps.store.db, jobSchema.parse(job.data).runId);
  if (run.endedAt === null) await endRun(deps, job, run, { state: "not-run", why: reason });
}
