import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { allowanceOf, decideSchedule, decideScheduledStep } from "../../approval/schedule.ts";
import type { Proposal } from "../../base/action.ts";
import { every, isOlderThan } from "../../base/clock.ts";
import { messageOf } from "../../base/errors.ts";
import { type Ending, type ExecResult, type Reservation, type ScheduledStep, wentWell } from "../../base/run.ts";
import type { Server } from "../../base/server.ts";
import { loadTemplate } from "../../base/template.ts";
import { endUnknown } from "../../base/unknown.ts";
import { utcMinute } from "../../github/render/ink.ts";
import { renderRecord, stepOf } from "../../github/render/record.ts";
import { outcomeOf } from "../../runbooks/expect.ts";
import type { Workflow } from "../../runbooks/workflows.ts";
import { countDue, lastDue } from "../../runbooks/workflows.ts";
import type { ActionDraft } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { AuditEvent } from "../../store/audit/events.ts";
import type { Tx } from "../../store/database/open.ts";
import { addSessionInstruction, incidentOf, openIncident } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/thread-comments.ts";
import { wantComments } from "../../store/outbox/wanted.ts";
import { findPin } from "../../store/pins.ts";
import type { Job } from "../../store/queue/queue.ts";
import {
  addScheduleRun,
  beginScheduleRun,
  claimDue,
  findSchedule,
  keepSchedule,
  latestRuns,
  lockSchedule,
  lockScheduleRun,
  type Schedule,
  type ScheduleRun,
  scheduleKey,
  scheduleOf,
  scheduleRunOf,
  setOpened,
  setSchedule,
  setScheduleRun,
} from "../../store/schedules.ts";
import { bareEnding, redactText } from "../../text/bare.ts";
import { visible } from "../../text/read/visible.ts";
import { type Deps, loadRepoContext, repoContextAt } from "../context.ts";
import { mayRun, type StoppableIncident } from "../incident/hold.ts";
import { admitRepository } from "../intake/tenancy.ts";
import { riskNowOf, targetServersOf, whyLeftToPeople } from "../proposal/in-force.ts";
import { draftAction } from "../proposal/propose.ts";
import { startWorkflow } from "../proposal/start-workflow.ts";
import { isStale, waitForConfig } from "../run/check-dispatch.ts";
import { presentExcerpt } from "../run/finish-run.ts";
import type { RegisteredRun } from "../run/run-registry.ts";
import { settleAll } from "../settle-all.ts";
import { show, wakePoster } from "../thread/post.ts";
import { readRunbooks } from "../turn/runbooks.ts";
import { enqueueTurn } from "../turn/turn.ts";
import { sealIntent, voidIfRestored } from "../verify/restored.ts";

const jobSchema = z.object({ runId: z.string() });

/** A run that would begin later is missed. */
const latestMs = 5 * 60_000;

/** Only `failed` opens an incident. */
interface RunEnd {
  readonly state: Extract<ScheduleRun["state"], "ok" | "failed" | "not-run" | "missed">;
  readonly why: string | null;
}

/**
 * Runs a due time: each step is checked just before it is sent, until one fails and opens an incident. Never repeats what was sent (RR-17,
 * S13.4, S14.4, SR-07, SR-24, SR-61, SR-63, WF-2).
 */
export async function runSchedule(deps: Deps, job: Job): Promise<void> {
  const { runId } = jobSchema.parse(job.data);
  const run = await scheduleRunOf(deps.store.db, runId);
  if (run.endedAt === null) await endRun(deps, job, run, await carryOut(deps, job, run));
  await openFailure(deps, runId);
}

/** Ends a run after its last attempt, so that nothing of it is sent later. */
export async function giveUpSchedule(deps: Deps, job: Job, reason: string): Promise<void> {
  const run = await scheduleRunOf(deps.store.db, jobSchema.parse(job.data).runId);
  if (run.endedAt === null) await endRun(deps, job, run, { state: "not-run", why: reason });
}

/** Its id is also the session's if it opens an incident. */
const lineOf = ({ id, key }: ScheduleRun) => ({ jobId: key, sessionId: id });

