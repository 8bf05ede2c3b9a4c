import canonicalize from "canonicalize";
import { expiryOf, isOver } from "../../approval/need.ts";
import { checksIn, isUnfinished, type SetMember } from "../../base/action.ts";
import type { Action, ActionDraft, ActionSpec } from "../../store/actions.ts";
import type { Deps, RepoContext } from "../context.ts";
import { approvable } from "./approvable.ts";
import { serversNow } from "./draft.ts";

/** True while an action may still be completed or decided on, waits for its turn, or runs. */
export function isLiveAction(
  { now }: Pick<Deps, "now">,
  { rules }: Pick<RepoContext, "rules">,
  action: Action,
): boolean {
  if (action.state === "proposed") return !isOver(expiryOf(approvable(action), rules.policy), now().getTime());
  return isUnfinished(action);
}

/**
 * Returns the actions among `open` that a draft would only repeat (PA-6), none if it is new: it would run the same bytes on the same
 * servers, with the same keys, account, limits, level and expectation. Who thought of it, and when, makes it no other; nor does
 * whether its checks are asked about together or one by one.
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

/** A draft in its place in a list that is proposed as a whole. */
export interface ListedDraft {
  readonly draft: ActionDraft;
  /** A step of a workflow keeps its place, even if an equal proposal is open (WF-1). */
  readonly isStep?: boolean | undefined;
}

/** What becomes of a draft of a list. */
export type Placement =
  | { readonly kind: "new" }
  /** It keeps its number and its card. */
  | { readonly kind: "open"; readonly same: readonly Action[] }
  /** It stands at this place of the list already, and nothing between the two changes anything. */
  | { readonly kind: "twice"; readonly at: number };

/**
 * Decides for each draft of a list whether it is new beside what is open and what stands before it (PA-6). A list is an order: a look
 * before a change and the same look after it are two.
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

/** Whether it has this check of a draft, where one of the two is a set; one that runs behind another is no check by itself. */
const hasCheck = (spec: ActionSpec, draft: ActionDraft["spec"], { command, expect }: SetMember): boolean =>
  (spec.set ?? draft.set) !== undefined &&
  spec.place === draft.place &&
  spec.rulesVersion === draft.rulesVersion &&
  spec.risk === "low" &&
  spec.checks === undefined &&
  checksIn(spec).some((one) => one.command === command && canonicalize(one.expect) === canonicalize(expect));

/** What of a digest is the same whenever the same thing is proposed; the targets' own bytes are held against the inventory. */
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
