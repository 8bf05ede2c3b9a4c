import { describe, expect, it } from "vitest";
import type { Cluster, Server } from "../../../src/base/server.ts";
import { isAsApproved, runsAsJob, settledBy, targetOf, whyUnfit } from "../../../src/features/run/target.ts";
import { pinOfSource } from "../../../src/sources/run.ts";
import { type ActionDraft, type ActionSpec, digestOf } from "../../../src/store/actions.ts";
import { source, sourceServer } from "../../sources/world.ts";
import { server } from "../../ssh/inventory-entry.ts";

const cluster: Cluster = {
  context: "prod",
  namespaces: ["shop"],
  kubeconfigFile: "/etc/kubeconfig",
  apiServer: "https://10.0.0.1:6443",
  caSha256: "ab".repeat(32),
};
const prod = server({ name: "prod-eu", host: "10.0.0.1", port: 6443, user: "system:serviceaccount:ops:bot", cluster });
const on = (given: Partial<Cluster>): Server => ({ ...prod, cluster: { ...cluster, ...given } });
const command = "kubectl rollout restart deploy/web | head -5";
const spec = { command, risk: "medium" } as ActionDraft["spec"];
const own = { jobId: null, outputCapBytes: 1 };
const bind = (one: Server) => targetOf(one, command, [`CA SHA256:${one.cluster?.caSha256}`], own);
/** As it comes back from the store. */
const approved = JSON.parse(JSON.stringify(bind(prod)));

const changes: Readonly<Record<string, Server>> = {
  "another context": on({ context: "prod-us" }),
  "another API server": { ...on({ apiServer: "https://10.0.0.2:6443" }), host: "10.0.0.2" },
  "another address behind the same name": on({ apiServer: "https://10.0.0.1:6443/other" }),
  "another certificate authority": on({ caSha256: "cd".repeat(32) }),
  "another identity": { ...prod, user: "admin" },
  "another one to act as": on({ as: "admin" }),
  "other namespaces": on({ namespaces: ["pay"] }),
  "SSH in its place": { ...prod, cluster: undefined, hostKey: "" },
};

describe("a cluster as a target", () => {
  it("SR-20 is bound by context, API server, certificate authority, identity and namespace, and by what runs", () => {
    expect(bind(prod)).toMatchObject({
      host: "10.0.0.1",
      port: 6443,
      user: "system:serviceaccount:ops:bot",
      hostKeys: [`CA SHA256:${"ab".repeat(32)}`],
      cluster: { context: "prod", apiServer: "https://10.0.0.1:6443", caSha256: "ab".repeat(32), namespace: "shop" },
    });
    expect(JSON.parse(bind(prod).wrapped)).toEqual({
      kubectl: ["rollout", "restart", "--namespace=shop", "deploy/web"],
      filters: [["head", "-5"]],
      effect: "changes",
      waits: false,
      namespace: "shop",
      settledBy: "kubectl rollout status deploy/web --namespace=shop",
    });
  });

  it("SR-24 is as approved while nothing changes, and wherever the kubeconfig lies", () => {
    expect(isAsApproved(prod, approved, spec)).toBe(true);
    expect(isAsApproved(on({ kubeconfigFile: "/elsewhere" }), approved, spec)).toBe(true);
  });

  for (const [what, now] of Object.entries(changes))
    it(`SR-24 ${what} voids the approval`, () => expect(isAsApproved(now, approved, spec)).toBe(false));

  it("SR-20 whatever voids an approval changes the digest too", () => {
    const digest = (one: Server): string => digestOf({ targets: [bind(one)] } as unknown as ActionSpec);
    const { "other namespaces": _, "SSH in its place": __, ...bound } = changes;
    const digests = [prod, ...Object.values(bound)].map(digest);
    expect(new Set(digests).size).toBe(digests.length);
  });

  it("RR-06 names the read that settles a change, and none for a read", () => {
    expect(settledBy(approved)).toBe(
      " `kubectl rollout status deploy/web --namespace=shop` shows whether it changed anything.",
    );
    expect(settledBy(targetOf(prod, "kubectl get pods", [], own))).toBe("");
  });

  it("knows no jobs, and takes only what the parser takes", () => {
    expect(runsAsJob(prod, "high")).toBe(false);
    expect(whyUnfit(prod, command)).toBeUndefined();
    expect(whyUnfit(prod, "systemctl restart web")).toMatchObject({
      reason: "`systemctl` does not run here: this server is a cluster",
      remedy: "begin the line with `kubectl`",
    });
  });
});

