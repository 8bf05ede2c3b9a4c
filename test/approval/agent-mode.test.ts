import { describe, expect, it } from "vitest";
import {
  type AutoPlace,
  type AutoProgress,
  type AutoStep,
  decidePlace,
  decideProgress,
  decideStep,
} from "../../src/approval/agent-mode.ts";
import { risks } from "../../src/base/risk.ts";

const place: AutoPlace = {
  servers: ["web-1"],
  low: { approvals: 1, reason: "optional", restateServer: false },
  executes: true,
  incident: { open: true, public: false },
  stopped: undefined,
};
const progress: AutoProgress = { off: undefined, fresh: true, steps: 0, maxSteps: 20, failed: undefined };
const step: AutoStep = { origin: "model", risk: "low", riskNow: "low", attended: undefined, servers: ["web-1"] };
const names = ["web-1", "web-2"];
const allowed = { allowed: names, consented: names };

describe("agent mode", () => {
  it.each<[string, Partial<AutoPlace>]>([
    ["the bot only proposes", { executes: false }],
    ["the operator allows it nowhere", { servers: [] }],
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

  it.each<[string, Partial<AutoProgress>]>([
    ["it was switched off", { off: "switched off by lee" }],
    ["a hold was lifted since", { fresh: false }],
    ["a command did not go well since", { failed: 3 }],
    ["its steps are used up", { steps: 21 }],
    ["its steps cannot be counted", { steps: Number.NaN }],
  ])("AR-03 is over when %s", (_what, change) => {
    expect(decideProgress(progress)).toEqual({ kind: "go" });
    expect(decideProgress({ ...progress, steps: 20 })).toEqual({ kind: "go" });
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

  it("AR-03 holds on the servers alone that it was switched on for; one that was added since takes a new consent", () => {
    const before = { allowed: ["web-1", "web-2"], consented: ["web-1"] };
    expect(decideStep(step, before)).toEqual({ kind: "go" });
    for (const servers of [["web-2"], ["web-1", "web-2"]])
      expect(decideStep({ ...step, servers }, before)).toEqual({
        kind: "no",
        reason: "web-2 was added since it was switched on; /auto on again includes it",
      });
    expect(decideStep(step, { ...before, consented: [] }).kind).toBe("no");
  });
});
