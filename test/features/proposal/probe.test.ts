import { expect, test } from "vitest";
import { kubectlVerbs } from "../../../src/kubernetes/kubectl-verbs.ts";
import { parseKubectl } from "../../../src/kubernetes/parse-kubectl.ts";
import { createEvaluator } from "../../../src/risk/evaluate.ts";
import { findProbe } from "../../../src/risk/probe.ts";

const changes: Readonly<Record<string, string>> = {
  "rollout restart": "kubectl rollout restart deployment/cart -n shop",
  "rollout undo": "kubectl rollout undo deployment/cart -n shop",
  "rollout pause": "kubectl -n shop rollout pause deployment/cart",
  "rollout resume": "kubectl -n shop rollout resume deployment/cart",
  scale: "kubectl -n shop scale deployment/cart --replicas=3",
  autoscale: "kubectl -n shop autoscale deployment/cart --max=5",
  delete: "kubectl -n shop delete pod cart-7f9 --wait=false",
  patch: `kubectl -n shop patch deployment cart -p '{"spec":{"paused":true}}'`,
  "set image": "kubectl -n shop set image deployment/cart cart=acme/cart:1.4.1",
  "set resources": "kubectl -n shop set resources deployment/cart --limits=memory=1Gi",
  "set env": "kubectl -n shop set env deployment/cart LEVEL=debug",
  label: "kubectl -n shop label pod cart-7f9 held=yes",
  annotate: "kubectl -n shop annotate pod cart-7f9 note=x",
  "create job": "kubectl -n shop create job again --from=cronjob/report",
};
const evaluate = createEvaluator();

test("PB-06 every change that runs on a cluster has a probe that runs there, and is low", () => {
  const known = Object.keys(kubectlVerbs).filter((name) => kubectlVerbs[name]?.effect === "changes");
  expect(Object.keys(changes).sort()).toEqual(known.sort());
  const wrong = Object.values(changes).flatMap((change) => {
    expect(parseKubectl(change, ["shop"])).toMatchObject({ ok: true });
    const found = findProbe(change);
    if (found.kind === "none") return [`${change}: ${found.why}`];
    const { risk } = evaluate(found.command, { os: "linux", shell: "bash" });
    const parsed = parseKubectl(found.command, ["shop"]);
    return risk === "low" && parsed.ok ? [] : [`${found.command}: ${risk} ${parsed.ok ? "" : parsed.reason}`];
  });
  expect(wrong).toEqual([]);
});
