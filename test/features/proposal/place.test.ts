import { describe, expect, it } from "vitest";
import type { Server } from "../../../src/base/server.ts";
import { policyInForce } from "../../../src/features/proposal/in-force.ts";
import { surveyed, writeKubeconfig } from "../../config/operator.ts";
import { useFolder } from "../../harness/use-started.ts";

const folder = useFolder();
writeKubeconfig(folder);
const host = { host: "192.0.2.1", user: "ops", host_key: "ssh-ed25519 AAAA", agent: true };
const context = { kubeconfig_file: "./kubeconfig", context: "prod", identity: "bot" };
const { config } = surveyed(folder, {
  servers: {
    "db-1": { ...host, groups: ["db"] },
    "web-1": host,
    k8s: { kind: "kubernetes", ...context, namespaces: ["shop", "blog"] },
  },
  sources: { prom: { kind: "prometheus", url: "https://prom.example" } },
  policy: {
    for: [
      { groups: ["db"], low: { approvals: 2 } },
      { clusters: ["k8s"], namespaces: ["shop"], low: { approvals: 3 } },
      { sources: ["prom"], low: { approvals: 4 } },
    ],
  },
});
const rules = { policy: config.policy, servers: [...config.servers.values()] as readonly Server[] };
const needed = (...targets: Parameters<typeof policyInForce>[1]["spec"]["targets"]): number =>
  policyInForce({ rules }, { spec: { targets } }, new Date()).low.approvals;
const cluster = (namespace?: string) => ({ server: "k8s", cluster: { namespace } });

describe("the policy in force for an action's targets", () => {
  it.each([
    ["a server of a group", [{ server: "db-1" }], 2],
    ["a server without a rule", [{ server: "web-1" }], 1],
    ["both at once", [{ server: "web-1" }, { server: "db-1" }], 2],
    ["a command bound to the namespace", [cluster("shop")], 3],
    ["one bound to another namespace", [cluster("blog")], 1],
    ["one bound to none, which may reach each", [cluster()], 3],
    ["a source", [{ server: "prom" }], 4],
    ["a server that the inventory has no more", [{ server: "old-1" }], 4],
  ] as const)("SR-18 %s", (_what, targets, approvals) => expect(needed(...targets)).toBe(approvals));
});