/** By its file's content at the start. */
interface DueRun {
  readonly schedule: Schedule & { readonly issue: number };
  readonly run: ScheduleRun;
  readonly sha256: string;
}

async function carryOut(deps: Deps, job: Job, run: ScheduleRun): Promise<RunEnd> {
  if (run.state === "running") return endAbandoned(deps, job, run);
  if (deps.now().getTime() - run.dueAt.getTime() > latestMs)
    return { state: "missed", why: "it could not begin in time, and does not run late" };
  const schedule = await openRecord(deps, await scheduleOf(deps.store.db, run.key));
  const { installationId, repo, workflow: name } = schedule;
  // A change's webhook may have been lost.
  deps.context.drop(repo);
  const repoContext = await loadRepoContext(deps, { installationId, repo });
  const workflow = readRunbooks(deps, repoContext).workflows.find((one) => one.name === name);
  if (!workflow) return { state: "not-run", why: "the repository has no such workflow any more" };
  const { sha256 } = workflow;
  if (allowanceOf(deps.config.schedules.allowed, { repo, name, sha256 }).kind !== "allowed")
    return { state: "not-run", why: "the operator does not allow its file as it is (schedules.allowed)" };
  const filled = startWorkflow(workflow, {}, repoContext.rules.servers);
  if (!filled.ok) return { state: "not-run", why: filled.refusals.join("; ") };

  const { id, key, cron, dueAt } = run;
  await deps.store.transaction(async (tx) => {
    await job.fence(tx);
    if (!(await beginScheduleRun(tx, id, deps.now()))) throw new Error("another process carries it out");
    const body = { schedule: key, run: id, cron, due: dueAt.toISOString(), sha256 };
    await appendAudit(tx, { kind: "schedule_started", body });
  });
  deps.log.info({ module: "schedule", event: "cron_start", ...lineOf(run), schedule: cron });

  const due: DueRun = { schedule, run, sha256 };
  let sent = 0;
  for (const [index, proposal] of filled.proposals.entries()) {
    const number = index + 1;
    const check = () =>
      checkStep(deps, due, proposal).catch((error: unknown) => {
        deps.log.warn({ module: "schedule", event: "check_failed", ...lineOf(run), err: error });
        return { kind: "no", reason: "GitHub cannot be asked whether it may still run" } as const;
      });
    const checkedAt = Date.now();
    const checked = await check();
    if (checked.kind === "no") return { state: "not-run", why: `step ${number}: ${checked.reason}` };
    if (checked.kind === "skip") {
      const { title, server, command } = proposal;
      await deps.store.transaction(async (tx) => {
        const { steps } = await scheduleRunOf(tx, id);
        const left: ScheduledStep = { step: number, title, place: server, server, command, skipped: checked.reason };
        await setScheduleRun(tx, id, { steps: [...steps, left] });
      });
      continue;
    }
    const step = { due, number, title: proposal.title, cleared: checked };
    const result = await sendStep(deps, job, step, { at: checkedAt, again: check });
    if (result.kind === "stopped") return { state: "not-run", why: `step ${number}: ${result.why}` };
    if (result.kind === "failed") return { state: "failed", why: `step ${number}: ${proposal.title}` };
    sent += 1;
  }
  return sent === 0 ? { state: "not-run", why: "none of its steps may run by a schedule" } : { state: "ok", why: null };
}

