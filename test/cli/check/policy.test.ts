import { describe, expect, it } from "vitest";
import type { CheckLook } from "../../../src/cli/check/look.ts";
import { policyHoles, policyLook } from "../../../src/cli/check/policy.ts";
import { surveyed, writeKubeconfig } from "../../config/operator.ts";
import { useFolder } from "../../harness/use-started.ts";

const folder = useFolder();
writeKubeconfig(folder);
const context = { kubeconfig_file: "./kubeconfig", context: "prod", identity: "bot" };
const host = { host: "192.0.2.1", user: "ops", host_key: "ssh-ed25519 AAAA", agent: true };
const k8s = {
  kind: "kubernetes",
  ...context,
  namespaces: ["shop", "blog"],
};
const servers = { "db-1": { ...host, groups: ["db"] }, "web-1": host, "web-2": host, k8s };
const lee = { login: "lee", id: 7 };
const approvers = { teams: ["acme/oncall", "acme/dba"], users: [lee] };

/** The rows of the table, and what is said of each beside it. */
async function table(policy: object): Promise<readonly CheckLook[]> {
  const { config } = surveyed(folder, { servers, policy: { approvers, ...policy } });
  const looks: CheckLook[] = [];
  for await (const one of await policyLook.look({ config, gaps: new Set() }, () => {})) looks.push(one);
  return looks.filter(({ name }) => name === "approve");
}

describe("check of who can approve what where", () => {
  it("SR-17 prints nothing more without rules for places", async () => expect(await table({})).toEqual([]));

  it("SR-17 prints a row for each kind of place, and where nobody can", async () => {
    const rows = await table({
      for: [
        { servers: ["db"], approvers: { users: [lee] }, max_risk: "medium", medium: { approvals: 2 } },
        { clusters: ["k8s"], namespaces: ["shop"], hours: "09:00-17:00 Europe/Berlin" },
        { clusters: ["k8s"], namespaces: ["shop"], hours: "17:00-09:00 Europe/Berlin" },
      ],
    });
    const general = "anyone in acme/oncall, acme/dba, @lee · approvals: low 1, medium 1, high 2";
    expect(rows.map(({ said }) => said)).toEqual([
      "db-1: anyone in @lee · approvals: low 1, medium 2 · medium risk at most · NOBODY can approve medium risk: it takes 2, and only lee may approve",
      `web-1, web-2, k8s · blog: ${general}`,
      `k8s · shop: ${general} · medium, high within 09:00-17:00 Europe/Berlin and 17:00-09:00 Europe/Berlin · NOBODY can approve medium, high risk: 09:00-17:00 Europe/Berlin and 17:00-09:00 Europe/Berlin are never open together`,
    ]);
    expect(rows.map(({ warnings }) => warnings?.map(({ place, message }) => `${place}: ${message}`))).toEqual([
      ["policy.for.0: on db-1 nobody can approve medium risk: it takes 2, and only lee may approve"],
      [],
      [
        expect.stringMatching(
          /^policy\.for\.1: on k8s · shop nobody can approve medium, high risk: .* are never open together$/,
        ),
      ],
    ]);
  });

  it("SR-17 says so of people who are not among policy.approvers, and of reads that run without a rule's approvers", () => {
    const holes = (rule: object, lease: object = {}, more: object = {}) =>
      policyHoles(surveyed(folder, { servers, policy: { approvers, for: [rule], lease }, ...more }).config, new Date())
        .filter(({ place }) => /^(?:policy\.(for|lease)|schedules)/.test(place))
        .map(({ place, message }) => `${place}: ${message}`);
    expect(holes({ servers: ["db-1"], approvers: { teams: ["acme/dba"], users: [lee] } })).toEqual([]);
    const other = { servers: ["db-1"], approvers: { teams: ["acme/night"], users: [{ login: "kim", id: 9 }] } };
    expect(holes(other)).toEqual([
      expect.stringMatching(/^policy\.for\.0\.approvers: acme\/night, kim are not among policy\.approvers/),
    ]);
    const opening = { opening: { servers: ["db", "web-1"] } };
    expect(holes({ servers: ["db-1"], approvers: { users: [lee] } }, opening)).toEqual([
      "policy.lease.opening.servers: reads run on db-1 when an incident begins, without the approvers of policy.for.0",
    ]);
    const night = { repo: "acme/web", workflow: "night", servers: ["web-1", "db-1"], sha256: "ab".repeat(32) };
    expect(holes({ servers: ["db-1"], approvers: { users: [lee] } }, {}, { schedules: { allowed: [night] } })).toEqual([
      "schedules.allowed.0.servers: low risk runs on db-1 by schedule, without the approvers of policy.for.0",
    ]);
  });

  it("SR-18 high risk with one approval is no hole where a rule asks for two, or allows none", () => {
    const holes = (...rules: readonly object[]) =>
      policyHoles(
        surveyed(folder, { servers, policy: { approvers, high: { approvals: 1 }, for: rules } }).config,
        new Date(),
      )
        .filter(({ place }) => place === "policy.high.approvals")
        .map(({ message }) => message);
    expect(holes()).toEqual(["db-1, web-1, web-2 and 1 more accept high risk with one approval"]);
    expect(
      holes({ servers: ["db-1", "web-1"], high: { approvals: 2 } }, { servers: ["web-2"], max_risk: "medium" }),
    ).toEqual(["k8s accepts high risk with one approval"]);
  });
});
