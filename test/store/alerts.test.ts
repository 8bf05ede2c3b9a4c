import { describe, expect, it } from "vitest";
import { alertOf, alertsSince, beginAlert, currentAlert, setAlert } from "../../src/store/alerts.ts";
import { useStore } from "./rows.ts";

const { store, incident } = useStore();

const said = {
  state: "firing",
  pagerKey: null,
  severity: null,
  startedAt: null,
  seenDigest: "d",
  seenAt: new Date("2026-11-24T12:00:00Z"),
  eventAt: null,
} as const;

describe("the row of a group of alerts", () => {
  it("AL-1 RR-04 is one, however many begin it, until another takes its place", async () => {
    const group = { source: "production", key: "k1" };
    const begin = (before?: Awaited<ReturnType<typeof currentAlert>>) =>
      store().transaction((tx) => beginAlert(tx, group, { said, before }));
    // More than five of each, since PostgreSQL plans a statement anew then.
    const rows = await Promise.all(Array.from({ length: 12 }, () => begin()));
    expect(new Set(rows.map(({ row }) => row.id)).size).toBe(1);
    expect(rows.filter(({ isNew }) => isNew)).toHaveLength(1);
    const given = await incident();
    await store().transaction((tx) => setAlert(tx, rows[0]?.row.id ?? "", { incidentId: given.id }));
    const { row: next } = await begin(await currentAlert(store().db, group));
    expect(next).toMatchObject({ previousId: given.id, incidentId: null, isCurrent: true });
    expect(await alertOf(store().db, given.id)).toMatchObject({ isCurrent: false });
    const { row: other } = await store().transaction((tx) => beginAlert(tx, { ...group, source: "another" }, { said }));
    expect(other.id).not.toBe(next.id);
    expect(await alertsSince(store().db, "production", new Date(0))).toBe(2);
  });
});
