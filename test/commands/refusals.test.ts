import { describe, expect, it } from "vitest";
import { stateRefusal } from "../../src/commands/refusals.ts";
import { notUnderWay } from "../../src/commands/under-way.ts";
import type { Action } from "../../src/store/actions.ts";

const action = (state: Action["state"]) =>
  // What a refusal reads of it.
  ({ number: 3, state, stateReason: "the issue was closed", supersededBy: null, findings: [] }) as unknown as Action;

describe("what is said of an action that cannot be decided on", () => {
  const told = (["void", "expired", "done"] as const).flatMap((state) =>
    (["open", "closed"] as const).map((incident) => ({ state, incident })),
  );
  it.each(told)("PRODUCT /retry is offered where it is taken: $state, on an $incident issue", ({ state, incident }) => {
    const text = stateRefusal({ incident: { state: incident }, action: action(state), actions: [] });
    expect(text).toContain("`/retry 3` proposes it anew");
    expect(text.includes("Reopen the issue; then `/retry 3`")).toBe(incident === "closed");
  });

  it("AR-12 /cancel on a closed issue says the same of what is void", () => {
    const closed = notUnderWay({ state: "closed" }, action("void"), { runs: [], actions: [] });
    expect(closed).toBe(
      "**3** is void: the issue was closed. Reopen the issue; then `/retry 3` proposes it anew. Nothing was run.",
    );
    const open = notUnderWay({ state: "open" }, action("void"), { runs: [], actions: [] });
    expect(open).not.toContain("Reopen");
  });
});
