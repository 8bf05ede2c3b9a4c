import { createHash } from "node:crypto";
import { every } from "../../base/clock.ts";
import { type Fields, isRecord, parseJson } from "../../base/json.ts";
import { repositoryIn } from "../../config/values.ts";
import { redeliverableMs } from "../../github/app/missed.ts";
import { withoutMarker } from "../../github/comments.ts";
import { type Actor, parseIssueEvent } from "../../github/events.ts";
import { statusOf, writeFailure } from "../../github/outcome.ts";
import {
  isAboutToken,
  type PollAnswer,
  type PolledComment,
  type PolledEvent,
  type PolledIssue,
  type PolledRepository,
  type PollSource,
} from "../../github/poll.ts";
import type { RepoPlace } from "../../github/web.ts";
import type { Db } from "../../store/database/open.ts";
import { newId } from "../../store/ids.ts";
import { partsOf } from "../../store/incident-rows.ts";
import { type Incident, openIncidents } from "../../store/incidents.ts";
import { commentByGithubId } from "../../store/outbox/thread-comments.ts";
import { findPin } from "../../store/pins.ts";
import { holdPoll, keepPoll, type PollRow, releasePolls } from "../../store/poll.ts";
import {
  type Arrival,
  arrivalOf,
  arrivedGuids,
  broughtBody,
  broughtKeys,
  type Inbox,
  sentAboutIssue,
  standingComments,
} from "../../store/queue/arrival.ts";
import type { Deps } from "../context.ts";
import { type PollPace, waitAfter } from "./pace.ts";

const tickMs = 250;
const mostAtOnce = 4;
/** A killed process keeps its repositories at least this long. */
const leastHeldMs = 5_000;
const hourMs = 3_600_000;

/** Each look counts its own requests. */
type PollOptions = Omit<PollContext, "source"> & { readonly createSource: () => PollContext["source"] };

interface WatchedRepository {
  dueAt: number;
  isBusy: boolean;
  failures: number;
  memory: RepositoryMemory;
  installationId: number | undefined;
}

/** The repository, its comments, events and issues. */
const requestsPerLook = 4;

/**
 * Polls every repository, each in one process, and stores news as webhooks. Stores progress last: a killed process loses nothing, and what
 * is read twice has the same id.
 */
export function keepPolling(polling: PollOptions): { readonly stop: () => Promise<void> } {
  const { deps, pace } = polling;
  const holder = newId();
  const watched = new Map<string, WatchedRepository>();
  const underway = new Set<Promise<void>>();
  let hour = { began: deps.now().getTime(), counted: 0 };

  /** Never throws. */
  const look = async (repo: string, own: WatchedRepository): Promise<void> => {
    const now = deps.now();
    const source = polling.createSource();
    const until = new Date(now.getTime() + Math.max(leastHeldMs, 1.5 * pace.idleMs));
    let isActive = false;
    let toldToWaitMs = 0;
    try {
      const row = await holdPoll(deps.store, { repo, holder, now, until });
      if (row) {
        // Without a pin, GitHub names the installation.
        const pin = await findPin(deps.store.db, repo);
        const { id } = repositoryIn(deps.config, repo) ?? {};
        if (!pin?.installed) own.installationId ??= await deps.issues.installationOf(repo);
        const installationId = pin?.installed ? pin.installationId : (own.installationId ?? 0);
        const place = { installationId, repo, repoId: id ?? pin?.repoId ?? 0 };
        const round = await readRound({ ...polling, source }, place, row, own.memory);
        await keepPoll(deps.store.db, round.row);
        own.memory = round.memory;
        isActive = round.stored > 0 || round.open.length > 0;
        if (!round.isReadable) throw new Error(`the repository cannot be read: ${round.row.standing}`);
      }
      if (own.failures > 0) deps.log.info({ module: "front", event: "poll_back", repo });
      own.failures = 0;
    } catch (error) {
      const failure = writeFailure(error, now.getTime());
      toldToWaitMs = failure.kind === "later" && failure.isTold ? failure.afterMs : 0;
      if (own.failures === 0) deps.log.warn({ module: "front", event: "poll_late", repo, err: error });
      own.failures++;
      own.installationId = undefined;
    }
    const inLook = source.counted();
    if (now.getTime() - hour.began >= hourMs) hour = { began: now.getTime(), counted: 0 };
    hour = { ...hour, counted: hour.counted + inLook };
    const requests = watched.size * requestsPerLook + own.memory.known.size;
    const counted = { inHour: hour.counted, inLook, hourIsOverMs: now.getTime() - hour.began };
    own.dueAt =
      performance.now() + waitAfter(pace, { isActive, requests, counted, failures: own.failures, toldToWaitMs });
  };

  const tick = async (): Promise<void> => {
    const listed = deps.config.repositories.map(({ name }) => name);
    for (const repo of watched.keys()) if (!listed.includes(repo)) watched.delete(repo);
    for (const repo of listed) {
      const own = watched.get(repo) ?? {
        dueAt: 0,
        isBusy: false,
        failures: 0,
        memory: noMemory,
        installationId: undefined,
      };
      watched.set(repo, own);
      if (own.isBusy || own.dueAt > performance.now() || underway.size >= mostAtOnce) continue;
      own.isBusy = true;
      const looking = look(repo, own).finally(() => {
        own.isBusy = false;
        underway.delete(looking);
      });
      underway.add(looking);
    }
  };
  const ticking = every(Math.min(tickMs, pace.openMs), tick, () => {});
  return {
    stop: async () => {
      await ticking.stop();
      await Promise.all(underway);
      await releasePolls(deps.store.db, holder).catch((error: unknown) =>
        deps.log.warn({ module: "front", event: "poll_late", err: error }),
      );
    },
  };
}

