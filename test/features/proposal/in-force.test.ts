import { beforeAll, describe, expect, it, vi } from "vitest";
import { loadRepoContext } from "../../../src/features/context.ts";
import { checkDispatch } from "../../../src/features/run/check-dispatch.ts";
import { placeRules } from "../../../src/features/turn/prompt.ts";
import { actionsOf } from "../../../src/store/actions.ts";
import { auditOf } from "../../../src/store/audit/chain.ts";
import { incidentOf } from "../../../src/store/incidents.ts";
import { leaseOf } from "../../../src/store/leases.ts";
import { batchOf } from "../../../src/store/runs.ts";
import { repo } from "../../harness/playground.ts";
import { actionIn, cardOf, incidentIn, type Proposed, proposing, statesOf, useStage } from "../../harness/stage.ts";
import { operatorHand } from "../run/last-look-ground.ts";
import { leaveBehind } from "../run/left-behind.ts";

const minuteMs = 60_000;
const done = { text: "LIKELY, see the results: nothing more to do." };
/** Hours by UTC that begin and end so many minutes from now. */
const hoursFrom = (from: number, until: number): string => {
  const clock = (minutes: number) => new Date(Date.now() + minutes * minuteMs).toISOString().slice(11, 16);
  return `${clock(from)}-${clock(until)} UTC`;
};
const shut = hoursFrom(120, 180);
const open = hoursFrom(-30, 30);
const later = hoursFrom(300, 360);

const rules = [
  {
    servers: ["db-1"],
    approvers: { teams: ["acme/dba"] },
    ...{ low: { approvals: 2 }, medium: { approvals: 2 }, max_risk: "medium" },
  },
  { servers: ["vault-1"], hours: shut },
  { groups: ["bank"], hours: [open, later] },
];
const skill = [
  ...["---", "name: rotate-keys", 'description: "Keys must be rotated. Use when KeysOld fires."', "approvals: 2"],
  ...["approvers: [acme/vault]", "---", "", "## Act", "", "```sh", "touch /var/keys/<file>", "hostname", "```", ""],
].join("\n");

beforeAll(() => void vi.stubEnv("TEST_MODEL_KEY", "sk-test-0123456789abcdef"));
const stage = useStage(() => ({
  people: [
    { login: "kim", role: "write" },
    { login: "val", role: "write" },
  ],
  teams: { dba: ["mona", "kim"], vault: ["lee", "val"] },
  beside: {
    "db-1": { groups: ["prod"] },
    "shop-1": { groups: ["prod"] },
    "vault-1": {},
    "bank-1": { groups: ["bank"] },
  },
  files: {
    "AGENTS.md": "# Web\n",
    ".github/countersign/rules.md": "Be brief.\n",
    ".github/skills/rotate-keys/SKILL.md": skill,
  },
  config: {
    agent: { turns_per_person_per_hour: 1_000 },
    policy: {
      approvers: { teams: ["acme/oncall", "acme/dba", "acme/vault"] },
      for: rules,
      lease: { allowed: true, servers: ["web-1", "db-1", "vault-1"] },
    },
  },
}));

const on = (server: string, command = "uptime"): Proposed => ({ command, server });
const why = (text: string) => expect.stringContaining(text);

