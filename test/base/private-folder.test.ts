import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { makePrivateFolder, removeLeftFolders, removePrivateFolder } from "../../src/base/private-folder.ts";

const source = new URL("../../src/base/private-folder.ts", import.meta.url).href;
let folder: string;
const others: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "private-folder-test-"));
  vi.stubEnv("TMPDIR", folder);
});
afterEach(() => {
  for (const other of others.splice(0)) other.kill("SIGKILL");
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Another process that makes one and goes on living. */
async function otherProcess(): Promise<{ readonly path: string; readonly process: ChildProcess }> {
  const code = `import { makePrivateFolder } from ${JSON.stringify(source)};
    process.stdout.write(makePrivateFolder("kubectl")); setInterval(() => {}, 1000);`;
  const other = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  others.push(other);
  const [path] = await once(other.stdout, "data");
  return { path: String(path), process: other };
}

/** One whose owner is as given, with a token in it. */
function leave(name: string, owner?: object): string {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, "kubeconfig"), "token");
  if (owner) writeFileSync(join(path, "owner"), JSON.stringify(owner));
  return path;
}

it("SR-56 what a killed process left is removed, and nothing of one that lives", async () => {
  const [killed, alive] = await Promise.all([otherProcess(), otherProcess()]);
  writeFileSync(join(killed.path, "kubeconfig"), "token");
  const own = makePrivateFolder("ssh");
  expect(statSync(own).mode & 0o777).toBe(0o700);
  killed.process.kill("SIGKILL");
  await once(killed.process, "exit");
  const stays = [own, alive.path];
  stays.push(leave("countersign-kubectl-elsewhere", { host: "another", pid: 1, born: "1" }));
  stays.push(leave("countersign-kubectl-nobody"), leave("countersign-sshd-ours", { host: hostname(), pid: -5 }));
  // The number is ours, as it is for a container that was started again; whoever had it before is gone.
  const reused = leave("countersign-ssh-reused", { host: hostname(), pid: process.pid, born: "1" });
  symlinkSync(reused, join(folder, "countersign-ssh-link"));
  expect(removeLeftFolders()).toBe(2);
  expect([killed.path, reused].map((path) => existsSync(path))).toEqual([false, false]);
  expect(stays.map((path) => existsSync(path))).toEqual(stays.map(() => true));
});

it("without a temporary folder nothing is removed, and to make one says why not", () => {
  vi.stubEnv("TMPDIR", join(folder, "gone"));
  expect(removeLeftFolders()).toBe(0);
  expect(() => makePrivateFolder("ssh")).toThrow("ENOENT");
});

it.runIf(existsSync("/proc/self/fdinfo"))(
  "SR-56 what cannot be removed is told, and the result of what ran in it is not lost for it",
  async () => {
    const told = once(process, "warning");
    removePrivateFolder("/proc/self/fdinfo");
    const [warning] = await told;
    expect(String(warning)).toMatch(/fdinfo cannot be removed: .+ Remove it: a token may be in it\.$/);
  },
);
