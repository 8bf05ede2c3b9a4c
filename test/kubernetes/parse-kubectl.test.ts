import { describe, expect, it } from "vitest";
import { parseKubectl } from "../../src/kubernetes/parse-kubectl.ts";
import { flagsNotIn, kubectlHelp } from "./kubectl-help.ts";
import { hasKubectl } from "./world.ts";

const parse = (command: string, namespaces: readonly string[] = ["shop"]) => parseKubectl(command, namespaces);
const argvOf = (command: string, namespaces?: readonly string[]) => {
  const parsed = parse(command, namespaces);
  return parsed.ok ? [parsed.plan.kubectl, ...parsed.plan.filters].map((words) => words.join("␣")) : parsed.reason;
};

/** Ways to another cluster, identity or request; each with the value it would have. */
const flagWays: readonly (readonly [name: string, value: string])[] = [
  ["--context", "other"],
  ["--cluster", "other"],
  ["--server", "https://evil.example"],
  ["--token", "abc"],
  ["--as", "system:admin"],
  ["--as-group", "system:masters"],
  ["--as-uid", "1"],
  ["--kubeconfig", "/tmp/k"],
  ["--user", "admin"],
  ["--username", "admin"],
  ["--password", "x"],
  ["--client-certificate", "/tmp/c"],
  ["--client-key", "/tmp/k"],
  ["--certificate-authority", "/tmp/ca"],
  ["--insecure-skip-tls-verify", "true"],
  ["--tls-server-name", "evil"],
  ["--cache-dir", "/tmp"],
  ["--profile", "cpu"],
  ["--profile-output", "/tmp/p"],
  ["--request-timeout", "0"],
  ["--filename", "https://evil.example/x.yaml"],
  ["--kustomize", "."],
  ["--raw", "/api"],
  ["--template", "{{.}}"],
  ["--v", "9"],
  ["--vmodule", "x=9"],
  ["--kuberc", "/tmp/k"],
  ["--patch-file", "/tmp/p"],
];
/** Where and how a flag can be written. */
const flagForms: Readonly<Record<string, (name: string, value: string) => string>> = {
  "behind the verb": (name, value) => `kubectl get pods ${name} ${value}`,
  "with =": (name, value) => `kubectl get pods ${name}=${value}`,
  "before the verb": (name, value) => `kubectl ${name}=${value} get pods`,
  "before the verb, apart": (name, value) => `kubectl ${name} ${value} get pods`,
  between: (name, value) => `kubectl get ${name}=${value} pods`,
  "in quotes": (name, value) => `kubectl get pods "${name}"='${value}'`,
  "with underscores": (name, value) => `kubectl get pods ${name.replaceAll(/(?<=\w)-/g, "_")}=${value}`,
  escaped: (name, value) => `kubectl get pods \\${name} ${value}`,
  "behind --": (name, value) => `kubectl get pods -- ${name}=${value}`,
  "on a change": (name, value) => `kubectl delete pod web-1 ${name}=${value}`,
  "on a rollout": (name, value) => `kubectl rollout undo deploy/web ${name}=${value}`,
  "by oc": (name, value) => `oc logs web-1 ${name}=${value}`,
};

