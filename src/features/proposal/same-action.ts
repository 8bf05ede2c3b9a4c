import canonicalize from "canonicalize";
import { expiryOf, isOver } from "../../approval/need.ts";
import { checksIn, isUnfinished, type SetMember } from "../../base/action.ts";
import type { Action, ActionDraft } from "../../store/actions.ts";
import type { ActionSpec } from "../../store/database/action-tables.ts";
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
  { spec }: ActionDraft,
): readonly Action[] {
  const here = open.filter((action) => serversNow(repoContext, action.spec) !== undefined);
  const same = here.find((action) => effectOf(action.spec) === effectOf(spec));
  if (same || spec.risk !== "low") return same ? [same] : [];
  const members = checksIn(spec).map((check) => here.find((action) => hasCheck(action.spec, spec, check)));
  return members.includes(undefined) ? [] : [...new Set(members.filter((one) => one !== undefined))];
}

/** Whether it has this check of a draft, where one of the two is a set; one that runs behind another is no check by itself. */
const hasCheck = (spec: ActionSpec, draft: ActionDraft["spec"], { command, expect }: SetMember): boolean =>
  (spec.set ?? draft.set) !== undefined &&
  spec.place === draft.place &&
  spec.rulesVersion === draft.rulesVersion &&
  spec.risk === "low" &&
  spec.checks === undefined &&
  checksIn(spec).some((one) => one.command === command && canonicalize(one.expect) === canonicalize(expect));

/** What of a digest is the same whenever the same thing is proposed; the targets' own bytes are held against the inventory. */
const effectOf = ({
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
