import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createCertificate } from "../../emulator/kubernetes/certificate.ts";
import { parseConfig } from "../../src/config/load.ts";
import { serversFor } from "../../src/config/values.ts";
import { useFolder } from "../harness/use-started.ts";
import { env } from "./operator.ts";

const folder = useFolder();
const { cert } = createCertificate();
writeFileSync(join(folder, "ca.pem"), cert);
writeFileSync(join(folder, "token"), "t0ken", { mode: 0o600 });
writeFileSync(join(folder, "open"), "t0ken", { mode: 0o644 });

const parse = (entry: string, more = "") =>
  parseConfig(`sources:\n  prom: { ${entry} }\n${more}`, join(folder, "countersign.yml"), env);
const mcp = "kind: mcp, url: 'https://tickets.acme.example/mcp/'";
const tls = "kind: prometheus, url: 'https://prom.acme.example/p/'";

describe("a source in the config", () => {
  it("CFG-1 becomes a server of low risk with its certificate authority, and a repository reaches it by name or group", () => {
    const repositories = "github: { repositories: [{ name: acme/web, servers: [metrics] }, { name: acme/db }] }";
    const parsed = parse(
      `${tls}, token_file: ./token, ca_file: ./ca.pem, groups: [metrics], max_range: 2d`,
      repositories,
    );
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    expect(parsed.config.servers.get("prom")).toMatchObject({
      host: "prom.acme.example",
      port: 443,
      maxRisk: "low",
      hardTimeoutMs: 30_000,
      description: expect.stringContaining("PromQL"),
      source: {
        url: "https://prom.acme.example/p",
        tokenFile: join(folder, "token"),
        ca: cert,
        maxRangeMs: 172_800_000,
      },
    });
    expect(serversFor(parsed.config, "acme/web").map(({ name }) => name)).toEqual(["prom"]);
    expect(serversFor(parsed.config, "acme/db")).toEqual([]);
  });

  it("CFG-1 an MCP server has the levels of its tools, and the highest of them; one without tools runs nothing", () => {
    const hash = "ab".repeat(32);
    const tools = `{ search: { sha256: ${hash}, level: low, example: '{"query":"x"}' }, close: { sha256: ${hash}, level: medium } }`;
    const [parsed, empty] = [parse(`${mcp}, tools: ${tools}`), parse(mcp)];
    if (!parsed.ok || !empty.ok) throw new Error("refused");
    const told = 'only `TOOL {"name": "value"}` with one of its tools runs here:';
    expect(parsed.config.servers.get("prom")).toMatchObject({
      host: "tickets.acme.example",
      maxRisk: "medium",
      description: `MCP server: ${told} \`search {"query":"x"}\` (low), \`close\` (medium)`,
      source: {
        url: "https://tickets.acme.example/mcp/",
        levels: { search: "low", close: "medium" },
        tools: { search: hash, close: hash },
      },
    });
    expect(empty.config.servers.get("prom")).toMatchObject({ maxRisk: "low", source: { levels: {}, tools: {} } });
  });

  it.each([
    [
      "a token without TLS",
      "kind: loki, url: 'http://loki:3100', token_file: ./token",
      "would send its token without TLS",
    ],
    ["a token that others can read", `${tls}, token_file: ./open`, "others can read it"],
    ["a password in the address", "kind: loki, url: 'https://a:b@loki'", "holds a user or a password"],
    ["a query in the address", "kind: loki, url: 'https://loki?token=b'", "more in its address"],
    ["a password alone in the address", "kind: loki, url: 'https://:b@loki'", "holds a user or a password"],
    ["a CA that is not there", `${tls}, ca_file: ./none.pem`, "cannot be read"],
    ["a CA that is none", `${tls}, ca_file: ./token`, "holds no certificate"],
    [
      "tools that are not of an MCP server",
      `${tls}, tools: { a: { sha256: ${"ab".repeat(32)}, level: low } }`,
      "no tools to list",
    ],
    ["a tool without a hash", `${mcp}, tools: { a: { level: low } }`, "text belongs here"],
    ["a tool with another hash", `${mcp}, tools: { a: { sha256: "sha256:12", level: low } }`, "is no SHA-256"],
    ["a tool that would be blocked", `${mcp}, tools: { a: { sha256: ${"ab".repeat(32)}, level: block } }`, "low"],
    [
      "a tool with a space",
      `${mcp}, tools: { 'a b': { sha256: ${"ab".repeat(32)}, level: low } }`,
      "cannot name a tool",
    ],
    ["a tenant of an MCP server", `${mcp}, tenant: shop`, "is asked for no tenant"],
    ["another kind", "kind: influx, url: 'https://a'", "prometheus"],
  ])("CFG-1 is refused with its place: %s", (_, entry, message) => {
    const parsed = parse(entry);
    expect(parsed.ok ? [] : parsed.problems.map((problem) => problem.message).join("\n")).toContain(message);
  });

  it("SR-10 the name of a server or of a group is no source's too", () => {
    const server = "servers: { prom: { host: a, user: b, agent: true, host_key: 'ssh-ed25519 AAAA' } }";
    const [twice, group] = [parse(tls, server), parse(`${tls}, groups: [prom]`)];
    expect(twice).toMatchObject({ ok: false, problems: [{ message: "`prom` is in `servers` too" }] });
    expect(group).toMatchObject({
      ok: false,
      problems: [{ message: expect.stringContaining("an approval could mean") }],
    });
  });
});
