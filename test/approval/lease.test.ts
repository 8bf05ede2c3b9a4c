import { describe, expect, it } from "vitest";
import {
  decidePlace,
  decideProgress,
  decideStep,
  decideTerms,
  type LeasePlace,
  type LeaseProgress,
  type LeaseStep,
  type LeaseWish,
} from "../../src/approval/lease.ts";
import { type LeaseCaps, risks } from "../../src/base/risk.ts";

const minute = 60_000;
const caps: LeaseCaps = { servers: ["web-1", "web-2"], maxTimeMs: 30 * minute, maxCommands: 20 };
const place: LeasePlace = {
  caps,
  low: { approvals: 1, reason: "optional", restateServer: false },
  executes: true,
  incident: { open: true, public: false },
  stopped: undefined,
};
const now = 1_000 * minute;
const progress: LeaseProgress = {
  off: undefined,
  unchanged: true,
  fresh: true,
  endsAt: now + 1,
  seenAt: now,
  now,
  used: 19,
  maxCommands: 20,
  cost: 1,
  raised: 2,
};
const step: LeaseStep = { origin: "model", risk: "low", riskNow: "low", attended: undefined, servers: ["web-1"] };
const names = ["web-1", "web-2"];
const allowed = { allowed: names, consented: names };

describe("a lease", () => {
  it.each<[string, Partial<LeasePlace>, string]>([
    ["the bot only proposes", { executes: false }, "this bot only proposes (execution.enabled: false)"],
    [
      "the operator allows it nowhere",
      { caps: { ...caps, servers: [] } },
      "the operator allows none on this repository's servers (policy.lease)",
    ],
    ["the repository is public", { incident: { open: true, public: true } }, "it is never on in a public repository"],
    ["the incident is closed", { incident: { open: false, public: false } }, "the incident is closed"],
    ["a hold or the kill switch stands", { stopped: "held" }, "held"],
    ["low risk takes two people", { low: { approvals: 2 } }, "low risk takes 2 approvals here"],
    ["the number of people cannot be read", { low: { approvals: Number.NaN } }, "low risk takes NaN approvals here"],
    [
      "low risk wants a reason",
      { low: { approvals: 1, reason: "required" } },
      "low risk wants a reason or the server named with each approval here",
    ],
    [
      "low risk wants the server named",
      { low: { approvals: 1, restateServer: true } },
      "low risk wants a reason or the server named with each approval here",
    ],
  ])("AR-03 is not on where %s", (_what, change, reason) => {
    expect(decidePlace(place)).toEqual({ kind: "go" });
    expect(decidePlace({ ...place, ...change })).toEqual({ kind: "no", reason });
  });

  it.each<[string, LeaseWish, string]>([
    ["a longer time", { timeMs: 31 * minute }, "the operator allows 30 min at most"],
    ["no time", { timeMs: 0 }, "the operator allows 30 min at most"],
    ["a time that is no number", { timeMs: Number.NaN }, "the operator allows 30 min at most"],
    ["more commands", { commands: 21 }, "the operator allows 20 commands at most"],
    ["no command", { commands: 0 }, "the operator allows 20 commands at most"],
    ["half a command", { commands: 1.5 }, "the operator allows 20 commands at most"],
    ["another server", { servers: ["web-1", "db-1"] }, "the operator does not allow it on db-1"],
    ["no server", { servers: [] }, "it names no server"],
  ])("AR-03 is refused whole where its comment asks for %s than the operator allows", (_what, wish, reason) => {
    expect(decideTerms({}, caps)).toEqual({
      kind: "terms",
      terms: { timeMs: 30 * minute, servers: names, commands: 20 },
    });
    expect(decideTerms(wish, caps)).toEqual({ kind: "no", reason });
  });

  it.each<[string, Partial<LeaseProgress>, string]>([
    ["somebody ended it", { off: "ended by lee" }, "ended by lee"],
    [
      "the operator's file, which gave it, was edited",
      { unchanged: false },
      "the operator's file, which gave it, has changed",
    ],
    ["a hold was lifted since", { fresh: false }, "it was stopped by a hold or a halt"],
    [
      "policy found more risk in three proposals",
      { raised: 3 },
      "policy finds more risk in 3 proposals than the agent did",
    ],
    ["they cannot be counted", { raised: Number.NaN }, "policy finds more risk in 3 proposals than the agent did"],
    ["its time is over", { now: now + 1 }, "its time is over"],
    ["its end cannot be read", { endsAt: Number.NaN }, "its time is over"],
    ["the clock was set back", { seenAt: now + 5_001 }, "the clock was set back"],
    ["the clock cannot be read", { now: Number.NaN }, "its time is over"],
    ["its count is used up", { used: 20 }, "its 20 commands are used up"],
    ["more is wanted than it has left", { cost: 2 }, "it has 1 command left"],
    ["its count cannot be read", { used: Number.NaN }, "its 20 commands are used up"],
  ])("AR-03 is over when %s", (_what, change, reason) => {
    expect(decideProgress(progress)).toEqual({ kind: "go" });
    expect(decideProgress({ ...progress, ...change })).toEqual({ kind: "no", reason });
  });

  it("AR-03 allows a clock that was set right by five seconds", () => {
    expect(decideProgress({ ...progress, seenAt: now + 5_000 })).toEqual({ kind: "go" });
  });

  it("AR-03 lets low risk alone go, as it was judged and as it is judged again, on servers that are all allowed", () => {
    expect(decideStep(step, allowed)).toEqual({ kind: "go" });
    for (const risk of risks) {
      const decision = risk === "low" ? { kind: "go" } : { kind: "no", reason: "it is not low risk" };
      expect(decideStep({ ...step, risk, riskNow: risk }, allowed), risk).toEqual(decision);
      expect(decideStep({ ...step, risk }, allowed), risk).toEqual(decision);
      expect(decideStep({ ...step, riskNow: risk }, allowed), risk).toEqual(decision);
    }
    expect(decideStep({ ...step, origin: "offline" }, allowed)).toEqual({ kind: "go" });
  });

  it.each<[string, Partial<LeaseStep>, readonly string[], string]>([
    ["a person wrote", { origin: "person" }, names, "a person wrote it"],
    ["policy wants attended", { attended: "it shows secrets" }, names, "it shows secrets"],
    ["names no server", { servers: [] }, names, "it is not allowed on every server of it"],
    ["reaches further", { servers: ["web-1", "db-1"] }, names, "it is not allowed on every server of it"],
    ["is allowed nowhere now", {}, [], "it is not allowed on every server of it"],
  ])("AR-03 runs no step that %s", (_what, change, servers, reason) => {
    expect(decideStep({ ...step, ...change }, { ...allowed, allowed: servers })).toEqual({ kind: "no", reason });
  });

  it("AR-03 holds on the servers alone that it was given for; one that was added since takes a new lease", () => {
    const before = { allowed: ["web-1", "web-2"], consented: ["web-1"] };
    expect(decideStep(step, before)).toEqual({ kind: "go" });
    for (const servers of [["web-2"], ["web-1", "web-2"]])
      expect(decideStep({ ...step, servers }, before)).toEqual({
        kind: "no",
        reason: "the lease does not name web-2",
      });
    expect(decideStep(step, { ...before, consented: [] }).kind).toBe("no");
  });
});
