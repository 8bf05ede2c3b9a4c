import { createHash } from "node:crypto";
import type { Pod, PodTemplate, Workload } from "./object.ts";
import { type KubeWorld, kindNamed } from "./world.ts";

/** What becomes of a pod of an image. */
export interface Fate {
  readonly reason?: "CrashLoopBackOff" | "ImagePullBackOff";
  /** Why its container ended the last time. */
  readonly ended?: { readonly reason: string; readonly exitCode: number };
  /** What its container writes. */
  readonly log: string;
}

export type FateOf = (image: string, memoryLimit?: string) => Fate;

/** What becomes of a pod of this template. */
export const fateIn = (fateOf: FateOf, { containers: [first] }: PodTemplate["spec"]): Fate =>
  fateOf(first?.image ?? "", first?.resources?.limits?.memory);

const revision = "deployment.kubernetes.io/revision";
const revisionOf = ({ metadata }: Workload): number => Number(metadata.annotations?.[revision] ?? 0);
const withRevision = (object: Workload, number: number): Workload => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [revision]: String(number) } },
});
const hashOf = (template: PodTemplate): string =>
  createHash("sha256").update(JSON.stringify(template)).digest("hex").slice(0, 10);

/** Without what says nothing, in one order: kubectl writes `creationTimestamp: null` and `resources: {}`, which are no change. */
function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, tidy(inner)] as const);
  const kept = entries.filter(([, inner]) => inner !== null && JSON.stringify(inner) !== "{}");
  return Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Does at once what the controllers of Kubernetes would: the ReplicaSet of the template, its pods, the status. */
export function settleDeployment(world: KubeWorld, deployment: Workload, fateOf: FateOf): Workload {
  if (deployment.spec.paused) return deployment;
  const { name, namespace = "", uid = "" } = deployment.metadata;
  const { replicas, selector } = deployment.spec;
  const template = tidy(deployment.spec.template) as PodTemplate;
  const sets = (world.list(kindNamed("ReplicaSet"), namespace) as readonly Workload[]).filter(
    ({ metadata }) => metadata.ownerReferences?.[0]?.uid === uid,
  );
  const hash = hashOf(template);
  const latest = Math.max(0, ...sets.map(revisionOf));
  const labels = { ...template.metadata.labels, "pod-template-hash": hash };
  const old = sets.find(({ metadata }) => metadata.name === `${name}-${hash}`);
  const number = old && revisionOf(old) === latest ? latest : latest + 1;
  const set: Workload = old ?? {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name: `${name}-${hash}`, namespace, labels, ownerReferences: [ownerOf("Deployment", name, uid)] },
    spec: {
      replicas,
      selector: { matchLabels: { ...selector.matchLabels, "pod-template-hash": hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
  const fate = fateIn(fateOf, template.spec);
  const ready = fate.reason === undefined ? replicas : 0;
  for (const other of sets.filter(({ metadata }) => metadata.name !== set.metadata.name))
    world.put({ ...other, spec: { ...other.spec, replicas: 0 }, status: { replicas: 0, readyReplicas: 0 } });
  const kept = world.put({
    ...withRevision(set, number),
    spec: { ...set.spec, replicas },
    status: { replicas, readyReplicas: ready },
  });
  for (const pod of world.list(kindNamed("Pod"), namespace) as readonly Pod[]) {
    const [owner] = pod.metadata.ownerReferences ?? [];
    if (
      owner?.name === set.metadata.name
        ? indexOf(pod) >= replicas
        : sets.some(({ metadata }) => metadata.name === owner?.name)
    )
      world.remove(pod);
  }
  for (let index = 0; index < replicas; index++) {
    const pod = podOf({ set: kept as Workload, index, fate });
    if (!world.get(kindNamed("Pod"), namespace, pod.metadata.name)) world.put(pod);
  }
  return withRevision(
    { ...deployment, status: statusOf(replicas, ready, (deployment.metadata.generation ?? 0) + 1) },
    number,
  );
}

const indexOf = ({ metadata: { name } }: Pod): number => Number(name.split("-").at(-1));

const ownerOf = (kind: string, name: string, uid: string) => ({
  apiVersion: "apps/v1",
  kind,
  name,
  uid,
  controller: true,
});

/** As far ahead as the generation can be: what is changed is settled at once. */
const statusOf = (replicas: number, ready: number, observedGeneration: number) => ({
  observedGeneration,
  replicas,
  updatedReplicas: replicas,
  readyReplicas: ready,
  availableReplicas: ready,
  unavailableReplicas: replicas - ready,
});

function podOf({ set, index, fate }: { readonly set: Workload; readonly index: number; readonly fate: Fate }): Pod {
  const { name, namespace = "", uid = "" } = set.metadata;
  const { metadata, spec } = set.spec.template;
  const startTime = `${new Date().toISOString().slice(0, 19)}Z`;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: `${name}-${index}`,
      namespace,
      labels: metadata.labels ?? {},
      ownerReferences: [ownerOf("ReplicaSet", name, uid)],
    },
    spec,
    status: {
      phase: fate.reason === "ImagePullBackOff" ? "Pending" : "Running",
      podIP: `10.0.0.${index + 2}`,
      startTime,
      containerStatuses: spec.containers.map((container) => ({
        name: container.name,
        image: container.image,
        imageID: "",
        ready: fate.reason === undefined,
        restartCount: fate.reason === "CrashLoopBackOff" ? 6 : 0,
        state: fate.reason === undefined ? { running: { startedAt: startTime } } : { waiting: { reason: fate.reason } },
        ...(fate.ended && { lastState: { terminated: fate.ended } }),
      })),
    },
  };
}
