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
  "kubectl rollout undo deploy/cart --dry-run=server",
  "kubectl rollout undo deploy/cart --dry-run=client",
  "kubectl rollout history deploy/cart",
  "kubectl rollout undo deploy/cart",
  "kubectl rollout status deploy/cart --timeout=30s",
  "kubectl rollout history deploy/cart",
  "kubectl get deploy cart",
  "kubectl get deploy/pricing -o jsonpath={.spec.template.spec.containers[0].resources.limits.memory}",
  "kubectl get pods -l app=pricing -o jsonpath={.items[*].status.containerStatuses[0].lastState.terminated.reason}",
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

  it.each([
    [
      "kubectl delete pod x",
      `error: unknown command "delete pod" for the demo's kubectl; it has get, logs and rollout`,
    ],
    [
      "kubectl scale deploy/cart --replicas=5",
      "error: invalid words for the demo's kubectl: Unknown option '--replicas'",
    ],
    ["kubectl rollout restart deploy/cart", `error: unknown command "rollout restart" for the demo's kubectl`],
    ["kubectl rollout undo sts/cart", `error: the server doesn't have a resource type "sts"`],
    ["kubectl get pods -o yaml", `error: unknown output format "yaml" for the demo's kubectl`],
  ])("%s: says what it does not know, and no change is in doubt", async (line, said) => {
    const folder = mkdtempSync(join(tmpdir(), "demo-kubectl-"));
    const [[, ending, text] = []] = (await play(writeKubectl(folder), [line])) as [string, object, string][];
    expect({ ending, text }).toEqual({ ending: { kind: "exited", code: 1 }, text: expect.stringContaining(said) });
    rmSync(folder, { recursive: true });
  });
});
