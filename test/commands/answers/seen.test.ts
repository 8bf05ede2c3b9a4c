import { describe, expect, it } from "vitest";
import { asSeen } from "../../../src/commands/act/approve.ts";
import type { Action } from "../../../src/store/actions.ts";
import type { ShownCard } from "../../../src/store/outbox/thread-comments.ts";

type Row = Pick<Action, "id" | "number" | "state" | "supersededBy" | "origin" | "spec">;

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 12, 0, second));
const action = (number: number, change: Partial<Row> = {}): Action =>
  // Nothing else of it is looked at.
  ({ id: `a${number}`, number, state: "proposed", supersededBy: null, origin: "model", spec: {}, ...change }) as Action;
const shown = (second: number, id: number | null, gone = 0): ShownCard => ({ createdAt: at(second), id, gone });

/** Written at second 10, as comment 100. */
const written = { id: 100, createdAt: at(10) };
const seenAs = (actions: readonly Action[], ...cards: readonly (ShownCard | undefined)[]) =>
  asSeen(actions, new Map(cards.flatMap((card, n) => (card ? [[`a${n + 1}`, card] as const] : []))), written).get(1);

describe("an action as whoever wrote a comment saw it", () => {
  it.each([
    ["stood there for a while", shown(3, 50), "open"],
    ["came within the same second and before it, by its id", shown(10, 99), "open"],
    ["came within the same second and after it, by its id", shown(10, 101), "unseen"],
    ["came later", shown(11, 101), "unseen"],
    ["came later by GitHub's clock, though its id is older", shown(11, 99), "unseen"],
    ["is not there yet", undefined, "unseen"],
    ["was deleted and made anew since", shown(3, 101, 50), "unseen"],
    ["was deleted and made anew before", shown(3, 99, 50), "open"],
    ["was deleted and is still to be made anew", shown(3, null, 50), "unseen"],
  ])("SR-25 its card %s", (_, card, becomes) => expect(seenAs([action(1)], card)).toBe(becomes));

  const superseded = action(1, { state: "superseded", supersededBy: 2 });
  it.each([
    ["came later", shown(11, 101), "revived"],
    ["came within the same second and after it, by its id", shown(10, 101), "revived"],
    ["came within the same second and before it, by its id", shown(10, 99), "closed"],
    ["is not there yet", undefined, "revived"],
    ["stood there, was deleted, and was made anew since", shown(9, 101, 98), "closed"],
    ["stood there, was deleted, and is still to be made anew", shown(9, null, 98), "closed"],
    ["first came later, and was made anew", shown(11, 105, 101), "revived"],
  ])("PA-6 SR-25 the card that superseded it %s", (_, card, becomes) => {
    expect(seenAs([superseded, action(2)], shown(3, 50), card)).toBe(becomes);
  });

  it("PA-6 WF-3 a form that was superseded is never revived, whenever its card and its successor's came", () => {
    const spec = { open: [{ name: "pod", kind: "a name" }] } as unknown as Action["spec"];
    expect(seenAs([{ ...superseded, spec }, action(2)], shown(3, 50), shown(11, 101))).toBe("closed");
  });

  it.each([
    ["by a card that itself came after the comment", action(2), shown(10, 101)],
    ["by a card that was made anew after the comment", action(2), shown(3, 101, 50)],
    ["by a person, whenever that was", action(2, { origin: "person" }), shown(3, 50)],
  ])("PA-6 SR-25 what was superseded and shown %s is closed", (_, successor, own) => {
    expect(seenAs([superseded, successor], own, shown(12, 120))).toBe("closed");
  });
});
