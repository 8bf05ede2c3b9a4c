import { expect, it } from "vitest";
import { kubectlVerbs } from "../../src/kubernetes/kubectl-verbs.ts";
import { judgeRights, rightsFor, rightsOf } from "../../src/kubernetes/rights.ts";

it("SR-55 each verb of the table says what it needs, a change needs no more than to change, and a read never does", () => {
  expect(Object.keys(rightsOf).sort()).toEqual(Object.keys(kubectlVerbs).sort());
  const changing = rightsFor("reads").filter(({ verb }) => !["get", "list", "watch"].includes(verb));
  expect(changing).toEqual([]);
  const empty = Object.keys(rightsOf).filter(
    (name) => kubectlVerbs[name]?.effect === "changes" && !rightsOf[name]?.length,
  );
  expect(empty).toEqual([]);
  expect([...rightsFor("reads"), ...rightsFor("changes")].filter(({ resource }) => resource === "secrets")).toEqual([]);
});

it("SR-55 a verb whose right is missing is lacking, and no other", () => {
  const all = [...rightsFor("reads"), ...rightsFor("changes")];
  const without = (name: string) =>
    judgeRights(
      all
        .filter((right) => !rightsOf[name]?.includes(right))
        .map(({ group, resource, verb }) => ({ apiGroups: [group], resources: [resource], verbs: [verb] })),
    ).lacking;
  expect(without("scale")).toEqual({ reads: [], changes: ["scale"] });
  expect(without("delete")).toEqual({ reads: [], changes: ["delete"] });
  expect(without("top pod").reads).toContain("top pod");
  expect(judgeRights([{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }]).lacking).toEqual({
    reads: [],
    changes: [],
  });
});
