/** An emulated cluster with a deployment `web` in the namespace `shop`, which fails as it is told to. */

import { type EmulatedCluster, startEmulatedCluster } from "../../emulator/kubernetes/start.ts";

/** What becomes of a change: it is made and answered, or one of the ways in which it is not. */
export type Fault = "none" | "silent" | "broken-off" | number;

export interface ApiServer extends EmulatedCluster {
  /** Has changes fail; of reads only `silent` holds, for pods. */
  readonly set: (fault: Fault) => void;
}

/** Pods of this image come up, of `web:bad` they do not. */
const fateOf = (image: string) =>
  image === "web:bad" ? ({ reason: "CrashLoopBackOff", log: "panic: no DATABASE_URL" } as const) : { log: "ready" };

const podNamed = (name: string) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "shop" },
  spec: { containers: [{ name: "token", image: "token:1" }] },
  status: { phase: "Running" },
});

/** What belongs to no deployment: a pod that does not come up, and custom resources. */
const others = [
  {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "batch-1", namespace: "shop", labels: { app: "batch" } },
    spec: { containers: [{ name: "batch", image: "batch:1" }] },
    status: {
      phase: "Running",
      containerStatuses: [
        {
          name: "batch",
          image: "batch:1",
          imageID: "",
          ready: false,
          restartCount: 6,
          state: { waiting: { reason: "CrashLoopBackOff" } },
        },
      ],
    },
  },
  {
    apiVersion: "kubevirt.io/v1",
    kind: "VirtualMachine",
    metadata: { name: "vm-1", namespace: "shop" },
    spec: { running: true },
  },
  { apiVersion: "machineconfiguration.openshift.io/v1", kind: "MachineConfig", metadata: { name: "worker" }, spec: {} },
];

export async function startApiServer(
  may?: (user: string, verb: string, resource: string) => boolean,
  pods: readonly string[] = [],
): Promise<ApiServer> {
  const seed = {
    namespace: "shop",
    deployment: "web",
    replicas: 2,
    images: ["web:1", "web:2"],
    fateOf,
    others: [...others, ...pods.map(podNamed)],
  };
  const cluster = await startEmulatedCluster({ seed, ...(may && { may }) });
  const set = (fault: Fault): void =>
    cluster.fail(({ method, path }) => {
      if (method === "GET") return fault === "silent" && path.endsWith("/pods") ? "slow" : undefined;
      if (path.includes("/selfsubject") || fault === "none") return undefined;
      return fault === "broken-off" ? "cut" : fault;
    });
  return { ...cluster, set };
}
