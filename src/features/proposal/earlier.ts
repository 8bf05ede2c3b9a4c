import { wentWell } from "../../base/run.ts";
import type { Server } from "../../base/server.ts";
import type { EarlierCommand } from "../../risk/evaluate.ts";
import type { Action, ActionDraft } from "../../store/actions.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import { openPartsOf, type RowsWith } from "../../store/incident-rows.ts";

/** What another action of the incident may leave in files on its servers (SR-33). */
export interface EarlierAction extends EarlierCommand {
  readonly targets: readonly Pick<ActionDraft["spec"]["targets"][number], "server" | "host" | "port">[];
}

/** More of them are not walked. */
const mostEarlier = 200;

/** What only reads leaves nothing behind, unless it is low by the operator's word alone. */
const mayLeave = ({ spec, findings }: Pick<ActionDraft, "spec" | "findings">): boolean =>
  spec.risk !== "low" || findings.some(({ ruleId }) => ruleId === "operator.trust");

type ListRows = Pick<RowsWith<"actions" | "runs">, "actions" | "runs">;

function asEarlier({ runs }: ListRows, { id, number, state, spec }: Action): EarlierAction {
  const own = runs.filter(({ actionId }) => actionId === id);
  const isSure = state !== "done" || (own.length > 0 && own.every(wentWell));
  return { name: `${number}`, command: spec.command, targets: spec.targets, isSure };
}

/** For a proposal: what ran or may yet run, in the order of numbers. */
export const earlierIn = (rows: ListRows): readonly EarlierAction[] =>
  rows.actions
    .filter((action) => mayLeave(action) && !isOut.has(action.state))
    .toSorted((one, other) => one.number - other.number)
    .map((action) => asEarlier(rows, action))
    .slice(-mostEarlier);

const isOut: ReadonlySet<Action["state"]> = new Set(["blocked", "rejected", "superseded", "expired", "void"]);

export const readEarlier = async (db: Db | Tx, incidentId: string): Promise<readonly EarlierAction[]> =>
  earlierIn(await openPartsOf(db, incidentId, "actions", "runs"));

/** For the last look: all actions that were sent, in the order in which they started. */
export function sentBefore(rows: ListRows, { id }: Action): readonly EarlierAction[] {
  const startOf = (action: Action): number =>
    Math.min(
      ...rows.runs.flatMap(({ actionId, startedAt }) =>
        actionId === action.id && startedAt ? [startedAt.getTime()] : [],
      ),
    );
  return rows.actions
    .filter((action) => action.id !== id && mayLeave(action) && isSent.has(action.state))
    .toSorted((one, other) => startOf(one) - startOf(other) || one.number - other.number)
    .map((action) => ({ ...asEarlier(rows, action), ...(action.state === "done" ? {} : { isSure: false }) }))
    .slice(-mostEarlier);
}

const isSent: ReadonlySet<Action["state"]> = new Set(["dispatching", "running", "done"]);

/** A draft as what stands before the next one of its list. It has no number yet, so its nonce names it. */
export const draftAsEarlier = (draft: ActionDraft): readonly EarlierAction[] =>
  draft.state !== "blocked" && mayLeave(draft)
    ? [{ name: draft.spec.nonce, command: draft.spec.command, targets: draft.spec.targets, isSure: true }]
    : [];

/** Puts numbers, or what else people and model know them by, for the nonces that name the drafts before it. */
export const withNumbers = (draft: ActionDraft, numbers: ReadonlyMap<string, number | string>): ActionDraft => ({
  ...draft,
  findings: draft.findings.map((finding) => ({
    ...finding,
    text: [...numbers].reduce((text, [nonce, number]) => text.replaceAll(nonce, `${number}`), finding.text),
  })),
});

/** Those that run where this server is, under any of its names. */
export const earlierOn = (
  { name, host, port }: Pick<Server, "name" | "host" | "port">,
  earlier: readonly EarlierAction[],
): readonly EarlierCommand[] =>
  earlier
    .filter(({ targets }) =>
      targets.some((target) => target.server === name || (target.host === host && target.port === port)),
    )
    .map(({ targets: _targets, ...command }) => command);
