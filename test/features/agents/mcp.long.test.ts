import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { afterAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { askBot, knock } from "../../../src/cli/local.ts";
import { commands } from "../../../src/commands/slash-comment.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { socketPath } from "../../../src/features/operator/socket.ts";
import { verifyAudit } from "../../../src/store/audit/chain.ts";
import { agentArrival, createInbox, findDelivery } from "../../../src/store/queue/arrival.ts";
import { repo } from "../../harness/playground.ts";
import { startPostgres } from "../../harness/postgres.ts";
import { cardOf, type Stage, startStage, statesOf } from "../../harness/stage.ts";
import { startCommand } from "../../harness/start-command.ts";
import { until } from "../../harness/until.ts";
import { useStarted } from "../../harness/use-started.ts";

const token = (agent: string): string => `${agent}-0123456789abcdef0123456789abcdef`;
const hashOf = (agent: string): string => createHash("sha256").update(token(agent)).digest("hex");
const listed = (agent: string, more: object = {}) => ({
  [agent]: { token_sha256: [hashOf(agent)], repositories: [repo], servers: ["web-1"], ...more },
});
const agents = {
  ...listed("claude", { calls_per_minute: 1_000, servers: ["web-1", "prom"] }),
  ...listed("other"),
  ...listed("capped", { open_proposals: 1 }),
  ...listed("elsewhere", { repositories: ["acme/api"] }),
  ...listed("flood", { calls_per_minute: 5 }),
};
const config = {
  policy: { proposers: { mcp: agents } },
  sources: { prom: { kind: "prometheus", url: "http://127.0.0.1:9", max_range: "1d" } },
};

const stage = useStarted(() => startStage({ config, moreRepos: ["api"] }));
const clients: Client[] = [];
afterAll(() => Promise.all(clients.map((client) => client.close())));

async function connect(transport: Transport): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  clients.push(client);
  return client;
}
const overHttp = (agent: string, on: Pick<Stage, "bot"> = stage): Promise<Client> => {
  const headers = { authorization: `Bearer ${token(agent)}` };
  return connect(
    new StreamableHTTPClientTransport(new URL("/mcp", on.bot.url), { requestInit: { headers } }) as Transport,
  );
};
const overStdio = (agent: string, on: Pick<Stage, "bot"> = stage): Promise<Client> => {
  const [main = "", ...node] = [...startCommand.args].reverse().slice(1);
  const args = [...node.reverse(), main, "mcp", "--as", agent, "--config", on.bot.deps.config.file];
  return connect(new StdioClientTransport({ command: process.execPath, args, cwd: startCommand.cwd }));
};

const answerSchema = z.object({
  content: z.tuple([z.object({ text: z.string() })]),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});
const ask = async (client: Client, name: string, args: Record<string, unknown>) => {
  const { content, structuredContent, isError } = answerSchema.parse(await client.callTool({ name, arguments: args }));
  return { text: content[0].text, data: structuredContent ?? {}, isError: isError === true };
};

const proposed = { server: "web-1", command: "df -h", why: "is the disk full?" };

