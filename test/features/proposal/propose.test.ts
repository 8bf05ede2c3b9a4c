import { describe, expect, it } from "vitest";
import { createKeys } from "../../../demo/sandbox/ssh-server.ts";
import type { Thread } from "../../../demo/thread.ts";
import type { Proposal } from "../../../src/base/action.ts";
import type { Server } from "../../../src/base/server.ts";
import { loadRepoContext } from "../../../src/features/context.ts";
import { draftAction, draftSet } from "../../../src/features/proposal/propose.ts";
import { repeatedBy } from "../../../src/features/proposal/same-action.ts";
import { incidentOf } from "../../../src/store/incidents.ts";
import { actionIn, cardOf, type Proposed, proposing, statesOf, useStage } from "../../harness/stage.ts";
import { until } from "../../harness/until.ts";

const stage = useStage();

/** What the model says next, after it was asked something that lets it replace its proposals. */
async function nextTurn(thread: Thread, ...proposed: readonly (string | Proposed)[]) {
  return stage.ask(thread, "sam", "/investigate", proposing("LIKELY: more.", ...proposed));
}

const rowOf = (issue: number, number: number) => actionIn(stage.bot.deps.store.db, issue, number);

const done = { text: "CONFIRMED by 2: nothing more to do." };
const medium = "systemctl restart checkout";
const high = "rm -r /srv/app/cache/old";