export interface PollContext {
  readonly deps: Pick<Deps, "config" | "store" | "log" | "now" | "issues">;
  readonly source: PollSource;
  readonly receive: Inbox["receive"];
  readonly alsoWebhooks: boolean;
  readonly pace: PollPace;
}

/** If lost, GitHub is read once more. */
export interface RepositoryMemory {
  /** The lists below answer a question with this start. */
  readonly askFrom: Date;
  readonly repository?: { readonly etag: string | undefined; readonly item: PolledRepository };
  readonly issues?: ReadList<PolledIssue>;
  readonly comments?: ReadList<PolledComment>;
  readonly events?: ReadList<PolledEvent>;
  readonly handled: ReadonlySet<string>;
  readonly known: ReadonlyMap<string, KnownComments>;
}

interface Origin {
  readonly installationId: number;
  readonly repository: PolledRepository;
}

interface PolledWebhook {
  readonly at: Date;
  readonly arrival: Arrival;
}

/** GitHub's account for deleted users; also for people that polling cannot name. */
const ghost: Actor = { id: 10_137, login: "ghost", type: "User" };

/** Ids derive from the content, so that the inbox stores each once. */
const guids = {
  issue: ({ id, created_at: at }: PolledIssue): string => `poll-i${id}@${at}`,
  event: ({ id }: PolledEvent): string => `poll-e${id}`,
  comment: ({ id, created_at: at }: PolledComment): string => `poll-c${id}@${at}`,
  /** Two edits can happen in the same second. */
  edit: ({ id, updated_at: at, body = "" }: PolledComment): string =>
    `poll-c${id}@${at}.${createHash("sha256").update(body).digest("hex").slice(0, 8)}`,
  deletion: (commentId: number): string => `poll-c${commentId}@deleted`,
};

const createdKey = (commentId: number): string => `issue_comment:created:${commentId}`;

const isEdited = ({ created_at: created, updated_at: updated }: PolledComment): boolean => created !== updated;

/** An issue was opened. */
const openedWebhook = (from: Origin, issue: PolledIssue): PolledWebhook =>
  webhookFrom(from, new Date(issue.created_at), "issues", guids.issue(issue), {
    action: "opened",
    issue,
    sender: issue.user ?? ghost,
  });

const actions: Readonly<Record<string, string>> = {
  labeled: "labeled",
  unlabeled: "unlabeled",
  closed: "closed",
  reopened: "reopened",
  issue_type_added: "typed",
  issue_type_changed: "typed",
  issue_type_removed: "untyped",
  // This event is on the new issue, in the new repository.
  transferred: "opened",
};

/** Undefined if the bot ignores the event. */
const webhookActionOf = ({ event }: PolledEvent): string | undefined =>
  Object.hasOwn(actions, event) ? actions[event] : undefined;

/** An issue was labeled, closed, reopened or typed. */
const eventWebhook = (from: Origin, event: PolledEvent): PolledWebhook =>
  webhookFrom(from, new Date(event.created_at), "issues", guids.event(event), {
    action: webhookActionOf(event),
    // The list shows the issue as it is now.
    issue: event.event === "closed" ? { ...event.issue, state: "closed", closed_at: event.created_at } : event.issue,
    ...(event.label ? { label: event.label } : {}),
    sender: event.actor ?? ghost,
  });

