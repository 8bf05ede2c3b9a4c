import { type Refusal, refuseCommand } from "../base/words.ts";
import { clusterKinds, type KubectlVerb, neverChanged } from "./kubectl-verbs.ts";
import { objectsOf } from "./settle.ts";

/** The kinds a command names: before each `/`, else in the first word. */
export function kindsNamed(name: string, positionals: readonly string[]): readonly string[] {
  if (name === "create job") return ["job"];
  const words = objectsOf(name, positionals);
  const kinds = words.some((word) => word.includes("/"))
    ? words.map((word) => word.split("/")[0] ?? "")
    : (words[0] ?? "").split(",");
  return kinds.map((kind) => kind.toLowerCase());
}

/** Refuses unchangeable kinds. Custom resources pass, because the runner asks the API server about them. */
export function checkKinds(effect: KubectlVerb["effect"], kinds: readonly string[]): Refusal | undefined {
  if (effect !== "changes") return undefined;
  if (kinds.includes("")) return refuseCommand("it names no object", "write a kind and a name");
  const bad = kinds.find((kind) => {
    const [first = ""] = kind.split(".");
    return clusterKinds.has(first) || neverChanged.has(first) || !isKind(kind);
  });
  return bad === undefined
    ? undefined
    : refuseCommand(
        `\`${bad}\` is not changed here: it reaches further than one namespace`,
        "change it by hand, or through a server with SSH that has kubectl",
      );
}

const isKind = (word: string): boolean => /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)*$/.test(word);

const ofPlatform = /\.(?:openshift|k8s)\.io$/;

/** Returns true if a kind is known to be the cluster's. */
export const isOfCluster = (kind: string): boolean =>
  clusterKinds.has(kind) || (ofPlatform.test(kind) && clusterKinds.has(kind.split(".")[0] ?? ""));

/** Kubernetes' own groups: their kinds are in our tables, or grant rights. */
const isBuiltIn = (group: string): boolean => !group.includes(".") || group.endsWith(".k8s.io");

/**
 * Finds the first unchangeable kind by `kubectl api-resources --no-headers`. All resources of its name, in any group, must be custom and
 * namespaced, because kubectl chooses among them. Pure.
 */
export function firstNotOfNamespace(kinds: readonly string[], apiResources: string): string | undefined {
  const resources = apiResources.split("\n").map((line) => {
    const [kind = "", isNamespaced, apiVersion = "", ...names] = line.trim().split(/\s+/).toReversed();
    return {
      isFit: isNamespaced === "true" && !isBuiltIn(apiVersion.split("/").toReversed()[1] ?? ""),
      names: [kind.toLowerCase(), ...names.flatMap((name) => name.split(","))],
    };
  });
  return kinds.find((kind) => {
    const meant = resources.filter(({ names }) => names.includes(kind.split(".")[0] ?? ""));
    return meant.length === 0 || meant.some(({ isFit }) => !isFit);
  });
}
