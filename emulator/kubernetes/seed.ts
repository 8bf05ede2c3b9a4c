import { apiKinds } from "./kinds.ts";
import type { Workload } from "./object.ts";
import { type FateOf, settleDeployment } from "./rollout.ts";
import { type KubeWorld, kindNamed } from "./world.ts";

/** A namespace with one deployment that was rolled out several times. */
export interface ShopSeed {
  readonly namespace: string;
  readonly deployment: string;
  readonly replicas: number;
  /** In order; the last is what runs now. */
  readonly images: readonly string[];
  readonly fateOf: FateOf;
  /** Objects beside it, as they are. */
  readonly others?: readonly Parameters<KubeWorld["put"]>[0][];
}

/** Puts everything as it was at the start; what has been made since is gone. */
export function seedShop(
  world: KubeWorld,
  { namespace, deployment: name, replicas, images, fateOf, others = [] }: ShopSeed,
): void {
  for (const kind of apiKinds) for (const object of world.list(kind)) world.remove(object);
  const spec = { finalizers: ["kubernetes"] };
  world.put({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace }, spec, status: { phase: "Active" } });
  for (const other of others) world.put(other);
  for (const image of images) {
    const now = world.get(kindNamed("Deployment"), namespace, name) as Workload | undefined;
    const labels = { app: name };
    const template = { metadata: { labels }, spec: { containers: [{ name, image }] } };
    const kept = world.put({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { ...now?.metadata, name, namespace, labels },
      spec: { replicas, selector: { matchLabels: labels }, strategy: { type: "Recreate" }, template },
    });
    world.put(settleDeployment(world, kept as Workload, fateOf));
    if (fateOf(image).reason === undefined) continue;
    for (const pod of world.list(kindNamed("Pod"), namespace))
      world.put({
        apiVersion: "v1",
        kind: "Event",
        metadata: { name: `${pod.metadata.name}.back-off`, namespace },
        involvedObject: { apiVersion: "v1", kind: "Pod", namespace, name: pod.metadata.name },
        type: "Warning",
        reason: "BackOff",
        message: `Back-off restarting failed container ${name} in pod ${pod.metadata.name}`,
        source: { component: "kubelet" },
        lastTimestamp: `${new Date().toISOString().slice(0, 19)}Z`,
        count: 6,
      });
  }
}
