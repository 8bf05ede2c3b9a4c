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
import { literalWays, refusedWays } from "./ways.ts";
import { clusterServer, hasKubectl, run, runnerFor } from "./world.ts";

const lines = [...refusedWays, ...literalWays];

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
