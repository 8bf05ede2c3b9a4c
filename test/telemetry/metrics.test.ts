import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { counters, createMetrics, histograms, operators } from "../../src/telemetry/metrics.ts";
import { type FakeModel, startFakeModel } from "../agent/fake-model.ts";
import { type Playground, startPlayground } from "../harness/playground.ts";
import { proposing } from "../harness/stage.ts";
import { saying } from "../ssh/fake-host.ts";

const parse = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
  );

/** The series of one metric. */
const of = (all: ReadonlyMap<string, number>, name: string): ReadonlyMap<string, number> =>
  new Map([...all].filter(([series]) => series === name || series.startsWith(`${name}{`)));

describe("/metrics of a bot that has served an incident", () => {
  let playground: Playground;
  let model: FakeModel;
  let text: string;
  beforeAll(async () => {
    model = await startFakeModel();
    playground = await startPlayground({
      play: saying("Linux\n"),
      config: {
        logging: { level: "error", stdout: false },
        model: {
          endpoints: [
            {
              url: model.url,
              model: "fake",
              api_key_env: "TEST_MODEL_KEY",
              context_window: 100_000,
              price: { input: 2, output: 10 },
            },
          ],
        },
      },
    });
    model.play(proposing("LIKELY: full.", "df -h"), { text: "LIKELY: 1 says nothing." });
    const thread = await playground.open();
    await thread.waitFor((body) => body.includes("- [ ] **1**"), "a card");
    await thread.say("lee", "/approve 1");
    await thread.waitFor((body) => body.includes("1 says nothing"), "the reading");
    await playground.quiet();
    await fetch(playground.bot.url, { method: "POST", body: "canary-in-an-unsigned-body" });
    const response = await fetch(`${playground.bot.url}/metrics`);
    expect(response.headers.get("content-type")).toContain("text/plain");
    text = await response.text();
  });
  afterAll(async () => {
    await playground.close();
    await model.close();
  });

  it("S14 counts what happened, whatever the log's level leaves out", () => {
    const figures = parse(text);
    expect(Object.fromEntries(figures)).toMatchObject({
      'countersign_deliveries_total{outcome="refused"}': 1,
      'countersign_proposals_total{risk="low",origin="offline"}': 1,
      'countersign_proposals_total{risk="low",origin="model"}': 1,
      // One approval of the runbook's two checks.
      'countersign_approvals_total{risk="low"}': 1,
      'countersign_runs_total{ending="exited",risk="low"}': 2,
      'countersign_model_tokens_total{kind="input"}': 200,
      'countersign_model_tokens_total{kind="output"}': 20,
      countersign_model_cost_total: 0.0006,
      'countersign_injections_total{kind="first"}': 1,
      countersign_first_proposal_seconds_count: 1,
      'countersign_approval_to_run_seconds_count{risk="low"}': 2,
      countersign_turn_seconds_count: 2,
      countersign_outbox_waiting: 0,
      countersign_outbox_oldest_seconds: 0,
      countersign_runs_unknown: 0,
      countersign_runs_open: 0,
      countersign_incidents_open: 1,
      countersign_budget_spent_tokens: 220,
      countersign_budget_limit_tokens: 5_000_000,
      countersign_halted: 0,
      countersign_store_readable: 1,
      'countersign_queue_waiting{queue="turn"}': 0,
      'countersign_build_info{version="0.1.0"}': 1,
    });
    expect(figures.get('countersign_deliveries_total{outcome="stored"}')).toBeGreaterThan(1);
    expect(figures.get(`countersign_model_request_seconds_count{provider="${new URL(model.url).host}"}`)).toBe(2);
  });

  it("SR-04 SR-45 holds no name of a person or repository, and nothing of an unsigned body", () => {
    expect(text).not.toMatch(/mona|lee|acme|web-1|canary|df -h|Spool/);
  });
});

describe("metrics", () => {
  const refused = async () => {
    throw new Error("the database is gone");
  };

  it("F-19 a store that cannot be read is a figure, and its old figures are not told as new ones", async () => {
    const read = vi.fn(async () => ({
      countersign_outbox_waiting: 3,
      countersign_queue_waiting: [{ labels: { queue: "turn" }, value: 2 }],
    }));
    const metrics = createMetrics({ version: "1", read });
    expect((await metrics.render()).text).toMatch(/^countersign_outbox_waiting 3$/m);
    read.mockImplementation(refused);
    const { text } = await metrics.render();
    expect(text).toMatch(/^countersign_store_readable 0$/m);
    expect(text).not.toMatch(/^countersign_(outbox_waiting|queue_waiting).* \d/m);
    metrics.close();
  });

  it("RR-09 the breaker of an endpoint is 1 from when it opens until a request is answered", async () => {
    const metrics = createMetrics({ version: "1", read: async () => ({}) });
    metrics.observe({ event: "breaker_open", provider: "api.example" });
    expect((await metrics.render()).text).toContain('countersign_breaker_open{provider="api.example"} 1');
    metrics.observe({ event: "breaker_closed", provider: "api.example" });
    expect((await metrics.render()).text).toContain('countersign_breaker_open{provider="api.example"} 0');
    metrics.close();
  });

  it("S14 every series of a closed list is there as 0 before its first event, since Prometheus sees no increase in a first one", async () => {
    const metrics = createMetrics({ version: "1", read: async () => ({}) });
    const none = parse((await metrics.render()).text);
    for (const { name, labels } of counters.filter((one) => !Object.values(one.labels).includes(operators)))
      expect(of(none, name).size, name).toBe(Object.values(labels).reduce((product, list) => product * list.length, 1));
    for (const { name } of histograms.filter(({ labels }) => !Object.values(labels).includes(operators)))
      expect([...of(none, `${name}_count`).values()], name).toContain(0);
    expect(none.get('countersign_job_failures_total{queue="schedule",outcome="set-aside"}')).toBe(0);
    metrics.observe({ event: "job_set_aside", queue: "schedule" });
    const one = parse((await metrics.render()).text);
    expect(one.get('countersign_job_failures_total{queue="schedule",outcome="set-aside"}')).toBe(1);
    expect([...one.keys()].filter((series) => series.startsWith("countersign_") && !none.has(series))).toEqual([]);
    metrics.close();
  });

  it("CFG-1 the config file is in force until it is refused, and again once it is one that can be used", async () => {
    const metrics = createMetrics({ version: "1", read: async () => ({}) });
    const isInForce = async () => parse((await metrics.render()).text).get("countersign_config_in_force");
    expect(await isInForce()).toBe(1);
    metrics.observe({ event: "config_refused" });
    expect(await isInForce()).toBe(0);
    metrics.observe({ event: "config_accepted" });
    expect(await isInForce()).toBe(1);
    metrics.close();
  });

  it("SR-04 a label outside its list is `other`, and a value that is no number is left out", async () => {
    const metrics = createMetrics({ version: "1", read: async () => ({}) });
    metrics.observe({ event: "command_approved", risk: "x".repeat(500) });
    metrics.observe({ event: "turn_end" });
    metrics.observe({});
    const { text } = await metrics.render();
    expect(text).toContain('countersign_approvals_total{risk="other"} 1');
    expect(text).toContain("countersign_turn_seconds_count 0");
    metrics.close();
  });
});

describe("a bot whose metrics are off", () => {
  it("CONFIG server.metrics: false answers 404", async () => {
    const playground = await startPlayground({
      config: { server: { metrics: false } },
    });
    expect((await fetch(`${playground.bot.url}/metrics`)).status).toBe(404);
    await playground.close();
  });
});
