import * as z from "zod";
import { reached } from "../../base/crash-point.ts";
import type { Posted } from "../../github/comments.ts";
import type { WriteFailure } from "../../github/outcome.ts";
import { soonDue } from "../../store/clock.ts";
import type { Tx } from "../../store/database/open.ts";
import { nextUnsolicitedAt } from "../../store/outbox/notices.ts";
import {
  commentPosted,
  type DueComment,
  dropReactions,
  openPosts,
  parkComment,
  parkReaction,
  postOvertaken,
  reactionFailed,
  reactionPosted,
  takeBackAttempt,
} from "../../store/outbox/posting.ts";
import { slots, whyOf } from "../../store/outbox/slots.ts";
import { inTurn, readersShare } from "../../store/outbox/urgency.ts";
import {
  isUndrawn,
  type OutboxComment,
  type OutboxReaction,
  type Thread,
  threadKey,
} from "../../store/outbox/wanted.ts";
import { lateForMs } from "../../store/outbox/write-budget.ts";
import type { Job } from "../../store/queue/queue.ts";
import type { Deps } from "../context.ts";
import type { CheckBoard } from "../verify/restored.ts";
import { type Draw, drawFirst, restMs } from "./draw-first.ts";
import { postFolds } from "./fold.ts";
import { postLabels } from "./labels.ts";
import { pinBoard } from "./pin.ts";
import { createWritePace, type WritePace } from "./write-pace.ts";

/** What the poster needs of the outside. */
type Outside = Pick<Deps, "store" | "log" | "comments" | "labels"> & {
  readonly config: {
    readonly github: Pick<Deps["config"]["github"], "writesPerMinute">;
    readonly incident: Pick<Deps["config"]["incident"], "stateLabel">;
  };
};

/** What the poster is given of other features. */
interface PosterParts {
  /** Draws what has changed on an issue since it was drawn (`draw-thread.ts`). */
  readonly draw: Draw;
  readonly checkBoard: CheckBoard;
}

const jobSchema = z.object({ repo: z.string(), issue: z.number() });

/**
 * After so many tries in a row without an answer, more than an hour and a half of them, a post is parked: the operator sees it, and the
 * rest of the thread goes on. However long GitHub is away, a result must outlast it (F-14): it is tried again after each rest.
 */
const maxAttempts = 100;

/**
 * Brings one issue's comments and reactions to what the outbox wants, one after another. Whatever fails stays wanted; what
 * may have been stored although its answer was lost is looked for before it is posted again (RR-07, F-08). No installation is
 * written for more often than GitHub likes, and what people wait for goes first (RR-08).
 */
export async function post(deps: Outside, { draw, checkBoard }: PosterParts, job: Job): Promise<void> {
  const thread = jobSchema.parse(job.data);
  const pace = createWritePace(deps, thread);
  const isDrawn = await drawFirst(deps, pace, { draw, thread, deaths: job.deaths });
  const open = await openPosts(deps.store.db, thread, maxAttempts, isDrawn);
  await postComments(deps, pace, { checkBoard, isDrawn, signal: job.signal, comments: open.comments });
  // Last what nobody waits for, and only if nothing waits for GitHub.
  const poster = { ...pace, mayWrite: (installationId: number) => pace.mayWrite(installationId, "board") };
  const labelsWaitMs = Math.min(open.labelsDueInMs ?? 0, soonDue.label.withinMs);
  if (labelsWaitMs > 0) pace.comeBack(labelsWaitMs);
  const last = [
    open.folds && postFolds,
    open.labelsDueInMs !== null && labelsWaitMs <= 0 && postLabels,
    open.pin && pinBoard,
  ];
  for (const act of last) if (act && !pace.isStuck()) await act(deps, thread, poster);
  if (open.reactions.length > 0) await postReactions(deps, pace, thread, open.reactions);
  if (open.saysLate) pace.comeBack(lateForMs);
  const nextMs = pace.nextMs();
  if (nextMs !== undefined) job.comeBack(nextMs);
}

