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

/**
 * Finds the first unchangeable kind by `kubectl api-resources --no-headers`. All resources of its name, in any group, must be custom and
 * namespaced, because kubectl chooses among them. Pure.
 */
export function firstNotOfNamespace(kinds: readonly string[], apiResources: string): string | undefined {
  const resources = apiResources.split("\n").map((line) => {
    const [kind = "", isNamespaced, apiVersion = "", ...names] = line.trim().split(/\s+/).toReversed();
    const group = apiVersion.split("/").toReversed()[1] ?? "";
    return {
      // Kubernetes' own groups have no dot, or end so: their kinds are in our tables, or grant rights.
      isFit: isNamespaced === "true" && group.includes(".") && !group.endsWith(".k8s.io"),
      names: [kind.toLowerCase(), ...names.flatMap((name) => name.split(","))],
    };
  });
  return kinds.find((kind) => {
    const meant = resources.filter(({ names }) => names.includes(kind.split(".")[0] ?? ""));
    return meant.length === 0 || meant.some(({ isFit }) => !isFit);
  });
}
