import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ensureMachine, machineOf, whereWeAre } from "../../../src/base/host/machine.ts";
import type { Server } from "../../../src/base/server.ts";
import { pinnedKeys } from "../../../src/ssh/keys/host-keys.ts";
import { server } from "../inventory-entry.ts";
import { folderFor, newJobId, runJob } from "../job-host.ts";
import { cancelled, createClients, run, text } from "../real-host.ts";

const folder = folderFor();
const { client } = createClients();
let count = 0;

/** This machine, with a folder of jobs of its own. */
function here(given: Partial<Server> = {}): { readonly entry: Server; readonly jobs: string } {
  const jobs = join(folder, `jobs-${count++}`);
  const { host, user } = whereWeAre();
  const local = { jobsFolder: jobs, machine: ensureMachine(jobs) ?? "" };
  return { entry: server({ name: "jump", host, port: 0, user, local, ...given }), jobs };
}

const left = (mark: string): string[] =>
  execFileSync("ps", ["-eo", "stat=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => /^[^Z]\S* +sleep /.test(line) && line.endsWith(mark));

describe("the machine of the runner itself", () => {
  it.each([
    ["echo out; echo err >&2; exit 3", { kind: "exited", code: 3 }, "out\nerr\n"],
    ["kill -9 $$", { kind: "signalled", signal: "SIGKILL" }, ""],
    ["cat; no-such-program 2>/dev/null", { kind: "exited", code: 127 }, ""],
  ])("SR-54 F-32 `%s` ends as it ended, directly and as a job", async (command, ending, output) => {
    const { entry } = here();
    const ssh = client([entry]);
    for (const result of [await run({ ssh, entry }, command), await runJob({ ssh, entry }, command)])
      expect([result.ending, text(result).split("\n").sort()]).toEqual([ending, output.split("\n").sort()]);
  });

  it("SR-53 nothing of the bot's environment is there, and what is proven is the folder of its jobs", async () => {
    const { entry, jobs } = here();
    const result = await run({ ssh: client([entry]), entry }, "env | grep -v '^_=\\|^PWD=\\|^OLDPWD=\\|^SHLVL='");
    const names = text(result)
      .split("\n")
      .flatMap((line) => line.split("=")[0] || []);
    expect(names.sort()).toEqual(
      "COUNTERSIGN_DIR GIT_PAGER HOME LOGNAME PAGER PATH SHELL SYSTEMD_PAGER TERM USER".split(" "),
    );
    expect(pinnedKeys(entry)).toEqual({ ok: true, fingerprints: [`machine ${machineOf(jobs)}`] });
    expect(result.hostKey).toBe(`machine ${machineOf(jobs)}`);
  });

  it("a command longer than the system takes is not started, and says so", async () => {
    const { entry } = here();
    const result = await run({ ssh: client([entry]), entry }, `: ${"x".repeat(200_000)}`);
    expect([result.ending, text(result)]).toEqual([{ kind: "exited", code: 126 }, "spawn E2BIG\n"]);
  });

  it.each([
    ["plain", (mark: string) => `echo go; exec sleep ${mark}`, /^stopped by TERM; no process left$/],
    ["deaf", (mark: string) => `trap '' TERM; echo go; sleep ${mark}; true`, /^stopped by KILL; no process left$/],
  ])("F-29 F-30 a %s command that is cancelled is gone, beside others that go on", async (_what, command, note) => {
    const { entry } = here();
    const ssh = client([entry]);
    const neighbour = run({ ssh, entry }, "sleep 1.5; echo done");
    const { ending } = await cancelled(ssh, entry, command("4811"));
    expect(ending).toMatchObject({ kind: "cancelled", by: "mona", note: expect.stringMatching(note) });
    expect(left("4811")).toEqual([]);
    expect(text(await neighbour)).toBe("done\n");
  });

  it("SR-54 our hard limit ends a job, verified", async () => {
    const { entry } = here({ hardTimeoutMs: 300 });
    const { ending } = await runJob({ ssh: client([entry]), entry }, "sleep 4812");
    expect(ending).toEqual({ kind: "timed-out", afterMs: 300, note: "stopped by TERM; no process left" });
    expect(left("4812")).toEqual([]);
  });

  it("RR-06 a client that closes leaves a job running, and another finds it with all of its output", async () => {
    const { entry, jobs } = here();
    const first = client([entry]);
    const asked = { entry, jobId: newJobId() };
    const command = `echo x >>${join(jobs, "runs")}; echo go; sleep 1; echo end; exit 4`;
    const broken = await runJob({ ...asked, ssh: first, onOutput: () => void first.close() }, command);
    expect(broken.ending).toMatchObject({ kind: "unknown", reason: expect.stringContaining("it goes on") });
    const found = await runJob({ ...asked, ssh: client([entry]), resume: { sentAt: new Date() } }, command);
    expect([found.ending, text(found)]).toEqual([{ kind: "exited", code: 4 }, "go\nend\n"]);
    expect(readFileSync(join(jobs, "runs"), "utf8")).toBe("x\n");
  });

  it.each<[string, (entry: Server, jobs: string) => Server, string]>([
    ["another machine", (entry) => ({ ...entry, host: "elsewhere" }), "and jump is"],
    ["another account", (entry) => ({ ...entry, user: "nobody-else" }), "and jump is nobody-else on"],
    [
      "a folder of jobs that is another's",
      (entry, jobs) => {
        writeFileSync(join(jobs, "machine"), `${"f".repeat(32)}\n`);
        return entry;
      },
      `are those of ${"f".repeat(32)}`,
    ],
  ])("SR-51 on %s nothing is run", async (_what, change, reason) => {
    const { entry, jobs } = here();
    const changed = change(entry, jobs);
    const { ending } = await runJob({ ssh: client([changed]), entry: changed }, `echo x >>${join(jobs, "runs")}`);
    expect(ending).toMatchObject({ kind: "unreachable", reason: expect.stringContaining(reason) });
    expect(ending).toMatchObject({ reason: expect.stringContaining("nothing was run") });
    expect(() => readFileSync(join(jobs, "runs"))).toThrow("ENOENT");
  });

  it("RR-06 a job whose folder was lost is unknown, and never said not to have run", async () => {
    const { entry, jobs } = here();
    const jobId = newJobId();
    const ssh = client([entry], { attachAttempts: 2, attachBaseMs: 5 });
    await runJob({ ssh, entry, jobId }, "true");
    rmSync(jobs, { recursive: true });
    const { ending } = await runJob({ ssh, entry, jobId, resume: { sentAt: new Date() } }, "true");
    expect(ending).toMatchObject({ kind: "unknown", reason: expect.stringContaining("whether it began is not known") });
  });
});
