import { afterEach, describe, expect, it } from "vitest";
import type { Thread } from "../../../demo/thread.ts";
import { leaveBehind } from "../../features/run/left-behind.ts";
import { incidentIn, statesOf } from "../../harness/stage.ts";
import { useStarted } from "../../harness/use-started.ts";
import { closeIssue, done, restart, runCard, startLongStage } from "../long-command.ts";

const long = useStarted(() => startLongStage());
afterEach(() => long.stage.model.verify());

const ended = (thread: Thread, by: string) =>
  thread.waitFor((body) => /🛑 .* cancelled by `@/.test(body) && body.includes(`cancelled by \`@${by}\``), "the end");
const answered = (thread: Thread, words: string) => thread.waitFor((body) => body.includes(words), words);

describe("/cancel", () => {
  it("AR-12 by anyone with write access ends a running command: answered at once, told on its card, kept in the audit", async () => {
    const thread = await long.running();
    long.stage.model.play(done);
    const id = await thread.say("sam", "/cancel 1\nwrong server");
    await answered(thread, "Stopping **1** on `web-1` (TERM, then KILL).");
    await ended(thread, "sam");
    await long.stage.quiet();
    expect(await thread.reactions(id)).toEqual([]);
    expect(await long.audited(id)).toEqual([
      {
        kind: "command_cancelled",
        body: expect.objectContaining({
          number: 1,
          servers: ["web-1"],
          by: { id: long.stage.github.person("sam").id, login: "sam", role: "write" },
          comment: expect.objectContaining({ id }),
          reason: "wrong server",
        }),
      },
    ]);
    const again = await long.stage.ask(thread, "lee", "/cancel 1");
    expect(again.isMarked("confused")).toBe(true);
    expect(again.said).toEqual([expect.stringContaining("**1** has already ended: 🛑 cancelled by `@sam`")]);
    expect(await long.audited(again.id)).toEqual([]);
  });

  it("AR-12 on one server of several ends it there alone, and a name that is none of them ends nothing", async () => {
    const thread = await long.running("web");
    await thread.say("sam", "/cancel 1 web-9");
    await answered(
      thread,
      "Nothing was stopped: **1** runs on `web-1`, `web-2`, not on `web-9`. Comment `/cancel 1` to stop it",
    );
    expect(await runCard(thread)).not.toContain("🛑");
    await thread.say("sam", "/cancel 1 web-2");
    await answered(thread, "Stopping **1** on `web-2` (TERM, then KILL).");
    await thread.waitFor((body) => body.includes("| `web-2` | 🛑 cancelled by `@sam`"), "the end on web-2");
    await thread.say("lee", "/cancel 1 web-2");
    await answered(thread, "**1** has already ended on `web-2`.");
    expect(await runCard(thread)).toContain("| `web-1` | ▶️ running since");
    long.stage.model.play(done);
    long.letGo();
    await long.stage.quiet();
    expect(await runCard(thread)).toContain("| `web-1` | ✅ exit 0");
  });

  it("AR-12 on one server a word that looks like another one's name is asked about; any other is a reason", async () => {
    const thread = await long.running();
    for (const name of ["web-9", "web9", "WEB-1", "db.acme.example"]) {
      await thread.say("sam", `/cancel 1 ${name}`);
      await answered(
        thread,
        `Nothing was stopped: **1** runs on \`web-1\`, not on \`${name}\`. Comment \`/cancel 1\` to stop it; a reason goes on the next line.`,
      );
    }
    expect(await runCard(thread)).not.toContain("🛑");
    long.stage.model.play(done);
    await thread.say("sam", "/cancel 1 web-1, it hangs since 14:02");
    await ended(thread, "sam");
    await long.stage.quiet();
    const other = await long.running();
    long.stage.model.play(done);
    await other.say("sam", "/cancel 1 re-run later, the 2 disks are full");
    await ended(other, "sam");
    await long.stage.quiet();
  });

  it("AR-14 SR-46 /output of a command that runs is what it has said so far, redacted, and its card says how to end it", async () => {
    const thread = await long.running();
    expect(await runCard(thread)).toMatch(
      /^\*\*1\*\* ▶️ `systemctl restart nginx` on `web-1` · running since .* · `@lee` · `\/cancel 1`/,
    );
    await thread.say("rita", "/output 1");
    const { body } = await thread.waitFor((text) => text.includes("still running, output so far"), "the output");
    expect(body).toMatch(/^\*\*1\*\* · still running, output so far, after \d.*s\n\n```text\nbegun, token=/);
    expect(body).not.toContain("ghp_0123456789");
    await thread.say("rita", "/output 1 grep nothing-like-it");
    await thread.waitFor((text) => text.includes("still running") && !text.includes("begun"), "no line that holds it");
    long.stage.model.play(done);
    long.letGo();
    await long.stage.quiet();
    await long.stage.expectSaid(thread, "rita", "/output 1", /^\*\*1\*\* · output · /);
  });

  it("AR-12 takes back what is approved and not sent: it is open again without its approvals, and nothing is sent", async () => {
    const thread = await long.stage.incident(restart);
    const left = await leaveBehind(long.stage, thread, { numbers: [1] });
    const before = long.sent();
    const answer = await long.stage.ask(thread, "sam", "/cancel 1");
    expect(answer.isMarked("rocket")).toBe(true);
    expect(answer.said.join()).toContain("**1** needs approval again; it was not run.");
    expect((await long.audited(answer.id)).map(({ kind }) => kind)).toEqual(["command_cancelled"]);
    await left.serve();
    expect(await statesOf(long.stage, thread.number)).toEqual({ 1: "proposed" });
    expect(long.sent()).toBe(before);
  });

  it("AR-12 every other state, and what cannot be read, has its own answer and ends nothing", async () => {
    const thread = await long.stage.incident(restart, "df -h");
    await long.stage.ask(thread, "lee", "/reject 2");
    for (const [body, words] of [
      ["/cancel", "Write `/cancel <number>`, or `/hold --kill` to stop everything here. Nothing is running right now."],
      ["/cancel all", "Write `/cancel <number>`"],
      ["/cancel 9", "**9**: there is no such number.\n\nNothing is running right now."],
      ["/cancel 1", "**1** waits for approval; nothing of it runs. `/reject 1` turns it down."],
      ["/cancel 2", "**2** was rejected, and that is final."],
      ["/cancel 1 --force", "Nothing was run. `--force` is not known here; `/cancel` takes no flags."],
      ["/cancel 1 web-1 --dry-run", "`--dry-run` does not count there; `/cancel` takes no flags"],
    ] as const) {
      await long.stage.expectRefusal(thread, "sam", body, words);
    }
    expect(await statesOf(long.stage, thread.number)).toEqual({ 1: "proposed", 2: "rejected" });
  });

  it("SR-17 SR-61 takes write access: a reader is told, an outsider and a bot hear nothing, and it runs on", async () => {
    const thread = await long.running();
    const reader = await thread.say("rita", "/cancel 1");
    await answered(thread, "`/cancel` needs write access");
    const { deps: world } = long.stage.bot;
    const { installationId, repo } = await incidentIn(world.store.db, thread.number);
    await world.comments.create({ installationId, repo, issue: thread.number }, { id: "0", body: "/cancel 1" });
    long.stage.github.setRole("eve", "read", "acme/web");
    long.stage.github.fault({ event: "issue_comment.created" }, { drop: "before" });
    const outsider = await thread.say("eve", "/cancel 1");
    long.stage.github.setRole("eve", "none", "acme/web");
    await long.stage.github.redeliver(long.stage.github.deliveries().at(-1)?.guid ?? "");
    await long.stage.github.settled();
    // The deliveries of an issue are served in order, so both have been when this one is answered.
    await thread.say("lee", "/wait 1 9x");
    await answered(thread, "Write the time as `10m`");
    expect(await long.audited(reader)).toMatchObject([{ kind: "command_denied" }]);
    expect(await thread.reactions(outsider)).toEqual([]);
    expect(await runCard(thread)).not.toContain("🛑");
    long.stage.model.play(done);
    long.letGo();
    await long.stage.quiet();
    expect(await runCard(thread)).toContain("**1** ✅");
  });

  it("AR-12 on a closed issue ends what still runs there, and its end is one line that notifies", async () => {
    const thread = await long.running();
    await closeIssue(long.stage, thread);
    await thread.say("sam", "/cancel 1");
    await ended(thread, "sam");
    await answered(thread, "**1** has ended: 🛑 `systemctl restart nginx` on `web-1` · cancelled by `@sam`");
    await long.stage.quiet();
  });

  it("AR-12 RR-06 a wish that another process has taken down is obeyed by the one that runs the command", async () => {
    const thread = await long.running();
    long.stage.model.play(done);
    await long.stage.bot.deps.store.db
      .updateTable("run")
      .set({ cancelledBy: "mona" })
      .where("endedAt", "is", null)
      .execute();
    await ended(thread, "mona");
    await long.stage.quiet();
  });
});