describe("who may approve what where", () => {
  it("SR-18 SR-17 a card names the people of each place; the wrong one is told the team, and db takes two approvals while web takes one", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident(on("web-1"), on("db-1"));
    const { body } = await cardOf(thread, 1);
    expect(body).toContain("`/approve 1` · one approver, anyone in `acme/oncall`, `acme/dba`, `acme/vault` · until");
    expect(body).toContain("`/approve 2` · two approvers, anyone in `acme/dba` · until");
    expect(body).toMatch(/📣 @acme\/oncall @acme\/dba @acme\/vault$/m);
    const sent = await stage.sent(async () => {
      await stage.expectRefusal(thread, "lee", "/approve 2", [
        "Nothing was run. **2** is not approved: on `db-1` it takes people in `acme/dba`, and you are not one of them. Ask one of them.",
      ]);
      await stage.expectReply(thread, "kim", "/approve 2", [
        "**2**: 1 of 2 approvals (`@kim`), not run yet. Needs one more approver, anyone in `acme/dba`, until",
      ]);
    });
    expect(sent).toBe(0);
    expect(await stage.sent(() => stage.ask(thread, "lee", "/approve 1", done))).toBe(1);
    expect(await stage.sent(() => stage.ask(thread, "mona", "/approve 2", done))).toBe(1);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "done" });
  });

  it("SR-18 a group needs what any of its members needs, and the lowest risk of them", async () => {
    const thread = await stage.incident(on("prod"), on("prod", "rm -r /srv/app/cache/old"));
    const { body } = await cardOf(thread, 1);
    expect(body).toContain("two approvers, anyone in `acme/dba`");
    expect(body).toMatch(/\*why high:\* a rule for prod allows medium risk at most|\*why blocked:\*/);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "blocked" });
    await stage.expectRefusal(thread, "lee", "/approve 1", "on `prod` it takes people in `acme/dba`");
  });

  it("SR-18 outside the hours only reads are approved, and the answer says when they begin; /reject goes on", {
    tags: ["long"],
  }, async () => {
    const change = "touch /srv/a";
    const thread = await stage.incident(on("vault-1", "df -h"), on("vault-1", change), on("vault-1", "touch /srv/b"));
    const { body } = await cardOf(thread, 1);
    // It says the hours and not whether they are open, so it stays true when they open or close.
    expect(body).toContain(
      `\`/approve 2 3\` · one approver, anyone in \`acme/oncall\`, \`acme/dba\`, \`acme/vault\` · within \`${shut}\` · until`,
    );
    expect(body).toMatch(/`\/approve 1` · one approver, anyone in [^·]* · until/);
    expect((await cardOf(await stage.incident(on("bank-1", change)), 1)).body).toContain(
      `· within \`${open}\` or \`${later}\` · until`,
    );
    const opens = new RegExp(
      `only reads are approved outside \`${shut}\`\\. It opens at \\d{4}-\\d\\d-\\d\\d ${shut.slice(0, 5)}Z: comment \`/approve 2\` then\\.`,
    );
    await stage.expectRefusal(thread, "lee", "/approve 2", [
      "Nothing was run. **2** is not approved: on `vault-1`",
      opens,
    ]);
    // A read waits for nobody: neither the agent's nor one that an approver writes, whose own comment approves it.
    expect(await stage.sent(() => stage.ask(thread, "lee", "/approve 1", done))).toBe(1);
    expect(await stage.sent(() => stage.ask(thread, "lee", "/run vault-1\n```\nfree -m\n```", done))).toBe(1);
    expect((await stage.ask(thread, "lee", "/explain 2")).said.join()).toContain(`within \`${shut}\``);
    await stage.expectDone(thread, "lee", "/reject 3 not now", []);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "proposed", 3: "rejected", 4: "done" });
  });

  it("SR-17 /status and /whoami name the people, numbers and hours of each place", async () => {
    const thread = await stage.incident(on("web-1"));
    const db = "on `db-1`: anyone in `acme/dba` · approvals: low 2, medium 2 · medium risk at most";
    const { said } = await stage.ask(thread, "lee", "/status");
    expect(said.join()).toContain(`- ${db}`);
    expect(said.join()).toContain(
      `- on \`vault-1\`: anyone in \`acme/oncall\`, \`acme/dba\`, \`acme/vault\` · approvals: low 1, medium 1, high 2 · medium, high within \`${shut}\``,
    );
    expect((await stage.ask(thread, "lee", "/whoami")).said.join()).toContain(`- ❌ approve ${db}`);
    expect((await stage.ask(thread, "kim", "/whoami")).said.join()).toContain(`- ✅ approve ${db}`);
  });

  it("AR-03 a lease gives no server whose rules its giver does not meet; hours keep no read from it", async () => {
    const thread = await stage.incident(on("web-1"));
    await stage.expectRefusal(thread, "lee", "/lease 10m db-1", "No lease on db-1: only acme/dba may.");
    await stage.expectRefusal(thread, "mona", "/lease 10m web-1 db-1", "on db-1: low risk takes 2 approvals here");
    stage.model.play(done);
    const { said } = await stage.ask(thread, "lee", "/auto on");
    expect(said.join()).toMatch(/`web-1`.*`vault-1`/);
    expect(said.join()).not.toMatch(/`db-1`/);
    await stage.ask(thread, "lee", "/lease off");
  });
});

