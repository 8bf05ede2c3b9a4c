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

  it("AR-02 that was written with a person as number and login is read as today's", () => {
    const body = { commentId: 5, by: 70, login: "lee", verb: "approve", role: "read", told: true };
    const { login, ...rest } = body;
    expect(readEvent({ kind: "command_denied", body })).toEqual({
      kind: "command_denied",
      body: { ...rest, by: { id: 70, login } },
    });
    expect(exportFactsOf({ kind: "command_denied", body })).toMatchObject({
      by: { id: 70, login: "lee" },
      severity: 2,
      succeeded: false,
    });
    const refused = { number: 1, digest: "d", code: "confirm", by: 70, login: "lee", role: "write", commentId: 5 };
    expect(readEvent({ kind: "approval_refused", body: refused })).toMatchObject({
      kind: "approval_refused",
      body: { code: "confirm", by: { id: 70, login: "lee" } },
    });
    // Its number is an action's, in every version.
    const superseded = { number: 1, digest: "d", by: 2 };
    expect(readEvent({ kind: "command_superseded", body: superseded })).toEqual({
      kind: "command_superseded",
      body: superseded,
    });
  });

  it.each(["edited", "deleted"])(
    "SR-28 an approval whose comment was %s says so, also where a sentence said it",
    (how) => {
      const body = { number: 1, digest: "d", commentId: 5, reason: `the comment that approved it was ${how}` };
      expect(readEvent({ kind: "approval_withdrawn", body: { ...body, by: 70 } })).toEqual({
        kind: "approval_withdrawn",
        body: { ...body, how },
      });
      const today = { ...body, by: { id: 70, login: "lee" }, how, reason: "in other words" };
      expect(readEvent({ kind: "approval_withdrawn", body: today }).body).toEqual(today);
    },
  );
});
