import { whyOf } from "./slots.ts";
import type { OutboxComment } from "./wanted.ts";

/** A class of writes, and which part of a minute's and of an hour's writes it leaves to the classes before it. */
interface WriteClass {
  readonly urgency: string;
  readonly minute: number;
  readonly hour: number;
}

/**
 * The classes of writes, in the order in which a person would choose (RR-08). What a class leaves is never less than what the one before
 * it leaves, so a lower class cannot take what a higher one waits for, in whichever issue and process.
 */
export const writeClasses = [
  /** The refusal or result of somebody's command. */
  { urgency: "result", minute: 0, hour: 0 },
  /** A new comment that waits for a decision. */
  { urgency: "decision", minute: 0.25, hour: 0.25 },
  /** An answer to somebody who may only read. All of them have a small share together. */
  { urgency: "reader", minute: 0.35, hour: 0.35 },
  /** What shows how a command or a decision goes on. */
  { urgency: "live", minute: 0.4, hour: 0.4 },
  /** The board, a label, a pin, a fold, and what nobody asked for. */
  { urgency: "board", minute: 0.55, hour: 0.55 },
  { urgency: "reaction", minute: 0.7, hour: 0.7 },
] as const satisfies readonly WriteClass[];
export type Urgency = (typeof writeClasses)[number]["urgency"];

/** The place of a class in that order. */
export const rankOf = (urgency: Urgency): number => writeClasses.findIndex((one) => one.urgency === urgency);

type OpenComment = Pick<OutboxComment, "slot" | "githubId" | "awaited" | "askedBy" | "readsOnly">;

/** The class of a comment that is to be written, by what it is and whether somebody waits for what it says. */
export function urgencyOf({ slot, githubId, awaited, askedBy, readsOnly }: OpenComment): Urgency {
  if (readsOnly) return "reader";
  if (awaited) return "result";
  const isNew = githubId === null;
  switch (whyOf(slot)) {
    case "asked":
      // A reply is there for its own sake; the board is what all else comes below.
      if (slot !== "board") return "result";
      return isNew ? "decision" : "board";
    case "decision":
      // The card of somebody's own command is the answer to it.
      return !isNew ? "live" : askedBy !== null ? "result" : "decision";
    case "result":
      return /^(batch|resolved):/.test(slot) ? "live" : "result";
    case "unsolicited":
      return "board";
  }
}

/** A comment in its turn, and whose share it counts for, if for anybody's. */
export interface CommentTurn<Comment> {
  readonly comment: Comment;
  readonly urgency: Urgency;
  readonly share: string | null;
}

/** That of all who may only read. */
export const readersShare = "readers";

/** For whose share a comment counts by itself. */
function shareOf(comment: OpenComment): string | null {
  const { askedBy, readsOnly } = comment;
  if (readsOnly) return readersShare;
  return askedBy !== null && urgencyOf(comment) === "result" ? `person:${askedBy}` : null;
}

/**
 * The open comments of an issue in the order in which they are written: by class, and new ones by their place. A new comment that others
 * have to wait for, since they come below it, is as urgent as the most urgent of those, and counts for nobody's share unless they all do.
 * An answer to somebody who may only read makes nothing more urgent: it waits for what stands above it. Within a class new ones come
 * first, since they notify.
 */
export function inTurn<Comment extends OpenComment & Pick<OutboxComment, "position">>(
  comments: readonly Comment[],
): readonly CommentTurn<Comment>[] {
  const turns = comments
    .toSorted((one, other) => one.position - other.position)
    .map((comment) => ({ comment, urgency: urgencyOf(comment), share: shareOf(comment) }));
  const [edits, added] = [true, false].map((isEdit) =>
    turns.filter(({ comment }) => (comment.githubId !== null) === isEdit),
  );
  const raised: CommentTurn<Comment>[] = [];
  let below: CommentTurn<Comment> | undefined;
  for (const turn of added?.toReversed() ?? []) {
    const { comment } = turn;
    if (below && rankOf(below.urgency) <= rankOf(turn.urgency)) {
      const isShared = below.urgency === turn.urgency && below.share === turn.share;
      below = { comment, urgency: below.urgency, share: isShared ? turn.share : null };
      raised.unshift(below);
      continue;
    }
    raised.unshift(turn);
    if (turn.urgency !== "reader") below = turn;
  }
  let above: Urgency = "result";
  const placed = raised.map((turn) => {
    const urgency = rankOf(above) > rankOf(turn.urgency) ? above : turn.urgency;
    above = urgency;
    return { ...turn, urgency };
  });
  return [...placed, ...(edits ?? [])].toSorted((one, other) => rankOf(one.urgency) - rankOf(other.urgency));
}

