import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { Sshd } from "../harness/sshd.ts";
import { cancelled, createClients, entryOf, run, sshdFor, text } from "./real-host.ts";

const started = await sshdFor("test/ssh/stop.test.ts");
const narrow = await sshdFor("test/ssh/stop.test.ts", ["MaxSessions 1"]);
const { client } = createClients();

/** Another checkout may run these tests beside this one. */
const own = process.pid;

const alive = (mark: string): string[] =>
  execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(mark) && !line.includes("ps -eo"));

describe.runIf(started !== undefined)("ending a command on a real sshd", () => {
  const sshd = started as Sshd;

  it("SR-54 F-29 a cancel ends the whole process group, and ps agrees", async () => {
    const entry = entryOf(sshd);
    const { ending } = await cancelled(client([entry]), entry, `echo go; sleep 4711.${own}1 & sleep 4711.${own}2`);
    expect(ending).toEqual({ kind: "cancelled", by: "mona", note: "stopped by TERM; no process left" });
    expect(alive(`sleep 4711.${own}`)).toEqual([]);
  });

  it("F-29 a command that ignores TERM gets KILL after the grace", async () => {
    const entry = entryOf(sshd);
    const { ending } = await cancelled(
      client([entry]),
      entry,
      `trap '' TERM; echo go; while :; do sleep 0.05; done # mark-${own}`,
    );
    expect(ending).toMatchObject({ kind: "cancelled", note: "stopped by KILL; no process left" });
    expect(alive(`mark-${own}`)).toEqual([]);
  });

  it("F-30 a child in its own session is named as a survivor, by pid, user and name", { tags: ["long"] }, async () => {
    const entry = entryOf(sshd);
    const { ending } = await cancelled(
      client([entry]),
      entry,
      `setsid sleep 4713.${own} & sleep 0.1; echo go; sleep 4714.${own}`,
    );
    const [survivor] = alive(`sleep 4713.${own}`);
    const pid = Number(survivor?.trim().split(" ")[0]);
    expect(ending).toMatchObject({ note: `stopped by TERM; still running: pid ${pid} (${sshd.user}, sleep)` });
    process.kill(pid, "SIGKILL");
  });

  it("a cancel among others on the same connection ends the right one", { tags: ["long"] }, async () => {
    const entry = entryOf(sshd);
    const ssh = client([entry]);
    const neighbours = [run({ ssh, entry }, "sleep 1; echo first"), run({ ssh, entry }, "sleep 1; echo second")];
    const { ending } = await cancelled(ssh, entry, `echo go; sleep 4715.${own}`);
    expect(ending).toMatchObject({ kind: "cancelled", note: expect.stringContaining("no process left") });
    expect((await Promise.all(neighbours)).map(text)).toEqual(["first\n", "second\n"]);
    expect(alive(`sleep 4715.${own}`)).toEqual([]);
  });

  it("two cancels at once on one connection both verify", async () => {
    const entry = entryOf(sshd);
    const ssh = client([entry]);
    const both = await Promise.all([4716, 4717].map((mark) => cancelled(ssh, entry, `echo go; sleep ${mark}.${own}`)));
    expect(both.map(({ ending }) => ending.kind)).toEqual(["cancelled", "cancelled"]);
    expect([...alive(`sleep 4716.${own}`), ...alive(`sleep 4717.${own}`)]).toEqual([]);
  });

  it("SR-54 the hard limit ends a command as timed out", async () => {
    const entry = entryOf(sshd, { hardTimeoutMs: 200 });
    const { ending } = await run({ ssh: client([entry]), entry }, `sleep 4718.${own}`);
    expect(ending).toEqual({ kind: "timed-out", afterMs: 200, note: "stopped by TERM; no process left" });
  });

  it("a background child that keeps the output open does not hold back the command's own exit", async () => {
    const entry = entryOf(sshd);
    const result = await run({ ssh: client([entry]), entry }, "sleep 3 & echo started");
    expect([result.ending, text(result)]).toEqual([{ kind: "exited", code: 0 }, "started\n"]);
  });

  it("with MaxSessions 1 commands run one by one, and a cancel claims no more than ps shows", {
    tags: ["long"],
  }, async () => {
    if (narrow === undefined) throw new Error("sshd did not start a second time");
    const entry = entryOf(narrow);
    const ssh = client([entry]);
    const all = await Promise.all(["a", "b", "c"].map((word) => run({ ssh, entry }, `echo ${word}`)));
    expect(all.map(text)).toEqual(["a\n", "b\n", "c\n"]);
    const { ending } = await cancelled(ssh, entry, `echo go; sleep 4719.${own}`);
    // sshd passes signals on only for accounts other than root: what the note says must be what ps says.
    const left = alive(`sleep 4719.${own}`);
    const says = left.length === 0 ? "it ended after a signal" : "signals were sent, and it did not end";
    const note = `${says}; not verified: no second session could be opened on the server`;
    expect(ending).toEqual({ kind: "cancelled", by: "mona", note });
    for (const line of left) process.kill(Number(line.trim().split(" ")[0]), "SIGKILL");
  });
});
