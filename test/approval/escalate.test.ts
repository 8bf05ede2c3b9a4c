import { expect, it } from "vitest";
import { escalateAfterMs, nextCall, nextCallAt } from "../../src/approval/escalate.ts";

type Call = Parameters<typeof nextCall>[0][number];

const minute = 60_000;
const at = new Date(10 * minute);
const firstAt = new Date(5 * minute);
const lee: Call = { kind: "person", who: "lee", at, state: "done" };
const mona: Call = { ...lee, who: "Mona" };
const webhook: Call = { kind: "hook", who: "webhook", at, state: "done" };
const team: Call = { kind: "team", who: "", at, state: "done" };

it.each<[string, readonly Call[], Date | undefined]>([
  ["nothing, at the time of the first call", [], firstAt],
  ["a person, after the time of the risk", [lee], new Date(15 * minute)],
  ["a hook that reached somebody, never", [lee, webhook], undefined],
  ["a hook that is being called, never", [{ ...webhook, state: "sending" }], undefined],
  ["a hook that failed, at once", [{ ...webhook, state: "failed" }], at],
  ["a hook that may have failed, at once", [{ ...webhook, state: "unsure" }], at],
  ["all who may approve, never", [team], undefined],
])("OC-2 calls the next after %s", (_what, calls, next) => {
  expect(nextCallAt(calls, { firstAt, afterMs: 5 * minute })).toEqual(next);
});

it.each<[string, readonly Call[], string | undefined, ReturnType<typeof nextCall>]>([
  ["the first of the chain", [], "webhook", { kind: "person", who: "lee" }],
  ["the second, in whatever spelling", [{ ...lee, who: "LEE" }], "webhook", { kind: "person", who: "mona" }],
  ["after two people the hook, not a third", [lee, mona], "webhook", { kind: "hook", who: "webhook" }],
  ["without a hook all who may approve", [lee, mona], undefined, { kind: "team", who: "" }],
  ["after the hook all who may approve", [lee, mona, webhook], "webhook", { kind: "team", who: "" }],
])("OC-1 OC-2 calls %s", (_what, calls, hook, next) => {
  expect(nextCall(calls, { chain: ["lee", "mona", "sam"], hook })).toEqual(next);
});

it("OC-1 calls the hook if the chain has only one person, who was called", () => {
  expect(nextCall([lee], { chain: ["lee"], hook: "webhook" })).toEqual({ kind: "hook", who: "webhook" });
});

it.each([
  ["low", 1],
  ["medium", 2],
  ["high", 3],
] as const)("OC-2 waits for an answer as long as the operator says for %s risk", (risk, afterMs) => {
  expect(escalateAfterMs({ lowMs: 1, mediumMs: 2, highMs: 3 }, risk)).toBe(afterMs);
});
