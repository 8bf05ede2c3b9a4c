import { whyOf } from "./slots.ts";
import type { OutboxComment } from "./wanted.ts";

/** A class of writes, and the part of a minute's and an hour's writes that it leaves to the classes before it. */
interface WriteClass {
  readonly urgency: string;
  readonly minute: number;
  readonly hour: number;
}

/**
 * The classes of writes, in the order in which a person would choose (RR-08). A class never leaves less than the one before it, so a lower
 * class cannot take what a higher one waits for, over all issues and processes.
 */
export const writeClasses = [
  /** The refusal or result of a person's command. */
  { urgency: "result", minute: 0, hour: 0 },
  /** A new comment that waits for a decision. */
  { urgency: "decision", minute: 0.25, hour: 0.25 },
  /** An answer to a person who may only read. All such answers have one small share. */
  { urgency: "reader", minute: 0.35, hour: 0.35 },
  /** The progress of a command or a decision. */
  { urgency: "live", minute: 0.4, hour: 0.4 },
  /** The board, a label, a pin, a fold, and unsolicited comments. */
  { urgency: "board", minute: 0.55, hour: 0.55 },
  { urgency: "reaction", minute: 0.7, hour: 0.7 },
] as const satisfies readonly WriteClass[];
export type Urgency = (typeof writeClasses)[number]["urgency"];

/** The place of a class in that order. */
export const rankOf = (urgency: Urgency): number => writeClasses.findIndex((one) => one.urgency === urgency);

type OpenComment = Pick<OutboxComment, "slot" | "githubId" | "awaited" | "askedBy" | "readsOnly">;

/** The class of a comment that is to be written, by its kind and whether a person waits for it. */
export function urgencyOf({ slot, githubId, awaited, askedBy, readsOnly }: OpenComment): Urgency {
  if (readsOnly) return "reader";
  if (awaited) return "result";
  const isNew = githubId === null;
  switch (whyOf(slot)) {
    case "asked":
      // A reply answers somebody; all other comments come below the board.
      if (slot !== "board") return "result";
      return isNew ? "decision" : "board";
    case "decision":
      // The card of a person's own command answers it.
      return !isNew ? "live" : askedBy !== null ? "result" : "decision";
    case "result":
      return /^(batch|resolved):/.test(slot) ? "live" : "result";
    case "unsolicited":
      return "board";
  }
}

/** A comment in its turn, and the share that it counts for, if any. */
export interface CommentTurn<Comment> {
  readonly comment: Comment;
  readonly urgency: Urgency;
  readonly share: string | null;
}

/** The share of all people who may only read. */
export const readersShare = "readers";

/** The share that a comment counts for by itself. */
function shareOf(comment: OpenComment): string | null {
  const { askedBy, readsOnly } = comment;
  if (readsOnly) return readersShare;
  return askedBy !== null && urgencyOf(comment) === "result" ? `person:${askedBy}` : null;
}

/**
 * The open comments of an issue in the order in which they are written: by class, and new ones by their place. A new comment is as urgent
 * as the most urgent of those below it, because they wait for it, and then counts for a share only if they all do. An answer to a person
 * who may only read makes nothing more urgent: it waits for the comments above it. Within a class new ones come first, because they
 * notify.
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

/** Why nothing may be written now: the limit of a minute or an hour, or a pause that GitHub asks for. */
export type Limit = WriteSpan | "pause";
/** GitHub counts the writes of a minute and of an hour. */
export type WriteSpan = "minute" | "hour";
type PerSpan = Readonly<Record<WriteSpan, number>>;

/** The part of all writes that may be urgent answers to one person; beyond it their answers are as urgent as a live edit. */
const personPart: PerSpan = { minute: 0.25, hour: 0.25 };
/** The same for all people who may only read, together; beyond it their answers wait. */
const readersPart: PerSpan = { minute: 0.1, hour: 0.05 };

/** The limits that a write is measured by. */
interface WriteTerms {
  /** How much may have been used once it is written. */
  readonly most: PerSpan;
  /** The same once its share is used up, and the class that it then has. */
  readonly beyond: { readonly most: PerSpan; readonly urgency: Urgency };
  /** How much fades in a second. */
  readonly speed: PerSpan;
  /** The same for its share. */
  readonly ofShare: { readonly most: PerSpan; readonly speed: PerSpan };
}

const each = (of: (span: WriteSpan) => number): PerSpan => ({ minute: of("minute"), hour: of("hour") });

/** The terms of a write, at the limits in force. Pure. */
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
  // Each class gets one write when everything is free, also at the smallest limit.
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

/** It asks again by then, because a limit may have been raised, or others may be gone. */
const longestWaitMs = 10_000;
/** A write that goes first comes within this time. */
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
