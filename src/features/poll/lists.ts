import { redeliverableMs } from "../../github/app/missed.ts";
import type { PollAnswer, PolledEvent } from "../../github/poll.ts";

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
export interface ListProgress {
  readonly since: Date;
  readonly askFrom: Date;
}

/** Returns how far back GitHub redelivers webhooks, rounded to the hour, because a new start is a new question. */
export const oldestTold = (now: Date): Date => new Date(Math.ceil((now.getTime() - redeliverableMs) / hourMs) * hourMs);

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
