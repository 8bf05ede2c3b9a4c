import { afterEach, describe, expect, it } from "vitest";
import type { Thread } from "../../../demo/thread.ts";
import { commands } from "../../../src/commands/slash-comment.ts";
import { arrivalOf } from "../../../src/store/queue/arrival.ts";
import { auditOf, endHolds, incidentIn, statesOf, useStage } from "../../harness/stage.ts";

const stage = useStage();
afterEach(() => endHolds(stage));

const close = (thread: Thread & { number: number }) =>
  stage.github.as("mona")("PATCH", `/repos/acme/web/issues/${thread.number}`, { state: "closed" });

const board = async (thread: Thread): Promise<string> =>
  (await thread.waitFor((body) => body.includes("Board of this incident"), "the board")).body;

const card = async (thread: Thread): Promise<string> =>
  (await thread.waitFor((body) => body.includes("/approve 1"), "the card")).body;

/** What the audit says of one comment. */
async function audited(commentId: number) {
  const rows = (await auditOf(stage)).map(({ kind, body }) => ({ kind, body }));
  return rows.filter(({ body }) => body.comment?.id === commentId || body.commentId === commentId);
}

/** The standing holds: of which issue, by whom. */
const holds = async () =>
  (await stage.bot.deps.store.db.selectFrom("hold").selectAll().where("liftedAt", "is", null).execute()).map(
    ({ issue, login, kill }) => ({ issue, login, kill }),
  );

