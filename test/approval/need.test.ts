import { expect, it } from "vitest";
import { expiryOf, isRestated, peopleNeeded, quorum, unsaidIn } from "../../src/approval/need.ts";

const level = { approvals: 2, expiresMs: 60_000 };
const policy = { low: level, medium: level, high: level, manyServers: 3 };
const onWeb1 = { place: "web-1", servers: ["web-1"] };
const digest = "1a".repeat(32);

it.each([
  [Number.NaN, Number.POSITIVE_INFINITY],
  [-1, 1],
  [0, 1],
  [1.2, 2],
  [2, 2],
])("SR-19 of %d approvals in a policy %d are needed", (approvals, needed) => {
  expect(quorum(approvals)).toBe(needed);
});

it("SR-19 what is blocked takes more people than there are, and keeps its card's time", () => {
  expect(peopleNeeded({ risk: "block", servers: ["web-1"] }, policy)).toBe(Number.POSITIVE_INFINITY);
  expect(expiryOf({ risk: "block", servers: [], createdAt: 0, expiresAt: 90_000 }, policy)).toBe(90_000);
  expect(expiryOf({ risk: "low", servers: [], createdAt: 0, expiresAt: 90_000 }, policy)).toBe(60_000);
});

it.each([
  [undefined, onWeb1, false],
  ["", { place: "", servers: [""] }, false],
  ["web-1", onWeb1, true],
  ["web", { place: "web", servers: ["web-1", "web-2"] }, true],
  ["web-1", { place: "web", servers: ["web-1", "web-2"] }, false],
  ["web-1", { place: "web", servers: ["web-1"] }, true],
])("SR-23 %j names the place of %j again: %s", (restated, subject, is) => {
  expect(isRestated(restated, subject)).toBe(is);
});

it.each([
  [undefined, []],
  [digest, []],
  [digest.slice(0, 8), []],
  [digest.slice(0, 8).toUpperCase(), []],
  [digest.slice(0, 7), ["digest-mismatch"]],
  ["", ["digest-mismatch"]],
  [`${digest}0`, ["digest-mismatch"]],
  ["2b2b2b2b", ["digest-mismatch"]],
] as const)("SR-20 a pin %j lacks %j", (pinnedDigest, lacks) => {
  const words = { alone: false, pinnedDigest, note: "" };
  expect(unsaidIn(words, { ...onWeb1, risk: "low", digest }, policy)).toEqual(lacks);
  expect(unsaidIn(words, { ...onWeb1, risk: "block", digest }, policy)).toEqual(lacks);
});
