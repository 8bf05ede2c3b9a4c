import { describe, expect, it } from "vitest";
import type { Thread } from "../../demo/thread.ts";
import { commands, commented } from "../../src/commands/slash-comment.ts";
import type { Config } from "../../src/config/values.ts";
import type { CommentEvent } from "../../src/github/events.ts";
import { actionsOf } from "../../src/store/actions.ts";
import { partsOf } from "../../src/store/incident-rows.ts";
import { incidentOf } from "../../src/store/incidents.ts";
import { jobOf } from "../harness/job.ts";
import { cardOf, incidentIdOf, statesOf, useStage } from "../harness/stage.ts";

const stage = useStage();

const block = (command: string): string => `\n\`\`\`sh\n${command}\n\`\`\``;

const close = (thread: Thread & { number: number }) =>
  stage.github.as("mona")("PATCH", `/repos/acme/web/issues/${thread.number}`, { state: "closed" });

describe("/reject", () => {
  it("SR-18 one rejection is final: no later approval runs it, and a second rejection says so", async () => {
    const thread = await stage.incident("uptime", "df -h");
    const before = stage.ran().length;
    expect((await stage.ask(thread, "lee", "/deny 1 not now")).isMarked("rocket")).toBe(true);
    expect((await cardOf(thread, 1)).body).toMatch(/~~\*\*1\*\*.*~~ rejected by `@lee`/);
    for (const [login, body] of [
      ["mona", "/approve 1"],
      ["lee", "/reject 1"],
    ] as const) {
      await stage.expectReply(thread, login, body, "**1** was rejected, and that is final.");
    }
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "rejected", 2: "proposed" });
    expect(stage.ran()).toHaveLength(before);
  });

  it("SR-18 wants numbers: neither all nor none turns everything down", async () => {
    const thread = await stage.incident("uptime", "df -h");
    for (const body of ["/reject", "/reject all", "/reject everything"]) {
      await stage.expectReply(thread, "lee", body, "Write `/reject <number>`");
    }
    expect((await stage.ask(thread, "lee", "/reject 2 9")).said).toEqual([
      expect.stringMatching(/^\*\*9\*\*: there is no such number\.\n\nOpen right now: 1\.\n\nRejected: \*\*2\*\*\./),
    ]);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "rejected" });
  });

  it("SR-18 a number rejected twice in one comment is rejected once", async () => {
    const thread = await stage.incident("uptime");
    expect((await stage.ask(thread, "lee", "/reject 1 1")).isMarked("rocket")).toBe(true);
    const { db } = stage.bot.deps.store;
    expect((await partsOf(db, await incidentIdOf(db, thread.number), "approvals")).approvals).toHaveLength(1);
  });
});