/** A comment edited before it was first read starts nothing (SR-21), because its first text is unknown. */
const writtenWebhook = (from: Origin, comment: PolledComment, issue: PolledIssue): PolledWebhook =>
  webhookFrom(
    from,
    new Date(comment.created_at),
    "issue_comment",
    (isEdited(comment) ? guids.edit : guids.comment)(comment),
    {
      action: "created",
      issue,
      comment,
      ...(isEdited(comment) ? { changes: {} } : {}),
      sender: comment.user ?? ghost,
    },
  );

/** `before` is the comment's first text, if known. */
const editedWebhook = (
  from: Origin,
  {
    comment,
    issue,
    editor,
    before,
  }: {
    readonly comment: PolledComment;
    readonly issue: PolledIssue;
    readonly editor: Actor;
    readonly before: string | undefined;
  },
): PolledWebhook =>
  webhookFrom(from, new Date(comment.updated_at), "issue_comment", guids.edit(comment), {
    action: "edited",
    issue,
    comment,
    changes: before === undefined ? {} : { body: { from: before } },
    sender: editor,
  });

/** A comment was deleted. */
const deletedWebhook = (
  from: Origin,
  incident: Incident,
  comment: Pick<PolledComment, "id"> & Partial<PolledComment>,
  { at, by }: { at: Date; by: Actor },
): PolledWebhook =>
  webhookFrom(from, at, "issue_comment", guids.deletion(comment.id), {
    action: "deleted",
    issue: issueOf(incident),
    comment: { node_id: "", body: "", user: null, created_at: at.toISOString(), ...comment },
    sender: by,
  });

/** An incident's issue is gone. */
const goneWebhook = (from: Origin, incident: Incident, action: "deleted" | "transferred", at: Date): PolledWebhook =>
  webhookFrom(from, at, "issues", `poll-i${incident.repoId}.${incident.number}@${action}`, {
    action,
    issue: issueOf(incident),
    sender: ghost,
  });

/** GitHub does not say which branch was pushed; assumes the default branch. */
const pushWebhook = (from: Origin, at: string): PolledWebhook =>
  webhookFrom(from, new Date(at), "push", `poll-p${from.repository.id}@${at}`, {
    ref: `refs/heads/${from.repository.default_branch}`,
    sender: ghost,
  });

const issueOf = ({ number, nodeId, title, openerId, openerLogin, labels }: Incident) => ({
  number,
  node_id: nodeId,
  title,
  state: "open",
  user: { id: openerId, login: openerLogin, type: "User" },
  labels: labels.map((name) => ({ name })),
});

function webhookFrom(
  from: Origin,
  at: Date,
  event: string,
  guid: string,
  fields: Readonly<Record<string, unknown>>,
): PolledWebhook {
  const payload = { ...fields, repository: from.repository, installation: { id: from.installationId } };
  const arrival = arrivalOf(event, guid, JSON.stringify(payload));
  if (!arrival) throw new Error(`${guid} is no webhook`);
  return { at, arrival };
}

interface ReadList<T> {
  readonly etag: string | undefined;
  readonly items: readonly T[];
  /** Read to its end; otherwise the next look continues. */
  readonly isWhole: boolean;
}

/** GitHub's lists may be late. */
const overlapMs = 2 * 60_000;

/** A question with a new start counts against the rate limit. */
const sameSinceMs = 10 * 60_000;

const mostListPages = 10;

const mostEventPages = 100;

const dayMs = 24 * hourMs;

/** Reads everything changed since a time: the newest page first, more than a page oldest first, so that the next look can continue. */
export async function readSince<T extends { readonly updated_at: string }>(
  ask: (asked: {
    etag?: string | undefined;
    page?: number;
    since: Date;
    direction: "asc" | "desc";
  }) => Promise<PollAnswer<T>>,
  since: Date,
  known: ReadList<T> | undefined,
): Promise<ReadList<T>> {
  const first = await ask({ since, direction: "desc", etag: known?.isWhole ? known.etag : undefined });
  if (first.kind === "unchanged" && known) return known;
  if (first.kind !== "read") throw unreadable(first);
  if (!first.more) return { etag: first.etag, items: first.items, isWhole: true };
  const items: T[] = [];
  let [from, page] = [since, 1];
  for (let asked = 0; asked < mostListPages; asked++) {
    const next = await ask({ since: from, direction: "asc", page });
    if (next.kind !== "read") throw unreadable(next);
    items.push(...next.items);
    if (!next.more) return { etag: first.etag, items, isWhole: true };
    // Not by page number: an item edited or deleted meanwhile moves the others up, and one would be skipped.
    const reached = new Date(Date.parse(next.items.at(-1)?.updated_at ?? "") - 1_000);
    [from, page] = reached > from ? [reached, 1] : [from, page + 1];
  }
  return { etag: undefined, items, isWhole: false };
}

