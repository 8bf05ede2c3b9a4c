import { describe, expect, it } from "vitest";
import { cardOf, statesOf, useStage } from "../../harness/stage.ts";

const drain = `name: drain
description: Takes a server out
params: { why: {} }
steps:
  - { server: web-1, title: Look, command: uptime }
  - { server: web-1, title: Say, command: "logger {{why}}" }
  - { server: web-1, title: Stop, command: systemctl stop app }
  - { server: web-1, title: See, command: df -h }
`;
const skill = `---
name: app-down
description: The app is down
---

## Act

\`\`\`sh
systemctl restart app
# check: systemctl is-active app
# undo: systemctl stop app
\`\`\`
`;

const stage = useStage(() => ({
  files: {
    "AGENTS.md": "# Web\n",
    ".github/countersign/workflows/drain.yml": drain,
    ".github/skills/app-down/SKILL.md": skill,
  },
}));

const block = (...actions: readonly object[]) =>
  `LIKELY: so.\n---ACTIONS_JSON_START---\n${JSON.stringify({ actions })}\n---ACTIONS_JSON_END---`;
const action = (id: string, command: string, more: object = {}) => ({
  id,
  api: "ssh.execute",
  title: command,
  description: "looks",
  params: { server: "web-1", command },
  ...more,
});

describe("the agent's workflows and predictions", () => {
  it("WF-1 S13.3 SR-60 its tool proposes all steps of a workflow, more than three, with what it gives as data", {
    tags: ["long"],
  }, async () => {
    stage.model.play(
      {
        text: "",
        toolCalls: [{ name: "start_workflow", arguments: { name: "drain", params: { why: "it's down; rm -rf /" } } }],
      },
      { text: "LIKELY: take it out." },
    );
    const thread = await stage.opened();
    expect(await statesOf(stage, thread.number)).toEqual({
      1: "proposed",
      2: "proposed",
      3: "proposed",
      4: "proposed",
    });
    const { body } = await cardOf(thread, 1);
    expect(body).toContain("logger 'it'\\''s down; rm -rf /'");
    expect(body).toContain("step 4 of 4 of drain");
    const [first] = stage.model.requests;
    expect(JSON.stringify(first?.body)).toMatch(/- drain: Takes a server out \(parameters: why\)/);
  });

  it("OP-3 WF-1 a card says what the model expects of a command, and how a skill checks and undoes it", {
    tags: ["long"],
  }, async () => {
    stage.model.play({
      text: block(
        action("1", "uptime", { expect: { contains: "fi*e", seconds: 60 } }),
        action("2", "df -h", { expect: { lacks: "fine" } }),
        action("3", "systemctl restart app"),
      ),
    });
    const thread = await stage.opened();
    const { body } = await cardOf(thread, 1);
    expect(body).toContain("  *expects:* exit 0 · `fi*e` in its output · within 1 min");
    expect(body).toContain("  *expects:* exit 0 · no `fine` in its output");
    expect(body).toContain("  *check, by the runbook:* `systemctl is-active app`");
    expect(body).toContain("  *undo, by the runbook:* `systemctl stop app`");
    stage.model.play({ text: "CONFIRMED by 2: it says fine, which is a surprise." });
    const { said } = await stage.ask(thread, "lee", "/approve 1 2 3");
    expect(said.join("\n")).toMatch(/\*\*1\*\* ✅/);
    expect(said.join("\n")).toMatch(/\*\*2\*\* ⚠️ .* · exit 0, but: its output has "fine"$/m);
    expect(said.join("\n")).toContain("Needs approval again: 3.");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "done", 3: "proposed" });
  });

  it("PA-4 a prediction that cannot be read leaves its proposal out, and says so", async () => {
    const reply = { text: block(action("1", "uptime", { expect: { exit: "zero" } }), action("2", "df -h")) };
    const thread = await stage.opened({}, reply, reply);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
    expect((await cardOf(thread, 1)).body).toContain("expect.exit is no exit code");
  });
});
