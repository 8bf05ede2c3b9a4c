import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordSchema } from "../../src/features/replay/outcome.ts";
import { repo } from "../harness/playground.ts";
import { type Stage, startStage } from "../harness/stage.ts";
import { freshFolder, removeFolder } from "../store/fresh.ts";
import { countersign, type Ended } from "./countersign.ts";

const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

/** Two incidents, of which one is closed: a secret was said in it, and a change helped. The bot runs on. */
describe("issue 24.5 countersign export --incidents", () => {
  const cwd = mkdtempSync(join(tmpdir(), "countersign-export-"));
  let store: string;
  let stage: Stage;
  let file: string;
  beforeAll(async () => {
    store = await freshFolder();
    stage = await startStage({
      storeUrl: `file:${store}`,
      configure: (config) => {
        file = join(dirname((config.github as { private_key_file: string }).private_key_file), "countersign.yml");
      },
    });
    let isDown = true;
    stage.play(async (command, { channel }) => {
      if (command.includes("restart")) isDown = false;
      channel.write(isDown ? "connection refused\n" : "fine\n");
      return 0;
    });
    const thread = await stage.incident("uptime", "systemctl restart checkout");
    await stage.ask(thread, "lee", "/approve 1", { text: "CONFIRMED by 1: it is down." });
    await stage.ask(thread, "lee", "/approve 2", { text: "CONFIRMED by 2: it is up." });
    await stage.ask(thread, "lee", "/retry 1", { text: "CONFIRMED by 3: it is up." });
    await stage.ask(thread, "lee", `/close --anyway it had ${secret} in its log`);
    await stage.incident("uptime");
  });
  afterAll(async () => {
    await stage.close();
    removeFolder(store);
    rmSync(cwd, { recursive: true, force: true });
  });
  const exported = (...more: readonly string[]): Promise<Ended> =>
    countersign(["export", "--incidents", "--config", file, ...more]);

  it("prints a repository's servers and its closed incidents, redacted, also while the bot runs and without its secrets", async () => {
    const { code, out, err } = await exported("--repo", repo.toUpperCase());
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const [servers, incident, ...others] = out
      .trim()
      .split("\n")
      .map((line) => recordSchema.parse(JSON.parse(line)));
    expect(servers).toMatchObject({ repo, servers: [{ name: "web-1", os: "linux" }] });
    expect(incident).toMatchObject({ number: 1, title: expect.any(String), helped: ["systemctl restart checkout"] });
    expect(others).toEqual([]);
    expect(out).not.toContain("127.0.0.1");
  });

  it("leaves out what was opened before --since", async () => {
    const { out } = await exported("--repo", repo, "--since", "2999-01-01");
    expect(out.trim().split("\n")).toHaveLength(1);
  });

  it.each([
    [["--repo", "acme/other"], "the bot does not serve acme/other", "name one of: acme/web"],
    [["--repo", repo, "--since", "soon"], "soon is no time", "--since 2026-03-01"],
  ])("refuses %j with what to write", async (args, ...words) => {
    const { code, err } = await exported(...args);
    for (const word of words) expect(err).toContain(word);
    expect(code).toBe(2);
  });
});
