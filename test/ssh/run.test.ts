import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import ssh2 from "ssh2";
import { afterEach, describe, expect, it } from "vitest";
import type { Limits } from "../../src/ssh/limits.ts";
import { createSsh, type Ssh } from "../../src/ssh/run.ts";
import { wrap } from "../../src/ssh/wrap.ts";
import type { Server } from "../../src/types.ts";
import { freePort } from "../sshd.ts";
import { type FakeHost, type Faults, type Play, startFakeHost } from "./fake-host.ts";
import { inventory, server } from "./inventory-entry.ts";

const short: Partial<Limits> = {
  connectMs: 300,
  handshakeMs: 300,
  openMs: 300,
  graceMs: 100,
  drainMs: 300,
  retryBaseMs: 10,
  quietMs: 50,
};
const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function host(play: Play, faults?: Faults): Promise<FakeHost> {
  const fake = await startFakeHost(play, faults);
  cleanUps.push(fake.close);
  return fake;
}

function client(servers: Server[], limits: Partial<Limits> = {}): Ssh {
  const ssh = createSsh({ servers: inventory(...servers), limits: { ...short, ...limits } });
  cleanUps.push(ssh.close);
  return ssh;
}

const noCancel = (): AbortSignal => new AbortController().signal;
const run = (ssh: Ssh, entry: Server, wrapped = "true", signal = noCancel(), onSent = () => {}) =>
  ssh.exec({ runId: "1", server: entry, wrapped }, { signal, onSent });
const exits =
  (code: number): Play =>
  async () =>
    code;

const exitsAfter =
  (ms: number): Play =>
  async () => {
    await sleep(ms);
    return 0;
  };

describe("what is sent", () => {
  it("SR-53 the server receives exactly the bytes that were wrapped", async () => {
    const fake = await host(exits(0));
    const command = "printf '%s' 'it''s' \"$HOME\" `x` \\\\ \t é 漢 🙂\nsecond line";
    const wrapped = wrap(fake.entry, command, "linux");
    await run(client([fake.entry]), fake.entry, wrapped);
    const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
    expect(fake.seen.commands.map(sha256)).toEqual([sha256(wrapped)]);
  });

  it("SR-52 asks for no terminal, no environment and no forwarding unless the entry says `tty: true`", async () => {
    const fake = await host(exits(0));
    const ssh = client([fake.entry]);
    await run(ssh, fake.entry);
    expect(fake.seen.requests).toEqual([]);
    await run(ssh, { ...fake.entry, tty: true });
    expect(fake.seen.requests).toEqual(["pty"]);
  });

  it("a connection is kept for the next command and its key's fingerprint stands in each result", async () => {
    const fake = await host(exits(0));
    const ssh = client([fake.entry]);
    const first = await run(ssh, fake.entry);
    const second = await run(ssh, fake.entry);
    expect(fake.seen.connections).toBe(1);
    expect(first.hostKey).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
    expect(second.hostKey).toBe(first.hostKey);
  });

  it("an unused connection is closed after its idle time and opened anew", async () => {
    const fake = await host(exits(0));
    const ssh = client([fake.entry], { idleMs: 20 });
    await run(ssh, fake.entry);
    await sleep(200);
    await run(ssh, fake.entry);
    expect(fake.seen.connections).toBe(2);
  });
});