/** Reads events down to an older or a known one. GitHub lists them newest first. */
export async function readEvents(
  ask: (asked: { etag?: string | undefined; page?: number }) => Promise<PollAnswer<PolledEvent>>,
  since: Date,
  known: ReadList<PolledEvent> | undefined,
): Promise<ReadList<PolledEvent>> {
  const first = await ask({ etag: known?.etag });
  if (first.kind === "unchanged" && known) return known;
  if (first.kind !== "read") throw unreadable(first);
  const isNew = ({ created_at: at }: PolledEvent): boolean => new Date(at) >= since;
  const before = new Map((known?.items ?? []).map((event) => [event.id, event]));
  const items = [...first.items];
  let { more } = first;
  const isUnread = (event: PolledEvent): boolean => isNew(event) && !before.has(event.id);
  for (let page = 2; more && items.every(isUnread) && page <= mostEventPages; page++) {
    const next = await ask({ page });
    if (next.kind !== "read") throw unreadable(next);
    items.push(...next.items);
    more = next.more;
  }
  const isCut = more && items.every(isUnread);
  const all = new Map([...before.values(), ...items].map((event) => [event.id, event]));
  return {
    etag: first.etag,
    items: [...all.values()].filter(isNew).toSorted((a, b) => a.id - b.id),
    // What an earlier look left out is still missing.
    isWhole: !isCut && (known?.isWhole ?? true),
  };
}

const unreadable = (answer: PollAnswer<unknown>): Error =>
  Object.assign(new Error("GitHub does not list the issues"), answer.kind === "gone" ? { status: answer.status } : {});

/** Items created after `since` are new; the next look asks from `askFrom`. */
interface ListProgress {
  readonly since: Date;
  readonly askFrom: Date;
}

/** Returns how far a look came. `since` stays until a long list is read whole. */
export function reachedBy(
  before: ListProgress,
  lists: readonly ReadList<{ updated_at: string }>[],
  { isWhole, now }: { readonly isWhole: boolean; readonly now: Date },
): ListProgress {
  const cut = lists.filter((list) => !list.isWhole).map(({ items }) => Date.parse(items.at(-1)?.updated_at ?? ""));
  if (cut.length > 0) {
    const end = Math.min(...cut);
    const overlapping = end - overlapMs;
    return { ...before, askFrom: new Date(overlapping > before.askFrom.getTime() ? overlapping : end) };
  }
  if (!isWhole) return before;
  const times = lists.flatMap(({ items }) => items.map(({ updated_at: at }) => Date.parse(at)));
  const since = before.since.getTime();
  const newest = Math.max(since, ...times);
  // Otherwise old items look new after the store has removed their deliveries.
  const next = Math.max(newest - overlapMs, now.getTime() - dayMs);
  const isDue = newest - since > sameSinceMs || now.getTime() - since > 2 * dayMs;
  const reached = isDue ? new Date(next) : before.since;
  return { since: reached, askFrom: reached };
}

export const noMemory: RepositoryMemory = { askFrom: new Date(0), handled: new Set(), known: new Map() };

interface PollRound {
  readonly isReadable: boolean;
  readonly row: PollRow;
  readonly memory: RepositoryMemory;
  readonly stored: number;
  readonly open: readonly Incident[];
}

type PollOrigin = Origin & { readonly place: RepoPlace };

/**
 * Reads one repository and stores news as webhooks (RR-02). Throws if GitHub or the store fails; the next look reads the same under
 * the same ids.
 */
