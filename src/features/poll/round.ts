import type { PolledComment, PolledEvent, PolledIssue, PolledRepository } from "../../github/poll.ts";
import type { RepoPlace } from "../../github/repo-place.ts";
import { type Incident, openIncidents } from "../../store/incidents.ts";
import type { PollRow } from "../../store/poll.ts";
import { type KnownComments, lastRead, readDeletions } from "./deletions.ts";
import { pushed, type Told } from "./deliveries.ts";
import { oldestTold, type Read, reachedBy, readEvents, readSince } from "./lists.ts";
import { newsOf } from "./news.ts";
import type { Polling } from "./polling.ts";
import { becameOf, type Standing, standingOf, standingWithoutToken } from "./standing.ts";

/** What is remembered of a repository between two looks. All of it can be lost: then GitHub is read once more. */
export interface Memory {
  /** Since when the next look asks, unless that is too old; what was read last is good for asking again since the same time. */
  readonly askFrom: Date;
  readonly repository?: { readonly etag: string | undefined; readonly item: PolledRepository };
  readonly issues?: Read<PolledIssue>;
  readonly comments?: Read<PolledComment>;
  readonly events?: Read<PolledEvent>;
  /** Ids of what was told of, or was found to be nothing to tell. */
  readonly handled: ReadonlySet<string>;
  readonly known: ReadonlyMap<string, KnownComments>;
}

export const noMemory: Memory = { askFrom: new Date(0), handled: new Set(), known: new Map() };

/** What a look at a repository came to: all of it is stored, and how far it got can be kept. */
export interface Round {
  /** Whether GitHub shows the App the repository, under its name. */
  readonly isReadable: boolean;
  readonly row: PollRow;
  readonly memory: Memory;
  readonly stored: number;
  readonly open: readonly Incident[];
}

/** Reads one repository and stores what is new. Throws where GitHub does not answer or the store does not take it; nothing is lost then. */
export async function readRound(
  polling: Polling,
  place: RepoPlace & { repoId: number },
  row: PollRow,
  before: Memory,
): Promise<Round> {
  const repository = await readRepository(polling, place, before);
  const standing = typeof repository === "string" ? repository : standingOf(place.repo, repository?.item);
  const became = polling.alsoWebhooks ? undefined : becameOf(row, standing, place);
  let stored = became && (await polling.receive(became)) === "stored" ? 1 : 0;
  const at = polling.deps.now();
  const standings = row.standings + (became ? 1 : 0);
  if (typeof repository === "string" || !repository || (standing !== "private" && standing !== "public"))
    return { isReadable: false, row: { ...row, standing, standings }, memory: noMemory, stored, open: [] };

  const from = { installationId: place.installationId, repository: repository.item, place };
  const oldest = oldestTold(at);
  if (row.readAt && row.readAt < oldest)
    polling.deps.log.warn({ module: "front", event: "poll_gap", repo: place.repo, from: row.readAt, until: oldest });
  const since = later(row.since, oldest);
  const askFrom = later(since, before.askFrom);
  // Asked since another time it is another question.
  const memory: Pick<Memory, "comments" | "issues"> = before.askFrom.getTime() === askFrom.getTime() ? before : {};
  const { source } = polling;
  // Issues last: they are at least as new as what is said on them.
  const comments = await readSince((asked) => source.comments(place, asked), askFrom, memory.comments);
  const events = await readEvents((asked) => source.events(place, asked), since, before.events);
  const issues = await readSince((asked) => source.issues(place, asked), askFrom, memory.issues);

  const said = new Map([...before.known.values()].flatMap((known) => [...lastRead(known)]));
  const lists = { since, comments, events, issues };
  const news = await newsOf(polling, from, { ...lists, handled: before.handled, lastRead: said });
  const open = await openIncidents(polling.deps.store.db, { repoIds: [repository.item.id] });
  const known = new Map<string, KnownComments>();
  const gone: Told[] = [];
  for (const incident of open) {
    const now = await readDeletions(polling, from, incident, {
      known: before.known.get(incident.id),
      readAt: row.readAt,
    });
    gone.push(...now.told);
    if (now.known) known.set(incident.id, now.known);
  }
  const pushedAt = repository.item.pushed_at ?? null;
  const isPushed = row.lastPush !== null && pushedAt !== row.lastPush && !polling.alsoWebhooks;
  const push = isPushed && pushedAt !== null ? [pushed(from, pushedAt)] : [];
  for (const { arrival } of [...push, ...news.told, ...gone].toSorted((a, b) => a.at.getTime() - b.at.getTime()))
    if ((await polling.receive(arrival)) === "stored") stored++;

  const next = reachedBy({ since, askFrom }, [comments, issues], { isWhole: events.isWhole, now: at });
  // What was left to the webhooks must be seen again, although GitHub has nothing new to tell.
  const kept = news.isPostponed ? {} : { comments, events, issues };
  return {
    isReadable: true,
    row: { ...row, since: next.since, readAt: at, standing, standings, lastPush: pushedAt },
    memory: { askFrom: next.askFrom, repository, ...kept, handled: news.handled, known },
    stored,
    open,
  };
}

const later = (a: Date, b: Date): Date => (a < b ? b : a);

async function readRepository(
  { source }: Polling,
  place: RepoPlace,
  { repository: known }: Memory,
): Promise<Memory["repository"] | Standing> {
  try {
    const answer = await source.repository(place, { etag: known?.etag });
    if (answer.kind === "unchanged") return known;
    const [item] = answer.kind === "read" ? answer.items : [];
    return item && answer.kind === "read" ? { etag: answer.etag, item } : undefined;
  } catch (error) {
    const standing = standingWithoutToken(error);
    if (standing === undefined) throw error;
    return standing;
  }
}
