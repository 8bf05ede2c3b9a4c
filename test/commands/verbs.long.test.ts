import { describe, expect, it } from "vitest";
import type { Thread } from "../../demo/thread.ts";
import { commands } from "../../src/commands/registry.ts";
import { partsOf } from "../../src/store/incident-rows.ts";
import { cardOf, incidentIdOf, startStage, statesOf } from "../harness/stage.ts";
import { useStarted } from "../harness/use-started.ts";

const stage = useStarted(() => startStage());

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
      const again = await stage.ask(thread, login, body);
      expect(again.said).toEqual([expect.stringContaining("**1** was rejected, and that is final.")]);
    }
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "rejected", 2: "proposed" });
    expect(stage.ran()).toHaveLength(before);
  });

  it("SR-18 wants numbers: neither all nor none turns everything down", async () => {
    const thread = await stage.incident("uptime", "df -h");
    for (const body of ["/reject", "/reject all", "/reject everything"]) {
      const answer = await stage.ask(thread, "lee", body);
      expect(answer.said, body).toEqual([expect.stringContaining("Write `/reject <number>`")]);
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

  it.each([
    ["no server", `/run${block("df -h")}`, "On which server?"],
    ["a server that is not there", `/run db-9${block("df -h")}`, 'No server or group "db-9"'],
    ["no block", "/run web-1 `df -h`", "in a code block:\n\n> ````text\n> /run web-1\n> ```sh\n> df -h\n> ```\n> ````"],
    ["no block and no server", "/run df -h", "> /run <server>\n> ```sh\n> df -h\n> ```"],
    ["an empty block", "/run web-1\n```sh\n   \n```", "Put the command in a code block"],
    ["the block above the line", "```sh\ndf -h\n```\n/run web-1", "Put the command in a code block"],
    ["more than 2,000 bytes", `/run web-1${block(`echo ${"x".repeat(2_000)}`)}`, "at most 2,000 can be shown whole."],
    ["an invisible character", `/run web-1${block("df \u200b-h")}`, "U+200B"],
    [
      "a secret",
      `/run web-1${block("curl -H 'Authorization: Bearer ghp_0123456789abcdefghijABCDEFGHIJ012345'")}`,
      "secret",
    ],
  ])("SR-32 SR-34 %s is named, and nothing is proposed", async (_what, body, told) => {
    const thread = await stage.open({ labels: ["incident"], title: "quiet", body: "" });
    await stage.quiet();
    const states = await statesOf(stage, thread.number);
    const answer = await stage.ask(thread, "sam", body);
    expect(answer.said).toEqual([expect.stringContaining(told)]);
    expect(answer.said.join()).toContain("Nothing was run.");
    expect(answer.isMarked("confused")).toBe(true);
    expect(await statesOf(stage, thread.number)).toEqual(states);
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
    const answer = await stage.ask(thread, "lee", "/approve 2 web-1 sure");
    expect(answer.said).toEqual([expect.stringContaining("**2** is blocked and never runs")]);
    expect(stage.ran()).toHaveLength(before);
  });

  it("SR-18 on a closed incident proposes nothing", async () => {
    const thread = await stage.incident("uptime");
    await close(thread);
    const answer = await stage.ask(thread, "sam", `/run web-1${block("df -h")}`);
    expect(answer.said).toEqual([expect.stringContaining("This incident is closed.")]);
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
    const { said } = await stage.ask(thread, "sam", "/help me");
    expect(said.join()).toContain("You cannot approve:");
  });

  it("INJ-6 status says phase, steps, what waits and who may approve, mentioning nobody, and after the end too", async () => {
    const thread = await stage.incident("uptime", "df -h");
    await stage.ask(thread, "lee", "/reject 2");
    const { said } = await stage.ask(thread, "rita", "/status");
    expect(said.join()).toContain("step 1 of 20");
    expect(said.join()).toContain("- wait for approval: 1\n");
    expect(said.join()).toContain("- may approve: `acme/oncall`");
    expect(said.join()).not.toMatch(/(?<!`)@\w/);
    await close(thread);
    expect((await stage.ask(thread, "rita", "/status")).said.join()).toMatch(/^\*\*closed\*\*/);
  });
});

describe("/close", () => {
  it("PRODUCT closes the issue with a timeline; twice is harmless; what was open is void", async () => {
    const thread = await stage.incident("uptime", "df -h");
    stage.model.play({ text: "CONFIRMED by 1, 2 and 3: nothing more to do." });
    await stage.ask(thread, "lee", "/approve 1");
    await stage.ask(thread, "sam", `/run web-1${block("free -m")}`);
    const { said, isMarked } = await stage.ask(thread, "sam", "/close disk was full, see @acme/oncall");
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
