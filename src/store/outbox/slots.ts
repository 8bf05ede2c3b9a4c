/** Comments and their reasons (PRODUCT: noise kills bots). An edit in place notifies no one. */
const kinds = {
  /** To the incident's opener; then only edited. */
  board: "asked",
  reply: "asked",
  /** For an edit of a comment into a command, or of an approval out of it; once per comment. */
  edited: "asked",
  /** For a ticked box; once per incident. */
  ticked: "asked",
  /** The agent's proposals, or its answer to a question or result. */
  card: "decision",
  /** A person's own action, or one proposed again. */
  action: "decision",
  reminder: "decision",
  /** Once for each person on call. */
  call: "decision",
  /** A closed incident's alert fires again and reopens it. */
  "alert-again": "decision",
  /** People decide on everything again. */
  "lease-ended": "decision",
  /** A patch is merged, and a read that should show its effect cannot be proposed. */
  "merge-check": "decision",
  "soft-limit": "decision",
  batch: "result",
  /** What an edit of the run card would not notify about: above all UNKNOWN and withheld (RR-22). */
  unread: "result",
  schedule: "result",
  /** Several within a while are one comment. */
  resolved: "result",
  /** A person changed a comment of ours. */
  notice: "unsolicited",
} as const satisfies Record<string, CommentReason>;

/** Only unsolicited comments are delayed, and none is lost. */
export type CommentReason = "asked" | "decision" | "result" | "unsolicited";
type CommentKind = keyof typeof kinds;

/** A kind, with a key if there are several. */
export type Slot = CommentKind | `${CommentKind}:${string}`;

export const slots = {
  board: "board",
  ticked: "ticked",
  edited: (commentId: number) => `edited:${commentId}`,
  card: (step: number) => `card:${step}`,
  /** A runbook's checks, before the agent's first step. */
  checks: "card:0",
  ownCard: (number: number) => `action:${number}`,
  batch: (id: string) => `batch:${id}`,
  /** Also one for each `/wait`. */
  softLimit: (number: number, waitUntil: Date | null = null) =>
    `soft-limit:${number}${waitUntil === null ? "" : (`:${waitUntil.getTime()}` as const)}`,
  leaseEnded: (commentId: number) => `lease-ended:${commentId}`,
  mergeCheck: (number: number) => `merge-check:${number}`,
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

/** A kind that no longer exists counts as a result. */
export function whyOf(slot: string): CommentReason {
  const kind = slot.split(":", 1)[0] ?? "";
  return isKind(kind) ? kinds[kind] : "result";
}

const isKind = (kind: string): kind is CommentKind => Object.hasOwn(kinds, kind);
