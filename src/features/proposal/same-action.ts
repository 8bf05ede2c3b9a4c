import canonicalize from "canonicalize";
import { expiryOf, isOver } from "../../approval/need.ts";
import { isUnfinished } from "../../base/action.ts";
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
 * Returns the action among `open` that a draft would only repeat (PA-6): it would run the same bytes on the same servers, with
 * the same keys, account, limits, level and expectation. Who thought of it, and when, makes it no other.
 */
export const repeatedBy = (
  repoContext: RepoContext,
  open: readonly Action[],
  { spec }: ActionDraft,
): Action | undefined =>
  open.find(
    (action) =>
      (effectOf(action.spec) === effectOf(spec) || isOneOf(action.spec, spec)) &&
      serversNow(repoContext, action.spec) !== undefined,
  );

/** Whether a draft is no more than one check of a set. */
const isOneOf = ({ place, set = [] }: ActionSpec, draft: ActionDraft["spec"]): boolean =>
  draft.set === undefined &&
  draft.place === place &&
  draft.risk === "low" &&
  set.some(({ command, expect }) => command === draft.command && canonicalize(expect) === canonicalize(draft.expect));

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
