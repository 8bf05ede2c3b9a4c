import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { sleep } from "../../src/base/clock.ts";
import { useStarted } from "../harness/use-started.ts";
import { startApiServer } from "./api-server.ts";
import { clusterServer, hasKubectl, run, runnerFor } from "./world.ts";

const rollout = "kubectl rollout restart deploy/web";
const settled = "`kubectl rollout status deploy/web --namespace=shop` shows it.";
const podsPlan = '{"kubectl":["get","pods","--namespace=shop"],"filters":[],"effect":"reads","waits":false}';
// Others on this machine make such folders, too: here is a place where nobody else does.
const scratch = mkdtempSync(join(tmpdir(), "countersign-run-"));
beforeAll(() => void vi.stubEnv("TMPDIR", scratch));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(scratch, { recursive: true, force: true });
});
const foldersLeft = (): number =>
  readdirSync(tmpdir()).filter((name) => name.startsWith("countersign-kubectl-")).length;

describe.runIf(hasKubectl)("the real kubectl against an API server", () => {
  const api = useStarted(() => startApiServer());
  beforeEach(() => {
    api.set("none");
    // kubectl restarts nothing twice within a second.
    api.reset();
    api.requests.length = 0;
    api.users.length = 0;
  });

  it("a read runs in the only namespace, through filters without a shell, and leaves nothing behind", async () => {
    const before = foldersLeft();
    const result = await run(clusterServer(api.kubeconfig()), "kubectl get pods | grep -v Running | head -5");
    expect({ ...result, capture: 0, durationMs: 0 }).toMatchObject({
      ending: { kind: "exited", code: 0 },
      text: expect.stringMatching(/^NAME +READY +STATUS +RESTARTS +AGE\nbatch-1 +0\/1 +CrashLoopBackOff +6 +\d+s\n$/),
      hostKey: expect.stringMatching(/^CA SHA256:[0-9a-f]{64}$/),
    });
    expect(api.requests).toContain("GET /api/v1/namespaces/shop/pods");
    expect(foldersLeft()).toBe(before);
  });

  it("a filter's exit code is the answer, and a kubectl that failed is not hidden by its filter", async () => {
    const on = clusterServer(api.kubeconfig());
    expect((await run(on, "kubectl get pods | grep nothing")).ending).toEqual({ kind: "exited", code: 1 });
    const failed = { kind: "exited", code: 1, of: "kubectl" };
    expect((await run(on, "kubectl get pods web-9 | wc -l")).ending).toEqual(failed);
  });

  it.runIf(existsSync("/usr/bin/prlimit"))(
    "SR-54 a filter that wants the machine's memory does not get it",
    async () => {
      const on = clusterServer(api.kubeconfig());
      const { ending, text } = await run(
        on,
        `kubectl get pods -o json | jq 'reduce range(30) as $i ("x"; . + .) | length'`,
      );
      expect([ending, text]).not.toEqual([{ kind: "exited", code: 0 }, expect.anything()]);
      expect(text).toContain("memory");
    },
  );

  it("the bot must be the pinned identity on the pinned cluster, or nothing is sent", async () => {
    const other = clusterServer(api.kubeconfig("somebody-else"));
    await expect(run(other, rollout)).rejects.toThrow(
      "the bot is somebody-else on prod-eu, not system:serviceaccount:ops",
    );
    const on = clusterServer(api.kubeconfig());
    const elsewhere = { ...on, cluster: on.cluster && { ...on.cluster, caSha256: "0".repeat(64) } };
    await expect(run(elsewhere, rollout)).rejects.toThrow("names another cluster");
    expect(api.requests.filter((request) => request.startsWith("PATCH"))).toEqual([]);
  });

  it("SR-24 a kubeconfig that is replaced after the session was opened, or a clock that is set back, is seen before anything is sent", async () => {
    const file = api.kubeconfig();
    const on = clusterServer(file);
    const order = { server: on, wrapped: podsPlan };
    const reservation = await runnerFor().reserve(order, new AbortController().signal);
    expect(await reservation.prove()).toBeUndefined();
    expect(reservation.send(Date.now() + 60_000, {})).toBe("stale");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("https://127.0.0.1", "https://localhost"));
    expect(await reservation.prove()).toContain("names another cluster");
    reservation.release();
  });

  it("SR-51 what logs in is what was proven: a token's file that is replaced is proven anew, and another identity gets nothing", async () => {
    const user = "system:serviceaccount:ops:countersign";
    const [file, tokenFile] = [api.kubeconfig(), join(api.folder, "token")];
    const tokenOf = (name: string): string => Buffer.from(name).toString("hex");
    const write = (name: string): void => writeFileSync(tokenFile, `${tokenOf(name)}\n`);
    write(user);
    writeFileSync(file, readFileSync(file, "utf8").replace(`"token":"${tokenOf(user)}"`, '"tokenFile":"token"'));
    const order = { server: clusterServer(file), wrapped: podsPlan };
    const send = async (between: () => void) => {
      const reservation = await runnerFor().reserve(order, new AbortController().signal);
      expect(await reservation.prove()).toBeUndefined();
      between();
      const sent = reservation.send(Date.now(), {});
      await (sent === "stale" ? undefined : sent);
      return reservation;
    };
    await send(() => write("admin"));
    expect(api.users).toEqual([user]);
    write(user);
    const reservation = await runnerFor().reserve(order, new AbortController().signal);
    writeFileSync(tokenFile, tokenOf(user));
    expect(await reservation.prove()).toBeUndefined();
    write("admin");
    expect(await reservation.prove()).toContain(`the bot is admin on prod-eu, not ${user}`);
    reservation.release();
  });

  it("SR-24 who the bot is there is asked again when that was longer ago than a look may be, and a place let go meanwhile is removed", async () => {
    const before = foldersLeft();
    const already = api.reviews();
    const asked = (): number => api.reviews() - already;
    const order = { server: clusterServer(api.kubeconfig()), wrapped: podsPlan };
    const reservation = await runnerFor(undefined, {}, -1).reserve(order, new AbortController().signal);
    expect(asked()).toBe(1);
    const proof = reservation.prove();
    reservation.release();
    expect(await proof).toBeUndefined();
    expect([asked(), foldersLeft()]).toEqual([2, before]);
  });

  it("`as` acts as somebody else, whose name is the pinned one", async () => {
    const on = clusterServer(api.kubeconfig(), { user: "reader" });
    const acting = { ...on, cluster: on.cluster && { ...on.cluster, as: "reader" } };
    expect((await run(acting, "kubectl get pods")).ending).toEqual({ kind: "exited", code: 0 });
  });

  it("a change is made once; one that the API server refuses is no unknown", async () => {
    const on = clusterServer(api.kubeconfig());
    const before = api.changes();
    expect((await run(on, rollout)).ending).toEqual({ kind: "exited", code: 0 });
    expect(api.changes()).toBe(before + 1);
    for (const code of [403, 409]) {
      api.reset();
      api.set(code);
      expect((await run(on, rollout)).ending).toEqual({ kind: "exited", code: 1 });
    }
    expect(api.changes()).toBe(before + 1);
  });

  it("a change whose answer is lost is UNKNOWN with the read that settles it, and is not sent again", {
    tags: ["long"],
  }, async () => {
    const on = clusterServer(api.kubeconfig());
    const before = api.changes();
    api.set("broken-off");
    const lost = `The API server's answer was lost, so it is not known whether the change was made. ${settled}`;
    expect((await run(on, rollout)).ending).toEqual({ kind: "unknown", reason: lost });
    expect(api.changes()).toBe(before + 1);
    api.reset();
    api.set(500);
    expect((await run(on, rollout)).ending).toMatchObject({ kind: "unknown" });
    api.reset();
    api.set("silent");
    const hurried = { ...on, hardTimeoutMs: 3_000 };
    expect((await run(hurried, rollout)).ending).toMatchObject({
      kind: "unknown",
      reason: expect.stringContaining(settled),
    });
    expect(api.changes()).toBe(before + 2);
  });

  it("SR-10 a custom resource is changed where the API server says that it belongs to a namespace, and nothing else that it alone knows", async () => {
    const on = clusterServer(api.kubeconfig());
    const before = api.changes();
    expect((await run(on, "kubectl label vm vm-1 a=b")).ending).toEqual({ kind: "exited", code: 0 });
    expect(api.changes()).toBe(before + 1);
    const asked = api.requests.length;
    await expect(run(on, "kubectl delete things/x")).rejects.toThrow("`things` is not changed here");
    await expect(run(on, "kubectl label selfsubjectreviews x a=b")).rejects.toThrow("is not changed here");
    expect(api.requests.length).toBe(asked);
  });

  it("cancelled or too late, a read is that and a change is UNKNOWN", { tags: ["long"] }, async () => {
    const on = clusterServer(api.kubeconfig());
    api.set("silent");
    const cancelled = async (command: string) => {
      const cancel = new AbortController();
      const onSent = (): void => void sleep(700).then(() => cancel.abort("lee"));
      return (await run(on, command, { signal: cancel.signal, onSent })).ending;
    };
    expect(await cancelled("kubectl get pods")).toEqual({ kind: "cancelled", by: "lee", note: "stopped" });
    expect(await cancelled(rollout)).toMatchObject({
      kind: "unknown",
      reason: `\`@lee\` cancelled it while it ran, so it is not known whether the change was made. ${settled}`,
    });
    const late = (await run({ ...on, hardTimeoutMs: 1_000 }, "kubectl get pods -w")).ending;
    expect(late).toEqual({ kind: "timed-out", afterMs: 1_000, note: "stopped" });
  });
});

