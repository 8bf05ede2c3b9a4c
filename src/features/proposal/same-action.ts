import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import { expiryOf, isOver } from "../../approval/need.ts";
import { checksIn, type DoneAct, isUnfinished, serversIn } from "../../base/action.ts";
import { wentWell } from "../../base/run.ts";
import { endingWords } from "../../github/render/ending.ts";
import { clock } from "../../github/render/ink.ts";
import { formOfAct } from "../../risk/same-act.ts";
import type { Action, ActionDraft, ActionSpec } from "../../store/actions.ts";
import type { Run } from "../../store/runs.ts";
import { memoized } from "../../text/memo.ts";
import type { Deps, RepoContext } from "../context.ts";
import { approvable, serversNow } from "./in-force.ts";

/** Whether it can be decided on, waits or runs. */
export function isLiveAction(
  { now }: Pick<Deps, "now">,
  { rules }: Pick<RepoContext, "rules">,
  action: Action,
): boolean {
  if (action.state === "proposed") return !isOver(expiryOf(approvable(action), rules.policy), now().getTime());
  return isUnfinished(action);
}

/**
 * The open actions that a draft repeats (PA-6): same act (`risk/same-act.ts`), servers, keys, account, limits, level and expectation. Author,
 * time and sets do not count. Empty if it is new.
 */
export function repeatedBy(
  repoContext: RepoContext,
  open: readonly Action[],
  { spec }: Pick<ActionDraft, "spec">,
): readonly Action[] {
  const here = open.filter((action) => serversNow(repoContext, action.spec) !== undefined);
  const same = here.find((action) => effectOf(action.spec) === effectOf(spec));
  if (same || spec.risk !== "low") return same ? [same] : [];
  // A check behind an action does not count.
  const members = checksIn(spec).map((check) =>
    here.find(
      (action) =>
        (action.spec.set ?? spec.set) !== undefined &&
        action.spec.place === spec.place &&
        action.spec.rulesVersion === spec.rulesVersion &&
        action.spec.risk === "low" &&
        action.spec.checks === undefined &&
        checksIn(action.spec).some(
          (one) =>
            formOf(one.command, action.spec) === formOf(check.command, spec) &&
            canonicalize(one.expect) === canonicalize(check.expect),
        ),
    ),
  );
  return members.includes(undefined) ? [] : [...new Set(members.filter((one) => one !== undefined))];
}

export interface ListedDraft {
  readonly draft: ActionDraft;
  /** A workflow's step keeps its place beside an equal proposal (WF-1). */
  readonly isStep?: boolean | undefined;
}

export type Placement =
  | { readonly kind: "new" }
  | { readonly kind: "open"; readonly same: readonly Action[] }
  /** Already in this list, and nothing between them changes anything. */
  | { readonly kind: "twice"; readonly at: number };

/** Decides whether each draft is new. Order counts: a look before a change and the same look after it are two. */
export function placeDrafts(
  repoContext: RepoContext,
  open: readonly Action[],
  list: readonly ListedDraft[],
): readonly Placement[] {
  return list.map(({ draft, isStep }, index): Placement => {
    if (isStep) return { kind: "new" };
    const same = repeatedBy(repoContext, open, draft);
    if (same.length > 0) return { kind: "open", same };
    const at = list.slice(0, index).findLastIndex((one) => effectOf(one.draft.spec) === effectOf(draft.spec));
    const between = list.slice(at + 1, index);
    const mayStandOnce =
      draft.state === "blocked" ||
      (draft.spec.risk === "low"
        ? between.every((one) => one.draft.state === "blocked" || one.draft.spec.risk === "low")
        : between.length === 0);
    const isTwice = at >= 0 && mayStandOnce;
    return isTwice ? { kind: "twice", at } : { kind: "new" };
  });
}

type SpecView = ActionDraft["spec"] | ActionSpec;

/** The act that a command is; where no POSIX shell reads it, its bytes. */
const formOf = (command: string, { targets }: Pick<SpecView, "targets">): string =>
  targets.some(({ os, source }) => os === "windows" || source) ? command.trim() : formOfShell(command);

/** A drawing compares each open command with all others. */
const formOfShell = memoized(formOfAct);

/** What equal proposals share; targets' bytes are compared elsewhere. */
export const effectOf = (spec: SpecView) => {
  const { place, targets, command, set, risk, expect, check, undo, ownCheck, guard, rulesVersion } = spec;
  return canonicalize({
    ...{ place, risk, expect, check, undo, ownCheck, rulesVersion },
    command: set ? undefined : formOf(command, spec),
    set: set?.map((one) => ({ ...one, command: formOf(one.command, spec) })),
    // Its number may not be known yet.
    guard: guard && { command: guard.command, shows: guard.shows, ...(guard.on && { on: guard.on }) },
    targets: targets.map(({ server, jobId, outputCapBytes }) => ({ server, isJob: jobId !== null, outputCapBytes })),
  });
};

/** The act and where it is done, without its risk and what is expected of it; its hash, because it is kept and only compared. */
const actOf = (spec: SpecView): string =>
  hash(
    "sha256",
    JSON.stringify([
      checksIn(spec).map(({ command }) => formOf(command, spec)),
      serversIn(spec.targets).toSorted(),
      [...new Set(spec.targets.map(({ cluster }) => cluster?.namespace ?? ""))],
    ]),
  );

