import { beforeAll, describe, expect, it } from "vitest";
import { clusterRunner, lookAtCluster } from "../../../src/cli/check/server.ts";
import { type ListedRule, type Right, rightsServing } from "../../../src/kubernetes/rights.ts";
import { useStarted } from "../../harness/use-started.ts";
import { startApiServer } from "../../kubernetes/api-server.ts";
import { clusterServer, hasKubectl } from "../../kubernetes/world.ts";

const asRules = (rights: readonly Right[]): readonly ListedRule[] =>
  rights.map(({ group, resource, verb }) => ({ apiGroups: [group], resources: [resource], verbs: [verb] }));

describe.runIf(hasKubectl)("check of a cluster", () => {
  /** It knows nothing of rules. */
  const api = useStarted(() => startApiServer());
  const silent = useStarted(() => startApiServer());
  beforeAll(() => {
    silent.fail(({ path }) => (path.endsWith("/selfsubjectrulesreviews") ? 404 : undefined));
  });

  it("CONFIG says API server, identity and the version of kubectl", async () => {
    const look = await lookAtCluster(clusterRunner(), clusterServer(api.kubeconfig()));
    expect(look.problems ?? []).toEqual([]);
    expect(look.said).toMatch(/^https:\/\/127\.0\.0\.1:\d+, as system:serviceaccount:ops:countersign, kubectl v1\.\d+/);
  });

  it("CONFIG says who the bot is where that is not what was written, and what to write", async () => {
    const look = await lookAtCluster(clusterRunner(), clusterServer(api.kubeconfig("somebody")));
    expect(look.problems).toEqual([
      {
        place: "servers.prod-eu",
        message: "the bot is somebody on prod-eu, not system:serviceaccount:ops:countersign",
        remedy: 'if that is meant, write `identity: "somebody"`; if not, correct the kubeconfig',
      },
    ]);
  });

  it("CONFIG says what the identity may do: as the docs recommend it is nothing to say", async () => {
    const reader = clusterServer(api.kubeconfig(), { maxRisk: "low" });
    api.allow(asRules(rightsServing("reads")));
    const low = await lookAtCluster(clusterRunner(), reader);
    expect([low.problems ?? [], low.warnings]).toEqual([[], []]);
    expect(low.said).toMatch(/; shop: reads$/);
    api.allow(asRules([...rightsServing("reads"), ...rightsServing("changes")]));
    const both = await lookAtCluster(clusterRunner(), clusterServer(api.kubeconfig()));
    expect([both.said.split("; ").at(-1), both.warnings]).toEqual(["shop: reads and changes", []]);
    expect((await lookAtCluster(clusterRunner(), reader)).warnings).toEqual([
      {
        place: "servers.prod-eu.namespaces",
        message: "shop: it may change objects, and max_risk is low",
        remedy: "take the Role countersign-changes from it",
      },
    ]);
  });

  it("CONFIG says in each namespace what the identity lacks and what it has too much of, with a remedy", async () => {
    const server = clusterServer(api.kubeconfig());
    const two = { ...server, cluster: server.cluster && { ...server.cluster, namespaces: ["shop", "pay"] } };
    const reads = rightsServing("reads").filter(({ resource }) => resource !== "pods/log");
    api.allow([
      ...asRules(reads),
      { verbs: ["get", "list"], apiGroups: [""], resources: ["secrets", "nodes"] },
      { verbs: ["create"], apiGroups: [""], resources: ["pods/exec"] },
      { verbs: ["patch"], apiGroups: ["apps"], resources: ["deployments"], resourceNames: ["web"] },
    ]);
    const { said, warnings = [] } = await lookAtCluster(clusterRunner(), two);
    expect(said).toMatch(/; shop: reads and changes, also get, list nodes; pay: /);
    expect(warnings.map(({ message }) => message).filter((message) => message.startsWith("shop"))).toEqual([
      "shop: the identity lacks rights for logs",
      expect.stringMatching(/^shop: of the changes it lacks rights for rollout restart; .*; \d more$/),
      "shop: it may do more than any command here needs: get, list secrets; create pods/exec",
    ]);
    expect(warnings).toHaveLength(6);
  });

  it("CONFIG of a list that is not whole nothing is said to be lacking; of none, how to look by hand", async () => {
    api.allow([{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }], true);
    const all = await lookAtCluster(clusterRunner(), clusterServer(api.kubeconfig()));
    expect(all.said).toContain("and what another authorizer allows");
    expect(all.warnings?.map(({ message }) => message)).toEqual([
      "shop: it may do more than any command here needs: * *.*",
    ]);
    const [unknown] = (await lookAtCluster(clusterRunner(), clusterServer(silent.kubeconfig()))).warnings ?? [];
    expect(unknown?.remedy).toBe("compare by hand: kubectl --context prod auth can-i --list -n shop");
  });

  it("CONFIG of rules in another form than the API documents says that they cannot be read", {
    tags: ["long"],
  }, async () => {
    for (const rules of [[null], [{}], [{ verbs: "get" }], [{ verbs: ["get"], resources: [7] }]]) {
      api.allow(rules as never);
      const { warnings } = await lookAtCluster(clusterRunner(), clusterServer(api.kubeconfig()));
      expect(warnings?.map(({ message }) => message)).toEqual([expect.stringContaining("its answer cannot be read")]);
    }
  });

  it("CONFIG says that an API server cannot be reached", async () => {
    const gone = await startApiServer();
    const server = clusterServer(gone.kubeconfig());
    const kubernetes = clusterRunner();
    const closed = clusterServer(api.kubeconfig());
    await gone.close();
    expect((await lookAtCluster(kubernetes, server)).problems).toHaveLength(1);
    expect((await lookAtCluster(kubernetes, closed)).problems ?? []).toEqual([]);
  });
});
