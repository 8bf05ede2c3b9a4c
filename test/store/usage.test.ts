import { describe, expect, it } from "vitest";
import { type Incident, sessionOf } from "../../src/store/incidents.ts";
import { isFirstNotice, reserveUsage, settleUsage, spentOn } from "../../src/store/usage.ts";
import { useStore } from "./rows.ts";

const { store, incident } = useStore();

const day = new Date("2026-11-22T00:00:00Z");
const noon = new Date("2026-11-22T12:00:00Z");
const yesterday = new Date("2026-11-21T23:59:59Z");

const accountOf = async (given: Incident, personId?: number) => ({
  incident: given,
  sessionId: (await sessionOf(store().db, given.id)).id,
  personId,
  step: 1,
});
const spend = async (account: Awaited<ReturnType<typeof accountOf>>, inputTokens: number, at = noon) =>
  store().transaction((tx) => reserveUsage(tx, account, { inputTokens, outputTokens: 1, cost: 0.5, at }));
const spent = (account: Awaited<ReturnType<typeof accountOf>>) =>
  store().transaction((tx) => spentOn(tx, account, day));

describe("SR-58 what the model costs", () => {
  it("is summed by incident for ever, and by person, repository, installation and all for the day", async () => {
    const mine = await accountOf(await incident(), 70);
    const others = await accountOf(await incident(), 71);
    await spend(mine, 9, yesterday);
    await spend(mine, 99);
    await spend(others, 999);
    await spend({ ...others, personId: undefined }, 9_999);
    const none = { tokens: 0, cost: 0 };
    expect(await spent(mine)).toEqual({
      incident: { tokens: 110, cost: 1 },
      person: { tokens: 100, cost: 0.5 },
      repository: { tokens: 11_100, cost: 1.5 },
      installation: { tokens: 11_100, cost: 1.5 },
      everything: { tokens: 11_100, cost: 1.5 },
    });
    expect(await spent({ ...mine, personId: undefined })).toMatchObject({ person: none });
    const elsewhere = { ...(await incident()), repoId: 10, installationId: 2 };
    expect(await spent(await accountOf(elsewhere, 70))).toMatchObject({
      incident: none,
      repository: none,
      installation: none,
      person: { tokens: 100 },
    });
  });

  it("takes the place of what it might have cost; an ask without an answer costs nothing", async () => {
    const account = await accountOf(await incident(), 72);
    const answered = await spend(account, 5_000);
    await settleUsage(store().db, await spend(account, 7_000), undefined);
    const usage = { inputTokens: 100, cachedTokens: 60, outputTokens: 10, estimated: false };
    await settleUsage(store().db, answered, { ...usage, model: "m-1", cost: 0.01 });
    expect((await spent(account)).person).toEqual({ tokens: 110, cost: 0.01 });
    const row = await store().db.selectFrom("usage").selectAll().where("id", "=", answered).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ ...usage, model: "m-1", step: 1, personId: 72 });
  });
});

describe("SR-58 a notice", () => {
  it("is the first of what it is about once", async () => {
    const first = (about: string) => store().transaction((tx) => isFirstNotice(tx, about));
    expect([await first("a"), await first("a"), await first("b")]).toEqual([true, false, true]);
  });
});