type DoneRun = Pick<Run, "actionId" | "ending" | "outcome" | "startedAt" | "endedAt">;

/** Undefined if it has no run. */
export function doneAct({ number, state, spec }: Action, runs: readonly DoneRun[]): DoneAct | undefined {
  if (runs.length === 0) return undefined;
  const begunAt = Math.min(...runs.map(({ startedAt }) => startedAt?.getTime() ?? Infinity));
  return {
    number,
    act: actOf(spec),
    isDone: state === "done",
    isChange: spec.risk !== "low",
    begunAt: begunAt === Infinity ? null : begunAt,
    endedAt: Math.max(...runs.map(({ endedAt }) => endedAt?.getTime() ?? 0)),
    ends: [...new Set(runs.flatMap(({ ending, outcome }) => (ending ? [endingWords(ending, outcome)] : [])))],
    isWell: runs.every(wentWell),
  };
}

interface DoneRows {
  readonly actions: readonly Action[];
  readonly runs: readonly DoneRun[];
  /** Of actions that are not among these. */
  readonly acts?: readonly DoneAct[];
}

/** An action that did the very thing before. */
export interface DoneBefore extends Pick<DoneAct, "number" | "ends" | "isWell"> {
  readonly endedAt: Date;
  /** The first action that changed something, or may have, after it began. */
  readonly changedBy: number | undefined;
}

/** The newest ended action that did what this one would do, on the same servers; undefined if none did. */
export function doneBefore({ actions, runs, acts: others = [] }: DoneRows, spec: SpecView): DoneBefore | undefined {
  const own = Map.groupBy(runs, ({ actionId }) => actionId);
  const acts = [...others, ...actions.flatMap((action) => doneAct(action, own.get(action.id) ?? []) ?? [])];
  const begun = ({ begunAt }: DoneAct): number => begunAt ?? Infinity;
  const byBegin = (some: readonly DoneAct[]) =>
    some.toSorted((one, other) => begun(one) - begun(other) || one.number - other.number);
  const act = actOf(spec);
  const same = byBegin(acts.filter((one) => one.isDone && one.act === act)).at(-1);
  if (!same) return undefined;
  const { number, ends, isWell, endedAt } = same;
  const [changed] = byBegin(
    acts.filter((one) => one.number !== number && one.isChange && begun(one) > begun(same) && begun(one) < Infinity),
  );
  return { number, ends, isWell, endedAt: new Date(endedAt), changedBy: changed?.number };
}

/** `2 did this at 12:04Z, exit 0` */
export const didWords = ({ number, endedAt, ends }: DoneBefore): string =>
  `${number} did this at ${clock(endedAt)}, ${ends.join(", ")}`;

/**
 * Why an open proposal of the agent is not offered beside the others: `2 did this at 12:04Z, exit 0`, `2 is the same command and still open`. A
 * read that ran before it was proposed, or before something changed, may show something new; a person's own word and what belongs to another
 * number is never held back.
 */
export function whyAlready(rows: DoneRows, { id, number, state, origin, createdAt, spec }: Action): string | undefined {
  const isOwn = spec.checks === undefined && spec.guards === undefined && spec.again === undefined;
  if (state !== "proposed" || origin === "person" || !isOwn) return undefined;
  const before = doneBefore(rows, spec);
  const isSince = before?.changedBy === undefined && before !== undefined && before.endedAt >= createdAt;
  const isUndone = before?.changedBy !== undefined && spec.risk !== "low";
  if (before?.isWell && (isUndone || (isSince && (spec.risk !== "low" || spec.expect === undefined))))
    return `${didWords(before)}${before.changedBy === undefined ? "" : `, before ${before.changedBy} ran`}`;
  const act = actOf(spec);
  const waiting = rows.actions.findLast(
    (one) =>
      one.id !== id &&
      one.number < number &&
      isUnfinished(one) &&
      one.spec.checks === undefined &&
      actOf(one.spec) === act,
  );
  const isBetween = (one: Action): boolean =>
    waiting !== undefined &&
    one.number > waiting.number &&
    one.number < number &&
    one.spec.risk !== "low" &&
    isUnfinished(one);
  return waiting && !rows.actions.some(isBetween) ? `${waiting.number} is the same command and still open` : undefined;
}

/** How long a read's answer holds if no change ran. */
const answerHoldsMs = 5 * 60_000;

/** Whether a person asked for a turn, and when: what ran before that may be offered again. */
export interface AskedTurn {
  readonly isAsked: boolean;
  readonly askedAt: Date;
}

/** Whether something before it in its list changes something, so that it can show or do something new. */
export const isBehindChange = (list: readonly ListedDraft[], index: number): boolean =>
  list.slice(0, index).some(({ draft: { state, spec } }) => state !== "blocked" && spec.risk !== "low");

/**
 * Whether doing it once more can show or change nothing new: it went well and nothing has changed since. A read's answer grows old, and one
 * that is to show something is asked again.
 */
export const isPointless = (
  before: DoneBefore,
  { risk, expect }: Pick<SpecView, "risk" | "expect">,
  { isAsked, askedAt }: AskedTurn,
  now: Date,
): boolean =>
  !(isAsked && before.endedAt < askedAt) &&
  before.isWell &&
  before.changedBy === undefined &&
  (risk !== "low" || (expect === undefined && now.getTime() - before.endedAt.getTime() < answerHoldsMs));