describe("ways to another cluster, identity or file", () => {
  for (const [form, write] of Object.entries(flagForms)) {
    it(`SR-10 no flag for one is taken ${form}`, () => {
      const taken = flagWays.filter(([name, value]) => parse(write(name, value)).ok);
      expect(taken).toEqual([]);
    });
  }

  const commands: Readonly<Record<string, readonly string[]>> = {
    "a short flag": [
      "kubectl get pods -s https://evil.example",
      "kubectl get pods -shttps://evil.example",
      "kubectl -s=https://evil.example get pods",
      "kubectl get -f https://evil.example/x",
      "kubectl get pods -wf/tmp/x",
      "kubectl delete -k .",
      "kubectl delete pod -Rf /tmp",
      "kubectl get pods -v9",
    ],
    "another namespace": [
      "kubectl get pods -n kube-system",
      "kubectl get pods -nkube-system",
      "kubectl get pods -n=kube-system",
      "kubectl -n kube-system get pods",
      "kubectl get pods --namespace=kube-system",
      "kubectl get pods --namespace kube-system",
      "kubectl get pods -n shop -n kube-system",
      "kubectl get pods -n kube-system -n shop",
      "kubectl get pods -wn kube-system",
      "kubectl get pods -n ''",
      "kubectl get pods -A",
      "kubectl get pods -wA",
      "kubectl get pods --all-namespaces",
      "kubectl get pods --all-namespaces=true",
      "kubectl get pods --all_namespaces",
      "kubectl describe pods -A=true",
      "kubectl delete pods --all -A",
      "kubectl auth can-i --list -A",
    ],
    "a shell or a program": [
      "kubectl exec web-1 -- sh -c id",
      "kubectl exec -it web-1 -- bash",
      "kubectl attach web-1",
      "kubectl debug web-1 --image=busybox",
      "kubectl run x --image=busybox -it -- sh",
      "kubectl create job x --image=busybox -- id",
      "kubectl create job x --image=busybox",
      "kubectl cp web-1:/etc/passwd /tmp/x",
      "kubectl port-forward web-1 8080",
      "kubectl proxy",
      "kubectl edit deploy web",
      "kubectl config use-context other",
      "kubectl config view --raw",
      "kubectl plugin list",
      "kubectl evil",
      "kubectl ns other",
      "kubectl create token admin",
      "kubectl certificate approve x",
      "kubectl cluster-info dump",
      "kubectl cluster-info dump --output-directory=/tmp",
      "kubectl patch pod web-1 --subresource=ephemeralcontainers -p '{}'",
      "kubectl patch pod web-1 --subresource ephemeralcontainers -p '{}'",
      "kubectl patch pod web-1 --subresource=binding -p '{}'",
      "kubectl replace --raw /api/v1/namespaces/shop/pods/web-1/ephemeralcontainers",
      "kubectl get pods -o go-template='{{.}}'",
      "kubectl get pods -ogo-template-file=/tmp/x",
      "kubectl get pods -o jsonpath-file=/etc/passwd",
      "kubectl get pods -o custom-columns-file=/etc/passwd",
      "kubectl get pods -o template --template '{{.}}'",
      "kubectl apply -f -",
      "kubectl set env deploy/web -",
      "KUBECONFIG=/tmp/k kubectl get pods",
      "env KUBECONFIG=/tmp/k kubectl get pods",
      "sudo kubectl get pods",
      "/tmp/kubectl get pods",
      "./kubectl get pods",
      "kubectl.1.28 get pods",
      "watch kubectl get pods",
      "sh -c 'kubectl get pods'",
    ],
    "what a shell would read": [
      "kubectl get pods; id",
      "kubectl get pods && id",
      "kubectl get pods || id",
      "kubectl get pods & id",
      "kubectl get pods |& cat",
      "kubectl get pods > /tmp/x",
      "kubectl get pods 2>/dev/null",
      "kubectl get pods < /tmp/x",
      "kubectl get pod <pod>",
      "kubectl get pods $(id)",
      'kubectl get pods "$(id)"',
      "kubectl get pods `id`",
      "kubectl get pods $HOME",
      "kubectl get pods\nid",
      "kubectl get pods {a,b}",
      "kubectl get pods *",
      "kubectl get pods ~",
      "(kubectl get pods)",
      "kubectl get pods 'open",
      "kubectl get pods |",
      "kubectl get pods # why",
    ],
    "something else than the namespace": [
      "kubectl delete node worker-1",
      "kubectl delete pods/a b=c node/worker-1",
      "kubectl delete pod/a- node/worker-1",
      "kubectl delete pods,nodes --all",
      "kubectl label node/worker-1 a=b",
      "kubectl label pods/a x=y node/worker-1",
      "kubectl annotate ns shop a=b",
      "kubectl patch clusterrolebinding x -p '{}'",
      "kubectl patch pv x -p '{}'",
      "kubectl patch rolebinding x -p '{}'",
      "kubectl delete roles.rbac.authorization.k8s.io x",
      "kubectl delete nodes.v1 worker-1",
      "kubectl patch storageclasses.storage.k8s.io x -p '{}'",
      "kubectl patch clusteroperators.config.openshift.io x -p '{}'",
      "kubectl drain worker-1",
      "kubectl cordon worker-1",
      "kubectl taint node worker-1 a=b:NoSchedule",
      "kubectl delete all --all",
    ],
    "a filter that does more": [
      "kubectl get pods | grep -f /etc/passwd x",
      "kubectl get pods | grep -r x",
      "kubectl get pods | grep x /etc/passwd",
      "kubectl get pods | grep -e x /etc/passwd",
      "kubectl get pods | grep --file=/etc/passwd",
      "kubectl get pods | grep --fi /etc/passwd",
      "kubectl get pods | sort -o /tmp/x",
      "kubectl get pods | sort --output=/tmp/x",
      "kubectl get pods | sort -ro/tmp/x",
      "kubectl get pods | sort -T /tmp",
      "kubectl get pods | sort --compress-program=id",
      "kubectl get pods | sort --compress-p id",
      "kubectl get pods | sort --files0-from=/etc/passwd",
      "kubectl get pods | sort /etc/passwd",
      "kubectl get pods | uniq - /tmp/x",
      "kubectl get pods | head /etc/passwd",
      "kubectl get pods | tail -f",
      "kubectl get pods | wc --files0-from=/etc/passwd",
      "kubectl get pods | cut -f1 /etc/passwd",
      "kubectl get pods | jq -f /tmp/x",
      "kubectl get pods | jq . /etc/passwd",
      "kubectl get pods | jq --slurpfile a /etc/passwd .",
      "kubectl get pods | jq -L /tmp .",
      "kubectl get pods | jq 'import \"a\" as a; .'",
      "kubectl get secret x -o json | jq '.data[]|@base64d'",
      "kubectl get secret x -o json | jq '.data[]|format(\"base64d\")'",
      'kubectl get secret x -o json | jq \'.data[]|format("base" + "64d")\'',
      "kubectl get pods -o json | jq 'def f: f; f'",
      "kubectl get pods -o json | jq '[range(infinite)]'",
      "kubectl get pods -o json | jq '[range(1e12)]'",
      "kubectl get pods -o json | jq 'recurse(.)'",
      "kubectl get pods -o json | jq 'last(repeat(1))'",
      "kubectl get pods | awk '{system(\"id\")}'",
      "kubectl get pods | sed 's/a/b/e'",
      "kubectl get pods | tee /tmp/x",
      "kubectl get pods | xargs kubectl delete",
      "kubectl get pods | sh",
      "kubectl get secret x | base64 -d",
      "kubectl get pods | /bin/grep x",
    ],
  };
  for (const [what, lines] of Object.entries(commands)) {
    it(`SR-10 ${what} is refused with what to write instead`, () => {
      expect(lines.filter((line) => parse(line).ok)).toEqual([]);
      const silent = lines.filter((line) => {
        const parsed = parse(line);
        return !parsed.ok && (parsed.reason === "" || parsed.remedy === "");
      });
      expect(silent).toEqual([]);
    });
  }
});

