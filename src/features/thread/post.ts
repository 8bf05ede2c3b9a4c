import * as z from "zod";
import { backoffMs } from "../../base/clock.ts";
import { reached } from "../../base/crash-point.ts";
import type { PostResult } from "../../github/comments.ts";
import type { RepoLabel } from "../../github/issues.ts";
import { type WriteFailure, writeFailure } from "../../github/outcome.ts";
import type { Action } from "../../store/actions.ts";
import { soonDue } from "../../store/clock.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import { nextUnsolicitedAt } from "../../store/outbox/notices.ts";
import {
  boardToPin,
  commentPosted,
  dropLabels,
  dropReactions,
  labelsFailed,
  labelsShown,
  type OutboxLabels,
  openFolds,
  openLabels,
  openPosts,
  postOvertaken,
  setComment,
  setReaction,
  takeBackAttempt,
} from "../../store/outbox/posting.ts";
import { slots, whyOf } from "../../store/outbox/thread-comments.ts";
import { type CommentTurn, inTurn, rankOf, readersShare, type Urgency } from "../../store/outbox/urgency.ts";
import {
  isUndrawn,
  markChanged,
  type OutboxComment,
  type Thread,
  threadKey,
  undrawnThreads,
} from "../../store/outbox/wanted.ts";
import { lateForMs, pauseWrites, takeWrite, type Write, writeTaken } from "../../store/outbox/write-budget.ts";
import type { Job } from "../../store/queue/queue.ts";
import type { Run } from "../../store/runs.ts";
import type { Deps } from "../context.ts";
import type { CheckBoard } from "../verify/restored.ts";

export const threadOf = (incident: Incident): Thread => ({
  installationId: incident.installationId,
  repo: incident.repo,
  issue: incident.number,
  incidentId: incident.id,
});

/**
 * Marks the incident as changed, for `post` to have it drawn (`draw-thread.ts`). Call it in the transaction that changes the rows. Until the
 * next change the board says `doing`.
 */
export async function show(
  tx: Tx,
  deps: Pick<Deps, "store">,
  incident: Pick<Incident, "id" | "repo" | "number">,
  doing = "",
): Promise<void> {
  await markChanged(tx, incident.id, doing);
  await wakePoster(tx, deps, incident);
}

export async function wakePoster(
  tx: Tx,
  deps: Pick<Deps, "store">,
  place: { readonly repo: string; readonly number: number },
): Promise<void> {
  const thread = { repo: place.repo, issue: place.number };
  await deps.store.queue.enqueue(tx, "post", threadKey(thread), thread, { share: place.repo });
}

/** Wakes the poster for undrawn issues, if their job was lost. */
export async function wakeUndrawn(deps: Pick<Deps, "store">): Promise<void> {
  const undrawn = await undrawnThreads(deps.store.db);
  if (undrawn.length === 0) return;
  const jobs = undrawn.map(({ repo, number: issue }) => ({
    key: threadKey({ repo, issue }),
    share: repo,
    data: { repo, issue },
  }));
  await deps.store.transaction((tx) => deps.store.queue.enqueueMissing(tx, "post", jobs));
}

type PosterDeps = Pick<Deps, "store" | "log" | "comments" | "labels"> & {
  readonly config: {
    readonly github: Pick<Deps["config"]["github"], "writesPerMinute">;
    readonly incident: Pick<Deps["config"]["incident"], "stateLabel">;
  };
};

export type ThreadPlace = Pick<Thread, "repo" | "issue">;

type DrawChanges = (thread: ThreadPlace) => Promise<void>;

const jobSchema = z.object({ repo: z.string(), issue: z.number() });

/**
 * After more than an hour and a half without an answer a post is parked, and the thread goes on. Tried again after each rest, because a
 * result must outlast GitHub's absence.
 */
const maxAttempts = 100;

/** For a thread that ends the process or could not be served. */
const restMs = 10 * 60_000;

