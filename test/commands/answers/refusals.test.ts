import { describe, expect, it } from "vitest";
import { notUnderWay } from "../../../src/commands/act/under-way.ts";
import { alone, missingNumber, stateRefusal } from "../../../src/commands/answers.ts";
import type { Action } from "../../../src/store/actions.ts";

const action = (state: Action["state"]) =>
  // What a refusal reads of it.
  ({ number: 3, state, stateReason: "the issue was closed", supersededBy: null, findings: [] }) as unknown as Action;

describe("what is said of an action that cannot be decided on", () => {
  const told = (["void", "expired", "done"] as const).flatMap((state) =>
    (["open", "closed"] as const).map((incident) => ({ state, incident })),
  );
  it.each(told)("PRODUCT /retry is offered where it is taken: $state, on an $incident issue", ({ state, incident }) => {
    const text = alone(stateRefusal({ incident: { state: incident }, action: action(state) }), []);
    expect(text).toMatch(/To (run|propose) it again: (reopen the issue, then )?`\/retry 3`\.$/);
    expect(text.includes("reopen the issue")).toBe(incident === "closed");
  });

  it.each([
    ["running", "**3** is already running. `/cancel 3` ends it."],
    ["dispatching", "**3** is already running. `/cancel 3` ends it."],
    ["approved", "**3** is already approved and next in line. `/cancel 3` undoes that."],
    ["done", "**3** has already run. To run it again: `/retry 3`."],
    ["expired", "Nothing was run. **3** has expired. To propose it again: `/retry 3`."],
    ["rejected", "Nothing was run. **3** was rejected, and that is final. Nothing waits for approval right now."],
  ] as const)("PRODUCT that nothing was run is never said of what runs or has run: %s", (state, text) => {
    expect(alone(stateRefusal({ incident: { state: "open" }, action: action(state) }), [])).toBe(text);
  });

  it("WF-3 whoever names no number is shown what completes a command that waits for values", () => {
    const waits = { number: 4, state: "incomplete", spec: { open: [{ name: "pod" }] } } as unknown as Action;
    expect(missingNumber("fill", [waits])).toBe(
      "Which one? Write `/fill <number>`. Nothing waits for approval right now. Waiting for values: `/fill 4 pod=…`.",
    );
  });

  it("AR-12 /cancel on a closed issue says the same of what is void", () => {
    const closed = notUnderWay({ state: "closed" }, action("void"), { runs: [], actions: [] });
    expect(closed).toBe("**3** is void: the issue was closed. To propose it again: reopen the issue, then `/retry 3`.");
    expect(notUnderWay({ state: "open" }, action("void"), { runs: [], actions: [] })).not.toContain("reopen");
  });
});
