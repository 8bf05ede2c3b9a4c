import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Playground, startPlayground } from "../harness/playground.ts";
import { seed } from "./seed.ts";
import { hasPrometheus, type RealPrometheus, run, sourceServer, startPrometheus } from "./world.ts";

/** What somebody on call asks, the query, and what of the answer settles it. */
const questions: readonly (readonly [question: string, command: string, answer: RegExp])[] = [
  ["which targets are down", "query 'up == 0'", /db-1:9187.* 0\n.*web-2:9100.* 0\n/],
  ["since when is web-2 down", `query_range 'up{instance="web-2:9100"}' --since 2h`, /0 +0 +1 +█+.*▁(?: {2}|\n)/],
  [
    "which disk is full",
    "query 'node_filesystem_avail_bytes / node_filesystem_size_bytes < 0.1'",
    /^1 series.*pg".* 0\.02\n/s,
  ],
  [
    "when is it full",
    `query 'predict_linear(node_filesystem_avail_bytes{mountpoint="/var/lib/pg"}[30m], 3600) < 0'`,
    /db-1:9100.* -\d/,
  ],
  ["which host is overloaded", "query 'topk(1, node_load5)'", /web-2:9100.* 31\n/],
  ["is memory short", "query 'node_memory_MemAvailable_bytes < 5e8'", /web-2:9100.* 100000000\n/],
  [
    "how many requests fail",
    `query 'sum(rate(http_requests_total{code="500"}[5m])) / sum(rate(http_requests_total{service="shop"}[5m]))'`,
    / 0\.1\d*\n/,
  ],
  [
    "when did errors begin",
    `query_range 'sum by (code) (rate(http_requests_total{service="shop"}[5m]))' --since 1h`,
    /code="500".* 1 +0 +1 +▁+\S*█+(?: {2}|\n)/,
  ],
  [
    "which service fails",
    `query 'sum by (service) (rate(http_requests_total{code=~"5.."}[5m])) > 0'`,
    /service="shop".* 1\n/,
  ],
  [
    "is it slow",
    `query 'histogram_quantile(0.5, sum by (le) (rate(http_request_duration_seconds_bucket_total[10m])))'`,
    / 1\n/,
  ],
  [
    "which pod restarts",
    "query 'increase(kube_pod_container_status_restarts_total[30m]) > 3'",
    /^1 series.*web-7d9f.* 30\n/s,
  ],
  ["is a deployment short of pods", "query 'kube_deployment_status_replicas_unavailable > 0'", /web.* 3\n/],
  ["are connections used up", "query 'sum(pg_stat_activity_count) / scalar(pg_settings_max_connections)'", / 1\.175\n/],
  ["what do they do", "query pg_stat_activity_count", /active.* 190\n.*idle in transaction.* 45\n/s],
  ["does a replica lag", "query_range pg_replication_lag_seconds --since 1h", / 900 +0 +900 +▁+[▁-█]*█(?: {2}|\n)/],
  [
    "does a certificate end soon",
    "query '(probe_ssl_earliest_cert_expiry - time()) / 86400 < 7'",
    /shop\.acme\.example.* (3|2\.9)/,
  ],
  ["which queue grows", "query 'delta(rabbitmq_queue_messages[30m]) > 1000'", /^1 series.*orders/s],
  ["do consumers lag", "query 'max by (consumergroup) (kafka_consumergroup_lag)'", /billing.* 120000\n/],
  ["is a network card failing", "query 'increase(node_network_receive_errs_total[30m]) > 0'", /web-2:9100/],
  ["has etcd lost its leader", "query 'etcd_server_has_leader == 0'", /^1 series.*etcd-2/s],
];

const skill = [
  "---",
  "name: down",
  "description: Use when a target is down, TargetDown fires, or nothing answers.",
  "---",
  "## Verify",
  "```sh",
  "query 'up == 0'",
  "# expect: web-2",
  "query etcd_server_has_leader",
  "```",
].join("\n");

