import { wentWell } from "../../base/run.ts";
import type { RepoLabel } from "../../github/labels.ts";
import type { WriteFailure } from "../../github/outcome.ts";
import type { Action, Approval } from "../../store/actions.ts";
import { soonDue } from "../../store/clock.ts";
import { dropLabels, labelsFailed, labelsShown, type OutboxLabels, openLabels } from "../../store/outbox/labels.ts";
import { boardToPin, foldDone, foldFailed, openFolds, pinDone } from "../../store/outbox/posting.ts";
import { slots } from "../../store/outbox/slots.ts";
import type { FoldedComment } from "../../store/outbox/wanted.ts";
import type { Batch, Run } from "../../store/runs.ts";
import type { PosterDeps, ThreadPlace, WritePace } from "./post.ts";

/** Folds, labels and the pin only help readers: nothing waits for them or fails with them. */
export interface TidyPace extends Pick<WritePace, "retry" | "comeBack"> {
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

/**
 * The comments to fold. A card with only superseded, undecided proposals is outdated; a run card that went well is resolved once a later
 * batch has ended. Failures stay visible.
 */
export function foldedOf(
  views: readonly (Pick<Action, "card" | "state"> & {
    readonly verdicts: readonly Approval[];
    readonly runs: readonly Run[];
  })[],
  batches: readonly Batch[],
): readonly FoldedComment[] {
  const cards = [...Map.groupBy(views, ({ card }) => card)]
    .filter(([, actions]) => actions.every(({ state, verdicts }) => state === "superseded" && verdicts.length === 0))
    .map(([slot]) => ({ slot, as: "OUTDATED" }) as const);
  const ended = batches.filter(({ endedAt }) => endedAt !== null);
  const runsOfBatch = Map.groupBy(
    views.flatMap((view) => view.runs),
    ({ batchId }) => batchId,
  );
  const runs = ended
    .slice(0, -1)
    .filter(({ id, note, numbers }) => {
      const own = runsOfBatch.get(id) ?? [];
      return note === null && own.length >= numbers.length && own.every((run) => wentWell(run) && run.trouble === null);
    })
    .map(({ id }) => ({ slot: slots.batch(id), as: "RESOLVED" }) as const);
  return [...cards, ...runs];
}

export async function postFolds(deps: PosterDeps, thread: ThreadPlace, pace: TidyPace): Promise<void> {
  const { db } = deps.store;
  for (const comment of await openFolds(db, thread)) {
    const { nodeId, foldAs: as } = comment;
    if (nodeId === null || as === null) continue;
    if (!(await pace.mayWrite(comment.installationId))) return;
    const outcome = await deps.comments.minimize(comment, { nodeId, as });
    if (outcome.kind !== "posted") {
      const attempts = await foldFailed(db, comment);
      const giveUp = () => foldDone(db, comment);
      await failTidying(deps, pace, { thread: comment, event: "fold_failed", failure: outcome, attempts, giveUp });
      if (outcome.kind !== "never") return;
    } else await foldDone(db, comment);
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

export async function postLabels(deps: PosterDeps, thread: ThreadPlace, pace: TidyPace): Promise<void> {
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
export async function pinBoard(
  { store, comments, log }: PosterDeps,
  thread: ThreadPlace,
  pace: TidyPace,
): Promise<void> {
  const board = await boardToPin(store.db, thread);
  if (!board || board.githubId === null || !(await pace.mayWrite(board.installationId))) return;
  const outcome = await comments.pin(board, board.githubId);
  if (outcome.kind === "later") return pace.retry(board.installationId, outcome, 1);
  if (outcome.kind !== "posted") log.info({ module: "outbox", event: "pin_refused", ...thread, reason: outcome.why });
  await pinDone(store.db, board);
}
