import { expect, it } from "vitest";
import { parseKubectl } from "../../src/kubernetes/parse-kubectl.ts";
import { createEvaluator } from "../../src/risk/evaluate.ts";

const changes = [
  "rollout restart deploy/web",
  "rollout undo deploy/web",
  "rollout pause deploy/web",
  "rollout resume deploy/web",
  "scale deploy web --replicas=3",
  "autoscale deploy web --max=3",
  "delete pod web-1",
  "patch deploy web -p '{}'",
  "set image deploy/web a=b",
  "set env deploy/web a=b",
  "set resources deploy/web --limits=cpu=1",
  "label pod web-1 a=b",
  "annotate pod web-1 a=b",
  "create job x --from=cronjob/y",
];
/** Ways to make a change look like a read. */
const guises: readonly ((change: string) => string)[] = [
  (change) => `kubectl ${change}`,
  (change) => `oc ${change}`,
  (change) => `kubectl -n shop ${change}`,
  (change) => `kubectl ${change} -n shop`,
  (change) => `kubectl ${change} -o yaml | grep a`,
  (change) => `kubectl ${change} --dry-run`,
  (change) => `kubectl ${change} --dry-run=none`,
  (change) => `kubectl ${change} --dry-run=false`,
  (change) => `kubectl ${change} --dry-run=client --dry-run=none`,
  (change) => `kubectl ${change} --dry-run=client --dry_run=none`,
  (change) => `kubectl ${change} -l --dry-run=client`,
  (change) => `kubectl ${change} -o --dry-run=client`,
  (change) => `kubectl ${change} -l=--dry-run=client`,
  (change) => `kubectl ${change} -- --dry-run=client`,
  (change) => `kubectl ${change} '--dry-run=client '`,
  (change) => `kubectl ${change} --help`,
  (change) => `kubectl "${change.replace(" ", '" "')}"`,
];

it("SR-33 whatever changes something here is at least medium to the policy, however it is written", () => {
  const evaluate = createEvaluator();
  const lines = guises.flatMap((guise) => changes.map(guise));
  const taken = lines.filter((line) => parseKubectl(line, ["shop"]).ok);
  expect(taken.length).toBeGreaterThan(4 * changes.length);
  expect(taken.filter((line) => evaluate(line, { os: "linux", shell: "bash" }).risk === "low")).toEqual([]);
});
