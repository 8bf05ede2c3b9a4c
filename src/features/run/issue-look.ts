import { sleep } from "../../base/sleep.ts";
import { withoutMarker } from "../../github/comments.ts";
import type { Facts } from "../../github/facts.ts";
import type { Action, Approval } from "../../store/actions.ts";
import type { Db } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import { shownComments, ticksOn } from "../../store/outbox/thread-comments.ts";
import type { OutboxComment } from "../../store/outbox/wanted.ts";
import type { Deps } from "../context.ts";
import { type CardState, cardState, isAsWritten } from "./comment-check.ts";

/** How often, and how long apart, what is on its way is looked for again. */
export const maxLooks = 10;
export const lookAgainMs = 300;

/** What the issue shows of an action. */
interface IssueLook {
  /** Undefined where GitHub does not answer. */
  readonly facts: Facts | undefined;
  readonly card: OutboxComment | undefined;
  readonly board: OutboxComment | undefined;
  readonly shown: CardState | undefined;
  /** Node ids of comments that GitHub has and shows an older state of, or none yet. */
  readonly unread: ReadonlySet<string>;
}

interface Looked {
  readonly incident: Incident;
  readonly action: Action;
  readonly approvals: readonly Approval[];
}

/** Asks GitHub what the issue shows now; what was `handed` over is taken for it where it answers for everything. */
export async function lookAtIssue(deps: Deps, looked: Looked, handed: Facts | undefined): Promise<IssueLook> {
  let seen = await lookOnce(deps, looked, handed);
  // What was read can be older than an edit of ours, or newer by one that is on its way: look again before calling it
  // tampering.
  for (let looks = 0; seen.shown?.asWeWroteIt === false && looks < maxLooks; looks++) {
    if (looks > 0 && !isOnItsWay(seen.card)) break;
    if (looks > 0) await sleep(lookAgainMs);
    seen = await lookOnce(deps, looked, undefined);
  }
  return { ...seen, unread: await unreadIn(deps, looked, seen) };
}

/**
 * GitHub's GraphQL can be seconds behind. What it does not show is asked of its other API before it is called gone, and a card that
 * it shows as we did not write it and nobody else edited, before it is called edited.
 */
async function unreadIn(
  { comments }: Pick<Deps, "comments">,
  { incident, approvals }: Looked,
  { facts, card, shown }: Omit<IssueLook, "unread">,
): Promise<ReadonlySet<string>> {
  if (!facts) return new Set();
  const place = { installationId: incident.installationId, repo: incident.repo, issue: incident.number };
  const unread = new Set<string>();
  for (const { commentNodeId, commentId } of approvals) {
    if (facts.comments.has(commentNodeId)) continue;
    if (!isGone(await comments.read(place, commentId))) unread.add(commentNodeId);
  }
  const isDoubtful = !shown || (!shown.asWeWroteIt && shown.untouched);
  if (card?.nodeId && card.githubId !== null && isDoubtful) {
    const now = await comments.read(place, card.githubId);
    const isEdited = now.kind === "read" && shown !== undefined && !isAsWritten(card, withoutMarker(now.body));
    if (!isGone(now) && !isEdited) unread.add(card.nodeId);
  }
  return unread;
}

const isGone = (read: Awaited<ReturnType<Deps["comments"]["read"]>>): boolean =>
  read.kind === "never" && read.isGone === true;

async function lookOnce(deps: Deps, looked: Looked, handed: Facts | undefined): Promise<Omit<IssueLook, "unread">> {
  const { incident, action, approvals } = looked;
  const { db } = deps.store;
  const before = await shownComments(db, incident, { actionId: action.id });
  const question = { incident, approvals, card: before.cards[0], board: before.board };
  const isHanded = covers(handed, question);
  const facts = isHanded ? handed : await factsFor(deps, question);
  // Read after GitHub's answer: an edit of ours may have gone out meanwhile.
  const after = isHanded ? before : await shownComments(db, incident, { actionId: action.id });
  const [card] = after.cards;
  const edits = card?.nodeId ? facts?.comments.get(card.nodeId)?.editedByOthers : undefined;
  const ticks = card && edits?.length ? await ticksOn(db, card) : [];
  return { facts, card, board: question.board, shown: facts && cardState(deps, action, card, { facts, ticks }) };
}

/** Waits a moment for the card of a step that was proposed just now. */
export async function isPosted(db: Db, incident: Incident, action: Action): Promise<boolean> {
  for (let looks = 0; looks < maxLooks; looks++) {
    if (looks > 0) await sleep(lookAgainMs);
    const { cards } = await shownComments(db, incident, { actionId: action.id });
    if (cards[0]?.nodeId) return true;
  }
  return false;
}

export const isOnItsWay = (card: OutboxComment | undefined): boolean =>
  card !== undefined && card.version > card.postedVersion;

interface FactsNeeded {
  readonly incident: Incident;
  readonly approvals: readonly Approval[];
  readonly card: OutboxComment | undefined;
  readonly board: OutboxComment | undefined;
}

const commentsOf = ({ approvals, card, board }: FactsNeeded): readonly string[] => [
  ...approvals.map((approval) => approval.commentNodeId),
  ...[card, board].flatMap((comment) => comment?.nodeId ?? []),
];

/** Whether what `/approve` has just read answers for all approvals and the card. */
const covers = (facts: Facts | undefined, needed: FactsNeeded): facts is Facts =>
  facts !== undefined &&
  commentsOf(needed).every((nodeId) => facts.comments.has(nodeId)) &&
  needed.approvals.every((approval) => facts.people.has(approval.personId));

/** One GraphQL request; nothing where GitHub does not answer. */
async function factsFor(deps: Deps, needed: FactsNeeded): Promise<Facts | undefined> {
  const { incident, approvals } = needed;
  try {
    return await deps.facts({
      installationId: incident.installationId,
      repo: incident.repo,
      issue: incident.number,
      people: approvals.map((approval) => ({ id: approval.personId, login: approval.login })),
      comments: commentsOf(needed),
      teams: deps.config.policy.approvers.teams,
    });
  } catch (error) {
    return noFacts(deps, incident)(error);
  }
}

export const noFacts =
  ({ log }: Deps, { repo, number: issue }: Incident) =>
  (error: unknown): undefined => {
    log.warn({ module: "github", event: "facts_failed", repo, issue, err: error });
  };
