import { expect, it } from "vitest";
import { kubectlVerbs } from "../../src/kubernetes/kubectl-verbs.ts";
import { judgeRights, rightsServing, verbRights } from "../../src/kubernetes/rights.ts";

it("SR-55 each verb of the table says what it needs, a change needs no more than to change, and a read never does", () => {
  expect(Object.keys(verbRights).sort()).toEqual(Object.keys(kubectlVerbs).sort());
  const changing = rightsServing("reads").filter(({ verb }) => !["get", "list", "watch"].includes(verb));
  expect(changing).toEqual([]);
  const empty = Object.keys(verbRights).filter(
    (name) => kubectlVerbs[name]?.effect === "changes" && !verbRights[name]?.length,
  );
  expect(empty).toEqual([]);
  expect(
    [...rightsServing("reads"), ...rightsServing("changes")].filter(({ resource }) => resource === "secrets"),
  ).toEqual([]);
});

it("SR-55 a verb whose right is missing is lacking, and no other", () => {
  const all = [...rightsServing("reads"), ...rightsServing("changes")];
  const without = (name: string) =>
    judgeRights(
      all
        .filter((right) => !verbRights[name]?.includes(right))
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
