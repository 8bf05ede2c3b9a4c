import type { Context } from "probot";
import { reached } from "../base/crash-point.ts";
import { messageOf, RetryLater } from "../base/errors.ts";
import { isRecord } from "../base/json.ts";
import type { QueueName } from "../base/queues.ts";
import { commented, type DeliveryJob } from "../commands/slash-comment.ts";
import { takeProposal } from "../features/agents/answer-agent.ts";
import { answerPagers, giveUpPagers, isPagerJob, takeAlert } from "../features/alert/take-alert.ts";
import { isChangesLook, lookAtChanges } from "../features/changes/read-changes.ts";
import type { Deps } from "../features/context.ts";
import { issueChanged } from "../features/incident/open-close.ts";
import { draftPostmortem, isDraft } from "../features/incident/postmortem.ts";
import { commentChanged } from "../features/intake/comment-changed.ts";
import { endForRepositoryGone, ifServed, tenancyOf } from "../features/intake/tenancy.ts";
import { onDebug } from "../features/payload.ts";
import { execute, giveUpBatch } from "../features/run/execute.ts";
import { giveUpSchedule, runSchedule } from "../features/schedule/run.ts";
import { answerOutside, askerOf } from "../features/thread/answer.ts";
import { drawThread } from "../features/thread/draw-thread.ts";
import { giveUpPost, post } from "../features/thread/post.ts";
import { giveUpTurn, turn } from "../features/turn/turn.ts";
import type { CheckBoard } from "../features/verify/restored.ts";
import type { Client } from "../github/client.ts";
import {
  keptPart,
  parseCommentEvent,
  parseIssueEvent,
  parseRepositoryEvent,
  pushedRepository,
} from "../github/events.ts";
import { isAway } from "../github/outcome.ts";
import { parseSlashCommand } from "../slash/grammar.ts";
import { appendAudit } from "../store/audit/chain.ts";
import type { Tx } from "../store/database/open.ts";
import { provedEvent } from "../store/passkeys.ts";
import { agentEvent, alertEvent, endDelivery, findDelivery, quarantineDelivery } from "../store/queue/arrival.ts";
import type { Job } from "../store/queue/queue.ts";
import { logWith } from "../telemetry/log.ts";
import { inSpan } from "../telemetry/trace.ts";
import { barePayload, redactText } from "../text/bare.ts";

/** An end of the process interrupts a batch through no fault of its own. */
const attempts: Partial<Record<QueueName, number>> = { execute: 100 };

/** Only the runner sends commands. */
const roleOf = { delivery: "agent", turn: "agent", execute: "runner", schedule: "runner", post: "agent" } as const;

/**
 * An incident has one job at a time (RR-17, SR-50, SR-55). A failed job is tried again; after its last attempt it is set aside, reported,
 * and blocks no other. Errors are caught only here.
 */
export async function startWorker(
  deps: Deps,
  { forget }: Pick<Client, "forget">,
  checkBoard: CheckBoard,
): Promise<void> {
  const isOurs = (queue: QueueName): boolean => deps.config.roles.includes(roleOf[queue]);
  const handlers = {
    delivery: (job: Job) => deliver(deps, job, forget),
    turn: (job: Job) => (isDraft(job) ? draftPostmortem : isChangesLook(job) ? lookAtChanges : turn)(deps, job),
    execute: (job: Job) => execute(deps, job),
    schedule: (job: Job) => runSchedule(deps, job),
    post: (job: Job) =>
      isPagerJob(job)
        ? answerPagers(deps, job)
        : post(deps, { draw: (thread) => drawThread(deps, thread), checkBoard }, job),
  } as const satisfies Record<QueueName, (job: Job) => Promise<void>>;

  // Only quick work is claimed ahead. A turn waits for the model, which costs this process nothing.
  const rooms = {
    delivery: { slots: 8, ahead: 8 },
    turn: { slots: deps.config.model.endpoints.length > 0 ? deps.config.model.atOnce : 4 },
    execute: { slots: 16 },
    schedule: { slots: 4 },
    post: { slots: 8, ahead: 8 },
  };
  for (const queue of (["post", "execute", "schedule", "turn", "delivery"] as const).filter(isOurs)) {
    await deps.store.queue.serve(
      queue,
      {
        ...rooms[queue],
        attempts: attempts[queue],
        isTransient: (error) => error instanceof RetryLater || isAway(error),
        onPoison: (job, error) => setAside(deps, job, error),
      },
      (job) => inSpan(queue, { key: job.key, attempt: job.attempt }, () => attempt(deps, job, handlers[queue])),
    );
  }
}

/** Rethrows, so that the queue tries again. */
async function attempt(deps: Deps, job: Job, handler: (job: Job) => Promise<void>): Promise<void> {
  const { queue, key, attempt } = job;
  const started = performance.now();
  const line = { module: "worker", queue, key, attempt };
  reached("CP04");
  deps.log.debug({ ...line, event: "job_start" });
  try {
    // An incident's id is the key of its jobs.
    await logWith(
      (queue !== "turn" && queue !== "execute") || isChangesLook({ data: job.data }) ? {} : { incidentId: key },
      () => handler(job),
    );
  } catch (error) {
    deps.log.warn({ ...line, event: "job_failed", durationMs: Math.round(performance.now() - started), err: error });
    throw error;
  }
  deps.log.info({ ...line, event: "job_end", durationMs: Math.round(performance.now() - started) });
}

