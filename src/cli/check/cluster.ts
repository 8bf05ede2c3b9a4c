import type { Problem } from "../../base/errors.ts";
import type { Server } from "../../base/server.ts";
import { readKubeContext } from "../../config/kubeconfig.ts";
import { environment } from "../../config/load.ts";
import type { NamespaceRights } from "../../kubernetes/probe.ts";
import { judgeRights } from "../../kubernetes/rights.ts";
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

/** Asks for real: whether kubectl is there and new enough, the API server answers, who the bot is there, and what it may do. Never throws. */
export async function lookAtCluster(kubernetes: Kubernetes, server: Server): Promise<Omit<CheckLook, "name">> {
  const probed = await kubernetes.probe(server);
  const place = `servers.${server.name}`;
  if (!probed.ok) return { said: probed.reason, problems: [{ place, message: probed.reason, remedy: probed.remedy }] };
  const found = probed.rights.map((rights) => judgeNamespace(server, rights));
  const about = `${server.cluster?.apiServer}, as ${probed.identity}, kubectl ${probed.version}`;
  return {
    said: [about, ...found.map(({ said }) => said)].join("; "),
    warnings: found.flatMap(({ warnings }) => warnings),
  };
}

const manifest = "docs/deploy/rbac.yaml";

/** What an identity may do in a namespace, in a few words, and what of it is too little or too much. Pure. */
function judgeNamespace(
  { name, maxRisk, cluster }: Server,
  rights: NamespaceRights,
): { readonly said: string; readonly warnings: readonly Problem[] } {
  const { namespace } = rights;
  const place = `servers.${name}.namespaces`;
  const warn = (message: string, remedy: string): Problem => ({ place, message: `${namespace}: ${message}`, remedy });
  if (!rights.ok)
    return {
      said: `${namespace}: rights not known`,
      warnings: [
        warn(
          `the API server does not say what the bot may do: ${rights.why}`,
          `compare by hand: kubectl --context ${cluster?.context} auth can-i --list -n ${namespace}`,
        ),
      ],
    };
  const { lacking, mayChange, beyond } = judgeRights(rights.rules);
  const unused = maxRisk === "low" && mayChange;
  const warnings = [
    rights.isWhole &&
      lacking.reads.length > 0 &&
      warn(
        `the identity lacks rights for ${listed(lacking.reads)}`,
        `bind the Role countersign-reads of ${manifest} to it in ${namespace}`,
      ),
    rights.isWhole &&
      mayChange &&
      lacking.changes.length > 0 &&
      warn(
        `of the changes it lacks rights for ${listed(lacking.changes)}`,
        `if they are to run, bind the Role countersign-changes of ${manifest}; what it lacks ends as Forbidden`,
      ),
    unused && warn("it may change objects, and max_risk is low", "take the Role countersign-changes from it"),
    beyond.others.length > 0 &&
      warn(
        `it may do more than any command here needs: ${listed(beyond.others)}`,
        `bind only the Roles of ${manifest}`,
      ),
  ].filter((one) => one !== false);
  const also = beyond.reads.length > 0 ? [`also ${listed(beyond.reads)}`] : [];
  const whole = rights.isWhole ? [] : ["and what another authorizer allows, which it does not list"];
  return {
    said: [`${namespace}: ${mayChange ? "reads and changes" : "reads"}`, ...also, ...whole].join(", "),
    warnings,
  };
}

/** A list that people read: the first few, and how many more. */
const listed = (items: readonly string[]): string => {
  const most = 8;
  const rest = items.length - most;
  return [...items.slice(0, most), ...(rest > 0 ? [`${rest} more`] : [])].join("; ");
};
