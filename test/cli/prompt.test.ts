import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assemblePrompt } from "../../src/cli/prompt.ts";
import { configSchema } from "../../src/config/schema.ts";
import { toProgramSide } from "../../src/config/shape.ts";
import type { Config } from "../../src/config/values.ts";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const base = mkdtempSync(join(tmpdir(), "countersign-prompt-"));
const repo = join(base, "web");
const issue = join(base, "issue.json");
const put = (path: string, text: string) => {
  const file = join(repo, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
const skill = (name: string, description: string) => `---\nname: ${name}\ndescription: ${description}\n---\n# Look\n`;

beforeAll(() => {
  put("AGENTS.md", "Root.");
  put("services/web/.agents/AGENTS.md", "Component.");
  put(".github/countersign/rules.md", "Never on Fridays.");
  put(
    ".github/countersign/workflows/drain.yml",
    "name: drain\ndescription: Drains.\nsteps: [{ server: a, command: ls, title: t }]",
  );
  put(".claude/skills/disk/SKILL.md", skill("disk", "When a volume is full."));
  put(".agents/skills/odd/SKILL.md", skill("../../etc/passwd", "Odd."));
  put("elsewhere/SKILL.md", skill("elsewhere", "Not here."));
  symlinkSync("../../elsewhere", join(repo, ".agents/skills/linked"));
  symlinkSync("AGENTS.md", join(repo, ".github/AGENTS.md"));
  writeFileSync(
    issue,
    JSON.stringify({ title: "Disk", body: "full", labels: [{ name: "path:services/web" }], number: 7 }),
  );
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe("countersign prompt", () => {
  it("OP-1 OP-2 OP-3 SR-38 assembles what the bot would send for the issue, with sources, and follows no link", async () => {
    const prompt = await assemblePrompt({ repo, issue, config: undefined });
    expect(prompt.sections.map(({ name, source }) => `${name} ${source}`)).toEqual(
      [
        ["instructions templates/instructions.md", "rules web@on disk:.github/countersign/rules.md"],
        ["identity templates/prompt/identity.md", "protocol templates/prompt/protocol.md", "tools generated"],
        ["tool-guidelines generated", "planning shipped", "workflows generated"],
        ["project-context web@on disk:AGENTS.md", "project-context web@on disk:services/web/.agents/AGENTS.md"],
        ["skills generated", "environment generated", "session-instructions pillar troubleshoot"],
      ].flat(),
    );
    expect(prompt.text).toContain("Incident: issue #7");
    expect(prompt.text).toContain("- disk: When a volume is full.");
    expect(prompt.text).not.toContain("Odd.");
    expect(prompt.text).not.toContain("Not here.");
    expect(prompt.notes).toEqual([
      "web@on disk:.github/AGENTS.md is a symbolic link, which is never followed",
      "web@on disk:.agents/skills/linked is a symbolic link, which is never followed",
      'web@on disk:.agents/skills/odd/SKILL.md has "../../etc/passwd" for a name',
    ]);
  });

  it("S13.1 S13.4 S13.5 PA-2 AR-16 shows every layer: the operator's, a person's own part 1, pillar and note", async () => {
    const said = join(base, "said.json");
    const custom = join(base, "custom.md");
    writeFileSync(custom, "We are in Lisbon.");
    writeFileSync(
      said,
      JSON.stringify({ title: "Disk", note: "Leave db-1 alone.", part_1: "Rhyme.", pillar: "revive" }),
    );
    const shipped = toProgramSide(configSchema, configSchema.parse({}), "countersign.yml");
    const systemPrompt = { ...shipped.systemPrompt, identity: "Be calm.", customInstructionsFile: custom };
    const config = { ...shipped, systemPrompt, repositories: [], servers: new Map() } as unknown as Config;
    const prompt = await assemblePrompt({ repo, issue: said, config });
    const sources = prompt.sections.map(({ name, source }) => `${name} ${source}`);
    expect(sources).toContain("identity prompt of @you");
    expect(sources.slice(-2)).toEqual(["session-instructions pillar revive, @you", `custom-instructions ${custom}`]);
    expect(prompt.text).toMatch(/Rhyme\.[\s\S]*Restore service first;.*\n\n@you:\nLeave db-1 alone\.[\s\S]*Lisbon/);
    const without = await assemblePrompt({ repo, issue, config });
    expect(without.text).toMatch(/<identity source="system_prompt\.identity" [^>]*>\nBe calm\./);
  });

  it("OP-8 shows no instructions, no skills and no plan where they are switched off", async () => {
    const shipped = toProgramSide(configSchema, configSchema.parse({}), "countersign.yml");
    const features = { context: false, skills: false, planning: false, subAgents: false };
    const config = { ...shipped, features, repositories: [], servers: new Map() } as unknown as Config;
    const { sections, text } = await assemblePrompt({ repo, issue, config });
    expect(sections.map(({ name }) => name)).toEqual(
      [
        ["instructions", "rules", "identity", "protocol", "tools", "tool-guidelines", "workflows"],
        ["environment", "session-instructions"],
      ].flat(),
    );
    expect(text).not.toContain("use_skill");
  });

  it("OP-2 OP-4 a 1 MB AGENTS.md and 5,000 skills are cut and counted aloud, and the prompt stays small", {
    tags: ["long"],
  }, async () => {
    const large = join(base, "large");
    const file = (path: string, text: string) => {
      mkdirSync(dirname(join(large, path)), { recursive: true });
      writeFileSync(join(large, path), text);
    };
    file("AGENTS.md", "x".repeat(1024 * 1024));
    file(".github/AGENTS.md", "y".repeat(200 * 1024));
    for (let i = 0; i < 5_000; i++) file(`.github/skills/skill-${i}/SKILL.md`, skill(`skill-${i}`, `Widget ${i}.`));
    const prompt = await assemblePrompt({ repo: large, issue, config: undefined });
    expect(prompt.text).toContain("Showing 100 of 5000");
    expect(prompt.text).toContain("[… cut here: 172,032 of 204,800 bytes left out …]");
    expect(Buffer.byteLength(prompt.text)).toBeLessThan(64 * 1024);
    expect(prompt.notes).toEqual([
      "large@on disk:AGENTS.md is left out: it has 1,048,576 bytes, at most 262,144 are read",
      "large@on disk:.github/AGENTS.md is cut: 172,032 of 204,800 bytes left out",
    ]);
    console.log(`1 MB AGENTS.md, 5,000 skills: ${JSON.stringify(prompt.milliseconds)}`);
  });

  it("INJ-4 prints sections, hashes, tokens and milliseconds, and the text", { tags: ["long"] }, () => {
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [main, "prompt", "--repo", repo, "--issue", issue, ...args], {
        encoding: "utf8",
        env: { PATH: "/usr/bin:/bin" },
      });
    const said = run();
    expect(said).toMatch(
      /^section +tokens {2}sha256 +source\ninstructions +\d+ {2}[0-9a-f]{12} {2}templates\/instructions\.md\n/,
    );
    expect(said).toMatch(
      /13 sections, \d+ tokens \(estimated\), sha256 [0-9a-f]{64}\nread in [\d.]+ ms, assembled in [\d.]+ ms\n/,
    );
    expect(said).toContain("\n\n<instructions>\n");
    expect(JSON.parse(run("--json"))).toMatchObject({
      sections: expect.any(Array),
      milliseconds: { read: expect.any(Number) },
    });
  });

  it("a repository or an issue that is not there is named", async () => {
    await expect(assemblePrompt({ repo: join(base, "absent"), issue, config: undefined })).rejects.toThrow(/absent/);
    await expect(assemblePrompt({ repo, issue: join(base, "no.json"), config: undefined })).rejects.toThrow(/no\.json/);
    const odd = join(base, "odd.json");
    writeFileSync(odd, "[]");
    await expect(assemblePrompt({ repo, issue: odd, config: undefined })).rejects.toThrow(/odd\.json/);
  });
});