describe("what runs", () => {
  it("words are put together anew: our namespace, then flags with their values, then what they are about", () => {
    expect(argvOf("kubectl get pods")).toEqual(["get␣--namespace=shop␣pods"]);
    expect(argvOf("kubectl -n shop get -owide pods 'web 1' -l=app=web")).toEqual([
      "get␣--namespace=shop␣--output=wide␣--selector=app=web␣pods␣web 1",
    ]);
    expect(argvOf("oc logs -f deploy/web --tail -1 -pc web")).toEqual([
      "logs␣--namespace=shop␣--follow␣--tail=-1␣--previous␣--container=web␣deploy/web",
    ]);
    expect(argvOf("kubectl patch deploy web \\\n  --type=merge -p '{\"spec\":\n{}}'")).toEqual([
      'patch␣--namespace=shop␣--type=merge␣--patch={"spec":\n{}}␣deploy␣web',
    ]);
  });

  it("a pipe runs filters with their words as they are", () => {
    expect(
      argvOf(`kubectl get pods -o json | jq -r --arg a "b" '.items[] | .x' | sort -rk2 | uniq -c | head -20`),
    ).toEqual([
      "get␣--namespace=shop␣--output=json␣pods",
      "jq␣-r␣--arg␣a␣b␣.items[] | .x",
      "sort␣-rk2",
      "uniq␣-c",
      "head␣-20",
    ]);
    expect(argvOf("kubectl get pods | grep -vE 'a|b' | tail -n +2 | cut -d ' ' -f1 | wc -l")).toHaveLength(5);
  });

  it("2>&1 at the end is what happens anyway, and is refused anywhere else", () => {
    expect(argvOf("kubectl get pods 2>&1")).toEqual(["get␣--namespace=shop␣pods"]);
    expect(argvOf("kubectl get pods | head -5 2>&1")).toEqual(["get␣--namespace=shop␣pods", "head␣-5"]);
    for (const line of [
      "kubectl get pods 2>&1 | head",
      "kubectl get pods\\ 2>&1",
      "kubectl get 'pods 2>&1",
      "kubectl get pods2>&1",
    ])
      expect(parse(line).ok).toBe(false);
  });

  it("a blank that nobody has filled in is called that", () => {
    expect(parse("kubectl describe pod <pod name>")).toEqual({
      ok: false,
      reason: "`<pod name>` is not filled in",
      remedy: "write the value itself",
    });
  });

  it("SR-10 of a custom resource the plan says that its kind is to be proven first, and of a built-in one it does not", () => {
    const planOf = (command: string) => {
      const parsed = parse(command);
      return parsed.ok && parsed.plan.unproven;
    };
    expect(planOf("kubectl patch vm/a storageclusters.ocs.openshift.io/b -p '{}'")).toEqual([
      "vm",
      "storageclusters.ocs.openshift.io",
    ]);
    expect(planOf("kubectl get vm a")).toBeUndefined();
    expect(planOf("kubectl delete pod a")).toBeUndefined();
  });

  it("brackets and braces that a shell leaves as they are stay so", () => {
    expect(argvOf("kubectl get pods -o jsonpath={.items[*].metadata.name} | jq .items[0].x | tr -d ,")).toEqual([
      "get␣--namespace=shop␣--output=jsonpath={.items[*].metadata.name}␣pods",
      "jq␣.items[0].x",
      "tr␣-d␣,",
    ]);
    for (const word of ["{a..c}", "{a,b}", "{a", "[*", "a*", "{*}"])
      expect(parse(`kubectl get pods ${word}`).ok).toBe(false);
  });

  it("of several namespaces one must be named, but not for what belongs to the cluster", () => {
    expect(argvOf("kubectl get pods", ["shop", "pay"])).toBe("it names no namespace");
    expect(argvOf("kubectl get pods -n pay", ["shop", "pay"])).toEqual(["get␣--namespace=pay␣pods"]);
    expect(argvOf("kubectl get nodes", ["shop", "pay"])).toEqual(["get␣nodes"]);
    expect(argvOf("kubectl get nodes,pods", ["shop", "pay"])).toBe("it names no namespace");
    expect(argvOf("kubectl top nodes", ["shop", "pay"])).toEqual(["top␣node"]);
    expect(argvOf("kubectl get pods -A", ["*"])).toEqual(["get␣--all-namespaces␣pods"]);
    expect(argvOf("kubectl get pods", ["*"])).toBe("it names no namespace");
    // Else the rules of `policy.for` for the one that is named would count.
    const both = "`-A` reaches every namespace, also beside `-n`";
    expect(argvOf("kubectl get pods -n pay -A", ["*"])).toBe(both);
    expect(argvOf("kubectl describe pods -A -n pay", ["*"])).toBe(both);
    const parsed = parse("kubectl get ns pay -n shop", ["shop", "pay"]);
    expect(parsed.ok && parsed.plan.namespace).toBeUndefined();
    expect(argvOf("kubectl get pods -n '*'", ["*"])).toBe("the namespace `*` is not listed for this server");
  });

  it.each([
    ["kubectl rollout restart deploy/web", "kubectl rollout status deploy/web --namespace=shop"],
    ["kubectl set image deployment web web=web:2", "kubectl rollout status deployment/web --namespace=shop"],
    ["kubectl delete pod web-1", "kubectl get pod web-1 --namespace=shop"],
    ["kubectl scale deploy web --replicas=3", "kubectl get deploy web -o yaml --namespace=shop"],
    ["kubectl delete pods -l app=web", "kubectl get pods --selector='app=web' --namespace=shop"],
    ["kubectl create job again --from=cronjob/nightly", "kubectl get job again --namespace=shop"],
    ["kubectl get pods", undefined],
  ])("%s is settled by %s", (command, settledBy) => {
    const parsed = parse(command);
    expect(parsed.ok && parsed.plan.settledBy).toBe(settledBy);
    if (settledBy !== undefined) expect(parse(settledBy).ok).toBe(true);
  });

  it.each([
    ["kubectl rollout undo deploy/cart", "changes"],
    ["kubectl rollout undo deploy/cart --dry-run=server", "reads"],
    ["kubectl delete pod x --dry-run=client", "reads"],
    ["kubectl apply -f x --dry-run=none", undefined],
    ["kubectl get pods", "reads"],
  ])("RR-06 %s %s, so that only a change can end as UNKNOWN", (command, effect) => {
    const parsed = parse(command);
    expect(parsed.ok ? parsed.plan.effect : undefined).toBe(effect);
  });

  it.runIf(hasKubectl)(
    "every verb and flag of the tables is one of kubectl's own, with or without a value as there",
    () => {
      expect(flagsNotIn(kubectlHelp)).toEqual([]);
    },
  );
});
