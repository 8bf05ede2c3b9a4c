import { describe, expect, it, test } from "vitest";
import { createEvaluator } from "../../../src/risk/evaluate.ts";
import { fc } from "../../harness/chance.ts";

const evaluate = createEvaluator();
const verdictOf = (command: string) => evaluate(command, { os: "linux", shell: "bash" });
const riskOf = (command: string): string => verdictOf(command).risk;

describe("an object of kind Secret is printed", () => {
  /** Verbs with what they need behind the object; all of them print it where they are asked for an output. */
  const verbs = [
    ["get", ""],
    ["label", "a=b --dry-run=client"],
    ["annotate", "a=b --dry-run=server"],
    ["patch", "-p '{}' --dry-run=client"],
    ["patch", "-p '{}'"],
    ["wait", "--for=create --timeout=1s"],
    ["set data", "a=b --dry-run=client"],
  ] as const;
  const named = [
    "secret x",
    "secrets x",
    "Secret x",
    "SECRETS",
    "secret.v1 x",
    "secrets.v1. x",
    "secret/x",
    "cm,secret x",
    "cm/a secret/b",
  ];
  const outputs = [
    "-o jsonpath={.data.x}",
    "-o yaml",
    "-oyaml",
    "-o=json",
    "--output yaml",
    "--output=jsonpath='{.data}'",
    "-o jsonpath-as-json={.data}",
    "-o custom-columns=D:.data",
    "-o go-template='{{.data}}'",
    "-o go-template-file=t",
    "--template='{{.data}}'",
    "-o name -o yaml",
    "-o kyaml",
    "-v=9",
  ];
  const frames = [
    (call: string) => `kubectl ${call}`,
    (call: string) => `oc ${call}`,
    (call: string) => `sudo k ${call}`,
    (call: string) => `k3s kubectl ${call}`,
    (call: string) => `minikube -p prod kubectl -- ${call}`,
    (call: string) => `ssh web-1 kubectl ${call}`,
    (call: string) => `kubectl -n shop --context prod ${call}`,
    (call: string) => `kubectl --chunk-size 5 ${call} | base64 -d`,
  ];

  it("PA-7 SR-33 SR-45 by any verb and in any form it is high, and its answer is a secret", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...frames),
        fc.constantFrom(...verbs),
        fc.constantFrom(...named),
        fc.constantFrom(...outputs),
        fc.boolean(),
        (frame, [verb, more], object, output, isFirst) => {
          const [head = "", ...sub] = verb.split(" ");
          const call = isFirst
            ? `${head} ${sub.join(" ")} ${output} ${object} ${more}`
            : `${verb} ${object} ${more} ${output}`;
          const { risk, secretAnswer } = verdictOf(frame(call));
          expect({ call, risk, secretAnswer }).toEqual({
            call,
            risk: "high",
            secretAnswer: "prints Kubernetes secrets",
          });
        },
      ),
      { numRuns: 400 },
    );
  });

  test.each([
    "kubectl label secret x a=b --dry-run=client -o jsonpath={.data.x}",
    "kubectl create secret generic x --from-literal=a=b --dry-run=client -o yaml",
    "kubectl apply view-last-applied secret/x",
    "kubectl edit secret x",
    "oc extract secret/x --to=-",
    "kubectl view-secret x",
    "kubectl set env deploy/web --list --resolve",
    "kubectl describe secret x -v 8",
    "kubectl -o yaml get secret x",
    "kubectl get --output_watch_events secret x -oyaml",
    "kubectl --unheard-of x get secret x -oyaml",
    // What kind it is nobody knows here.
    "kubectl get -f x.yaml -o yaml",
    "kubectl apply -f x.yaml --dry-run=server -o yaml",
    "kubectl get -k . -o json",
    "kubectl get $KIND x -o yaml",
    "kubectl get secrets -o name | xargs kubectl get -o yaml",
    "kubectl apply -f - -o yaml --dry-run=client <<E\nkind: ConfigMap\n---\nkind: Secret\nE",
    'kubectl apply -f - -o yaml --dry-run=client <<E\n"kind": "Sec\\x72et"\nE',
  ])("PA-7 SR-33 %s is high", (command) => {
    expect(verdictOf(command)).toMatchObject({ risk: "high", secretAnswer: expect.any(String) });
  });

  test.each([
    "kubectl get secret x",
    "kubectl get secrets -A -o wide",
    "kubectl get secret x -o name",
    "kubectl get secret x -o jsonpath='{.metadata.name}'",
    "kubectl describe secret x",
    "kubectl label secret x a=b --dry-run=client",
    "kubectl get pods -o yaml",
    "kubectl get pod secret -o yaml",
    "kubectl label pod web secret/owner=x --dry-run=client -o yaml",
    "kubectl create deployment secret --image=x --dry-run=client -o yaml",
    "kubectl explain secret --output=plaintext",
    "kubectl get secretstores.external-secrets.io x -o yaml",
    "kubectl diff -f x.yaml",
    "kubectl apply -f - -o yaml --dry-run=client <<E\nkind: ConfigMap\nmetadata:\n  name: x\nE",
  ])("PA-7 %s shows nothing of one and is low", (command) => {
    const { risk, secretAnswer } = verdictOf(command);
    expect({ risk, secretAnswer }).toEqual({ risk: "low", secretAnswer: undefined });
  });
});

