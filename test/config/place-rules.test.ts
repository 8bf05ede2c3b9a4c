import { describe, expect, it } from "vitest";
import { restrict } from "../../src/config/repo.ts";
import { useFolder, writerIn } from "../harness/use-started.ts";
import { env, surveyed, writeKubeconfig } from "./operator.ts";

const folder = useFolder();
writerIn(folder)("patches.pem", env.PRIVATE_KEY, 0o600);
writeKubeconfig(folder);
const context = { kubeconfig_file: "./kubeconfig", context: "prod", identity: "bot" };
const host = { host: "192.0.2.1", user: "ops", host_key: "ssh-ed25519 AAAA", agent: true };
const k8s = {
  kind: "kubernetes",
  ...context,
  namespaces: ["shop", "blog"],
  groups: ["prod"],
};
const inventory = {
  servers: { "db-1": { ...host, groups: ["db", "prod"] }, "web-1": { ...host, groups: ["web"] }, k8s },
  sources: { prom: { kind: "prometheus", url: "https://prom.example", groups: ["metrics"] } },
  github: { app_id: 1, patches_app: { app_id: 2, private_key_file: "./patches.pem" } },
  patches: { infra: { repository: "acme/infra", paths: ["k8s/**"], groups: ["git"] } },
};
const rulesWith = (...rules: readonly object[]) => surveyed(folder, { ...inventory, policy: { for: rules } });
const low = { max_risk: "low" };

describe("policy.for", () => {
  it("CFG-1 is read whole: places, people, numbers, risk, one text of hours or several", () => {
    const { config, problems } = rulesWith(
      {
        servers: ["db"],
        approvers: { teams: ["acme/dba"], users: [{ login: "lee", id: 7 }] },
        high: { approvals: 2, restate_server: true, reason: "required" },
        max_risk: "medium",
        hours: "09:00-17:00 Europe/Berlin",
      },
      { clusters: ["k8s"], namespaces: ["shop"], hours: ["Mon-Fri 09:00-17:00 UTC", "Sat 09:00-12:00 UTC"] },
      { sources: ["prom", "metrics"], groups: ["prod"], low: { approvals: 2 } },
      { patches: ["infra", "git"], medium: { approvals: 2 } },
    );
    expect(problems).toEqual([]);
    const none = { servers: [], groups: [], clusters: [], sources: [], patches: [], namespaces: [], hours: [] };
    expect(config.policy.for).toEqual([
      {
        ...none,
        servers: ["db"],
        approvers: { teams: ["acme/dba"], users: [{ login: "lee", id: 7 }] },
        high: { approvals: 2, restateServer: true, reason: "required" },
        maxRisk: "medium",
        hours: ["09:00-17:00 Europe/Berlin"],
      },
      { ...none, clusters: ["k8s"], namespaces: ["shop"], hours: ["Mon-Fri 09:00-17:00 UTC", "Sat 09:00-12:00 UTC"] },
      { ...none, sources: ["prom", "metrics"], groups: ["prod"], low: { approvals: 2 } },
      { ...none, patches: ["infra", "git"], medium: { approvals: 2 } },
    ]);
  });

  it("CFG-1 is nothing by default, and a repository's file leaves it as it is", () => {
    expect(surveyed(folder, inventory).config.policy.for).toEqual([]);
    const { config } = rulesWith({ servers: ["db-1"], ...low });
    expect(restrict(config, "acme/web").policy.for).toEqual(config.policy.for);
  });

  it.each<[string, object, string | RegExp]>([
    ["no place", low, "names no place, so it holds nowhere"],
    ["nothing asked", { servers: ["db-1"] }, "asks for nothing"],
    ["an unknown server", { servers: ["db-2"], ...low }, "`db-2` is neither a server nor a group"],
    ["a server as a group", { groups: ["db-1"], ...low }, "`db-1` is no group"],
    ["a host as a cluster", { clusters: ["db-1"], ...low }, "`db-1` is no server of `kind: kubernetes`"],
    ["a source as patches", { patches: ["prom"], ...low }, "`prom` is not in `patches`, nor a group there"],
    ["a server as a source", { sources: ["db-1"], ...low }, "`db-1` is no source"],
    [
      "namespaces without a cluster",
      { servers: ["db-1"], namespaces: ["shop", "blog"], ...low },
      "the rule names no cluster",
    ],
    [
      "a namespace that is not served",
      { groups: ["prod"], namespaces: ["shop", "bank"], ...low },
      "the namespace `bank` is not listed for k8s",
    ],
    ["an empty list of people", { servers: ["db-1"], approvers: {} }, "is empty, so nobody could approve there"],
    [
      "a team without its organization",
      { servers: ["db-1"], approvers: { teams: ["dba"] } },
      /is not `organization\/team`/,
    ],
    ["a person without an id", { servers: ["db-1"], approvers: { users: ["lee"] } }, /has no valid id for lee/],
    [
      "a person with a login alone",
      { servers: ["db-1"], approvers: { users: [{ login: "lee" }] } },
      /has no valid id for lee/,
    ],
    ["no approval", { servers: ["db-1"], low: { approvals: 0 } }, /at least 1/],
    ["less than the general policy asks", { servers: ["db-1"], high: { reason: "optional" } }, /must be `required`/],
    ["no server's name", { servers: ["db-1"], high: { restate_server: false } }, /must be `true`/],
    ["block as the most", { servers: ["db-1"], max_risk: "block" }, /`low`, `medium` or `high`/],
    ["a key that is none", { servers: ["db-1"], approvals: 2 }, /is not a known key/],
    ["no hours", { servers: ["db-1"], hours: "always" }, "`always` is no time of the day at a place"],
    ["no zone", { servers: ["db-1"], hours: "09:00-17:00" }, "`09:00-17:00` names no time zone"],
    [
      "an unknown zone",
      { servers: ["db-1"], hours: ["09:00-17:00 Berlin"] },
      "`09:00-17:00 Berlin` `Berlin` is no time zone",
    ],
    [
      "hours that overlap",
      { servers: ["db-1"], hours: ["09:00-17:00 UTC", "Fri 16:00-18:00 UTC"] },
      "`Fri 16:00-18:00 UTC` covers a time that `09:00-17:00 UTC` covers too",
    ],
  ])("CFG-1 is refused with %s", (_what, rule, message) => {
    expect(rulesWith(rule).problems).toEqual([typeof message === "string" ? message : expect.stringMatching(message)]);
  });
});