describe("/run", () => {
  it("SR-18 makes a numbered card of a person's command, with their words below ours", async () => {
    const thread = await stage.incident("uptime");
    const answer = await stage.ask(thread, "sam", `/run web-1 is it @acme/oncall's #1?${block("df -h")}`);
    expect(answer.isMarked("rocket")).toBe(true);
    const { body } = await cardOf(thread, 2);
    expect(body).toContain("- [ ] **2** · 🟢 low · `web-1` · **Proposed by `@sam`** — is it `@acme/oncall`'s `#1`?");
    expect(body).toContain("  ```sh\n  df -h\n  ```");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "proposed" });
  });

  it("PA-8 SR-32 SR-34 each mistake is named, and nothing is proposed", async () => {
    const thread = await stage.incident("uptime");
    const secret = "curl -H 'Authorization: Bearer ghp_0123456789abcdefghijABCDEFGHIJ012345'";
    for (const [body, ...told] of [
      [`/run${block("df -h")}`, "On which server?"],
      [`/run db-9${block("df -h")}`, 'No server or group "db-9"', "web-1"],
      ["/run web-1 `df -h`", "in a code block:\n\n> ````text\n> /run web-1\n> ```sh\n> df -h\n> ```\n> ````"],
      ["/run df -h", "> /run <server>\n> ```sh\n> df -h\n> ```"],
      ["/run web-1\n```sh\n   \n```", "Put the command in a code block"],
      ["```sh\ndf -h\n```\n/run web-1", "Put the command in a code block"],
      [`/run web-1${block(`echo ${"x".repeat(2_000)}`)}`, "at most 2,000 can be shown whole."],
      [`/run web-1${block("df \u200b-h")}`, "U+200B"],
      [`/run web-1${block(secret)}`, "secret"],
    ] as const)
      await stage.expectRefusal(thread, "sam", body, [...told, "Nothing was run."]);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
  });

  it("SR-22 a second code block is named as not read", async () => {
    const thread = await stage.incident("uptime");
    const answer = await stage.ask(thread, "sam", `/run web-1${block("touch a")}\nand then${block("touch b")}`);
    expect(answer.isMarked("rocket")).toBe(true);
    expect(answer.said.at(-1)).toMatch(/^Only the first code block was read/);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "proposed" });
  });

  it("AR-01 a catastrophic command is shown as blocked and cannot be approved", async () => {
    const thread = await stage.incident("uptime");
    const before = stage.ran().length;
    await stage.ask(thread, "sam", `/run web-1${block("mkfs.ext4 /dev/sda1")}`);
    expect((await cardOf(thread, 2)).body).toContain("⛔");
    await stage.expectReply(thread, "lee", "/approve 2 web-1 sure", "**2** is blocked and never runs");
    expect(stage.ran()).toHaveLength(before);
  });

  it("SR-18 on a closed incident proposes nothing", async () => {
    const thread = await stage.incident("uptime");
    await close(thread);
    await stage.expectReply(thread, "sam", `/run web-1${block("df -h")}`, "This incident is closed.");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "void" });
  });
});

describe("/help and /status", () => {
  it("DC-4 help lists what the caller may say, and why not the rest", async () => {
    const thread = await stage.incident("uptime");
    const verbs = async (login: string): Promise<readonly string[]> => {
      const { said } = await stage.ask(thread, login, "/HELP");
      const [, all = ""] = said.join().split("<details>");
      return [...all.matchAll(/^- `\/(\w+)/gm)].map((match) => match[1] ?? "");
    };
    const allowed = (...audiences: readonly string[]) =>
      commands.filter((command) => audiences.includes(command.may)).map((command) => command.verb);
    expect(await verbs("rita")).toEqual(allowed("see"));
    expect(await verbs("sam")).toEqual(allowed("see", "propose", "act"));
    expect(await verbs("lee")).toEqual(allowed("see", "propose", "act", "approve"));
    expect(allowed("approve")).toEqual(expect.arrayContaining(["approve", "reject"]));
    await stage.expectSaid(thread, "sam", "/help me", "You cannot approve:");
  });

  it("INJ-6 status says phase, steps, what waits and who may approve, mentioning nobody, and after the end too", async () => {
    const thread = await stage.incident("uptime", "df -h");
    await stage.ask(thread, "lee", "/reject 2");
    const { said } = await stage.ask(thread, "rita", "/status");
    expect(said.join()).toContain("step 1 of 20");
    expect(said.join()).toContain("- waiting for approval: 1\n");
    expect(said.join()).toContain("- can approve: `acme/oncall`");
    expect(said.join()).not.toMatch(/(?<!`)@\w/);
    await close(thread);
    await stage.expectSaid(thread, "rita", "/status", /^\*\*closed\*\*/);
  });
});

describe("/close", () => {
  const none = { text: "IMPACT: none." };

  it("PRODUCT closes the issue with a timeline; twice is harmless; what was open is void", async () => {
    const thread = await stage.incident("uptime", "df -h");
    await stage.ask(thread, "lee", "/approve 1", { text: "LIKELY, see 1, 2 and 3: nothing more to do." });
    await stage.ask(thread, "sam", `/run web-1${block("free -m")}`);
    const { said, isMarked } = await stage.ask(thread, "sam", "/close --anyway disk was full, see @acme/oncall", none);
    expect(isMarked("rocket")).toBe(true);
    const [summary = ""] = said;
    expect(summary).toContain("**Closed by `@sam`**");
    expect(summary).toContain("disk was full, see `@acme/oncall`");
    expect(summary).toContain(" · one command run, approved by `@lee`\n");
    expect(summary).toMatch(/\*\*1\*\* `uptime` on `web-1` · ✅ exit 0/);
    const { body } = await stage.github.as("mona")("GET", `/repos/acme/web/issues/${thread.number}`);
    expect(body).toMatchObject({ state: "closed", state_reason: "completed" });
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "void", 3: "void" });
    expect((await stage.ask(thread, "sam", "/close")).said).toHaveLength(1);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "void", 3: "void" });
  });
});

