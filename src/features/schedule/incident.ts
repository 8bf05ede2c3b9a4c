import { type ScheduledStep, wentWell } from "../../base/run.ts";
import type { OpenedIssue } from "../../github/issues.ts";
import { utcMinute } from "../../github/render/ink.ts";
import { stepOf } from "../../github/render/schedule.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import { addSessionInstruction, incidentOf, openIncident } from "../../store/incidents.ts";
import {
  type Schedule,
  type ScheduleRun,
  scheduleOf,
  scheduleRunOf,
  setOpened,
  setSchedule,
} from "../../store/schedules.ts";
import { redactText } from "../../text/bare.ts";
import { visible } from "../../text/read/visible.ts";
import { type Deps, loadRepoContext, type RepoContext } from "../context.ts";
import { show } from "../thread/show.ts";
import { readRunbooks } from "../turn/runbooks.ts";
import { enqueueTurn } from "../turn/turn.ts";

/**
 * Opens an incident for a due time that failed (WF-2), once, with what failed and what it said. While the one that an earlier
 * failure has opened is still open there is no second: failures in a row are one trouble, and are counted where the runs are shown.
 * Its session bears the run's own id, and goes by the workflow's instructions (S13.4).
 */
export async function openFailure(deps: Deps, runId: string): Promise<void> {
  const { db } = deps.store;
  const run = await scheduleRunOf(db, runId);
  if (run.state !== "failed" || run.incidentId !== null) return;
  const schedule = await scheduleOf(db, run.key);
  const before = schedule.incidentId === null ? undefined : await incidentOf(db, schedule.incidentId);
  if (before?.state === "open" || schedule.repoId === null) return;
  const { installationId, repo } = schedule;
  const repoContext = await loadRepoContext(deps, { installationId, repo });
  const title = redactText(
    deps.redact,
    `Schedule ${schedule.workflow} failed: ${run.why ?? "it did not go well"}`,
  ).slice(0, 200);
  const body = bodyOf(deps, schedule, run);
  const label = repoContext.rules.incidentLabel;
  const opened = await deps.issues.open({ installationId, repo }, { title, body, labels: [label], marker: run.id });
  await openFrom(deps, repoContext, { schedule, run, opened, title, body, labels: [label] });
}

function bodyOf({ markdown }: Deps, schedule: Schedule, run: ScheduleRun): string {
  const failed = run.steps.filter((step) => step.skipped === undefined && !isWell(step));
  return [
    `The workflow ${markdown.code(schedule.workflow)}, due ${utcMinute(run.dueAt)} by its schedule ${markdown.code(run.cron)}, did not go well: ${markdown.note(run.why ?? "")}. Nothing more of it was run.`,
    ...failed.map((step) => stepOf(step, failed.length, markdown)),
    `All its runs are shown in issue ${schedule.issue ?? "?"}.`,
  ].join("\n\n");
}

const isWell = ({ ending, outcome }: ScheduledStep): boolean => wentWell({ ending: ending ?? null, outcome });

/** An issue of our own is no webhook's to take in (SR-61). */
async function openFrom(
  deps: Deps,
  repoContext: RepoContext,
  given: {
    readonly schedule: Schedule;
    readonly run: ScheduleRun;
    readonly opened: OpenedIssue;
    readonly title: string;
    readonly body: string;
    readonly labels: readonly string[];
  },
): Promise<void> {
  const { schedule, run, opened, title, body, labels } = given;
  const { installationId, repo, repoId } = schedule;
  if (repoId === null) throw new Error(`nobody knows the id of ${repo}`);
  const { number, nodeId, opener } = opened;
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
    await setOpened(tx, run.id, incident.id);
    await setSchedule(tx, schedule.key, { incidentId: incident.id });
    if (!isNew) return;
    const line = { sessionId: run.id, incidentId: incident.id, source: "schedule" };
    deps.log.info({ module: "agent", event: "session_created", ...line });
    const { workflow: name } = schedule;
    const { instructions } = readRunbooks(deps, repoContext).workflows.find((one) => one.name === name) ?? {};
    if (instructions) await addSessionInstruction(tx, incident.id, { source: `workflow ${name}`, text: instructions });
    const about = { repo, repoId, issue: number, schedule: schedule.key, run: run.id };
    await appendAudit(tx, { kind: "incident_opened", incidentId: incident.id, body: about });
    await enqueueTurn(tx, deps, incident, { kind: "opened", fresh: true });
    await show(tx, deps, incident, "reading the incident");
  });
}
