import type { TurnTools } from "../../agent/tools.ts";
import type { Proposal } from "../../base/action.ts";
import { type Action, type ActionDraft, actionsOf } from "../../store/actions.ts";
import type { Deps } from "../context.ts";
import type { Drafted } from "../proposal/draft.ts";
import { draftProposals, mayBeOwnCheck } from "../proposal/draft-proposals.ts";
import { isLiveAction, repeatedBy } from "../proposal/same-action.ts";
import type { TurnInput } from "./turn-input.ts";

/**
 * Tells the model at once what becomes of its proposals: `4, high, needs 2 approvals`, `blocked: …`, `2 again, open already`. What
 * people propose before its turn ends moves the numbers; its next message has them as they came to be. Changes nothing.
 */
export const createPreview =
  (
    deps: Deps,
    { repoContext, incident, values }: Pick<TurnInput, "repoContext" | "incident" | "values">,
  ): NonNullable<TurnTools["preview"]> =>
  async (proposals) => {
    const actions = await actionsOf(deps.store.db, incident.id);
    const open: readonly Action[] = actions.filter((action) => isLiveAction(deps, repoContext, action));
    let next = actions.reduce((most, { number }) => Math.max(most, number), 0) + 1;
    const told = (label: Proposal["risk"], { state, findings, spec: { risk } }: ActionDraft): string => {
      const number = next;
      next += 1;
      if (state === "blocked") return `${number}, blocked (${findings[0]?.text ?? "by the rules"})`;
      const needed = risk === "block" ? 0 : repoContext.rules.policy[risk].approvals;
      const raised = label !== undefined && label !== risk ? ` (you said ${label})` : "";
      return `${number}, ${risk}${raised}, needs ${needed} approval${needed === 1 ? "" : "s"}`;
    };
    const toldCheck = (check: Drafted): string => {
      if (check.kind === "refused") return `its check not proposed (${check.why})`;
      if (!mayBeOwnCheck(check.draft)) return told(undefined, check.draft);
      next += 1;
      return `${next - 1}, its check`;
    };
    return proposals.map((proposal) =>
      draftProposals(deps, repoContext, [proposal], { origin: "model", promptSha256: null, values })
        .flatMap(({ alone, checks = [] }) => {
          if (alone.kind === "refused") return [`not proposed (${alone.why})`];
          const repeated = repeatedBy(repoContext, open, alone.draft);
          if (repeated.length > 0) return [`${repeated.map(({ number }) => number).join(", ")} again, open already`];
          const behind = alone.draft.state === "proposed" ? checks : [];
          return [told(proposal.risk, alone.draft), ...behind.map(toldCheck)];
        })
        .join("; "),
    );
  };
