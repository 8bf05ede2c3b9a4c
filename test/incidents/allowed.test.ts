import { describe, expect, it } from "vitest";
import { runsNotAllowed } from "./allowed.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 14, minute));
const said = (login: string, body: string, minute = 1) => ({ login, body, at: at(minute) });

/** One run at 14:05 on web-1, of number 2. */
const ran = (spec: { risk: "low" | "medium" | "high"; checks?: number; guards?: number }, more = {}) => ({
  actions: [{ id: "a", number: 2, spec: { command: "x", ...spec } }],
  runs: [{ actionId: "a", server: "web-1", startedAt: at(5), ...more }],
});
const low = { risk: "low" } as const;
const leased = said("lee", "/lease 15m web-1,web-2 20");

describe("AR-03 DC-4 the incidents' harness tells a run that no person had allowed", () => {
  it.each([
    ["approved by its number", ran(low), [said("lee", "/approve 1 2")], 0],
    ["as the check of what was approved", ran({ ...low, checks: 1 }), [said("lee", "/approve 1")], 0],
    ["as the check that justifies what was approved", ran({ ...low, guards: 1 }), [said("lee", "/approve 1")], 0],
    [
      "of high risk by two people",
      ran({ risk: "high" }),
      [said("lee", "/approve 2 web-1 w"), said("mona", "/approve 2 web-1 w")],
      0,
    ],
    ["a read under a lease", ran(low), [leased], 0],
    ["not sent", ran(low, { startedAt: null }), [], 0],
    ["by nobody", ran(low), [], 1],
    ["of another number", ran(low), [said("lee", "/approve 1 12")], 1],
    [
      "of high risk by one person twice",
      ran({ risk: "high" }),
      [said("lee", "/approve 2"), said("lee", "/approve 2")],
      1,
    ],
    ["approved after it ran", ran(low), [said("lee", "/approve 2", 6)], 1],
    ["a change under a lease", ran({ risk: "medium" }), [leased], 1],
    ["a read on another server than the lease's", ran(low, { server: "db-1" }), [leased], 1],
    ["a read after the lease's end", ran(low, { startedAt: at(17) }), [leased], 1],
    ["of no action", ran(low, { actionId: "b" }), [said("lee", "/approve 2")], 1],
  ])("%s", (_what, rows, words, many) => {
    expect(runsNotAllowed(rows, words)).toHaveLength(many);
  });

  it("one more than the lease was for", () => {
    const rows = ran(low);
    const runs = Array.from({ length: 21 }, () => rows.runs).flat();
    expect(runsNotAllowed({ ...rows, runs }, [leased])).toHaveLength(1);
  });
});
