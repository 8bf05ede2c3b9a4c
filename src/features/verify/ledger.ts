import { sameCard } from "../../github/render/read-card.ts";
import { readRecords } from "../../github/render/record.ts";
import { differencesOf } from "./differences.ts";
import { type Entry, type Remark, rebuild } from "./rebuild.ts";

/** A comment as GitHub has it now. */
export interface SeenComment extends Remark {
  readonly login: string | undefined;
  /** Which comment of ours it says to be; nothing where it says none. */
  readonly mark: string | undefined;
  /** SHA-256, hex, as an approval remembers its comment. */
  readonly sha256: string;
  readonly createdAt: Date;
  readonly edited: boolean;
  readonly editor: string | undefined;
  /** GitHub's word for why it is minimized. */
  readonly hidden: string | undefined;
  /** The numbers that it shows as if it were a card of ours, though somebody else wrote it (SR-30). */
  readonly imitates: readonly number[] | undefined;
}

/** A comment of ours as the outbox has it. */
export interface PostedComment {
  readonly mark: string;
  readonly slot: string;
  /** Every body that GitHub may rightly show. */
  readonly bodies: readonly string[];
  readonly githubId: number | null;
  /** It was on the issue before the issue was read, and was neither changed nor to be changed since. */
  readonly settled: boolean;
  readonly firstPostedAt: Date | null;
  /** Why it never will be posted. */
  readonly parked: string | null;
  /** The actions that it shows, and whether it is a run card of which one did not go well. */
  readonly numbers: readonly number[];
  readonly failed: boolean;
}

/** A person's comment on which an event of the audit rests. */
export interface LedgerWord {
  readonly commentId: number;
  readonly login: string;
  /** The audit's word for what came of it, e.g. `command_approved`. */
  readonly kinds: readonly string[];
  readonly numbers: readonly number[];
  /** Where the audit has it. */
  readonly sha256: string | undefined;
  /** It was withdrawn before anything ran under it. */
  readonly withdrawn: boolean;
}

/** What the store holds of an issue. */
export interface Held {
  readonly posted: readonly PostedComment[];
  readonly words: readonly LedgerWord[];
  readonly entries: readonly Entry[];
  /** Actions that run at this moment: their cards lag behind. */
  readonly moving: readonly number[];
  /** Slots whose comment was deleted and has been posted anew: it stands lower than it stood. */
  readonly reposted: ReadonlySet<string>;
}

/** One thing in which an issue is not as the store has it. */
export type Discrepancy =
  | { readonly kind: "edited" | "hidden"; readonly at: SeenComment; readonly posted: PostedComment }
  | { readonly kind: "deleted" | "unposted"; readonly posted: PostedComment }
  /** Two of ours have changed places: `posted` stood there, `reads` stands there now. */
  | {
      readonly kind: "reordered";
      readonly at: SeenComment;
      readonly posted: PostedComment;
      readonly reads: PostedComment;
    }
  /** It stands at another time than it was posted. */
  | { readonly kind: "displaced"; readonly at: SeenComment; readonly posted: PostedComment }
  /** Somebody else's look-alike, one that our account posted and the store does not know, or a second copy of one of ours. */
  | { readonly kind: "forged" | "unknown" | "copied"; readonly at: SeenComment }
  | { readonly kind: "word-deleted"; readonly word: LedgerWord }
  /** The issue's own text, where it is ours. */
  | { readonly kind: "text-edited" }
  | { readonly kind: "word-edited" | "word-hidden"; readonly at: SeenComment; readonly word: LedgerWord }
  | {
      readonly kind: "differs";
      readonly number: number;
      readonly what: string;
      readonly issue: string;
      readonly store: string;
    };

/** With what the bot itself would tidy up a card that is over; failures and approvals it never hides. */
const tidying = ["outdated", "resolved"];

/**
 * Holds an issue's comments against the store, in the order in which they stand (DC-6). What the bot does in its own work is no
 * finding: a card drawn anew, one that is still in the outbox, a box that was ticked, line ends as GitHub stores them. Pure.
 */
