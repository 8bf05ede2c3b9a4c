import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { freePort } from "../../../demo/free-port.ts";
import type { Server } from "../../../src/base/server.ts";
import { defaultLimits } from "../../../src/ssh/limits.ts";
import { connectOpenssh } from "../../../src/ssh/openssh.ts";
import { type Sshd, startSshd } from "../../harness/sshd.ts";
import { cancelled, createClients, entryOf, run, sshdFor, text } from "../real-host.ts";

const started = await sshdFor("test/ssh/openssh/connect.long.test.ts");
const { client, cleanUp } = createClients();

const openssh = (sshd: Sshd, given: Partial<Server> = {}): Server => entryOf(sshd, { backend: "openssh", ...given });

const keygen = (...args: string[]): void => void execFileSync("ssh-keygen", ["-q", ...args], { stdio: "ignore" });

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** An sshd of its own, for tests that change what it trusts. */
async function another(extra: readonly string[] = []): Promise<Sshd> {
  const sshd = await startSshd(extra);
  if ("missing" in sshd) throw new Error(sshd.missing);
  cleanUp(sshd.close);
  return sshd;
}

describe.runIf(started !== undefined)("the backend openssh", () => {
  const sshd = started as Sshd;

  it.each([
    ["true", { kind: "exited", code: 0 }],
    ["exit 255", { kind: "exited", code: 255 }],
    ["kill -9 $$", { kind: "signalled", signal: "SIGKILL" }],
  ])("SR-54 `%s` ends as it ended there, told apart from ssh's own 255", async (command, ending) => {
    const entry = openssh(sshd);
    const result = await run({ ssh: client([entry]), entry }, command);
    expect(result.ending).toEqual(ending);
    expect(result.hostKey).toMatch(/^SHA256:\S{43}$/);
  });

  it("SR-52 both streams are read, stdin is at its end, nothing is forwarded and there is no terminal", async () => {
    const entry = openssh(sshd);
    const command = 'echo out; echo err >&2; cat; [ -t 1 ] || echo no tty; echo "[$SSH_AUTH_SOCK$DISPLAY]"';
    const result = await run({ ssh: client([entry]), entry }, command);
    expect(text(result).split("\n").sort()).toEqual(["", "[]", "err", "no tty", "out"]);
  });

  it.each([
    ["at once", "sleep 0.3; head -c 3000000 /dev/zero", 3_000_000],
    ["in bursts", "for n in 0 1 2 3 4 5 6 7 8 9; do head -c 200000 /dev/zero; sleep 0.02; done", 2_000_000],
    ["beside what follows it", "sleep 0.3; head -c 1700 /dev/zero", 1_700],
  ])("SR-54 an output that comes %s is whole, and so is its end", async (_, command, bytes) => {
    const entry = openssh(sshd);
    const { ending, capture } = await run({ ssh: client([entry]), entry }, command);
    expect(ending).toEqual({ kind: "exited", code: 0 });
    expect([capture.bytes, capture.sha256]).toEqual([bytes, sha256(Buffer.alloc(bytes))]);
  });

  it("SR-54 a temporary folder that is gone is a refusal with its reason, and nothing was run", async () => {
    const entry = openssh(sshd);
    vi.stubEnv("TMPDIR", "/gone/for/good");
    onTestFinished(() => void vi.unstubAllEnvs());
    const result = await run({ ssh: client([entry]), entry }, "true");
    expect(result.ending).toMatchObject({ kind: "unreachable" });
    expect(JSON.stringify(result.ending)).toMatch(/ssh cannot be prepared.*\/gone\/for\/good/);
  });

  it("SR-54 a way through a jump host that cannot be made ends no process: it is a refusal with its reason", async () => {
    // Longer than the path of a socket may be (sockaddr_un).
    const scratch = mkdtempSync(join(tmpdir(), "x".repeat(120)));
    vi.stubEnv("TMPDIR", scratch);
    onTestFinished(() => void vi.unstubAllEnvs());
    const tunnel = new PassThrough();
    const order = {
      server: openssh(sshd),
      login: { ok: true, kind: "key-file", file: "/none" } as const,
      limits: defaultLimits,
      tunnel,
    };
    expect(await connectOpenssh(order)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^ssh cannot be prepared for /),
    });
    expect([tunnel.destroyed, readdirSync(scratch)]).toEqual([true, []]);
  });

  it("many commands share one connection, and closing ends ssh and takes its folder away", async () => {
    const own = await another();
    // Others on this machine make such folders, too.
    const scratch = mkdtempSync(join(tmpdir(), "own-"));
    vi.stubEnv("TMPDIR", scratch);
    onTestFinished(() => void vi.unstubAllEnvs());
    const entry = openssh(own);
    const ssh = client([entry]);
    const results = await Promise.all(Array.from({ length: 12 }, (_, i) => run({ ssh, entry }, `echo ${i}`)));
    expect(results.map(text)).toEqual(Array.from({ length: 12 }, (_, i) => `${i}\n`));
    expect(readFileSync(own.logFile, "utf8").match(/Accepted publickey/g)).toHaveLength(1);
    await ssh.close();
    await expect.poll(() => readdirSync(scratch)).toEqual([]);
    await expect.poll(() => readFileSync(own.logFile, "utf8")).toMatch(/Disconnected|disconnect|Connection closed/);
  });

  it("F-29 a cancelled command is ended and verified over a second session", async () => {
    const entry = openssh(sshd);
    const result = await cancelled(client([entry]), entry, "echo started; sleep 61.5 & wait");
    expect(result.ending).toEqual({
      kind: "cancelled",
      by: "mona",
      note: "stopped by TERM; no process left",
    });
  });

  it("F-28 a connection lost after the command was sent is unknown, and the next command gets a new one", async () => {
    const own = await another();
    const entry = openssh(own);
    const ssh = client([entry]);
    const killItsSshd =
      "p=$$; while read -r _ name p_rest < /proc/$p/stat; [ $name != '(sshd)' ]; do set -- $p_rest; p=$2; done; kill -9 $p; sleep 5";
    const lost = await run({ ssh, entry }, killItsSshd);
    expect(lost.ending).toMatchObject({ kind: "unknown", reason: expect.stringContaining("its ssh ended") });
    expect((await run({ ssh, entry }, "true")).ending).toEqual({ kind: "exited", code: 0 });
  });

  it("SR-51 F-25 a wrong host key: unreachable, with its fingerprint, and sshd's log shows that no login was tried", async () => {
    const own = await another();
    const entry = openssh(own, { hostKey: sshd.hostKey });
    const { ending } = await run({ ssh: client([entry]), entry }, "true");
    expect(ending).toMatchObject({
      kind: "unreachable",
      reason: expect.stringMatching(
        /^the host key of web-1 is not one we know: it shows SHA256:\S{43}; nothing was sent$/,
      ),
    });
    await expect.poll(() => readFileSync(own.logFile, "utf8")).toContain("Connection");
    expect(readFileSync(own.logFile, "utf8")).not.toMatch(/userauth|publickey|Postponed|Accepted|Failed/);
  });

  it("SR-51 SR-52 an ssh_config cannot make it laxer", async () => {
    const own = await another();
    const file = join(dirname(own.logFile), "lax");
    const lax = [
      "StrictHostKeyChecking no",
      `KnownHostsCommand /bin/echo [127.0.0.1]:${own.port} ${own.hostKey}`,
      `GlobalKnownHostsFile ${own.knownHostsFile}`,
      "ForwardAgent yes",
      "RemoteCommand touch /nowhere",
      "LocalForward 127.0.0.1:1 127.0.0.1:2",
    ];
    writeFileSync(file, `Host web\n  ${lax.join("\n  ")}\n`);
    const sshConfig = { file, host: "web" };
    const wrong = openssh(own, { hostKey: sshd.hostKey, sshConfig });
    expect((await run({ ssh: client([wrong]), entry: wrong }, "true")).ending).toMatchObject({
      kind: "unreachable",
      reason: expect.stringContaining("is not one we know"),
    });
    expect(readFileSync(own.logFile, "utf8")).not.toMatch(/Postponed|Accepted|Failed/);
    const right = openssh(own, { sshConfig });
    expect((await run({ ssh: client([right]), entry: right }, "true")).ending).toEqual({ kind: "exited", code: 0 });
  });

  it("SR-51 an unknown host is not even dialled, and a key in the inventory is enough", async () => {
    const own = await another();
    const empty = join(dirname(own.logFile), "empty");
    writeFileSync(empty, "");
    const unknown = openssh(own, { knownHostsFile: empty });
    expect((await run({ ssh: client([unknown]), entry: unknown }, "true")).ending).toMatchObject({
      reason: "no host key is known for web-1: empty has no line for it",
    });
    // The first is the look whether it has started.
    await expect.poll(() => readFileSync(own.logFile, "utf8").match(/Connection from/g)).toHaveLength(1);
    const pinned = openssh(own, { knownHostsFile: empty, hostKey: own.hostKey });
    expect((await run({ ssh: client([pinned]), entry: pinned }, "true")).ending).toEqual({ kind: "exited", code: 0 });
  });

  it("SR-52 F-26 a refused login is one attempt by key", async () => {
    const own = await another();
    const entry = openssh(own, { keyFile: sshd.clientKeyFile });
    const { ending } = await run({ ssh: client([entry]), entry }, "true");
    expect(ending).toMatchObject({ kind: "unreachable", reason: expect.stringContaining("web-1 refused our login") });
    await expect.poll(() => readFileSync(own.logFile, "utf8").match(/Failed publickey/g)).toHaveLength(1);
    expect(readFileSync(own.logFile, "utf8")).not.toMatch(/password|keyboard-interactive/);
  });

  it("F-24 a port where nothing listens is unreachable and names no address", async () => {
    const entry = openssh(sshd, { port: await freePort(), hostKey: sshd.hostKey });
    const { ending } = await run({ ssh: client([entry], { retryBaseMs: 10 }), entry }, "true");
    expect(ending).toMatchObject({
      kind: "unreachable",
      reason: expect.stringMatching(/^web-1 refused the connection: nothing listens on port \d+$/),
    });
    expect(JSON.stringify(ending)).not.toContain("127.0.0.1");
  });

  it("F-24 a port where a web server answers is called a wrong port", async () => {
    const web = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")).listen(0, "127.0.0.1");
    await once(web, "listening");
    const { port } = web.address() as AddressInfo;
    const entry = openssh(sshd, { port, hostKey: sshd.hostKey });
    const { ending } = await run({ ssh: client([entry]), entry }, "true");
    web.close();
    expect(ending).toMatchObject({ reason: `what answers on port ${port} of web-1 is a web server, not SSH` });
  });

  it("SR-51 SR-52 a host certificate and a user certificate take the place of pinned keys", async () => {
    const folder = dirname((await another()).logFile);
    const at = (name: string): string => join(folder, name);
    for (const key of ["host-ca", "user-ca", "host", "login"]) keygen("-t", "ed25519", "-N", "", "-f", at(`c-${key}`));
    keygen("-s", at("c-host-ca"), "-I", "host", "-h", "-n", "web1.example.com", at("c-host.pub"));
    keygen("-s", at("c-user-ca"), "-I", "ops", "-n", "ops-role", at("c-login.pub"));
    writeFileSync(at("principals"), "ops-role\n");
    const own = await another([
      `HostKey ${at("c-host")}`,
      `HostCertificate ${at("c-host-cert.pub")}`,
      `TrustedUserCAKeys ${at("c-user-ca.pub")}`,
      `AuthorizedPrincipalsFile ${at("principals")}`,
    ]);
    const authority = readFileSync(at("c-host-ca.pub"), "utf8");
    writeFileSync(at("known"), `@cert-authority *.example.com ${authority}`);
    const given = { keyFile: at("c-login"), knownHostsFile: at("known"), hostKeyAlias: "web1.example.com" };
    const entry = openssh(own, given);
    const result = await run({ ssh: client([entry]), entry }, "true");
    expect(result.ending).toEqual({ kind: "exited", code: 0 });
    expect(result.hostKey).toMatch(/^SHA256:\S{43}$/);
    expect(readFileSync(own.logFile, "utf8")).toMatch(/Accepted publickey .* ED25519-CERT .*ID ops/);

    const stranger = { ...entry, name: "web-2", hostKeyAlias: "web2.example.com" };
    expect((await run({ ssh: client([stranger]), entry: stranger }, "true")).ending).toMatchObject({
      kind: "unreachable",
      reason: expect.stringContaining("host certificate of web-2 is not valid"),
    });
    writeFileSync(at("known"), `@cert-authority *.example.com ${authority}@revoked * ${authority}`);
    expect((await run({ ssh: client([entry]), entry }, "true")).ending).toMatchObject({
      kind: "unreachable",
      reason: "the host key of web-1 is revoked in known",
    });
  });

  it("a server that speaks only post-quantum key exchanges is reached, and ssh2 names the backend that can", async () => {
    const own = await another(["KexAlgorithms sntrup761x25519-sha512@openssh.com"]);
    const entry = openssh(own);
    expect((await run({ ssh: client([entry]), entry }, "true")).ending).toEqual({ kind: "exited", code: 0 });
    const plain = entryOf(own);
    expect((await run({ ssh: client([plain]), entry: plain }, "true")).ending).toMatchObject({
      kind: "unreachable",
      remedy: expect.stringContaining("backend: openssh"),
    });
  });

  it.each(["ssh2", "openssh"] as const)("reaches a server through a jump host of the backend %s", async (backend) => {
    const bastion = entryOf(sshd, { name: "bastion", backend });
    const entry = openssh(sshd, { name: "db-1", jump: "bastion" });
    const plain = entryOf(sshd, { name: "db-2", jump: "bastion" });
    const ssh = client([bastion, entry, plain]);
    expect(text(await run({ ssh, entry }, "echo through"))).toBe("through\n");
    expect(text(await run({ ssh, entry: plain }, "echo through"))).toBe("through\n");
  });

  it("a key with a passphrase, a public key and an open file are refused before ssh is started", async () => {
    const folder = dirname((await another()).logFile);
    const locked = join(folder, "locked");
    keygen("-t", "ed25519", "-N", "secret", "-f", locked);
    const reasonOf = async (keyFile: string) => {
      const entry = openssh(sshd, { keyFile });
      return (await run({ ssh: client([entry]), entry }, "true")).ending;
    };
    expect(await reasonOf(locked)).toMatchObject({ remedy: expect.stringContaining("agent: true") });
    chmodSync(`${locked}.pub`, 0o600);
    expect(await reasonOf(`${locked}.pub`)).toMatchObject({ reason: expect.stringContaining("holds a public key") });
    chmodSync(locked, 0o644);
    expect(await reasonOf(locked)).toMatchObject({ reason: expect.stringContaining("may be read by others") });
  });
});
