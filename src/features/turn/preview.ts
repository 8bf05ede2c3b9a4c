import type { TurnTools } from "../../agent/tools.ts";
import type { Proposal } from "../../base/action.ts";
import { type Action, actionsOf } from "../../store/actions.ts";
import type { Incident } from "../../store/incidents.ts";
import type { Deps, RepoContext } from "../context.ts";
import { type Drafted, draftAction } from "../proposal/draft.ts";
import { draftSet } from "../proposal/draft-set.ts";
import { isLiveAction, repeatedBy } from "../proposal/same-action.ts";

/**
 * Tells the model at once what becomes of its proposals: `4, high, needs 2 approvals`, `blocked: …`, `2 again, open already`. What
 * people propose before its turn ends moves the numbers; its next message has them as they came to be. Changes nothing.
 */
export const createPreview =
  (deps: Deps, repoContext: RepoContext, incident: Pick<Incident, "id">): NonNullable<TurnTools["preview"]> =>
  async (proposals) => {
    const actions = await actionsOf(deps.store.db, incident.id);
    const open: readonly Action[] = actions.filter((action) => isLiveAction(deps, repoContext, action));
    let next = actions.reduce((most, { number }) => Math.max(most, number), 0) + 1;
    const from = { origin: "model", model: null, promptSha256: null } as const;
    const told = (proposal: Proposal, drafted: Drafted): string => {
      if (drafted.kind === "refused") return `not proposed (${drafted.why})`;
      const { draft } = drafted;
      const repeated = repeatedBy(repoContext, open, draft);
      if (repeated.length > 0) return `${repeated.map(({ number }) => number).join(", ")} again, open already`;
      const number = next;
      next += 1;
      if (draft.state === "blocked") return `${number}, blocked (${draft.findings[0]?.text ?? "by the rules"})`;
      const { risk } = draft.spec;
      const needed = risk === "block" ? 0 : repoContext.rules.policy[risk].approvals;
      const raised = proposal.risk !== undefined && proposal.risk !== risk ? ` (you said ${proposal.risk})` : "";
      return `${number}, ${risk}${raised}, needs ${needed} approval${needed === 1 ? "" : "s"}`;
    };
    return proposals.map(({ set, ...proposal }) => {
      const drafts = set
        ? draftSet(
            deps,
            repoContext,
            set.map((member) => ({ ...proposal, ...member })),
            from,
          )
        : [draftAction(deps, repoContext, proposal, from)];
      return drafts.map((drafted) => told(proposal, drafted)).join("; ");
    });
  };