/**
 * Brings an issue to what the outbox wants. What fails stays wanted. After a lost answer GitHub may have the comment, so the poster
 * searches before it posts again (RR-07, F-08). Keeps GitHub's pace, most awaited first (RR-08), and gives no thread up (RR-17, F-14).
 */
export async function post(
  deps: PosterDeps,
  { draw, checkBoard }: { readonly draw: DrawChanges; readonly checkBoard: CheckBoard },
  job: Job,
): Promise<void> {
  const thread = jobSchema.parse(job.data);
  const pace = createWritePace(deps, thread);
  const isDrawn = await drawFirst(deps, pace, { draw, thread, deaths: job.deaths });
  const open = await openPosts(deps.store.db, thread, maxAttempts, isDrawn);
  // Posts by class, up to the first that must wait. No comment is created before those above it.
  let isPlaceWaiting = false;
  for (const turn of inTurn(open.comments)) {
    job.signal.throwIfAborted();
    const { comment } = turn;
    const isNew = comment.githubId === null;
    let waitMs = Math.min(comment.dueInMs, soonDue.comment.withinMs);
    // New unsolicited comments keep a distance.
    if (waitMs <= 0 && isNew && whyOf(comment.slot) === "unsolicited") {
      const at = await nextUnsolicitedAt(deps.store.db, comment);
      if (at) waitMs = at.getTime() - Date.now();
    }
    if (waitMs > 0) {
      pace.comeBack(waitMs);
      continue;
    }
    if (isPlaceWaiting && isNew) continue;
    const begun = await pace.begin(turn, isDrawn);
    if (begun.kind === "wait") isPlaceWaiting ||= isNew;
    if (pace.isStuck()) break;
    if (begun.kind !== "go") continue;
    const isAnswered = await postComment(deps, pace, checkBoard, { comment, attempts: begun.attempts });
    if (!isAnswered) break;
  }
  // Last, and only if nothing waits for GitHub.
  const tidyPace = { ...pace, mayWrite: (installationId: number) => pace.mayWrite(installationId, "board") };
  const labelsWaitMs = Math.min(open.labelsDueInMs ?? 0, soonDue.label.withinMs);
  if (labelsWaitMs > 0) pace.comeBack(labelsWaitMs);
  const tidying = [
    open.folds && postFolds,
    open.labelsDueInMs !== null && labelsWaitMs <= 0 && postLabels,
    open.pin && pinBoard,
  ];
  for (const tidy of tidying) if (tidy && !pace.isStuck()) await tidy(deps, thread, tidyPace);
  if (open.reactions.length > 0) {
    // Posts reactions until one must wait; drops those that would come too late.
    const { db } = deps.store;
    let readersWait = false;
    for (const reaction of open.reactions) {
      if (pace.isStuck()) break;
      const { installationId, repo, issue, content, commentId, attempts, readsOnly } = reaction;
      if (readsOnly && readersWait) continue;
      if (!(await pace.mayWrite(installationId, "reaction", readsOnly ? readersShare : null))) {
        readersWait ||= readsOnly;
        continue;
      }
      const outcome = await deps.comments.react({ installationId, repo, issue }, reaction);
      if (outcome.kind === "posted") {
        await setReaction(db, reaction, { posted: true });
        await pace.tellTaken(installationId);
        continue;
      }
      const failed = { repo, issue, content, commentId, attempts, reason: outcome.why };
      deps.log.warn({ module: "outbox", event: "react_failed", ...failed });
      if (outcome.kind === "never" || (outcome.kind === "ambiguous" && attempts >= maxAttempts)) {
        await setReaction(db, reaction, { parked: outcome.why });
        continue;
      }
      if (outcome.kind === "ambiguous") await setReaction(db, reaction, { attempts: attempts + 1 });
      await pace.retry(installationId, outcome, attempts);
    }
    const isTight = pace.isTight();
    if (isTight || readersWait) await dropReactions(db, thread, isTight ? "all" : "readers'");
  }
  if (open.saysLate) pace.comeBack(lateForMs);
  const nextMs = pace.nextMs();
  if (nextMs !== undefined) job.comeBack(nextMs);
}