describe("PA-6 a number stays while its command stays", () => {
  it("PA-6 what the agent proposes again and is still open keeps its number, its card, its digest, its words and its time", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime", { command: medium, title: "Restart it", description: "as it hangs" });
    const before = await rowOf(thread.number, 2);
    const { said } = await nextTurn(
      thread,
      { command: medium, title: "Another title", description: "other words" },
      "df -h",
    );
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "superseded", 2: "proposed", 3: "proposed" });
    expect(await rowOf(thread.number, 2)).toEqual(before);
    const card = await cardOf(thread, 2);
    expect(card.body).toContain("**Restart it** — as it hangs");
    expect(card.body).toContain("`/approve 2`");
    const fresh = said.find((body) => body.includes("**3**"));
    expect(fresh).not.toContain("Another title");
    expect(fresh).toMatch(
      new RegExp(`Still open: \\*\\*2\\*\\* \\(\\[card\\]\\(https?://\\S+#issuecomment-${card.id}\\)\\)`),
    );
    await stage.ask(thread, "lee", "/approve 2", done);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 2: "done" });
    expect(stage.ran().filter((script) => script.includes(medium))).toHaveLength(1);
  });

  it("PA-6 the approval that a high risk has already stays with it, and the second one lets it run", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime", high);
    const { db } = stage.bot.deps.store;
    const longAgo = new Date(Date.now() - 120_000);
    await db.updateTable("comment").set({ firstPostedAt: longAgo }).where("issue", "=", thread.number).execute();
    await stage.ask(thread, "mona", "/approve 2 web-1 the cache is not needed");
    await nextTurn(thread, high);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "superseded", 2: "proposed" });
    await stage.ask(thread, "lee", "/approve 2 web-1 the cache is not needed", done);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 2: "done" });
  });

  it("PA-6 another command is another action, and so is one whose time is over or that has run", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime", medium, "df -h");
    await stage.bot.deps.store.db
      .updateTable("action")
      .set({ expiresAt: new Date(stage.bot.deps.now().getTime() - 1) })
      .where("id", "=", (await rowOf(thread.number, 3)).id)
      .execute();
    await stage.ask(thread, "lee", "/approve 1", proposing("LIKELY: more.", "free", `${medium} --now`, "df -h"));
    expect(await statesOf(stage, thread.number)).toMatchObject({
      1: "done",
      2: "superseded",
      4: "proposed",
      5: "proposed",
      6: "proposed",
    });
    expect((await rowOf(thread.number, 6)).spec.command).toBe("df -h");
  });

  it("PA-6 what ran well and changed nothing since is not offered again, however it is written; its card says what did it", async () => {
    const thread = await stage.incident("uptime", medium);
    const again = "/usr/bin/systemctl restart checkout.service";
    const { said } = await stage.ask(thread, "lee", "/approve 2", proposing("LIKELY: once more.", again, "df -h"));
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "superseded", 2: "done", 3: "proposed" });
    expect((await rowOf(thread.number, 3)).spec.command).toBe("df -h");
    expect(said.join("\n")).toMatch(/2 did this at \d\d:\d\dZ, .*exit 0.*Nothing has changed since.*`\/retry 2`/);
  });

  it("PA-6 a read that ran before a change is offered again behind it, one that ran after it is not", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime", medium);
    await stage.ask(thread, "lee", "/approve 1", done);
    await stage.ask(thread, "lee", "/approve 2", proposing("LIKELY: did it help?", "uptime -p", "uptime"));
    const states = await statesOf(stage, thread.number);
    expect(states).toMatchObject({ 1: "done", 2: "done", 3: "proposed", 4: "proposed" });
    await stage.ask(thread, "lee", "/approve 4", proposing("LIKELY: again.", "uptime", "df -h"));
    const { 5: next, 6: none } = await statesOf(stage, thread.number);
    expect([next, none]).toEqual(["proposed", undefined]);
    expect((await rowOf(thread.number, 5)).spec.command).toBe("df -h");
  });

  it("PA-6 a read that ran a moment ago is offered behind a change of the same list, which it is to check", async () => {
    const thread = await stage.incident("uptime");
    await stage.ask(thread, "lee", "/approve 1", proposing("LIKELY: this helps.", medium, "uptime"));
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "proposed", 3: "proposed" });
    expect((await rowOf(thread.number, 3)).spec.command).toBe("uptime");
  });

  it("PA-6 what was open before a change ran is approved only after the agent has read what the change did", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident(medium, "systemctl restart shop");
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    stage.model.play({ text: "LIKELY: it helped.", after: held });
    await thread.say("lee", "/approve 1");
    await until(async () => expect(await statesOf(stage, thread.number)).toMatchObject({ 1: "done" }));
    await thread.say("lee", "/approve 2");
    const isRefused = (body: string): boolean => /was proposed before \*\*1\*\* ran.*`\/approve 2`/s.test(body);
    await thread.waitFor(isRefused, "the refusal");
    release();
    await stage.quiet();
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "proposed" });
    await stage.ask(thread, "lee", "/approve 2", done);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "done" });
  });

  it("PA-6 `/approve all` does not do again what ran before a later change", { tags: ["long"] }, async () => {
    const thread = await stage.incident(medium);
    await stage.ask(thread, "lee", "/approve 1", proposing("LIKELY: go back.", "systemctl stop checkout"));
    await stage.ask(thread, "lee", "/approve 2", proposing("LIKELY: once more?", "df -h", medium));
    const { said } = await stage.ask(thread, "lee", "/approve all", done);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "done", 3: "done", 4: "proposed" });
    expect(said.join("\n")).toMatch(/\*\*4\*\* is not part of `all`: 1 did this at .*, before 2 ran.*`\/approve 4`/s);
    expect((await cardOf(thread, 4)).body).toMatch(/\*already:\* 1 did this at \d\d:\d\dZ, .*exit 0, before 2 ran/);
  });

  it("PA-6 the card does not offer what was done or waits under another number, and names that", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("df -h", medium);
    await stage.ask(thread, "sam", `/run web-1\n\`\`\`sh\n/usr/bin/${medium}.service\n\`\`\``);
    expect((await cardOf(thread, 2)).body).toMatch(/^`\/approve 1 2`/m);
    await stage.ask(thread, "lee", "/approve 3", done);
    const { body } = await cardOf(thread, 2);
    expect(body).toMatch(/\*already:\* 3 did this at \d\d:\d\dZ, .*exit 0$/m);
    expect(body).toMatch(/^`\/approve 1` · /m);
    expect(body).toContain("Not offered, because it was done or waits already: **2**");
    const { said } = await stage.ask(thread, "lee", "/approve all", done);
    expect(said.join("\n")).toMatch(/\*\*2\*\* is not part of `all`: 3 did this at/);
    await stage.ask(thread, "lee", "/approve 2", done);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "done", 3: "done" });
  });

  it("PA-6 what waits under an earlier number is not offered twice; a look before a change and one behind it are two", async () => {
    const thread = await stage.incident("df -h", medium, { command: "df -h", title: "Look again" });
    const { body } = await cardOf(thread, 3);
    expect(body).not.toContain("*already:*");
    const rated = { command: medium, risk: "high", title: "Restart" };
    await stage.ask(thread, "sam", "/ask what about a restart?", proposing("LIKELY: it would help.", rated));
    const { 4: state } = await statesOf(stage, thread.number);
    expect(state).toBe("proposed");
    const again = (await cardOf(thread, 4)).body;
    expect(again).toContain("*already:* 2 is the same command and still open");
    expect(again).not.toMatch(/^`\/approve 4/m);
  });

  it("PA-6 a question supersedes nothing; what a person asks for is offered again, with what did it before", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime", medium);
    await stage.ask(thread, "sam", "/ask and the disks?", proposing("LIKELY: look.", "df -h"));
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "proposed", 3: "proposed" });
    await stage.ask(thread, "lee", "/approve 2", done);
    const { said } = await stage.ask(thread, "sam", "/ask restart it once more", proposing("LIKELY: again.", medium));
    expect(await statesOf(stage, thread.number)).toMatchObject({ 2: "done", 4: "proposed" });
    expect(said.join("\n")).toMatch(/4 is the same command again: 2 did this at/);
  });

  it("PRODUCT a set of checks is named after all of them, each once and whole", async () => {
    const thread = await stage.incident(medium);
    const { deps: world } = stage.bot;
    const action = await rowOf(thread.number, 1);
    const ground = await loadRepoContext(world, await incidentOf(world.store.db, action.incidentId));
    const titleOf = (...titles: readonly string[]) => {
      const members = titles.map((title, at) => ({ title, description: "", server: "web-1", command: `echo ${at}` }));
      const from = { origin: "model", model: null, promptSha256: null } as const;
      const [only, ...others] = draftSet(world, ground, members, from);
      expect(others).toEqual([]);
      return only?.kind === "draft" ? only.draft.title : undefined;
    };
    expect(titleOf("Is shop running", "How full the disks are", "Is shop running")).toBe(
      "Is shop running; How full the disks are",
    );
    expect(titleOf("Look", "a long title ".repeat(10), "Then this")).toBe("Look; Then this");
  });

  it("PA-6 SR-20 only what would run the same bytes as the same account on the same server is the same", async () => {
    const thread = await stage.incident(medium);
    const { deps: world } = stage.bot;
    const action = await rowOf(thread.number, 1);
    const ground = await loadRepoContext(world, await incidentOf(world.store.db, action.incidentId));
    const proposal = { title: "t", description: "d", server: "web-1", command: medium };
    const repeats = (change: Partial<Server> = {}, more: Partial<Proposal> = {}): boolean => {
      const servers = ground.rules.servers.map((server) => ({ ...server, ...change }));
      const now = { ...ground, rules: { ...ground.rules, servers } };
      const from = { origin: "model", model: "another", promptSha256: "another" } as const;
      const drafted = draftAction(world, now, { ...proposal, ...more }, from);
      if (drafted.kind === "refused") throw new Error(drafted.why);
      return repeatedBy(now, [action], drafted.draft).includes(action);
    };
    expect(repeats()).toBe(true);
    expect(repeats({}, { title: "Other", description: "words" })).toBe(true);
    for (const change of [
      { user: "root" },
      { host: "127.0.0.9" },
      { hostKey: createKeys().publicKey },
      { hardTimeoutMs: 1_000 },
      { path: "/opt/bin" },
    ])
      expect(repeats(change), JSON.stringify(change)).toBe(false);
    expect(repeats({}, { risk: "high" })).toBe(false);
    expect(repeats({}, { expect: { exit: 0, contains: "active" } })).toBe(false);
    expect(repeats({}, { command: `${medium} --now` })).toBe(false);
    // Blank space around a command is none of the bytes that run.
    expect(repeats({}, { command: `${medium} ` })).toBe(true);
  });

  it("PA-6 what a person has proposed already is not proposed beside it, nor the same thing twice in one reply", async () => {
    const thread = await stage.incident("uptime");
    await stage.ask(thread, "sam", "/run web-1\n```sh\nfree -m\n```");
    await nextTurn(thread, "free -m", "df -h", "df -h");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "superseded", 2: "proposed", 3: "proposed" });
  });

  it("PA-6 AR-26 checks that are open one by one are not proposed as a set beside it; with another among them they are", async () => {
    const thread = await stage.incident("uptime");
    await stage.ask(thread, "sam", "/run web-1\n```sh\nfree -m\n```");
    await nextTurn(thread, { command: "", title: "Look", commands: ["uptime", "free -m"] });
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "proposed" });
    await nextTurn(thread, { command: "", title: "Look", commands: ["uptime", "df -h"] });
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "superseded", 2: "proposed", 3: "proposed" });
  });
});
