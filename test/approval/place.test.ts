import { describe, expect, it } from "vitest";
import { decideApproval } from "../../src/approval/authorize.ts";
import { peopleNeeded } from "../../src/approval/need.ts";
import {
  type ActionPlace,
  type PlaceRule,
  peopleOf,
  placeTable,
  policyFor,
  rulesAt,
  sameRules,
  teamsOf,
  whyNobody,
} from "../../src/approval/place.ts";
import { type DispatchQuestion, decideDispatch } from "../../src/approval/preflight.ts";
import { listsOf, type PersonStanding, rightsOf } from "../../src/approval/rights.ts";
import type { RunbookDemand } from "../../src/base/action.ts";
import { isOpenAt } from "../../src/base/hours.ts";
import { isStricter } from "../../src/base/risk.ts";
import { fc } from "../harness/chance.ts";

const minute = 60_000;
const noon = new Date("2026-03-27T12:00:00Z");
const teams = ["acme/oncall", "acme/dba", "acme/web"];
const people = [1, 2, 3, 4, 5].map((id) => ({ id, login: `p${id}` }));
const general = {
  approvers: { teams, users: people, minRole: "write" as const },
  low: { approvals: 1, expiresMs: 60 * minute },
  medium: { approvals: 1, expiresMs: 60 * minute },
  high: { approvals: 2, expiresMs: 15 * minute, reason: "required" as const, restateServer: true },
  manyServers: 3,
  authorCounts: "low" as const,
};
const place = (name: string, groups: readonly string[] = [], more: Partial<ActionPlace> = {}): ActionPlace => ({
  name,
  groups,
  isCluster: false,
  ...more,
});
const db = place("db-1", ["db", "prod"]);
const web = place("web-1", ["web", "prod"]);
const cluster = (namespace?: string) => place("k8s", ["prod"], { isCluster: true, namespace });

describe("which rules match", () => {
  const named = (rule: PlaceRule, ...places: readonly ActionPlace[]): boolean => rulesAt([rule], places).length > 0;

  it.each<[string, PlaceRule, ActionPlace, boolean]>([
    ["a server by its name", { servers: ["db-1"] }, db, true],
    ["a server by its group, among servers", { servers: ["db"] }, db, true],
    ["a group", { groups: ["prod"] }, web, true],
    ["a server named as a group", { groups: ["db-1"] }, db, false],
    ["another server", { servers: ["db-1"], groups: ["db"] }, web, false],
    ["a source", { sources: ["prom"] }, place("prom"), true],
    ["a cluster", { clusters: ["k8s"] }, cluster("shop"), true],
    ["a namespace", { clusters: ["k8s"], namespaces: ["shop"] }, cluster("shop"), true],
    ["another namespace", { clusters: ["k8s"], namespaces: ["shop"] }, cluster("blog"), false],
    ["a command that may reach each namespace", { clusters: ["k8s"], namespaces: ["shop"] }, cluster(), true],
    ["a host beside a cluster in a rule with namespaces", { groups: ["prod"], namespaces: ["shop"] }, web, true],
    ["a server that is not known any more", { servers: ["db-1"] }, place("gone", [], { groups: undefined }), true],
  ])("SR-18 %s", (_what, rule, where, is) => expect(named(rule, where)).toBe(is));

  it("SR-18 of a group all rules of its members hold at once", () => {
    const rules: readonly PlaceRule[] = [
      { servers: ["db"], approvers: { teams: ["acme/dba"], users: [] }, high: { approvals: 3 } },
      { groups: ["web"], low: { approvals: 2 }, maxRisk: "medium", hours: ["09:00-17:00 UTC"] },
      { servers: ["other"], low: { approvals: 9 } },
    ];
    const both = policyFor({ ...general, for: rules }, { places: [db, web] }, noon);
    expect(both.rules).toEqual(rules.slice(0, 2));
    expect([both.low.approvals, both.medium.approvals, both.high.approvals, both.maxRisk]).toEqual([2, 1, 3, "medium"]);
    expect(listsOf(both.approvers)).toEqual([{ teams: ["acme/dba"], users: [] }]);
    expect([both.hours, both.shut]).toEqual([[["09:00-17:00 UTC"]], undefined]);
    const evening = (risk?: "low" | "medium" | "high") =>
      policyFor({ ...general, for: rules }, { places: [web], risk }, new Date("2026-03-27T17:00Z"));
    const shut = { hours: [["09:00-17:00 UTC"]], opensAt: new Date("2026-03-28T09:00Z") };
    // A read waits for no hours, but for as many people; what is not known to be one does.
    expect([evening("low").shut, evening("medium").shut, evening("high").shut, evening().shut]).toEqual([
      undefined,
      shut,
      shut,
      shut,
    ]);
    expect([evening("low").low.approvals, evening("low").hours]).toEqual([2, [["09:00-17:00 UTC"]]]);
  });

  it("SR-18 without a rule or a demand the general policy holds as it is", () => {
    const { low, medium, high, approvers, shut, maxRisk } = policyFor({ ...general, for: [] }, { places: [db] }, noon);
    expect({ low, medium, high, approvers }).toEqual({
      low: general.low,
      medium: general.medium,
      high: general.high,
      approvers: general.approvers,
    });
    expect([shut, maxRisk]).toEqual([undefined, "high"]);
  });

  it("SR-23 rules are those of the digest in whatever order, and no more or less", () => {
    const [one, other]: readonly PlaceRule[] = [
      { servers: ["a"], maxRisk: "low" },
      { servers: ["b"], maxRisk: "low" },
    ];
    if (!one || !other) throw new Error("there are two");
    expect(sameRules([one, other], [structuredClone(other), one])).toBe(true);
    expect([sameRules([one], undefined), sameRules([], [one]), sameRules([one], [other])]).toEqual([
      false,
      false,
      false,
    ]);
    expect(sameRules([], undefined)).toBe(true);
  });
});