/** Stands in for kubectl, since only a program of ours can tell what it was started with. */
function doubleOf(folder: string, script: string): string {
  const file = join(folder, "kubectl-double");
  const whoami = `case "$*" in *whoami*) echo '{"status":{"userInfo":{"username":"system:serviceaccount:ops:countersign"}}}'; exit;; `;
  const version = `*version*) echo '{"clientVersion":{"minor":"32","gitVersion":"v1.32.0"}}'; exit;; esac`;
  writeFileSync(file, `#!/bin/sh\n${whoami}${version}\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

describe.runIf(hasKubectl)("a double in place of kubectl", () => {
  const api = useStarted(() => startApiServer());

  it("kubectl gets argv, our own flags first, and an environment without anything of the bot's", async () => {
    const kubectl = doubleOf(api.folder, '/usr/bin/env; for word in "$@"; do echo "[$word]"; done; /bin/ls -A "$HOME"');
    vi.stubEnv("KUBECONFIG", "/nowhere");
    const on = clusterServer(api.kubeconfig());
    const { text } = await run(on, "kubectl get pods -l 'a b=$(id)' -o name", { kubernetes: runnerFor(kubectl) });
    vi.unstubAllEnvs();
    const lines = text
      .trim()
      .split("\n")
      .map((line) => line.replace(/\/\S*countersign-(kubectl|discovery)-\w+/, "FOLDER"));
    const environment = lines.filter((line) => /^[A-Z_]+=/.test(line) && !/^(?:PWD|_|SHLVL|OLDPWD)=/.test(line));
    expect(environment.toSorted()).toEqual(["HOME=FOLDER/home", "LC_ALL=C.UTF-8", "PATH=FOLDER/home"]);
    expect(lines.filter((line) => line.startsWith("["))).toEqual(
      [
        "--kubeconfig=FOLDER/kubeconfig",
        "--context=prod",
        `--cache-dir=FOLDER/${on.cluster?.caSha256}`,
        "--request-timeout=60s",
        "get",
        "--namespace=shop",
      ]
        .concat("--selector=a b=$(id)", "--output=name", "pods")
        .map((word) => `[${word}]`),
    );
    expect(lines.at(-1)).toBe("[pods]");
  });

  it("its kubeconfig holds one context, and no other user's token", async () => {
    const kubectl = doubleOf(
      api.folder,
      'IFS==; for word in "$@"; do set -- $word; [ "$1" != --kubeconfig ] || /bin/cat "$2"; done',
    );
    const { text } = await run(clusterServer(api.kubeconfig()), "kubectl get pods", { kubernetes: runnerFor(kubectl) });
    const { contexts, users, clusters } = JSON.parse(text);
    expect([contexts.length, users.length, clusters.length]).toEqual([1, 1, 1]);
    expect(text).not.toContain(Buffer.from("admin").toString("hex"));
  });

  it("a program that ignores TERM is killed with its children", async () => {
    const kubectl = doubleOf(api.folder, "trap '' TERM; /bin/sleep 900 & while :; do /bin/sleep 1; done");
    const on = { ...clusterServer(api.kubeconfig()), hardTimeoutMs: 500 };
    const result = await run(on, "kubectl get pods -w", { kubernetes: runnerFor(kubectl) });
    expect(result.ending).toEqual({ kind: "timed-out", afterMs: 500, note: "stopped" });
  });

  it("SR-10 a list of resources that is cut off proves no kind", async () => {
    const line = "virtualmachines vm kubevirt.io/v1 true VirtualMachine";
    const other = "virtualmachines vm evil.example/v1 false VirtualMachine";
    const long = `/usr/bin/yes '${"x".repeat(100)}' | /usr/bin/head -n 12000`;
    const kubectl = doubleOf(api.folder, `case "$*" in *api-resources*) echo ${line}; ${long}; echo ${other} ;; esac`);
    const sending = run(clusterServer(api.kubeconfig()), "kubectl label vm vm-1 a=b", {
      kubernetes: runnerFor(kubectl),
    });
    await expect(sending).rejects.toThrow("`vm` is not changed here: its answer is too long");
  });

  it("SR-54 a filter that is not installed is a refusal before anything is sent", async () => {
    const kubernetes = runnerFor(doubleOf(api.folder, ""));
    const wrapped = podsPlan.replace("[]", '[["no-such-filter"]]');
    const order = { server: clusterServer(api.kubeconfig()), wrapped };
    const reservation = await kubernetes.reserve(order, new AbortController().signal);
    const reason = "there is no `no-such-filter` where the bot runs";
    expect(await reservation.prove()).toMatch(reason);
    expect(await reservation.send(Date.now(), {})).toMatchObject({ ending: { kind: "unreachable", reason } });
  });

  it("a temporary folder in which nothing can be made is a refusal with its reason", async () => {
    const kubernetes = runnerFor(doubleOf(api.folder, ""));
    const on = clusterServer(api.kubeconfig());
    vi.stubEnv("TMPDIR", join(api.folder, "gone"));
    const reason = expect.stringMatching(/^kubectl cannot be prepared for prod-eu: .*ENOENT/);
    expect(await kubernetes.probe(on)).toMatchObject({ ok: false, reason });
    const reservation = await kubernetes.reserve({ server: on, wrapped: podsPlan }, new AbortController().signal);
    vi.unstubAllEnvs();
    expect(await reservation.prove()).toEqual(reason);
    expect(await reservation.send(Date.now(), {})).toMatchObject({ ending: { kind: "unreachable", reason } });
  });

  it("a kubectl that cannot ask who it is is refused with what to install", async () => {
    const old = doubleOf(api.folder, "");
    writeFileSync(old, `#!/bin/sh\necho '{"clientVersion":{"minor":"27","gitVersion":"v1.27.1"}}'\n`);
    expect(await runnerFor(old).probe(clusterServer(api.kubeconfig()))).toEqual({
      ok: false,
      reason: `${old} is version v1.27.1`,
      remedy: "install kubectl 1.28 or newer",
    });
  });
});
