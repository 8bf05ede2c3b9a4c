/** An emulated cluster with a deployment `web` in the namespace `shop`, which fails as it is told to. */

import { type EmulatedCluster, startEmulatedCluster } from "../../emulator/kubernetes/start.ts";
import type { ListedRule } from "../../src/kubernetes/rights.ts";

/** What becomes of a change: it is made and answered, or one of the ways in which it is not. */
export type Fault = "none" | "silent" | "broken-off" | number;

export interface ApiServer extends EmulatedCluster {
  /** Has changes fail; of reads only `silent` holds, for pods. */
  readonly set: (fault: Fault) => void;
  /** Who listed pods, in order. */
  readonly users: string[];
  /** How often somebody asked who they are. */
  readonly reviews: () => number;
  /** Whoever asks who one is waits from now on until it is let go; `asked` resolves when somebody does. */
  readonly holdWhoami: () => { readonly asked: Promise<void>; readonly letGo: () => void };
  /** What the identity may do in every namespace, as the answer to a SelfSubjectRulesReview has it. */
  readonly allow: (resourceRules: readonly ListedRule[], incomplete?: boolean) => void;
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
  let rules: object | undefined;
  let fault: Fault = "none";
  let held: { readonly asked: () => void; readonly gate: Promise<void> } | undefined;
  const users: string[] = [];
  let reviews = 0;
  const cluster = await startEmulatedCluster({ seed, ...(may && { may }), rules: () => rules });
  cluster.fail(({ method, path, user }) => {
    if (path.endsWith("/selfsubjectreviews")) reviews++;
    if (held && path.endsWith("/selfsubjectreviews")) {
      held.asked();
      return held.gate;
    }
    if (method === "GET" && path.endsWith("/pods")) users.push(user);
    if (method === "GET") return fault === "silent" && path.endsWith("/pods") ? "slow" : undefined;
    if (path.includes("/selfsubject") || fault === "none") return undefined;
    return fault === "broken-off" ? "cut" : fault;
  });
  return {
    ...cluster,
    users,
    reviews: () => reviews,
    set: (next) => {
      fault = next;
    },
    holdWhoami: () => {
      const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      held = { asked: asked.resolve, gate: gate.promise };
      return { asked: asked.promise, letGo: gate.resolve };
    },
    allow: (resourceRules, incomplete = false) => {
      rules = { resourceRules, nonResourceRules: [], incomplete };
    },
  };
}