/** One after another, as long as nothing waits for GitHub. Those that would come too late to tell anything are left out. */
async function postReactions(
  deps: Outside,
  pace: WritePace,
  thread: Pick<Thread, "repo" | "issue">,
  reactions: readonly OutboxReaction[],
): Promise<void> {
  let readersWait = false;
  for (const reaction of reactions) {
    if (pace.isStuck()) break;
    const { installationId, readsOnly } = reaction;
    if (readsOnly && readersWait) continue;
    if (await pace.mayWrite(installationId, "reaction", readsOnly ? readersShare : null))
      await postReaction(deps, pace, reaction);
    else readersWait ||= readsOnly;
  }
  const isTight = pace.isTight();
  if (isTight || readersWait) await dropReactions(deps.store.db, thread, isTight ? "all" : "readers'");
}

async function postReaction(deps: Outside, pace: WritePace, reaction: OutboxReaction): Promise<void> {
  const { installationId, repo, issue, content, commentId, attempts } = reaction;
  const outcome = await deps.comments.react({ installationId, repo, issue }, reaction);
  if (outcome.kind === "posted") {
    await reactionPosted(deps.store.db, reaction);
    return pace.tellTaken(installationId);
  }
  const failed = { repo, issue, content, commentId, attempts, reason: outcome.why };
  deps.log.warn({ module: "outbox", event: "react_failed", ...failed });
  if (outcome.kind === "never" || (outcome.kind === "ambiguous" && attempts >= maxAttempts)) {
    await parkReaction(deps.store.db, reaction, outcome.why);
    return;
  }
  // GitHub's limits are no fault of the write's.
  if (outcome.kind === "ambiguous") await reactionFailed(deps.store.db, reaction);
  await pace.retry(installationId, outcome, attempts);
}

/**
 * By their class, up to the first that has to wait for GitHub. A comment's place in the issue is its place in the outbox, so none is made
 * before those above it.
 */
async function postComments(
  deps: Outside,
  pace: WritePace,
  given: {
    readonly checkBoard: CheckBoard;
    readonly isDrawn: boolean;
    readonly signal: AbortSignal;
    readonly comments: readonly DueComment[];
  },
): Promise<void> {
  let isPlaceWaiting = false;
  for (const turn of inTurn(given.comments)) {
    given.signal.throwIfAborted();
    const { comment } = turn;
    const { installationId, slot, repo, issue } = comment;
    const waitMs = await heldFor(deps, comment);
    if (waitMs > 0) {
      pace.comeBack(waitMs);
      continue;
    }
    if (isPlaceWaiting && comment.githubId === null) continue;
    const begun = await pace.begin(turn, given.isDrawn);
    if (begun.kind === "wait") isPlaceWaiting ||= comment.githubId === null;
    if (pace.isStuck()) break;
    if (begun.kind !== "go") continue;
    const failure = await postComment(deps, pace, given.checkBoard, { comment, ...begun });
    if (!failure) continue;
    if (failure.kind === "never" || failure.kind === "silent") {
      await parkComment(deps.store.db, comment, failure.why);
      if (failure.kind === "silent") pace.comeBack(restMs);
      deps.log.error({ module: "outbox", event: "post_parked", slot, repo, issue, reason: failure.why });
      continue;
    }
    await pace.retry(installationId, failure, comment.attempts);
    break;
  }
}

/**
 * A thread that could not be served however often it was tried (RR-17) is served again in a while, since nothing that people wait for
 * may be lost. What it was at each time the process ended is parked, as what GitHub refuses is, and the rest goes on.
 */
export async function giveUpPost(
  tx: Tx,
  { store, log }: Pick<Outside, "store" | "log">,
  job: Pick<Job, "data" | "deaths">,
  reason: string,
): Promise<void> {
  const thread = jobSchema.parse(job.data);
  const { comments, reactions } = await openPosts(tx, thread, maxAttempts, false);
  const tried = job.deaths > 0 ? comments.find(({ attempts, parked }) => attempts > 0 && parked === null) : undefined;
  if (tried) {
    await parkComment(tx, tried, reason);
    log.error({ module: "outbox", event: "post_parked", slot: tried.slot, ...thread, reason });
  }
  if (comments.length + reactions.length === 0 && !(await isUndrawn(tx, thread))) return;
  await store.queue.enqueue(tx, "post", threadKey(thread), thread, { share: thread.repo, afterMs: restMs });
}