export async function readRound(
  polling: PollContext,
  place: RepoPlace & { repoId: number },
  row: PollRow,
  before: RepositoryMemory,
): Promise<PollRound> {
  const { source } = polling;
  const repository = await fetchRepository(source, place, before);
  const found = typeof repository === "string" ? undefined : repository?.item;
  const isRenamed = found && found.full_name.toLowerCase() !== place.repo.toLowerCase();
  const asFound = isRenamed ? (`renamed ${found.full_name}` as const) : found?.private ? "private" : "public";
  const standing: RepoStanding = typeof repository === "string" ? repository : found ? asFound : "removed";
  const change = polling.alsoWebhooks ? undefined : standingWebhook(row, standing, place);
  let stored = change && (await polling.receive(change)) === "stored" ? 1 : 0;
  const at = polling.deps.now();
  const standings = row.standings + (change ? 1 : 0);
  if (typeof repository === "string" || !repository || (standing !== "private" && standing !== "public"))
    return { isReadable: false, row: { ...row, standing, standings }, memory: noMemory, stored, open: [] };

  const from = { installationId: place.installationId, repository: repository.item, place };
  // As far back as GitHub redelivers webhooks, rounded to the hour, because a new start is a new question.
  const oldest = new Date(Math.ceil((at.getTime() - redeliverableMs) / hourMs) * hourMs);
  if (row.readAt && row.readAt < oldest)
    polling.deps.log.warn({ module: "front", event: "poll_gap", repo: place.repo, from: row.readAt, until: oldest });
  const later = (a: Date, b: Date): Date => (a < b ? b : a);
  const since = later(row.since, oldest);
  const askFrom = later(since, before.askFrom);
  const memory: Pick<RepositoryMemory, "comments" | "issues"> =
    before.askFrom.getTime() === askFrom.getTime() ? before : {};
  // Issues last: each is then at least as new as its comments.
  const comments = await readSince((asked) => source.comments(place, asked), askFrom, memory.comments);
  const events = await readEvents((asked) => source.events(place, asked), since, before.events);
  const issues = await readSince((asked) => source.issues(place, asked), askFrom, memory.issues);

  const lastRead = new Map([...before.known.values()].flatMap((known) => [...appComments(known)]));
  const news = await readNews(polling, from, { since, comments, events, issues, handled: before.handled, lastRead });
  const open = await openIncidents(polling.deps.store.db, { repoIds: [repository.item.id] });
  const known = new Map<string, KnownComments>();
  const gone: PolledWebhook[] = [];
  for (const incident of open) {
    const deletions = await readDeletions(polling, from, incident, {
      known: before.known.get(incident.id),
      readAt: row.readAt,
    });
    gone.push(...deletions.webhooks);
    if (deletions.known) known.set(incident.id, deletions.known);
  }
  const pushedAt = repository.item.pushed_at ?? null;
  const isPushed = row.lastPush !== null && pushedAt !== row.lastPush && !polling.alsoWebhooks;
  const push = isPushed && pushedAt !== null ? [pushWebhook(from, pushedAt)] : [];
  const webhooks = [...push, ...news.webhooks, ...gone].toSorted((a, b) => a.at.getTime() - b.at.getTime());
  for (const { arrival } of webhooks) if ((await polling.receive(arrival)) === "stored") stored++;

  const next = reachedBy({ since, askFrom }, [comments, issues], { isWhole: events.isWhole, now: at });
  // News left to webhooks must be seen again, even if GitHub lists nothing new.
  const kept = news.isPostponed ? {} : { comments, events, issues };
  return {
    isReadable: true,
    row: { ...row, since: next.since, readAt: at, standing, standings, lastPush: pushedAt },
    memory: { askFrom: next.askFrom, repository, ...kept, handled: news.handled, known },
    stored,
    open,
  };
}

type RepoStanding = "private" | "public" | `renamed ${string}` | "removed" | "suspended" | "uninstalled";

/** Returns the standing if GitHub gives no token. */
async function fetchRepository(
  source: PollSource,
  place: RepoPlace,
  { repository: known }: RepositoryMemory,
): Promise<RepositoryMemory["repository"] | RepoStanding> {
  try {
    const answer = await source.repository(place, { etag: known?.etag });
    if (answer.kind === "unchanged") return known;
    const [item] = answer.kind === "read" ? answer.items : [];
    return item && answer.kind === "read" ? { etag: answer.etag, item } : undefined;
  } catch (error) {
    if (!isAboutToken(error)) throw error;
    const status = statusOf(error);
    if (status === 404) return "uninstalled";
    if (status === 422) return "removed";
    if (status === 403 && error instanceof Error && /suspended/i.test(error.message)) return "suspended";
    throw error;
  }
}

const standingEvents: ReadonlyMap<string, readonly [event: string, action: string]> = new Map([
  ["public", ["repository", "publicized"]],
  ["removed", ["installation_repositories", "removed"]],
  ["suspended", ["installation", "suspend"]],
  ["uninstalled", ["installation", "deleted"]],
]);

