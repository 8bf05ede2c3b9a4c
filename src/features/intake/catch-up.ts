import type { Rights } from "../../approval/rights.ts";
import { backoffMs, every, startOfSecond } from "../../base/clock.ts";
import { RetryLater } from "../../base/errors.ts";
import type { Config } from "../../config/values.ts";
import {
  type FailedDeliveries,
  type FailedDelivery,
  type FoundComment,
  type MissedWebhooks,
  redeliverableMs,
} from "../../github/app/missed.ts";
import type { CommentEvent, IssueEvent } from "../../github/events.ts";
import { appendDenial } from "../../store/audit/denials.ts";
import type { Tx } from "../../store/database/open.ts";
import { type Incident, openIncidents } from "../../store/incidents.ts";
import { wantReply } from "../../store/outbox/notices.ts";
import { ownIds, unknownMarks } from "../../store/outbox/thread-comments.ts";
import type { Asker } from "../../store/outbox/wanted.ts";
import { arrivalOf, arrivedGuids, broughtKeys, type Inbox } from "../../store/queue/arrival.ts";
import type { Job } from "../../store/queue/queue.ts";
import type { Deps } from "../context.ts";
import { answer, askerOf } from "../thread/answer.ts";
import { wakePoster } from "../thread/post.ts";
import { setBackAt, setRepositoryBack } from "../verify/restored.ts";
import { tenancyOf } from "./tenancy.ts";

const everyMs = 5 * 60_000;
const againMs = 30_000;
/** Later redeliveries come ever more rarely, because a delivery that always fails may be broken. */
const waitAfter = (tries: number): number =>
  tries === 1 ? 0 : backoffMs(tries - 1, { baseMs: everyMs, mostMs: 6 * 3_600_000 });
/** GitHub's clock differs from ours. */
const overlapMs = 2 * 60_000;

type CatchUpDeps = Pick<Deps, "store" | "log" | "now"> & { readonly config: Pick<Config, "repositories"> };

export interface CatchUp extends MissedWebhooks {
  readonly receive: Inbox["receive"];
}

/**
 * At the start and every five minutes, has GitHub redeliver lost webhooks and stores comments that none brought (RR-02, RR-03, RR-24, F-04,
 * F-37). Several processes may do it, because the inbox stores each once.
 */
export function keepCatchUp(deps: CatchUpDeps, missed: CatchUp): { readonly stop: () => Promise<void> } {
  let lookedAt: Date | undefined;
  const ending = new AbortController();
  let behind: ReadonlySet<string> = new Set();
  let sooner: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    clearTimeout(sooner);
    const began = deps.now();
    const wasBehind = behind.size > 0;
    behind = await catchUp(deps, missed, lookedAt, { behind, ending: ending.signal });
    lookedAt = began;
    if (behind.size > 0 && !wasBehind) lookSooner();
  };
  const looking = every(everyMs, look, (error) => {
    deps.log.warn({ module: "front", event: "catch_up_late", err: error });
    lookSooner();
  });
  const lookSooner = (): void => {
    sooner = setTimeout(looking.now, againMs).unref();
  };
  return {
    stop: async () => {
      ending.abort();
      await looking.stop();
      clearTimeout(sooner);
    },
  };
}

/**
 * Looks back to the previous look, at first three days. Returns incidents it could not read; the next look reads those (`behind`) from
 * their beginning.
 */
export async function catchUp(
  deps: CatchUpDeps,
  missed: CatchUp,
  lookedAt?: Date,
  { behind = new Set(), ending }: { readonly behind?: ReadonlySet<string>; readonly ending?: AbortSignal } = {},
): Promise<ReadonlySet<string>> {
  const oldest = new Date(deps.now().getTime() - redeliverableMs);
  const failed = await missed.failedSince(oldest);
  const guids = [...new Set(failed.attempts.map(({ guid }) => guid))];
  if (guids.length > 0) {
    const arrived = await arrivedGuids(deps.store.db, guids);
    const { again, givenUp } = sortFailed(failed, { arrived, now: deps.now(), lookedAt });
    for (const { id, guid } of again) {
      await missed.redeliver(id);
      deps.log.info({ module: "front", event: "delivery_asked_again", delivery: guid });
    }
    for (const guid of givenUp) deps.log.error({ module: "front", event: "delivery_given_up", delivery: guid });
  }
  const unread = new Set<string>();
  const late = (incidents: readonly Incident[], place: object, error: unknown): void => {
    for (const { id } of incidents) unread.add(id);
    deps.log.warn({ module: "front", event: "catch_up_late", ...place, err: error });
  };
  // One request serves all incidents of a repository.
  const repositories = Map.groupBy(await openIncidents(deps.store.db), (incident) =>
    JSON.stringify([incident.installationId, incident.repoId, incident.repo, incident.public]),
  );
  for (const incidents of repositories.values()) {
    const [first] = incidents;
    if (!first || ending?.aborted) break;
    const { repo } = first;
    if ((await tenancyOf(deps, deps.store.db, { ...first, private: !first.public })).kind === "refused") continue;
    const from = ({ id, createdAt }: Incident): number => {
      const before = behind.has(id) ? 0 : (lookedAt?.getTime() ?? 0) - overlapMs;
      return Math.max(startOfSecond(createdAt).getTime(), oldest.getTime(), before);
    };
    const since = new Date(Math.min(...incidents.map(from)));
    const found = await missed.commentsSince(first, since).catch((error) => late(incidents, { repo }, error));
    if (!found) continue;
    for (const incident of incidents) {
      const { number } = incident;
      const own = found.filter(({ issue, updatedAt }) => issue === number && updatedAt.getTime() >= from(incident));
      await takeComments(deps, missed, incident, own).catch((error) =>
        late([incident], { repo, issue: number }, error),
      );
    }
  }
  return unread;
}

