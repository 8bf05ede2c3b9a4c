import { type Action, actionsOf, approvalsOfAction } from "../../store/actions.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import { type Batch, runsOf } from "../../store/runs.ts";
import type { Ground, Context } from "../context.ts";
import { type Before, type ListRows, outOfOrder } from "./list-order.ts";
import { isUnderWay } from "./same-action.ts";

/** Reads the rows that the order of an incident's lists is in. */
export async function listRowsOf(
  db: Db | Tx,
  world: Pick<Context, "now">,
  ground: Pick<Ground, "rules">,
  incidentId: string,
): Promise<ListRows> {
  return {
    actions: await actionsOf(db, incidentId),
    runs: await runsOf(db, incidentId),
    isUnderWay: (action) => isUnderWay(world, ground, action),
  };
}

/** What keeps an approved action of a batch waiting at this moment; nothing where its turn has come. */
export async function orderOf(
  db: Db | Tx,
  world: Pick<Context, "now">,
  ground: Pick<Ground, "rules">,
  { action, batch }: { readonly action: Action; readonly batch: Batch },
): Promise<Before | undefined> {
  const approvals = await approvalsOfAction(db, action.id);
  return outOfOrder(action, await listRowsOf(db, world, ground, action.incidentId), { approvals, batch });
}
