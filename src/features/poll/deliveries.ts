import { createHash } from "node:crypto";
import type { Actor } from "../../github/events.ts";
import type { PollAnswer, PolledComment, PolledEvent, PolledIssue, PolledRepository } from "../../github/poll.ts";
import type { Incident } from "../../store/incidents.ts";
import { type Arrival, arrivalOf } from "../../store/queue/arrival.ts";

/** Turns what polling reads into GitHub's webhooks. Pure. */

export interface Origin {
  readonly installationId: number;
  readonly repository: PolledRepository;
}

export interface PolledWebhook {
  readonly at: Date;
  readonly arrival: Arrival;
}

/** GitHub's account for deleted users; also for people that polling cannot name. */
export const ghost: Actor = { id: 10_137, login: "ghost", type: "User" };

/** Ids derive from the content, so that the inbox stores each once. */
export const guids = {
  issue: ({ id, created_at: at }: PolledIssue): string => `poll-i${id}@${at}`,
  event: ({ id }: PolledEvent): string => `poll-e${id}`,
  comment: ({ id, created_at: at }: PolledComment): string => `poll-c${id}@${at}`,
  /** Two edits can happen in the same second. */
  edit: ({ id, updated_at: at, body = "" }: PolledComment): string =>
    `poll-c${id}@${at}.${createHash("sha256").update(body).digest("hex").slice(0, 8)}`,
  deletion: (commentId: number): string => `poll-c${commentId}@deleted`,
};

export const createdKey = (commentId: number): string => `issue_comment:created:${commentId}`;

export const isEdited = ({ created_at: created, updated_at: updated }: PolledComment): boolean => created !== updated;

/** An issue was opened. */
export const openedWebhook = (from: Origin, issue: PolledIssue): PolledWebhook =>
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
export const webhookActionOf = ({ event }: PolledEvent): string | undefined =>
  Object.hasOwn(actions, event) ? actions[event] : undefined;

/** An issue was labeled, closed, reopened or typed. */
export const eventWebhook = (from: Origin, event: PolledEvent): PolledWebhook =>
  webhookFrom(from, new Date(event.created_at), "issues", guids.event(event), {
    action: webhookActionOf(event),
    // The list shows the issue as it is now.
    issue: event.event === "closed" ? { ...event.issue, state: "closed", closed_at: event.created_at } : event.issue,
    ...(event.label ? { label: event.label } : {}),
    sender: event.actor ?? ghost,
  });

/** A comment edited before it was first read starts nothing (SR-21), because its first text is unknown. */
export const writtenWebhook = (from: Origin, comment: PolledComment, issue: PolledIssue): PolledWebhook =>
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
export const editedWebhook = (
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
export const deletedWebhook = (
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
export const goneWebhook = (
  from: Origin,
  incident: Incident,
  action: "deleted" | "transferred",
  at: Date,
): PolledWebhook =>
  webhookFrom(from, at, "issues", `poll-i${incident.repoId}.${incident.number}@${action}`, {
    action,
    issue: issueOf(incident),
    sender: ghost,
  });

/** GitHub does not say which branch was pushed; assumes the default branch. */
export const pushWebhook = (from: Origin, at: string): PolledWebhook =>
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

export interface ReadList<T> {
  readonly etag: string | undefined;
  readonly items: readonly T[];
  /** Read to its end; otherwise the next look continues. */
  readonly isWhole: boolean;
}

/** GitHub's lists may be late. */
const overlapMs = 2 * 60_000;
/** A question with a new start counts against the rate limit. */
const sameSinceMs = 10 * 60_000;
const mostPages = 10;
const mostEventPages = 100;
const hourMs = 3_600_000;
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
  for (let asked = 0; asked < mostPages; asked++) {
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
