import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { messageOf, type Refusal } from "../base/errors.ts";
import { parseJson } from "../base/json.ts";
import type { Server } from "../base/server.ts";
import { kubectlVerbs } from "./kubectl-verbs.ts";
import { askKubectl, type KubernetesMeans, preparePlace, timeoutOf } from "./place.ts";

export interface Right {
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
}

/** `group:resource,resource verb,verb`; the core group is empty. */
const rights = (...lines: readonly string[]): readonly Right[] =>
  lines.flatMap((line) => {
    const [what = "", verbs = ""] = line.split(" ");
    const [group = "", resources = ""] = what.split(":");
    return resources.split(",").flatMap((resource) => verbs.split(",").map((verb) => ({ group, resource, verb })));
  });

const workloads = "deployments,daemonsets,statefulsets";
const reading = "get,list,watch";

/** Not Secrets, which must not be readable here. */
const usualKinds = rights(
  `:pods,services,endpoints,events,configmaps,persistentvolumeclaims,replicationcontrollers,resourcequotas,limitranges,serviceaccounts ${reading}`,
  `apps:${workloads},replicasets,controllerrevisions ${reading}`,
  `batch:jobs,cronjobs ${reading}`,
  `autoscaling:horizontalpodautoscalers ${reading}`,
  `policy:poddisruptionbudgets ${reading}`,
  `networking.k8s.io:ingresses,networkpolicies ${reading}`,
  `discovery.k8s.io:endpointslices ${reading}`,
  `events.k8s.io:events ${reading}`,
);
const patching = rights(`apps:${workloads} patch`);

/** What each verb needs on the usual kinds, besides what every login may do. A verb that changes objects also reads them. */
export const verbRights: Readonly<Record<string, readonly Right[]>> = {
  get: usualKinds,
  describe: usualKinds,
  logs: rights(":pods get,list,watch", ":pods/log get", `apps:${workloads},replicasets get`, "batch:jobs get"),
  "top pod": rights(":pods get,list", "metrics.k8s.io:pods get,list"),
  "top node": [],
  events: rights(`:events ${reading}`),
  explain: [],
  "api-resources": [],
  "api-versions": [],
  version: [],
  "cluster-info": [],
  "auth can-i": [],
  "auth whoami": [],
  wait: usualKinds,
  "rollout status": rights(`apps:${workloads} ${reading}`),
  "rollout history": rights(`apps:${workloads} get,list`, "apps:replicasets,controllerrevisions list"),
  "rollout restart": patching,
  "rollout undo": patching,
  "rollout pause": patching,
  "rollout resume": patching,
  "set image": patching,
  "set env": patching,
  "set resources": patching,
  patch: patching,
  label: patching,
  annotate: patching,
  scale: rights("apps:deployments/scale,statefulsets/scale get,patch,update"),
  autoscale: rights("autoscaling:horizontalpodautoscalers create"),
  delete: rights(":pods delete", "batch:jobs delete"),
  "create job": rights("batch:jobs create"),
};

/** All rights that the verbs of one effect need. */
export const rightsServing = (effect: "reads" | "changes"): readonly Right[] =>
  Object.entries(verbRights).flatMap(([name, needed]) => (kubectlVerbs[name]?.effect === effect ? needed : []));

/** From SelfSubjectRulesReview. */
export interface ListedRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[] | undefined;
  readonly resources?: readonly string[] | undefined;
  readonly resourceNames?: readonly string[] | undefined;
}

interface JudgedRights {
  /** Verbs that lack rights on some usual kinds. */
  readonly lacking: { readonly reads: readonly string[]; readonly changes: readonly string[] };
  readonly mayChange: boolean;
  /** What it may do that no verb needs. */
  readonly beyond: { readonly reads: readonly string[]; readonly others: readonly string[] };
}

