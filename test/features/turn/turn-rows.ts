import { isDeepStrictEqual } from "node:util";
import { checksIn } from "../../../src/base/action.ts";
import { earlierIn } from "../../../src/features/proposal/in-force.ts";
import { pastRuns } from "../../../src/features/turn/turn-message.ts";
import type { Db } from "../../../src/store/database/open.ts";
import { rowsOf, type TurnRows, turnRowsOf } from "../../../src/store/incident-rows.ts";
import { unreadIn } from "../../../src/store/runs.ts";
import { modelSteps } from "../../../src/store/turns.ts";

/** What a turn finds in the rows that it reads and not in all rows, or the other way around; nothing is right. */
export async function faultsOfTurnRows(db: Db, incidentId: string): Promise<readonly string[]> {
  // Both at one moment, because the bot goes on.
  const [all, own] = await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (tx) => {
      const [whole, part] = [await rowsOf(tx, incidentId), await turnRowsOf(tx, incidentId)];
      const none = { pastActions: [], pastRuns: [], freeTurns: 0 };
      return [await found({ ...whole, ...none }, tx), await found(part, tx)] as const;
    });
  return Object.entries(all).flatMap(([name, value]) =>
    isDeepStrictEqual(value, own[name])
      ? []
      : [`${name}: ${JSON.stringify(own[name])} instead of ${JSON.stringify(value)}`],
  );
}

async function found(rows: TurnRows, db: Db): Promise<Readonly<Record<string, unknown>>> {
  const { incident, session, turns, actions, pastActions, batches } = rows;
  return {
    "what ran": await pastRuns({ store: { db } }, incident, rows),
    "what was proposed": [...pastActions, ...actions]
      .map(({ number, state, origin, spec }) => ({ number, state, origin, place: spec.place, checks: checksIn(spec) }))
      .sort((one, other) => one.number - other.number),
    "what runs or may yet": earlierIn(rows),
    "to be read": unreadIn(rows),
    "under way": batches.filter(({ endedAt }) => endedAt === null),
    "the last turn": turns.at(-1),
    "the last without the model": turns.findLast(({ offline }) => offline),
    "the last of the model": turns.findLast(({ offline }) => !offline),
    "only checks so far": turns.every(({ step }) => step === 0),
    steps: modelSteps(session, turns, rows.freeTurns),
  };
}
