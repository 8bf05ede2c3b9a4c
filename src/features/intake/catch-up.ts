import { backoffMs, every, startOfSecond } from "../../base/clock.ts";
import type { Config } from "../../config/values.ts";
import {
  type FailedDeliveries,
  type FailedDelivery,
  type FoundComment,
  type MissedWebhooks,
  redeliverableMs,
} from "../../github/app/missed.ts";
import { type Incident, openIncidents } from "../../store/incidents.ts";
import { ownIds, unknownMarks } from "../../store/outbox/thread-comments.ts";
import { arrivalOf, arrivedGuids, broughtKeys, type Inbox } from "../../store/queue/arrival.ts";
import type { Deps } from "../context.ts";
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
