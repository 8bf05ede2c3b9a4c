import { describe, expect, test } from "vitest";
import {
  type ApprovalQuestion,
  countsTowards,
  decideApproval,
  type RefusalCode,
  refusalCodes,
} from "../../src/approval/authorize.ts";
import { effectiveRisk, quorum } from "../../src/approval/need.ts";
import { type PersonStanding, type Roster, rightsOf } from "../../src/approval/rights.ts";
import { actionStates } from "../../src/base/action.ts";
import { type Role, roles } from "../../src/base/github.ts";
import { risks } from "../../src/base/risk.ts";
import { fc } from "../harness/chance.ts";

const roster: Roster = { teams: ["acme/oncall"], users: [{ id: 7, login: "lee" }], minRole: "write" };
const lee: PersonStanding = { person: { id: 7, login: "lee" }, type: "User", role: "write", teams: [], viaApp: false };
const mona: PersonStanding = {
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
const high = {
  ...base,
  action: { ...base.action, risk: "high" as const },
  slash: { alone: true, note: "volume full", restated: "web-1" },
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

  test("SR-15 an account without a number is nobody", () => {
    for (const id of [0, -7, Number.NaN, 7.5, 2 ** 53]) {
      const users = [{ id, login: "ghost" }];
      expect(rightsOf({ ...roster, users }, { ...lee, person: { id, login: "ghost" } }).approve, `${id}`).toBe(false);
    }
  });

  test("SR-17 a role nobody knows is no right, on either side", () => {
    const odd = "security-manager" as Role;
    expect(rightsOf(roster, { ...lee, role: odd })).toMatchObject({ see: false, act: false, approve: false });
    expect(rightsOf({ ...roster, minRole: odd }, { ...lee, role: odd }).approve).toBe(false);
    expect(rightsOf({ ...roster, minRole: odd }, { ...lee, role: "admin" }).approve).toBe(false);
    expect(rightsOf({ ...roster, minRole: "none" }, { ...lee, role: "none" }).approve).toBe(false);
  });

  test("SR-17 an admin who is not on the roster may not approve, and a listed team may", () => {
    const stranger: PersonStanding = { ...mona, role: "admin", teams: ["acme/dev", "evil/oncall"] };
    expect(rightsOf(roster, stranger)).toMatchObject({ act: true, approve: false });
    expect(rightsOf(roster, stranger).missing).toBe("only acme/oncall or @lee may");
    expect(rightsOf(roster, mona)).toEqual({ see: true, propose: true, act: true, approve: true, missing: "" });
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

  test("SR-18 the author's own approval counts up to the risk the operator says", () => {
    const own = { servers: ["web-1"], origin: "person", authorId: 7 };
    const table = (["none", "low", "medium", "high"] as const).map((authorCounts) =>
      risks.map((risk) => countsTowards(7, { ...own, risk }, { ...base.policy, authorCounts })),
    );
    expect(table).toEqual([
      [false, false, false, false],
      [true, false, false, false],
      [true, true, false, false],
      [true, true, true, false],
    ]);
    expect(countsTowards(8, { ...own, risk: "high" }, base.policy)).toBe(true);
    const many = { ...own, risk: "medium" as const, servers: ["a", "b", "c", "d"] };
    expect(countsTowards(7, many, { ...base.policy, authorCounts: "medium" })).toBe(false);
  });

  test("SR-18 a person's command whose author is not known is approved by nobody", () => {
    const action = { ...base.action, origin: "person" as const, risk: "medium" as const };
    expect(codeOf({ ...base, action })).toBe("author");
    expect(codeOf({ ...base, action: { ...base.action, origin: "model", risk: "medium", authorId: 7 } })).toBe(
      "author",
    );
  });

  test("SR-18 a quorum is at least one person, and a number that is none is never reached", () => {
    expect([-3, 0, 0.2, 1, 1.5, 3, Number.POSITIVE_INFINITY].map(quorum)).toEqual([1, 1, 1, 1, 2, 3, Infinity]);
    expect(quorum(Number.NaN)).toBe(Infinity);
    const unread = { ...base, policy: { ...base.policy, low: { approvals: Number.NaN, expiresMs: minute * 60 } } };
    expect(decideApproval(unread).kind).toBe("counted");
  });

  test("SR-18 an earlier approval without a person behind it is not counted", () => {
    const earlier = [0, -1, Number.NaN].map((personId) => ({ personId, verdict: "approve" as const }));
    expect(codeOf({ ...high, earlier })).toBe("counted 1/2");
  });

  test("SR-18 more servers than many make medium high, as does a number of them that cannot be read", () => {
    expect([3, 4].map((servers) => effectiveRisk("medium", servers, 3))).toEqual(["medium", "high"]);
    expect(effectiveRisk("medium", 1, Number.NaN)).toBe("high");
    expect(risks.map((risk) => effectiveRisk(risk, 99, 3))).toEqual(["low", "high", "high", "block"]);
  });

  test("SR-18 an action without a server cannot be approved", () => {
    expect(codeOf({ ...base, action: { ...base.action, servers: [] } })).toBe("not-open");
  });

  test("SR-18 one rejection is final, and medium on more than three servers counts as high", () => {
    expect(codeOf({ ...base, standing: mona, earlier: [{ personId: 7, verdict: "reject" }] })).toBe("rejected");
    const servers = ["a", "b", "c", "d"];
    const many = { ...base, action: { ...base.action, risk: "medium" as const, servers } };
    expect(codeOf(many)).toBe("server-missing");
    expect(codeOf({ ...many, action: { ...many.action, risk: "low" } })).toBe("complete 1/1");
  });

  test("SR-19 high risk wants the server named again and a reason", () => {
    expect(codeOf({ ...high, slash: { alone: true, note: "full" } })).toBe("server-missing");
    expect(codeOf({ ...high, slash: { alone: true, note: " ", restated: "web-1" } })).toBe("reason-missing");
    expect(codeOf({ ...high, slash: { alone: true, note: "full", restated: "db-1" } })).toBe("server-missing");
    const nameless = { ...high.action, place: "", servers: [""] };
    expect(codeOf({ ...high, action: nameless, slash: { alone: true, note: "full", restated: "" } })).toBe(
      "server-missing",
    );
    const group = { ...high.action, place: "web", servers: ["web-1", "web-2"] };
    const restating = (restated: string) =>
      codeOf({ ...high, action: group, slash: { alone: true, note: "full", restated } });
    expect(restating("web-1")).toBe("server-missing");
    expect(restating("web")).toBe(codeOf({ ...high, slash: { alone: true, note: "full", restated: "web-1" } }));
    // Where a group is one server, either name is the server.
    const alone = { ...high.action, place: "web", servers: ["web-1"] };
    for (const restated of ["web", "web-1"])
      expect(codeOf({ ...high, action: alone, slash: { alone: true, note: "full", restated } }), restated).toBe(
        "counted 1/2",
      );
  });

  test.each([".", "\u200b\u2060", "\u3164", "-- !?", "`"])("SR-19 %j is not a reason", (note) => {
    expect(codeOf({ ...high, slash: { alone: true, note, restated: "web-1" } })).toBe("reason-missing");
  });

  test("SR-20 a pinned digest must be at least eight of the action's own characters", () => {
    expect(codeOf({ ...base, slash: { alone: true, note: "", pinnedDigest: "1a2b3c4d" } })).toBe("complete 1/1");
    expect(codeOf({ ...base, slash: { alone: true, note: "", pinnedDigest: "1a2b" } })).toBe("digest-mismatch");
    expect(codeOf({ ...base, slash: { alone: true, note: "", pinnedDigest: "ffffffff" } })).toBe("digest-mismatch");
  });

  test("SR-24 an expired action is refused, high risk after a quarter of an hour", () => {
    expect(codeOf({ ...base, now: 60 * minute })).toBe("expired");
    expect(codeOf({ ...high, now: 15 * minute })).toBe("expired");
  });

  test("SR-24 a time that cannot be read is over", () => {
    for (const now of [Number.NaN, Number.POSITIVE_INFINITY]) expect(codeOf({ ...base, now })).toBe("expired");
    expect(codeOf({ ...base, action: { ...base.action, expiresAt: Number.NaN } })).toBe("expired");
    expect(codeOf({ ...base, action: { ...base.action, createdAt: Number.NaN } })).toBe("expired");
  });

  test("SR-26 only a proposed action can be approved, and a blocked one never", () => {
    const codes = actionStates.map((state) => codeOf({ ...base, action: { ...base.action, state } }));
    expect(codes).toEqual([
      "complete 1/1",
      ...Array.from({ length: 4 }, () => "not-open"),
      "rejected",
      "not-open",
      "expired",
      "not-open",
      "blocked",
      "not-open",
    ]);
    expect(codeOf({ ...base, action: { ...base.action, risk: "block" } })).toBe("blocked");
  });

  test("SR-57 high risk within five seconds of the card, or too often in an hour, asks for a confirmation", () => {
    expect([-60_000, 4_999, 5_000].map((now) => codeOf({ ...high, now }))).toEqual([
      "confirm",
      "confirm",
      "counted 1/2",
    ]);
    const hour = [4, 5, 6, Number.NaN, undefined].map((recentHigh) => codeOf({ ...high, recentHigh }));
    expect(hour).toEqual(["counted 1/2", "confirm", "confirm", "confirm", "confirm"]);
    expect(codeOf({ ...base, now: 1 })).toBe("complete 1/1");
    expect(codeOf({ ...high, recentHigh: 5, slash: { ...high.slash, confirmed: true } })).toBe("counted 1/2");
  });
});

describe("every refusal stands alone", () => {
  const complete: ApprovalQuestion = { ...high, earlier: [{ personId: 8, verdict: "approve" }] };
  const spoilt: readonly (readonly [what: string, question: ApprovalQuestion, code: RefusalCode])[] = [
    ["no roster", { ...complete, roster: { teams: [], users: [], minRole: "write" } }, "nobody-may-approve"],
    ["a role taken away", { ...complete, standing: { ...lee, role: "triage" } }, "not-allowed"],
    ["off the roster", { ...complete, roster: { ...roster, users: [] } }, "not-allowed"],
    ["off a list of people", { ...complete, roster: { ...roster, teams: [] }, standing: mona }, "not-allowed"],
    ["a bot", { ...complete, standing: { ...lee, type: "Bot" } }, "not-allowed"],
    ["an app", { ...complete, standing: { ...lee, viaApp: true } }, "not-allowed"],
    ["block", { ...complete, action: { ...complete.action, risk: "block" } }, "blocked"],
    ["run already", { ...complete, action: { ...complete.action, state: "running" } }, "not-open"],
    ["a rejection", { ...complete, earlier: [...complete.earlier, { personId: 9, verdict: "reject" }] }, "rejected"],
    ["too late", { ...complete, now: 15 * minute }, "expired"],
    [
      "outside the hours there",
      { ...complete, policy: { ...complete.policy, shut: { hours: [["09:00-17:00 UTC"]], opensAt: undefined } } },
      "outside-hours",
    ],
    ["another digest", { ...complete, slash: { ...complete.slash, pinnedDigest: "1a2b3c4e" } }, "digest-mismatch"],
    ["their own", { ...complete, action: { ...complete.action, origin: "person", authorId: 7 } }, "author"],
    ["twice", { ...complete, earlier: [byLee] }, "already-counted"],
    ["beside others", { ...complete, slash: { ...complete.slash, alone: false } }, "not-alone"],
    ["by e-mail", { ...complete, slash: { ...complete.slash, unfit: "by-email" } }, "by-email"],
    ["edited", { ...complete, slash: { ...complete.slash, unfit: "edited" } }, "edited"],
    ["no reason", { ...complete, slash: { ...complete.slash, note: "" } }, "reason-missing"],
    ["no server", { ...complete, slash: { alone: true, note: "volume full" } }, "server-missing"],
    ["no passkey", { ...complete, policy: { ...complete.policy, passkey: "high" } }, "no-passkey"],
    ["no time to read", { ...complete, now: 1 }, "confirm"],
  ];

  test("SR-18 without any of them two people complete a high-risk action", () => {
    expect(codeOf(complete)).toBe("complete 2/2");
  });

  test.each(spoilt)("SR-18 %s is enough for no", (_what, question, code) => {
    expect(codeOf(question)).toBe(code);
  });

  test("SR-18 every refusal has its case", () => {
    expect([...new Set(spoilt.map(([, , code]) => code))].sort()).toEqual([...refusalCodes].sort());
  });
});

describe("whatever is asked", () => {
  /** Seven times of eight the plain value, so that many questions have one thing wrong and few everything. */
  const mostly = <T>(plain: T, ...odd: readonly T[]): fc.Arbitrary<T> =>
    fc.oneof({ weight: 7, arbitrary: fc.constant(plain) }, { weight: 1, arbitrary: fc.constantFrom(...odd) });
  const numbers = [Number.NaN, -1, 0, 1.5, 2, 4_999, 2 ** 53, Number.POSITIVE_INFINITY];
  const ids = [0, 7, 8, 9, Number.NaN];
  const level = fc.record({
    approvals: mostly(1, ...numbers),
    expiresMs: mostly(60 * minute, ...numbers),
    reason: fc.constantFrom("required" as const, "optional" as const),
    restateServer: fc.boolean(),
  });
  const questions: fc.Arbitrary<ApprovalQuestion> = fc.record({
    policy: fc.record({
      low: level,
      medium: level,
      high: level,
      manyServers: mostly(3, ...numbers),
      authorCounts: fc.constantFrom("none", ...risks),
      highPerHour: mostly<number | undefined>(5, undefined, ...numbers),
    }),
    roster: fc.record({
      teams: fc.subarray(["acme/oncall"]),
      users: fc.subarray([
        { id: 7, login: "lee" },
        { id: 0, login: "ghost" },
      ]),
      minRole: mostly<Role>("write", ...roles),
    }),
    standing: fc.record({
      person: fc.record({ id: mostly(7, ...ids), login: fc.constant("lee") }),
      type: mostly("User", "Bot", ""),
      role: mostly<Role>("write", ...roles),
      teams: fc.subarray(["acme/oncall", "acme/dev"]),
      viaApp: mostly(false, true),
    }),
    action: fc.record({
      risk: fc.constantFrom(...risks),
      place: fc.constantFrom("a", "web", ""),
      servers: fc.subarray(["a", "b", "c", "d"]),
      origin: fc.constantFrom("model", "offline", "person"),
      authorId: fc.constantFrom(undefined, ...ids),
      createdAt: mostly(0, Number.NaN),
      expiresAt: mostly(60 * minute, Number.NaN, 0),
      state: mostly("proposed", ...actionStates),
      digest: fc.constant("1a2b3c4d5e6f"),
    }),
    earlier: fc.array(fc.record({ personId: fc.constantFrom(...ids), verdict: mostly("approve", "reject") }), {
      maxLength: 3,
    }),
    slash: fc.record({
      alone: mostly(true, false),
      note: mostly("disk full", ""),
      restated: mostly<string | undefined>("a", "z", undefined),
    }),
    recentHigh: mostly<number | undefined>(0, undefined, ...numbers),
    now: mostly(minute, ...numbers),
  });

  test("SR-18 complete means a listed person of enough rights, in time, with as many others as policy wants", () => {
    let complete = 0;
    fc.assert(
      fc.property(questions, (question) => {
        const decision = decideApproval(question);
        if (decision.kind !== "complete") return;
        complete++;
        const { policy, roster: listed, standing, action, earlier, now } = question;
        const risk = effectiveRisk(action.risk, action.servers.length, policy.manyServers);
        if (risk === "block") throw new Error("a blocked command was approved");
        const people = new Set([...earlier.map(({ personId }) => personId), standing.person.id]);
        expect(rightsOf(listed, standing).approve && standing.type === "User" && !standing.viaApp).toBe(true);
        expect(["read", "triage", "write", "maintain", "admin"]).toContain(standing.role);
        expect([...people].filter((id) => id > 0).length).toBeGreaterThanOrEqual(Math.max(1, policy[risk].approvals));
        expect(earlier.every(({ verdict }) => verdict === "approve")).toBe(true);
        expect(action.state).toBe("proposed");
        expect(now < action.expiresAt && now < action.createdAt + policy[risk].expiresMs).toBe(true);
        expect(action.authorId === standing.person.id && policy.authorCounts === "none").toBe(false);
      }),
      { numRuns: 20_000 },
    );
    expect(complete).toBeGreaterThan(100);
  });
});

describe("a refusal", () => {
  const refused = (question: ApprovalQuestion): string => {
    const decision = decideApproval(question);
    return decision.kind === "refuse" ? `${decision.code}: ${decision.text}` : decision.kind;
  };
  const own = { ...base.action, origin: "person" as const, authorId: 7 };
  const pinned = (pinnedDigest: string): ApprovalQuestion => ({
    ...base,
    slash: { alone: true, note: "", pinnedDigest },
  });
  test.each<[string, ApprovalQuestion]>([
    ["blocked: this command never runs, even approved", { ...base, action: { ...base.action, risk: "block" } }],
    ["blocked: this command never runs, even approved", { ...base, action: { ...base.action, state: "blocked" } }],
    [
      "author: you wrote this command, so a medium-risk approval must come from somebody else",
      { ...base, action: { ...own, risk: "medium" } },
    ],
    ["already-counted: your approval already counts; another approver is needed", { ...high, earlier: [byLee] }],
    ["not-alone: a high-risk command needs a comment of its own", { ...high, slash: { ...high.slash, alone: false } }],
    [
      "rejected: this action was rejected, and one rejection is final",
      { ...base, action: { ...base.action, state: "rejected" } },
    ],
    ["expired: this action has expired; /retry proposes it again", { ...base, now: 60 * minute }],
    ["not-open: this action is running", { ...base, action: { ...base.action, state: "running" } }],
    ["not-open: this action has no server", { ...base, action: { ...base.action, servers: [] } }],
    ["digest-mismatch: the action is 1a2b3c4d, not 1a2b3c4e", pinned("1a2b3c4e")],
    ["digest-mismatch: the action is 1a2b3c4d, not 1a2b3c4d5e6f0", pinned("1a2b3c4d5e6f0")],
    ["digest-mismatch: the action is 1a2b3c4d, not 1a2b3c4", pinned("1a2b3c4")],
    [`digest-mismatch: the action is 1a2b3c4d, not ${"9".repeat(64)}`, pinned("9".repeat(70))],
    ["server-missing: name the server again: web-1", { ...high, slash: { alone: true, note: "volume full" } }],
    [
      "reason-missing: a reason is needed after the server's name",
      { ...high, slash: { alone: true, note: "…", restated: "web-1" } },
    ],
    [
      "confirm: this came within 5 seconds of the card; read it and approve again",
      { ...high, action: { ...high.action, createdAt: minute - 4_999 } },
    ],
    ["confirm: more than 5 high-risk approvals in an hour; confirm this one", { ...high, recentHigh: 5 }],
    ["confirm: more than 5 high-risk approvals in an hour; confirm this one", { ...high, recentHigh: undefined }],
  ])("says what is wrong and what would be right: %s", (words, question) => {
    expect(refused(question)).toBe(words);
  });

  test("SR-57 is none five seconds after the card, below the number of an hour, or where policy has no number", () => {
    const { highPerHour: _, ...unlimited } = base.policy;
    const rested = { ...high, action: { ...high.action, createdAt: minute - 5_000 } };
    for (const question of [rested, { ...high, recentHigh: 4 }, { ...high, policy: unlimited, recentHigh: 9 }])
      expect(codeOf(question)).toBe("counted 1/2");
  });

  test("SR-18 the author's limit holds for its level and below, none of nobody's, and never for a block", () => {
    const may = (authorCounts: ApprovalQuestion["policy"]["authorCounts"], risk: (typeof risks)[number]) =>
      countsTowards(7, { ...own, risk }, { ...base.policy, authorCounts });
    const table = (["none", ...risks] as const).map((limit) => risks.map((risk) => may(limit, risk)));
    expect(table).toEqual([
      [false, false, false, false],
      [true, false, false, false],
      [true, true, false, false],
      [true, true, true, false],
      [true, true, true, false],
    ]);
  });
});
