import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Stage, startStage, statesOf } from "../jobs/stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

describe("/close", () => {
  it("PRODUCT leaves a timeline of everything decided, a draft postmortem and what a runbook would have saved", async () => {
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
    stage.model.play({ text: "CONFIRMED by 4: it was the journal." });
    await stage.ask(thread, "lee", "/approve 4");
    await stage.ask(thread, "sam", "/hold");
    await stage.ask(thread, "lee", "/resume");
    await stage.ask(thread, "sam", "/run web-1\n```sh\ndf -h\n```");
    const { said, reactions } = await stage.ask(thread, "sam", "/close the journal was full");
    expect(reactions).toEqual(["eyes", "rocket"]);
    const [summary = ""] = said;

    const time = "- \\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2} · ";
    const story = [
      "taken in by `@mona`",
      "\\*\\*1\\*\\* proposed: `uptime` on `web-1`",
      "\\*\\*2\\*\\* proposed",
      "\\*\\*3\\*\\* proposed",
      "\\*\\*3\\*\\* rejected by `@lee` — not before `@acme/db` says so",
      "\\*\\*1\\*\\*, \\*\\*2\\*\\* approved by `@lee`",
      "\\*\\*1\\*\\* `uptime` on `web-1` · ✅ exit 0",
      "\\*\\*2\\*\\* `systemctl restart nginx` on `web-1` · ❌ exit 1",
      "\\*\\*4\\*\\* proposed by `@sam`",
      "\\*\\*4\\*\\* approved by `@lee`",
      "\\*\\*4\\*\\* `journalctl --disk-usage` on `web-1` · ✅ exit 0",
      "held by `@sam`",
      "resumed by `@lee`",
      "\\*\\*5\\*\\* proposed by `@sam`",
      "closed by `@sam`",
    ];
    expect(summary).toMatch(new RegExp(story.map((line) => `${time}${line}[^\\n]*`).join("\n")));
    expect(summary).toContain(
      "**What ran that can change something**\n\n- **2** `systemctl restart nginx` on `web-1` · ❌ exit 1",
    );
    expect(summary).toContain(
      "**Cause** · CONFIRMED, in the agent's words, not verified: CONFIRMED by 4: it was the journal.",
    );
    expect(summary).toContain(
      "One for the next time could begin as `.github/skills/spoolalmostfull-on-web-1/SKILL.md`",
    );
    expect(summary).toContain("- `@sam` had to write `journalctl --disk-usage`, and it went well: a step to add.");
    expect(summary).toContain("- `@lee` turned down `rm -r /srv/x`: not before `@acme/db` says so");
    expect(summary).toContain("```text\n---\nname: spoolalmostfull-on-web-1\n");
    expect(summary).not.toMatch(/(?<![`\w])@\w/);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 5: "void" });

    const again = await stage.ask(thread, "lee", "/close");
    expect(again.reactions).toEqual(["eyes", "confused"]);
    expect(again.said.join()).toMatch(
      /This incident is closed already, \[with its summary\]\(http\S+#issuecomment-\d+\)/,
    );
  });
});
