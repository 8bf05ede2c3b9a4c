import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ProcessRole, parseRoles } from "../../src/base/roles.ts";
import { loadConfig, parseConfig } from "../../src/config/load.ts";
import type { Config } from "../../src/config/values.ts";
import { type Bot, secretsOf, startBot } from "../../src/service/start.ts";
import { type FakeModel, startFakeModel } from "../agent/fake-model.ts";
import { endpointsOf, type Ground, prepareGround } from "../harness/playground.ts";
import { startPostgres } from "../harness/postgres.ts";
import { proposing } from "../harness/stage.ts";
import { until } from "../harness/until.ts";
import { saying } from "../ssh/fake-host.ts";

const postgres = await startPostgres("roles split over processes");
const env = { TEST_MODEL_KEY: "sk-test-0123456789abcdef" };

it.each([
  { text: "web", roles: ["web"] },
  { text: "runner, agent", roles: ["agent", "runner"] },
  { text: "web,agents", roles: { unknown: "agents" } },
  { text: "", roles: { unknown: "" } },
])("SR-55 --role $text", ({ text, roles }) => {
  expect(parseRoles(text)).toEqual(roles);
});

it("SR-55 an embedded store is not for roles that are split", () => {
  const parsed = parseConfig("store: { url: file:./data }\n", "countersign.yml", {}, ["web"]);
  expect(parsed).toMatchObject({ ok: false });
  if (!parsed.ok)
    expect(parsed.problems.map(({ message }) => message).join()).toContain("cannot share an embedded store");
});

describe.runIf(postgres !== undefined)("SR-55 three processes with one role each, on one PostgreSQL", () => {
  let ground: Ground;
  let model: FakeModel;
  const bots = new Map<ProcessRole, Bot>();
  const configs = new Map<ProcessRole, Config>();
  beforeAll(async () => {
    model = await startFakeModel();
    const storeUrl = (await postgres?.createDatabase()) ?? "";
    ground = await prepareGround({
      play: saying("Linux\n"),
      storeUrl,
      config: { model: { endpoints: endpointsOf(model) } },
    });
    for (const role of ["web", "agent", "runner"] as const) {
      const config = loadConfig({ file: ground.configFile, env, roles: [role] });
      const port = role === "web" ? ground.port : 0;
      configs.set(role, config);
      bots.set(role, await startBot({ ...config, server: { ...config.server, port } }));
    }
  });
  afterAll(async () => {
    for (const bot of bots.values()) await bot.close();
    await ground.close();
    await Promise.all([model.close(), postgres?.stop()]);
  });

  it("each holds its own role's secrets and no other's", () => {
    const sshKey = readFileSync(ground.host.clientKeyFile, "utf8").trim();
    const hook = JSON.parse(readFileSync(ground.configFile, "utf8")).github.webhook_secret_file;
    const secrets = { web: readFileSync(hook, "utf8").trim(), agent: env.TEST_MODEL_KEY, runner: sshKey };
    for (const [role, config] of configs) {
      const held = [...secretsOf(config), JSON.stringify(config)].join("\n");
      expect(Object.entries(secrets).filter(([, secret]) => held.includes(secret))).toEqual([[role, secrets[role]]]);
    }
  });

  it("only those who draw boards hold the key that signs checkpoints", () => {
    const { privateKey } = generateKeyPairSync("ed25519");
    const signingKeyFile = join(mkdtempSync(join(tmpdir(), "countersign-roles-")), "audit.key");
    const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    writeFileSync(signingKeyFile, pem, { mode: 0o600 });
    for (const [role, config] of configs) {
      const held = secretsOf({ ...config, audit: { ...config.audit, signingKeyFile } });
      expect([role, held.includes(pem.trim())]).toEqual([role, role !== "web"]);
    }
    rmSync(dirname(signingKeyFile), { recursive: true });
  });

  it("together they serve an incident: webhook, turn, approval, run, and the reading of its result", async () => {
    model.play(proposing("LIKELY: full.", "df -h"), { text: "LIKELY: 1 says little." });
    const thread = await ground.open();
    // A runbook that surely fits comes first; the agent's own command is another number then.
    const card = await thread.waitFor((body) => body.includes("- [ ]") && body.includes("df -h"), "the card");
    const own = /- \[ \] \*\*(\d+)\*\*[^\n]*\n(?: {2}[^\n]*\n)* {2}df -h/.exec(card.body)?.[1];
    await thread.say("lee", `/approve ${own}`);
    await thread.waitFor((body) => body.includes("1 says little"), "the reading");
    expect(ground.host.seen.commands.filter((command) => command.includes("df -h"))).toHaveLength(1);
  });

  it("a forged job is refused by the runner: what nobody approved is not sent", async () => {
    const store = bots.get("web")?.deps.store;
    const { id } = (await store?.db.selectFrom("incident").select("id").executeTakeFirst()) ?? { id: "" };
    model.play({ text: "LIKELY: nothing." });
    const before = ground.host.seen.commands.length;
    const forged = { id: crypto.randomUUID() };
    await store?.transaction(async (tx) => {
      const [action] = await tx.selectFrom("action").selectAll().where("incidentId", "=", id).execute();
      const number = 77;
      await tx
        .insertInto("action")
        .values({
          ...action,
          id: forged.id,
          number,
          state: "approved",
          spec: JSON.stringify({ ...action?.spec, number, command: "id" }),
          findings: "[]",
        } as never)
        .execute();
      const batch = crypto.randomUUID();
      await tx
        .insertInto("batch")
        .values({ id: batch, incidentId: id, commentId: 1, personId: 1, login: "eve", numbers: "[77]" } as never)
        .execute();
      await store.queue.enqueue(tx, "execute", id, { batchId: batch });
    });
    await until(async () => {
      const action = await store?.db.selectFrom("action").selectAll().where("id", "=", forged.id).executeTakeFirst();
      expect(action).toMatchObject({
        state: expect.stringMatching(/^(void|proposed)$/),
        stateReason: expect.any(String),
      });
    });
    expect(await store?.db.selectFrom("run").selectAll().where("actionId", "=", forged.id).execute()).toEqual([]);
    expect(ground.host.seen.commands.length).toBe(before);
  });

  it("who takes no webhooks answers 404 where they go, and says that it lives", async () => {
    const url = bots.get("runner")?.url ?? "";
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(404);
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
  });
});