describe("/hold", () => {
  it("SR-68 by anyone with write access: nothing is approved until it is lifted, and board, answer and audit say whose it is", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime");
    const answer = await stage.ask(thread, "sam", "/hold the db team is looking, @acme/oncall");
    expect(answer.isMarked("rocket")).toBe(true);
    const since = /since \d{4}-\d\d-\d\d \d\d:\d\dZ/.source;
    expect(answer.said).toEqual([
      expect.stringMatching(
        new RegExp(
          `^\\*\\*This incident is held\\*\\* by \`@sam\` ${since}\\. Nothing is approved or run until an approver writes \`/resume\`\\.\n\nNothing is running\\.`,
        ),
      ),
    ]);
    expect(await board(thread)).toMatch(new RegExp(` · ✋ held by \`@sam\` ${since}, \`/resume\``));
    expect(await audited(answer.id)).toEqual([
      {
        kind: "incident_held",
        body: expect.objectContaining({
          by: { id: stage.github.person("sam").id, login: "sam", role: "write" },
          comment: expect.objectContaining({ id: answer.id, writtenAt: expect.stringMatching(/Z$/) }),
          issue: thread.number,
          kill: false,
          reason: "the db team is looking, @acme/oncall",
        }),
      },
    ]);
    expect(await card(thread)).toContain("On hold: `/resume` first.");
    const before = stage.ran().length;
    await stage.expectRefusal(thread, "lee", "/approve 1", [
      new RegExp(
        `^Nothing was run\\. This incident is held by \`@sam\` ${since}\\. Approve it again once an approver has lifted the hold with \`/resume\``,
      ),
    ]);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
    expect(stage.ran()).toHaveLength(before);
    await stage.expectSaid(thread, "rita", "/status", "this incident is held by `@sam`");
    await stage.ask(thread, "lee", "/resume");
    expect(await card(thread)).not.toContain("On hold");
  });

  it("SR-68 is /stop too, behind a prefix too, and holds no other incident", { tags: ["long"] }, async () => {
    const thread = await stage.incident("uptime");
    const other = await stage.incident("uptime");
    await stage.ask(thread, "sam", "/ops STOP");
    expect(await holds()).toEqual([{ issue: thread.number, login: "sam", kill: false }]);
    stage.model.play({ text: "LIKELY, see 1, 2 and 3: nothing more to do." });
    const before = stage.ran().length;
    await stage.ask(other, "lee", "/approve 1");
    expect(stage.ran()).toHaveLength(before + 1);
  });

  it("SR-68 typed twice stays whose it was, and only --kill is added to it; each has its audit row", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime");
    const first = await stage.ask(thread, "sam", "/hold");
    const second = await stage.ask(thread, "lee", "/hold --kill");
    const third = await stage.ask(thread, "mona", "/hold");
    expect(second.said).toEqual([expect.stringContaining("**This incident is held** by `@sam`")]);
    expect(third.said).toEqual([expect.stringContaining("**This incident is held** by `@sam`")]);
    expect(await holds()).toEqual([{ issue: thread.number, login: "sam", kill: true }]);
    const rows = await Promise.all([first, second, third].map(({ id }) => audited(id)));
    expect(rows.flat().map(({ body }) => [body.by.login, body.kill])).toEqual([
      ["sam", false],
      ["lee", true],
      ["mona", false],
    ]);
  });

  it("SR-68 all: nothing is approved on any incident of the repository, new ones too, and every board says so", {
    tags: ["long"],
  }, async () => {
    const here = await stage.incident("uptime");
    const there = await stage.incident("uptime");
    const answer = await stage.expectReply(here, "sam", "/hold all", "**The whole repository is held** by `@sam`");
    expect((await audited(answer.id)).map(({ kind }) => kind)).toEqual(["repository_held"]);
    for (const thread of [here, there])
      expect(await board(thread)).toContain("✋ whole repository held by `@sam` since ");
    const later = await stage.opened();
    const before = stage.ran().length;
    for (const thread of [here, there]) {
      await stage.expectReply(thread, "lee", "/approve 1", "an approver has lifted the hold with `/resume all`");
    }
    expect(await board(later)).toContain("✋ whole repository held by `@sam`");
    expect(stage.ran()).toHaveLength(before);
  });

  it("SR-68 holds whatever else stands in its line, and says what it did not understand", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime");
    await stage.expectReply(thread, "sam", "/hold 1 --stop --keep-going now", [
      "`--stop`, `--keep-going` is not known here; `--kill` also ends what runs.",
      "A hold covers all numbers",
    ]);
    expect(await holds()).toEqual([{ issue: thread.number, login: "sam", kill: false }]);
  });

  it("SR-68 on a closed incident holds too: reopened, it stays held", async () => {
    const thread = await stage.incident("uptime");
    await close(thread);
    expect((await stage.ask(thread, "sam", "/hold")).isMarked("rocket")).toBe(true);
    await stage.github.as("mona")("PATCH", `/repos/acme/web/issues/${thread.number}`, { state: "open" });
    await stage.quiet();
    expect(await board(thread)).toContain("✋ held by `@sam`");
  });

  it("SR-17 takes write access, asked of GitHub now: a reader is told, an outsider and a bot hear nothing, and nothing is held", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime");
    for (const body of ["/hold", "/hold all", "/stop --kill"]) {
      const reader = await stage.ask(thread, "rita", body);
      expect(reader.isMarked("-1"), body).toBe(true);
      // In words once within ten minutes (SR-67); every other is answered by its reaction.
      const told =
        body === "/hold"
          ? [
              expect.stringContaining(
                "Nothing was run. `/hold` needs write access; you have read access. Ask one of the members of `acme/oncall`, or see `/help`.",
              ),
            ]
          : [];
      expect(reader.said, body).toEqual(told);
    }
    const before = (await thread.comments()).length;
    stage.github.setRole("eve", "read", "acme/web");
    stage.github.fault({ event: "issue_comment.created" }, { drop: "before" });
    const outsider = await stage.ask(thread, "eve", "/hold all");
    stage.github.setRole("eve", "none", "acme/web");
    await stage.github.redeliver(stage.github.deliveries().at(-1)?.guid ?? "");
    await stage.quiet();
    expect(await thread.reactions(outsider.id)).toEqual([]);
    expect(await thread.comments()).toHaveLength(before + 1);
    expect((await audited(outsider.id)).map(({ kind }) => kind)).toEqual(["command_ignored"]);
    stage.github.setRole("sam", "read", "acme/web");
    expect((await stage.ask(thread, "sam", "/hold")).isMarked("-1")).toBe(true);
    stage.github.setRole("sam", "write", "acme/web");
    expect(await holds()).toEqual([]);
  });

  it("SR-61 a bot's word holds nothing", async () => {
    const thread = await stage.incident("uptime");
    const { deps: world } = stage.bot;
    const { installationId, repo, number: issue } = await incidentIn(world.store.db, thread.number);
    const made = await world.comments.create({ installationId, repo, issue }, { id: "0", body: "/hold all" });
    expect(made.kind).toBe("posted");
    await stage.quiet();
    expect(await holds()).toEqual([]);
  });

  it("SR-22 in backticks, in a quote or edited in it holds nothing", async () => {
    const thread = await stage.incident("uptime");
    expect((await stage.ask(thread, "sam", "`/hold all`")).said).toEqual([
      expect.stringContaining("A command in backticks is only text. Leave them out: `/hold all`"),
    ]);
    await stage.ask(thread, "sam", "> /hold all\n\nno");
    const { id } = await stage.ask(thread, "sam", "hello");
    await stage.github.editComment("sam", "acme/web", id, "/hold all");
    await stage.quiet();
    expect(await holds()).toEqual([]);
  });

  it("SR-68 waits for nothing said on its issue before it: every way to write it has a line of its own", () => {
    const line = (body: string, action = "created") =>
      arrivalOf(
        "issue_comment",
        "g",
        JSON.stringify({ action, repository: { id: 9 }, issue: { number: 4 }, comment: { id: 1, body } }),
      )?.line;
    const hold = commands.find(({ verb }) => verb === "hold");
    for (const verb of [hold?.verb, ...(hold?.aliases ?? [])]) {
      for (const body of [
        `/${verb}`,
        `  /${verb?.toUpperCase()} all`,
        `> quote\r\n\r\n/${verb} --kill`,
        `/ops ${verb}`,
        `/ops /${verb}`,
      ])
        expect(line(body), body).toBe("stop:9:4");
    }
    for (const body of ["/approve 1", "let us hold", "/holdall", "/resume", "see /hold"])
      expect(line(body), body).toBe("issue:9:4");
    expect(line("/hold", "edited")).toBe("issue:9:4");
  });
});
