import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as meta from "@kubernetes-models/apimachinery/apis/meta/v1";
import * as apps from "kubernetes-models/apps/v1";
import * as authentication from "kubernetes-models/authentication.k8s.io/v1";
import * as authorization from "kubernetes-models/authorization.k8s.io/v1";
import * as autoscaling from "kubernetes-models/autoscaling/v1";
import * as core from "kubernetes-models/v1";
import { beforeAll, describe, expect, it } from "vitest";
import { useStarted } from "../harness/use-started.ts";
import { startApiServer } from "./api-server.ts";
import { hasKubectl } from "./world.ts";

interface Validated {
  readonly validate: () => void;
}

/** Kubernetes' own description by apiVersion and kind; custom resources have none, and tables are not in it. */
const models: Readonly<Record<string, object>> = {
  v1: { ...meta, ...core },
  "meta.k8s.io/v1": meta,
  "apps/v1": apps,
  "authentication.k8s.io/v1": authentication,
  "authorization.k8s.io/v1": authorization,
  "autoscaling/v1": autoscaling,
};

/** What is wrong with an answer by Kubernetes' own description; undefined where nothing is, or where it has none. */
function faultOf(answer: object): string | undefined {
  const { apiVersion = "v1", kind = "" } = answer as { readonly apiVersion?: string; readonly kind?: string };
  const Model: unknown = Reflect.get(models[apiVersion] ?? {}, kind);
  if (typeof Model !== "function")
    return undescribed.test(`${apiVersion} ${kind}`) ? undefined : `no model of ${apiVersion} ${kind}`;
  try {
    (Reflect.construct(Model, [answer]) as Validated).validate();
    return undefined;
  } catch (error) {
    return `${apiVersion} ${kind}: ${error}`;
  }
}

const undescribed = /^(?:meta\.k8s\.io\/v1 Table|kubevirt\.io\/v1 .*|v1 )$/;

describe.runIf(hasKubectl)("the emulated cluster", () => {
  let kubectl: (...words: readonly string[]) => Promise<string>;
  const api = useStarted(() =>
    startApiServer((user, verb, resource) => user !== "reader" || (verb === "get" && resource === "pods")),
  );
  beforeAll(async () => {
    const start = promisify(execFile);
    const files = { bot: api.kubeconfig(), reader: api.kubeconfig("reader") };
    kubectl = async (...words) => {
      const [first = "", ...rest] = words;
      const who = first === "reader" ? "reader" : "bot";
      const own = [`--kubeconfig=${files[who]}`, "--context=prod", "--namespace=shop"];
      const { stdout } = await start("kubectl", [...own, ...(who === "reader" ? rest : words)], {
        env: { HOME: api.folder, PATH: "/usr/local/bin:/usr/bin:/bin" },
      });
      return stdout;
    };
  });

  it("kubectl reads and changes it, and each answer is as Kubernetes describes it", { tags: ["long"] }, async () => {
    expect(await kubectl("get", "deploy,rs,pods,events")).toMatch(/^deployment.apps\/web +2\/2 +2 +2 +\d+s$/m);
    expect(await kubectl("get", "pods", "-l", "app=web", "-o", "name")).toMatch(/^(?:pod\/web-[0-9a-f]{10}-\d\n){2}$/);
    expect(await kubectl("rollout", "history", "deploy/web")).toMatch(/^1 +<none>\n2 +<none>$/m);
    expect(await kubectl("set", "image", "deploy/web", "web=web:bad")).toBe("deployment.apps/web image updated\n");
    await expect(kubectl("rollout", "status", "deploy/web", "--timeout=300ms")).rejects.toThrow("timed out waiting");
    expect(await kubectl("logs", "deploy/web", "--tail=1")).toBe("panic: no DATABASE_URL\n");
    expect(await kubectl("rollout", "undo", "deploy/web")).toContain("rolled back");
    expect(await kubectl("rollout", "status", "deploy/web")).toContain("successfully rolled out");
    expect(await kubectl("rollout", "history", "deploy/web")).toMatch(/^1 +<none>\n3 +<none>\n4 +<none>$/m);
    const before = api.changes();
    expect(await kubectl("scale", "deploy", "web", "--replicas=5", "--dry-run=server")).toContain("(server dry run)");
    expect(await kubectl("delete", "pod", "batch-1", "--dry-run=server")).toContain("(server dry run)");
    expect(api.changes()).toBe(before);
    expect(await kubectl("scale", "deploy", "web", "--replicas=3")).toBe("deployment.apps/web scaled\n");
    expect(await kubectl("get", "deploy", "web", "-o", "jsonpath={.status.readyReplicas}")).toBe("3");
    expect(await kubectl("patch", "vm", "vm-1", "--type=merge", "-p", '{"spec":{"running":false}}')).toContain(
      "patched",
    );
    expect(await kubectl("label", "pod", "batch-1", "a=b")).toContain("labeled");
    expect(await kubectl("delete", "pod", "batch-1")).toContain("deleted");
    expect(await kubectl("describe", "deploy", "web")).toContain("3 desired");
    expect(await kubectl("auth", "whoami")).toContain("system:serviceaccount:ops:countersign");
    expect(await kubectl("reader", "auth", "can-i", "--list")).toMatch(/^pods .*\[get\]$/m);
    await expect(kubectl("reader", "auth", "can-i", "delete", "pods")).rejects.toThrow();
    expect(await kubectl("auth", "can-i", "delete", "pods")).toBe("yes\n");
    await expect(kubectl("reader", "get", "deploy")).rejects.toThrow(
      'User "reader" cannot list resource "deployments"',
    );
    await expect(kubectl("get", "pod", "none")).rejects.toThrow('pods "none" not found');
    expect(api.answers.length).toBeGreaterThan(50);
    expect([...new Set(api.answers.flatMap((answer) => faultOf(answer) ?? []))]).toEqual([]);
  });

  it("the check finds an answer that is not", () => {
    expect(faultOf({ apiVersion: "apps/v1", kind: "Deployment", spec: { replicas: "three" } })).toContain("Deployment");
    expect(faultOf({ apiVersion: "v1", kind: "Nothing" })).toBe("no model of v1 Nothing");
  });
});
