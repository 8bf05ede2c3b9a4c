import { describe, expect, it } from "vitest";
import { moveAction } from "../../src/store/actions.ts";
import { nextInLine, queueUp, stillBefore } from "../../src/store/server-line.ts";
import { useStore } from "./rows.ts";

const { store, incident, action } = useStore();
const approved = async () => {
  const one = await action(await incident());
  await store().transaction((tx) => moveAction(tx, one, { from: "proposed", to: "approved" }));
  return one;
};
const ask = (one: Awaited<ReturnType<typeof approved>>) => store().transaction((tx) => queueUp(tx, one));

describe("the line for a server", () => {
  it("lets one in, keeps the others in the order in which they asked, and tells them who is before them", async () => {
    const [one, two, three] = [await approved(), await approved(), await approved()];
    expect(await ask(one)).toBeUndefined();
    expect(await ask(two)).toMatchObject({ server: "web-1", incidentId: one.incidentId });
    expect(await ask(three)).toMatchObject({ incidentId: one.incidentId });
    await store().transaction((tx) => moveAction(tx, one, { from: "approved", to: "dispatching" }));
    expect(await store().transaction((tx) => nextInLine(tx, one))).toEqual(
      [two.incidentId, three.incidentId].toSorted(),
    );
    expect(await ask(two)).toMatchObject({ incidentId: one.incidentId });
    await store().transaction((tx) => moveAction(tx, one, { from: "dispatching", to: "running" }));
    expect(await ask(two)).toMatchObject({ incidentId: one.incidentId });
    await store().transaction((tx) => moveAction(tx, one, { from: "running", to: "done" }));
    expect(await ask(three)).toMatchObject({ incidentId: two.incidentId });
    expect(await ask(two)).toBeUndefined();
  });

  it("tells who is before it only to who stands in it, and keeps a place for who asks that way", async () => {
    await store().db.deleteFrom("serverLine").execute();
    const [one, two] = [await approved(), await approved()];
    const still = (action: typeof one) => store().transaction((tx) => stillBefore(tx, action));
    expect(await still(two)).toBeUndefined();
    await ask(one);
    expect(await still(two)).toBeUndefined();
    await ask(two);
    const longAgo = new Date(Date.now() - 60_000);
    await store().db.updateTable("serverLine").set({ seenAt: longAgo }).execute();
    expect(await still(one)).toBeUndefined();
    expect(await still(two)).toMatchObject({ server: "web-1", incidentId: one.incidentId });
  });

  it("is left by an action that is open again: approved anew, it stands last", async () => {
    await store().db.deleteFrom("serverLine").execute();
    const [one, two] = [await approved(), await approved()];
    await ask(one);
    await ask(two);
    await store().transaction((tx) => moveAction(tx, one, { from: "approved", to: "proposed" }));
    await store().transaction((tx) => moveAction(tx, one, { from: "proposed", to: "approved" }));
    expect(await ask(one)).toMatchObject({ incidentId: two.incidentId });
  });

  it("is not held up by one who waits for something else and asks no more", async () => {
    await store().db.deleteFrom("serverLine").execute();
    const [one, two] = [await approved(), await approved()];
    await ask(one);
    expect(await ask(two)).toBeDefined();
    const longAgo = new Date(Date.now() - 60_000);
    await store().db.updateTable("serverLine").set({ seenAt: longAgo }).where("actionId", "=", one.id).execute();
    expect(await ask(two)).toBeUndefined();
  });

  it("RR-04 those who wait are woken in one order by all who end, so that no two wait for each other", async () => {
    await store().db.deleteFrom("serverLine").execute();
    const [one, other] = [await approved(), await approved()];
    const [first, second] = [one.incidentId, other.incidentId].toSorted();
    const ended = await approved();
    for (const [here, there] of [
      [one, other],
      [other, one],
    ] as const) {
      await store().db.deleteFrom("serverLine").execute();
      await ask(here);
      await ask(there);
      expect(await store().transaction((tx) => nextInLine(tx, ended))).toEqual([first, second]);
    }
  });
});
