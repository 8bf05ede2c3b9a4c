import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { wrap } from "../../src/ssh/wrap.ts";
import { missing } from "../harness/missing.ts";
import type { Sshd } from "../harness/sshd.ts";
import { cancelledJob, folderFor, jobSshd, newJobId, runJob } from "./job-host.ts";
import { createClients, entryOf, run, text } from "./real-host.ts";

const folder = folderFor();
const started = await jobSshd("test/ssh/job-mode.long.test.ts", folder);
const narrow = await jobSshd("test/ssh/job-mode.long.test.ts", folder, ["MaxSessions 1"]);
const noise = join(folder, "noise.sh");
writeFileSync(noise, 'echo "Welcome! $SSH_ORIGINAL_COMMAND"\necho oops >&2\nsh -c "$SSH_ORIGINAL_COMMAND"\necho bye\n');
const noisy = await jobSshd("test/ssh/job-mode.long.test.ts", folder, [`ForceCommand sh ${noise}`]);
const { client } = createClients();
const jobs = join(folder, "jobs");

const alive = (mark: string): string[] =>
  execFileSync("ps", ["-eo", "pid=,stat=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.endsWith(mark) && /^\d+ +[^Z]\S* +(?:\S*\/)?sleep /.test(line));
const pidOf = (line: string | undefined): number => Number(line?.split(" ")[0]);
const killAll = (lines: readonly string[]): void => {
  for (const line of lines) process.kill(pidOf(line), "SIGKILL");
};

describe.runIf(started !== undefined)("a job on a real sshd", () => {
  const sshd = started as Sshd;

  it.each([
    ["exit 3", { kind: "exited", code: 3 }],
    ["exit 137", { kind: "exited", code: 137 }],
    ["kill -9 $$", { kind: "signalled", signal: "SIGKILL" }],
    ["kill -TERM $$", { kind: "signalled", signal: "SIGTERM" }],
    ["no-such-program", { kind: "exited", code: 127 }],
  ])("SR-54 F-32 `%s` ends as it ended there", async (command, ending) => {
    const entry = entryOf(sshd);
    expect((await runJob({ ssh: client([entry]), entry }, command)).ending).toEqual(ending);
  });

  it("SR-53 the text sent is fixed by server, command and id, and the server keeps the command's bytes", async () => {
    const entry = entryOf(sshd);
    const jobId = newJobId();
    const command = "printf '%s\\n' 'it''s' \"$0\"\t`echo x` \\\\ é 漢 🙂\n# end";
    const wrapped = wrap(entry, command, "linux", { mode: "job", jobId });
    expect(wrap(entry, command, "linux", { mode: "job", jobId })).toBe(wrapped);
    const result = await runJob({ ssh: client([entry]), entry, jobId }, command);
    expect(text(result)).toBe(text(await run({ ssh: client([entry]), entry }, command)));
    expect(readFileSync(join(jobs, jobId, "cmd"), "utf8")).toBe(command);
  });

  it("F-31 both streams and binary bytes come as they were, and the hash is of exactly these", async () => {
    const entry = entryOf(sshd);
    const { capture, ending } = await runJob(
      { ssh: client([entry]), entry },
      "echo out; echo err >&2; printf '\\000\\377\\376\\303(\\r\\n\\033'; cat",
    );
    const bytes = Buffer.concat([Buffer.from("out\nerr\n"), Buffer.from([0, 255, 254, 0xc3, 0x28, 13, 10, 27])]);
    expect(ending).toEqual({ kind: "exited", code: 0 });
    expect(Buffer.from(capture.head)).toEqual(bytes);
    expect(capture.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
  });

  it("a login that talks before and after, on both streams and with our own words, adds nothing to the output", async () => {
    const entry = entryOf(noisy as Sshd);
    const result = await runJob({ ssh: client([entry]), entry }, "echo mine; exit 4");
    expect([result.ending, text(result)]).toEqual([{ kind: "exited", code: 4 }, "mine\n"]);
  });

  it("output is told while the job runs", async () => {
    const entry = entryOf(sshd);
    let seen = "";
    const flag = join(folder, "go-on");
    const result = await runJob(
      {
        ssh: client([entry]),
        entry,
        onOutput: (chunk) => {
          seen += Buffer.from(chunk).toString();
          writeFileSync(flag, "");
        },
      },
      `echo first; until [ -e ${flag} ]; do sleep 0.05; done; echo second`,
    );
    expect([result.ending, seen]).toEqual([{ kind: "exited", code: 0 }, "first\nsecond\n"]);
  });

  it("a background child that keeps the output open does not hold back the end, and it is said", async () => {
    const entry = entryOf(sshd);
    const result = await runJob({ ssh: client([entry]), entry }, "sleep 4 & echo started");
    expect([result.ending, text(result)]).toEqual([{ kind: "exited", code: 0 }, "started\n"]);
    expect(result.outputNote).toMatch(/^A background process still has the output open/);
  });

  it("the same id sent twice is one run with one result", async () => {
    const entry = entryOf(sshd);
    const asked = { ssh: client([entry]), entry, jobId: newJobId() };
    const command = `echo x >>${join(folder, "twice")}; sleep 0.3; echo end; exit 2`;
    const both = await Promise.all([runJob(asked, command), runJob(asked, command)]);
    expect(both.map((result) => [result.ending, text(result)])).toEqual([
      [{ kind: "exited", code: 2 }, "end\n"],
      [{ kind: "exited", code: 2 }, "end\n"],
    ]);
    expect(readFileSync(join(folder, "twice"), "utf8")).toBe("x\n");
  });

  it("SR-54 F-29 our hard limit ends a job as timed out, verified", async () => {
    const entry = entryOf(sshd, { hardTimeoutMs: 300 });
    const { ending } = await runJob({ ssh: client([entry]), entry }, "sleep 4801");
    expect(ending).toEqual({ kind: "timed-out", afterMs: 300, note: "stopped by TERM; no process left" });
    expect(alive("sleep 4801")).toEqual([]);
  });

  it("F-29 a cancel as soon as it was sent: it is ended, or never begins, and ps agrees", async () => {
    const entry = entryOf(sshd);
    const ssh = client([entry]);
    for (let i = 0; i < 5; i++) {
      const cancel = new AbortController();
      const onSent = (): void => void setTimeout(() => cancel.abort("mona"), i * 8);
      const { ending } = await runJob({ ssh, entry, signal: cancel.signal, onSent }, "sleep 4804");
      const note = expect.stringMatching(/^it had not been started$|; no process left$/);
      expect(ending).toEqual({ kind: "cancelled", by: "mona", note });
      expect(alive("sleep 4804")).toEqual([]);
    }
  });

  it("with MaxSessions 1 a cancel gives up its own session to end the job, verified", async () => {
    const entry = entryOf(narrow as Sshd);
    const { ending } = await cancelledJob({ ssh: client([entry]), entry }, "echo go; sleep 4802");
    expect(ending).toEqual({ kind: "cancelled", by: "mona", note: "stopped by TERM; no process left" });
    expect(alive("sleep 4802")).toEqual([]);
  });

  it("a cancel works while other runs hold every place of the connection, and ends the right one", async () => {
    const entry = entryOf(sshd);
    const ssh = client([entry]);
    const others = Array.from({ length: 7 }, (_, i) => run({ ssh, entry }, `sleep 2; echo ${i}`));
    const { ending } = await cancelledJob({ ssh, entry }, "echo go; sleep 4803");
    expect(ending).toEqual({ kind: "cancelled", by: "mona", note: "stopped by TERM; no process left" });
    expect((await Promise.all(others)).map(text)).toEqual(["0\n", "1\n", "2\n", "3\n", "4\n", "5\n", "6\n"]);
  });

  it("a folder of jobs that is another's is refused: nothing was started", async () => {
    const entry = entryOf((await jobSshd("job-mode.long.test.ts", join(folder, "absent-parent"))) as Sshd);
    writeFileSync(join(folder, "absent-parent", "jobs"), "a file where the folder should be");
    const { ending } = await runJob({ ssh: client([entry]), entry }, "true");
    expect(ending).toMatchObject({ kind: "unreachable", reason: expect.stringContaining("nothing was started") });
  });
});

/** What the note must say, and how many processes must be left. Each says "go" when its children are there. */
const matrix: readonly [what: string, command: (mark: string) => string, note: RegExp, left: number][] = [
  ["plain", (mark) => `echo go; exec sleep ${mark}`, /^stopped by TERM; no process left$/, 0],
  ["child", (mark) => `echo go; sleep ${mark}; true`, /^stopped by TERM; no process left$/, 0],
  ["background child", (mark) => `sleep ${mark} & echo go; wait`, /^stopped by TERM; no process left$/, 0],
  ["trap", (mark) => `trap '' TERM; echo go; sleep ${mark}; true`, /^stopped by KILL; no process left$/, 0],
  ["another group", (mark) => `set -m; sleep ${mark} & echo go; wait`, /^stopped by TERM; no process left$/, 0],
  ["timeout", (mark) => `timeout 99 sleep ${mark} & sleep 0.3; echo go; wait`, /^stopped by TERM; no process left$/, 0],
  [
    "setsid",
    (mark) => `setsid sleep ${mark} & sleep 0.3; echo go; wait`,
    /; still running: pid \d+ \(\S+, sleep\)$/,
    1,
  ],
  [
    "daemon",
    (mark) => `(setsid sleep ${mark} &); sleep 0.3; echo go; sleep 99`,
    /; still running: pid \d+ \(\S+, sleep\)$/,
    1,
  ],
];

describe.runIf(started !== undefined)("what a cancel reports is what ps shows", () => {
  const sshd = started as Sshd;
  const cases = [false, true].flatMap((tty) =>
    matrix.map((row, i) => [row[0], tty, row, `4${tty ? 9 : 8}${50 + i}`] as const),
  );

  it.each(cases)("F-29 F-30 %s, tty: %s", async (_what, tty, [, command, note, left], mark) => {
    const entry = entryOf(sshd, { tty });
    const { ending } = await cancelledJob({ ssh: client([entry]), entry }, command(mark));
    const shown = alive(`sleep ${mark}`);
    killAll(shown);
    expect(ending).toMatchObject({ kind: "cancelled", by: "mona", note: expect.stringMatching(note) });
    expect(shown).toHaveLength(left);
    if (left > 0) expect(ending).toMatchObject({ note: expect.stringContaining(`pid ${pidOf(shown[0])} (`) });
  });

  it("F-30 a child of another user, as sudo makes one, is named by pid and user and not called dead", async () => {
    const setpriv = "/usr/bin/setpriv";
    if (userInfo().uid !== 0 || !existsSync(setpriv))
      return missing("root and setpriv", "no child of another user was tried");
    // An account without rights runs the job; a program with the s-bit makes it a child it may not signal.
    const bin = join(folder, "bin");
    mkdirSync(bin);
    copyFileSync(setpriv, join(bin, "as-root"));
    chmodSync(join(bin, "as-root"), 0o4755);
    chmodSync(folder, 0o755);
    const own = join(folder, "nobody");
    mkdirSync(own, { mode: 0o777 });
    chmodSync(own, 0o777);
    const force = join(folder, "as-nobody.sh");
    writeFileSync(
      force,
      `COUNTERSIGN_DIR=${own}/jobs exec setpriv --reuid=65534 --regid=65534 --clear-groups sh -c "$SSH_ORIGINAL_COMMAND"\n`,
    );
    const other = (await jobSshd("job-mode.long.test.ts", join(folder, "other"), [`ForceCommand sh ${force}`])) as Sshd;
    const entry = entryOf(other);
    const { ending } = await cancelledJob(
      { ssh: client([entry]), entry },
      `${bin}/as-root --reuid=0 --regid=0 --clear-groups sleep 4899 & sleep 0.3; echo go; wait`,
    );
    const shown = alive("sleep 4899");
    killAll(shown);
    expect(shown).toHaveLength(1);
    expect(ending).toMatchObject({
      note: expect.stringMatching(`still running: .*pid ${pidOf(shown[0])} \\(root, sleep\\)`),
    });
  });
});

it("jobs leave a bounded folder behind", () => {
  if (started === undefined) return;
  for (const id of readdirSync(jobs)) expect(readdirSync(join(jobs, id)).length).toBeLessThan(16);
});
