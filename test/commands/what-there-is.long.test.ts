import { describe, expect, it } from "vitest";
import { incident } from "../harness/playground.ts";
import { proposing, useStage } from "../harness/stage.ts";

const skill = (name: string, description: string): string => `---\nname: ${name}\n${description}\n---\n\n# ${name}\n`;

const stage = useStage(() => ({
  files: {
    "AGENTS.md": "# Web\n",
    "services/web/AGENTS.md": "# The web service\n",
    ".github/instructions/web.instructions.md": '---\napplyTo: "services/web/**"\n---\nScoped.\n',
    ".github/instructions/db.instructions.md": '---\napplyTo: "db/**"\n---\nElsewhere.\n',
    ".github/countersign/rules.md": "Ask first.\n",
    ".github/skills/spool-full/SKILL.md": skill("spool-full", "description: The spool of @acme/oncall is full."),
    ".github/skills/broken/SKILL.md": "no frontmatter\n",
    ".github/skills/silent/SKILL.md": skill("silent", "license: MIT"),
  },
  beside: { "web-1": { groups: ["web"], description: "first | web server" } },
}));

describe("what there is", () => {
  it("INJ-6 PA-8 OP-3 each is told to whoever reads along, and nothing that they must not see", async () => {
    const thread = await stage.incident("uptime", "df -h");
    const told = async (login: string, body: string): Promise<string> => {
      const { said, isMarked } = await stage.ask(thread, login, body);
      expect(isMarked("rocket"), body).toBe(true);
      expect(said.join("\n"), body).not.toMatch(/(?<![`\w])@\w/);
      return said.join("\n");
    };

    const lee = await told("lee", "/whoami");
    expect(lee).toMatch(/^You are `@lee`, GitHub ID `\d+`, with the role \*\*write\*\* here, in `acme\/oncall`\./);
    expect(lee).toContain("- ✅ approve: you are in `acme/oncall`");
    const rita = await told("rita", "/WhoAmI");
    expect(rita).toContain("- ✅ follow along: needs read access; you have read");
    expect(rita).toContain("- ❌ propose, hold, close: needs write access; you have read");
    expect(rita).toContain("- ❌ approve: only acme/oncall may");

    const servers = await told("rita", "/servers");
    expect(servers).toContain("- `web-1` · linux · `web` · first \\| web server");
    const { host, port, user } = stage.host.entry;
    for (const secret of [host, `${port}`, user, "ed25519"]) expect(servers).not.toContain(secret);

    const skills = await told("rita", "/skills");
    expect(skills).toContain("- `spool-full` · The spool of `@acme/oncall` is full.");
    expect(skills).toMatch(/- ⚠️ `acme\/web@\w+:.github\/skills\/broken\/SKILL.md` has no frontmatter/);
    expect(skills).toContain("silent/SKILL.md` has no description");

    const status = await told("rita", "/status");
    expect(status).toMatch(
      /read from the repository at `\w{7}`: instructions `[0-9a-f]{12}`, rules `[0-9a-f]{12}`, `AGENTS.md` `[0-9a-f]{12}`/,
    );
    expect(status).toMatch(/- model: [\d,]+ tokens in, [\d,]+ out, of 500,000 for this incident; \d+ tool calls?, \d/);
    expect(status).toMatch(/- session `[0-9a-f-]{36}`, opened by `@mona`; the agent looks for the cause first/);
    await stage.ask(thread, "sam", "/hold");
    expect(await told("rita", "/status")).toMatch(/ · ✋ this incident is held by .*`@sam`.*, `\/resume`/);
    await stage.ask(thread, "lee", "/resume");
  });

  it("INJ-6 OP-2 /status names the texts of the incident's component, and none of another one's", async () => {
    const status = async (...labels: readonly string[]): Promise<string> => {
      stage.model.play(proposing("LIKELY: looking.", "uptime"));
      const thread = await stage.opened({ labels: [...incident.labels, ...labels] });
      return (await stage.ask(thread, "rita", "/status")).said.join("\n");
    };
    const web = await status("path:services/web");
    expect(web).toMatch(
      /`AGENTS\.md` `[0-9a-f]{12}`, `\.github\/instructions\/web\.instructions\.md` `[0-9a-f]{12}`, `services\/web\/AGENTS\.md` `[0-9a-f]{12}`/,
    );
    expect(web).toContain("- about the component `services/web`");
    expect(web).not.toContain("db.instructions.md");
    expect(await status()).not.toMatch(/services\/web|component/);
  });

  it("AR-21 /help guesses a mistyped name, and shows what takes several lines ready to be copied", async () => {
    const thread = await stage.incident("uptime");
    await stage.expectSaid(thread, "sam", "/help aprove", /^Did you mean `\/help approve`\?\n\nWhat you can/);
    const run = await stage.ask(thread, "sam", "/help run");
    expect(run.said.join()).toContain("\n> ````text\n> /run web-1 is it full?\n> ```sh\n> df -h\n> ```\n> ````");
  });

  it("AR-16 a pillar changes the words of the prompt from the next turn on, once, and nothing else", async () => {
    const thread = await stage.incident("uptime");
    await stage.expectSaid(thread, "sam", "/pillar faster", "It is **troubleshoot** now. Write `/pillar troubleshoot`");
    expect((await stage.ask(thread, "sam", "/pillar Revive")).isMarked("rocket")).toBe(true);
    await stage.expectSaid(thread, "sam", "/pillar revive", "It is **revive** already");
    expect((await stage.ask(thread, "rita", "/pillar revive")).isMarked("-1")).toBe(true);
    await stage.ask(thread, "lee", "/approve 1", { text: "LIKELY, see 1, 2 and 3: nothing more." });
    expect(JSON.stringify(stage.model.requests.at(-1)?.body)).toContain("Restore service first");
  });

  it("OP-6 the plan is said to be missing where there is none", async () => {
    const thread = await stage.incident("uptime");
    await stage.expectSaid(thread, "sam", "/plan", "has written no plan here yet");
  });
});
