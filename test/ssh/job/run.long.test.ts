import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { missing } from "../../harness/missing.ts";
import type { Sshd } from "../../harness/sshd.ts";
import { folderFor, jobSshd, newJobId, runJob } from "../job-host.ts";
import { createClients, entryOf } from "../real-host.ts";

const folder = folderFor();
const started = await jobSshd("test/ssh/job/run.long.test.ts", folder);
const { client, cleanUp } = createClients();
const mebibyte = 1024 * 1024;

/** A disk of so many bytes as the account's folder of jobs, where this machine lets us make one. */
function smallDisk(name: string, size: string): string | undefined {
  const at = join(folder, name, "jobs");
  mkdirSync(at, { recursive: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=700,uid=${userInfo().uid}`, "tmpfs", at], {
      stdio: "ignore",
    });
  } catch {
    missing("mount", "no small disk could be made");
    return undefined;
  }
  cleanUp(async () => void execFileSync("umount", ["-l", at]));
  return join(folder, name);
}

describe.runIf(started !== undefined)("a job that writes without end", () => {
  const sshd = started as Sshd;
  /** Of a folder that comes and goes while it is looked at: du counts what it met and fails for the rest. */
  const diskUse = (jobId: string): number => {
    const du = spawnSync("du", ["-sk", join(folder, "jobs", jobId)], { encoding: "utf8" });
    return Number.parseInt(du.stdout, 10) * 1024 || 0;
  };

  it("SR-54 1 GB: at most 28 MiB on the server's disk, and head, tail and count are as found again", async () => {
    const entry = entryOf(sshd);
    const asked = { ssh: client([entry]), entry, jobId: newJobId() };
    const command = "head -c 1073741824 /dev/zero | tr '\\0' x; echo end; exit 3";
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, diskUse(asked.jobId));
    }, 250);
    const first = await runJob(asked, command).finally(() => clearInterval(watch));
    const again = await runJob({ ...asked, resume: { sentAt: new Date() } }, command);
    const shape = ({ ending, capture }: typeof first) => ({
      ending,
      bytes: capture.bytes,
      dropped: capture.dropped,
      head: createHash("sha256").update(capture.head).digest("hex"),
      tail: createHash("sha256").update(capture.tail).digest("hex"),
    });
    expect(shape(first)).toMatchObject({
      ending: { kind: "exited", code: 3 },
      bytes: 2 ** 30 + 4,
      dropped: 2 ** 30 + 4 - 16 * mebibyte,
    });
    expect(shape(again)).toEqual(shape(first));
    expect(again.outputNote).toMatch(/^\d+ bytes in the middle/);
    expect(most).toBeGreaterThan(mebibyte);
    expect(most).toBeLessThan(28 * mebibyte);
  });

  it("F-33 a disk that fills up: the loss is said, the exit is known; one that is full: nothing starts", async () => {
    const disk = smallDisk("small", "300k");
    if (disk === undefined) return;
    const full = (await jobSshd("job.long.test.ts", disk)) as Sshd;
    const entry = entryOf(full);
    const during = await runJob({ ssh: client([entry]), entry }, "head -c 2000000 /dev/zero; exit 5");
    expect(during.ending).toEqual({ kind: "exited", code: 5 });
    expect(during.outputNote).toMatch(/^The server's disk was full: output after byte \d+ is lost\.$/);
    const before = await runJob({ ssh: client([entry]), entry }, `touch ${join(folder, "started-on-full")}`);
    expect(before.ending).toMatchObject({
      kind: "unreachable",
      reason: expect.stringContaining("nothing was started"),
    });
    expect(() => execFileSync("test", ["-e", join(folder, "started-on-full")])).toThrow();
  });
});
