import type { NamedValue, Proposal } from "../../base/action.ts";
import { isStricter } from "../../base/risk.ts";
import { fillPlaces } from "../../runbooks/values.ts";
import type { ActionDraft } from "../../store/actions.ts";
import type { Deps, RepoContext } from "../context.ts";
import { type Drafted, draftAction, type Origin } from "./draft.ts";
import { draftSet } from "./draft-set.ts";
import { shellsOf } from "./target-servers.ts";

/** A proposal, judged and bound to its servers, and the checks that it carries. */
export interface DraftedProposal {
  readonly alone: Drafted;
  readonly checks?: readonly Drafted[];
  /** Policy finds more risk in it than its proposer did. */
  readonly isRaised?: boolean;
  /** A step of a workflow, which stands in its place in any case (WF-1). */
  readonly isStep?: boolean | undefined;
}

/**
 * Judges what a reply proposes. Asked before the transaction that keeps it: nothing is read from files or worked out while the
 * incident is locked.
 */
export function draftProposals(
  deps: Deps,
  repoContext: RepoContext,
  proposals: readonly Proposal[],
  by: Pick<Origin, "origin" | "promptSha256"> & { readonly values: readonly NamedValue[] },
): readonly DraftedProposal[] {
  const { values, ...origin } = by;
  const model = by.origin === "model" ? (deps.config.model.endpoints[0]?.model ?? null) : null;
  const from = { ...origin, model };
  const asked = by.origin === "offline" ? checksTogether(proposals) : proposals;
  return asked.flatMap((proposed): readonly DraftedProposal[] => {
    if (proposed.set !== undefined) return draftSetOf(deps, repoContext, proposed, { from, values });
    const proposal = fillProposal(repoContext, proposed, values);
    const alone = draftAction(deps, repoContext, proposal, from);
    if (alone.kind !== "draft") return [{ alone }];
    const isRaised = proposal.risk !== undefined && isStricter(proposal.risk, alone.draft.spec.risk);
    return [{ ...withCheck(deps, repoContext, { alone, proposal, from }), isRaised, isStep: proposal.isStep }];
  });
}

/**
 * A runbook's checks of a server are one question, up to the next act; its acts, and what still needs a value, are each asked about
 * by themselves.
 */
function checksTogether(proposals: readonly Proposal[]): readonly Proposal[] {
  const isCheck = ({ risk, open = [] }: Proposal): boolean => risk === undefined && open.length === 0;
  let acts = 0;
  const groups = Map.groupBy(proposals, (proposal) => {
    if (proposal.risk !== undefined) acts += 1;
    return isCheck(proposal) ? JSON.stringify([acts, proposal.server]) : proposal;
  });
  const groupOf = (proposal: Proposal) => [...groups.values()].find((group) => group.includes(proposal)) ?? [];
  return proposals.flatMap((proposal) => {
    const set = isCheck(proposal) ? groupOf(proposal) : [];
    if (set.length < 2) return [proposal];
    const title = [...new Set(set.map((one) => one.title))].join(", ").slice(0, titleCharacters);
    return set[0] === proposal ? [{ ...proposal, title, set }] : [];
  });
}

const titleCharacters = 120;

/** A set of checks, and what of it may not be in one. What of it still needs a value is proposed by itself. */
function draftSetOf(
  deps: Deps,
  repoContext: RepoContext,
  proposed: Proposal,
  { from, values }: { readonly from: Origin; readonly values: readonly NamedValue[] },
): readonly DraftedProposal[] {
  const members = (proposed.set ?? []).map((member) =>
    fillProposal(repoContext, { ...proposed, set: undefined, ...member }, values),
  );
  return draftSet(deps, repoContext, members, from).map((alone) => ({
    alone,
    isRaised: alone.kind === "draft" && proposed.risk !== undefined && isStricter(proposed.risk, alone.draft.spec.risk),
  }));
}

/** What the model leaves open in a command is filled, or asked of people. A runbook's and a workflow's are filled already. */
function fillProposal({ rules }: RepoContext, proposal: Proposal, values: readonly NamedValue[]): Proposal {
  if (proposal.filled !== undefined || proposal.open !== undefined) return proposal;
  const how = { shells: shellsOf(rules.servers, proposal.server), isRunbook: false };
  const { command, filled, open } = fillPlaces(proposal.command, values, how);
  const check = proposal.check?.map((one) => fillPlaces(one, values, how).command);
  return { ...proposal, check, command, filled, open };
}

/** Its checks beside it: bound to it what is no more than a read, an action like any other what is. */
function withCheck(
  deps: Deps,
  repoContext: RepoContext,
  given: {
    readonly alone: Extract<Drafted, { kind: "draft" }>;
    readonly proposal: Proposal;
    readonly from: Origin;
  },
): DraftedProposal {
  const { alone, proposal, from } = given;
  const { title, server, check = [] } = proposal;
  if (check.length === 0) return { alone };
  const members = check.map((command) => ({ title: `Check: ${title}`, description: "", server, command }));
  const checks = draftSet(deps, repoContext, members, from);
  // A form is completed as another action, which has no check behind it: what checks it stands by itself.
  const own = checks.flatMap((one) =>
    alone.draft.state === "proposed" && one.kind === "draft" && mayBeOwnCheck(one.draft) ? [one.draft] : [],
  );
  if (own.length === 0) return { alone, checks };
  const spec = { ...alone.draft.spec, ownCheck: own.map((draft) => draft.spec.command).join("\n") };
  return { alone: { ...alone, draft: { ...alone.draft, spec } }, checks };
}

/** Only a read that is complete runs under the approval of what it checks. */
export const mayBeOwnCheck = ({ state, spec }: ActionDraft): boolean => state === "proposed" && spec.risk === "low";
