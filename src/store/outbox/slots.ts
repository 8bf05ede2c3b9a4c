/**
 * Every kind of comment that the bot makes, and the reason for it (PRODUCT: noise kills bots). An edit in place notifies nobody and is no
 * new comment.
 */
const kinds = {
  /** To the person who opened the incident; then only edited. */
  board: "asked",
  reply: "asked",
  /** To the person who edited a comment into a command, or an approval out of it; once for each comment. */
  edited: "asked",
  /** To the person who ticked a box; once for each incident. */
  ticked: "asked",
  /** A turn of the agent: its proposals, or its answer to a question or a result. */
  card: "decision",
  /** One action: a person's own, or one that is proposed again. */
  action: "decision",
  /** A proposal that expires soon. */
  reminder: "decision",
  /** Calls a person on call to a decision; once for each person. */
  call: "decision",
  /** The alert of a closed incident fires again, so it is open again; once for each time. */
  "alert-again": "decision",
  /** A lease has ended, so people decide on everything again; once for each lease. */
  "lease-ended": "decision",
  "soft-limit": "decision",
  batch: "result",
  /** What an edit of the run card would not notify anybody about: UNKNOWN and withheld above all (RR-22). */
  unread: "result",
  schedule: "result",
  /** The incident's alert is resolved; several within a while are one comment. */
  resolved: "result",
  /** The agent's plan; then only edited. */
  plan: "unsolicited",
  /** The changes on GitHub before the incident; then only edited. */
  changes: "unsolicited",
  /** A person changed a comment of ours, and what the bot did about it. */
  notice: "unsolicited",
} as const satisfies Record<string, CommentReason>;

/** Only unsolicited comments are held back: one in a while, and none is lost. */
export type CommentReason = "asked" | "decision" | "result" | "unsolicited";
type CommentKind = keyof typeof kinds;

/** Which comment of an issue a row of the outbox is: its kind, and its key if there are several. */
export type Slot = CommentKind | `${CommentKind}:${string}`;

/** The slots of the comments that are drawn from rows. */
export const slots = {
  board: "board",
  plan: "plan",
  changes: "changes",
  ticked: "ticked",
  edited: (commentId: number) => `edited:${commentId}`,
  card: (step: number) => `card:${step}`,
  ownCard: (number: number) => `action:${number}`,
  batch: (id: string) => `batch:${id}`,
  /** The first time that a command asks, and once for each `/wait`. */
  softLimit: (number: number, waitUntil: Date | null = null) =>
    `soft-limit:${number}${waitUntil === null ? "" : (`:${waitUntil.getTime()}` as const)}`,
  leaseEnded: (commentId: number) => `lease-ended:${commentId}`,
  reminder: (expiresAt: Date) => `reminder:${expiresAt.getTime()}`,
  call: ({ who, at }: { readonly who: string; readonly at: Date }) => `call:${at.getTime()}:${who}`,
  firesAgain: (fires: number) => `alert-again:${fires}`,
  schedule: (key: string) => `schedule:${key}`,
  unread: (batchId: string) => `unread:${batchId}`,
  resolved: (number: number) => `resolved:${number}`,
  reply: (commentId: number) => `reply:${commentId}`,
  notice: (number: number) => `notice:${number}`,
} as const satisfies Record<string, Slot | ((of: never) => Slot)>;

export const kindsOf = (why: CommentReason): readonly CommentKind[] =>
  Object.keys(kinds).filter((kind): kind is CommentKind => isKind(kind) && kinds[kind] === why);

/** The reason for a comment, by its slot. A kind that no longer exists counts as a result. */
export function whyOf(slot: string): CommentReason {
  const kind = slot.split(":", 1)[0] ?? "";
  return isKind(kind) ? kinds[kind] : "result";
}

const isKind = (kind: string): kind is CommentKind => Object.hasOwn(kinds, kind);
