import { describe, expect, it } from "vitest";
import { approvalAnswer, unseenNumber } from "../../../src/commands/act/approve.ts";
import { type ApprovalOutcome, stateRefusal, unknownNumber } from "../../../src/commands/answers.ts";
import type { Action } from "../../../src/store/actions.ts";
import { fc } from "../../harness/chance.ts";

const states = [
  "rejected",
  "superseded",
  "expired",
  "void",
  "blocked",
  "done",
  "running",
  "dispatching",
  "approved",
] as const;
const action = (number: number, state: Action["state"]): Action =>
  // What an answer reads of it.
  ({ number, state, stateReason: "the issue was closed", supersededBy: 40, findings: [] }) as unknown as Action;
const incident = { state: "open" } as const;

/** What becomes of a number, by its kind, and what of the answer must be said of it. */
const kinds = {
  ready: {
    of: (n: number): ApprovalOutcome => ({ kind: "ready", action: action(n, "proposed") }),
    says: /on (?:its|their) way\.$/,
  },
  counted: {
    of: (n: number): ApprovalOutcome => ({
      kind: "counted",
      text: `**${n}**: 1 of 2 approvals (\`@lee\`), not run yet.`,
    }),
    says: /1 of 2 approvals .* not run yet\./,
  },
  unknown: {
    of: (n: number): ApprovalOutcome => refused(n, unknownNumber(n)),
    says: /there is no such number; not run\./,
  },
  unseen: { of: (n: number): ApprovalOutcome => refused(n, unseenNumber(n)), says: /; not run\./ },
  ...Object.fromEntries(
    states.map((state) => [
      state,
      {
        of: (n: number): ApprovalOutcome => refused(n, stateRefusal({ incident, action: action(n, state) })),
        says: ["done", "running", "dispatching", "approved"].includes(state) ? /already/ : /; not run\./,
      },
    ]),
  ),
};
const refused = (number: number, refusal: ReturnType<typeof unknownNumber>): ApprovalOutcome => ({
  kind: "refused",
  number,
  refusal,
});

const lists = fc.uniqueArray(fc.constantFrom(...Object.keys(kinds)), { minLength: 1, maxLength: 9 });

describe("the answer to an /approve", () => {
  it("DC-4 PRODUCT says of each number of a mixed list what became of it, and never that nothing was run beside one that runs", () => {
    fc.assert(
      fc.property(lists, (list) => {
        const outcomes = list.map((kind, at) => kinds[kind as keyof typeof kinds].of(at + 1));
        const text = approvalAnswer(outcomes, [action(30, "proposed")]);
        const goes = list.some((kind) => ["ready", "running", "dispatching", "approved", "done"].includes(kind));
        if (goes || list.length > 1) expect(text).not.toContain("Nothing was run");
        if (list.every((kind) => kind === "ready")) {
          expect(text).toBe("");
          return;
        }
        for (const [at, kind] of list.entries()) {
          const about = text.split("\n\n").filter((line) => line.includes(`**${at + 1}**`));
          expect(about, `${kind} in ${text}`).toHaveLength(1);
          const { says } = kinds[kind as keyof typeof kinds];
          if (list.length > 1) expect(about[0]).toMatch(says);
          else if (kind !== "counted" && !goes) expect(text).toMatch(/^Nothing was run\. \*\*1\*\*/);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("DC-4 reads as a person would say it", () => {
    const one = kinds.ready.of(1);
    const open = [action(1, "proposed"), action(2, "proposed")];
    expect(approvalAnswer([one, kinds.unknown.of(7)], open)).toBe(
      "**7**: there is no such number; not run.\n\nOpen right now: 2.\n\n**1** is on its way.",
    );
    expect(approvalAnswer([kinds.unknown.of(7), one], open)).toBe(approvalAnswer([one, kinds.unknown.of(7)], open));
    expect(approvalAnswer([kinds.unknown.of(7)], open)).toBe(
      "Nothing was run. **7**: there is no such number. Open right now: 1, 2.",
    );
    expect(approvalAnswer([one, kinds.ready.of(2), kinds.unknown.of(9)], open)).toBe(
      "**9**: there is no such number; not run.\n\nNothing waits for approval right now.\n\n**1**, **2** are on their way.",
    );
  });
});
