import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../demo/free-port.ts";
import { sleep } from "../../src/base/clock.ts";
import type { ExecResult } from "../../src/base/run.ts";
import type { Server, Source } from "../../src/base/server.ts";
import { parseOnSource } from "../../src/sources/parse-query.ts";
import { createSources, pinOfSource, type SourceRunner, writeQuery } from "../../src/sources/run.ts";
import { createCapture } from "../../src/ssh/capture.ts";
import { missing } from "../harness/missing.ts";
import { server } from "../ssh/inventory-entry.ts";

/** A source with small caps. */
export const source = (given: Partial<Source> = {}): Source => ({
  kind: "prometheus",
  url: "http://127.0.0.1:9090",
  maxRangeMs: 86_400_000,
  maxSeries: 20,
  maxBytes: 65_536,
  levels: { query: "low", query_range: "low" },
  ...given,
});

/** A source as a server of the inventory. */
export const sourceServer = (given: Partial<Source> = {}, more: Partial<Server> = {}): Server =>
  server({ name: "prom", user: "", maxRisk: "low", hardTimeoutMs: 5_000, source: source(given), ...more });

export const runnerOf = (token = "t0ken"): SourceRunner =>
  createSources({ readToken: () => token, createCapture: () => createCapture(1024 * 1024), freshMs: 5_000 });

interface Ran extends ExecResult {
  readonly text: string;
}

/** Runs one query as an approved action would. */
export async function run(on: Server, command: string, signal = new AbortController().signal): Promise<Ran> {
  const own = on.source ?? source();
  const parsed = parseOnSource(command, own);
  if (!parsed.ok) throw new Error(`${parsed.reason}: ${parsed.remedy}`);
  const order = { server: on, wrapped: writeQuery(parsed.plan), hostKeys: [pinOfSource(own)] };
  const reservation = await runnerOf().reserve(order, signal);
  const sent = reservation.send(Date.now(), {});
  if (sent === "stale") throw new Error("stale");
  const result = await sent;
  return { ...result, text: Buffer.concat([result.capture.head, result.capture.tail]).toString("utf8") };
}

/** Whether Debian's Prometheus is here; said at the end of a run where it is not. */
export const hasPrometheus = ((): boolean => {
  try {
    execFileSync("promtool", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    missing("promtool", "the tests of sources on a real Prometheus");
    return false;
  }
})();

export interface RealPrometheus {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** A real Prometheus on the loopback that scrapes nothing and holds the samples given, in OpenMetrics. */
export async function startPrometheus(openMetrics: string): Promise<RealPrometheus> {
  const folder = mkdtempSync(join(tmpdir(), "countersign-prometheus-"));
  const data = join(folder, "data");
  mkdirSync(data);
  writeFileSync(join(folder, "seed.txt"), openMetrics);
  writeFileSync(join(folder, "prometheus.yml"), "scrape_configs: []\n");
  const blocks = ["tsdb", "create-blocks-from", "openmetrics", join(folder, "seed.txt"), data];
  execFileSync("promtool", blocks, { stdio: "ignore" });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const flags = [`--config.file=${join(folder, "prometheus.yml")}`, `--storage.tsdb.path=${data}`];
  const child = spawn("prometheus", [...flags, `--web.listen-address=127.0.0.1:${port}`], { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const isReady = (): Promise<boolean> =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (child.exitCode === null && !(await isReady())) await sleep(50);
  return {
    url,
    close: async () => {
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
