import { every } from "../../base/every.ts";
import { backoffMs } from "../../base/sleep.ts";
import type { Config } from "../../config/load.ts";
import {
  type FailedDeliveries,
  type FailedDelivery,
  type FoundComment,
  type Missed,
  redeliverableMs,
} from "../../github/app/missed.ts";
import { type Incident, openIncidents } from "../../store/incidents.ts";
import { ownIds, unknownMarks } from "../../store/outbox/thread-comments.ts";
import { type Arrival, arrivalOf } from "../../store/queue/arrival.ts";
import { arrivedGuids, broughtKeys } from "../../store/queue/deliveries.ts";
import type { Inbox } from "../../store/queue/inbox.ts";
import type { Deps } from "../context.ts";
import { setBackAt, setRepositoryBack } from "../verify/restored.ts";
import { tenancyOf } from "./tenancy.ts";

const everyMs = 5 * 60_000;
/** A look at which GitHub did not answer is made once more after so long. */
const againMs = 30_000;
/** After GitHub's own attempt one is asked for at once; from then on ever more seldom, since what fails each time may be broken. */
const waitAfter = (tries: number): number =>
  tries === 1 ? 0 : backoffMs(tries - 1, { baseMs: everyMs, mostMs: 6 * 3_600_000 });
/** How far two looks at an incident overlap: GitHub's clock is not ours. */
const overlapMs = 2 * 60_000;

type Outside = Pick<Deps, "store" | "log" | "now"> & { readonly config: Pick<Config, "repositories"> };

/** What catches up with GitHub: its account of what it sent, and the inbox of this process. */
export interface CatchUp extends Missed {
  readonly receive: Inbox["receive"];
}

/**
 * At the start and every five minutes: has GitHub send again what did not arrive, and takes in comments on open incidents of which
 * no webhook ever told (RR-03, F-04). What is late by then is judged as if it came in time: an approval of what has
 * expired runs nothing. Several processes may do it side by side: the inbox takes each thing once (RR-02).
 */