/** Undefined if the change loses nothing. Commands do not depend on it, because each asks GitHub before it runs. */
function standingWebhook(
  row: Pick<PollRow, "standing" | "standings">,
  now: RepoStanding,
  { installationId, repoId, repo }: RepoPlace & { readonly repoId: number },
): Arrival | undefined {
  const renamedTo = now.startsWith("renamed ") ? now.slice("renamed ".length) : undefined;
  const [event, action] = renamedTo === undefined ? (standingEvents.get(now) ?? []) : ["repository", "renamed"];
  if (row.standing === null || row.standing === now || event === undefined) return undefined;
  const payload = {
    action,
    ...(event === "repository"
      ? { repository: { id: repoId, full_name: renamedTo ?? repo, private: now !== "public" } }
      : {}),
    ...(now === "removed" ? { repositories_removed: [{ id: repoId }] } : {}),
    installation: { id: installationId },
    sender: ghost,
  };
  return arrivalOf(event, `poll-r${repoId}.${row.standings + 1}.${now}`, JSON.stringify(payload));
}

async function readNews(
  polling: PollContext,
  from: PollOrigin,
  {
    since,
    handled: before,
    lastRead,
    ...lists
  }: {
    readonly since: Date;
    readonly comments: ReadList<PolledComment>;
    readonly events: ReadList<PolledEvent>;
    readonly issues: ReadList<PolledIssue>;
    readonly handled: ReadonlySet<string>;
    readonly lastRead: ReadonlyMap<number, PolledComment>;
  },
): Promise<{
  readonly webhooks: readonly PolledWebhook[];
  readonly handled: ReadonlySet<string>;
  readonly isPostponed: boolean;
}> {
  const { source, deps, alsoWebhooks } = polling;
  const { db } = deps.store;
  // GitHub's times are whole seconds, and its lists have no order within one; ids only grow.
  const byId = <T extends { readonly id: number }>(items: readonly T[]): readonly T[] =>
    items.toSorted((one, other) => one.id - other.id);
  // The bot ignores pull requests.
  const comments = byId(lists.comments.items).filter((comment) => !comment.html_url.includes("/pull/"));
  const issues = byId(lists.issues.items).filter((issue) => !issue.pull_request && new Date(issue.created_at) >= since);
  const events = byId(lists.events.items).filter(
    (event) =>
      webhookActionOf(event) !== undefined &&
      event.issue &&
      !event.issue.pull_request &&
      new Date(event.created_at) >= since,
  );

  const idOf = (comment: PolledComment): string => (isEdited(comment) ? guids.edit : guids.comment)(comment);
  const ids = [...issues.map(guids.issue), ...events.map(guids.event), ...comments.map(idOf)];
  const unhandled = ids.filter((id) => !before.has(id));
  const arrived = unhandled.length === 0 ? new Set<string>() : await arrivedGuids(db, unhandled);
  const handled = new Set(ids.filter((id) => before.has(id) || arrived.has(id)));
  const ripeBefore = deps.now().getTime() - (alsoWebhooks ? polling.pace.webhooksFirstMs : 0);
  let isPostponed = false;
  const isDue = (id: string, at: string): boolean => {
    if (handled.has(id)) return false;
    if (alsoWebhooks && Date.parse(at) > ripeBefore) {
      isPostponed = true;
      return false;
    }
    handled.add(id);
    return true;
  };
  const dueIssues = issues.filter((issue) => isDue(guids.issue(issue), issue.created_at));
  const dueEvents = events.filter((event) => isDue(guids.event(event), event.created_at));
  const dueComments = comments.filter((comment) => isDue(idOf(comment), comment.updated_at));

  // Leaves out a comment whose issue is gone.
  const issuesByNumber = new Map(lists.issues.items.map((issue) => [issue.number, issue]));
  const withIssues: { readonly comment: PolledComment; readonly issue: PolledIssue }[] = [];
  for (const comment of dueComments) {
    const number = Number(comment.issue_url.split("/").at(-1));
    const asked = issuesByNumber.has(number) ? undefined : await source.issue({ ...from.place, issue: number });
    const issue = issuesByNumber.get(number) ?? (asked?.kind === "read" ? asked.items[0] : undefined);
    if (!issue) continue;
    issuesByNumber.set(number, issue);
    withIssues.push({ comment, issue });
  }
  const keys = dueComments.map(({ id }) => createdKey(id));
  const heard = keys.length === 0 ? new Set() : await broughtKeys(db, keys);
  const isNew = (comment: PolledComment): boolean =>
    new Date(comment.created_at) >= since && !heard.has(createdKey(comment.id)) && !isOurs(polling, comment);
  const fresh = withIssues.filter(({ comment }) => isNew(comment));
  const changedLater = withIssues.filter(({ comment }) => !isNew(comment) && isEdited(comment));
  const edits = await readEdits(polling, from, changedLater, lastRead);
  for (const comment of edits.unsure) handled.delete(idOf(comment));

  const webhooks = [
    ...dueIssues.map((issue) => openedWebhook(from, issue)),
    ...dueEvents.map((event) => eventWebhook(from, event)),
    ...fresh.map(({ comment, issue }) => writtenWebhook(from, comment, issue)),
    ...edits.webhooks,
  ];
  if (!alsoWebhooks) return { webhooks, handled, isPostponed };
  const unsent: PolledWebhook[] = [];
  for (const webhook of webhooks) if (!(await isSent(db, webhook))) unsent.push(webhook);
  return { webhooks: unsent, handled, isPostponed };
}

