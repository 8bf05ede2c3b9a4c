import type { TurnTools } from "../../agent/tools.ts";
import type { Proposal } from "../../base/action.ts";
import { type Action, type ActionDraft, actionsOf } from "../../store/actions.ts";
import type { Deps } from "../context.ts";
import { type DraftedProposal, type DraftResult, draftProposals, mayBeOwnCheck } from "../proposal/draft.ts";
import {
  isLiveAction,
  type ListedDraft,
  type Placement,
  placeDrafts,
  type ToldNumbers,
} from "../proposal/same-action.ts";
import type { TurnInput } from "./turn-input.ts";

interface Preview extends Required<Pick<TurnTools, "preview" | "blockedIn">> {
  /** Why a proposal can be no action at all; undefined if it can. */
  readonly whyRefused: (proposal: Proposal) => string | undefined;
}
type ListedProposal = ListedDraft & Pick<DraftedProposal, "checks">;

/**
 * Tells the model at once what becomes of its proposals: `4, high, needs 2 approvals`, `blocked: …`, `2 again, open already`. A
 * number that it is told is reserved for this command.
 */
export function createPreview(
  deps: Deps,
  {
    repoContext,
    incident,
    values,
    toldNumbers,
  }: Pick<TurnInput, "repoContext" | "incident" | "values" | "toldNumbers">,
): Preview {
  const draft = (proposal: Proposal): readonly DraftedProposal[] =>
    draftProposals(deps, repoContext, [proposal], { origin: "model", promptSha256: null, values });
  return {
    preview: async (proposals) => {
      const actions = await actionsOf(deps.store.db, incident.id);
      const open: readonly Action[] = actions.filter((action) => isLiveAction(deps, repoContext, action));
      const drafted = proposals.map((proposal) => ({ label: proposal.risk, parts: draft(proposal) }));
      const list = drafted.flatMap(({ parts }) => parts.flatMap(listed));
      const placements = placeDrafts(repoContext, open, list);
      const given = await giveNumbers(toldNumbers, list, placements);
      const told = (label: Proposal["risk"], one: ActionDraft): string => {
        const number = given.get(one);
        const { state, findings, spec } = one;
        if (state === "blocked") return `${number}, blocked (${findings[0]?.text ?? "by the rules"})`;
        const needed = spec.risk === "block" ? 0 : repoContext.rules.policy[spec.risk].approvals;
        const raised = label !== undefined && label !== spec.risk ? ` (you said ${label})` : "";
        return `${number}, ${spec.risk}${raised}, needs ${needed} approval${needed === 1 ? "" : "s"}`;
      };
      const toldCheck = (alone: ActionDraft, check: DraftResult): string => {
        if (check.kind === "refused") return `its check not proposed (${check.why})`;
        if (alone.state === "blocked") return "its check not proposed, as it is blocked";
        const isOwn = alone.state === "proposed" && mayBeOwnCheck(check.draft);
        return isOwn ? `${given.get(check.draft)}, its check` : told(undefined, check.draft);
      };
      const toldPart = ({ label, part }: { label: Proposal["risk"]; part: DraftedProposal }): readonly string[] => {
        const { alone, checks = [] } = part;
        if (alone.kind === "refused") return [`not proposed (${alone.why})`];
        const at = list.findIndex((one) => one.draft === alone.draft);
        const placement = placements[at] ?? { kind: "new" };
        if (placement.kind === "open")
          return [`${placement.same.map(({ number }) => number).join(", ")} again, open already`];
        const twin = placement.kind === "twice" ? list[placement.at] : undefined;
        if (twin) return [`the same as ${given.get(twin.draft) ?? "one before"}, listed once`];
        return [told(label, alone.draft), ...checks.map((check) => toldCheck(alone.draft, check))];
      };
      return drafted.map(({ label, parts }) => parts.flatMap((part) => toldPart({ label, part })).join("; "));
    },
    blockedIn: (proposal) =>
      draft(proposal).flatMap(({ alone }) => {
        if (alone.kind === "refused" || alone.draft.state !== "blocked") return [];
        const { title, description, spec, findings } = alone.draft;
        const only = { title, description, server: spec.place, command: spec.command, isStep: proposal.isStep };
        return [{ proposal: only, why: findings[0]?.text ?? "by the rules" }];
      }),
    whyRefused: (proposal) => draft(proposal).flatMap(({ alone }) => (alone.kind === "refused" ? [alone.why] : []))[0],
  };
}

/** Gives each draft that becomes an action its number, and the checks behind it theirs. */
async function giveNumbers(
  numbers: Pick<ToldNumbers, "give">,
  list: readonly ListedProposal[],
  placements: readonly Placement[],
): Promise<ReadonlyMap<ActionDraft, number>> {
  const numbered = list.flatMap((one, index): readonly ListedDraft[] => {
    if (placements[index]?.kind !== "new") return [];
    const behind = one.draft.state === "blocked" ? [] : (one.checks ?? []);
    return [one, ...behind.flatMap((check) => (check.kind === "draft" ? [{ ...one, draft: check.draft }] : []))];
  });
  const given = await numbers.give(numbered);
  return new Map(numbered.map(({ draft }, index) => [draft, given[index] ?? 0]));
}

const listed = ({ alone, ...more }: DraftedProposal): readonly ListedProposal[] =>
  alone.kind === "draft" ? [{ ...more, draft: alone.draft }] : [];
