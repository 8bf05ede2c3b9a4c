import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Deps, loadRepoContext, type RepoContext } from "../../../src/features/context.ts";
import { draftAction } from "../../../src/features/proposal/draft.ts";
import { leaseDecisionOn, leasedBy, startLeased } from "../../../src/features/proposal/lease.ts";
import { checkDispatch } from "../../../src/features/run/check-dispatch.ts";
import { enqueueTurn } from "../../../src/features/turn/turn.ts";
import type { Facts } from "../../../src/github/facts.ts";
import { type Action, actionsOf, digestOf, moveAction } from "../../../src/store/actions.ts";
import { incidentOf, lockIncident } from "../../../src/store/incidents.ts";
import { leaseOf, spendLease } from "../../../src/store/leases.ts";
import { incident as sure } from "../../harness/playground.ts";
import { auditOf, cardOf, incidentIdOf, proposing, startStage, statesOf } from "../../harness/stage.ts";
import { useStarted } from "../../harness/use-started.ts";
import { saying } from "../../ssh/fake-host.ts";
import { usePlaces } from "../../store/use-places.ts";

const here = await usePlaces("opening leases on a PostgreSQL server");
const minute = 60_000;
const restart = "systemctl restart nginx";
const done = { text: "CONFIRMED by 1: nothing more to do." };
const opening = { servers: ["web-1"], max_time: "30m", max_commands: 3 };