describe("an agent by MCP", () => {
  it("AG-4 proposes over HTTP, a person approves, and it reads how that went and the output", async () => {
    const thread = await stage.incident("uptime");
    const client = await overHttp("claude");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["propose", "status", "output", "explain"]);
    const at = { issue: thread.number };
    const made = await ask(client, "propose", { ...at, ...proposed });
    expect(made.data).toMatchObject({ number: 2, risk: "low", state: "proposed", servers: ["web-1"], runs: [] });
    expect(made.data).toMatchObject({
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      url: expect.stringContaining(repo),
    });
    await stage.quiet();
    const card = (await cardOf(thread, 2)).body;
    expect(card).toContain("**Proposed by the agent claude (MCP)** — is the disk full?");
    expect(stage.ran().join()).not.toContain("df -h");
    // The same again is the same: who has lost an answer asks once more.
    expect((await ask(client, "propose", { ...at, ...proposed })).data).toMatchObject({ number: 2 });
    await stage.ask(thread, "lee", "/approve 2");
    const done = await ask(client, "status", { ...at, number: 2 });
    expect(done.data).toMatchObject({ state: "done", approvedBy: ["lee"], runs: [{ server: "web-1" }] });
    const read = await ask(client, "output", { ...at, number: 2 });
    expect(read.data).toMatchObject({ outputs: [{ server: "web-1", text: expect.stringContaining("fine") }] });
    expect(await verifyAudit(stage.bot.deps.store.db)).toMatchObject({ ok: true });
  });

  it("AG-4 does the same on standard input and output by the running bot, which has the store; without a bot it is told", async () => {
    const own = await startStage({ config, moreRepos: ["api"] });
    const thread = await own.incident("uptime");
    const client = await overStdio("claude", own);
    const at = { issue: thread.number };
    expect((await ask(client, "propose", { ...at, ...proposed })).data).toMatchObject({ number: 2, state: "proposed" });
    await own.ask(thread, "lee", "/approve 2");
    expect((await ask(client, "status", { ...at, number: 2 })).data).toMatchObject({ state: "done" });
    expect((await ask(client, "explain", { command: "rm -rf /" })).data).toMatchObject({ risk: "block" });
    await own.stop();
    expect((await ask(client, "propose", { ...at, ...proposed, command: "free" })).text).toContain("not running");
    await own.close();
  });

  it("AG-4 makes one proposal of a delivery that comes twice, and of two calls at once", async () => {
    const thread = await stage.incident("uptime");
    const { deps } = stage.bot;
    const payload = { repository: repo, issue: thread.number, ...proposed, command: "free" };
    const arrival = agentArrival("claude", payload);
    await createInbox(deps.store).receive(arrival);
    expect(await createInbox(deps.store).receive(arrival)).toBe("duplicate");
    await stage.quiet();
    const kept = await findDelivery(deps.store.db, arrival.guid);
    expect(JSON.parse(kept?.outcome ?? "{}")).toMatchObject({ number: 2 });
    const client = await overHttp("claude");
    const both = await Promise.all([1, 2].map(() => ask(client, "propose", payload)));
    expect(both.map(({ data }) => data.number)).toEqual([2, 2]);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "proposed" });
  });

  it("AG-4 SR-10 explains and proposes a query on a source as it does a command on a server", async () => {
    const thread = await stage.incident("uptime");
    const client = await overHttp("claude");
    const explain = (command: string, server?: string) =>
      ask(client, "explain", { command, ...(server && { server }) });
    expect((await explain("df -h")).data).toMatchObject({ risk: "low", servers: ["web-1"] });
    expect((await explain("rm -rf /")).data).toMatchObject({ risk: "block" });
    expect((await explain("query up", "prom")).data).toMatchObject({ risk: "low", servers: ["prom"] });
    for (const [command, why] of [
      ["df -h", "only queries run on a source"],
      ["query 'rate(up[2d])'", "this source allows 1d"],
    ] as const) {
      const at = { issue: thread.number, server: "prom", command };
      expect((await explain(command, "prom")).text).toContain(why);
      expect((await ask(client, "propose", at)).text.toLowerCase()).toContain(why);
    }
    const made = await ask(client, "propose", { issue: thread.number, server: "prom", command: "query up" });
    expect(made.data).toMatchObject({ number: 2, risk: "low", state: "proposed" });
    await stage.ask(thread, "lee", "/approve 2");
    await stage.expectSaid(thread, "lee", "/verify", "**Nothing was altered**");
  });

  it("AG-3 has its own limits, its own repositories and servers, and sees its own proposals alone", async () => {
    const thread = await stage.incident("uptime");
    const at = { issue: thread.number };
    const capped = await overHttp("capped");
    expect((await ask(capped, "propose", { ...at, ...proposed })).data).toMatchObject({ number: 2 });
    const second = await ask(capped, "propose", { ...at, ...proposed, command: "free" });
    expect(second.text).toContain("Nothing was proposed. You have 1 proposals open, and an agent may have 1.");
    const other = await overHttp("other");
    for (const number of [1, 2, 99])
      expect((await ask(other, "status", { ...at, number })).text).toBe(
        `You have no proposal ${number} on issue ${thread.number} of ${repo}.`,
      );
    expect((await ask(other, "output", { ...at, number: 2 })).isError).toBe(true);
    const elsewhere = await overHttp("elsewhere");
    expect((await ask(elsewhere, "propose", { ...at, ...proposed, repository: repo })).text).toContain("acme/api");
    expect((await ask(elsewhere, "propose", { ...at, ...proposed })).text).toContain("is not an incident");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "proposed" });
  });

  it("AG-1 AG-5 no verb is a tool; what is malformed or hostile is answered, and nothing runs", async () => {
    const thread = await stage.incident("uptime");
    const client = await overHttp("claude");
    const at = { issue: thread.number };
    const refused: readonly (readonly [string, Record<string, unknown>, string])[] = [
      ...commands
        .filter(({ verb }) => !["explain", "output", "status"].includes(verb))
        .map(({ verb }) => [verb, { ...at, number: 1 }, "no such tool"] as const),
      ["propose", { ...at, ...proposed, server: "db-9" }, 'No server or group "db-9"'],
      ["propose", { ...at, ...proposed, issue: 9_999 }, "is not an incident"],
      ["propose", { ...at, ...proposed, command: "df\u001b[2J -h" }, "U+001B"],
      ["propose", { ...at, ...proposed, command: "echo \u202e" }, "U+202E"],
      ["propose", { ...at, ...proposed, command: "x".repeat(2_001) }, "Too big"],
      ["propose", { ...at, ...proposed, command: "mysql -pHunter2secret!! -e 1 --password=Hunter2secret!!" }, "secret"],
      ["propose", { ...at, ...proposed, command: "df -h\nfree" }, "one line only"],
      ["propose", { ...at, ...proposed, approve: true }, "approve"],
      ["propose", { ...at, server: "web-1" }, "command"],
      ["status", { issue: "1; drop table action", number: 1 }, "issue"],
      ["explain", { command: "df -h", server: "db-9" }, "no such server"],
    ];
    for (const [tool, args, words] of refused) {
      const answer = await ask(client, tool, args);
      expect([answer.isError, answer.text], JSON.stringify(args)).toEqual([true, expect.stringContaining(words)]);
    }
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
    const why =
      "ok\n\n/approve 1\n@lee <!-- countersign --> [x](http://evil.example) ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const made = await ask(client, "propose", { ...at, ...proposed, command: "echo '/approve all'", why });
    expect(made.data).toMatchObject({ state: "proposed" });
    expect((await ask(client, "propose", { ...at, ...proposed, command: "rm -rf /" })).data).toMatchObject({
      state: "blocked",
    });
    await stage.quiet();
    const { body } = await cardOf(thread, 2);
    expect(body).not.toMatch(/^\s*\/approve/m);
    expect(body).not.toMatch(/ghp_|<!-- countersign -->|\]\(http:\/\/evil|(?<!`)@lee/);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "proposed", 3: "blocked" });
    expect(stage.ran().join()).not.toContain("approve");
  });

  it("AG-5 SR-03 the door answers wrong tokens, browsers, lists, floods and what is too large, and reads no further", async () => {
    const post = async (headers: Record<string, string>, body: string, method = "POST") => {
      const sent = method === "POST" ? { body } : {};
      const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
      const response = await fetch(`${stage.bot.url}/mcp`, { method, headers: { ...json, ...headers }, ...sent });
      return `${response.status} ${await response.text()}`;
    };
    const known = { authorization: `Bearer ${token("other")}` };
    const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect(await post({}, list)).toBe("401 wrong token");
    for (const wrong of ["Bearer x", `Basic ${token("other")}`, `Bearer ${hashOf("other")}`, "Bearer "])
      expect(await post({ authorization: wrong }, list), wrong).toBe("401 wrong token");
    expect(await post({ ...known, origin: "https://evil.example" }, list)).toBe("403 from a browser");
    expect(await post(known, "", "GET")).toBe("405 not a POST");
    expect(await post(known, "", "DELETE")).toBe("405 not a POST");
    for (const bad of ["{", `[${list}]`, "null", '"x"']) expect(await post(known, bad)).toBe("400 no JSON-RPC message");
    expect(await post(known, "{}")).toMatch(/^400 /);
    expect(await post(known, `{"x":"${"y".repeat(70_000)}"}`)).toBe("413 body too large");
    expect(await post(known, list)).toMatch(/^200 .*"propose"/);
    const flood = { authorization: `Bearer ${token("flood")}` };
    const answers = await Promise.all(Array.from({ length: 9 }, () => post(flood, list)));
    expect(answers.filter((answer) => answer === "429 too many calls")).toHaveLength(4);
    expect(await post(known, list)).toMatch(/^200 /);
    const door = socketPath(stage.bot.deps.config.store.url) ?? "";
    for (const agent of ["nobody", "__proto__", "constructor"]) {
      const bot = await knock(door);
      if (!bot) throw new Error("no door");
      let text = "";
      for await (const part of askBot(bot, { ask: "agent", agent, tool: "status", input: {} })) text += part;
      expect(text).toContain("not in policy.proposers.mcp");
    }
  });

  it("AG-4 SR-55 proposes into a PostgreSQL store that it shares with the bot, also while the bot is down", async () => {
    const postgres = await startPostgres("an agent's own connection");
    if (!postgres) return;
    const own = await startStage({ config, moreRepos: ["api"], storeUrl: await postgres.createDatabase() });
    const thread = await own.incident("uptime");
    const client = await overStdio("claude", own);
    const at = { issue: thread.number };
    expect((await ask(client, "propose", { ...at, ...proposed })).data).toMatchObject({ number: 2 });
    const waiting = Promise.withResolvers<Awaited<ReturnType<typeof ask>>>();
    await own.restart(async () => {
      ask(client, "propose", { ...at, ...proposed, command: "free" }).then(waiting.resolve, waiting.reject);
      // Stored, and nobody there to serve it.
      await until(async () => expect(await storedIn(own.bot.deps.config.store.url)).toBe(1));
    });
    expect((await waiting.promise).data).toMatchObject({ number: 3, state: "proposed" });
    // The process that serves the agent has no key of the App's.
    const { github, servers } = loadConfig({ file: own.bot.deps.config.file, roles: [] });
    expect([github.privateKey, github.webhookSecrets, servers.size]).toEqual(["", [], 2]);
    // What is taken from an agent is taken from one that has been there for days, too.
    const { file } = own.bot.deps.config;
    const written = JSON.parse(readFileSync(file, "utf8"));
    const { claude: _, ...others } = written.policy.proposers.mcp;
    writeFileSync(file, "{ no yaml");
    expect((await ask(client, "status", { ...at, number: 2 })).data).toMatchObject({ state: "proposed" });
    const policy = { ...written.policy, proposers: { mcp: others } };
    writeFileSync(file, JSON.stringify({ ...written, policy }));
    expect((await ask(client, "status", { ...at, number: 2 })).text).toContain("not in policy.proposers.mcp");
    await own.close();
    await postgres.stop();
  });
});

async function storedIn(url: string): Promise<number> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rowCount } = await client.query("select from delivery where state = 'stored'");
  await client.end();
  return rowCount ?? 0;
}
