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
  fresh: true,
  endsAt: now + 1,
  seenAt: now,
  now,
  used: 19,
  maxCommands: 20,
  cost: 1,
  failed: undefined,
};
const step: LeaseStep = { origin: "model", risk: "low", riskNow: "low", attended: undefined, servers: ["web-1"] };
const names = ["web-1", "web-2"];
const allowed = { allowed: names, consented: names };

describe("a lease", () => {
  it.each<[string, Partial<LeasePlace>]>([
    ["the bot only proposes", { executes: false }],
    ["the operator allows it nowhere", { caps: { ...caps, servers: [] } }],
    ["the repository is public", { incident: { open: true, public: true } }],
    ["the incident is closed", { incident: { open: false, public: false } }],
    ["a hold or the kill switch stands", { stopped: "held" }],
    ["low risk takes two people", { low: { approvals: 2 } }],
    ["the number of people cannot be read", { low: { approvals: Number.NaN } }],
    ["low risk wants a reason", { low: { approvals: 1, reason: "required" } }],
    ["low risk wants the server named", { low: { approvals: 1, restateServer: true } }],
  ])("AR-03 is not on where %s", (_what, change) => {
    expect(decidePlace(place)).toEqual({ kind: "go" });
    expect(decidePlace({ ...place, ...change })).toEqual({ kind: "no", reason: expect.stringMatching(/\w{3}/) });
  });

  it.each<[string, LeaseWish]>([
    ["a longer time", { timeMs: 31 * minute }],
    ["no time", { timeMs: 0 }],
    ["a time that is no number", { timeMs: Number.NaN }],
    ["more commands", { commands: 21 }],
    ["no command", { commands: 0 }],
    ["half a command", { commands: 1.5 }],
    ["another server", { servers: ["web-1", "db-1"] }],
    ["no server", { servers: [] }],
  ])("AR-03 is refused whole where its comment asks for %s than the operator allows", (_what, wish) => {
    expect(decideTerms({}, caps)).toEqual({
      kind: "terms",
      terms: { timeMs: 30 * minute, servers: names, commands: 20 },
    });
    expect(decideTerms(wish, caps)).toEqual({ kind: "no", reason: expect.stringMatching(/\w{3}/) });
  });

  it.each<[string, Partial<LeaseProgress>]>([
    ["somebody ended it", { off: "ended by lee" }],
    ["a hold was lifted since", { fresh: false }],
    ["a command did not go well since", { failed: 3 }],
    ["its time is over", { now: now + 1 }],
    ["its end cannot be read", { endsAt: Number.NaN }],
    ["the clock was set back", { seenAt: now + 5_001 }],
    ["the clock cannot be read", { now: Number.NaN }],
    ["its count is used up", { used: 20 }],
    ["more is wanted than it has left", { cost: 2 }],
    ["its count cannot be read", { used: Number.NaN }],
  ])("AR-03 is over when %s", (_what, change) => {
    expect(decideProgress(progress)).toEqual({ kind: "go" });
    expect(decideProgress({ ...progress, ...change })).toEqual({ kind: "no", reason: expect.stringMatching(/\w{3}/) });
  });

  it("AR-03 lets low risk alone go, as it was judged and as it is judged again, on servers that are all allowed", () => {
    expect(decideStep(step, allowed)).toEqual({ kind: "go" });
    for (const risk of risks) {
      const both = decideStep({ ...step, risk, riskNow: risk }, allowed).kind;
      expect(both, risk).toBe(risk === "low" ? "go" : "no");
      if (risk === "low") continue;
      expect(decideStep({ ...step, risk }, allowed).kind, risk).toBe("no");
      expect(decideStep({ ...step, riskNow: risk }, allowed).kind, risk).toBe("no");
    }
    expect(decideStep({ ...step, origin: "person" }, allowed).kind).toBe("no");
    expect(decideStep({ ...step, servers: [] }, allowed).kind).toBe("no");
    expect(decideStep({ ...step, servers: ["web-1", "db-1"] }, allowed).kind).toBe("no");
    expect(decideStep(step, { ...allowed, allowed: [] }).kind).toBe("no");
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