describe("a workload is scaled to nothing", () => {
  /** As Go reads a number (`strconv`, base 0). */
  const zeros = ["0", "00", "000", "+0", "-0", "0x0", "0X00", "0b0", "0o0", "0O0", "0_0", "0x_0", "-0x0"];
  const others = ["1", "010", "0x10", "0b1", "3", "100", "+2"];
  const scales = [
    (count: string) => `kubectl scale deploy/web --replicas=${count}`,
    (count: string) => `kubectl scale --replicas ${count} deploy web`,
    (count: string) => `oc -n shop scale sts/db --replicas=${count} --timeout=1m`,
    (count: string) => `kubectl scale deploy/web --replicas=3 --replicas=${count}`,
  ];
  const patches = [
    `kubectl patch deploy web -p '{"spec":{"replicas":N}}'`,
    `kubectl patch deploy web --type=merge --patch='{"spec":{"paused":false,"replicas":N}}'`,
    `kubectl patch deploy web --subresource=scale -p '{"spec":{"replicas":N}}'`,
    `kubectl patch deploy web -p $'spec:\\n  replicas: N'`,
    `kubectl patch deploy web -p 'spec: {replicas: N}'`,
    String.raw`kubectl patch deploy web -p '{"spec":{"repl\u0069cas":N}}'`,
    `kubectl patch deploy web --type=json -p '[{"op":"replace","path":"/spec/replicas","value":N}]'`,
    `kubectl patch deploy web --type json -p '[{"op":"add","path":"/spec","value":{"replicas":N}}]'`,
    `kubectl patch deploy web -p '{"spec":{"replicas":3,"replicas":N}}'`,
    "kubectl apply -f - <<E\nkind: Deployment\nspec:\n  replicas: N\nE",
  ];

  test.each(scales)("PA-7 %s", (scale) => {
    expect(zeros.filter((zero) => riskOf(scale(zero)) !== "high")).toEqual([]);
    expect(others.filter((count) => riskOf(scale(count)) !== "medium")).toEqual([]);
  });

  test.each(patches)("PA-7 %s", (patch) => {
    for (const zero of ["0", "-0", "0.0"]) expect(riskOf(patch.replace("N", zero))).toBe("high");
    // A key that stands twice is refused by some readers and not by others.
    if (!patch.includes("3,")) expect(riskOf(patch.replace("N", "2"))).toBe("medium");
  });

  test.each([
    ["kubectl scale deploy/web --replicas=$N", "high"],
    [`kubectl patch deploy web -p "{\\"spec\\":{\\"replicas\\":$N}}"`, "high"],
    [`kubectl patch deploy web --type=json -p '[{"op":"copy","from":"/status/x","path":"/spec/replicas"}]'`, "high"],
    ["oc idle web", "high"],
    ["kubectl scale deploy/web --replicas=0 --dry-run=server", "low"],
    ["kubectl scale deploy/web --replicas=0 --dry-run=server --dry_run=none", "high"],
    [`kubectl patch deploy web -p '{"spec":{"template":{"metadata":{"labels":{"replicas":"0"}}}}}'`, "medium"],
    [`kubectl patch hpa web -p '{"spec":{"minReplicas":2}}'`, "medium"],
    ["kubectl patch deploy web --patch-file x.yaml", "medium"],
    ["kubectl rollout pause deploy/web", "medium"],
  ])("PA-7 %s is %s", (command, risk) => {
    expect(riskOf(command)).toBe(risk);
  });
});

test.each([
  "kubectl patch pod web --subresource=ephemeralcontainers -p '{}'",
  "kubectl patch pod web --subresource ephemeralcontainers -p '{}'",
  "kubectl replace --raw /api/v1/namespaces/shop/pods/web/ephemeralcontainers -f x.json",
  "kubectl create --raw=/api/v1/namespaces/shop/pods/web/ephemeralcontainers -f x.json",
])("PA-7 %s starts a debug container, as debug does", (command) => {
  expect(riskOf(command)).toBe(riskOf("kubectl debug web --image=busybox"));
});

test("PA-7 kubectl reads `_` in the name of a flag as `-`", () => {
  expect(riskOf("kubectl delete pod web --dry-run=client --dry_run=none")).toBe("high");
});