describe("how a command ended", () => {
  it("F-32 an exit by signal is told as that signal, not as a code", async () => {
    const fake = await host(async () => ({ signal: "KILL" }));
    expect((await run(client([fake.entry]), fake.entry)).ending).toEqual({ kind: "signalled", signal: "SIGKILL" });
  });

  it("F-28 a connection reset in the middle of the output is unknown and keeps what was read", async () => {
    const fake = await host(async (_command, { channel, reset }) => {
      channel.write("half of it", () => setTimeout(reset, 50));
      return "silence";
    });
    const result = await run(client([fake.entry]), fake.entry);
    expect(result.ending).toMatchObject({
      kind: "unknown",
      reason: expect.stringMatching(/^the connection to web-1 was lost/),
    });
    expect(Buffer.from(result.capture.head).toString()).toBe("half of it");
  });

  it("RR-13 F-28 a link that goes dark is found by keepalives, and the outcome is unknown", async () => {
    const fake = await host(async (_command, { goDark }) => {
      goDark();
      return "silence";
    });
    const ssh = client([fake.entry], { keepaliveMs: 30, keepaliveCount: 3 });
    expect((await run(ssh, fake.entry)).ending).toEqual({
      kind: "unknown",
      reason: "the connection to web-1 was lost (it stopped answering) before the command's end was told",
    });
  });

  it("a background child that writes for ever ends with the hard limit, and the command's own exit stands", async () => {
    const fake = await host(async (_command, { channel }) => {
      const chatter = setInterval(() => channel.write("tick"), 20);
      channel.once("close", () => clearInterval(chatter));
      channel.exit(0);
      return "silence";
    });
    const { ending } = await run(client([fake.entry]), { ...fake.entry, hardTimeoutMs: 200 });
    expect(ending).toEqual({ kind: "exited", code: 0 });
  });

  it("a channel closed without an exit is unknown, never exit 0", async () => {
    const fake = await host(async (_command, { channel }) => {
      channel.end();
      return "silence";
    });
    expect((await run(client([fake.entry]), fake.entry)).ending).toEqual({
      kind: "unknown",
      reason: "web-1 closed the session before the command's end was told",
    });
  });

  it.each([
    ["F-27 a reset while the session opens is unreachable: nothing was sent", "session", "unreachable", 0],
    ["F-27 a reset after the request went out is unknown", "exec", "unknown", 1],
  ] as const)("%s", async (_title, resetAt, kind, sent) => {
    const fake = await host(exits(0), { resetAt });
    let told = 0;
    const { ending } = await run(client([fake.entry]), fake.entry, "true", noCancel(), () => told++);
    expect({ kind: ending.kind, told, received: fake.seen.commands.length }).toEqual({
      kind,
      told: sent,
      received: sent,
    });
  });

  it("RR-13 a server that opens no session in time is unreachable", async () => {
    const fake = await host(exits(0), { muteAt: "session" });
    const { ending } = await run(client([fake.entry]), fake.entry);
    expect(ending).toMatchObject({ kind: "unreachable", reason: expect.stringContaining("nothing was run") });
    expect(fake.seen.commands).toEqual([]);
  });

  it("a request that is never confirmed is unknown at the hard limit", async () => {
    const fake = await host(exits(0), { muteAt: "exec" });
    const { ending } = await run(client([fake.entry]), { ...fake.entry, hardTimeoutMs: 100 });
    expect(ending).toEqual({ kind: "unknown", reason: "web-1 did not answer before it confirmed the command" });
  });

  it("AR-07 with a terminal a pager is left with q", async () => {
    const fake = await host(async (_command, { channel }) => {
      channel.write("a line\r\n\x1b[7mlines 1-23\x1b[27m");
      const key = await new Promise((resolve) => channel.once("data", (typed: Buffer) => resolve(typed.toString())));
      return key === "q" ? 0 : 1;
    });
    const { ending } = await run(client([fake.entry]), { ...fake.entry, tty: true });
    expect(ending).toEqual({ kind: "exited", code: 0 });
  });

  it("AR-07 with a terminal a question ends the run and is told", async () => {
    const fake = await host(async (command, { channel, over }) => {
      if (command.startsWith("exec sh")) return 127;
      channel.write("[sudo] password for ops: ");
      return { signal: await over };
    });
    const { ending } = await run(client([fake.entry]), { ...fake.entry, tty: true });
    expect(ending).toEqual({ kind: "waiting-for-input", asks: "[sudo] password for ops:" });
  });
});