describe("who is in all lists", () => {
  it("SR-17 names the list that a person is not in", () => {
    const roster = { ...general.approvers, also: [{ teams: ["acme/dba"], users: [] }] };
    const lee = { person: { id: 1, login: "p1" }, type: "User", role: "write", teams: ["acme/oncall"], viaApp: false };
    expect(rightsOf(roster, lee as PersonStanding).missing).toBe("only acme/dba may");
    expect(rightsOf(roster, { ...lee, teams: ["acme/dba"] } as PersonStanding).approve).toBe(true);
    expect(rightsOf({ ...roster, also: [{ teams: [], users: [] }] }, lee as PersonStanding).missing).toBe(
      "only nobody may",
    );
  });

  it("SR-17 knows the people of lists without a team, and asks GitHub for all teams", () => {
    expect(peopleOf(general.approvers)).toBeUndefined();
    const also = [
      { teams: [], users: people.slice(0, 3) },
      { teams: [], users: people.slice(1, 4) },
      { teams, users: [] },
    ];
    const agents = { apps: [], users: [people[2] ?? { id: 0, login: "" }] };
    expect(peopleOf({ ...general.approvers, also, proposers: agents })?.map(({ id }) => id)).toEqual([2]);
    const rules = [{ servers: ["a"], approvers: { teams: ["acme/night", "acme/web"], users: [] } }, { servers: ["b"] }];
    expect(
      teamsOf({ approvers: general.approvers, for: rules }, [{ approvers: ["acme/shop"] }, { approvals: 2 }]),
    ).toEqual([...teams, "acme/night", "acme/shop"]);
  });

  it("SR-17 tells who can approve what where, and where nobody can", () => {
    const rules: readonly PlaceRule[] = [
      { servers: ["db"], approvers: { teams: [], users: people.slice(0, 1) } },
      { clusters: ["k8s"], namespaces: ["shop"], maxRisk: "medium", hours: ["09:00-17:00 UTC"] },
      { clusters: ["k8s"], namespaces: ["shop"], hours: ["17:00-09:00 UTC"] },
    ];
    const table = placeTable(
      { ...general, for: rules },
      [db, web, { ...cluster(), namespaces: ["*"] }, { ...place("k9s", [], { isCluster: true }), namespaces: ["*"] }],
      noon,
    );
    expect(table.map(({ names, policy }) => [names, whyNobody(policy, noon)])).toEqual([
      [["db-1"], ["high risk: it takes 2, and only p1 may approve"]],
      [["web-1", "k8s · other namespaces", "k9s"], []],
      [["k8s · shop"], ["medium risk: 09:00-17:00 UTC and 17:00-09:00 UTC are never open together"]],
    ]);
    const nobody = policyFor(
      { ...general, for: [{ servers: ["db"], approvers: { teams: [], users: [] } }] },
      { places: [db] },
      noon,
    );
    expect(whyNobody(nobody, noon)).toEqual(["low, medium, high risk: it takes 1, and nobody may approve"]);
  });
});

