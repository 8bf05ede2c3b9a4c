import canonicalize from "canonicalize";
import { expiryOf, isOver } from "../../approval/need.ts";
import { checksIn, isUnfinished, type SetMember } from "../../base/action.ts";
import type { Action, ActionDraft, ActionSpec } from "../../store/actions.ts";
import type { Deps, RepoContext } from "../context.ts";
import { approvable } from "./approvable.ts";
import { serversNow } from "./draft.ts";

/** Whether an action may still be completed or decided on, waits for its turn, or runs. */
export function isLiveAction(
  { now }: Pick<Deps, "now">,
  { rules }: Pick<RepoContext, "rules">,
  action: Action,
): boolean {
  if (action.state === "proposed") return !isOver(expiryOf(approvable(action), rules.policy), now().getTime());
  return isUnfinished(action);
}

/**
 * Returns the actions among `open` that a draft would only repeat (PA-6): they run the same bytes on the same servers, with the same
 * keys, account, limits, level and expectation. The author and the time do not matter, nor whether checks stand in one set or one by
 * one. Returns none if the draft is new.
 */
export function repeatedBy(
  repoContext: RepoContext,
  open: readonly Action[],
  { spec }: Pick<ActionDraft, "spec">,
): readonly Action[] {
  const here = open.filter((action) => serversNow(repoContext, action.spec) !== undefined);
  const same = here.find((action) => effectOf(action.spec) === effectOf(spec));
  if (same || spec.risk !== "low") return same ? [same] : [];
  const members = checksIn(spec).map((check) => here.find((action) => hasCheck(action.spec, spec, check)));
  return members.includes(undefined) ? [] : [...new Set(members.filter((one) => one !== undefined))];
}

/** A draft at its place in a list that is proposed as a whole. */
export interface ListedDraft {
  readonly draft: ActionDraft;
  /** A step of a workflow keeps its place, even if an equal proposal is open (WF-1). */
  readonly isStep?: boolean | undefined;
}

export type Placement =
  | { readonly kind: "new" }
  /** It keeps its number and its card. */
  | { readonly kind: "open"; readonly same: readonly Action[] }
  /** It already stands at this place of the list, and nothing between the two changes anything. */
  | { readonly kind: "twice"; readonly at: number };

/**
 * Decides for each draft of a list whether it is new, beside what is open and what stands before it. A list is an order: a look before
 * a change and the same look after it are two.
 */
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
      (draft.spec.risk === "low" ? between.every((one) => changesNothing(one.draft)) : between.length === 0);
    const isTwice = at >= 0 && mayStandOnce;
    return isTwice ? { kind: "twice", at } : { kind: "new" };
  });
}

const changesNothing = ({ state, spec }: ActionDraft): boolean => state === "blocked" || spec.risk === "low";

/** Whether an action has this check of a draft, if one of the two is a set. One that runs behind another is no check by itself. */
const hasCheck = (spec: ActionSpec, draft: ActionDraft["spec"], { command, expect }: SetMember): boolean =>
  (spec.set ?? draft.set) !== undefined &&
  spec.place === draft.place &&
  spec.rulesVersion === draft.rulesVersion &&
  spec.risk === "low" &&
  spec.checks === undefined &&
  checksIn(spec).some((one) => one.command === command && canonicalize(one.expect) === canonicalize(expect));

/** The part of a digest that is the same for equal proposals. The targets' own bytes are compared with the inventory elsewhere. */
export const effectOf = ({
  place,
  targets,
  command,
  set,
  risk,
  expect,
  check,
  undo,
  ownCheck,
  rulesVersion,
}: ActionDraft["spec"] | ActionSpec) =>
  canonicalize({
    ...{ place, command, set, risk, expect, check, undo, ownCheck, rulesVersion },
    targets: targets.map(({ server, jobId, outputCapBytes }) => ({ server, isJob: jobId !== null, outputCapBytes })),
  });

/** The numbers that the model was told during a turn. A number of one command is never given to another. */
export interface ToldNumbers {
  /** Returns the numbers of a list's drafts. A draft keeps a number that the model was told before, if the order of the list allows it. */
  readonly give: (list: readonly ListedDraft[]) => Promise<readonly number[]>;
  /** Returns the number that the newest list gave to this draft, once; undefined if it gave none. */
  readonly take: (draft: ActionDraft) => number | undefined;
}

/** `reserve` takes that many of the incident's next numbers and returns the first. */
export function createToldNumbers(reserve: (count: number) => Promise<number>): ToldNumbers {
  const told = new Map<string, number[]>();
  let current = new Map<string, number[]>();
  return {
    give: async (list) => {
      const kept = keepNumbers(told, list);
      const missing = kept.filter((number) => number === undefined).length;
      let next = missing === 0 ? 0 : await reserve(missing);
      const given = kept.map((number) => number ?? next++);
      current = new Map();
      for (const [index, { draft }] of list.entries()) {
        const number = given[index] ?? 0;
        const key = effectOf(draft.spec) ?? "";
        current.set(key, [...(current.get(key) ?? []), number]);
        if (kept[index] === undefined) told.set(key, [...(told.get(key) ?? []), number]);
      }
      return given;
    },
    take: ({ spec }) => current.get(effectOf(spec) ?? "")?.shift(),
  };
}

/** People decide in the order of the numbers, so a draft keeps its number only if it stays in order. A blocked one never runs, so it always does. */
function keepNumbers(
  told: ReadonlyMap<string, readonly number[]>,
  list: readonly ListedDraft[],
): readonly (number | undefined)[] {
  const used = new Set<number>();
  // A workflow's steps are one sequence, and the model's own list is another.
  const last = { steps: 0, own: 0 };
  return list.map(({ draft, isStep }) => {
    const sequence = isStep ? "steps" : "own";
    const isBlocked = draft.state === "blocked";
    const number = told
      .get(effectOf(draft.spec) ?? "")
      ?.find((one) => !used.has(one) && (isBlocked || one > last[sequence]));
    if (number !== undefined) used.add(number);
    if (!isBlocked) last[sequence] = number ?? Number.POSITIVE_INFINITY;
    return number;
  });
}
