import { spawnSync } from "node:child_process";
import type { ExecResult } from "../../src/base/run.ts";
import type { Server } from "../../src/base/server.ts";
import { readKubeContext } from "../../src/config/kubeconfig.ts";
import { parseKubectl } from "../../src/kubernetes/parse-kubectl.ts";
import { type KubernetesLimits, leastMinor, pinOf } from "../../src/kubernetes/place.ts";
import { createKubernetes, type Kubernetes, writePlan } from "../../src/kubernetes/run.ts";
import { createCapture } from "../../src/ssh/capture.ts";
import { missing } from "../harness/missing.ts";
import { server } from "../ssh/inventory-entry.ts";

/** Whether a kubectl is here that the bot would start; said at the end of a run where none is. */
export const hasKubectl = ((): boolean => {
  const { stdout } = spawnSync("kubectl", ["version", "--client", "--output=json"], { encoding: "utf8" });
  const minor = /"minor": "(\d+)/.exec(stdout ?? "")?.[1];
  if (Number(minor) >= leastMinor) return true;
  missing("kubectl", `the tests of clusters; version 1.${leastMinor} or newer`);
  return false;
})();

/** A cluster of the inventory, as the config makes it of a kubeconfig's context `prod`. */
export function clusterServer(kubeconfigFile: string, given: Partial<Server> = {}): Server {
  const cluster = { context: "prod", namespaces: ["shop"], kubeconfigFile };
  const read = readKubeContext(cluster, {});
  if (!read.ok) throw new Error(read.message);
  const { apiServer, caSha256 } = read;
  const user = "system:serviceaccount:ops:countersign";
  return server({ name: "prod-eu", user, cluster: { ...cluster, apiServer, caSha256 }, ...given });
}

/** The runner, with short times. */
export const runnerFor = (kubectl?: string, limits: Partial<KubernetesLimits> = {}, freshMs = 5_000) =>
  createKubernetes({
    readContext: (cluster) => readKubeContext(cluster, {}),
    createCapture: () => createCapture(1024 * 1024),
    freshMs,
    kubectl,
    limits: { graceMs: 300, ...limits },
  });

interface Ran extends ExecResult {
  readonly text: string;
}

interface RunGiven {
  /** One with short times, which ends with the command, unless it is given. */
  readonly kubernetes?: Kubernetes;
  readonly signal?: AbortSignal;
  readonly onSent?: () => void;
}

/** Runs one command line as an approved action would. */
export async function run(on: Server, command: string, given: RunGiven = {}): Promise<Ran> {
  const { kubernetes = runnerFor(), signal = new AbortController().signal, onSent = () => {} } = given;
  const parsed = parseKubectl(command, on.cluster?.namespaces ?? []);
  if (!parsed.ok) throw new Error(`${parsed.reason}: ${parsed.remedy}`);
  const hostKeys = on.cluster ? [pinOf(on.cluster)] : [];
  try {
    const reservation = await kubernetes.reserve({ server: on, wrapped: writePlan(parsed.plan), hostKeys }, signal);
    const refused = await reservation.prove();
    if (refused !== undefined) throw new Error(refused);
    const sent = reservation.send(Date.now(), { onSent });
    if (sent === "stale") throw new Error("stale");
    const result = await sent;
    return { ...result, text: Buffer.concat([result.capture.head, result.capture.tail]).toString("utf8") };
  } finally {
    if (!given.kubernetes) kubernetes.close();
  }
}