describe("whatever the rules", () => {
  // A rule may name people whom the general list does not, and then nobody gains by it.
  const bounded = {
    ...general,
    approvers: { ...general.approvers, teams: teams.slice(0, 2), users: people.slice(0, 3) },
  };
  const subset = <T>(all: readonly T[]) => fc.subarray([...all]);
  const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const level = optional(
    fc.record({
      approvals: optional(fc.integer({ min: 1, max: 4 })),
      reason: optional(fc.constant("required" as const)),
      restateServer: optional(fc.constant(true)),
    }),
  );
  const hours = fc.constantFrom(
    "09:00-17:00 Europe/Berlin",
    "Mon-Fri 00:00-24:00 UTC",
    "22:00-06:00 UTC",
    "Sat 10:00-12:00 UTC",
  );
  const rule: fc.Arbitrary<PlaceRule> = fc.record({
    servers: subset(["db-1", "web-1", "db", "prod"]),
    groups: subset(["web", "prod"]),
    clusters: subset(["k8s"]),
    namespaces: subset(["shop", "blog"]),
    approvers: optional(fc.record({ teams: subset(teams), users: subset(people) })),
    low: level,
    medium: level,
    high: level,
    maxRisk: optional(fc.constantFrom("low" as const, "medium" as const, "high" as const)),
    hours: fc.array(hours, { maxLength: 2 }),
  });
  const demand: fc.Arbitrary<RunbookDemand> = fc.record({
    approvals: optional(fc.integer({ min: 1, max: 3 })),
    approvers: optional(fc.subarray([...teams], { minLength: 1 })),
  });
  const where = fc.uniqueArray(fc.constantFrom(db, web, cluster("shop"), cluster("blog"), cluster()), {
    minLength: 1,
    maxLength: 3,
  });
  const someone = fc.record({ id: fc.constantFrom(1, 2, 3, 4, 5, 6), teams: subset(teams) });
  const approval = fc.record({ by: someone, note: fc.constantFrom("", "disk full"), names: fc.boolean() });
  const story = fc.record({
    rules: fc.array(rule, { maxLength: 4 }),
    demands: fc.array(demand, { maxLength: 2 }),
    places: where,
    risk: fc.constantFrom("low" as const, "medium" as const, "high" as const),
    at: fc.integer({ min: 0, max: 7 * 24 * 60 }).map((minutes) => new Date(noon.getTime() + minutes * minute)),
    approvals: fc.array(approval, { maxLength: 6 }),
  });
  type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

  /** Counts the approvals as the bot does; whether the last of them completes it. */
  function play({ rules, demands, places, risk, at, approvals }: Story): boolean {
    const policy = policyFor({ ...bounded, for: rules }, { places, demands, risk }, at);
    if (isStricter(policy.maxRisk, risk)) return false;
    const servers = [...new Set(places.map(({ name }) => name))];
    const earlier: { personId: number; verdict: "approve" }[] = [];
    for (const { by, note, names } of approvals) {
      const decision = decideApproval({
        policy,
        roster: policy.approvers,
        standing: {
          person: { id: by.id, login: `p${by.id}` },
          type: "User",
          role: "write",
          teams: by.teams,
          viaApp: false,
        },
        action: {
          ...{ risk, place: servers.join(","), servers, origin: "model", state: "proposed", digest: "1a".repeat(32) },
          ...{ createdAt: at.getTime() - minute, expiresAt: at.getTime() + 5 * minute },
        },
        earlier,
        slash: { alone: true, note, restated: names ? servers.join(",") : undefined },
        now: at.getTime(),
      });
      if (decision.kind === "complete") return true;
      if (decision.kind === "counted") earlier.push({ personId: by.id, verdict: "approve" });
    }
    return false;
  }

  /** What each rule wants by itself, told from its text alone. */
  function whoSatisfies({ rules, demands, places, risk, at, approvals }: Story): boolean {
    const hit = rules.filter((rule) =>
      places.some(({ name, groups = [], isCluster, namespace }) => {
        const names = [...(rule.servers ?? []), ...(rule.clusters ?? [])];
        const isIn = names.includes(name) || groups.some((g) => names.includes(g) || rule.groups?.includes(g));
        const { namespaces = [] } = rule;
        return (
          isIn && (!isCluster || namespace === undefined || namespaces.length === 0 || namespaces.includes(namespace))
        );
      }),
    );
    const levels = [
      bounded[risk],
      ...hit.flatMap((rule) => rule[risk] ?? []),
      ...demands.map(({ approvals: n }) => ({ approvals: n })),
    ];
    const lists = [
      bounded.approvers,
      ...hit.flatMap((rule) => rule.approvers ?? []),
      ...demands.flatMap((one) => (one.approvers ? [{ teams: one.approvers, users: [] }] : [])),
    ];
    if (hit.some((rule) => rule.maxRisk !== undefined && isStricter(rule.maxRisk, risk))) return false;
    if (risk !== "low" && hit.some((rule) => rule.hours?.length && !isOpenAt(rule.hours, at))) return false;
    const needsReason = levels.some((one) => "reason" in one && one.reason === "required");
    const needsName = levels.some((one) => "restateServer" in one && one.restateServer === true);
    // A person counts by the first comment that counts.
    const good = approvals.filter(
      ({ by, note, names }) =>
        (!needsReason || note !== "") &&
        (!needsName || names) &&
        lists.every(
          (list) => list.users.some(({ id }) => id === by.id) || list.teams.some((team) => by.teams.includes(team)),
        ),
    );
    const needed = Math.max(...levels.map((one) => one.approvals ?? 1));
    return new Set(good.map(({ by }) => by.id)).size >= needed;
  }

  it("SR-18 nothing is approved by less than any matching rule wants, and what all rules allow is", {
    tags: ["long"],
  }, () => {
    let approved = 0;
    fc.assert(
      fc.property(story, (given) => {
        const is = play(given);
        if (is) approved += 1;
        expect(is).toBe(whoSatisfies(given));
      }),
      { numRuns: 5_000 },
    );
    // A property that never sees an approval would hold for a bot that refuses all.
    expect(approved).toBeGreaterThan(200);
  });

  it("SR-18 a further rule or demand never makes less of what is needed", () => {
    fc.assert(
      fc.property(story, rule, demand, (given, more, asked) => {
        const before = policyFor({ ...bounded, for: given.rules }, given, given.at);
        const subject = { ...given, demands: [...given.demands, asked] };
        const after = policyFor({ ...bounded, for: [...given.rules, more] }, subject, given.at);
        const action = { risk: given.risk, servers: given.places.map(({ name }) => name) };
        expect(peopleNeeded(action, after)).toBeGreaterThanOrEqual(peopleNeeded(action, before));
        expect(isStricter(before.maxRisk, after.maxRisk)).toBe(false);
        if (before.shut) expect(after.shut).toBeDefined();
        for (const { by } of given.approvals) {
          const standing = {
            person: { id: by.id, login: "" },
            type: "User",
            role: "write" as const,
            teams: by.teams,
            viaApp: false,
          };
          if (rightsOf(after.approvers, standing).approve)
            expect(rightsOf(before.approvers, standing).approve).toBe(true);
        }
      }),
    );
  });

  it("SR-24 the last look sends nothing with fewer approvals than the rules want now", () => {
    const policy = policyFor(
      { ...general, for: [{ servers: ["db-1"], low: { approvals: 2 } }] },
      { places: [db] },
      noon,
    );
    const needed = peopleNeeded({ risk: "low", servers: ["db-1"] }, policy);
    const digest = "1a".repeat(32);
    const one = {
      ...{ personId: 1, digest, counts: true, byLease: false, comment: { unchanged: true, approves: true } },
      ...{ sinceClosing: true, mayApprove: true, proved: false, fresh: true },
    };
    const question: DispatchQuestion = {
      action: {
        ...{
          state: "approved",
          digest,
          digestNow: digest,
          expiresAt: new Date(noon.getTime() + minute),
          raised: undefined,
        },
        ...{ serverUnchanged: true, rulesUnchanged: true, placeRulesUnchanged: true },
      },
      ...{ before: "none", guard: undefined, incident: { open: true }, stopped: undefined, storeIsCurrent: true },
      issue: { open: true, sameRepository: true, sameName: true, installed: true, sameIssue: true, asPrivate: true },
      ...{ executes: true, needed, shut: undefined, passkey: false, lease: undefined, now: noon },
      approvals: [one],
      card: { asWeWroteIt: true, untouched: true, showsIt: true },
    };
    expect(decideDispatch(question)).toMatchObject({ kind: "reopen", code: "too-few" });
    expect(decideDispatch({ ...question, approvals: [one, { ...one, personId: 2 }] }).kind).toBe("go");
  });
});
