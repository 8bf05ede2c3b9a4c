import { afterEach, describe, expect, it } from "vitest";
import type { Hypothesis } from "../../src/base/agent.ts";
import { openStore, type Store } from "../../src/store/database/open.ts";
import { hypothesesOf, putHypothesis } from "../../src/store/hypotheses.ts";
import { openIncident } from "../../src/store/incidents.ts";
import { incidentInput } from "./rows.ts";
import { usePlaces } from "./use-places.ts";

const here = await usePlaces("tests of hypotheses on a PostgreSQL server");

let store: Store | undefined;
afterEach(async () => {
  await store?.close();
  store = undefined;
});

const disk: Hypothesis = { id: "disk", says: "the log fills /var", status: "likely", forRuns: [1], againstRuns: [] };

describe.each(here)("AR-15 hypotheses ($kind)", ({ create }) => {
  it("are one row for each incident and id: a later one changes it, what is not named stays", async () => {
    store = await openStore(await create());
    const { transaction, db } = store;
    const [one, other] = [
      await transaction((tx) => openIncident(tx, incidentInput(1))),
      await transaction((tx) => openIncident(tx, incidentInput(2))),
    ].map(({ incident }) => incident.id);
    if (!one || !other) throw new Error("two incidents are open");
    const put = (id: string, hypothesis: Hypothesis, step: number) =>
      transaction((tx) => putHypothesis(tx, id, hypothesis, step));
    await put(one, disk, 1);
    await put(one, { ...disk, id: "deploy", status: "open", forRuns: [] }, 1);
    await put(other, { ...disk, says: "of another incident" }, 1);
    await put(
      one,
      { ...disk, says: "the debug log fills /var", status: "confirmed", forRuns: [1, 4], againstRuns: [2] },
      3,
    );
    expect(await hypothesesOf(db, one)).toEqual([
      {
        ...disk,
        ...{ id: "deploy", status: "open", forRuns: [], incidentId: one, step: 1 },
        changedAt: expect.any(Date),
      },
      {
        ...{ id: "disk", says: "the debug log fills /var", status: "confirmed", forRuns: [1, 4], againstRuns: [2] },
        ...{ incidentId: one, step: 3, changedAt: expect.any(Date) },
      },
    ]);
    expect(await hypothesesOf(db, other)).toMatchObject([{ says: "of another incident", step: 1 }]);
  });
});