/** After so many ended processes it posts without drawing. */
const drawnDespiteDeaths = 2;
const drawAgainMs = 15_000;

/**
 * Draws before posting, or returns false and draws later. If the process ends again and again, perhaps by drawing, drawing rests until the
 * next change.
 */
export async function drawFirst(
  { store, log }: Pick<PosterDeps, "store" | "log">,
  pace: Pick<WritePace, "comeBack">,
  { draw, thread, deaths }: { readonly draw: DrawChanges; readonly thread: ThreadPlace; readonly deaths: number },
): Promise<boolean> {
  if (deaths >= drawnDespiteDeaths && (await store.transaction((tx) => isUndrawn(tx, thread)))) {
    log.error({ module: "outbox", event: "draw_given_up", ...thread, deaths });
    pace.comeBack(restMs);
    return false;
  }
  try {
    await draw(thread);
    return true;
  } catch (error) {
    log.warn({ module: "outbox", event: "draw_failed", ...thread, err: error });
    const failure = writeFailure(error, Date.now());
    pace.comeBack(failure.kind === "later" ? failure.afterMs : drawAgainMs);
    return false;
  }
}

/** Returns false if later comments must wait for GitHub. */
async function postComment(
  { store, log, comments }: PosterDeps,
  pace: WritePace,
  checkBoard: CheckBoard,
  { comment, attempts }: { readonly comment: OutboxComment; readonly attempts: number },
): Promise<boolean> {
  const { db } = store;
  const { installationId, repo, issue, slot, githubId, nodeId } = comment;
  const place = { installationId, repo, issue };

  // A board that GitHub does not show counts as an attempt, so the next waits longer.
  const unshown = await checkBoard(comment);
  if (unshown?.kind === "redrawn") {
    pace.comeBack(0);
    return true;
  }
  let outcome: PostResult | WriteFailure | undefined = unshown;
  if (outcome === undefined && githubId !== null && nodeId !== null)
    outcome = await comments.edit(place, { ...comment, githubId, nodeId });
  if (outcome === undefined && attempts > 1) {
    const found = await comments.find(place, comment.id);
    if (found && found.kind !== "posted") outcome = found;
    // Adopts it, perhaps with an older body. GitHub may list a deleted comment for a while.
    else if (found && found.githubId > comment.gone) {
      const edited = await comments.edit(place, { ...comment, githubId: found.githubId, nodeId: found.nodeId });
      outcome = edited.kind === "posted" ? found : edited;
    }
  }
  outcome ??= await comments.create(place, comment);

  if (outcome.kind === "posted") {
    const posted = outcome;
    reached(slot.startsWith(slots.batch("")) || (slot.startsWith("card:") && comment.awaited) ? "CP15" : "CP07");
    // A process that stalled may write after another took over (F-34): an older text, or a second copy.
    if (!(await commentPosted(db, comment, posted))) {
      const thread = { repo, issue };
      const found = await store.transaction(async (tx) => {
        const overtaken = await postOvertaken(tx, comment, posted);
        if (overtaken === "again") await store.queue.enqueue(tx, "post", threadKey(thread), thread, { share: repo });
        return overtaken;
      });
      const removed = found === "copy" ? await comments.remove(place, posted.githubId) : undefined;
      const reason = removed === undefined || removed.kind === "posted" ? undefined : removed.why;
      log.warn({ module: "outbox", event: "post_overtaken", slot, repo, issue, found, reason });
    }
    await pace.tellTaken(installationId);
    return true;
  }

  // GitHub has not stored what it refused for now.
  if (outcome.kind === "later") await takeBackAttempt(db, comment, attempts);
  log.warn({ module: "outbox", event: "post_failed", slot, ...place, attempts, reason: outcome.why });
  const isSilent = outcome.kind === "ambiguous" && attempts >= maxAttempts;
  if (outcome.kind !== "never" && !isSilent) {
    await pace.retry(installationId, outcome, comment.attempts);
    return false;
  }
  const reason = isSilent ? `${outcome.why}, ${attempts} times; tried again after a rest` : outcome.why;
  await setComment(db, comment, { parked: reason });
  if (isSilent) pace.comeBack(restMs);
  log.error({ module: "outbox", event: "post_parked", slot, repo, issue, reason });
  return true;
}

