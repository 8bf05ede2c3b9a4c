import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { demoRepo, startDemo } from "../../demo/demo.ts";
import { playOnce } from "../../demo/once.ts";
import { startFakeModel } from "../agent/fake-model.ts";
import { until } from "../harness/until.ts";
import { headOf, playIncidentScene, timeless } from "../rendered/incident-scene.ts";

describe("the demo", () => {
  it("DC-1 DC-3 DC-4 DC-5 S14 plays an incident through to its end", async () => {
    const folder = mkdtempSync(join(tmpdir(), "countersign-demo-log-"));
    const demo = await startDemo({ port: 0, logFile: join(folder, "countersign.log") });
    const lines: string[] = [];
    await playOnce(demo, (line) => lines.push(line));
    const text = lines.join("\n");
    expect(text).toContain("the issue is closed with a summary");
    // Who said what, the card, what it asks for in a box, and what the command said.
    expect(text).toMatch(/^── @lee ─+\n\n\/approve 1\n/m);
    expect(text).toContain("[x] 2 · 🟡 medium · web-1 · Rotate the debug log now\n");
    expect(text).toContain("    ┌\n    │ logrotate -f /etc/logrotate.d/checkout\n    └\n");
    expect(text).toContain("│ /dev/vdb1   40G 1.4G   38G   4% /var\n");
    expect(text.match(/<!--|<\/\w+>|<(?:details|sub|br|code)|`|\*\*|&\w+;|\]\(|^\|/gm)).toBeNull();
    await demo.close();
    // A newcomer's first log has nothing in it that looks like trouble.
    const log = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"));
    expect(log.filter((line) => !/^\{"level":"(info|debug)"/.test(line))).toEqual([]);
    expect(log.length).toBeGreaterThan(50);
    rmSync(folder, { recursive: true });
  });

  it("issue 4: docs/incident.png shows what the demo shows today, and README says so; `npm run picture` makes both", {
    tags: ["long"],
  }, async () => {
    const demo = await startDemo({ port: 0 });
    const { text, caption } = await playIncidentScene(demo).finally(demo.close);
    const picture = readFileSync("docs/incident.png");
    const [head, ...shown] = readFileSync("docs/incident.txt", "utf8").split("\n");
    expect(head).toBe(headOf(picture));
    expect(timeless(shown.join("\n").trimStart())).toBe(timeless(text));
    expect(readFileSync("README.md", "utf8")).toContain(`![${caption}](docs/incident.png)`);
    expect(picture.length).toBeLessThan(300_000);
  });

  it("issue 18.10 names OPENAI_BASE_URL where that is no address, not a file that nobody wrote", {
    tags: ["long"],
  }, async () => {
    vi.stubEnv("OPENAI_BASE_URL", "127.0.0.1:11434/v1");
    await expect(startDemo({ port: 0 }).finally(() => vi.unstubAllEnvs())).rejects.toThrow(
      'OPENAI_BASE_URL: "127.0.0.1:11434/v1" is not an http(s) address — write it in full, for example http://127.0.0.1:11434/v1',
    );
  });

  it("issue 18.10 asks the model at OPENAI_BASE_URL, with no key too", { tags: ["long"] }, async () => {
    const model = await startFakeModel();
    model.play({ text: "LIKELY: the disk of web-1 is full." });
    vi.stubEnv("OPENAI_API_KEY", "");
    vi.stubEnv("OPENAI_BASE_URL", model.url);
    vi.stubEnv("OPENAI_MODEL", "own");
    const demo = await startDemo({ port: 0 }).finally(() => vi.unstubAllEnvs());
    try {
      const [incident] = demo.incidents;
      const { title, body, label } = incident ?? { title: "", body: "", label: "" };
      await demo.github.as("mona")("POST", `/repos/${demoRepo}/issues`, { title, body, labels: [label] });
      await until(() => expect(model.requests).toHaveLength(1));
      expect(model.requests[0]).toMatchObject({ authorization: "Bearer none", body: { model: "own" } });
      model.verify();
    } finally {
      await demo.close();
      await model.close();
    }
  });
});
