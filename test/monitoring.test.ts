import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { counters, createMetrics, gauges, histograms } from "../src/telemetry/metrics.ts";
import { missing } from "./harness/missing.ts";
import { useFolder } from "./harness/use-started.ts";

/** The alert rules and the dashboard that operators take as they are. */

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const read = (path: string): string => readFileSync(at(path), "utf8");

const rulesFile = "docs/deploy/monitoring/alerts.yml";
const ruleTests = "test/data/alert-rules.yml";
const promtool = (...args: readonly string[]) => spawnSync("promtool", args, { encoding: "utf8" });
const hasPromtool = !promtool("--version").error;
if (!hasPromtool) missing("promtool", "alert rules and the dashboard's queries were not tried by Prometheus' own tool");

const { groups } = parse(read(rulesFile)) as {
  groups: readonly { rules: readonly { alert: string; expr: string }[] }[];
};
const alerts = groups.flatMap(({ rules }) => rules);

const dashboardSchema = z.object({
  panels: z.array(
    z.object({
      id: z.int(),
      title: z.string().min(1),
      datasource: z.object({ type: z.literal("prometheus"), uid: z.string().regex(/^\$\{datasource\}$/) }),
      gridPos: z.object({ x: z.int().min(0), y: z.int().min(0), w: z.int().min(1), h: z.int().min(1) }),
      fieldConfig: z.object({ defaults: z.object({ unit: z.string().min(1) }), overrides: z.array(z.object({})) }),
      targets: z.array(z.object({ refId: z.string(), expr: z.string(), legendFormat: z.string() })).min(1),
    }),
  ),
  templating: z.object({ list: z.array(z.object({ name: z.string(), type: z.string() })) }),
});
const { panels, templating } = dashboardSchema.parse(JSON.parse(read("docs/deploy/monitoring/grafana-dashboard.json")));
const queries = panels.flatMap(({ title, targets }) => targets.map(({ refId, expr }) => ({ title, refId, expr })));

const metricsIn = (text: string): readonly string[] =>
  text.match(/\b(?:countersign|process|nodejs)_[a-z0-9_]+\b/g) ?? [];

describe("dashboard and alerts", () => {
  it("S14 name only metrics that are there, and every metric of ours is on one of them", async () => {
    const metrics = createMetrics({ version: "1", read: async () => ({}) });
    const { text } = await metrics.render();
    metrics.close();
    const there = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = "", type]) =>
      type === "histogram" ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    );
    const named = [...alerts, ...queries].flatMap(({ expr }) => metricsIn(expr));
    expect(named.filter((name) => !there.includes(name))).toEqual([]);
    const ours = [...counters, ...histograms].map(({ name }) => name).concat(Object.keys(gauges));
    expect(ours.filter((name) => !named.some((one) => one.startsWith(name)))).toEqual([]);
  });
});

describe("the alert rules", () => {
  it("S14 each has an expression, a severity, a summary and a remedy", () => {
    for (const rule of alerts)
      expect(rule).toMatchObject({
        alert: expect.stringMatching(/^Countersign[A-Z]/),
        expr: expect.any(String),
        labels: { severity: expect.stringMatching(/^(page|ticket)$/) },
        annotations: { summary: expect.any(String), remedy: expect.any(String) },
      });
  });

  it("S14 RR-20 each is tried, where it fires and where it does not", () => {
    const { tests } = parse(read(ruleTests)) as {
      tests: readonly { promql_expr_test: readonly { exp_samples: readonly { labels: string }[] }[] }[];
    };
    const tried = tests
      .filter(({ promql_expr_test: looks }) => looks.some(({ exp_samples: fired }) => fired.length === 0))
      .flatMap(({ promql_expr_test: looks }) => looks.flatMap(({ exp_samples: fired }) => fired))
      .map(({ labels }) => /alertname="(\w+)"/.exec(labels)?.[1]);
    expect(alerts.map(({ alert }) => alert).filter((alert) => !tried.includes(alert))).toEqual([]);
  });

  it.runIf(hasPromtool)(
    "S14 RR-20 fire when they should, at the first event after a start included, and not otherwise",
    { tags: ["long"] },
    () => {
      for (const args of [
        ["check", "rules", at(rulesFile)],
        ["test", "rules", at(ruleTests)],
      ]) {
        const { status, stdout, stderr } = promtool(...args);
        expect(status, stdout + stderr).toBe(0);
      }
    },
  );
});

describe("the dashboard", () => {
  const folder = useFolder();

  it("S14 has each panel once, on a place of its own within the 24 columns", () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const taken = new Map<string, string>();
    for (const { title, gridPos } of panels) {
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(taken.get(`${x} ${y}`), title).toBeUndefined();
          taken.set(`${x} ${y}`, title);
        }
    }
  });

  it("S14 asks each metric for the bot and the processes that were chosen, so that several bots are not mixed", () => {
    expect(templating.list.map(({ name }) => name)).toEqual(["datasource", "job", "instance"]);
    for (const { title, refId, expr } of queries) {
      const chosen = metricsIn(expr).filter((name) => expr.includes(`${name}{job="$job",instance=~"$instance"`));
      expect(chosen, `${title} ${refId}`).toEqual(metricsIn(expr));
      expect(chosen.length, `${title} ${refId}`).toBeGreaterThan(0);
    }
  });

  it("S14 draws times and bytes as such, and mixes them with others only where they have an axis of their own", () => {
    for (const { title, fieldConfig, targets } of panels) {
      const units = new Set(targets.map(({ expr }) => /_(bytes|seconds)(_bucket)?\{/.exec(expr)?.[1]));
      const { defaults, overrides } = fieldConfig;
      if (units.size > 1) expect(overrides, title).not.toEqual([]);
      else if (units.has("bytes") || units.has("seconds"))
        expect([title, defaults.unit]).toEqual([title, units.has("bytes") ? "bytes" : "s"]);
      else expect(defaults.unit, title).not.toMatch(/^(bytes|s)$/);
    }
  });

  it.runIf(hasPromtool)("S14 asks what Prometheus understands", () => {
    const rules = queries.map(({ expr }, index) => ({
      record: `panel:${index}`,
      expr: expr.replaceAll("$__rate_interval", "5m"),
    }));
    const file = join(folder, "queries.yml");
    writeFileSync(file, JSON.stringify({ groups: [{ name: "dashboard", rules }] }));
    const { status, stdout, stderr } = promtool("check", "rules", file);
    expect(status, stdout + stderr).toBe(0);
    expect(stdout).toContain(`${queries.length} rules found`);
  });
});
