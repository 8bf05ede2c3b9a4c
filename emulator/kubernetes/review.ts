import type { KubeCluster, KubeRequest } from "./answer.ts";
import { apiKinds } from "./kinds.ts";
import { at } from "./object.ts";
import { readAccessReview } from "./protobuf.ts";

/** Who somebody is and what they may, as they ask it of themselves; undefined where that is not what is asked. */
export function reviewOf({ may, rules }: KubeCluster, { path, user, body }: KubeRequest): object | undefined {
  const [, group, name] =
    /^\/apis\/((?:authentication|authorization)\.k8s\.io\/v1)\/(selfsubject\w+)$/.exec(path) ?? [];
  if (name === undefined) return undefined;
  const inProtobuf = name === "selfsubjectaccessreviews" ? readAccessReview(body) : undefined;
  const given =
    name !== "selfsubjectaccessreviews" || inProtobuf ? { spec: {} } : (JSON.parse(body.toString("utf8")) as object);
  const review = { ...given, apiVersion: group, metadata: {} };
  if (name === "selfsubjectreviews")
    return {
      ...review,
      kind: "SelfSubjectReview",
      status: { userInfo: { username: user, groups: ["system:authenticated"] } },
    };
  if (name === "selfsubjectaccessreviews") {
    const way = "spec.resourceAttributes";
    const { verb, resource } = inProtobuf ?? {
      verb: String(at(given, `${way}.verb`) ?? ""),
      resource: String(at(given, `${way}.resource`) ?? ""),
    };
    return { ...review, kind: "SelfSubjectAccessReview", status: { allowed: may(user, verb, resource) } };
  }
  if (name !== "selfsubjectrulesreviews") return undefined;
  const told = rules?.();
  if (told) return { ...review, kind: "SelfSubjectRulesReview", status: told };
  const verbs = ["get", "list", "watch", "create", "update", "patch", "delete"];
  const resourceRules = apiKinds.map(({ apiVersion, plural }) => ({
    apiGroups: [apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : ""],
    resources: [plural],
    verbs: verbs.filter((verb) => may(user, verb, plural)),
  }));
  return {
    ...review,
    kind: "SelfSubjectRulesReview",
    status: {
      incomplete: false,
      nonResourceRules: [],
      resourceRules: resourceRules.filter((rule) => rule.verbs.length > 0),
    },
  };
}
