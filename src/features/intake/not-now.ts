import type { Rights } from "../../approval/rights.ts";
import { RetryLater } from "../../base/errors.ts";
import type { CommentEvent } from "../../github/events.ts";
import { appendDenial } from "../../store/audit/denials.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import type { Job } from "../../store/queue/queue.ts";
import type { Deps } from "../context.ts";
import { answerOutside } from "../incident/open-close.ts";
import { answer, askerOf } from "../thread/answer.ts";

/** The job of a webhook. */
export interface Delivered extends Job {
  readonly receivedAt: Date;
}

/** So often it is asked also where the command has waited for others before. */
const leastAttempts = 4;
/** So long is GitHub asked again before people are told that it does not say; its hiccups are shorter (RR-11). */
const patienceMs = 60_000;

/** What GitHub does not say right now, though everything hangs on it. */
const unsaid = {
  rights: {
    tellsLog: "GitHub cannot be asked who may do this",
    tellsPerson: "Nothing was run: I cannot ask GitHub right now what you may do here.",
  },
  card: {
    tellsLog: "GitHub has not confirmed a card that this may be about",
    tellsPerson: "Nothing was run: GitHub has not confirmed my latest card on this issue yet.",
  },
} as const;

/** Has the command tried again; where that has lasted too long, whoever gave it is told that nothing was run. */
export async function notNow(
  deps: Deps,
  job: Delivered,
  event: CommentEvent,
  incident: Incident | undefined,
  what: keyof typeof unsaid,
): Promise<void> {
  const waitedMs = Date.now() - job.receivedAt.getTime();
  // A clock that was set back meanwhile makes nobody wait.
  const isSoon = (waitedMs > -patienceMs && waitedMs < patienceMs) || job.attempt < leastAttempts;
  if (isSoon && !job.isLast) throw new RetryLater(`${unsaid[what].tellsLog}; trying again`);
  await deps.store.transaction(async (tx) => {
    const by = { id: event.sender.id, login: event.sender.login };
    const told = { by, commentId: event.comment.id };
    const incidentId = incident?.id ?? null;
    await appendDenial(tx, { kind: "command_unverified", incidentId, body: told }, deps.now());
    const body = `${unsaid[what].tellsPerson} Please comment it again in a minute.`;
    await answerMistake(tx, deps, event, { incident, body });
    await job.settle(tx);
  });
}

/** Says on the issue, an incident or none, what is wrong with a command. */
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
