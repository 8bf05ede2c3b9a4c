import { describe, expect, it } from "vitest";
import { suggest } from "../../../src/cli/answers.ts";
import { parseSkill } from "../../../src/runbooks/skills.ts";
import { call, proposing, startStage, statesOf } from "../../harness/stage.ts";
import { useStarted } from "../../harness/use-started.ts";
import { saying } from "../../ssh/fake-host.ts";

const stage = useStarted(() => startStage());

describe("/close", () => {
  it("PRODUCT takes a cause whose cut goes through an emoji: half of one cannot be kept", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime");
    await stage.ask(thread, "lee", "/approve 1", { text: "CONFIRMED by 1: the volume is full." });
    stage.model.play({ text: "None." });
    const { isMarked, said } = await stage.ask(thread, "sam", `/close ${"a".repeat(1_999)}😀 and more`);
    expect(isMarked("rocket")).toBe(true);
    expect(said[0]).toContain("**Closed by `@sam`**");
  });

  it("PRODUCT leaves a draft postmortem with the cause given, what a runbook would have saved, and below a timeline of what ran", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident(
      "uptime",
      { command: "systemctl restart nginx", title: "Restart" },
      "rm -r /srv/x",
    );
    await stage.ask(thread, "lee", "/reject 3 not before @acme/db says so <!-- x -->");
    stage.play(async (command, { channel }) => {
      channel.write("said\n");
      return command.includes("systemctl") ? 1 : 0;
    });
    stage.model.play({ text: "CONFIRMED by 1 and 2: the volume is full.\n\nMore of it." });
    await stage.ask(thread, "lee", "/approve 1 2");
    await stage.ask(thread, "sam", "/run web-1\n```sh\njournalctl --disk-usage\n```");
    await stage.ask(thread, "lee", "/approve 4", { text: "CONFIRMED by 4: it was the journal." });
    await stage.ask(thread, "sam", "/hold");
    await stage.ask(thread, "lee", "/resume");
    await stage.ask(thread, "sam", "/run web-1\n```sh\ndf -h\n```");
    const { said, isMarked } = await stage.ask(thread, "sam", "/close --anyway the journal was full");
    expect(isMarked("rocket")).toBe(true);
    const [summary = ""] = said;

    const time = "- \\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2} · ";
    const story = [
      "opened by `@mona`",
      "\\*\\*3\\*\\* rejected by `@lee`: `rm -r /srv/x` on `web-1` — not before `@acme/db` says so",
      "\\*\\*1\\*\\*, \\*\\*2\\*\\* approved by `@lee`",
      "\\*\\*1\\*\\* `uptime` on `web-1` · ✅ exit 0",
      "\\*\\*2\\*\\* `systemctl restart nginx` on `web-1` · ❌ exit 1",
      "\\*\\*4\\*\\* approved by `@lee`",
      "\\*\\*4\\*\\* `journalctl --disk-usage` on `web-1` · ✅ exit 0",
      "held by `@sam`",
      "resumed by `@lee`",
      "closed by `@sam`",
    ];
    expect(summary).toMatch(new RegExp(story.map((line) => `${time}${line}[^\\n]*`).join("\n")));
    expect(summary).toContain(
      "**What ran that can change something**\n\n- **2** `systemctl restart nginx` on `web-1` · ❌ exit 1\n\n",
    );
    expect(summary).toContain(
      "**What did not go well**\n\n- **2** `systemctl restart nginx` on `web-1` · ❌ exit 1\n- **3** `rm -r /srv/x` on `web-1` · turned down by `@lee`: not before `@acme/db` says so\n\n",
    );
    expect(summary).toMatch(
      /^\*\*Closed by `@sam`\*\* after .+ · three commands run, approved by `@lee`\n\n\*\*Postmortem draft\*\*/,
    );
    expect(summary).toContain("**Cause** · the journal was full\n");
    // The draft first, the timeline folded below it.
    expect(summary).toMatch(
      /\n\n<details><summary>Timeline of what ran \(UTC\)<\/summary>\n\n- [\s\S]*- .* closed by `@sam`\n\n<\/details>\n/,
    );
    expect(summary).not.toContain("df -h");
    expect(summary).toContain("A runbook for next time could start as `.github/skills/something-is-odd/SKILL.md`");
    expect(summary).toContain(
      "- `@lee` turned down `rm -r /srv/x`: not before `@acme/db` says so. Consider a warning.",
    );
    expect(summary).toContain(
      '```text\n---\nname: something-is-odd\ndescription: "Something is odd. Use when it happens again."\n',
    );
    expect(summary).not.toMatch(/(?<![`\w])@\w/);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 5: "void" });

    await stage.expectRefusal(thread, "lee", "/close", [
      /This incident is already closed \(\[summary\]\(http\S+#issuecomment-\d+\)\)/,
    ]);
    await stage.expectDone(thread, "lee", "/close a log without rotation", [
      "The cause is kept, and the board shows it: a log without rotation",
    ]);
    const { db } = stage.bot.deps.store;
    const { cause } = await db
      .selectFrom("incident")
      .select("cause")
      .where("number", "=", thread.number)
      .executeTakeFirstOrThrow();
    expect(cause).toBe("a log without rotation");
  });

  it("PRODUCT asks once for what waits and for a check that failed, and again only if something came to it", async () => {
    const thread = await stage.incident("uptime", { command: "systemctl restart nginx", title: "Restart" });
    stage.play(async () => 1);
    await stage.ask(thread, "lee", "/approve 1", { text: "INCONCLUSIVE: uptime says nothing." });
    await stage.expectRefusal(thread, "sam", "/close done", [
      /Not closed: 2 waits for a decision; the last check, 1, ended so: ❌ exit 1\. To close anyway, send `\/close` again/,
    ]);
    await stage.ask(thread, "sam", "/run web-1\n```sh\ndf -h\n```");
    await stage.expectRefusal(thread, "sam", "/close done", [
      /Not closed: 2, 3 wait for a decision; the last check, 1/,
    ]);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 2: "proposed", 3: "proposed" });
    expect((await stage.ask(thread, "lee", "/close done")).isMarked("rocket")).toBe(true);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 2: "void", 3: "void" });
  });

  it("PRODUCT OFF-1 the runbook that it drafts is found for its own incident, and holds nothing of this one alone", async () => {
    const incident = {
      title: "Checkout pods on web-1 crash: checkout-7d9f8b6c5-x2x4z",
      body: "checkout-7d9f8b6c5-x2x4z has restarted 14 times since 2026-11-24T03:12:00Z, process 21733.",
    };
    const commands = [
      "crictl logs checkout-7d9f8b6c5-x2x4z",
      "git -C /srv/app log -1 3f2a9c1",
      "grep 0191d5a8-1f2e-7c3d-8e4f-5a6b7c8d9e0f /var/log/app.log",
    ];
    stage.play(saying("error: process 21733 of checkout-7d9f8b6c5-x2x4z was killed\n"));
    const thread = await stage.opened(incident, proposing("LIKELY: looking.", ...commands));
    await stage.ask(thread, "lee", "/approve 1 2 3", { text: "LIKELY: 1, 2 and 3 show it." });
    const [summary = ""] = (await stage.ask(thread, "sam", "/close it was the memory")).said;
    const [, path = "", , text = ""] = /could start as `(\S+)`:\s+(`{3,})text\n([\s\S]*?)\n\2/.exec(summary) ?? [];
    expect(text).toMatch(/\ncrictl logs <pod>\n/);
    expect(text).toContain("git -C /srv/app log -1 <revision>");
    expect(text).toContain("grep <id> /var/log/app.log");
    expect(text).not.toMatch(/7d9f8b6c5|x2x4z|21733|3f2a9c1|0191d5a8|2026-11-24|03:12|web-1/);
    const parsed = parseSkill({ path, text, source: "acme/web@1" });
    if (!parsed.ok) throw new Error(parsed.problem.message);
    expect(suggest([parsed.skill])({ id: "1", ...incident })).toEqual({
      id: "1",
      ranked: [parsed.skill.name],
      band: "high",
    });
  });

  it("PRODUCT what the runbook lacks is a patch of it and what it has is not, what was blocked went wrong, and without a cause it is the line confirmed before the fix", {
    tags: ["long"],
  }, async () => {
    stage.play(saying("said\n"));
    const runbook = "[Open runbook](.github/skills/spool-full/SKILL.md)";
    stage.model.play(proposing(`LIKELY: see ${runbook}.`, "uname -s", "uptime"));
    const thread = await stage.open();
    await thread.waitFor((body) => body.includes("**2**") && body.includes("```sh"), "the card");
    const confirmed = { text: "CONFIRMED by **1** and 2: the *spool* is full.\n\nMore." };
    await stage.ask(thread, "lee", "/approve 1 2", confirmed);
    await stage.ask(thread, "sam", "/run web-1\n```sh\nsystemctl restart  spooler\n```");
    await stage.ask(thread, "lee", "/approve 3", { text: "CONFIRMED by 3: mail flows again." });
    await stage.ask(thread, "sam", "/run web-1\n```sh\nrm -rf /\n```");
    await stage.ask(thread, "sam", "/run web-1\n```sh\ndf -i\n```");
    await stage.ask(thread, "lee", "/approve 5", { text: "LIKELY: 5 ran." });
    const [summary = ""] = (await stage.ask(thread, "sam", "/close")).said;
    expect(summary).toContain(
      "**Cause** · The spool is full. *(CONFIRMED by 1 and 2, in the agent's words, not verified)*\n",
    );
    const [, lessons = ""] = /\*\*For the runbooks\*\*[^\n]*\n\n([\s\S]*?)\n\n<details>/.exec(summary) ?? [];
    const path = ".github/skills/spool-full/SKILL.md";
    expect(lessons.split("\n")).toEqual([
      `Useful, and not yet in \`${path}\`:`,
      "",
      "````diff",
      `--- a/${path}`,
      `+++ b/${path}`,
      "@@ -14,6 +14,7 @@",
      " echo spool is at 97 percent",
      " # expect: 97 percent",
      " uname -s",
      "+uptime",
      " ```",
      " ",
      " ## Act (each needs an approval)",
      "````",
    ]);
    expect(summary).toMatch(
      /\*\*What did not go well\*\*\n\n- \*\*4\*\* `rm -rf \/` on `web-1` · ⛔ blocked: [^\n]+, proposed by `@sam`\n\n/,
    );
    expect(summary).not.toMatch(/ · \*\*4\*\* blocked/);
    expect(summary).not.toContain("\\*");
  });

  it("PRODUCT a read that failed by its own options helped nobody and enters no patch, whatever its exit code", {
    tags: ["long"],
  }, async () => {
    stage.play(async (command, { channel }) => {
      if (!command.includes("diff") && !command.includes("uname -x")) return 0;
      channel.write(command.includes("diff") ? "diff: invalid option -- 'r'\n" : "uname: unrecognized option '-x'\n");
      return command.includes("diff") ? 1 : 0;
    });
    const runbook = "[Open runbook](.github/skills/spool-full/SKILL.md)";
    stage.model.play(proposing(`LIKELY: see ${runbook}.`, "diff -r /etc/a /etc/b", "uname -x | head", "uptime"));
    const thread = await stage.open();
    await thread.waitFor((body) => body.includes("**3**") && body.includes("```sh"), "the card");
    await stage.ask(
      thread,
      "lee",
      "/approve 1 2 3",
      { text: "CONFIRMED by 3: it is full." },
      { text: "CONFIRMED by 3: so." },
    );
    const [summary = ""] = (await stage.ask(thread, "sam", "/close it was full")).said;
    expect(summary).toContain("+uptime");
    expect(summary).not.toMatch(/^\+(?:diff|uname)/m);
    stage.play(saying("fine\n"));
  });

  it("PRODUCT OP-4 a runbook that the agent loaded was used, link or not; one that does not exist was not", {
    tags: ["long"],
  }, async () => {
    stage.model.play(
      call("use_skill", { name: "no-such" }),
      call("use_skill", { name: "spool-full" }),
      proposing("LIKELY: it is full.", "uname -s"),
    );
    const thread = await stage.open();
    await thread.waitFor((body) => body.includes("```sh"), "the card");
    await stage.ask(thread, "lee", "/approve 1", { text: "CONFIRMED by 1: full." }, { text: "IMPACT: none." });
    const [summary = ""] = (await stage.ask(thread, "sam", "/close")).said;
    expect(summary).toContain("\n\nAll that was useful is in `.github/skills/spool-full/SKILL.md`.\n\n");
  });

  it("PRODUCT a check that found the fault by its exit code went well; a command that was to change something and failed did not", {
    tags: ["long"],
  }, async () => {
    stage.play(async () => 3);
    stage.model.play(proposing("LIKELY: the spool.", "systemctl status spooler", "systemctl restart spooler"));
    const thread = await stage.open();
    await thread.waitFor((body) => body.includes("**2**") && body.includes("```sh"), "the card");
    await stage.ask(thread, "lee", "/approve 1 2 --keep-going", { text: "LIKELY: by 1 and 2: it is down." });
    const [summary = ""] = (await stage.ask(thread, "sam", "/close")).said;
    const [, failed = ""] = /\*\*What did not go well\*\*\n\n([\s\S]*?)\n\n/.exec(summary) ?? [];
    expect(failed).toBe("- **2** `systemctl restart spooler` on `web-1` · ❌ exit 3");
  });

  it("issue 24.5 a runbook to begin with has places for this incident's values and the check of an act, and nothing that a check showed", {
    tags: ["long"],
  }, async () => {
    stage.model.play(
      proposing(
        "LIKELY: the pod.",
        "kubectl -n shop rollout status deploy/cart",
        "kubectl -n shop logs cart-7f9 --tail=50",
        {
          command: "kubectl -n shop rollout restart deploy/cart",
          check: "kubectl -n shop rollout status deploy/cart",
        },
      ),
    );
    const thread = await stage.open({ body: "### Namespace\n\nshop\n\n### Pod\n\ncart-7f9\n\n### Deployment\n\ncart" });
    await thread.waitFor((body) => body.includes("**3**") && body.includes("```sh"), "the card");
    let isDown = true;
    stage.play(async (command, { channel }) => {
      if (command.includes("restart")) isDown = false;
      if (command.includes("status") && isDown) channel.write("error: timed out waiting\n");
      if (command.includes("logs")) channel.write("2026-11-24T03:12:00Z ERROR: connection pool of 20 exhausted\n");
      return 0;
    });
    await stage.ask(thread, "lee", "/approve 1 2 3 --keep-going", { text: "CONFIRMED by 2 and 3: the pool." });
    const [summary = ""] = (await stage.ask(thread, "sam", "/close")).said;
    const [, skill = ""] = /\n(## Verify[\s\S]*?)\n```(?:`*)\n\n<details>/.exec(summary) ?? [];
    expect(skill.split("\n")).toEqual([
      "## Verify",
      "",
      "```sh",
      "kubectl -n <namespace> rollout status deploy/<deployment>",
      "kubectl -n <namespace> logs <pod> --tail=50",
      "```",
      "",
      "## Act (each needs an approval)",
      "",
      "```sh",
      "kubectl -n <namespace> rollout restart deploy/<deployment>",
      "# check: kubectl -n <namespace> rollout status deploy/<deployment>",
      "```",
    ]);
  });
});
