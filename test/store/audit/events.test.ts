import { describe, expect, it } from "vitest";
import { exportFactsOf, factsOf, readEvent } from "../../../src/store/audit/events.ts";

describe("an event of the audit", () => {
  it("AR-02 is read as its kind says it; of what another version wrote only what every version means is read", () => {
    const approved = {
      number: 1,
      digest: "d",
      by: { id: 70, login: "lee", role: "write" },
      comment: { id: 5, nodeId: "n", sha256: "s" },
      reason: "",
      have: 1,
      need: 2,
    };
    expect(readEvent({ kind: "command_approved", body: { ...approved, later: true } })).toEqual({
      kind: "command_approved",
      body: approved,
    });
    const { need: _, ...less } = approved;
    const unread = readEvent({ kind: "command_approved", body: less });
    expect(unread).toEqual({ kind: "unknown", body: less });
    expect(factsOf(unread)).toMatchObject({ number: 1, by: { id: 70, login: "lee" }, comment: { id: 5 } });
    const ofTomorrow = readEvent({ kind: "of_tomorrow", body: { number: "one", by: { id: 7, login: "sam" } } });
    expect([ofTomorrow.kind, factsOf(ofTomorrow)]).toEqual(["unknown", { by: { id: 7, login: "sam" } }]);
  });

  it.each(["edited", "deleted"])("SR-28 an approval whose comment was %s says so", (how) => {
    const body = { number: 1, digest: "d", commentId: 5, by: { id: 70, login: "lee" }, how, reason: "in other words" };
    expect(readEvent({ kind: "approval_withdrawn", body })).toEqual({ kind: "approval_withdrawn", body });
  });

  it("AR-02 a denial is exported as refused, with its person", () => {
    const body = { commentId: 5, by: { id: 70, login: "lee" }, verb: "approve", role: "read", told: true };
    expect(exportFactsOf({ kind: "command_denied", body })).toMatchObject({
      by: { id: 70, login: "lee" },
      severity: 2,
      succeeded: false,
    });
  });
});
