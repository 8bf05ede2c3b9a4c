import { describe, expect, test } from "vitest";
import {
  allowanceOf,
  decideSchedule,
  decideScheduledStep,
  type ScheduleStanding,
} from "../../src/approval/schedule.ts";
import { risks } from "../../src/base/risk.ts";

const sha256 = "a".repeat(64);
const entry = { repo: "acme/Web", workflow: "nightly", servers: ["web"], sha256: "A".repeat(64) };
const named = { repo: "Acme/web", name: "nightly", sha256 };

describe("WF-2 what the operator allows", () => {
  test("WF-2 is one content of one workflow of one repository", () => {
    expect(allowanceOf([entry], named)).toEqual({ kind: "allowed", places: ["web"] });
    expect(allowanceOf([entry], { ...named, sha256: "b".repeat(64) })).toEqual({ kind: "changed" });
    expect(allowanceOf([entry], { ...named, name: "Nightly" })).toEqual({ kind: "never" });
    expect(allowanceOf([entry], { ...named, repo: "acme/web2" })).toEqual({ kind: "never" });
    expect(allowanceOf([], named)).toEqual({ kind: "never" });
    const other = { ...entry, sha256: "b".repeat(64), servers: ["db"] };
    expect(allowanceOf([entry, other], named)).toEqual({ kind: "allowed", places: ["web"] });
  });

  const standing: ScheduleStanding = {
    allowance: { kind: "allowed", places: ["web"] },
    low: { approvals: 1, reason: "optional", restateServer: false },
    executes: true,
    repository: { same: true, public: false },
    record: { open: true },
    stopped: undefined,
  };

  test("WF-2 SR-24 each single thing that is not so stops it", () => {
    expect(decideSchedule(standing)).toEqual({ kind: "go" });
    const stops: readonly (readonly [Partial<ScheduleStanding>, string])[] = [
      [{ executes: false }, "only proposes"],
      [{ allowance: { kind: "changed" } }, "not the one that the operator allowed"],
      [{ allowance: { kind: "never" } }, "does not allow it"],
      [{ allowance: { kind: "allowed", places: [] } }, "on any server"],
      [{ repository: { same: false, public: false } }, "not the one it was allowed for"],
      [{ repository: { same: true, public: true } }, "public repository"],
      [{ record: { open: false } }, "is closed"],
      [{ stopped: "the bot is halted" }, "the bot is halted"],
      [{ low: { ...standing.low, approvals: 2 } }, "takes 2 approvals"],
      [{ low: { ...standing.low, reason: "required" } }, "wants a reason"],
      [{ low: { ...standing.low, restateServer: true } }, "wants a reason"],
    ];
    for (const [change, reason] of stops)
      expect(decideSchedule({ ...standing, ...change })).toEqual({
        kind: "no",
        reason: expect.stringContaining(reason),
      });
  });

  test("WF-2 no step of any risk but low goes, as made or as judged again, and none on a server that is not named", () => {
    for (const risk of risks)
      for (const riskNow of risks) {
        const decision = decideScheduledStep({ risk, riskNow, attended: undefined, servers: ["web-1"] }, [
          "web-1",
          "web-2",
        ]);
        expect(decision.kind).toBe(risk === "low" && riskNow === "low" ? "go" : "skip");
      }
    const low = { risk: "low", riskNow: "low", attended: undefined } as const;
    expect(decideScheduledStep({ ...low, servers: ["web-1", "db-1"] }, ["web-1"])).toEqual({
      kind: "no",
      reason: "the operator does not allow it on db-1 (schedules.allowed)",
    });
    expect(decideScheduledStep({ ...low, servers: [] }, ["web-1"]).kind).toBe("no");
    expect(decideScheduledStep({ ...low, servers: ["web-1"] }, []).kind).toBe("no");
    expect(decideScheduledStep({ ...low, attended: "it reaches another host", servers: ["web-1"] }, ["web-1"])).toEqual(
      {
        kind: "skip",
        reason: "it is left to people: it reaches another host",
      },
    );
  });
});
