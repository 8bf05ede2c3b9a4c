import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startDemoCluster, writeKubectl } from "../../../demo/cluster/start.ts";
import { findProgram } from "../../../src/kubernetes/place.ts";
import { clusterServer, hasKubectl, run, runnerFor } from "../../kubernetes/world.ts";

/** All that the runbook has, and what goes wrong. */
const commands = [
  "kubectl get pods -l app=cart",
  "kubectl logs deploy/cart --tail=5",
  "kubectl rollout history deploy/cart",
  "kubectl rollout status deploy/cart --timeout=1s",
  "kubectl rollout undo deploy/cart",
  "kubectl rollout status deploy/cart --timeout=30s",
  "kubectl rollout history deploy/cart",
  "kubectl get deploy cart",
  "kubectl get pods -l app=none",
  "kubectl get pod none",
];

/** What each prints and how it ends, one after another, on a cluster of its own; ages are of the moment. */
async function play(kubectl: string | undefined, lines: readonly string[]): Promise<readonly unknown[]> {
  const cluster = await startDemoCluster();
  const kubernetes = runnerFor(kubectl);
  const told: unknown[] = [];
  try {
    const on = clusterServer(String(cluster.entry.kubeconfig_file));
    for (const line of lines) {
      const { ending, text } = await run(on, line, { kubernetes });
      told.push([line, ending, text.replaceAll(/ +\d+s$/gm, " AGE")]);
    }
    return told;
  } finally {
    kubernetes.close();
    await cluster.close();
  }
}

describe("the demo's kubectl", () => {
  it.runIf(hasKubectl)("prints what the real one prints", async () => {
    const folder = mkdtempSync(join(tmpdir(), "demo-kubectl-"));
    const [own, real] = await Promise.all([
      play(writeKubectl(folder), commands),
      play(findProgram("kubectl"), commands),
    ]);
    expect(own).toEqual(real);
    rmSync(folder, { recursive: true });
  });

  it("says what it does not know", async () => {
    const folder = mkdtempSync(join(tmpdir(), "demo-kubectl-"));
    const child = spawn(writeKubectl(folder), ["delete", "pod", "x"], { stdio: ["ignore", "ignore", "pipe"] });
    let errors = "";
    for await (const part of child.stderr) errors += part;
    expect(errors).toBe(`error: the demo's kubectl does not know "delete pod"; it has get, logs and rollout\n`);
    rmSync(folder, { recursive: true });
  });
});