/** Why nothing may be written now: what a minute or an hour allows, or GitHub's own word. */
export type Limit = WriteSpan | "pause";
/** GitHub counts the writes of a minute and of an hour. */
export type WriteSpan = "minute" | "hour";
type PerSpan = Readonly<Record<WriteSpan, number>>;

/** Which part of all writes may be urgent answers to one person; what they ask beyond it is as urgent as a live edit. */
const personPart: PerSpan = { minute: 0.25, hour: 0.25 };
/** The same of all who may only read, together; what they ask beyond it waits. */
const readersPart: PerSpan = { minute: 0.1, hour: 0.05 };

/** What a write is measured by. */
interface WriteTerms {
  /** How much may have been used once it is written. */
  readonly most: PerSpan;
  /** The same, and as what it counts, once its share is used up. */
  readonly beyond: { readonly most: PerSpan; readonly urgency: Urgency };
  /** How much fades in a second. */
  readonly speed: PerSpan;
  /** The same of its share. */
  readonly ofShare: { readonly most: PerSpan; readonly speed: PerSpan };
}

const each = (of: (span: WriteSpan) => number): PerSpan => ({ minute: of("minute"), hour: of("hour") });

/** The terms on which something may be written, at the limits in force. Pure. */
export function writeTermsOf({
  perMinute,
  perHour,
  urgency,
  share,
}: {
  readonly perMinute: number;
  readonly perHour: number;
  readonly urgency: Urgency;
  readonly share: string | null;
}): WriteTerms {
  // A bucket holds half of a limit and gets the other half in its time, so that no minute and no hour sees more.
  const bucket: PerSpan = { minute: perMinute / 2, hour: perHour / 2 };
  const speed = each((span) => bucket[span] / secondsOf[span]);
  // However small the limit is, each class goes once all is free.
  const mostOf = (of: Urgency) => each((span) => Math.max(1, bucket[span] * (1 - leftBy(of)[span])));
  const part = share === readersShare ? readersPart : personPart;
  return {
    most: mostOf(urgency),
    beyond: share === readersShare ? { most: each(() => 0), urgency } : { most: mostOf("live"), urgency: "live" },
    speed,
    ofShare: {
      most: each((span) => Math.max(1, bucket[span] * part[span])),
      speed: each((span) => speed[span] * part[span]),
    },
  };
}

const secondsOf: PerSpan = { minute: 60, hour: 3_600 };
const leftBy = (of: Urgency): PerSpan => writeClasses[rankOf(of)] ?? { minute: 0, hour: 0 };

/** Why a write cannot go out now. */
export interface Shortage extends PerSpan {
  /** For how many seconds GitHub wants nothing written. */
  readonly paused: number;
  /** How many issues of its class go first. */
  readonly ahead: number;
}

/** A limit may have been raised since, or others may be gone: it asks again by then. */
const longestWaitMs = 10_000;
/** Whoever is let go first comes within so long. */
const turnMs = 250;

/** In how many milliseconds a write asks again, and which limit binds it; none if it waits for its share, or for others. Pure. */
export function waitFor(
  { paused, ahead, ...used }: Shortage,
  { most, speed }: Pick<WriteTerms, "most" | "speed">,
): { readonly ms: number; readonly by: Limit | undefined } {
  if (paused > 0) return { ms: Math.ceil(paused * 1_000), by: "pause" };
  if (most.minute === 0) return { ms: longestWaitMs, by: undefined };
  const msFor = (span: WriteSpan) =>
    used[span] + 1 <= most[span] ? 0 : ((used[span] + 1 - most[span] + ahead) * 1_000) / speed[span];
  const [minute, hour] = [msFor("minute"), msFor("hour")];
  if (minute === 0 && hour === 0) return { ms: turnMs, by: undefined };
  return { ms: Math.min(Math.ceil(Math.max(minute, hour)), longestWaitMs), by: hour > minute ? "hour" : "minute" };
}