/** What was sent may have run; the rest is not sent. */
async function endAbandoned(deps: Deps, job: Job, run: ScheduleRun): Promise<RunEnd> {
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

async function endRun(deps: Deps, job: Job, run: ScheduleRun, { state, why }: RunEnd): Promise<void> {
  const endedAt = deps.now();
  const ended = await deps.store.transaction(async (tx) => {
    // Only the job's holder may decide that it does not run.
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

interface ClearedStep {
  readonly kind: "go";
  readonly spec: ActionDraft["spec"];
  readonly servers: readonly Server[];
  /** For holds and the kill switch. */
  readonly at: StoppableIncident;
}

type StepCheck =
  | ClearedStep
  /** Only this step is left out. */
  | { readonly kind: "skip"; readonly reason: string }
  /** Nothing more is sent. */
  | { readonly kind: "no"; readonly reason: string };

const no = (reason: string): { readonly kind: "no"; readonly reason: string } => ({ kind: "no", reason });

/** Reads again all that the operator's permission depends on. Throws if GitHub's answer is incomplete; nothing runs then. */
async function checkStep(deps: Deps, { schedule, sha256 }: DueRun, proposal: Proposal): Promise<StepCheck> {
  const { installationId, repo, issue, workflow: name } = schedule;
  await waitForConfig(deps);
  if (await voidIfRestored(deps)) return no("an older copy of the bot's store was put back");
  const facts = await deps.facts({ installationId, repo, issue, people: [], comments: [], teams: [] });
  const { repository } = facts;
  const known = await loadRepoContext(deps, { installationId, repo });
  const repoContext = repository
    ? await repoContextAt(deps, known, { installationId, repo }, repository.commit)
    : known;
  if (!repoContext) return no("the repository's files cannot be read");
  const now = readRunbooks(deps, repoContext).workflows.find((workflow) => workflow.name === name);
  if (now?.sha256 !== sha256) return no("its file was changed while it ran");
  // Whether this name is still our repository.
  const same =
    repository !== undefined &&
    repository.name.toLowerCase() === repo.toLowerCase() &&
    (await admitRepository(deps, { installationId, repo, repoId: repository.id, private: repository.private })).kind ===
      "served";
  if (repository && same && schedule.repoId !== repository.id)
    await setSchedule(deps.store.db, schedule.key, { repoId: repository.id });
  const at = { repoId: repository?.id ?? 0, repo, number: issue };
  const may = await mayRun(deps, deps.store.db, at);
  const allowance = allowanceOf(deps.config.schedules.allowed, { repo, name, sha256 });
  const decision = decideSchedule({
    allowance,
    low: repoContext.rules.policy.low,
    executes: deps.config.execution.enabled,
    repository: { same, public: repository?.private === false },
    record: { open: facts.issue?.open === true },
    stopped: may.kind === "stopped" ? may.words : undefined,
  });
  if (decision.kind === "no") return decision;
  if (!deps.isConfigCurrent()) return no("the operator's files have changed and are being read");

  // As the operator's words mean now.
  const inventory = repoContext.rules.servers;
  const places = allowance.kind === "allowed" ? allowance.places : [];
  const allowed = places.flatMap((place) => {
    const meant = targetServersOf(inventory, place);
    return meant.kind === "placed" ? meant.servers.map((server) => server.name) : [];
  });
  // Judged as the agent's: no line breaks.
  const drafted = draftAction(deps, repoContext, proposal, { origin: "offline", model: null, promptSha256: null });
  if (drafted.kind === "refused") return no(drafted.why);
  const { spec, state } = drafted.draft;
  const placed = targetServersOf(inventory, spec.place);
  if (placed.kind !== "placed") return no("its servers cannot be told");
  const { servers } = placed;
  const riskNow = state === "blocked" ? "block" : riskNowOf(deps, servers, spec);
  const attended = whyLeftToPeople(deps, repoContext.rules, spec);
  const names = servers.map((server) => server.name);
  const step = decideScheduledStep({ risk: spec.risk, riskNow, attended, servers: names }, allowed);
  return step.kind === "go" ? { kind: "go", spec, servers, at } : step;
}

interface StepToSend {
  readonly due: DueRun;
  readonly number: number;
  readonly title: string;
  readonly cleared: ClearedStep;
}

type SendResult =
  | { readonly kind: "well" | "failed" }
  /** The rest was not sent. */
  | { readonly kind: "stopped"; readonly why: string };

interface LastCheck {
  /** Its start, in ms of the wall clock. */
  at: number;
  readonly again: () => Promise<StepCheck>;
}

/** Sends a step after a durable intent and never on an old check. The first failure stops further servers. */
async function sendStep(deps: Deps, job: Job, step: StepToSend, check: LastCheck): Promise<SendResult> {
  const { due, cleared } = step;
  const watched = deps.running.add(due.run.id, cleared.at);
  try {
    for (let from = 0; from < cleared.servers.length; from += deps.config.execution.atOnce) {
      const servers = cleared.servers.slice(from, from + deps.config.execution.atOnce);
      const ended = await sendTo(deps, job, step, { servers, watched, check });
      if (!Array.isArray(ended)) return ended;
      await deps.store.transaction((tx) => keepEnds(tx, deps, due, ended));
      if (!ended.every(({ ending, outcome }) => wentWell({ ending, outcome }))) return { kind: "failed" };
    }
    return { kind: "well" };
  } finally {
    watched.release();
  }
}

const maxChecks = 4;
const tooSlow = "GitHub answers too slowly to send anything on what it says";

/** Between the last check and the send only the intent is committed. */
async function sendTo(
  deps: Deps,
  job: Job,
  step: StepToSend,
  {
    servers,
    watched,
    check,
  }: { readonly servers: readonly Server[]; readonly watched: RegisteredRun; readonly check: LastCheck },
): Promise<EndedStep[] | Extract<SendResult, { kind: "stopped" }>> {
  const { due, cleared } = step;
  const reservations = await settleAll(
    servers.map((server) => {
      const target = cleared.spec.targets.find((one) => one.server === server.name);
      if (!target) throw new Error(`${server.name} is no server of the step`);
      const { wrapped, hostKeys } = target;
      // A scheduled step only reads.
      return deps.reserve({ server, wrapped, hostKeys, mode: "direct" }, watched.signalOn(server.name));
    }),
  );
  try {
    const sent: Promise<EndedStep>[] = [];
    let waiting: readonly Reservation[] = reservations;
    let isIntended = false;
    let fault: string | undefined;
    for (let checks = 0; waiting.length > 0; checks++) {
      const [why, ...refusals] = await Promise.all([
        checkAgain(deps, check, cleared),
        ...waiting.map(({ prove }) => prove()),
      ]);
      fault = why ?? refusals.find((refusal) => refusal !== undefined) ?? (checks < maxChecks ? undefined : tooSlow);
      if (fault !== undefined) break;
      if (!isIntended) {
        if (!(await intend(deps, job, step, servers)))
          return { kind: "stopped", why: "the bot is halted, or held here" };
        isIntended = true;
        fault = await sealIntent(deps);
        if (fault !== undefined) break;
      }
      waiting = waiting.filter(({ server, send }) => {
        const order = { runId: due.run.id, onSent: () => watched.sent(server.name) };
        const running = send(check.at, order);
        if (running === "stale") return true;
        sent.push(running.then((result) => endOf(deps, step, server, result)));
        return false;
      });
    }
    if (!isIntended) return { kind: "stopped", why: fault ?? tooSlow };
    const reason = `Not started: ${fault ?? tooSlow}.`;
    const unsent = waiting.map(
      ({ server }): EndedStep => ({
        ...beginningOf(step, server),
        ending: { kind: "unreachable", reason },
        outcome: null,
        durationMs: null,
        proof: {},
      }),
    );
    return [...(await settleAll(sent)), ...unsent];
  } finally {
    for (const { release } of reservations) release();
  }
}

/** Why nothing may be sent, if so. */
async function checkAgain(deps: Deps, check: LastCheck, { spec }: ClearedStep): Promise<string | undefined> {
  if (!isStale(deps, check.at)) return undefined;
  const at = Date.now();
  const now = await check.again();
  check.at = at;
  if (now.kind !== "go") return now.reason;
  return isDeepStrictEqual(now.spec.targets, spec.targets) ? undefined : "its servers were changed while it waited";
}

/** Reads holds and kill switch in the intent's transaction. Returns false if they forbid it. */
async function intend(deps: Deps, job: Job, step: StepToSend, servers: readonly Server[]): Promise<boolean> {
  const { run, schedule, sha256 } = step.due;
  const { spec, at } = step.cleared;
  return deps.store.transaction(async (tx) => {
    await job.fence(tx);
    if ((await mayRun(deps, tx, at)).kind !== "yes") return false;
    const begun = servers.map((server) => beginningOf(step, server));
    if (!(await setScheduleRun(tx, run.id, { steps: [...(await lockScheduleRun(tx, run.id)).steps, ...begun] })))
      return false;
    await appendAudit(tx, {
      kind: "schedule_command_dispatched",
      body: {
        schedule: schedule.key,
        run: run.id,
        due: run.dueAt.toISOString(),
        sha256,
        step: step.number,
        place: spec.place,
        targets: spec.targets.filter((target) => servers.some(({ name }) => name === target.server)),
        command: spec.command,
        risk: spec.risk,
        rulesVersion: spec.rulesVersion,
      },
    });
    await drawRecord(tx, deps, schedule);
    return true;
  });
}

const beginningOf = ({ number, title, cleared }: StepToSend, server: Server): ScheduledStep => ({
  step: number,
  title,
  place: cleared.spec.place,
  server: server.name,
  command: cleared.spec.command,
});

/** As people may see it. */
async function endOf(deps: Deps, step: StepToSend, server: Server, result: ExecResult): Promise<EndedStep> {
  const { command, expect } = step.cleared.spec;
  const { capture, durationMs, outputNote } = result;
  const ending = bareEnding(deps.redact, result.ending);
  const shown = await presentExcerpt(deps, { command, server: server.name, expect }, { capture, outputNote });
  capture.release?.();
  return {
    ...beginningOf(step, server),
    ending,
    outcome: expect ? outcomeOf(expect, { ending, durationMs, has: shown.has }) : null,
    durationMs,
    excerpt: shown.excerpt,
    ...(shown.trouble === undefined ? {} : { trouble: shown.trouble }),
    proof: {
      hostKey: result.hostKey ?? null,
      housekeeping: result.housekeeping,
      bytes: capture.bytes,
      outputSha256: capture.sha256,
      redactedSha256: shown.sha256,
    },
  };
}

/**
 * Opens one incident, unless an earlier failure's is still open, because failures in a row are one trouble. The session has the run's id
 * and the workflow's instructions.
 */
async function openFailure(deps: Deps, runId: string): Promise<void> {
  const { db } = deps.store;
  const run = await scheduleRunOf(db, runId);
  if (run.state !== "failed" || run.incidentId !== null) return;
  const schedule = await scheduleOf(db, run.key);
  const before = schedule.incidentId === null ? undefined : await incidentOf(db, schedule.incidentId);
  const { installationId, repo, repoId, workflow: name } = schedule;
  if (before?.state === "open" || repoId === null) return;
  const repoContext = await loadRepoContext(deps, { installationId, repo });
  const { markdown } = deps;
  const failed = run.steps.filter(
    ({ skipped, ending = null, outcome }) => skipped === undefined && !wentWell({ ending, outcome }),
  );
  const title = redactText(deps.redact, `Schedule ${name} failed: ${run.why ?? "it did not go well"}`).slice(0, 200);
  const body = [
    `The workflow ${markdown.code(name)}, due ${utcMinute(run.dueAt)} by its schedule ${markdown.code(run.cron)}, did not go well: ${markdown.note(run.why ?? "")}. Nothing more of it was run.`,
    ...failed.map((step) => stepOf(step, failed.length, markdown)),
    `All its runs are shown in issue ${schedule.issue ?? "?"}.`,
  ].join("\n\n");
  const labels = [repoContext.rules.incidentLabel];
  const opened = await deps.issues.open({ installationId, repo }, { title, body, labels, marker: run.id });
  const { number, nodeId, opener } = opened;

  // The webhook of the bot's own issue opens no incident.
  await deps.store.transaction(async (tx) => {
    const { incident, opened: isNew } = await openIncident(tx, {
      issue: { installationId, repoId, repo, number, nodeId },
      title,
      body: redactText(deps.redact, visible(body)),
      public: false,
      labels,
      opener,
      stepLimit: deps.config.agent.maxSteps,
      sessionId: run.id,
    });
    await setOpened(tx, run, incident.id);
    if (!isNew) return;
    const line = { sessionId: run.id, incidentId: incident.id, source: "schedule" };
    deps.log.info({ module: "agent", event: "session_created", ...line });
    const { instructions } = readRunbooks(deps, repoContext).workflows.find((one) => one.name === name) ?? {};
    if (instructions) await addSessionInstruction(tx, incident.id, { source: `workflow ${name}`, text: instructions });
    const about = { repo, repoId, issue: number, schedule: schedule.key, run: run.id };
    await appendAudit(tx, { kind: "incident_opened", incidentId: incident.id, body: about });
    await enqueueTurn(tx, deps, incident, { kind: "opened", fresh: true });
    await show(tx, deps, incident, "reading the incident");
  });
}

const everyMs = 5_000;
/** A due time seen later is missed, because people no longer expect it. */
const graceMs = 60_000;
/** The rest after a failed look, short enough to miss no due time. */
const restMs = 15_000;

type ScheduleName = Readonly<Record<"repo" | "name", string>>;

/** Looks every 5 s for due schedules, in any number of processes. */
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
  if (seenDue !== null && due <= seenDue) {
    // Nothing is due until that time, unless our clock was ahead. Another process's clock may be right.
    const wasAhead = seenDue > deps.now() && seenDue.getTime() <= latest;
    if (!wasAhead || !(await deps.store.transaction((tx) => claimDue(tx, schedule, due)))) return;
    const error = `the clock was ahead, at ${seenDue.toISOString()} or later, and is not any more; what was due then and has run does not run again`;
    deps.log.error({ module: "schedule", event: "cron_error", jobId: key, error });
    return;
  }
  const cron = workflow.schedule;
  const isLate = deps.now().getTime() - due.getTime() > graceMs;
  await deps.store.transaction(async (tx) => {
    // What was due before the first look does not run.
    if (!(await claimDue(tx, schedule, due)) || seenDue === null) return;
    const missed = countDue(cron, seenDue, due) + (isLate ? 1 : 0);
    const why =
      missed === 0
        ? null
        : `${missed === 1 ? "one run was" : `${missed} runs were`} missed while the bot was down, and will not be made up`;
    const run = await addScheduleRun(tx, { key, dueAt: due, cron, state: isLate ? "missed" : "claimed", why });
    // The clock was ahead.
    if (!run) return;
    if (missed > 0) {
      deps.log.warn({ module: "schedule", event: "cron_missed", jobId: key, schedule: cron, missed, due });
      await appendAudit(tx, { kind: "schedule_missed", body: { schedule: key, due: due.toISOString(), missed } });
    }
    if (isLate) await drawRecord(tx, deps, await lockSchedule(tx, key));
    else await deps.store.queue.enqueue(tx, "schedule", key, { runId: run.id }, { share: named.repo });
  });
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

/** The audit has all runs. */
const shownRuns = 20;

const record = loadTemplate("comments/schedule.md");

/**
 * Opens a schedule's issue before its first command (AR-08). One comment is edited in place, so successful runs notify nobody. If this
 * throws, nothing runs.
 */
async function openRecord(deps: Deps, schedule: Schedule): Promise<Schedule & { readonly issue: number }> {
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
async function drawRecord(tx: Tx, deps: Deps, schedule: Schedule, suspended?: string): Promise<void> {
  const { key, issue, installationId, repo } = schedule;
  if (issue === null) return;
  const runs = await latestRuns(tx, key, shownRuns);
  const body = renderRecord({ ...schedule, suspended, runs }, deps.markdown);
  await wantComments(tx, { installationId, repo, issue, incidentId: null }, [{ slot: slots.schedule(key), body }]);
  await wakePoster(tx, deps, { repo, number: issue });
}

/** `proof` is for the audit alone. */
interface EndedStep extends ScheduledStep {
  readonly ending: Ending;
  readonly proof: Partial<
    Pick<
      AuditEvent<"command_executed">["body"],
      "hostKey" | "housekeeping" | "bytes" | "outputSha256" | "redactedSha256"
    >
  >;
}

/** Replaces the intents of commands by their endings. */
async function keepEnds(
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
