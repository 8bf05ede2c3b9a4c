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

/**
 * Everything that changed since then. The newest page tells whether there is anything new; where it is more than one, it is read in the
 * order in which it happened, so that the next look can go on from where this one ended.
 */
export async function readSince<T>(
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
  for (let page = 1; page <= mostPages; page++) {
    const next = await ask({ since, direction: "asc", page });
    if (next.kind !== "read") throw unreadable(next);
    items.push(...next.items);
    if (!next.more) return { etag: first.etag, items, isWhole: true };
  }
  return { etag: undefined, items, isWhole: false };
}

/** GitHub lists all events there ever were, newest first. */
export async function readEvents(
  ask: (asked: { etag?: string | undefined; page?: number }) => Promise<Polled<PolledEvent>>,
  since: Date,
  known: Read<PolledEvent> | undefined,
): Promise<Read<PolledEvent>> {
  const first = await ask({ etag: known?.etag });
  if (first.kind === "unchanged" && known) return known;
  if (first.kind !== "read") throw unreadable(first);
  const isNew = ({ created_at: at }: PolledEvent): boolean => new Date(at) >= since;
  const items = [...first.items];
  let { more } = first;
  for (let page = 2; more && items.every(isNew) && page <= mostPages; page++) {
    const next = await ask({ page });
    if (next.kind !== "read") throw unreadable(next);
    items.push(...next.items);
    more = next.more;
  }
  return { etag: first.etag, items: items.filter(isNew).toReversed(), isWhole: true };
}

const unreadable = (answer: Polled<unknown>): Error =>
  Object.assign(new Error("GitHub does not list the issues"), answer.kind === "gone" ? { status: answer.status } : {});

/** From when on the next look asks: where a list was too long, from the last that was read. */
export function nextSince(since: Date, lists: readonly Read<{ updated_at: string }>[], times: readonly string[]): Date {
  const cut = lists.filter(({ isWhole }) => !isWhole).map(({ items }) => Date.parse(items.at(-1)?.updated_at ?? ""));
  if (cut.length > 0) return new Date(Math.min(...cut));
  const newest = Math.max(since.getTime(), ...times.map((time) => Date.parse(time)));
  return newest - since.getTime() > sameSinceMs ? new Date(newest - overlapMs) : since;
}