it("SR-20 a target over SSH is bound as it always was, so that older approvals stay valid", () => {
  const target = targetOf(server({ hostKey: "" }), "df -h", ["SHA256:x"], own);
  expect(Object.keys(target)).toEqual([
    "server",
    "host",
    "port",
    "user",
    "os",
    "hostKeys",
    "jobId",
    "wrapped",
    "hardTimeoutMs",
    "outputCapBytes",
  ]);
});

describe("the runner's own machine as a target", () => {
  const local = { jobsFolder: "/var/jobs", machine: "ab".repeat(16) };
  const jump = server({ name: "jump", host: "hop-1", port: 0, user: "ops", local });
  const touch = "touch /srv/x";
  const bound = { command: touch, risk: "medium" } as ActionDraft["spec"];
  const job = { jobId: "a".repeat(32), outputCapBytes: 1 };
  const asApproved = JSON.parse(JSON.stringify(targetOf(jump, touch, [`machine ${local.machine}`], job)));

  it("SR-24 is bound by its name, account and folder of jobs, and runs what changes as a job", () => {
    expect(runsAsJob(jump, "medium")).toBe(true);
    expect(isAsApproved(jump, asApproved, bound)).toBe(true);
    for (const other of [
      { ...jump, host: "hop-2" },
      { ...jump, user: "root" },
      { ...jump, local: { ...local, machine: "cd".repeat(16) } },
      { ...jump, local: undefined, hostKey: "" },
    ])
      expect(isAsApproved(other, asApproved, bound)).toBe(false);
  });
});

describe("a source as a target", () => {
  const query = "query_range up --since 1h";
  const given = { url: "https://prom.acme.example", ca: "PEM" };
  const prom = sourceServer(given);
  const own = { jobId: null, outputCapBytes: 1 };
  const approvedQuery = JSON.parse(JSON.stringify(targetOf(prom, query, [pinOfSource(source(given))], own)));
  const read = { command: query, risk: "low" } as ActionDraft["spec"];

  it("SR-20 a query is bound by address, authority and caps, and by no secret's place", () => {
    expect(approvedQuery).toMatchObject({ server: "prom", wrapped: expect.stringContaining('"query":"up"') });
    expect(JSON.stringify(approvedQuery)).not.toContain("PEM");
    expect(isAsApproved(sourceServer({ ...given, tokenFile: "/elsewhere" }), approvedQuery, read)).toBe(true);
  });

  it.each([
    ["another address", { url: "https://prom.acme.example/other" }],
    ["another authority", { ca: "OTHER" }],
    ["another tenant", { tenant: "other" }],
    ["a higher cap of series", { maxSeries: 21 }],
    ["a cap that the query is beyond", { maxRangeMs: 60_000 }],
    ["another kind", { kind: "loki" as const }],
  ])("SR-24 %s of a source voids the approval", (_, changed) => {
    expect(isAsApproved(sourceServer({ ...given, ...changed }), approvedQuery, read)).toBe(false);
  });

  it("SR-20 SR-24 a call is bound by server, tool, hash, level and arguments; a change of any voids the approval", () => {
    const [one, other] = ["ab".repeat(32), "cd".repeat(32)];
    const tools = { close: one };
    const given = { kind: "mcp" as const, url: "https://tickets/mcp", levels: { close: "medium" as const }, tools };
    const on = (changed: object = {}) => sourceServer({ ...given, ...changed }, { maxRisk: "high" });
    const pins = [pinOfSource(source(given))];
    const written = 'close {"ticket": 7}';
    const bound = JSON.parse(JSON.stringify(targetOf(on(), written, pins, own)));
    expect(JSON.parse(bound.wrapped)).toEqual({ call: "close", arguments: { ticket: 7 }, sha256: one });
    expect(runsAsJob(on(), "medium")).toBe(false);
    const change = { command: written, risk: "medium" } as ActionDraft["spec"];
    expect(isAsApproved(on(), bound, change)).toBe(true);
    expect(isAsApproved(on(), bound, { ...change, command: 'close {"ticket": 8}' })).toBe(false);
    for (const changed of [
      { url: "https://other/mcp" },
      { tools: { close: other } },
      { tools: {} },
      { levels: { close: "low" } },
    ])
      expect(isAsApproved(on(changed), bound, change)).toBe(false);
  });
});