describe("a lease whose giver may not approve there any more", () => {
  it("AR-03 SR-24 ends with the first read that it lets through no more, said once; the reads are left to people", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident(on("web-1"));
    await stage.ask(thread, "kim", "/lease 10m vault-1");
    stage.github.setRole("kim", "read", repo);
    const asked = { text: proposing("LIKELY: looking.", on("vault-1", "df -h"), on("vault-1", "free -m")).text };
    expect(await stage.sent(() => stage.ask(thread, "lee", "/ask look", asked))).toBe(0);
    stage.github.setRole("kim", "write", repo);
    const said = async () => (await thread.comments()).map(({ body }) => body);
    const why = "**The lease has ended**: kim, who gave it, may not approve on vault-1 any more.";
    expect((await said()).filter((body) => body.includes(why))).toHaveLength(1);
    expect((await said()).find((body) => body.includes(why))).toContain("To go on: `/approve 1 2 3`");
    const { db } = stage.bot.deps.store;
    const withdrawn = async () =>
      (await auditOf(db, (await incidentIn(db, thread.number)).id, "approval_withdrawn")).length;
    const before = await withdrawn();
    await stage.ask(thread, "lee", "/ask and now?", done);
    expect([before, await withdrawn(), await leaseOf(db, (await incidentIn(db, thread.number)).id)]).toEqual([
      2,
      2,
      expect.objectContaining({ offWhy: expect.stringContaining("may not approve on vault-1") }),
    ]);
  });
});

describe("what the agent is told of it", () => {
  it("PA-5 names what each place with rules asks, in a line each, and nothing without rules", async () => {
    const { rules: now } = await loadRepoContext(
      stage.bot.deps,
      await incidentIn(stage.bot.deps.store.db, (await stage.incident(on("web-1"))).number),
    );
    const { db, vault } = { db: "On db-1: anyone in acme/dba", vault: "On vault-1: anyone in" };
    const lines = placeRules(now, new Date());
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe(`${db} · approvals: low 2, medium 2 · medium risk at most`);
    expect(lines[1]).toBe(
      `${vault} acme/oncall, acme/dba, acme/vault · approvals: low 1, medium 1, high 2 · medium, high within ${shut}`,
    );
    expect(placeRules({ ...now, policy: { ...now.policy, for: [] } }, new Date())).toEqual([]);
    await stage.incident(on("web-1"));
    const [system] = stage.model.requests.at(-1)?.body.messages ?? [];
    expect(system?.content).toContain(`Some places ask for more. ${lines.join(". ")}.`);
  });
});

describe("what a skill asks for its commands", () => {
  it("SR-18 counts whoever proposes them, beside policy and never below it", { tags: ["long"] }, async () => {
    const thread = await stage.incident(on("web-1", "hostname"), on("web-1", "touch /var/keys/a"), on("web-1"));
    const { body } = await cardOf(thread, 1);
    // The second is the skill's too, with its place filled by the model.
    expect(body).toContain("`/approve 1 2` · two approvers, anyone in `acme/vault`");
    expect(body).toContain("`/approve 3` · one approver");
    await stage.expectRefusal(thread, "mona", "/approve 2", "on `web-1` it takes people in `acme/vault`");
    await stage.expectRefusal(thread, "mona", "/approve 1", "on `web-1` it takes people in `acme/vault`");
    await stage.expectReply(thread, "val", "/approve 1", "Needs one more approver, anyone in `acme/vault`");
    expect(await stage.sent(() => stage.ask(thread, "lee", "/approve 1", done))).toBe(1);
    const { db } = stage.bot.deps.store;
    expect((await actionIn(db, thread.number)).spec.demands).toEqual([{ approvals: 2, approvers: ["acme/vault"] }]);
    // What a person makes of it keeps the demand.
    await stage.ask(thread, "lee", "/retry 1");
    await stage.expectRefusal(thread, "mona", "/approve 4", "on `web-1` it takes people in `acme/vault`");
  });
});

