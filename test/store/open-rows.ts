import { isDeepStrictEqual } from "node:util";
import { isUnfinished } from "../../src/base/action.ts";
import { earlierIn, sentBefore } from "../../src/features/proposal/in-force.ts";
import { standBefore } from "../../src/features/proposal/list-order.ts";
import { carriersOf, whyGuardLost } from "../../src/features/run/check-dispatch.ts";
import { approvalsOfAction } from "../../src/store/actions.ts";
import type { Db } from "../../src/store/database/open.ts";
import { openPartsOf, partsOf, type RowsWith } from "../../src/store/incident-rows.ts";
import { hasNumber, unreadIn } from "../../src/store/runs.ts";

const parts = ["actions", "approvals", "runs", "batches"] as const;
type Rows = RowsWith<(typeof parts)[number]>;

/** What decisions find in an incident's open rows and not in all of them, or the other way around; nothing is right. */
export async function faultsOfOpenRows(db: Db, incidentId: string): Promise<readonly string[]> {
  // Both at one moment, because the bot goes on.
  const [all, open] = await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(
      async (tx) => [await partsOf(tx, incidentId, ...parts), await openPartsOf(tx, incidentId, ...parts)] as const,
    );
  const unfinished = all.actions.filter(isUnfinished);
  const found = (rows: Rows): Readonly<Record<string, unknown>> => ({
    "what runs or may yet": earlierIn(rows),
    "the agent's to read": unreadIn(rows),
    "under way": rows.batches.filter(({ endedAt }) => endedAt === null),
    "leased at all": rows.batches.some(({ commentId }) => commentId === null),
    ...Object.fromEntries(
      unfinished.map((action) => [
        `of ${action.number}`,
        {
          approvals: approvalsOfAction(rows.approvals, action),
          before: standBefore(action, { ...rows, isUnderWay: isUnfinished }),
          sent: sentBefore(rows, action),
          carriers: carriersOf(action, rows.actions),
          lost: whyGuardLost(action, rows.actions),
          guards: rows.actions.find(({ number }) => number === action.spec.guards),
          check: rows.runs.filter(({ actionId }) =>
            rows.actions.some(({ id, number }) => id === actionId && number === action.spec.guard?.check),
          ),
          batches: all.batches.filter((batch) => hasNumber(rows.batches, batch, action.number)),
        },
      ]),
    ),
  });
  const [whole, part] = [found(all), found(open)];
  return Object.entries(whole).flatMap(([name, value]) =>
    isDeepStrictEqual(value, part[name])
      ? []
      : [`${name}: ${JSON.stringify(part[name])} instead of ${JSON.stringify(value)}`],
  );
}