/** Retries the thread after a rest, because people wait for it. Parks the comment on which the process ended. */
export async function giveUpPost(
  tx: Tx,
  { store, log }: Pick<PosterDeps, "store" | "log">,
  job: Pick<Job, "data" | "deaths">,
  reason: string,
): Promise<void> {
  const thread = jobSchema.parse(job.data);
  const { comments, reactions } = await openPosts(tx, thread, maxAttempts, false);
  const tried = job.deaths > 0 ? comments.find(({ attempts, parked }) => attempts > 0 && parked === null) : undefined;
  if (tried) {
    await setComment(tx, tried, { parked: reason });
    log.error({ module: "outbox", event: "post_parked", slot: tried.slot, ...thread, reason });
  }
  if (comments.length + reactions.length === 0 && !(await isUndrawn(tx, thread))) return;
  await store.queue.enqueue(tx, "post", threadKey(thread), thread, { share: thread.repo, afterMs: restMs });
}

interface WritePace {
  /** If not, the thread comes back in time. */
  readonly mayWrite: (installationId: number, urgency: Urgency, share?: string | null) => Promise<boolean>;
  /** Counts attempts; `gone` if it must be posted or drawn again. */
  readonly begin: (turn: CommentTurn<OutboxComment>, isDrawn: boolean) => ReturnType<typeof takeWrite>;
  /** Records an accepted write; logs the end of a long refusal. */
  readonly tellTaken: (installationId: number) => Promise<void>;
  readonly retry: (
    installationId: number,
    failure: Exclude<WriteFailure, { kind: "never" }>,
    attempts: number,
  ) => Promise<void>;
  readonly comeBack: (afterMs: number) => void;
  /** Something is refused that other writes must not overtake. */
  readonly isStuck: () => boolean;
  /** GitHub's limits bind, so optional writes are left out. */
  readonly isTight: () => boolean;
  readonly nextMs: () => number | undefined;
}

const shortWaitMs = 2_000;

function createWritePace({ store: { db }, log, config }: PosterDeps, { repo, issue }: ThreadPlace): WritePace {
  // By the monotonic clock.
  let nextAt = Number.POSITIVE_INFINITY;
  let isStuck = false;
  let isTight = false;
  let wasRefused = false;
  // After such a write, the job's rest lets newer writes go first.
  let hasTakenLess = false;
  const comeBack = (afterMs: number): void => {
    nextAt = Math.min(nextAt, performance.now() + afterMs);
  };
  const getStuck = (milliseconds: number): void => {
    isStuck = true;
    comeBack(milliseconds);
  };
  const take = async (
    write: Pick<Write, "installationId" | "urgency" | "share" | "asDrawn">,
    comment?: OutboxComment,
  ) => {
    const canWait = rankOf(write.urgency) > rankOf("decision");
    const perMinute = config.github.writesPerMinute;
    const taken = await takeWrite(db, { ...write, repo, issue, perMinute, yields: canWait && hasTakenLess }, comment);
    if (taken.kind === "go") {
      wasRefused ||= taken.refused;
      hasTakenLess ||= canWait;
    }
    if (taken.kind === "yield") isStuck = true;
    if (taken.kind !== "wait") return taken;
    isTight ||= taken.by === "minute" || taken.by === "hour";
    // A spent share stops nothing else.
    if (taken.isSpent && taken.by !== "pause") comeBack(taken.ms);
    else getStuck(taken.ms);
    return taken;
  };
  return {
    mayWrite: async (installationId, urgency, share = null) =>
      (await take({ installationId, urgency, share })).kind === "go",
    begin: ({ comment, urgency, share }, asDrawn) =>
      take({ installationId: comment.installationId, urgency, share, asDrawn }, comment),
    tellTaken: async (installationId) => {
      if (!wasRefused || !(await writeTaken(db, installationId))) return;
      log.info({ module: "outbox", event: "writes_taken", installationId });
    },
    // GitHub's wait holds for all threads of the installation (F-10).
    retry: async (installationId, failure, attempts) => {
      if (failure.kind !== "later")
        return getStuck(backoffMs(attempts, { baseMs: shortWaitMs, mostMs: 60_000, spread: 1 / 4 }));
      const { ms, loudSince: since } = await pauseWrites(db, { installationId, ...failure });
      getStuck(ms);
      if (since) log.error({ module: "outbox", event: "writes_refused", installationId, since, reason: failure.why });
    },
    comeBack,
    isStuck: () => isStuck,
    isTight: () => isTight,
    nextMs: () => (nextAt === Number.POSITIVE_INFINITY ? undefined : nextAt - performance.now()),
  };
}

