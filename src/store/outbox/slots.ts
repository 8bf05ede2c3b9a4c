/**
 * Every kind of comment that the bot makes, and why: whoever adds one says here what it is (PRODUCT: noise kills bots). An edit
 * in place notifies nobody and is no new comment.
 */
const kinds = {
  /** To whoever opened the incident; then only edited. */
  board: "asked",
  reply: "asked",
  /** To whoever edited a comment into a command, or an approval out of it; once for each comment. */
  edited: "asked",
  /** To whoever ticked a box; once for each incident. */
  ticked: "asked",
  /** A turn of the agent: what it proposes, or what it says to a question or a result. */
  card: "decision",
  /** Of one action: a person's own, or one that is proposed anew. */
  action: "decision",
  /** What nobody has decided on and expires soon. */
  reminder: "decision",
  /** Whoever is on call, to what waits for a decision. Once for each who is called. */
  call: "decision",
  /** To whoever decides here: the alert of a closed incident fires again, so it is open again. Once for each time. */
  "alert-again": "decision",
  /** A lease has ended: people decide on everything again. Once for each lease. */
  "agent-mode": "decision",
  "soft-limit": "decision",
  batch: "result",
  /** What an edit of the run card would tell nobody, UNKNOWN and withheld above all (RR-22). */
  unread: "result",
  schedule: "result",
  /** That the incident's alert is resolved; several within a while are one. */
  resolved: "result",
  /** The agent's plan; then only edited. */
  plan: "unsolicited",
  /** What changed on GitHub before the incident; then only edited. */
  changes: "unsolicited",
  /** What somebody did to a comment of ours, and what was done about it. */
  notice: "unsolicited",
} as const satisfies Record<string, Why>;

/** Only what is unsolicited is held back: one in a while, and never lost. */
export type Why = "asked" | "decision" | "result" | "unsolicited";
type Kind = keyof typeof kinds;

/** Which comment of an issue a row of the outbox is: its kind, and of many the one. */
export type Slot = Kind | `${Kind}:${string}`;

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
  leaseEnded: (commentId: number) => `agent-mode:${commentId}`,
  reminder: (expiresAt: Date) => `reminder:${expiresAt.getTime()}`,
  call: ({ who, at }: { readonly who: string; readonly at: Date }) => `call:${at.getTime()}:${who}`,
  firesAgain: (fires: number) => `alert-again:${fires}`,
  schedule: (key: string) => `schedule:${key}`,
  unread: (batchId: string) => `unread:${batchId}`,
  resolved: (number: number) => `resolved:${number}`,
  reply: (commentId: number) => `reply:${commentId}`,
  notice: (number: number) => `notice:${number}`,
} as const satisfies Record<string, Slot | ((of: never) => Slot)>;

/** The kinds that are made for that reason. */
export const kindsOf = (why: Why): readonly Kind[] =>
  Object.keys(kinds).filter((kind): kind is Kind => isKind(kind) && kinds[kind] === why);

/** Why a comment is made, by its slot; one of a kind that is no more was a result of its time. */
export function whyOf(slot: string): Why {
  const kind = slot.split(":", 1)[0] ?? "";
  return isKind(kind) ? kinds[kind] : "result";
}

const isKind = (kind: string): kind is Kind => Object.hasOwn(kinds, kind);
