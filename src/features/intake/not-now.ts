import type { Rights } from "../../approval/rights.ts";
import { RetryLater } from "../../base/errors.ts";
import type { CommentEvent, IssueEvent } from "../../github/events.ts";
import { appendDenial } from "../../store/audit/denials.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import { wantReply } from "../../store/outbox/notices.ts";
import type { Asker } from "../../store/outbox/wanted.ts";
import type { Job } from "../../store/queue/queue.ts";
import type { Deps } from "../context.ts";
import { answer, askerOf } from "../thread/answer.ts";
import { wakePoster } from "../thread/show.ts";

export interface DeliveryJob extends Job {
  readonly receivedAt: Date;
}

/** Even if the command waited behind others. */
const leastAttempts = 4;
/** GitHub's short outages are over by then (RR-11). */
const patienceMs = 60_000;

const missingFacts = {
  rights: {
    logWords: "GitHub cannot be asked who may do this",
    answer: "Nothing was run: I cannot ask GitHub right now what you may do here.",
  },
  card: {
    logWords: "GitHub has not confirmed a card that this may be about",
    answer: "Nothing was run: GitHub has not confirmed my latest card on this issue yet.",
  },
} as const;

/** Retries a command by `RetryLater` while GitHub withholds a fact; finally answers that nothing ran. */
export async function notNow(
  deps: Deps,
  job: DeliveryJob,
  event: CommentEvent,
  incident: Incident | undefined,
  missing: keyof typeof missingFacts,
): Promise<void> {
  const waitedMs = Date.now() - job.receivedAt.getTime();
  // If the clock was set back, the elapsed time is unknown.
  const isSoon = (waitedMs > -patienceMs && waitedMs < patienceMs) || job.attempt < leastAttempts;
  if (isSoon && !job.isLast) throw new RetryLater(`${missingFacts[missing].logWords}; trying again`);
  await deps.store.transaction(async (tx) => {
    const by = { id: event.sender.id, login: event.sender.login };
    const denial = { by, commentId: event.comment.id };
    const incidentId = incident?.id ?? null;
    await appendDenial(tx, { kind: "command_unverified", incidentId, body: denial }, deps.now());
    const body = `${missingFacts[missing].answer} Please comment it again in a minute.`;
    await answerMistake(tx, deps, event, { incident, body });
    await job.settle(tx);
  });
}

/** Answers what is wrong with a command, on any issue. */
export const answerMistake = (
  tx: Tx,
  deps: Deps,
  event: CommentEvent,
  {
    incident,
    body,
    rights,
  }: { readonly incident: Incident | undefined; readonly body: string; readonly rights?: Rights | undefined },
): Promise<void> =>
  incident
    ? answer(tx, { deps, event, rights }, incident, { outcome: "mistake", body })
    : answerOutside(tx, deps, event, { commentId: event.comment.id, body, askedBy: askerOf({ event, rights }) });

/** Answers on an issue that is no incident. */
export async function answerOutside(
  tx: Tx,
  deps: Deps,
  event: IssueEvent,
  answer: { readonly commentId: number; readonly body: string; readonly askedBy: Asker | undefined },
): Promise<void> {
  const { installationId, repo, number } = event.issue;
  const thread = { installationId, repo, issue: number, incidentId: null };
  await wantReply(tx, thread, answer);
  await wakePoster(tx, deps, { repo, number });
}