/** Folds, labels and the pin only help readers: nothing waits for them or fails with them. */
interface TidyPace extends Pick<WritePace, "retry" | "comeBack"> {
  readonly mayWrite: (installationId: number) => Promise<boolean>;
}

const maxTidyAttempts = 8;

async function failTidying(
  { log }: Pick<PosterDeps, "log">,
  pace: TidyPace,
  failed: {
    readonly thread: ThreadPlace & { readonly installationId: number };
    readonly event: "fold_failed" | "labels_failed";
    readonly failure: WriteFailure;
    readonly attempts: number;
    readonly giveUp: () => Promise<void>;
  },
): Promise<void> {
  const { thread, event, failure, attempts, giveUp } = failed;
  const { installationId, repo, issue } = thread;
  log.warn({ module: "outbox", event, repo, issue, attempts, reason: failure.why });
  // "later" is GitHub's limit and no fault of the write.
  if (failure.kind === "never" || (failure.kind === "ambiguous" && attempts >= maxTidyAttempts)) await giveUp();
  else await pace.retry(installationId, failure, attempts);
}

async function postFolds(deps: PosterDeps, thread: ThreadPlace, pace: TidyPace): Promise<void> {
  const { db } = deps.store;
  for (const comment of await openFolds(db, thread)) {
    const { nodeId, foldAs: as } = comment;
    if (nodeId === null || as === null) continue;
    if (!(await pace.mayWrite(comment.installationId))) return;
    const outcome = await deps.comments.minimize(comment, { nodeId, as });
    if (outcome.kind !== "posted") {
      const attempts = comment.foldAttempts + 1;
      await setComment(db, comment, { foldAttempts: attempts });
      const giveUp = () => setComment(db, comment, { folded: true });
      await failTidying(deps, pace, { thread: comment, event: "fold_failed", failure: outcome, attempts, giveUp });
      if (outcome.kind !== "never") return;
    } else await setComment(db, comment, { folded: true });
  }
}

interface LabelledState {
  readonly state: "open" | "closed";
  readonly held: boolean;
  readonly actions: readonly (Pick<Action, "state"> & { readonly runs: readonly Pick<Run, "ending">[] })[];
}

/**
 * By suffix of `incident.state_label`. They only help to find issues: the bot never reads them, and corrects changes by hand at the next
 * change.
 */
const mirrored: Readonly<Record<string, Omit<RepoLabel, "name"> & { readonly holds: (of: LabelledState) => boolean }>> =
  {
    "waiting for approval": {
      color: "fbca04",
      description: "A command waits for somebody's approval.",
      holds: ({ state, actions }) => state === "open" && actions.some((action) => action.state === "proposed"),
    },
    running: {
      color: "1d76db",
      description: "An approved command is being carried out.",
      holds: ({ actions }) => actions.some(({ state }) => ["approved", "dispatching", "running"].includes(state)),
    },
    held: {
      color: "d93f0b",
      description: "Nothing is sent to a server until an approver resumes it.",
      holds: ({ state, held }) => state === "open" && held,
    },
    // It waits for a person, so it outlasts the incident.
    "unknown outcome": {
      color: "b60205",
      description: "Nobody knows how a command ended; it is never repeated by itself.",
      holds: ({ actions }) => actions.some(({ runs }) => runs.some(({ ending }) => ending?.kind === "unknown")),
    },
  };