/** The feature's transaction ends the delivery; without an effect it ends here. The same transaction removes secrets from the payload. */
async function deliver(deps: Deps, job: Job, forget: Client["forget"]): Promise<void> {
  const guid = guidOf(job.data);
  const delivery = await findDelivery(deps.store.db, guid);
  if (delivery?.state !== "stored") return;
  const { event: name, payload: text, receivedAt } = delivery;
  onDebug(deps, text, (payload) =>
    deps.log.debug({ module: "worker", event: "delivery_payload", guid, name, ...payload }),
  );
  let settled = false;
  const settle = async (tx: Tx): Promise<void> => {
    settled = true;
    await endDelivery(tx, { guid, payload: barePayload(deps.redact, JSON.stringify(keptPart(payload))) });
    await job.settle(tx);
  };
  const payload: unknown = JSON.parse(text);
  const action = isRecord(payload) ? payload.action : undefined;
  // An event without a route is ignored.
  const route = routeOf.get(`${name}.${action}`) ?? routeOf.get(name);
  await route?.(deps, { ...job, settle, receivedAt }, payload, forget);
  if (!settled) await deps.store.transaction(settle);
}

const guidOf = (data: unknown): string => {
  if (typeof data === "object" && data !== null && "guid" in data && typeof data.guid === "string") return data.guid;
  throw new Error("a delivery job without a GUID");
};

/** Reports it in the log, in the audit, and to the person who waits. The delivery goes into quarantine. */
async function setAside(deps: Deps, job: Job, error: unknown): Promise<void> {
  const reason = redactText(deps.redact, messageOf(error)).slice(0, 500);
  deps.log.error({ module: "worker", event: "job_set_aside", queue: job.queue, key: job.key, err: error });
  if (job.queue === "execute") await giveUpBatch(deps, job, reason);
  if (job.queue === "schedule") await giveUpSchedule(deps, job, reason);
  await deps.store.transaction(async (tx) => {
    await appendAudit(tx, { kind: "job_set_aside", body: { queue: job.queue, key: job.key, reason } });
    await job.settle(tx);
    if (job.queue === "post" && isPagerJob(job)) await giveUpPagers(tx, deps);
    else if (job.queue === "post") await giveUpPost(tx, deps, job, reason);
    if (job.queue === "turn" && !isChangesLook(job)) await giveUpTurn(tx, deps, job, reason);
    if (job.queue !== "delivery") return;
    const delivery = await quarantineDelivery(tx, guidOf(job.data), reason, (payload) =>
      barePayload(deps.redact, payload),
    );
    if (delivery?.event !== "issue_comment" && delivery?.event !== provedEvent) return;
    // The bot is never silent to an authorized person.
    const event = parseCommentEvent(JSON.parse(delivery.payload));
    if (event?.action !== "created" || event.comment.author?.type !== "User" || !event.private) return;
    const tenancy = await tenancyOf(deps, tx, { ...event.issue, private: event.private });
    if (tenancy.kind === "refused" || !parseSlashCommand(event.comment.body, deps.config.commands.prefixes)) return;
    const body =
      "Something went wrong on my side and I could not do this. The operator finds it in the log. Please try again.";
    await answerOutside(tx, deps, event, { commentId: event.comment.id, body, askedBy: askerOf({ event }) });
  });
}

type Route = (deps: Deps, job: DeliveryJob, payload: unknown, forget: Client["forget"]) => Promise<void>;

const issue: Route = async (deps, job, payload) => {
  const event = parseIssueEvent(payload);
  if (event && !event.isPullRequest) await ifServed(deps, job, event, (served) => issueChanged(deps, job, served));
};
const comment: Route = async (deps, job, payload) => {
  const event = parseCommentEvent(payload);
  if (event && !event.isPullRequest) await ifServed(deps, job, event, (served) => commented(deps, job, served));
};
const changedComment: Route = async (deps, job, payload) => {
  const event = parseCommentEvent(payload);
  if (event && !event.isPullRequest) await ifServed(deps, job, event, (served) => commentChanged(deps, job, served));
};
const push: Route = async (deps, _job, payload) => {
  const repo = pushedRepository(payload);
  if (repo) deps.context.drop(repo);
};
const accessChanged: Route = async (deps, job, payload, forget) => {
  const event = parseRepositoryEvent(payload);
  if (!event) return;
  forget(event.installationId);
  await endForRepositoryGone(deps, job, event);
};

/** What the bot takes up (DC-1); without an action, all actions. */
const routes = {
  "issues.opened": issue,
  "issues.labeled": issue,
  "issues.unlabeled": issue,
  "issues.typed": issue,
  "issues.untyped": issue,
  "issues.closed": issue,
  "issues.reopened": issue,
  "issues.deleted": issue,
  "issues.transferred": issue,
  "issue_comment.created": comment,
  "issue_comment.edited": changedComment,
  "issue_comment.deleted": changedComment,
  push,
  repository: accessChanged,
  "installation.deleted": accessChanged,
  "installation.suspend": accessChanged,
  "installation_repositories.removed": accessChanged,
} satisfies Partial<Record<Context["name"], Route>>;

const routeOf = new Map<string, Route>(Object.entries(routes));

routeOf.set(alertEvent, takeAlert);
routeOf.set(provedEvent, comment);
routeOf.set(agentEvent, takeProposal);
