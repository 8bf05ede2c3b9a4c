import { describe, expect, it } from "vitest";
import { type ApprovalQuestion, decideApproval } from "../../src/approval/authorize.ts";
import { decideKey, decidePage, isInForce, needsPasskey, type PasskeyStanding } from "../../src/approval/passkey.ts";

const minute = 60_000;
const level = { approvals: 1, expiresMs: 60 * minute };
const policy = {
  low: level,
  medium: level,
  high: level,
  manyServers: 3,
  authorCounts: "low",
  passkey: "high",
} as const;
const question: ApprovalQuestion = {
  policy,
  roster: { teams: [], users: [{ id: 7, login: "lee" }], minRole: "write" },
  standing: { person: { id: 7, login: "lee" }, type: "User", role: "write", teams: [], viaApp: false },
  action: {
    risk: "high",
    place: "web-1",
    servers: ["web-1"],
    origin: "model",
    createdAt: 0,
    expiresAt: 60 * minute,
    state: "proposed",
    digest: "1a2b3c4d5e6f",
  },
  earlier: [],
  slash: { alone: true, note: "" },
  recentHigh: 0,
  now: minute,
};

describe("when an approval takes a passkey", () => {
  const servers = ["web-1"];
  const many = ["a", "b", "c", "d"];
  it.each([
    ["none", "medium", servers, false],
    ["none", "high", servers, false],
    ["high", "medium", servers, false],
    ["high", "medium", many, true],
    ["high", "high", servers, true],
    ["medium", "low", many, false],
    ["medium", "medium", servers, true],
    ["medium", "high", servers, true],
  ] as const)("PK-01 with policy.passkey: %s, %s risk on %j: %s", (passkey, risk, on, needed) => {
    expect(needsPasskey({ risk, servers: on }, { manyServers: 3, passkey })).toBe(needed);
  });

  it.each<[PasskeyStanding | undefined, string]>([
    [undefined, "refuse"],
    [{ hasKey: false, proved: false }, "refuse"],
    [{ hasKey: true, proved: false }, "prove"],
    [{ hasKey: true, proved: true }, "complete"],
  ])("PK-01 an approval with %j comes to %s", (presence, kind) => {
    expect(decideApproval({ ...question, presence })).toMatchObject({ kind });
  });

  it("PK-01 asks for none before all else is right, so that nobody proves what is refused", () => {
    const presence = { hasKey: true, proved: false };
    const wrong = { ...question, presence, slash: { ...question.slash, unfit: "edited" as const } };
    expect(decideApproval(wrong)).toMatchObject({ kind: "refuse", code: "edited" });
  });
});

describe("a page", () => {
  const open = { usedAt: null, endsAt: new Date(2 * minute), waits: true, now: new Date(minute) };
  it.each([
    ["as it is", open, "open", undefined],
    ["used", { ...open, usedAt: new Date(0) }, "shut", "This link was used. See the issue."],
    ["at its end", { ...open, now: open.endsAt }, "shut", "This link has expired. Comment on the issue again."],
    [
      "with an end that cannot be read",
      { ...open, endsAt: new Date(Number.NaN) },
      "shut",
      "This link has expired. Comment on the issue again.",
    ],
    ["for what waits no more", { ...open, waits: false }, "shut", "What this link was for is not open any more."],
  ] as const)("PK-03 %s is %s", (_what, page, kind, reason) => {
    expect(decidePage(page)).toEqual(reason === undefined ? { kind } : { kind, reason });
  });
});

describe("somebody's new key", () => {
  const key = { personId: 8, inForceAt: null, revokedAt: null };
  const base = { key, by: 7, presence: { hasKey: true, proved: true } };
  it.each([
    ["another approver with a passkey", base, "confirmed", undefined],
    [
      "another approver who has yet to prove it",
      { ...base, presence: { hasKey: true, proved: false } },
      "prove",
      undefined,
    ],
    [
      "another approver without a passkey",
      { ...base, presence: { hasKey: false, proved: false } },
      "refuse",
      "you need a passkey of your own to confirm one",
    ],
    ["its own owner", { ...base, by: 8 }, "refuse", "another approver must confirm your passkey"],
    [
      "anybody, once it is in force",
      { ...base, key: { ...key, inForceAt: new Date(0) } },
      "refuse",
      "this passkey is in force already",
    ],
    [
      "anybody, once it is revoked",
      { ...base, key: { ...key, revokedAt: new Date(0) } },
      "refuse",
      "this passkey was revoked",
    ],
  ] as const)("PK-02 by %s: %s", (_who, asked, kind, reason) => {
    expect(decideKey(asked)).toEqual(reason === undefined ? { kind } : { kind, reason });
  });
});

it.each([
  [null, null, false],
  [new Date(0), null, true],
  [new Date(0), new Date(1), false],
  [null, new Date(1), false],
])("PK-01 a key in force at %j and revoked at %j counts: %s", (inForceAt, revokedAt, counts) => {
  expect(isInForce({ inForceAt, revokedAt })).toBe(counts);
});
