import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Fate } from "../../emulator/kubernetes/rollout.ts";
import { type EmulatedCluster, startEmulatedCluster } from "../../emulator/kubernetes/start.ts";

const image = (release: string): string => `registry.acme.example/cart:${release}`;
const broken = image("2.4.1");

const fateOf = (of: string): Fate =>
  of === broken
    ? { reason: "CrashLoopBackOff", log: "cart 2.4.1 starting\npanic: CART_DB_URL is not set" }
    : { log: "cart 2.4.0 starting\nlistening on :8080" };

/** An imagined cluster whose last rollout does not come up: an API server on the loopback, and what the config says of it. */
export interface DemoCluster extends EmulatedCluster {
  readonly entry: Readonly<Record<string, unknown>>;
}

/** Starts it; its files go into `folder`, or into a temporary one of its own. */
export async function startDemoCluster(folder?: string): Promise<DemoCluster> {
  const images = [image("2.3.9"), image("2.4.0"), broken];
  const cluster = await startEmulatedCluster({
    seed: { namespace: "shop", deployment: "cart", replicas: 3, images, fateOf },
    ...(folder === undefined ? {} : { folder }),
  });
  const entry = {
    kind: "kubernetes",
    kubeconfig_file: cluster.kubeconfig(),
    context: "prod",
    namespaces: ["shop"],
    identity: "system:serviceaccount:ops:countersign",
    groups: ["k8s"],
    description: "Kubernetes: the cart of the shop",
  };
  return { ...cluster, entry };
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