export function keepCatchUp(deps: Outside, missed: CatchUp): { readonly stop: () => Promise<void> } {
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
 * One look: at everything of the last three days, or at what came since the look before. An end of the bot cuts it short. Returns
 * the incidents that could not be read: the next look begins with them where this one did (`behind`), or what they missed would
 * never be read.
 */
export async function catchUp(
  deps: Outside,
  missed: CatchUp,
  lookedAt?: Date,
  { behind = new Set(), ending }: { readonly behind?: ReadonlySet<string>; readonly ending?: AbortSignal } = {},
): Promise<ReadonlySet<string>> {
  const oldest = new Date(deps.now().getTime() - redeliverableMs);
  await redeliver(deps, missed, await missed.failedSince(oldest), lookedAt);
  const open = await openIncidents(deps.store.db);
  const unread = new Set<string>();
  for (const incident of open) {
    if (ending?.aborted) break;
    if ((await tenancyOf(deps, deps.store.db, { ...incident, private: !incident.public })).kind === "refused") continue;
    const { id, createdAt, repo, number: issue } = incident;
    const before = behind.has(id) ? 0 : (lookedAt?.getTime() ?? 0) - overlapMs;
    const from = Math.max(createdAt.getTime(), oldest.getTime(), before);
    // One issue that cannot be read must not keep the others waiting.
    await openFrom(deps, missed, incident, new Date(from)).catch((error) => {
      unread.add(id);
      deps.log.warn({ module: "front", event: "catch_up_late", repo, issue, err: error });
    });
  }
  return unread;
}

async function redeliver(
  deps: Outside,
  missed: CatchUp,
  failed: FailedDeliveries,
  lookedAt: Date | undefined,
): Promise<void> {
  const guids = [...new Set(failed.attempts.map(({ guid }) => guid))];
  if (guids.length === 0) return;
  const arrived = await arrivedGuids(deps.store.db, guids);
  const { again, givenUp } = sortFailed(failed, { arrived, now: deps.now(), lookedAt });
  for (const { id, guid } of again) {
    await missed.redeliver(id);
    deps.log.info({ module: "front", event: "delivery_asked_again", delivery: guid });
  }
  for (const guid of givenUp) deps.log.error({ module: "front", event: "delivery_given_up", delivery: guid });
}

/**
 * Which failed deliveries to ask for again now, each once however often it failed; and which have failed for three days and are to
 * be told of, once: since the look before. GitHub's account of its attempts is the only memory, so several processes and a new one
 * ask no more often. Pure.
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
    // GitHub's first attempt is seen no more: that was three days ago.
    const isOver = isWhole && !tries.some(({ isFirst }) => isFirst);
    return at <= now.getTime() ? [{ last, at, isOver }] : [];
  });
  return {
    // Oldest first, so that what happened is heard in its order.
    again: due
      .flatMap(({ last, isOver }) => (isOver ? [] : [last]))
      .toSorted((a, b) => a.at.getTime() - b.at.getTime()),
    givenUp: due.flatMap(({ last, at, isOver }) => (isOver && at > (lookedAt?.getTime() ?? 0) ? [last.guid] : [])),
  };
}

/** Hands comments that no webhook told of to the inbox, as the webhook would have. */
async function openFrom(deps: Outside, missed: CatchUp, incident: Incident, since: Date): Promise<void> {
  const place = { installationId: incident.installationId, repo: incident.repo, issue: incident.number };
  const known = await setBackAt(deps, incident.id);
  const found = (await missed.commentsSince(place, since)).filter(({ createdAt }) => createdAt.getTime() > known);
  if (await isBehind(deps, found)) {
    deps.log.error({ module: "store", event: "store_restored", repo: incident.repo, issue: incident.number });
    await setRepositoryBack(deps, incident);
    return;
  }
  const unheard = await unheardOf(deps, found);
  if (unheard.length === 0) return;
  const issue = await missed.issue(place);
  for (const one of unheard) {
    const about = { module: "front", repo: incident.repo, issue: incident.number, comment: one.id };
    const arrival = arrivalFrom(incident, issue, one);
    if (!arrival || (await missed.receive(arrival)) !== "stored") continue;
    if (one.asWritten) deps.log.info({ ...about, event: "comment_caught_up", delivery: arrival.guid });
    else deps.log.warn({ ...about, event: "comment_missed_and_edited", delivery: arrival.guid });
  }
}

/**
 * Whether the issue holds a comment of ours that the store has never heard of: then an older copy of the store was put back, and
 * what people approved since has run already (RR-24, F-37).
 */
async function isBehind({ store }: Outside, found: readonly FoundComment[]): Promise<boolean> {
  const ours = found.flatMap((comment) => comment.ours ?? []);
  return (await unknownMarks(store.db, ours)).length > 0;
}

const semanticKey = (id: number): string => `issue_comment:created:${id}`;

/** Those that neither a webhook brought nor we wrote. */
async function unheardOf(deps: Outside, found: readonly FoundComment[]): Promise<readonly FoundComment[]> {
  if (found.length === 0) return [];
  const { db } = deps.store;
  const ids = found.map(({ id }) => id);
  const [heard, ours] = [await broughtKeys(db, ids.map(semanticKey)), await ownIds(db, ids)];
  return found.filter(({ id }) => !heard.has(semanticKey(id)) && !ours.has(id));
}

function arrivalFrom(
  incident: Incident,
  issue: unknown,
  { id, comment, author, asWritten }: FoundComment,
): Arrival | undefined {
  const payload = {
    action: "created",
    issue,
    comment,
    // As by a webhook, what was edited sets nothing going (SR-21), since nobody can say what it was when it was written.
    ...(asWritten ? {} : { changes: {} }),
    repository: { id: incident.repoId, full_name: incident.repo, private: !incident.public },
    installation: { id: incident.installationId },
    sender: author,
  };
  return arrivalOf("issue_comment", `catch-up-${id}`, JSON.stringify(payload));
}
