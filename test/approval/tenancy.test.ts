import { expect, test } from "vitest";
import { decideTenancy, type TenancyQuestion } from "../../src/approval/tenancy.ts";

const entry = { allowPublic: false };
const pin = { repoId: 42, installationId: 7, installed: true };
const from = { repoId: 42, installationId: 7, private: true };

const cases: readonly (readonly [string, TenancyQuestion, string])[] = [
  ["as it was pinned", { entry, pin, from }, "served"],
  ["at first contact", { entry, pin: undefined, from }, "pin"],
  ["that nobody named", { entry: undefined, pin, from }, "does not name it"],
  ["made anew under its name", { entry, pin, from: { ...from, repoId: 43 } }, "write `id: 43`"],
  ["by another installation", { entry, pin, from: { ...from, installationId: 8 } }, "write `id: 42`"],
  ["by an installation that was deleted", { entry, pin: { ...pin, installed: false }, from }, "was deleted"],
  [
    "by the installation after the one that was deleted",
    { entry, pin: { ...pin, installed: false }, from: { ...from, installationId: 8 } },
    "pin",
  ],
  [
    "made anew, after its installation was deleted",
    { entry, pin: { ...pin, installed: false }, from: { ...from, repoId: 43, installationId: 8 } },
    "was created again",
  ],
  ["with its id written by hand", { entry: { ...entry, id: 42 }, pin: undefined, from }, "pin"],
  ["with another id by hand", { entry: { ...entry, id: 41 }, pin, from }, "gives 41"],
  ["made anew, as written by hand", { entry: { ...entry, id: 43 }, pin, from: { ...from, repoId: 43 } }, "pin"],
  ["of before, after another was written", { entry: { ...entry, id: 43 }, pin, from }, "gives 43"],
  ["installed anew, by hand", { entry: { ...entry, id: 42 }, pin, from: { ...from, installationId: 8 } }, "pin"],
  ["that is public", { entry, pin, from: { ...from, private: false } }, "it is public"],
  ["that is public at first contact", { entry, pin: undefined, from: { ...from, private: false } }, "it is public"],
  ["that may be public", { entry: { allowPublic: true }, pin, from: { ...from, private: false } }, "served"],
];

test.each(cases)("SR-07 a repository %s", (_, question, outcome) => {
  const decision = decideTenancy(question);
  expect(decision.kind === "refused" ? decision.reason : decision.kind).toContain(outcome);
});
