import { whyOf } from "./thread-comments.ts";
import type { OutboxComment } from "./wanted.ts";

/** `minute` and `hour`: the part it leaves to the classes before it. */
interface WriteClass {
  readonly urgency: string;
  readonly minute: number;
  readonly hour: number;
}

/**
 * By a person's preference (RR-08). A class leaves at least what the one before it does, so that lower ones cannot take what higher ones
 * wait for.
 */
export const writeClasses = [
  /** The refusal or result of a person's command. */
  { urgency: "result", minute: 0, hour: 0 },
  /** A new comment that waits for a decision. */
  { urgency: "decision", minute: 0.25, hour: 0.25 },
  /** Answers to people who may only read. */
  { urgency: "reader", minute: 0.35, hour: 0.35 },
  /** The progress of a command or a decision. */
  { urgency: "live", minute: 0.4, hour: 0.4 },
  /** Also labels, pins, folds and unsolicited comments. */
  { urgency: "board", minute: 0.55, hour: 0.55 },
  { urgency: "reaction", minute: 0.7, hour: 0.7 },
] as const satisfies readonly WriteClass[];
export type Urgency = (typeof writeClasses)[number]["urgency"];

export const rankOf = (urgency: Urgency): number => writeClasses.findIndex((one) => one.urgency === urgency);

type OpenComment = Pick<OutboxComment, "slot" | "githubId" | "awaited" | "askedBy" | "readsOnly">;

export function urgencyOf({ slot, githubId, awaited, askedBy, readsOnly }: OpenComment): Urgency {
  if (readsOnly) return "reader";
  if (awaited) return "result";
  const isNew = githubId === null;
  switch (whyOf(slot)) {
    case "asked":
      // Other comments come below the board.
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

export interface CommentTurn<Comment> {
  readonly comment: Comment;
  readonly urgency: Urgency;
  readonly share: string | null;
}

export const readersShare = "readers";

function shareOf(comment: OpenComment): string | null {
  const { askedBy, readsOnly } = comment;
  if (readsOnly) return readersShare;
  return askedBy !== null && urgencyOf(comment) === "result" ? `person:${askedBy}` : null;
}

/**
 * By class, and new comments by place. A new comment is as urgent as the most urgent below it, which waits for it; it counts for a share
 * only if they all do. Answers to people who may only read raise nothing. Within a class new ones come first, because they notify.
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

/** Why nothing may be written; GitHub can ask for a pause. */
export type Limit = WriteSpan | "pause";
/** GitHub counts writes per minute and per hour. */
export type WriteSpan = "minute" | "hour";
type PerSpan = Readonly<Record<WriteSpan, number>>;

/** For urgent answers to one person; further ones are as urgent as a live edit. */
const personPart: PerSpan = { minute: 0.25, hour: 0.25 };
/** For all people who may only read; further answers wait. */
const readersPart: PerSpan = { minute: 0.1, hour: 0.05 };

interface WriteTerms {
  /** Including this write. */
  readonly most: PerSpan;
  /** Once its share is used up. */
  readonly beyond: { readonly most: PerSpan; readonly urgency: Urgency };
  /** Fades per second. */
  readonly speed: PerSpan;
  readonly ofShare: { readonly most: PerSpan; readonly speed: PerSpan };
}

const each = (of: (span: WriteSpan) => number): PerSpan => ({ minute: of("minute"), hour: of("hour") });

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
  // A bucket holds half of a limit and refills the other half, so no minute or hour sees more.
  const bucket: PerSpan = { minute: perMinute / 2, hour: perHour / 2 };
  const speed = each((span) => bucket[span] / secondsOf[span]);
  // Even at the smallest limit each class gets one write.
  const mostOf = (of: Urgency) =>
    each((span) => Math.max(1, bucket[span] * (1 - (writeClasses[rankOf(of)] ?? { minute: 0, hour: 0 })[span])));
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

export interface Shortage extends PerSpan {
  /** Seconds for which GitHub wants no writes. */
  readonly paused: number;
  /** Issues of its class that go first. */
  readonly ahead: number;
}

/** A limit may rise, or others may leave. */
const longestWaitMs = 10_000;
/** A write that goes first comes within this time. */
const turnMs = 250;

/** `by` is undefined if the write waits for its share or for others. */
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
