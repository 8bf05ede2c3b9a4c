import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import ssh2 from "ssh2";
import { describe, expect, it } from "vitest";
import { createSsh } from "../../src/ssh/run.ts";
import { type Departure, execOnWire } from "../../src/ssh/wire.ts";
import { type Sshd, startSshd } from "../harness/sshd.ts";
import { inventory } from "./inventory-entry.ts";
import { createClients, entryOf, run, sshdFor, text } from "./real-host.ts";

const started = await sshdFor("test/ssh/sshd.test.ts");
const narrow = await sshdFor("test/ssh/sshd.test.ts", ["MaxSessions 1"]);
const { client, cleanUp } = createClients();

describe.runIf(started !== undefined)("on a real sshd", () => {
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
    cleanUp(other.close);
    const entry = entryOf(other, { hostKey: sshd.hostKey });
    const { ending } = await run({ ssh: client([entry]), entry }, "true");
    expect(ending).toMatchObject({ kind: "unreachable", reason: expect.stringContaining("changed") });
    await expect.poll(() => readFileSync(other.logFile, "utf8")).toContain("Connection");
    expect(readFileSync(other.logFile, "utf8")).not.toMatch(/userauth|publickey|Postponed|Accepted|Failed/);
  });

  it("SR-52 F-26 a refused login is one attempt by key in sshd's log, no password and no second try", async () => {
    const other = await startSshd();
    if ("missing" in other) throw new Error(other.missing);
    cleanUp(other.close);
    const entry = entryOf(other, { keyFile: sshd.clientKeyFile });
    const { ending } = await run({ ssh: client([entry]), entry }, "true");
    expect(ending).toMatchObject({ kind: "unreachable", reason: expect.stringContaining("refused our login") });
    await expect.poll(() => readFileSync(other.logFile, "utf8").match(/Failed publickey/g)).toHaveLength(1);
    expect(readFileSync(other.logFile, "utf8")).not.toMatch(/password|keyboard-interactive/);
  });

  it("F-27 sshd, too, goes on with the connection after a request was held back, and its session is free again", async () => {
    if (narrow === undefined) throw new Error("sshd did not start a second time");
    const client = new ssh2.Client();
    await new Promise<void>((resolve, reject) => {
      client.on("ready", () => resolve()).on("error", reject);
      const { port, user: username, clientKeyFile } = narrow;
      client.connect({ host: "127.0.0.1", port, username, privateKey: readFileSync(clientKeyFile) });
    });
    cleanUp(async () => void client.end());
    const exec = (maySend: () => boolean): Promise<Error | undefined> =>
      new Promise((resolve) => {
        const onReady = ({ send, drop }: Departure): void => (maySend() ? send() : drop());
        execOnWire(client, { command: "true", options: {}, onReady }, (error) => resolve(error));
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
    cleanUp(async () => void agent.kill());
    await expect.poll(() => existsSync(socket)).toBe(true);
    execFileSync("ssh-add", ["-q", sshd.clientKeyFile], { env: { PATH: "/usr/bin:/bin", SSH_AUTH_SOCK: socket } });
    const { keyFile: _, ...rest } = entryOf(sshd);
    const entry = { ...rest, agent: true };
    const ssh = createSsh({ servers: inventory(entry), agentSocket: socket });
    cleanUp(ssh.close);
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

  it("AR-07 a pager on a terminal is left, so the command ends", { tags: ["long"] }, async () => {
    const entry = entryOf(sshd, { tty: true });
    const ssh = client([entry], { quietMs: 100 });
    const result = await run({ ssh, entry }, "seq 1 500 | more");
    expect(result.ending).toEqual({ kind: "exited", code: 0 });
    expect(text(result)).toContain("--More--");
  });
});
