import { describe, expect, test } from "vitest";
import {
  type ApprovalQuestion,
  decideApproval,
  type Roster,
  rightsOf,
  roles,
  type Standing,
} from "../../src/policy/authorize.ts";

const roster: Roster = { teams: ["acme/oncall"], users: [{ id: 7, login: "lee" }], minRole: "write" };
const lee: Standing = { person: { id: 7, login: "lee" }, type: "User", role: "write", teams: [], viaApp: false };
const mona: Standing = {
  person: { id: 8, login: "mona" },
  type: "User",
  role: "write",
  teams: ["acme/oncall"],
  viaApp: false,
};
const minute = 60_000;
const base: ApprovalQuestion = {
  policy: {
    low: { approvals: 1, expiresMs: 60 * minute },
    medium: { approvals: 1, expiresMs: 60 * minute },
    high: { approvals: 2, expiresMs: 15 * minute, reason: "required", restateServer: true },
    manyServers: 3,
    authorCounts: "low",
    highPerHour: 5,
  },
  roster,
  standing: lee,
  action: {
    risk: "low",
    servers: ["web-1"],
    origin: "model",
    createdAt: 0,
    expiresAt: 60 * minute,
    state: "proposed",
    digest: "1a2b3c4d5e6f",
  },
  earlier: [],
  slash: { note: "" },
  now: minute,
};
const high = {
  ...base,
  action: { ...base.action, risk: "high" as const },
  slash: { note: "volume full", restated: "web-1" },
};
const byLee = { personId: 7, verdict: "approve" as const };
const codeOf = (question: ApprovalQuestion): string => {
  const decision = decideApproval(question);
  return decision.kind === "refuse" ? decision.code : `${decision.kind} ${decision.have}/${decision.need}`;
};

describe("rights", () => {
  test("SR-14 identity is the numeric id: the same login with another id may not approve", () => {
    expect(rightsOf(roster, { ...lee, person: { id: 99, login: "lee" } }).approve).toBe(false);
    expect(rightsOf(roster, { ...lee, person: { id: 7, login: "renamed" } }).approve).toBe(true);
  });

  test.each(["Bot", "Mannequin", "Organization", ""])("SR-15 an account of type %s never approves", (type) => {
    expect(rightsOf(roster, { ...lee, type })).toMatchObject({ see: false, act: false, approve: false });
  });

  test("SR-16 a comment made through an app does not approve", () => {
    expect(rightsOf(roster, { ...lee, viaApp: true }).approve).toBe(false);
  });

  test.each(roles)("SR-17 the live role %s decides beside the roster", (role) => {
    const isEnough = ["write", "maintain", "admin"].includes(role);
    expect(rightsOf(roster, { ...lee, role })).toMatchObject({
      see: role !== "none",
      act: isEnough,
      approve: isEnough,
    });
  });

  test("SR-17 an empty roster means nobody, and says so", () => {
    const question = { ...base, roster: { ...roster, teams: [], users: [] } };
    expect(decideApproval(question)).toEqual({
      kind: "refuse",
      code: "nobody-may-approve",
      text: "nobody may approve: policy.approvers is empty",
    });
  });
});

describe("one approval", () => {
  test("SR-18 low needs one person, high two different ones", () => {
    expect(codeOf(base)).toBe("complete 1/1");
    expect(codeOf(high)).toBe("counted 1/2");
    expect(codeOf({ ...high, earlier: [byLee] })).toBe("already-counted");
    expect(codeOf({ ...high, standing: mona, earlier: [byLee, byLee] })).toBe("complete 2/2");
  });

  test("SR-18 who wrote the command counts for low only", () => {
    const own = { origin: "person" as const, authorId: 7 };
    expect(codeOf({ ...base, action: { ...base.action, ...own } })).toBe("complete 1/1");
    expect(codeOf({ ...base, action: { ...base.action, ...own, risk: "medium" } })).toBe("author");
    expect(codeOf({ ...high, standing: mona, action: { ...high.action, ...own }, earlier: [byLee] })).toBe(
      "counted 1/2",
    );
  });

  test("SR-18 one rejection is final, and medium on more than three servers counts as high", () => {
    expect(codeOf({ ...base, standing: mona, earlier: [{ personId: 7, verdict: "reject" }] })).toBe("rejected");
    const servers = ["a", "b", "c", "d"];
    const many = { ...base, action: { ...base.action, risk: "medium" as const, servers } };
    expect(codeOf(many)).toBe("server-missing");
    expect(codeOf({ ...many, action: { ...many.action, risk: "low" } })).toBe("complete 1/1");
  });

  test("SR-19 high risk wants the server named again and a reason", () => {
    expect(codeOf({ ...high, slash: { note: "full" } })).toBe("server-missing");
    expect(codeOf({ ...high, slash: { note: " ", restated: "web-1" } })).toBe("reason-missing");
    expect(codeOf({ ...high, slash: { note: "full", restated: "db-1" } })).toBe("server-missing");
  });

  test("SR-20 a pinned digest must be at least eight of the action's own characters", () => {
    expect(codeOf({ ...base, slash: { note: "", pinnedDigest: "1a2b3c4d" } })).toBe("complete 1/1");
    expect(codeOf({ ...base, slash: { note: "", pinnedDigest: "1a2b" } })).toBe("digest-mismatch");
    expect(codeOf({ ...base, slash: { note: "", pinnedDigest: "ffffffff" } })).toBe("digest-mismatch");
  });

  test("SR-24 an expired action is refused, high risk after a quarter of an hour", () => {
    expect(codeOf({ ...base, now: 60 * minute })).toBe("expired");
    expect(codeOf({ ...high, now: 15 * minute })).toBe("expired");
  });

  test("SR-26 only a proposed action can be approved, and a blocked one never", () => {
    expect(codeOf({ ...base, action: { ...base.action, state: "done" } })).toBe("not-open");
    expect(codeOf({ ...base, action: { ...base.action, risk: "block" } })).toBe("blocked");
  });

  test("SR-57 high risk within five seconds of the card, or too often in an hour, asks for a confirmation", () => {
    expect(codeOf({ ...high, now: 4_999 })).toBe("confirm");
    expect(codeOf({ ...high, recentHigh: 5 })).toBe("confirm");
    expect(codeOf({ ...high, recentHigh: 5, slash: { ...high.slash, confirmed: true } })).toBe("counted 1/2");
  });
});