describe("between the approval and the command", () => {
  /** Approved by lee, who may, and about to be sent. */
  async function approvedOn(server: string, command = "uptime") {
    const thread = await stage.incident(on(server, command));
    const left = await leaveBehind(stage, thread, { numbers: [1] });
    const { deps } = stage.bot;
    const batch = await batchOf(deps.store.db, left.batchId);
    const [action] = await actionsOf(deps.store.db, batch.incidentId);
    if (!action) throw new Error("an incident of the stage has an action");
    const repoContext = await loadRepoContext(deps, await incidentOf(deps.store.db, batch.incidentId));
    const lookAfter = (minutes: number) => {
      const now = () => new Date(deps.now().getTime() + minutes * minuteMs);
      return checkDispatch({ ...stage.bot.deps, now }, repoContext, { action, batch });
    };
    return { thread, left, action, lookAfter };
  }

  it("SR-24 SR-18 hours that end meanwhile let nothing be sent: it is open again", async () => {
    const { lookAfter, left } = await approvedOn("bank-1", "touch /srv/a");
    const { lookAfter: lookAtRead } = await approvedOn("bank-1");
    expect(await lookAfter(0)).toMatchObject({ kind: "go" });
    expect(await lookAtRead(45)).toMatchObject({ kind: "go" });
    expect(await lookAfter(45)).toMatchObject({
      kind: "reopen",
      code: "outside-hours",
      reason: why(`outside ${open} or`),
    });
    stage.model.play(done);
    expect(await stage.sent(left.serve)).toBe(1);
  });

  it("SR-24 SR-23 a rule of its place that changes meanwhile makes it void, and another place's does not", {
    tags: ["long"],
  }, async () => {
    const { reload } = operatorHand(stage.bot);
    const changed =
      (index: number, more: object) => (same: { readonly policy: Readonly<Record<string, unknown>> }) => ({
        ...same,
        policy: { ...same.policy, for: rules.map((rule, at) => (at === index ? { ...rule, ...more } : rule)) },
      });
    const waiting = await stage.incident(on("bank-1"));
    const { lookAfter, left, action, thread } = await approvedOn("bank-1");
    expect(action.spec.placeRules).toMatchObject([{ groups: ["bank"], hours: [open, expect.any(String)] }]);
    reload(changed(0, { high: { approvals: 3 } }) as never);
    expect(await lookAfter(0)).toMatchObject({ kind: "go" });
    reload(changed(2, { approvers: { teams: ["acme/oncall"] }, low: { approvals: 2 } }) as never);
    expect(await lookAfter(0)).toMatchObject({ kind: "end", code: "place-rules-changed", to: "void" });
    expect(await stage.sent(left.serve)).toBe(0);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "void" });
    const said = (await thread.comments()).map(({ body }) => body).join("\n");
    expect(said).toContain("the rules that say who may approve it there (policy.for) have changed since");
    // What waits is not approved in vain: it is void at once, and proposed again by the new rules.
    await stage.expectRefusal(waiting, "val", "/approve 1", [
      /^Nothing was run\. \*\*1\*\* is void: the rules of .*policy\.for.* for its place have changed since it was proposed\. To propose it again: `\/retry 1`/,
    ]);
    await stage.ask(waiting, "val", "/retry 1");
    await stage.expectRefusal(waiting, "val", "/approve 2", "on `bank-1` it takes people in `acme/oncall`");
    await stage.expectReply(waiting, "mona", "/approve 2", "1 of 2 approvals");
    expect(await stage.sent(() => stage.ask(waiting, "lee", "/approve 2", done))).toBe(1);
    reload();
  });

  it("SR-24 F-39 an approver of the place who has left its team is none", async () => {
    const { lookAfter } = await approvedOn("web-1");
    expect(await lookAfter(0)).toMatchObject({ kind: "go" });
    const { lookAfter: lookOnDb } = await approvedOn("db-1");
    expect(await lookOnDb(0)).toMatchObject({ kind: "reopen", code: "rights-lost" });
  });
});