/** How long GraphQL may lag behind the list of comments. */
const unsureMs = 10 * 60_000;

/** Only GraphQL shows who edited. Skips our own edits, and changes that touched no text, such as folding. */
async function readEdits(
  polling: PollContext,
  from: PollOrigin,
  comments: readonly { readonly comment: PolledComment; readonly issue: PolledIssue }[],
  lastRead: ReadonlyMap<number, PolledComment>,
): Promise<{
  readonly webhooks: readonly PolledWebhook[];
  /** Differ from what we wrote although GitHub knows of no edit yet. */
  readonly unsure: readonly PolledComment[];
}> {
  const { deps, source } = polling;
  const changed = [];
  for (const one of comments) {
    // Most edits are our own board's; they need no question to GitHub.
    const own = isOurs(polling, one.comment) && (await commentByGithubId(deps.store.db, one.comment.id));
    if (!own || own.postedBody !== withoutMarker(one.comment.body ?? "")) changed.push(one);
  }
  const editors = await source.editors(
    from.place,
    changed.map(({ comment }) => comment.node_id),
  );
  const webhooks: PolledWebhook[] = [];
  const unsure: PolledComment[] = [];
  for (const { comment, issue } of changed) {
    const ours = isOurs(polling, comment);
    if (!editors.has(comment.node_id)) {
      if (ours && Date.parse(comment.updated_at) > deps.now().getTime() - unsureMs) unsure.push(comment);
      continue;
    }
    const editor = editors.get(comment.node_id) ?? ghost;
    if (ours && editor.id === comment.user?.id) continue;
    const before = lastRead.get(comment.id)?.body ?? (await broughtBody(deps.store.db, createdKey(comment.id)));
    webhooks.push(editedWebhook(from, { comment, issue, editor, before }));
  }
  return { webhooks, unsure };
}

const isOurs = ({ deps }: Pick<PollContext, "deps">, { user, performed_via_github_app: app }: PolledComment): boolean =>
  user?.type === "Bot" && app?.id === deps.config.github.appId;

const apartMs = 5_000;

/** Whether a real webhook brought the same. The inbox itself recognizes written and deleted comments. */
async function isSent(db: Db, { at, arrival }: PolledWebhook): Promise<boolean> {
  const partOf = (payload: unknown, part: "comment" | "issue"): Fields | undefined => {
    const value = isRecord(payload) ? payload[part] : undefined;
    return isRecord(value) ? value : undefined;
  };
  const polled = parseJson(arrival.payload);
  if (arrival.event === "issues") {
    const label = parseIssueEvent(polled)?.label;
    const sent = await sentAboutIssue(db, arrival.line, "issues");
    return sent.some(({ action, payload: text }) => {
      if (action !== arrival.action) return false;
      if (action === "opened") return true;
      const payload = parseJson(text);
      const updatedAt = Date.parse(String(partOf(payload, "issue")?.updated_at));
      return parseIssueEvent(payload)?.label === label && Math.abs(updatedAt - at.getTime()) <= apartMs;
    });
  }
  if (arrival.action !== "edited") return false;
  const own = partOf(polled, "comment");
  const sent = await sentAboutIssue(db, arrival.line, "issue_comment");
  return sent.some(({ action, payload }) => {
    const other = partOf(parseJson(payload), "comment");
    return action === "edited" && own && other && other.id === own.id && other.updated_at === own.updated_at;
  });
}