/** Compares an identity's rights in a namespace with what our verbs need. Pure. */
export function judgeRights(rules: readonly ListedRule[]): JudgedRights {
  const lacks = (effect: "reads" | "changes"): readonly string[] =>
    Object.entries(verbRights).flatMap(([name, needed]) =>
      kubectlVerbs[name]?.effect === effect && needed.some((right) => !rules.some((rule) => isGranted(right, rule)))
        ? [name]
        : [],
    );
  const known = [...rightsServing("reads"), ...rightsServing("changes")];
  const granted = rules.flatMap(({ verbs, apiGroups = [], resources = [] }) =>
    apiGroups.flatMap((group) => resources.flatMap((resource) => verbs.map((verb) => ({ group, resource, verb })))),
  );
  // Every login may ask about itself.
  const isForAll = ({ group, resource, verb }: Right): boolean =>
    verb === "create" &&
    /^(?:authorization|authentication)\.k8s\.io$/.test(group) &&
    resource.startsWith("selfsubject");
  const beyond = granted.filter((right) => !isForAll(right) && !known.some((one) => isSame(one, right)));
  const isRead = ({ verb, group, resource }: Right): boolean =>
    reading.split(",").includes(verb) && group !== "*" && !/\*|^secrets$/.test(resource);
  return {
    lacking: { reads: lacks("reads"), changes: lacks("changes") },
    mayChange: rightsServing("changes").some((right) => rules.some((rule) => isGranted(right, rule, "some"))),
    beyond: { reads: inWords(beyond.filter(isRead)), others: inWords(beyond.filter((right) => !isRead(right))) },
  };
}

const isSame = (one: Right, other: Right): boolean =>
  one.group === other.group && one.resource === other.resource && one.verb === other.verb;

/** A rule for named objects counts only for `some`. */
function isGranted({ group, resource, verb }: Right, rule: ListedRule, which: "all" | "some" = "all"): boolean {
  const has = (told: readonly string[] = [], wanted: readonly string[]): boolean =>
    wanted.some((one) => told.includes(one));
  const subresource = resource.split("/")[1];
  const resources = [resource, "*", ...(subresource === undefined ? [] : [`*/${subresource}`])];
  const isWhole = which === "some" || (rule.resourceNames ?? []).length === 0;
  return isWhole && has(rule.verbs, [verb, "*"]) && has(rule.apiGroups, [group, "*"]) && has(rule.resources, resources);
}

/** `get, list secrets` */
function inWords(found: readonly Right[]): readonly string[] {
  const nameOf = ({ group, resource }: Right): string => (group === "" ? resource : `${resource}.${group}`);
  return [...Map.groupBy(found, nameOf)].map(
    ([name, all]) => `${[...new Set(all.map(({ verb }) => verb))].join(", ")} ${name}`,
  );
}

export type NamespaceRights = { readonly namespace: string } & (
  | {
      readonly ok: true;
      readonly rules: readonly ListedRule[];
      /** False if an authorizer that cannot list its rules may allow more. */
      readonly isWhole: boolean;
    }
  | { readonly ok: false; readonly why: string }
);

export type ClusterProbe =
  | {
      readonly ok: true;
      readonly version: string;
      readonly identity: string;
      readonly rights: readonly NamespaceRights[];
    }
  | Refusal;

/** Finds kubectl, the bot's identity, and its rights in each listed namespace. Never throws. */
export async function probeCluster(means: KubernetesMeans, server: Server): Promise<ClusterProbe> {
  const place = await preparePlace(means, server, { signal: AbortSignal.timeout(means.limits.requestMs) });
  if (!place.ok) return place;
  // The rights in one namespace stand for all.
  const namespaces = new Set(server.cluster?.namespaces.map((listed) => (listed === "*" ? "default" : listed)));
  const rights = await Promise.all(
    // As `kubectl auth can-i --list`, in JSON.
    [...namespaces].map(async (namespace): Promise<NamespaceRights> => {
      const review = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectRulesReview", spec: { namespace } };
      const file = join(place.surroundings.cwd, `rules-${namespace}.json`);
      try {
        writeFileSync(file, JSON.stringify(review));
      } catch (thrown) {
        return { ok: false, namespace, why: messageOf(thrown) };
      }
      const path = "--raw=/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";
      const words = [...place.flags, `--request-timeout=${timeoutOf(means)}`, "create", path, `--filename=${file}`];
      const signal = AbortSignal.timeout(means.limits.requestMs);
      const asked = await askKubectl(place.kubectl, words, { ...place.surroundings, signal, means });
      if (!asked.ok) return { ok: false, namespace, why: asked.why };
      const { data } = reviewAnswer.safeParse(parseJson(asked.text));
      if (data === undefined) return { ok: false, namespace, why: "its answer cannot be read" };
      return { ok: true, namespace, rules: data.status.resourceRules, isWhole: data.status.incomplete !== true };
    }),
  );
  place.leave();
  return { ok: true, version: place.version, identity: place.identity, rights };
}

const names = z.array(z.string());
const reviewAnswer = z.object({
  status: z.object({
    resourceRules: z.array(
      z.object({
        verbs: names,
        apiGroups: names.optional(),
        resources: names.optional(),
        resourceNames: names.optional(),
      }),
    ),
    incomplete: z.boolean().optional(),
  }),
});