/** The labels an issue should carry, and ours it should not. None if the prefix is empty; the label that opens incidents is never ours. */
export function labelsOf(
  labelled: LabelledState,
  { prefix, incidentLabel }: { readonly prefix: string; readonly incidentLabel: string },
): { readonly wanted: readonly string[]; readonly spare: readonly string[] } {
  const ours = Object.entries(prefix === "" ? {} : mirrored)
    .map(([name, { holds }]) => ({ name: `${prefix}${name}`, isOn: holds(labelled) }))
    .filter(({ name }) => name.toLowerCase() !== incidentLabel.toLowerCase());
  const names = (isOn: boolean) => ours.filter((label) => label.isOn === isOn).map(({ name }) => name);
  return { wanted: names(true), spare: names(false) };
}

async function postLabels(deps: PosterDeps, thread: ThreadPlace, pace: TidyPace): Promise<void> {
  const { db } = deps.store;
  const open = await openLabels(db, thread);
  if (!open) return;
  if (open.dueInMs > 0) return pace.comeBack(Math.min(open.dueInMs, soonDue.label.withinMs));
  const failure = await changeLabels(deps, open, () => pace.mayWrite(open.installationId));
  if (!failure) return;
  const attempts = await labelsFailed(db, open);
  const giveUp = () => dropLabels(db, open);
  await failTidying(deps, pace, { thread: open, event: "labels_failed", failure, attempts, giveUp });
}

/** Undefined also if the budget is spent. */
async function changeLabels(
  { store, labels, config }: PosterDeps,
  row: OutboxLabels,
  mayWrite: () => Promise<boolean>,
): Promise<WriteFailure | undefined> {
  const { wanted, spare } = row;
  // GitHub itself makes a label that we may not list, in grey.
  for (const [suffix, { color, description }] of Object.entries(mirrored)) {
    const name = `${config.incident.stateLabel}${suffix}`;
    if (!wanted.includes(name) || labels.isListed(row.repo, name)) continue;
    if (!(await mayWrite())) return undefined;
    const outcome = await labels.list(row, { name, color, description });
    if (outcome.kind === "later" || outcome.kind === "ambiguous") return outcome;
  }
  const ours = [...new Set([...wanted, ...spare, ...row.shown])];
  let shown: readonly string[] = row.shown;
  // GitHub's answers show changes by hand. A person who undoes each of ours must not keep us busy.
  for (let round = 0; round <= ours.length; round++) {
    const extra = shown.find((name) => !wanted.includes(name));
    const isMissing = wanted.some((name) => !shown.includes(name));
    if (!isMissing && extra === undefined) break;
    if (!(await mayWrite())) return undefined;
    const outcome = isMissing ? await labels.add(row, wanted) : await labels.remove(row, extra ?? "");
    if (outcome.kind !== "posted") return outcome;
    const on = outcome.on ?? shown.filter((name) => name !== extra).map((name) => name.toLowerCase());
    shown = ours.filter((name) => on.includes(name.toLowerCase()));
    await labelsShown(store.db, row, shown);
  }
  return undefined;
}

/** Pins the board, with one try: a GitHub without pinned comments refuses, and the board is the bot's first comment anyway. */
async function pinBoard({ store, comments, log }: PosterDeps, thread: ThreadPlace, pace: TidyPace): Promise<void> {
  const board = await boardToPin(store.db, thread);
  if (!board || board.githubId === null || !(await pace.mayWrite(board.installationId))) return;
  const outcome = await comments.pin(board, board.githubId);
  if (outcome.kind === "later") return pace.retry(board.installationId, outcome, 1);
  if (outcome.kind !== "posted") log.info({ module: "outbox", event: "pin_refused", ...thread, reason: outcome.why });
  await setComment(store.db, board, { pinned: true });
}
