import { expect, it } from "vitest";
import { decideStanding, isSaidSince } from "../../../src/features/incident/hold.ts";

const hold = {
  repoId: 1,
  issue: 7,
  personId: 2,
  login: "sam",
  commentId: 20,
  kill: false,
  heldAt: new Date("2026-03-01T14:00:00Z"),
  liftedAt: new Date("2026-03-01T14:05:00Z"),
  liftedBy: 30,
};

it("RR-16 SR-68 an approval from before a hold was lifted does not count, whatever the clock says", () => {
  const standing = decideStanding({ kind: "read", entries: [] }, [hold], "acme/web");
  if (standing.kind !== "free") throw new Error("it is held");
  const counts = (commentId: number, at: string) => isSaidSince(standing, { commentId, keptAt: new Date(at) });
  expect(counts(31, "2026-03-01T14:06:00Z")).toBe(true);
  // The clock that dates an approval was set on by an hour between the two.
  expect(counts(19, "2026-03-01T15:00:00Z")).toBe(false);
  expect(counts(29, "2026-03-01T15:00:00Z")).toBe(false);
  expect(counts(31, "2026-03-01T14:04:00Z")).toBe(false);
});
