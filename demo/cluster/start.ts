import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Workload } from "../../emulator/kubernetes/object.ts";
import { type Fate, settleDeployment } from "../../emulator/kubernetes/rollout.ts";
import { type EmulatedCluster, startEmulatedCluster } from "../../emulator/kubernetes/start.ts";
import { type KubeWorld, kindNamed } from "../../emulator/kubernetes/world.ts";
import { limitIn, pricingFile } from "../infra.ts";

const image = (release: string): string => `registry.acme.example/cart:${release}`;
const broken = image("2.4.1");

const pricing = "registry.acme.example/pricing:1.8.0";
/** All the prices of the shop, in MiB. */
const pricesMib = 190;

const fateOfPricing = (memoryLimit: string): Fate => {
  const log = "pricing 1.8.0 starting\nloading 84211 prices into memory";
  return Number.parseInt(memoryLimit, 10) < pricesMib
    ? { reason: "CrashLoopBackOff", ended: { reason: "OOMKilled", exitCode: 137 }, log }
    : { log: `${log}\nlistening on :8080` };
};

const fateOf = (of: string, memoryLimit = ""): Fate =>
  of === pricing
    ? fateOfPricing(memoryLimit)
    : of === broken
      ? { reason: "CrashLoopBackOff", log: "cart 2.4.1 starting\npanic: CART_DB_URL is not set" }
      : { log: "cart 2.4.0 starting\nlistening on :8080" };

/** An imagined cluster whose last rollout does not come up: an API server on the loopback, and what the config says of it. */
export interface DemoCluster extends EmulatedCluster {
  readonly entry: Readonly<Record<string, unknown>>;
  /** Takes over the memory limit that the file of pricing names, as a deployment from Git would. */
  readonly takePricing: (file: string) => void;
}

function putPricing(world: KubeWorld, memory: string): void {
  const name = "pricing";
  const labels = { app: name };
  const now = world.get(kindNamed("Deployment"), "shop", name);
  const containers = [{ name, image: pricing, resources: { limits: { memory } } }];
  const kept = world.put({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { ...now?.metadata, name, namespace: "shop", labels },
    spec: { replicas: 2, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  });
  world.put(settleDeployment(world, kept as Workload, fateOf));
}

/** Starts it; its files go into `folder`, or into a temporary one of its own. */
export async function startDemoCluster(folder?: string): Promise<DemoCluster> {
  const images = [image("2.3.9"), image("2.4.0"), broken];
  const cluster = await startEmulatedCluster({
    seed: { namespace: "shop", deployment: "cart", replicas: 3, images, fateOf },
    ...(folder === undefined ? {} : { folder }),
  });
  const takePricing = (file: string): void => putPricing(cluster.world, limitIn(file));
  takePricing(pricingFile);
  const entry = {
    kind: "kubernetes",
    kubeconfig_file: cluster.kubeconfig(),
    context: "prod",
    namespaces: ["shop"],
    identity: "system:serviceaccount:ops:countersign",
    groups: ["k8s"],
    description: "Kubernetes: cart and pricing of the shop",
  };
  const reset = (): void => {
    cluster.reset();
    takePricing(pricingFile);
  };
  return { ...cluster, reset, entry, takePricing };
}

/** Writes a `kubectl` into a folder, which is `kubectl.ts` beside this file: a visitor need not have the real one. */
export function writeKubectl(folder: string): string {
  const file = join(folder, "kubectl");
  const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
  const own = fileURLToPath(new URL("./kubectl.ts", import.meta.url));
  writeFileSync(file, `#!/bin/sh\nexec ${quote(process.execPath)} ${quote(own)} "$@"\n`);
  chmodSync(file, 0o755);
  return file;
}