/** What nobody may cause by typing a verb alone: a run, a new action, a change of state. */
async function untouched(issue: number): Promise<object> {
  return { ran: stage.ran().length, states: await statesOf(stage, issue) };
}

const job = { ...jobOf("delivery", {}, { attempt: 5, failures: 4, isLast: true }), receivedAt: new Date() };

/** The same, for a repository that the operator lets be public. */
const open = (config: Config): Config => ({
  ...config,
  repositories: config.repositories.map((one) => ({ ...one, allowPublic: true })),
});

describe("every slash command", () => {
  it("SR-61 is silent for bots, for outsiders, and for who only reads a public repository", async () => {
    const thread = await stage.incident("uptime");
    const { deps: world } = stage.bot;
    const posts = () =>
      world.store.db.selectFrom("comment").select("slot").where("issue", "=", thread.number).execute();
    const reactions = () =>
      world.store.db.selectFrom("reaction").select("id").where("issue", "=", thread.number).execute();
    const issue = await incidentOf(world.store.db, await incidentIdOf(world.store.db, thread.number));
    const { body } = await stage.github.as("rita")("GET", "/user");
    const { id: rita } = body as { id: number };
    const before = [await untouched(thread.number), await posts(), await reactions()];
    let commentId = 900_000;
    for (const { verb } of commands) {
      for (const [author, isPrivate] of [
        [{ id: 4_242, login: "deploy-bot[bot]", type: "Bot" }, true],
        [{ id: 4_243, login: "eve", type: "User" }, true],
        [{ id: rita, login: "rita", type: "User" }, false],
      ] as const) {
        commentId++;
        const comment = {
          id: commentId,
          nodeId: `C_${commentId}`,
          body: `/${verb}`,
          before: undefined,
          edited: false,
          author,
          createdAt: new Date(),
          updatedAt: new Date(),
          viaAppId: undefined,
        };
        const event: CommentEvent = {
          action: "created",
          issue: { ...issue, nodeId: issue.nodeId },
          private: isPrivate,
          title: issue.title,
          body: issue.body,
          open: true,
          opener: author,
          labels: ["incident"],
          isPullRequest: false,
          sender: author,
          label: undefined,
          comment,
        };
        await commented({ ...world, config: open(world.config) }, job, event);
      }
    }
    expect([await untouched(thread.number), await posts(), await reactions()]).toEqual(before);
  });

  it("PRODUCT /help with a verb behind it says how that is given; a name that is none lists them all", async () => {
    const thread = await stage.incident("uptime");
    expect((await stage.ask(thread, "sam", "/help /Approve")).said.join()).toContain(
      "- takes `--keep-going`, `--timeout 10m`\n- for approvers; you are not one of them\n- for example",
    );
    await stage.expectSaid(thread, "sam", "/help nothing", "What you can type here");
  });

  it("SR-25 a number pinned to another issue's action is told where it belongs, and nothing runs", async () => {
    const one = await stage.incident("uptime");
    const other = await stage.incident("df -h");
    const { db } = stage.bot.deps.store;
    const [{ digest } = { digest: "" }] = await actionsOf(db, await incidentIdOf(db, one.number));
    const before = await untouched(other.number);
    for (const number of [1, 7]) {
      const answer = await stage.ask(other, "lee", `/approve ${number}@${digest.slice(0, 12)}`);
      expect(answer.said.join()).toContain(`is **1** of issue ${one.number} and is approved only there.`);
    }
    expect(await untouched(other.number)).toEqual(before);
  });
});
