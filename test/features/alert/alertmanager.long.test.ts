import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../demo/free-port.ts";
import { secrets } from "../../alert/payloads.ts";
import { startAlertStage } from "../../alert/sender.ts";
import { missing } from "../../harness/missing.ts";
import { boardOf } from "../../harness/stage.ts";
import { useStarted } from "../../harness/use-started.ts";

const tools = ["prometheus", "prometheus-alertmanager"];
const lacking = tools.filter((tool) => spawnSync(tool, ["--version"]).error !== undefined);
for (const tool of lacking)
  missing(tool, "no real alerts were sent to the bot (apt install prometheus prometheus-alertmanager)");

describe.skipIf(lacking.length > 0)("Prometheus and Alertmanager", () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-prometheus-"));
  const children: ChildProcess[] = [];
  const ratios = new Map<string, number>();
  const metrics = createServer((_, response) => {
    response.end([...ratios].map(([disk, ratio]) => `spool_ratio{disk="${disk}"} ${ratio}\n`).join(""));
  });

  const start = async (tool: string, port: number, args: readonly string[]): Promise<void> => {
    const child = spawn(tool, args, { stdio: "ignore" });
    children.push(child);
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    for (let tries = 0; !(await isReady()); tries++) {
      if (tries > 300 || child.exitCode !== null) throw new Error(`${tool} did not start`);
      await sleep(100);
    }
  };

  const stage = useStarted(() => startAlertStage());
  beforeAll(async () => {
    stage.model.play({ text: "CONFIRMED: nothing to do." });
    const [metricsPort, alertPort, port] = [await freePort(), await freePort(), await freePort()];
    await new Promise<void>((resolve) => metrics.listen(metricsPort, "127.0.0.1", resolve));
    const write = (name: string, value: object): string => {
      writeFileSync(join(folder, name), JSON.stringify(value), { mode: 0o600 });
      return join(folder, name);
    };
    const alertConfig = write("alertmanager.yml", {
      route: {
        receiver: "countersign",
        group_by: ["alertname"],
        group_wait: "1s",
        group_interval: "1s",
        repeat_interval: "1h",
      },
      receivers: [
        {
          name: "countersign",
          webhook_configs: [
            {
              url: `${stage.bot.url}/api/alerts/production`,
              send_resolved: true,
              http_config: { authorization: { type: "Bearer", credentials: secrets.production } },
            },
          ],
        },
      ],
    });
    const rule = {
      alert: "SpoolAlmostFull",
      expr: "spool_ratio > 0.9",
      labels: { severity: "critical" },
      annotations: { summary: "{{ $labels.disk }} is at {{ $value }}" },
    };
    const rules = write("rules.yml", { groups: [{ name: "spool", interval: "1s", rules: [rule] }] });
    const config = write("prometheus.yml", {
      global: { scrape_interval: "1s", evaluation_interval: "1s" },
      rule_files: [rules],
      alerting: { alertmanagers: [{ static_configs: [{ targets: [`127.0.0.1:${alertPort}`] }] }] },
      scrape_configs: [{ job_name: "spool", static_configs: [{ targets: [`127.0.0.1:${metricsPort}`] }] }],
    });
    await start("prometheus-alertmanager", alertPort, [
      `--config.file=${alertConfig}`,
      `--storage.path=${join(folder, "alerts")}`,
      `--web.listen-address=127.0.0.1:${alertPort}`,
      "--cluster.listen-address=",
    ]);
    await start("prometheus", port, [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, "series")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--rules.alert.resend-delay=1s",
    ]);
  });
  afterAll(async () => {
    for (const child of children) {
      child.kill("SIGKILL");
      await new Promise((resolve) =>
        child.exitCode === null && child.signalCode === null ? child.once("exit", resolve) : resolve(0),
      );
    }
    metrics.closeAllConnections();
    metrics.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("AL-5 fire, group, resolve and fire again on one issue", async () => {
    const board = async () => (await boardOf(stage.thread(1))) ?? "";
    const until = (what: RegExp) => expect.poll(board, { interval: 200 }).toMatch(what);
    ratios.set("sda", 0.97).set("sdb", 0.5);
    await until(/\*\*Alert firing\*\* · critical · from `production` · started .* · fired once, last/);
    // Another of the same group: Alertmanager tells of both, and there is still one issue.
    ratios.set("sdb", 0.95);
    await until(/fired 2 times/);
    ratios.set("sda", 0.1).set("sdb", 0.2);
    await until(/✅ \*\*Alert resolved\*\*.* · resolved once/);
    ratios.set("sda", 0.99);
    await until(/\*\*Alert firing\*\*.* · resolved once/);
    await stage.quiet();
    const issues = await stage.issues();
    expect(issues.map(({ title, state }) => `${state} ${title}`)).toEqual(["open 🔔 SpoolAlmostFull: sda is at 0.97"]);
    expect(issues[0]?.body).toContain("  disk       sda\n");
    expect(issues[0]?.body).toMatch(
      /\[Silence\]\(http:\/\/[^)]*\/#\/silences\/new\?filter=%7Balertname%3D%22SpoolAlmostFull%22%7D\) · \[Source\]\(http:\/\/[^)]*\/graph\?g0\.expr=spool%5fratio/,
    );
    const told = (await stage.thread(1).comments()).filter(({ body }) => body.includes("reports the alert resolved"));
    expect(told).toHaveLength(1);
  });
});
