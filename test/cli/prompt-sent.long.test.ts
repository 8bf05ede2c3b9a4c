import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assemblePrompt, describePrompt } from "../../src/cli/prompt.ts";
import type { incident } from "../harness/playground.ts";
import { type Stage, startStage } from "../harness/stage.ts";

const files = {
  "AGENTS.md": "Ask before you restart. token=ghp_0123456789abcdefghijklmnopqrstuvwxyz",
  ".github/countersign.yml": "servers: [web-1]\n",
  ".github/countersign/rules.md": "Never on Fridays.\n",
  ".github/countersign/workflows/drain.yml":
    "name: drain\ndescription: Drains a node.\nparams: { node: {} }\nsteps: [{ server: web-1, command: uptime, title: Look }]",
  ".github/skills/disk/SKILL.md": "---\nname: disk\ndescription: When a volume is full.\n---\n# Look\n",
};
const folder = mkdtempSync(join(tmpdir(), "countersign-sent-"));
const repo = join(folder, "web");
let stage: Stage;
beforeAll(async () => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    writeFileSync(join(repo, path), text);
  }
  stage = await startStage({ files, beside: { "db-1": {} } });
});
afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Drawn at random, or of the place where the files were read. */
const plain = (text: string): string =>
  text.replace(/ nonce="\w+"/g, "").replaceAll(/(?:acme\/)?web@(?:on disk|[0-9a-f]{7}):/g, "");

describe("countersign prompt", () => {
  it("OP-1 S13.7 prints the prompt and the tools that the endpoint is sent", async () => {
    const thread = await stage.opened({}, { text: "LIKELY: looking." });
    const { messages, tools } = stage.model.requests.at(-1)?.body ?? { messages: [] };
    const issue = join(folder, "issue.json");
    const { body: given } = await stage.github.as("mona")("GET", `/repos/acme/web/issues/${thread.number}`);
    const { title, body, number, labels } = given as typeof incident & { number: number };
    writeFileSync(issue, JSON.stringify({ title, body, number, labels }));
    const prompt = await assemblePrompt({ repo, issue, config: stage.bot.deps.config });
    expect(plain(prompt.text)).toBe(plain(messages[0]?.content ?? ""));
    expect(prompt.tools).toEqual(tools);
    expect(prompt.tools.map((tool) => tool.function.name)).toEqual(
      expect.arrayContaining(["update_plan", "delegate", "start_workflow", "ask_question", "get_feedback_history"]),
    );
    const shown = describePrompt(prompt);
    expect(shown).toContain(`${prompt.tools.length} tools are sent with it:\n{"type":"function",`);
    expect(shown).not.toMatch(/db-1|ghp_/);
  });
});
