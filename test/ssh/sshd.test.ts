import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import ssh2 from "ssh2";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { Limits } from "../../src/ssh/limits.ts";
import { createSsh, type ExecResult, type Ssh } from "../../src/ssh/run.ts";
import { execOnWire } from "../../src/ssh/wire.ts";
import { wrap } from "../../src/ssh/wrap.ts";
import type { Server } from "../../src/types.ts";
import { missing } from "../missing.ts";
import { type Sshd, startSshd } from "../sshd.ts";
import { inventory, server } from "./inventory-entry.ts";

const started = await startSshd();
const narrow = await startSshd(["MaxSessions 1"]);
if ("missing" in started) missing("sshd", `test/ssh/sshd.test.ts was left out: ${started.missing}`);
const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});
afterAll(async () => {
  for (const sshd of [started, narrow]) if (!("missing" in sshd)) await sshd.close();
});

const entryOf = (sshd: Sshd, given: Partial<Server> = {}): Server =>
  server({
    port: sshd.port,
    user: sshd.user,
    keyFile: sshd.clientKeyFile,
    knownHostsFile: sshd.knownHostsFile,
    ...given,
  });

function client(entries: Server[], limits: Partial<Limits> & { maxOutputBytes?: number } = {}): Ssh {
  const ssh = createSsh({ servers: inventory(...entries), limits: { graceMs: 400, drainMs: 400, ...limits } });
  cleanUps.push(ssh.close);
  return ssh;
}

interface Asked {
  readonly ssh: Ssh;
  readonly entry: Server;
  readonly signal?: AbortSignal;
  readonly onOutput?: (chunk: Uint8Array) => void;
}

const run = ({ ssh, entry, signal, onOutput }: Asked, command: string): Promise<ExecResult> =>
  ssh.exec(
    { runId: "1", server: entry, wrapped: wrap(entry, command, "linux") },
    { signal: signal ?? new AbortController().signal, ...(onOutput ? { onOutput } : {}) },
  );

const text = ({ capture }: ExecResult): string => Buffer.concat([capture.head, capture.tail]).toString();

/** Cancels as soon as the command has printed its first bytes, so that it surely runs. */
async function cancelled(ssh: Ssh, entry: Server, command: string): Promise<ExecResult> {
  const cancel = new AbortController();
  return run({ ssh, entry, signal: cancel.signal, onOutput: () => cancel.abort("mona") }, command);
}

const alive = (mark: string): string[] =>
  execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(mark) && !line.includes("ps -eo"));

