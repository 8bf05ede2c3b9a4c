import type { Server } from "../../base/server.ts";
import { readKubeContext } from "../../config/kubeconfig.ts";
import { type Config, environment } from "../../config/load.ts";
import { createKubernetes, type Kubernetes } from "../../kubernetes/run.ts";
import { createCapture } from "../../ssh/capture.ts";
import type { CheckLook } from "./look.ts";

/** What `check` looks at a cluster with; nothing runs there but kubectl's own questions. */
export const clusterRunner = (): Kubernetes =>
  createKubernetes({
    readContext: (cluster) => readKubeContext(cluster, environment()),
    createCapture: () => createCapture(1024),
    freshMs: 0,
  });

/** Asks for real: whether kubectl is there and new enough, the API server answers, and who the bot is there. Never throws. */
export async function lookAtCluster(kubernetes: Kubernetes, server: Server): Promise<Omit<CheckLook, "name">> {
  const probed = await kubernetes.probe(server);
  const place = `servers.${server.name}`;
  if (!probed.ok) return { said: probed.reason, problems: [{ place, message: probed.reason, remedy: probed.remedy }] };
  return { said: `${server.cluster?.apiServer}, as ${probed.identity}, kubectl ${probed.version}` };
}

/** Servers that are reached over SSH. */
export const overSsh = ({ servers }: Pick<Config, "servers">): Config["servers"] =>
  new Map([...servers].filter(([, { cluster }]) => !cluster));