export function compare(seen: readonly SeenComment[], held: Held): readonly Discrepancy[] {
  const inOrder = seen.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.id - b.id);
  const there = new Map(inOrder.map((comment) => [comment.id, comment]));
  const found = [
    ...inOrder.flatMap((comment) => (comment.ours ? ofOurs(comment, held) : ofOthers(comment))),
    ...held.posted.flatMap((posted) => ofPosted(posted, there)),
    ...held.words.flatMap((word) => ofWord(word, there)),
  ];
  const named = new Set(found.flatMap(numbersOf));
  const moving = new Set([...held.moving, ...held.posted.flatMap((posted) => (posted.settled ? [] : posted.numbers))]);
  const atRest = (entries: readonly Entry[]) => entries.filter(({ number }) => !moving.has(number));
  return [...found, ...differencesOf(atRest(rebuild(inOrder)), atRest(held.entries), named)];
}

function ofOurs(comment: SeenComment, held: Held): readonly Discrepancy[] {
  const posted = held.posted.find(({ githubId }) => githubId === comment.id);
  const marked = held.posted.find(({ mark }) => mark === comment.mark);
  if (!posted) {
    // Its answer is on the way: the outbox will know it by its mark (RR-07).
    if (marked && marked.githubId === null) return [];
    return [{ kind: marked ? "copied" : "unknown", at: comment }];
  }
  const found: Discrepancy[] = [];
  if (posted.mark === comment.mark && reads(comment, posted)) {
    if (posted.settled && isDisplaced(comment, posted) && !held.reposted.has(posted.slot))
      found.push({ kind: "displaced", at: comment, posted });
  } else if (marked && marked !== posted && reads(comment, marked))
    found.push({ kind: "reordered", at: comment, posted, reads: marked });
  else found.push({ kind: "edited", at: comment, posted });
  const tidied = tidying.includes(comment.hidden?.toLowerCase() ?? "") && !posted.failed;
  if (comment.hidden !== undefined && !tidied) found.push({ kind: "hidden", at: comment, posted });
  return found;
}

const reads = (seen: SeenComment, { bodies }: PostedComment): boolean =>
  bodies.some((body) => sameCard(body, seen.body));

/** GitHub's clock has no parts of a second. */
const isDisplaced = ({ createdAt }: SeenComment, { firstPostedAt }: PostedComment): boolean =>
  firstPostedAt !== null && Math.abs(createdAt.getTime() - firstPostedAt.getTime()) >= 1_000;

const ofOthers = (comment: SeenComment): readonly Discrepancy[] =>
  comment.imitates === undefined ? [] : [{ kind: "forged", at: comment }];

function ofPosted(posted: PostedComment, there: ReadonlyMap<number, SeenComment>): readonly Discrepancy[] {
  const { githubId, parked, settled } = posted;
  return [
    ...(settled && githubId !== null && !there.has(githubId) ? [{ kind: "deleted", posted } as const] : []),
    ...(parked === null ? [] : [{ kind: "unposted", posted } as const]),
  ];
}

function ofWord(word: LedgerWord, there: ReadonlyMap<number, SeenComment>): readonly Discrepancy[] {
  // Nothing rests on it any more; that it was taken back stands in the audit and on the board.
  if (word.withdrawn) return [];
  const at = there.get(word.commentId);
  if (!at) return [{ kind: "word-deleted", word }];
  const edited = word.sha256 === undefined ? at.edited : at.sha256 !== word.sha256;
  return [
    ...(edited ? [{ kind: "word-edited", at, word } as const] : []),
    ...(at.hidden === undefined ? [] : [{ kind: "word-hidden", at, word } as const]),
  ];
}

/** The actions that a finding is about. */
export function numbersOf(finding: Discrepancy): readonly number[] {
  switch (finding.kind) {
    case "edited":
    case "hidden":
    case "deleted":
    case "unposted":
    case "displaced":
      return finding.posted.numbers;
    case "reordered":
      return [...finding.posted.numbers, ...finding.reads.numbers];
    case "forged":
      return finding.at.imitates ?? [];
    case "unknown":
    case "copied":
      return readRecords(finding.at.body).map(({ action }) => action);
    case "word-deleted":
    case "word-edited":
    case "word-hidden":
      return finding.word.numbers;
    case "differs":
      return [finding.number];
    case "text-edited":
      return [];
  }
}