describe.each(here)("AR-03 an incident that begins with a lease ($kind)", ({ create }) => {
  const stage = useStarted(async () =>
    startStage({ storeUrl: await create(), config: { policy: { lease: { opening } } } }),
  );
  const issue = (thread: { number: number }, change: object) =>
    stage.github.as("mona")("PATCH", `/repos/acme/web/issues/${thread.number}`, change);
  const boardOf = async (thread: Awaited<ReturnType<typeof stage.incident>>): Promise<string> =>
    (await thread.comments()).find(({ body }) => body.includes("Board of this incident"))?.body ?? "";
  const ranWith = (part: string) => stage.ran().filter((line) => line.includes(part)).length;

  it("AR-03 runs the agent's reads without a comment; the file's hash stands in digest, approval and audit, and changes wait", async () => {
    const before = ranWith("uptime");
    stage.model.play(
      proposing("LIKELY by 2: restart.", restart, "uptime"),
      proposing("LIKELY: on.", "uptime", restart),
      done,
    );
    const first = await stage.opened({ title: "It is slow" });
    await stage.quiet();
    expect(await statesOf(stage, first.number)).toMatchObject({ 1: "proposed", 2: "proposed" });
    const thread = await stage.opened({ title: "It is slow again" });
    await stage.quiet();
    expect(ranWith("uptime") - before).toBe(1);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 1: "done", 2: "proposed" });
    expect((await cardOf(thread, 1)).body).toContain("🤖 lease");
    expect(await boardOf(thread)).toMatch(
      / · 🤖 lease by the operator's file until \d\d:\d\dZ, 1 of 3 commands used, `\/lease off`/,
    );
    const { db } = stage.bot.deps.store;
    const { fileSha256 } = stage.bot.deps.config;
    const [read] = await actionsOf(db, await incidentIdOf(db, thread.number));
    expect(read?.spec.opening).toBe(fileSha256);
    expect(read?.digest).toBe(read && digestOf(read.spec));
    const audit = await auditOf(stage, { issue: thread.number, kind: ["lease_given", "command_approved"] });
    expect(audit.map(({ kind, body }) => [kind, body.operatorFile, body.comment, body.by.login])).toEqual([
      ["lease_given", fileSha256, undefined, "the operator's file"],
      ["command_approved", fileSha256, undefined, "the operator's file"],
    ]);
  });

  it("AR-03 a turn that starts anew is given, though reads of the opening lease ended long ago and no turn read them", async () => {
    stage.model.play(proposing("LIKELY: look.", "uptime"), done);
    const thread = await stage.opened({ title: "It is slow once more" });
    await stage.quiet();
    const { deps } = stage.bot;
    await deps.store.db.updateTable("session").set({ steps: 0 }).execute();
    const asked = stage.model.requests.length;
    stage.model.play({ text: "LIKELY: look again." });
    await deps.store.transaction(async (tx) => {
      const incident = await lockIncident(tx, await incidentIdOf(tx, thread.number));
      await enqueueTurn(tx, deps, incident, { kind: "opened", fresh: false });
    });
    await stage.quiet();
    expect(stage.model.requests.length).toBe(asked + 1);
  });

  it("AR-03 runs a fitting runbook's checks before the model is asked, whose first reply reads their results", async () => {
    const asked = stage.model.requests.length;
    stage.play(saying("spool is at 97 percent\n"));
    stage.model.play({ text: "CONFIRMED by 1: nothing more to do." });
    const thread = await stage.opened({ title: sure.title, body: sure.body });
    await stage.quiet();
    stage.play(saying(""));
    const turns = stage.model.requests.slice(asked);
    expect(turns).toHaveLength(1);
    const news = turns[0]?.body.messages.at(-1)?.content ?? "";
    expect(news).toContain("Reads have run under a lease");
    expect(news).toContain("spool is at 97 percent");
    expect(await statesOf(stage, thread.number)).toMatchObject({ 1: "done" });
  });

  it.each(["/lease off", "/hold"])(
    "AR-03 %s ends it, and nothing brings it back but a person's lease",
    async (word) => {
      stage.model.play(proposing("LIKELY: restart.", restart));
      const thread = await stage.opened({ title: "It is slow" });
      await stage.quiet();
      await stage.ask(thread, "sam", word);
      if (word === "/hold") await stage.ask(thread, "lee", "/resume");
      const before = ranWith("uptime");
      await stage.ask(thread, "lee", "/ask look", proposing("LIKELY: on.", "uptime"));
      expect(ranWith("uptime")).toBe(before);
      expect(await boardOf(thread)).not.toContain("lease by");
    },
  );

  it("AR-03 runs no more than its number, and closing ends it for good", async () => {
    stage.model.play(proposing("LIKELY: look.", "uptime", "df -h", "free -m", "uname -a"), done);
    const thread = await stage.opened({ title: "It is slow" });
    await stage.quiet();
    expect(Object.values(await statesOf(stage, thread.number)).filter((state) => state === "done")).toHaveLength(3);
    await issue(thread, { state: "closed" });
    await stage.quiet();
    await issue(thread, { state: "open" });
    await stage.quiet();
    const lease = await leaseOf(stage.bot.deps.store.db, await incidentIdOf(stage.bot.deps.store.db, thread.number));
    expect(lease?.offAt).not.toBeNull();
    expect(lease?.used).toBe(3);
  });

  /** A read that the opening lease has approved, and whose batch nobody serves. */
  async function approvedRead() {
    stage.model.play(proposing("LIKELY: restart.", restart, "uptime"));
    const thread = await stage.opened({ title: "It is slow" });
    await stage.quiet();
    const { deps } = stage.bot;
    const incidentId = await incidentIdOf(deps.store.db, thread.number);
    const ground = await loadRepoContext(deps, await incidentOf(deps.store.db, incidentId));
    const idle = { ...deps, store: { ...deps.store, queue: { ...deps.store.queue, enqueue: async () => {} } } } as Deps;
    const batch = await deps.store.transaction(async (tx) => {
      const incident = await lockIncident(tx, incidentId);
      const [change] = await actionsOf(tx, incidentId);
      if (change) await moveAction(tx, change, { from: "proposed", to: "rejected" });
      return startLeased(tx, idle, ground, incident);
    });
    const action = (await actionsOf(deps.store.db, incidentId)).find(({ number }) => number === 2);
    if (!batch || !action) throw new Error("no read was approved");
    return { incidentId, deps, ground, batch, action };
  }

  interface Attack {
    readonly deps?: Deps;
    readonly ground?: RepoContext;
    readonly row?: object;
    readonly approval?: object;
    readonly spec?: object;
  }

  it("AR-03 SR-24 lets nothing go of all that is tried on such a read just before it is sent", async () => {
    const { incidentId, deps, ground, batch, action } = await approvedRead();
    const { db } = deps.store;
    const { policy } = deps.config;
    const config = (change: Partial<Deps["config"]>): Attack => ({
      deps: { ...deps, config: { ...deps.config, ...change } },
    });
    const atOpening = (change: object): Attack =>
      config({
        policy: { ...policy, lease: { ...policy.lease, opening: { ...policy.lease.opening, ...change } } },
      });
    const low = (change: object): Attack => config({ policy: { ...policy, low: { ...policy.low, ...change } } });
    const file = (text: string): Attack => ({
      ground: {
        ...ground,
        context: { ...ground.context, config: { path: ".github/countersign.yml", text, source: "acme/web@1" } },
      },
    });
    const facts = (change: (facts: Facts) => Partial<Facts>): Attack => ({
      deps: {
        ...deps,
        facts: async (question) => {
          const found = await deps.facts(question);
          return { ...found, ...change(found) };
        },
      },
    });
    const at = (minutes: number): Attack => ({ deps: { ...deps, now: () => new Date(Date.now() + minutes * minute) } });
    const judged = (change: object): Attack => ({
      deps: { ...deps, evaluate: (...given) => ({ ...deps.evaluate(...given), ...change }) },
    });
    const other = "0".repeat(64);
    const narrowed = [
      "policy: { lease: { allowed: false } }",
      "policy: { lease: { servers: [] } }",
      "policy: { lease: { servers: [web-2] } }",
      "policy: { lease: { opening: { servers: [] } } }",
      "policy: { lease: { opening: { servers: [web-2] } } }",
      "policy: { lease: { opening: { servers: [web-9] } } }",
      "policy: { low: { approvals: 2 } }",
      "policy: { low: { reason: required } }",
      "policy: { low: { restate_server: true } }",
      "policy: { auto: { allowed: false } }",
      "servers: []",
      "servers: [web-2]",
      "policy: [",
      "policy: { lease: { opening: yes } }",
    ];
    const attacks: readonly (readonly [string, Attack])[] = [
      ["the operator's file has changed", config({ fileSha256: other })],
      ["the operator names no server for it", atOpening({ servers: [] })],
      ["the operator names another server", atOpening({ servers: ["web-2"] })],
      ["the operator allows no time", atOpening({ maxTimeMs: 0 })],
      ["the operator allows no command", atOpening({ maxCommands: 0 })],
      ...narrowed.map((text) => [`the repository's file says ${text}`, file(text)] as const),
      ["its row says another hash", { row: { commentSha256: other } }],
      ["its row is a person's", { row: { via: "lease" } }],
      ["its count is used up", { row: { used: 3 } }],
      ["it has ended", { row: { offAt: new Date(), offWhy: "over" } }],
      ["its end is past", { row: { endsAt: new Date(Date.now() - 1) } }],
      ["the store lengthens it beyond the file", { ...at(31), row: { endsAt: new Date(Date.now() + 600 * minute) } }],
      ["the store gives it more than the file", { row: { maxCommands: 9, used: 3 } }],
      ["three proposals were riskier than the agent said", { row: { raised: 3 } }],
      ["the clock was set back", { row: { seenAt: new Date(Date.now() + minute) } }],
      ["the clock was put back by a day", at(-24 * 60)],
      ["its time is over", at(31)],
      ["the read has expired", at(61)],
      ["it names another server in the store", { row: { servers: '["web-2"]' } }],
      ["it names none in the store", { row: { servers: "[]" } }],
      ["its approval says another hash", { approval: { commentSha256: other } }],
      ["its approval is said to be a person's lease", { approval: { via: "lease" } }],
      ["its approval is said to be a comment", { approval: { via: "comment" } }],
      ["its approval is of another digest", { approval: { digest: other } }],
      ["its approval was taken back", { approval: { withdrawnAt: new Date() } }],
      ["it turns the read down", { approval: { verdict: "reject" } }],
      ["the read carries no hash", { spec: { opening: undefined } }],
      ["the read carries another hash", { spec: { opening: other } }],
      ["another command is to be sent", { spec: { command: "uptime -p" } }],
      ["checks were added to it", { spec: { set: [{ command: "uptime" }, { command: "df -h" }] } }],
      [
        "it goes to another account",
        { spec: { targets: action.spec.targets.map((one) => ({ ...one, user: "root" })) } },
      ],
      [
        "it goes to another server",
        { spec: { targets: action.spec.targets.map((one) => ({ ...one, server: "web-2" })) } },
      ],
      ["low risk takes two people", low({ approvals: 2 })],
      ["low risk takes a reason", low({ reason: "required" })],
      ["low risk takes the server's name", low({ restateServer: true })],
      ["low risk stands for less time", low({ expiresMs: 1 })],
      ["the bot only proposes", config({ execution: { ...deps.config.execution, enabled: false } })],
      ["it is judged medium now", judged({ risk: "medium" })],
      ["it is judged high now", judged({ risk: "high" })],
      ["it is blocked now", judged({ risk: "block" })],
      ["it reaches another host by now", judged({ egress: "outside" })],
      ["it reaches a known host by now", judged({ egress: "known" })],
      ["it is not known whole by now", judged({ unknown: true })],
      ["nothing bounds it by now", judged({ unbounded: [{ what: "it never ends" }] })],
      ["it sends by now", judged({ sends: true })],
      ["it shows what may be secret by now", judged({ reveals: "it prints the environment" })],
      ["its whole answer is secret by now", judged({ secretAnswer: "it prints a key" })],
      ["other rules are in force", judged({ rulesVersion: "other" })],
      [
        "the repository is public",
        facts(({ repository }) => ({ repository: repository && { ...repository, private: false } })),
      ],
      [
        "the repository has another name",
        facts(({ repository }) => ({ repository: repository && { ...repository, name: "acme/o" } })),
      ],
      [
        "the repository is another",
        facts(({ repository }) => ({ repository: repository && { ...repository, id: 1 } })),
      ],
      ["the App is not installed", facts(() => ({ installed: false }))],
      ["the issue is closed", facts(({ issue: one }) => ({ issue: one && { ...one, open: false } }))],
      [
        "the issue was closed meanwhile and opened again",
        facts(({ issue: one }) => ({ issue: one && { ...one, closedAt: new Date() } })),
      ],
      ["the issue is gone", facts(() => ({ issue: undefined }))],
      ["all comments are gone", facts(() => ({ comments: new Map() }))],
      ["GitHub does not answer", { deps: { ...deps, facts: () => Promise.reject(new Error("down")) } }],
      ["the operator's files are being read", { deps: { ...deps, isConfigCurrent: () => false } }],
    ];
    const before = await db
      .selectFrom("lease")
      .selectAll()
      .where("incidentId", "=", incidentId)
      .executeTakeFirstOrThrow();
    const put = (row: object) => db.updateTable("lease").set(row).where("incidentId", "=", incidentId).execute();
    const whole = { ...before, servers: JSON.stringify(before.servers) };
    const approval = await db
      .selectFrom("approval")
      .selectAll()
      .where("actionId", "=", action.id)
      .executeTakeFirstOrThrow();
    const putApproval = (row: object) => db.updateTable("approval").set(row).where("id", "=", approval.id).execute();
    const look = ({ deps: by = deps, ground: on = ground, spec = {} }: Attack) =>
      checkDispatch(by, on, { action: { ...action, spec: { ...action.spec, ...spec } }, batch });
    expect(JSON.stringify(await look({}))).toContain('"go"');
    for (const [what, attack] of attacks) {
      if (attack.row) await put(attack.row);
      if (attack.approval) await putApproval(attack.approval);
      expect((await look(attack)).kind, what).not.toBe("go");
      if (attack.row) await put(whole);
      if (attack.approval) await putApproval(approval);
    }
    expect(await look(config({ fileSha256: other }))).toMatchObject({
      kind: "reopen",
      reason: "the lease does not let it go: the operator's file, which gave it, has changed",
    });
    expect((await look({})).kind).toBe("go");
    console.info(`opening lease: ${attacks.length} attacks on an approved read, 0 got through`);
  }, 300_000);

  it("AR-03 SR-41 what a lease leaves to people, it leaves to people too", async () => {
    const { deps, ground, incidentId } = await approvedRead();
    const incident = await incidentOf(deps.store.db, incidentId);
    const hostile = readFileSync("test/data/unattended/hostile.jsonl", "utf8").trim().split("\n");
    const from = { origin: "model", model: "m", promptSha256: null } as const;
    let judged = 0;
    for (const line of hostile.slice(0, 120)) {
      const { command } = JSON.parse(line) as { command: string };
      const drafted = draftAction(deps, ground, { title: "x", description: "", server: "web-1", command }, from);
      if (drafted.kind === "refused") continue;
      const spec = { ...drafted.draft.spec, opening: deps.config.fileSha256 };
      const action = {
        ...drafted.draft,
        spec,
        id: "00000000-0000-0000-0000-000000000000",
        incidentId,
      } as unknown as Action;
      const leased = await leasedBy(deps.store.db, action);
      expect((await leaseDecisionOn(deps, deps.store.db, ground, { incident, action, leased })).kind, command).toBe(
        "no",
      );
      judged++;
    }
    expect(judged).toBeGreaterThan(90);
  });

  it("AR-03 RR-06 never claims more than its count, however many ask at once", async () => {
    const { deps, incidentId } = await approvedRead();
    const now = new Date();
    const spend = (change: object = {}) =>
      deps.store.transaction((tx) =>
        spendLease(tx, { incidentId, commentId: 0, commands: 1, now, clockBackMs: 5_000, ...change }),
      );
    for (const change of [{ commentId: 8 }, { commands: 4 }, { now: new Date(now.getTime() + 31 * minute) }])
      expect(await spend(change), JSON.stringify(change)).toBe(false);
    expect((await Promise.all(Array.from({ length: 20 }, () => spend()))).filter(Boolean)).toHaveLength(3);
  });
});
