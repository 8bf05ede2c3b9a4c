import { generateKeyPairSync } from "node:crypto";
import { chmodSync, readFileSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { followConfig } from "../../src/cli/start.ts";
import { stampsOf } from "../../src/config/reload.ts";
import { type LogLine, usePlayground } from "../harness/playground.ts";
import { until } from "../harness/until.ts";

describe("CFG-1 the config file is changed while the bot runs", () => {
  let file: string;
  /** What commands wait for. */
  let hold = Promise.withResolvers<void>();
  hold.resolve();
  let original: Readonly<Record<string, unknown>>;
  let stop: () => void;
  const playground = usePlayground(() => ({
    play: async (_, { channel }) => {
      await hold.promise;
      channel.write("Linux\n");
      return 0;
    },
  }));
  beforeAll(() => {
    file = playground.bot.deps.config.file;
    original = JSON.parse(readFileSync(file, "utf8"));
    ({ stop } = followConfig(playground.bot, file));
  });
  afterAll(async () => {
    stop();
  });

  const linesOf = (event: string): readonly LogLine[] => playground.log.filter((line) => line.event === event);
  const textWith = (change: object): string => JSON.stringify({ ...original, ...change });
  /** Writes the file as an editor does: a new one takes its name. */
  const replace = (text: string): void => {
    writeFileSync(`${file}.new`, text, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  const reloads = async (act: () => void, event = "config_reload"): Promise<LogLine> => {
    const before = linesOf(event).length;
    act();
    await until(() => expect(linesOf(event)).toHaveLength(before + 1));
    return linesOf(event)[before] ?? {};
  };

  it("a good change holds at once, and the log names its sections", async () => {
    const line = await reloads(() => replace(textWith({ agent: { max_steps: 7 }, commands: { prefixes: ["sre"] } })));
    expect(line).toMatchObject({ level: "info", module: "config", needsRestart: [] });
    expect([...(line.changedSections as string[])].sort()).toEqual(["agent", "commands"]);
    expect(playground.bot.deps.config.agent.maxSteps).toBe(7);
    await reloads(() => writeFileSync(file, JSON.stringify(original)));
    expect(playground.bot.deps.config.agent.maxSteps).toBe(20);
  });

  it("a bad one is refused with its reason and place, and the old one stays", async () => {
    const { config } = playground.bot.deps;
    const line = await reloads(() => replace(textWith({ agent: { max_stepz: 7 } })), "config_refused");
    expect(line).toMatchObject({
      level: "error",
      problems: [{ place: expect.stringContaining("countersign.yml"), message: expect.stringMatching(/max_stepz/) }],
    });
    expect(playground.bot.deps.config).toBe(config);
    expect((await fetch(`${playground.bot.url}/readyz`)).status).toBe(200);
  });

  it("that the file is as it was before a bad change is told, too, though nothing is changed by it", async () => {
    const { config } = playground.bot.deps;
    const line = await reloads(() => replace(JSON.stringify(original)), "config_accepted");
    expect(line).toMatchObject({ level: "info", module: "config" });
    expect(playground.bot.deps.config).toBe(config);
    const page = await fetch(`${playground.bot.url}/metrics`);
    expect(await page.text()).toMatch(/^countersign_config_in_force 1$/m);
  });

  it("what a refused one names is followed too: what was wrong with it may be mended there", async () => {
    const secretFile = join(dirname(file), "second.secret");
    writeFileSync(secretFile, "pQ7nK2mZx9LpRt4vWc8Yb1KdHs6GjEa3\n", { mode: 0o644 });
    const github = { ...(original.github as object), webhook_secret_file: secretFile };
    const refused = await reloads(() => replace(textWith({ github })), "config_refused");
    expect(JSON.stringify(refused)).toContain(`chmod 600 ${secretFile}`);
    await reloads(() => chmodSync(secretFile, 0o600), "config_accepted");
    expect(playground.bot.deps.config.github.webhookSecrets).toEqual(["pQ7nK2mZx9LpRt4vWc8Yb1KdHs6GjEa3"]);
    await reloads(() => replace(JSON.stringify(original)));
    expect(linesOf("config_refused").filter((line) => JSON.stringify(line).includes(secretFile))).toHaveLength(1);
  });

  it("SR-66 another key in the file of the signing key signs from then on", async () => {
    const key = join(dirname(file), "audit.key");
    const makeKey = () =>
      writeFileSync(key, generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }), {
        mode: 0o600,
      });
    makeKey();
    await reloads(() => replace(textWith({ audit: { signing_key_file: key } })));
    const { notary } = playground.bot.deps;
    const line = await reloads(makeKey);
    expect(line.changedSections).toEqual(["audit"]);
    const checkpoint = { size: 1, head: "0".repeat(64) };
    expect(notary?.read(playground.bot.deps.notary?.sign(checkpoint) ?? "")).toBeUndefined();
    await reloads(() => replace(JSON.stringify(original)));
  });

  it("what was changed while the bot started is no less a change", async () => {
    const known = stampsOf([file]);
    stop();
    replace(textWith({ agent: { max_steps: 8 } }));
    await reloads(() => {
      ({ stop } = followConfig(playground.bot, file, { known }));
    });
    expect(playground.bot.deps.config.agent.maxSteps).toBe(8);
    await reloads(() => replace(JSON.stringify(original)));
  });

  it("an authority's file that is changed is read anew: it proves who a source is", async () => {
    const ca = join(dirname(file), "ca.pem");
    const authority = (name: string) => `-----BEGIN CERTIFICATE-----\n${name}\n-----END CERTIFICATE-----\n`;
    writeFileSync(ca, authority("old"));
    const metrics = { kind: "prometheus", url: "https://prom.example", ca_file: ca };
    await reloads(() => replace(textWith({ sources: { metrics } })));
    await reloads(() => writeFileSync(ca, authority("new")));
    expect(playground.bot.deps.config.servers.get("metrics")?.source?.ca).toContain("new");
    await reloads(() => replace(JSON.stringify(original)));
  });

  it("a symbolic link that is swapped, as Kubernetes does, is followed", async () => {
    const folder = dirname(file);
    writeFileSync(join(folder, "v1.yml"), JSON.stringify(original), { mode: 0o600 });
    writeFileSync(join(folder, "v2.yml"), textWith({ agent: { max_steps: 9 } }), { mode: 0o600 });
    unlinkSync(file);
    symlinkSync("v1.yml", file);
    await new Promise((resolve) => setTimeout(resolve, 600));
    await reloads(() => {
      symlinkSync("v2.yml", `${file}.link`);
      renameSync(`${file}.link`, file);
    });
    expect(playground.bot.deps.config.agent.maxSteps).toBe(9);
    unlinkSync(file);
    await reloads(() => writeFileSync(file, JSON.stringify(original), { mode: 0o600 }));
  });

  it("what only a restart can change is named and keeps its value; the rest of the file holds", async () => {
    const { port } = playground.bot.deps.config.server;
    const line = await reloads(() =>
      replace(
        textWith({
          server: { host: "127.0.0.1", port: port === 4000 ? 4001 : 4000 },
          store: { url: "file:./elsewhere" },
          github: { ...(original.github as object), app_id: 8 },
          agent: { max_steps: 11 },
        }),
      ),
    );
    expect(line).toMatchObject({
      changedSections: ["agent"],
      needsRestart: ["store.url", "server.port", "github.app_id"],
    });
    expect(playground.bot.deps.config).toMatchObject({
      server: { port },
      github: { appId: 7 },
      agent: { maxSteps: 11 },
    });
    await reloads(() => replace(JSON.stringify(original)));
  });

  it("SR-02 a second webhook secret is valid as soon as its file has it, and is no word of the log", async () => {
    const secretFile = (original.github as { webhook_secret_file: string }).webhook_secret_file;
    const second = "pQ7nK2mZx9LpRt4vWc8Yb1KdHs6GjEa3";
    await reloads(() => writeFileSync(secretFile, `${second}\n${readFileSync(secretFile, "utf8")}`, { mode: 0o600 }));
    expect(playground.bot.deps.config.github.webhookSecrets).toHaveLength(2);
    playground.bot.deps.log.info({ module: "test", event: "leak", note: `it is ${second}` });
    expect(linesOf("leak")[0]?.note).not.toContain(second);
  });

  it("SR-24 who is no approver any more when the next command of a batch is due has not approved it: it does not run", async () => {
    const thread = await playground.open();
    await thread.waitFor((body) => body.includes("- [ ] **1**"), "a card");
    for (const [number, command] of [
      [2, "uptime"],
      [3, "free -m"],
    ] as const) {
      await thread.say("sam", `/run web-1\n\`\`\`sh\n${command}\n\`\`\``);
      await thread.waitFor((body) => body.includes(`- [ ] **${number}**`), "the card of a single command");
    }
    await playground.quiet();
    hold = Promise.withResolvers<void>();
    await thread.say("lee", "/approve 2 3");
    await until(() => expect(linesOf("run_start")).toHaveLength(1));
    await reloads(() => replace(textWith({ policy: { approvers: { users: [{ login: "nobody", id: 999_999 }] } } })));
    hold.resolve();
    await playground.quiet();
    expect(linesOf("run_start")).toHaveLength(1);
    await thread.waitFor((body) => /3 was not run/.test(body), "that 3 was not run");
  });
});
