import { redeliverableMs } from "../../github/app/missed.ts";
import type { Polled, PolledEvent } from "../../github/poll.ts";

/** What a list holds. */
export interface Read<T> {
  readonly etag: string | undefined;
  readonly items: readonly T[];
  /** Whether that was all there is; else the next look goes on from its last. */
  readonly isWhole: boolean;
}

/** How far two looks overlap: what GitHub lists may be late. */
const overlapMs = 2 * 60_000;
/** The time since when is asked stays the same for so long, since another one is another question, which costs. */
const sameSinceMs = 10 * 60_000;
const mostPages = 10;
const mostEventPages = 100;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Everything that changed since then. The newest page tells whether there is anything new; where it is more than one, it is read in the
 * order in which it happened, so that the next look can go on from where this one ended.
 */
export async function readSince<T extends { readonly updated_at: string }>(
  ask: (asked: {
    etag?: string | undefined;
    page?: number;
    since: Date;
    direction: "asc" | "desc";
  }) => Promise<Polled<T>>,
  since: Date,
  known: Read<T> | undefined,
): Promise<Read<T>> {
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
    // Not by number: of what is edited or deleted meanwhile the others move up, and one would be passed over.
    const reached = new Date(Date.parse(next.items.at(-1)?.updated_at ?? "") - 1_000);
    [from, page] = reached > from ? [reached, 1] : [from, page + 1];
  }
  return { etag: undefined, items, isWhole: false };
}

/** GitHub lists all events there ever were, newest first: it is read down to what is older, or was read before. */
export async function readEvents(
  ask: (asked: { etag?: string | undefined; page?: number }) => Promise<Polled<PolledEvent>>,
  since: Date,
  known: Read<PolledEvent> | undefined,
): Promise<Read<PolledEvent>> {
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
    // What a look before left out, this one has not read either.
    isWhole: !isCut && (known?.isWhole ?? true),
  };
}

const unreadable = (answer: Polled<unknown>): Error =>
  Object.assign(new Error("GitHub does not list the issues"), answer.kind === "gone" ? { status: answer.status } : {});

/** How far the lists of a repository were read: what was created since then is new, and the next look asks since `askFrom`. */
export interface Reached {
  readonly since: Date;
  readonly askFrom: Date;
}

/** Nothing older is ever told: as far back as GitHub sends webhooks again. By the hour, since another time is another question. */
export const oldestTold = (now: Date): Date => new Date(Math.ceil((now.getTime() - redeliverableMs) / hourMs) * hourMs);

/** How far a look came. Where a list was too long, the next one reads on, and what is new is judged as before until all is read. */
export function reachedBy(
  before: Reached,
  lists: readonly Read<{ updated_at: string }>[],
  { isWhole, now }: { readonly isWhole: boolean; readonly now: Date },
): Reached {
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
  // Where nothing happens it goes on once a day, or what was told long ago would be new again when the store has forgotten it.
  const next = Math.max(newest - overlapMs, now.getTime() - dayMs);
  const isDue = newest - since > sameSinceMs || now.getTime() - since > 2 * dayMs;
  const reached = isDue ? new Date(next) : before.since;
  return { since: reached, askFrom: reached };
}