/**
 * Returns the failed deliveries to request now, and those to report after three days. Pure. Relies on GitHub's record alone, so more
 * processes request no more often.
 */
export function sortFailed(
  { attempts, isWhole }: FailedDeliveries,
  {
    arrived,
    now,
    lookedAt,
  }: { readonly arrived: ReadonlySet<string>; readonly now: Date; readonly lookedAt?: Date | undefined },
): { readonly again: readonly FailedDelivery[]; readonly givenUp: readonly string[] } {
  const due = [...Map.groupBy(attempts, ({ guid }) => guid)].flatMap(([guid, tries]) => {
    const [last] = tries.toSorted((a, b) => b.at.getTime() - a.at.getTime());
    if (!last || arrived.has(guid)) return [];
    const at = last.at.getTime() + waitAfter(tries.length);
    // GitHub's own first attempt is three days old, so it is no longer listed.
    const isOver = isWhole && !tries.some(({ isFirst }) => isFirst);
    return at <= now.getTime() ? [{ last, at, isOver }] : [];
  });
  return {
    // Oldest first, so that events arrive in their order.
    again: due
      .flatMap(({ last, isOver }) => (isOver ? [] : [last]))
      .toSorted((a, b) => a.at.getTime() - b.at.getTime()),
    givenUp: due.flatMap(({ last, at, isOver }) => (isOver && at > (lookedAt?.getTime() ?? 0) ? [last.guid] : [])),
  };
}

async function takeComments(
  deps: CatchUpDeps,
  missed: CatchUp,
  incident: Incident,
  since: readonly FoundComment[],
): Promise<void> {
  if (since.length === 0) return;
  const place = { installationId: incident.installationId, repo: incident.repo, issue: incident.number };
  const known = await setBackAt(deps, incident.id);
  const found = since.filter(({ createdAt }) => createdAt.getTime() > known);
  // An unknown comment of ours proves that an older store was restored, which may have run commands since.
  const marks = found.flatMap((comment) => comment.ours ?? []);
  if ((await unknownMarks(deps.store.db, marks)).length > 0) {
    deps.log.error({ module: "store", event: "store_restored", repo: incident.repo, issue: incident.number });
    await setRepositoryBack(deps, incident);
    return;
  }
  if (found.length === 0) return;
  const ids = found.map(({ id }) => id);
  const heard = await broughtKeys(deps.store.db, ids.map(semanticKey));
  const ours = await ownIds(deps.store.db, ids);
  const unheard = found.filter(({ id }) => !heard.has(semanticKey(id)) && !ours.has(id));
  if (unheard.length === 0) return;
  const issue = await missed.issue(place);
  for (const { id, comment, author, asWritten } of unheard) {
    const payload = {
      action: "created",
      issue,
      comment,
      // An edited comment starts nothing (SR-21), because its first text is unknown.
      ...(asWritten ? {} : { changes: {} }),
      repository: { id: incident.repoId, full_name: incident.repo, private: !incident.public },
      installation: { id: incident.installationId },
      sender: author,
    };
    const arrival = arrivalOf("issue_comment", `catch-up-${id}`, JSON.stringify(payload));
    if (!arrival || (await missed.receive(arrival)) !== "stored") continue;
    const about = { module: "front", repo: incident.repo, issue: incident.number, comment: id };
    if (asWritten) deps.log.info({ ...about, event: "comment_caught_up", delivery: arrival.guid });
    else deps.log.warn({ ...about, event: "comment_missed_and_edited", delivery: arrival.guid });
  }
}

const semanticKey = (id: number): string => `issue_comment:created:${id}`;

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