interface KnownComments {
  readonly pages: readonly {
    readonly etag: string | undefined;
    readonly ids: readonly number[];
    /** Before GitHub answers its creation, one of ours is known by its mark alone. */
    readonly apps: readonly PolledComment[];
    readonly more: boolean;
  }[];
  /** All comments not known to be deleted. */
  readonly ids: ReadonlySet<number>;
}

const appComments = (known: KnownComments | undefined): ReadonlyMap<number, PolledComment> =>
  new Map((known?.pages ?? []).flatMap(({ apps }) => apps.map((comment) => [comment.id, comment] as const)));

const mostPages = 20;

/**
 * No list shows deletions: compares an open incident's comments with the known ones. Asks for each missing comment, because a list may be
 * late.
 */
async function readDeletions(
  { deps, source }: Pick<PollContext, "deps" | "source">,
  from: PollOrigin,
  incident: Incident,
  before: { readonly known: KnownComments | undefined; readonly readAt: Date | null },
): Promise<{ readonly webhooks: readonly PolledWebhook[]; readonly known: KnownComments | undefined }> {
  const now = deps.now();
  const place = { ...from.place, issue: incident.number };
  const pages: KnownComments["pages"][number][] = [];
  let isChanged = !before.known || before.known.pages.length === 0;
  for (let page = 1; page <= mostPages; page++) {
    const known = before.known?.pages[page - 1];
    const answer = await source.commentsOn(place, { etag: known?.etag, page });
    if (answer.kind === "gone") {
      if (answer.status === 404) return { webhooks: [], known: undefined };
      const action = answer.status === 301 ? "transferred" : "deleted";
      return { webhooks: [goneWebhook(from, incident, action, now)], known: undefined };
    }
    if (answer.kind === "read") isChanged = true;
    const read =
      answer.kind === "read"
        ? {
            etag: answer.etag,
            ids: answer.items.map(({ id }) => id),
            apps: answer.items.filter(({ performed_via_github_app: app }) => app),
            more: answer.more,
          }
        : known;
    if (!read) break;
    pages.push(read);
    // A full page keeps its etag when the next one begins.
    if (!read.more && read.ids.length < 100) break;
  }
  if (!isChanged && before.known) return { webhooks: [], known: before.known };

  const here = new Set(pages.flatMap(({ ids }) => ids));
  const known = before.known?.ids ?? (await storedComments(deps, incident));
  // Comments on unread pages are not missing.
  if (pages.at(-1)?.more) return { webhooks: [], known: { pages, ids: known } };
  const gone: number[] = [];
  const still = new Set(here);
  for (const id of known) {
    if (here.has(id)) continue;
    const found = await source.comment(from.place, id);
    if (found.kind === "gone") gone.push(id);
    else still.add(id);
  }
  if (gone.length === 0) return { webhooks: [], known: { pages, ids: still } };
  const events = await source.events(from.place, {});
  const by = deleterOf(incident, events.kind === "read" ? events.items : [], {
    count: gone.length,
    after: before.readAt,
  });
  const lastRead = appComments(before.known);
  const webhooks = gone.map((id) => deletedWebhook(from, incident, lastRead.get(id) ?? { id }, { at: now, by }));
  return { webhooks, known: { pages, ids: still } };
}

async function storedComments({ store }: PollContext["deps"], incident: Incident): Promise<ReadonlySet<number>> {
  const { repoId, number } = incident;
  const brought = await standingComments(store.db, [`issue:${repoId}:${number}`, `stop:${repoId}:${number}`]);
  const { posted } = await partsOf(store.db, incident.id, "posted");
  const ours = posted.flatMap(({ githubId }) => githubId ?? []);
  return new Set([...brought, ...ours]);
}

/**
 * GitHub's events do not say which comment was deleted: there must be as many events as missing comments, all by one person; otherwise it
 * is GitHub's ghost.
 */
function deleterOf(
  { number }: Incident,
  events: readonly PolledEvent[],
  { count, after }: { readonly count: number; readonly after: Date | null },
): Actor {
  // GitHub's times have no fraction of a second.
  const from = Math.floor((after?.getTime() ?? Number.POSITIVE_INFINITY) / 1_000) * 1_000;
  const own = events.filter(
    ({ event, issue, created_at: at }) =>
      event === "comment_deleted" && issue?.number === number && Date.parse(at) >= from,
  );
  const [first] = own;
  const isOnes = own.length === count && own.every(({ actor }) => actor?.id === first?.actor?.id);
  return isOnes && first?.actor ? { id: first.actor.id, login: first.actor.login, type: first.actor.type } : ghost;
}