/**
 * How many ms a comment waits; none if it may go now. A new one that nobody asked for waits until the issue has been spared
 * others for a while.
 */
async function heldFor({ store }: Outside, comment: DueComment): Promise<number> {
  if (comment.dueInMs > 0) return Math.min(comment.dueInMs, soonDue.comment.withinMs);
  const isUnsolicited = comment.githubId === null && whyOf(comment.slot) === "unsolicited";
  const at = isUnsolicited ? await nextUnsolicitedAt(store.db, comment) : undefined;
  return (at?.getTime() ?? 0) - Date.now();
}

/** Nothing where GitHub now has the comment, else why not. */
async function postComment(
  deps: Outside,
  pace: WritePace,
  checkBoard: CheckBoard,
  { comment, attempts }: { readonly comment: OutboxComment; readonly attempts: number },
): Promise<WriteFailure | { readonly kind: "silent"; readonly why: string } | undefined> {
  const { db } = deps.store;
  const place = { installationId: comment.installationId, repo: comment.repo, issue: comment.issue };
  // Where GitHub does not show it, that is an attempt as any other: the next one waits longer.
  const inTheWay = await checkBoard(comment);
  if (inTheWay?.kind === "drawn-anew") {
    pace.comeBack(0);
    return undefined;
  }
  const outcome = inTheWay ?? (await write(deps, comment, place, attempts));
  // What GitHub refused for now it has not stored.
  if (outcome.kind === "later") await takeBackAttempt(db, comment, attempts);
  if (outcome.kind === "posted") {
    reached(comment.slot.startsWith(slots.batch("")) ? "CP15" : "CP07");
    if (!(await commentPosted(db, comment, outcome))) await putRight(deps, comment, outcome);
    await pace.tellTaken(comment.installationId);
    return undefined;
  }
  deps.log.warn({
    module: "outbox",
    event: "post_failed",
    slot: comment.slot,
    ...place,
    attempts,
    reason: outcome.why,
  });
  return attempts >= maxAttempts && outcome.kind === "ambiguous"
    ? { kind: "silent", why: `${outcome.why}, ${attempts} times; tried again after a rest` }
    : outcome;
}

/**
 * A process that stood still between its look and its write may write after another one that took the thread over (F-34): an older
 * text over a newer one, or a comment a second time.
 */
async function putRight({ store, comments, log }: Outside, comment: OutboxComment, posted: Posted): Promise<void> {
  const { installationId, repo, issue, slot } = comment;
  const thread = { repo, issue };
  const found = await store.transaction(async (tx) => {
    const what = await postOvertaken(tx, comment, posted);
    if (what === "again") await store.queue.enqueue(tx, "post", threadKey(thread), thread, { share: repo });
    return what;
  });
  const removed = found === "copy" ? await comments.remove({ installationId, ...thread }, posted.githubId) : undefined;
  const reason = removed === undefined || removed.kind === "posted" ? undefined : removed.why;
  log.warn({ module: "outbox", event: "post_overtaken", slot, ...thread, found, reason });
}

async function write(
  deps: Outside,
  comment: OutboxComment,
  place: { installationId: number; repo: string; issue: number },
  attempts: number,
): Promise<Posted | WriteFailure> {
  if (comment.githubId !== null && comment.nodeId !== null) {
    return deps.comments.edit(place, { ...comment, githubId: comment.githubId, nodeId: comment.nodeId });
  }
  if (attempts > 1) {
    const found = await deps.comments.find(place, comment.id);
    if (found && found.kind !== "posted") return found;
    // It is there, perhaps with an older body: adopt it and bring it up to date. GitHub may list one for a while that was deleted.
    if (found && found.githubId > comment.gone) {
      const edited = await deps.comments.edit(place, { ...comment, githubId: found.githubId, nodeId: found.nodeId });
      return edited.kind === "posted" ? found : edited;
    }
  }
  return deps.comments.create(place, comment);
}
