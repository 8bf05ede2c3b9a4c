import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openIssue } from "../../demo/thread.ts";
import { startBotProcess } from "../harness/bot-process.ts";
import { entryOf, incident, prepareGround, repo } from "../harness/playground.ts";
import { useStarted } from "../harness/use-started.ts";
import { startFakeHost } from "../ssh/fake-host.ts";
import { countersign } from "./countersign.ts";

describe("start", () => {
  const host = useStarted(() => startFakeHost(async () => 0));
  const ground = useStarted(() => prepareGround({ servers: { "web-1": entryOf(host) } }));

  it("SR-08 refuses to start where the App may do more than the bot needs: nothing listens", async () => {
    ground.github.setAppPermissions({ issues: "write", metadata: "read", contents: "write", administration: "write" });
    const { code, err } = await countersign(["start", "--config", ground.configFile]);
    expect(code).toBe(2);
    expect(err).toMatch(/contents: write is more than the bot needs/);
    expect(err).toMatch(/administration: write is more than the bot needs/);
    await expect(fetch(`http://127.0.0.1:${ground.port}/livez`)).rejects.toThrow();
  });

  it("SR-05 SR-56 takes webhooks from whom the operator named alone, and keeps its memory out of core dumps", async () => {
    ground.github.setAppPermissions({ issues: "write", metadata: "read", contents: "read", members: "read" });
    const config = JSON.parse(readFileSync(ground.configFile, "utf8"));
    config.server.allow_from = ["203.0.113.0/24"];
    const configFile = ground.configFile.replace(/\.yml$/, "-elsewhere.yml");
    writeFileSync(configFile, JSON.stringify(config), { mode: 0o600 });
    const bot = await startBotProcess({ configFile, port: ground.port });
    const { status } = await fetch(`http://127.0.0.1:${ground.port}/`, { method: "POST", body: "{}" });
    expect(status).toBe(403);
    const filter = `/proc/${bot.child.pid}/coredump_filter`;
    if (existsSync(filter)) expect(readFileSync(filter, "utf8").trim()).toMatch(/^0+$/);
    await bot.signal("SIGTERM");
  });

  it("S14.6 goes on when nobody reads its log any more", async () => {
    const config = JSON.parse(readFileSync(ground.configFile, "utf8"));
    config.logging = { level: "debug" };
    const configFile = ground.configFile.replace(/\.yml$/, "-debug.yml");
    writeFileSync(configFile, JSON.stringify(config), { mode: 0o600 });
    const bot = await startBotProcess({ configFile, port: ground.port });
    const written = bot.log().length;
    bot.child.stdout?.destroy();
    await openIssue(ground.github, repo, incident);
    await ground.github.settled();
    expect(written).toBeGreaterThan(0);
    expect((await fetch(`http://127.0.0.1:${ground.port}/livez`)).status).toBe(200);
    expect(await bot.signal("SIGTERM")).toBe(0);
    expect(JSON.parse(bot.said())).toMatchObject({ level: "error", event: "log_stdout_failed" });
  });

  it("RR-20 logs what `check` knows, with what to do, and /readyz has a line for each", async () => {
    const config = JSON.parse(readFileSync(ground.configFile, "utf8"));
    const { host_key: _, ...unknown } = config.servers["web-1"];
    config.servers["web-1"] = { ...unknown, known_hosts_file: "./known_hosts" };
    config.policy.approvers.teams = ["acme/oncal"];
    config.github.repositories.push({ name: "acme/ghost", servers: [] });
    config.logging = { level: "info" };
    const configFile = ground.configFile.replace(/\.yml$/, "-incomplete.yml");
    writeFileSync(configFile, JSON.stringify(config), { mode: 0o600 });
    const bot = await startBotProcess({ configFile, port: ground.port });
    const ready = async () => {
      const answer = await fetch(`http://127.0.0.1:${ground.port}/readyz`);
      return { status: answer.status, ...((await answer.json()) as object) };
    };
    await expect.poll(ready).toMatchObject({
      status: 200,
      ok: true,
      checks: {
        app: "as it should be",
        installed: "the App is not installed on acme/ghost, or there is no such repository",
        approvers: "there is no team acme/oncal that the App can see",
        host_keys: "no host key is known for web-1: known_hosts cannot be read",
      },
    });
    await bot.signal("SIGTERM");
    const said = bot
      .log()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const told = said.filter(({ event, level }) => event === "setup_check" && level === "error");
    expect(told.map(({ place }) => place)).toEqual([
      "github.repositories.1",
      "policy.approvers.teams.0",
      "servers.web-1",
    ]);
    for (const { remedy } of told) expect(remedy).toMatch(/\w{3}/);
  });

  it.each([
    { role: "web,agents", says: /no role `agents`/ },
    { role: "web", says: /cannot share an embedded store/ },
  ])("SR-55 --role $role is refused with a remedy", async ({ role, says }) => {
    const { code, err } = await countersign(["start", "--role", role, "--config", ground.configFile]);
    expect(code).toBe(2);
    expect(err).toMatch(says);
  });
});
