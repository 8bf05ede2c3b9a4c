import { isUndecided } from "../../base/action.ts";
import { type Action, actionsOf, moveAction } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import type { Deps, RepoContext } from "../context.ts";
import { draftAgain } from "../proposal/draft.ts";
import { addProposal } from "../proposal/propose.ts";

/** Nothing of it has been sent to a server yet. */
export const isOpen = (action: Action): boolean => isUndecided(action) || action.state === "approved";

/** Makes open actions void, all of an incident or those that `which` names. What runs goes on and is reported. */
export async function voidOpen(
  tx: Tx,
  incident: Pick<Incident, "id">,
  reason: string,
  which: (action: Action) => boolean = () => true,
): Promise<readonly Action[]> {
  const voided: Action[] = [];
  for (const action of await actionsOf(tx, incident.id)) {
    if (!isOpen(action) || !which(action)) continue;
    if (!(await moveAction(tx, action, { from: action.state, to: "void", reason }))) continue;
    await appendAudit(tx, {
      kind: "command_void",
      incidentId: incident.id,
      body: { number: action.number, digest: action.digest, reason },
    });
    voided.push(action);
  }
  return voided;
}

/** Proposes the same commands anew, under new numbers and on a new card: nobody can know what was read on the old ones. */
export async function repost(
  tx: Tx,
  deps: Deps,
  repoContext: RepoContext,
  given: { readonly incident: Incident; readonly actions: readonly Action[] },
): Promise<readonly number[]> {
  const numbers: number[] = [];
  let card: string | undefined;
  for (const action of given.actions) {
    const drafted = draftAgain(deps, repoContext, action, { card });
    // What may no longer be proposed stays void; the card says so.
    if (drafted.kind === "refused") continue;
    const anew = await addProposal(tx, given.incident, drafted.draft, { insteadOf: action.number });
    card ??= anew.card;
    numbers.push(anew.number);
  }
  return numbers;
}

/** `1, 2 are void and will not run` */
export const voidWords = (numbers: readonly number[]): string =>
  `${numbers.join(", ")} ${numbers.length === 1 ? "is" : "are"} void and will not run`;

export const proposedAnew = (numbers: readonly number[]): string => `proposed it again as ${numbers.join(", ")}`;