describe.runIf(!("missing" in started))("on a real sshd", () => {
  const sshd = started as Sshd;

  it.each([
    ["true", { kind: "exited", code: 0 }],
    ["exit 3", { kind: "exited", code: 3 }],
    ["no-such-program", { kind: "exited", code: 127 }],
    ["kill -9 $$", { kind: "signalled", signal: "SIGKILL" }],
    ["kill -TERM $$", { kind: "signalled", signal: "SIGTERM" }],
  ])("SR-54 `%s` ends as it ended there", async (command, ending) => {
    const entry = entryOf(sshd);
    expect((await run({ ssh: client([entry]), entry }, command)).ending).toEqual(ending);
  });

  it("both streams are read, stdin is at its end, and no pager or start-up file is in the way", async () => {
    const entry = entryOf(sshd);
    const result = await run(
      { ssh: client([entry]), entry },
      'echo out; echo err >&2; cat; echo "$PAGER|$TERM|$0"; [ -t 1 ] || echo no tty',
    );
    expect(text(result).split("\n").sort()).toEqual(["", "cat|dumb|bash", "err", "no tty", "out"]);
  });

  it("F-31 binary output and invalid UTF-8 come as the bytes they were", async () => {
    const entry = entryOf(sshd);
    const bytes = Buffer.from([0, 255, 254, 0xc3, 0x28, 13, 10, 27, 0]);
    const octal = [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
    const { capture } = await run({ ssh: client([entry]), entry }, `printf '${octal}'`);
    expect(Buffer.from(capture.head)).toEqual(bytes);
    expect(capture.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
  });

  it("SR-54 RR-19 64 MB are read to their end, counted and hashed, and only head and tail are kept", async () => {
    const entry = entryOf(sshd);
    const ssh = client([entry], { maxOutputBytes: 1024 * 1024 });
    const { ending, capture } = await run({ ssh, entry }, "head -c 67108864 /dev/zero; echo end");
    expect(ending).toEqual({ kind: "exited", code: 0 });
    expect(capture).toMatchObject({ bytes: 67_108_868, dropped: 67_108_868 - 1024 * 1024 });
    expect(Buffer.from(capture.tail.slice(-4)).toString()).toBe("end\n");
    expect(capture.sha256).toBe(createHash("sha256").update(Buffer.alloc(67_108_864)).update("end\n").digest("hex"));
  });

  it("SR-51 a wrong host key: sshd's own log shows that no login was tried", async () => {
    const other = await startSshd();
    if ("missing" in other) throw new Error(other.missing);
    cleanUps.push(other.close);
    const entry = entryOf(other, { hostKey: sshd.hostKey });
    const { ending } = await run({ ssh: client([entry]), entry }, "true");
    expect(ending).toMatchObject({ kind: "unreachable", reason: expect.stringContaining("changed") });
    await expect.poll(() => readFileSync(other.logFile, "utf8")).toContain("Connection");
    expect(readFileSync(other.logFile, "utf8")).not.toMatch(/userauth|publickey|Postponed|Accepted|Failed/);
  });

  it("SR-52 F-26 a refused login is one attempt by key in sshd's log, no password and no second try", async () => {
    const other = await startSshd();
    if ("missing" in other) throw new Error(other.missing);
    cleanUps.push(other.close);
    const entry = entryOf(other, { keyFile: sshd.clientKeyFile });
    const { ending } = await run({ ssh: client([entry]), entry }, "true");
    expect(ending).toMatchObject({ kind: "unreachable", reason: expect.stringContaining("refused our login") });
    await expect.poll(() => readFileSync(other.logFile, "utf8").match(/Failed publickey/g)).toHaveLength(1);
    expect(readFileSync(other.logFile, "utf8")).not.toMatch(/password|keyboard-interactive/);
  });

  it("SR-54 F-29 a cancel ends the whole process group, and ps agrees", async () => {
    const entry = entryOf(sshd);
    const { ending } = await cancelled(client([entry]), entry, "echo go; sleep 4711.1 & sleep 4711.2");
    expect(ending).toEqual({ kind: "cancelled", by: "mona", note: "ended on TERM; verified: nothing of it is left" });
    expect(alive("sleep 4711")).toEqual([]);
  });

  it("F-29 a command that ignores TERM gets KILL after the grace", async () => {
    const entry = entryOf(sshd);
    const { ending } = await cancelled(
      client([entry]),
      entry,
      "trap '' TERM; echo go; while :; do sleep 0.05; done # mark-4712",
    );
    expect(ending).toMatchObject({ kind: "cancelled", note: "needed KILL; verified: nothing of it is left" });
    expect(alive("mark-4712")).toEqual([]);
  });

  it("F-30 a child in its own session is named as a survivor, by pid, user and name", async () => {
    const entry = entryOf(sshd);
    const { ending } = await cancelled(client([entry]), entry, "setsid sleep 4713 & sleep 0.1; echo go; sleep 4714");
    const [survivor] = alive("sleep 4713");
    const pid = Number(survivor?.trim().split(" ")[0]);
    expect(ending).toMatchObject({ note: `ended on TERM; still running: pid ${pid} (${sshd.user}, sleep)` });
    process.kill(pid, "SIGKILL");
  });

  it("a cancel among others on the same connection ends the right one", async () => {
    const entry = entryOf(sshd);
    const ssh = client([entry]);
    const neighbours = [run({ ssh, entry }, "sleep 1; echo first"), run({ ssh, entry }, "sleep 1; echo second")];
    const { ending } = await cancelled(ssh, entry, "echo go; sleep 4715");
    expect(ending).toMatchObject({ kind: "cancelled", note: expect.stringContaining("nothing of it is left") });
    expect((await Promise.all(neighbours)).map(text)).toEqual(["first\n", "second\n"]);
    expect(alive("sleep 4715")).toEqual([]);
  });

  it("two cancels at once on one connection both verify", async () => {
    const entry = entryOf(sshd);
    const ssh = client([entry]);
    const both = await Promise.all([4716, 4717].map((mark) => cancelled(ssh, entry, `echo go; sleep ${mark}`)));
    expect(both.map(({ ending }) => ending.kind)).toEqual(["cancelled", "cancelled"]);
    expect([...alive("sleep 4716"), ...alive("sleep 4717")]).toEqual([]);
  });

  it("SR-54 the hard limit ends a command as timed out", async () => {
    const entry = entryOf(sshd, { hardTimeoutMs: 200 });
    const { ending } = await run({ ssh: client([entry]), entry }, "sleep 4718");
    expect(ending).toEqual({ kind: "timed-out", afterMs: 200, note: "ended on TERM; verified: nothing of it is left" });
  });

  it("a background child that keeps the output open does not hold back the command's own exit", async () => {
    const entry = entryOf(sshd);
    const result = await run({ ssh: client([entry]), entry }, "sleep 3 & echo started");
    expect([result.ending, text(result)]).toEqual([{ kind: "exited", code: 0 }, "started\n"]);
  });

  it("with MaxSessions 1 commands run one by one, and a cancel claims no more than ps shows", async () => {
    if ("missing" in narrow) throw new Error(narrow.missing);
    const entry = entryOf(narrow);
    const ssh = client([entry]);
    const all = await Promise.all(["a", "b", "c"].map((word) => run({ ssh, entry }, `echo ${word}`)));
    expect(all.map(text)).toEqual(["a\n", "b\n", "c\n"]);
    const { ending } = await cancelled(ssh, entry, "echo go; sleep 4719");
    // sshd passes signals on only for accounts other than root: what the note says must be what ps says.
    const left = alive("sleep 4719");
    const says = left.length === 0 ? "it ended after a signal" : "signals were sent, and it did not end";
    const note = `${says}; not verified: no second session could be opened on the server`;
    expect(ending).toEqual({ kind: "cancelled", by: "mona", note });
    for (const line of left) process.kill(Number(line.trim().split(" ")[0]), "SIGKILL");
  });

  it("F-27 sshd, too, goes on with the connection after a request was held back, and its session is free again", async () => {
    if ("missing" in narrow) throw new Error(narrow.missing);
    const client = new ssh2.Client();
    await new Promise<void>((resolve, reject) => {
      client.on("ready", () => resolve()).on("error", reject);
      const { port, user: username, clientKeyFile } = narrow;
      client.connect({ host: "127.0.0.1", port, username, privateKey: readFileSync(clientKeyFile) });
    });
    cleanUps.push(async () => void client.end());
    const exec = (maySend: () => boolean): Promise<Error | undefined> =>
      new Promise((resolve) => {
        execOnWire(client, { command: "true", options: {}, maySend }, (error) => resolve(error));
      });
    expect(await exec(() => false)).toBeInstanceOf(Error);
    expect(await exec(() => true)).toBeUndefined();
  });

  it("reaches a server through a jump host, and refuses its wrong key there too", async () => {
    const bastion = entryOf(sshd, { name: "bastion" });
    const entry = entryOf(sshd, { name: "db-1", jump: "bastion" });
    const ssh = client([bastion, entry]);
    expect(text(await run({ ssh, entry }, "echo through"))).toBe("through\n");
    const bad = { ...entry, hostKey: readFileSync(`${sshd.clientKeyFile}.pub`, "utf8") };
    expect((await run({ ssh, entry: bad }, "true")).ending).toMatchObject({ kind: "unreachable" });
  });

  it("SR-52 logs in through the ssh-agent, which is not forwarded", async () => {
    const socket = `${sshd.clientKeyFile}.agent`;
    const agent = spawn("ssh-agent", ["-D", "-a", socket], { stdio: "ignore" });
    cleanUps.push(async () => void agent.kill());
    await expect.poll(() => existsSync(socket)).toBe(true);
    execFileSync("ssh-add", ["-q", sshd.clientKeyFile], { env: { PATH: "/usr/bin:/bin", SSH_AUTH_SOCK: socket } });
    const { keyFile: _, ...rest } = entryOf(sshd);
    const entry = { ...rest, agent: true };
    const ssh = createSsh({ servers: inventory(entry), agentSocket: socket });
    cleanUps.push(ssh.close);
    expect(text(await run({ ssh, entry }, 'echo "[$SSH_AUTH_SOCK]"'))).toBe("[]\n");
  });

  it("SR-51 knows a host from a hashed known_hosts file", async () => {
    const file = `${sshd.knownHostsFile}.hashed`;
    writeFileSync(file, readFileSync(sshd.knownHostsFile));
    execFileSync("ssh-keygen", ["-H", "-f", file], { stdio: "ignore" });
    expect(readFileSync(file, "utf8")).toMatch(/^\|1\|/);
    const entry = entryOf(sshd, { knownHostsFile: file });
    expect((await run({ ssh: client([entry]), entry }, "true")).ending).toEqual({ kind: "exited", code: 0 });
  });

  it("AR-06 a probe proves the key and finds the OS", async () => {
    const entry = entryOf(sshd, { os: "auto" });
    expect(await client([entry]).probe(entry)).toEqual({
      ok: true,
      hostKey: expect.stringMatching(/^SHA256:/),
      os: "linux",
    });
  });

  it("AR-07 a pager on a terminal is left, so the command ends", async () => {
    const entry = entryOf(sshd, { tty: true });
    const ssh = client([entry], { quietMs: 100 });
    const result = await run({ ssh, entry }, "seq 1 500 | more");
    expect(result.ending).toEqual({ kind: "exited", code: 0 });
    expect(text(result)).toContain("--More--");
  });
});
