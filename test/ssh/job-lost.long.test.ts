import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Server } from "../../src/base/server.ts";
import type { Sshd } from "../harness/sshd.ts";
import { folderFor, jobSshd, newJobId, runJob, startWire } from "./job-host.ts";
import { createClients, entryOf, text } from "./real-host.ts";

const folder = folderFor();
const started = await jobSshd("test/ssh/job-lost.long.test.ts", folder);
const { client, cleanUp } = createClients();
const jobs = join(folder, "jobs");

/** Ten megabytes nobody could guess, in a file the job reads. */
const source = join(folder, "ten-megabytes");
const bytes = randomBytes(10_000_000);
writeFileSync(source, bytes);
const sha256 = createHash("sha256").update(bytes).digest("hex");
const quick = { attachBaseMs: 20, attachMostMs: 100 };

describe.runIf(started !== undefined)("a job whose connection is lost", () => {
  const sshd = started as Sshd;
  const wireTo = async (lifeBytes: () => number) => {
    const wire = await startWire(sshd.port, lifeBytes);
    cleanUp(wire.close);
    return wire;
  };
  const throughWire = (port: number, given: Partial<Server> = {}): Server =>
    entryOf(sshd, { port, hostKey: sshd.hostKey, ...given });
  const count = (name: string): string => `echo x >>${join(folder, name)}`;
  const runsOf = (name: string): number => readFileSync(join(folder, name), "utf8").length / 2;

  it("CP12 10 MB of random bytes through a line cut again and again: identical bytes, run once", async () => {
    const wire = await wireTo(() => 20_000 + Math.random() * 900_000);
    const entry = throughWire(wire.port);
    const result = await runJob({ ssh: client([entry], quick), entry }, `${count("cut")}; cat ${source}; exit 7`);
    expect(result.ending).toEqual({ kind: "exited", code: 7 });
    expect([result.capture.bytes, result.capture.sha256]).toEqual([bytes.length, sha256]);
    expect(wire.cuts()).toBeGreaterThan(10);
    expect(runsOf("cut")).toBe(1);
  });

  it("CP12 RR-06 the bot killed again and again while it follows: found again, identical bytes, run once", async () => {
    const entry = entryOf(sshd);
    const jobId = newJobId();
    const command = `${count("killed")}; for i in 1 2 3 4 5 6 7 8 9 10; do dd if=${source} bs=1000000 skip=$((i - 1)) count=1 2>/dev/null; sleep 0.3; done; exit 9`;
    const sentAt = Date.now();
    let lives = 0;
    for (let resume = ""; lives < 5; lives++, resume = String(sentAt)) {
      const bot = startBot(entry, [jobId, command, resume]);
      await bot.said(resume === "" ? "sent" : undefined);
      await sleep(400);
      bot.child.kill("SIGKILL");
      await bot.exited;
    }
    const last = startBot(entry, [jobId, command, String(sentAt)]);
    await last.exited;
    expect(JSON.parse(last.output())).toEqual({ ending: { kind: "exited", code: 9 }, bytes: bytes.length, sha256 });
    expect(runsOf("killed")).toBe(1);
  });

  it("CP10 resumed where it never began: proved so, and a start that comes late does nothing", async () => {
    const entry = entryOf(sshd);
    const asked = { ssh: client([entry]), entry, jobId: newJobId() };
    const command = `touch ${join(folder, "late")}`;
    const resumed = await runJob({ ...asked, resume: { sentAt: new Date() } }, command);
    expect(resumed.ending).toMatchObject({ kind: "unreachable", reason: expect.stringContaining("never started") });
    expect((await runJob(asked, command)).ending).toMatchObject({ kind: "unreachable" });
    expect(existsSync(join(folder, "late"))).toBe(false);
  });

  it("a job the server may have forgotten is unknown, not never started", async () => {
    const entry = entryOf(sshd);
    const dayAgo = { sentAt: new Date(Date.now() - 25 * 3_600_000) };
    const { ending } = await runJob({ ssh: client([entry]), entry, resume: dayAgo }, "true");
    expect(ending).toEqual({
      kind: "unknown",
      reason: "the server has forgotten it since it was sent; whether it began is not known",
    });
  });

  it("resumed after its end: its output and exit, as often as asked", async () => {
    const entry = entryOf(sshd);
    const asked = { ssh: client([entry]), entry, jobId: newJobId() };
    const first = await runJob(asked, "echo once; exit 4");
    const again = await runJob({ ...asked, resume: { sentAt: new Date() } }, "echo once; exit 4");
    expect([again.ending, text(again), again.capture.sha256]).toEqual([
      first.ending,
      text(first),
      first.capture.sha256,
    ]);
  });

  it("F-28 a server that stays away: unknown, with pid, folder and what to look for; later it is found", async () => {
    const wire = await wireTo(() => Number.POSITIVE_INFINITY);
    const entry = throughWire(wire.port);
    const jobId = newJobId();
    const ssh = client([entry], { ...quick, attachAttempts: 3, dialAttempts: 1 });
    const command = "echo before; sleep 1; echo after; exit 6";
    const lost = await runJob({ ssh, entry, jobId, onOutput: () => wire.cut(true) }, command);
    expect(text(lost)).toBe("before\n");
    expect(lost.ending).toMatchObject({
      kind: "unknown",
      reason: expect.stringMatching(`on web-1 it began as pid \\d+, and ${join(jobs, jobId)} holds its output`),
    });
    const direct = entryOf(sshd);
    const found = await runJob(
      { ssh: client([direct]), entry: direct, jobId, resume: { sentAt: new Date() } },
      command,
    );
    expect([found.ending, text(found)]).toEqual([{ kind: "exited", code: 6 }, "before\nafter\n"]);
  });

  it("a cancel while the connection is down reaches the job over a new one", async () => {
    const wire = await wireTo(() => Number.POSITIVE_INFINITY);
    const entry = throughWire(wire.port);
    const cancel = new AbortController();
    const result = await runJob(
      {
        ssh: client([entry], quick),
        entry,
        signal: cancel.signal,
        onOutput: () => {
          wire.cut();
          cancel.abort("mona");
        },
      },
      "echo go; sleep 4851",
    );
    expect(result.ending).toEqual({
      kind: "cancelled",
      by: "mona",
      note: expect.stringContaining("no process left"),
    });
  });

  it("the bot's own end leaves the job running, and says so", async () => {
    const entry = entryOf(sshd);
    const jobId = newJobId();
    const ssh = client([entry]);
    const left = await runJob({ ssh, entry, jobId, onOutput: () => void ssh.close() }, "echo go; sleep 1; exit 8");
    expect(left.ending).toMatchObject({ kind: "unknown", reason: expect.stringContaining("on the server it goes on") });
    const found = await runJob({ ssh: client([entry]), entry, jobId, resume: { sentAt: new Date() } }, "");
    expect(found.ending).toEqual({ kind: "exited", code: 8 });
  });

  it("a restart of the server is told from an end: the outcome is unknown", async () => {
    const entry = entryOf(sshd);
    const asked = { ssh: client([entry]), entry, jobId: newJobId() };
    await runJob(asked, "true");
    const at = (name: string): string => join(jobs, asked.jobId, name);
    rmSync(at("end.exit.0"));
    for (const name of ["sup", "pid"]) {
      const [pid, stamp = ""] = readFileSync(at(name), "utf8").trim().split(" ");
      writeFileSync(at(name), `${pid} another-boot.${stamp.split(".").at(-1)}\n`);
    }
    const { ending } = await runJob({ ...asked, resume: { sentAt: new Date() } }, "true");
    expect(ending).toMatchObject({
      kind: "unknown",
      reason: expect.stringMatching(/^the server was restarted while it ran; on web-1/),
    });
  });

  it("SR-54 our limit counts from the job's beginning, not from when it was found again", async () => {
    const entry = entryOf(sshd, { hardTimeoutMs: 15_000 });
    const jobId = newJobId();
    const first = client([entry]);
    await runJob({ ssh: first, entry, jobId, onOutput: () => void first.close() }, "echo go; sleep 4852");
    await sleep(15_100);
    const found = await runJob({ ssh: client([entry]), entry, jobId, resume: { sentAt: new Date() } }, "");
    expect(found.ending).toMatchObject({ kind: "timed-out", note: expect.stringContaining("no process left") });
    expect(found.durationMs).toBeLessThan(15_000);
  });
});

mkdirSync(jobs, { recursive: true });

function startBot(entry: Server, rest: readonly string[]) {
  const script = fileURLToPath(new URL("job-child.ts", import.meta.url));
  const child = spawn(process.execPath, [script, JSON.stringify(entry), ...rest], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
  });
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    child,
    exited,
    output: () => output,
    said: async (word: string | undefined): Promise<void> => {
      if (word !== undefined) await expect.poll(() => output).toContain(word);
    },
  };
}