describe.runIf(hasPrometheus)("a real Prometheus", () => {
  let prometheus: RealPrometheus;
  let playground: Playground;
  beforeAll(async () => {
    prometheus = await startPrometheus(seed(new Date()));
    playground = await startPlayground({
      servers: {},
      files: { ".github/skills/down/SKILL.md": skill },
      config: {
        sources: { prom: { kind: "prometheus", url: prometheus.url, max_range: "1d", max_series: 20 } },
        policy: { lease: { allowed: true, servers: ["prom"] } },
      },
    });
  });
  afterAll(async () => {
    await playground?.close();
    await prometheus?.close();
  });

  it.each(questions)("AR-15 answers: %s", async (_, command, answer) => {
    const { ending, text } = await run(sourceServer({ url: prometheus.url }), command);
    expect(text).toMatch(answer);
    expect(ending).toEqual({ kind: "exited", code: 0 });
  });

  it.each([
    ["query crowd", "More than 20 series match, so none is shown. Write `topk(10, …)` or `sum by (half) (…)`"],
    [`query '{__name__=~".+"}'`, "More than 20 series match"],
    [`query_range '{__name__=~".+"}' --since 2h --step 10s`, "The answer is longer than 65536 bytes"],
    ["query 'rate(up['", "a `[` in it is not closed"],
    ["query 'sum('", "HTTP 400: "],
  ])("SR-54 holds its caps against a query for everything: %s", async (command, why) => {
    const answer = await run(sourceServer({ url: prometheus.url }), command).catch(String);
    if (typeof answer === "string") expect(answer).toContain(why);
    else expect([answer.ending, answer.text]).toEqual([{ kind: "exited", code: 1 }, expect.stringContaining(why)]);
  });

  it("SR-20 a query is an action as a command is: number, low, digest, run, table, sparkline; what is none is refused", async () => {
    const thread = await playground.open();
    await thread.say("mona", "/run prom to see\n```sh\nquery_range node_load5 --since 1h\n```");
    const card = await thread.waitFor((text) => text.includes("query_range node_load5"), "the card");
    expect(card.body).toContain("low");
    const result = await thread.waitFor((text) => text.includes("▁"), "the output");
    expect(result.body).toMatch(/web-2:9100"} +31 +1 +31 +▁/);
    await thread.say("mona", "/run prom to break\n```sh\nsystemctl restart web\n```");
    const refusal = await thread.waitFor((text) => text.includes("Only queries run on a source"), "the refusal");
    expect(refusal.body.toLowerCase()).toContain("write `query 'expression'`");
    await thread.say("mona", "/servers");
    await thread.waitFor((text) => text.includes("Prometheus, PromQL"), "the list");
    await playground.quiet();
    const sent = playground.log.filter(({ event }) => event === "run_start");
    expect(sent).toHaveLength(1);
  });

  it("AR-15 a runbook's queries are proposed on the only source, and what it expects is looked for in the table", async () => {
    const thread = await playground.open({ title: "TargetDown", body: "A target is down.", labels: ["incident"] });
    await thread.waitFor((text) => text.includes("query 'up == 0'"), "the card");
    await thread.say("lee", "/approve all");
    const { body } = await thread.waitFor((text) => text.includes("db-1:9187"), "the outputs");
    expect(body).toMatch(/1 ✅ <code>query 'up == 0'<\/code><br>last line: <code>\{instance="web-2:9100/);
  });

  it("AR-03 SR-20 a set of queries of an approver runs at once; the agent's own wait, and under a lease they do not", async () => {
    const thread = await playground.open({ title: "TargetDown", body: "A target is down.", labels: ["incident"] });
    await thread.waitFor((text) => text.includes("query 'up == 0'"), "the card");
    await playground.quiet();
    const ran = () => playground.log.filter(({ event }) => event === "run_start").length;
    const before = ran();
    await thread.say("sam", "/run --each prom\n```sh\nquery node_load5\nquery up\n```");
    await playground.quiet();
    expect(ran() - before).toBe(0);
    await thread.say("lee", "/run --each prom\n```sh\nquery node_load5\nquery time()\n```");
    await thread.say("lee", "/run --each prom\n```sh\nquery node_load5\nquery 'time()'\n```");
    await playground.quiet();
    expect(ran() - before).toBe(2);
    await thread.say("lee", "/lease 15m prom");
    await playground.quiet();
    expect(ran() - before).toBe(4);
  });
});
