import { isUndecided } from "../../base/action.ts";
import { type Action, actionsOf, moveAction, withdrawApprovals } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";

/** Whether no part was sent yet. */
export const isOpen = (action: Action): boolean => isUndecided(action) || action.state === "approved";

/** Voids an incident's open actions that `which` selects; running ones go on. */
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

/** Voids what a card shows, and the changes whose condition names it, because both are proposed again under new numbers. */
export async function voidShown(
  tx: Tx,
  incident: Pick<Incident, "id">,
  reason: string,
  isShown: (action: Action) => boolean,
): Promise<readonly Action[]> {
  const shown = (await actionsOf(tx, incident.id)).filter((action) => isOpen(action) && isShown(action));
  const isGuarded = ({ spec: { guard } }: Action): boolean => shown.some(({ number }) => number === guard?.check);
  return voidOpen(tx, incident, reason, (action) => isShown(action) || isGuarded(action));
}

/** `1, 2 are void and will not run` */
export const voidWords = (numbers: readonly number[]): string =>
  `${numbers.join(", ")} ${numbers.length === 1 ? "is" : "are"} void and will not run`;

/** Withdraws approvals and returns the actions' numbers. The caller holds the incident's lock. */
export async function reopen(tx: Tx, actions: readonly Action[], reason: string): Promise<readonly number[]> {
  const reopened: number[] = [];
  for (const action of actions) {
    if (action.state === "approved" && !(await moveAction(tx, action, { from: "approved", to: "proposed", reason })))
      continue;
    const withdrawn = await withdrawApprovals(tx, { actionIds: [action.id] });
    if (action.state !== "approved" && withdrawn.length === 0) continue;
    await appendAudit(tx, {
      kind: "approval_withdrawn",
      incidentId: action.incidentId,
      body: { number: action.number, digest: action.digest, reason },
    });
    reopened.push(action.number);
  }
  return reopened;
}