describe("cancel and callbacks", () => {
  it("F-30 a command that ignores every signal is not called stopped", async () => {
    const fake = await host(async (command) => (command.startsWith("exec sh") ? 127 : "silence"));
    const { ending } = await run(client([fake.entry]), { ...fake.entry, hardTimeoutMs: 50 });
    expect(ending).toMatchObject({ kind: "timed-out", afterMs: 50, note: expect.stringContaining("it did not end") });
  });

  it("a cancel before the request is out sends nothing", async () => {
    const fake = await host(exits(0), { muteAt: "session" });
    const ssh = client([fake.entry], { openMs: 5_000 });
    const cancel = new AbortController();
    const result = run(ssh, fake.entry, "true", cancel.signal);
    await expect.poll(() => fake.seen.authentications).toBeGreaterThan(0);
    cancel.abort("lee");
    expect((await result).ending).toEqual({ kind: "cancelled", by: "lee", note: "it had not been started" });
    expect(fake.seen.commands).toEqual([]);
  });

  it("an exception in onOutput or onSent hurts neither the run nor its neighbours", async () => {
    const fake = await host(async (_command, { channel }) => {
      channel.write("out");
      return 0;
    });
    const bad = (): never => {
      throw new Error("the caller's bug");
    };
    const watch = { signal: noCancel(), onOutput: bad, onSent: bad };
    const result = await client([fake.entry]).exec({ runId: "1", server: fake.entry, wrapped: "x" }, watch);
    expect([result.ending, result.capture.bytes]).toEqual([{ kind: "exited", code: 0 }, 3]);
  });
});

describe("sessions", () => {
  it("at most 8 commands run on a connection and the rest wait their turn", async () => {
    const fake = await host(exitsAfter(30), { maxSessions: 20 });
    const ssh = client([fake.entry], { openMs: 5_000 });
    const results = await Promise.all(Array.from({ length: 20 }, () => run(ssh, fake.entry)));
    expect(new Set(results.map(({ ending }) => ending.kind))).toEqual(new Set(["exited"]));
    expect([fake.seen.connections, fake.seen.most, fake.seen.commands.length]).toEqual([1, 8, 20]);
  });

  it("a server that grants fewer sessions runs them one after the other, each once", async () => {
    const fake = await host(exitsAfter(20), { maxSessions: 1 });
    const ssh = client([fake.entry], { openMs: 5_000 });
    const results = await Promise.all(Array.from({ length: 4 }, () => run(ssh, fake.entry)));
    expect(results.map(({ ending }) => ending)).toEqual(Array(4).fill({ kind: "exited", code: 0 }));
    expect([fake.seen.most, fake.seen.commands.length]).toEqual([1, 4]);
  });

  it("a server that grants no session at all is unreachable, with the setting to change", async () => {
    const fake = await host(exits(0), { maxSessions: 0 });
    const { ending } = await run(client([fake.entry]), fake.entry);
    expect(ending).toMatchObject({ kind: "unreachable", remedy: expect.stringContaining("MaxSessions") });
  });

  it("no more handshakes are under way at once than allowed", async () => {
    const fake = await host(exits(0));
    const entries = Array.from({ length: 12 }, (_, i) => ({ ...fake.entry, name: `web-${i}` }));
    const ssh = client(entries, { handshakesAtOnce: 3, handshakeMs: 5_000 });
    const results = await Promise.all(entries.map((entry) => run(ssh, entry)));
    expect(results.map(({ ending }) => ending)).toEqual(Array(12).fill({ kind: "exited", code: 0 }));
    expect([fake.seen.connections, fake.seen.mostHandshakes]).toEqual([12, 3]);
  });

  it("after a lost connection the next command gets a new one", async () => {
    const fake = await host(exits(0));
    const ssh = client([fake.entry]);
    await run(ssh, fake.entry);
    fake.resetAll();
    await expect.poll(async () => (await run(ssh, fake.entry)).ending).toEqual({ kind: "exited", code: 0 });
    expect(fake.seen.connections).toBe(2);
  });
});

