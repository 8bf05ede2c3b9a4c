import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { prepareGround } from "../harness/playground.ts";
import { useStarted } from "../harness/use-started.ts";
import { startBotProcess } from "../harness/world.ts";
import { ed25519Pair } from "../ssh/keys.ts";
import { countersign } from "./countersign.ts";

describe("start", () => {
  const ground = useStarted(() => prepareGround());

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
    await ground.open();
    await ground.github.settled();
    expect(written).toBeGreaterThan(0);
    expect((await fetch(`http://127.0.0.1:${ground.port}/livez`)).status).toBe(200);
    expect(await bot.signal("SIGTERM")).toBe(0);
    expect(JSON.parse(bot.said())).toMatchObject({ level: "error", event: "log_stdout_failed" });
  });

  it("RR-20 names all that `check` finds with what to do: in the log, on /readyz, in its last line and as a metric", async () => {
    const config = JSON.parse(readFileSync(ground.configFile, "utf8"));
    const { host_key: pinned, ...unknown } = config.servers["web-1"];
    const other = ed25519Pair().public.split(" ").slice(0, 2).join(" ");
    config.servers["web-1"] = { ...unknown, host_key: other };
    config.servers["web-2"] = { ...unknown, known_hosts_file: "./known_hosts" };
    config.servers["web-3"] = { ...unknown, host_key: pinned };
    const { github, policy, servers } = JSON.parse(readFileSync(ground.configFile, "utf8"));
    const sound = { github, policy, servers };
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
    const installed = "the App is not installed on acme/ghost, or there is no such repository";
    const approvers = "there is no team acme/oncal that the App can see";
    const reason = (place: string, what: unknown) => ({ place, what, remedy: expect.stringMatching(/\w{3}/) });
    const changed = expect.stringMatching(/^the host key of web-1 .*the server shows SHA256:/);
    const reasons = [
      reason("github.repositories.1", installed),
      reason("policy.approvers.teams.0", approvers),
      reason("servers.web-1", changed),
      reason("servers.web-2", "no host key is known for web-2: known_hosts cannot be read"),
    ];
    // A probe must not cut off a bot that takes webhooks and /hold.
    await expect.poll(ready).toMatchObject({
      status: 200,
      ok: true,
      able: false,
      reasons,
      checks: {
        app: "as it should be",
        installed,
        approvers,
        servers: expect.stringMatching(/^the host key of web-1 .*\(and 1 more: see the reasons\)$/),
      },
    });
    expect(await (await fetch(`http://127.0.0.1:${ground.port}/metrics`)).text()).toMatch(/^countersign_able 0$/m);
    const checked = await countersign(["check", "--config", configFile]);
    expect(checked.out).toMatch(/^port +✓ .*this bot is already running here$/m);
    expect(checked.code).toBe(1);
    // Deliveries of the tests before are logged in between.
    const ownLines = bot.log().match(/^.*(?:"module":"setup"|"event":"server_start").*$/gm) ?? [];
    const lastLine = JSON.parse(ownLines.at(-1) ?? "");
    expect(lastLine).toMatchObject({ event: "setup_unable", level: "error", problems: 4 });
    expect(lastLine.msg).toMatch(
      /^Running, but not able to do everything: 4 problems\. .*acme\/ghost.*acme\/oncal.*web-1.*web-2/,
    );
    const nobody = { ...config, ...sound, policy: { approvers: { teams: [], users: [] } } };
    writeFileSync(configFile, JSON.stringify(nobody), { mode: 0o600 });
    const empty = reason("policy.approvers", "is empty, so nobody can approve anything");
    await expect.poll(ready).toMatchObject({ status: 200, ok: true, able: false, reasons: [empty] });
    writeFileSync(configFile, JSON.stringify({ ...config, ...sound }), { mode: 0o600 });
    await expect.poll(ready).toMatchObject({ status: 200, ok: true, able: true, reasons: [] });
    await expect.poll(bot.log).toMatch(/"event":"setup_able".*"msg":"Ready: /);
    await bot.signal("SIGTERM");
    const said = bot
      .log()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const told = said.filter(({ event, level }) => event === "setup_check" && level === "error");
    expect(told.map(({ place }) => place)).toEqual([...reasons, empty].map(({ place }) => place));
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
