import { isDeepStrictEqual } from "node:util";
import type { Deps } from "../../../src/features/context.ts";
import { drawRows } from "../../../src/features/thread/draw-thread.ts";
import type { Db } from "../../../src/store/database/open.ts";
import { drawnRowsOf } from "../../../src/store/incident-rows.ts";
import { isAsKnown } from "../../../src/store/outbox/wanted.ts";

/** Compares what would be drawn of an incident now with a drawing of all its rows. What is left out must stand as drawn. */
export async function faultsOfDrawing(given: Deps, db: Db, incidentId: string): Promise<readonly string[]> {
  // What the operator's file says is enough to compare, and asks nobody.
  const fetch = () => Promise.reject(new Error("by the operator's file alone"));
  const deps: Deps = { ...given, config: given.config, evaluate: given.evaluate, context: { ...given.context, fetch } };
  // Both at one moment, because the bot goes on.
  const [all, some] = await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (tx) => {
      const [whole, part] = [
        await drawnRowsOf(tx, incidentId, "other than it was"),
        await drawnRowsOf(tx, incidentId, deps.drawnWith()),
      ];
      return [
        { ...(await drawRows(deps, tx, whole)), known: whole.comments },
        { ...(await drawRows(deps, tx, part)), known: part.comments },
      ] as const;
    });
  const drawn = new Map<string, string>(some.comments.map(({ slot, body }) => [slot, body]));
  const known = new Map(all.known.map((comment) => [comment.slot, comment]));
  const folded = new Map(some.folded.map(({ slot, as }) => [slot, as]));
  return [
    ...all.comments.flatMap((comment) => {
      const body = drawn.get(comment.slot);
      drawn.delete(comment.slot);
      if (body === undefined)
        return isAsKnown(comment, known.get(comment.slot))
          ? []
          : [`${comment.slot} is left out and does not stand as drawn`];
      return body === comment.body ? [] : [`${comment.slot} reads\n${body}\ninstead of\n${comment.body}`];
    }),
    ...[...drawn.keys()].map((slot) => `${slot} is drawn of some rows alone`),
    ...all.folded.flatMap(({ slot, as }) =>
      folded.get(slot) === as || known.get(slot)?.foldAs !== null ? [] : [`${slot} is not folded`],
    ),
    ...some.folded.flatMap((one) =>
      all.folded.some((other) => isDeepStrictEqual(one, other)) ? [] : [`${one.slot} is folded of some rows alone`],
    ),
    ...(isDeepStrictEqual(some.labels, all.labels) ? [] : [`the labels are ${JSON.stringify(some.labels)}`]),
  ];
}