describe("reaching a server", () => {
  it("SR-51 F-25 a wrong host key is refused before a byte of login is sent, with both fingerprints", async () => {
    const fake = await host(exits(0));
    const other = ssh2.utils.generateKeyPairSync("ed25519").public.split(" ").slice(0, 2).join(" ");
    writeFileSync(fake.knownHostsFile, `# pinned\n\n[127.0.0.1]:${fake.entry.port} ${other}\n`);
    const { ending } = await run(client([fake.entry]), fake.entry);
    expect(ending).toMatchObject({
      kind: "unreachable",
      reason: expect.stringMatching(
        /^the host key of web-1 changed: known_hosts line 3 says SHA256:\S+, the server shows SHA256:\S+; nothing was sent$/,
      ),
    });
    expect([fake.seen.connections, fake.seen.authentications]).toEqual([1, 0]);
  });

  it("SR-51 an unknown host is not even dialled", async () => {
    const fake = await host(exits(0));
    writeFileSync(fake.knownHostsFile, "");
    const { ending } = await run(client([fake.entry]), fake.entry);
    expect(ending).toMatchObject({
      kind: "unreachable",
      reason: "no host key is known for web-1: known_hosts has no line for it",
    });
    expect(fake.seen.connections).toBe(0);
  });

  it("F-26 a refused login is tried once, and said without the account's name", async () => {
    const fake = await host(exits(0), { acceptsKey: false });
    const { ending } = await run(client([fake.entry]), fake.entry);
    expect(ending).toMatchObject({ kind: "unreachable", reason: expect.stringContaining("web-1 refused our login") });
    expect([fake.seen.connections, fake.seen.authentications]).toEqual([1, 1]);
  });

  it("a connection lost before the host key is tried again", async () => {
    const fake = await host(exits(0), { dropFirst: 2 });
    expect((await run(client([fake.entry]), fake.entry)).ending).toEqual({ kind: "exited", code: 0 });
    expect(fake.seen.connections).toBe(3);
  });

  it("a refused connection is unreachable and names no address", async () => {
    const fake = await host(exits(0));
    const entry = { ...fake.entry, port: await freePort(), hostKey: fake.hostKey };
    const { ending } = await run(client([entry]), entry);
    expect(ending).toMatchObject({
      kind: "unreachable",
      reason: "web-1 refused the connection: nothing listens on its SSH port",
    });
    expect(JSON.stringify(ending)).not.toContain("127.0.0.1");
  });

  it("F-24 a server that takes the connection and says nothing is unreachable after the handshake's time", async () => {
    const silent = net.createServer().listen(0, "127.0.0.1");
    cleanUps.push(async () => void silent.close());
    await new Promise((resolve) => silent.once("listening", resolve));
    const fake = await host(exits(0));
    const entry = { ...fake.entry, port: (silent.address() as net.AddressInfo).port, hostKey: fake.hostKey };
    const { ending } = await run(client([entry]), entry);
    expect(ending).toMatchObject({
      kind: "unreachable",
      reason: expect.stringContaining("did not finish the handshake"),
    });
  });

  it("a jump host that forwards nowhere is named, and the target is not blamed", async () => {
    const fake = await host(exits(0));
    const bastion = { ...fake.entry, name: "bastion" };
    const target = server({ name: "db-1", jump: "bastion", keyFile: fake.clientKeyFile, hostKey: fake.hostKey });
    const { ending } = await run(client([bastion, target]), target);
    expect(ending).toMatchObject({ kind: "unreachable", reason: expect.stringContaining("db-1") });
    expect(fake.seen.requests).toContain("tcpip");
  });

  it("an unknown jump host is an error of the inventory, told before anything is dialled", async () => {
    const fake = await host(exits(0));
    const entry = { ...fake.entry, jump: "bastian" };
    const { ending } = await run(client([entry]), entry);
    expect(ending).toMatchObject({
      kind: "unreachable",
      reason: "the jump host bastian of web-1 is not in the inventory",
    });
    expect(fake.seen.connections).toBe(0);
  });
});

describe("probe", () => {
  it("AR-06 finds Windows by its second question", async () => {
    const fake = await host(async (command, { channel }) => {
      if (command === "uname -s") return 1;
      channel.write("\r\nMicrosoft Windows [Version 10.0.20348]\r\n");
      return 0;
    });
    const entry: Server = { ...fake.entry, os: "auto" };
    expect(await client([entry]).probe(entry)).toMatchObject({ ok: true, os: "windows" });
    expect(fake.seen.commands).toEqual(["uname -s", "cmd.exe /c ver"]);
  });

  it("a server that cannot be reached gives its reason and remedy", async () => {
    const entry = server({ hostKey: "nonsense" });
    expect(await client([entry]).probe(entry)).toEqual({
      ok: false,
      reason: "host_key of web-1 is no public key",
      remedy: 'write it as `host_key: "ssh-ed25519 AAAA…"`',
    });
  });
});
