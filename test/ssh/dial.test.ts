import { writeFileSync } from "node:fs";
import net from "node:net";
import { describe, expect, it } from "vitest";
import { freePort } from "../../demo/free-port.ts";
import { server } from "./inventory-entry.ts";
import { ed25519Pair } from "./keys.ts";
import { createWorld, exits, run } from "./world.ts";

const { host, client, cleanUp } = createWorld();

/** A port that speaks as `play` does, and the number of connections it saw. */
async function rawHost(play: (socket: net.Socket) => void) {
  const seen = { connections: 0, errors: 0 };
  const listener = net.createServer((socket) => {
    seen.connections++;
    socket.on("error", () => seen.errors++);
    play(socket);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  cleanUp(async () => void listener.close());
  const fake = await host(exits(0));
  const entry = { ...fake.entry, port: (listener.address() as net.AddressInfo).port, hostKey: fake.hostKey };
  return { entry, seen };
}

const lost = "web-1 closed the connection before the login";

describe("reaching a server", () => {
  it("SR-51 F-25 a wrong host key is refused before a byte of login is sent, with both fingerprints", async () => {
    const fake = await host(exits(0));
    const other = ed25519Pair().public.split(" ").slice(0, 2).join(" ");
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
      reason: `web-1 refused the connection: nothing listens on port ${entry.port}`,
      remedy: expect.stringContaining("correct `port`"),
    });
    expect(JSON.stringify(ending)).not.toContain("127.0.0.1");
  });

  it("F-24 a server that takes the connection and says nothing is unreachable after the handshake's time", async () => {
    const silent = net.createServer().listen(0, "127.0.0.1");
    cleanUp(async () => void silent.close());
    await new Promise((resolve) => silent.once("listening", resolve));
    const fake = await host(exits(0));
    const entry = { ...fake.entry, port: (silent.address() as net.AddressInfo).port, hostKey: fake.hostKey };
    const { ending } = await run(client([entry]), entry);
    expect(ending).toMatchObject({
      kind: "unreachable",
      reason: expect.stringContaining("did not finish the handshake"),
    });
  });

  it.each([
    ["a refusal by MaxStartups", "Exceeded MaxStartups\r\n"],
    ["an end after its banner", "SSH-2.0-OpenSSH_9.2\r\n"],
    ["an end before a word", ""],
  ])("F-27 %s is tried again, as often as allowed, and then says what may be wrong", async (_what, says) => {
    const { entry, seen } = await rawHost((socket) => socket.end(says));
    const { ending } = await run(client([entry], { dialAttempts: 3 }), entry);
    expect(ending).toMatchObject({ reason: lost, remedy: expect.stringContaining("MaxStartups") });
    expect(seen.connections).toBe(3);
  });

  it.each([
    ["a web server", "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n", " is a web server, not SSH"],
    ["an old web server's page", "<!DOCTYPE HTML>\n<html><h1>Error</h1></html>\n", " is a web server, not SSH"],
    ["a mail server", "220 mail.acme.example ESMTP\r\n", " is not SSH"],
    ["TLS's alert", Buffer.from([0x15, 3, 1, 0, 2, 2, 40]), " is not SSH"],
  ])("F-24 %s on the port is called a wrong port, and is not tried again", async (_what, says, told) => {
    const { entry, seen } = await rawHost((socket) => socket.end(says));
    const { ending } = await run(client([entry], { dialAttempts: 3 }), entry);
    expect(ending).toMatchObject({
      kind: "unreachable",
      reason: `what answers on port ${entry.port} of web-1${told}`,
      remedy: "correct `port` in the inventory",
    });
    expect(seen.connections).toBe(1);
  });

  it("F-24 a mail server that waits for an answer is called a wrong port too", async () => {
    const { entry } = await rawHost((socket) => void socket.write("220 mail.acme.example ESMTP\r\n"));
    const { ending } = await run(client([entry]), entry);
    expect(ending).toMatchObject({ reason: `what answers on port ${entry.port} of web-1 is not SSH` });
  });

  it("a reset in the middle of the key exchange is tried again, since the host key was not shown", async () => {
    const { entry, seen } = await rawHost((socket) => {
      socket.write("SSH-2.0-OpenSSH_9.2\r\n");
      socket.once("data", () => socket.resetAndDestroy());
    });
    const { ending } = await run(client([entry], { dialAttempts: 2 }), entry);
    expect(ending).toMatchObject({ kind: "unreachable", reason: lost });
    expect(seen.connections).toBe(2);
  });

  it("a server whose every byte is an error is left at the first", async () => {
    const junk = Buffer.alloc(65_536, "SSH-2.0-\0\r\n");
    let sent = 0;
    const { entry } = await rawHost((socket) => {
      const more = (): void => {
        while (!socket.destroyed && sent < 64 * 1024 * 1024 && socket.write(junk)) sent += junk.length;
      };
      socket.on("drain", more);
      more();
    });
    const { ending } = await run(client([entry], { dialAttempts: 1 }), entry);
    expect(ending).toMatchObject({ kind: "unreachable" });
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  it("a greeting without end is left, however slowly it comes", async () => {
    const line = `${"x".repeat(4_000)}\r\n`;
    const { entry } = await rawHost((socket) => {
      const more = setInterval(() => socket.write(line), 1);
      socket.once("close", () => clearInterval(more));
    });
    const { ending } = await run(client([entry], { handshakeMs: 20_000 }), entry);
    expect(ending).toMatchObject({
      kind: "unreachable",
      reason: `what answers on port ${entry.port} of web-1 is not SSH`,
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

  it("RR-13 a way through a jump host that opens only when nobody waits for it any more is closed again", async () => {
    const [fake, slow] = [await host(exits(0)), await host(exits(0), { forwards: true, forwardsAfterMs: 400 })];
    const bastion = { ...slow.entry, name: "bastion" };
    const ssh = client([bastion, { ...fake.entry, jump: "bastion" }], { connectMs: 100, idleMs: 60_000 });
    const { ending } = await run(ssh, { ...fake.entry, jump: "bastion" });
    expect(ending).toMatchObject({ kind: "unreachable", reason: expect.stringContaining("no answer") });
    await expect.poll(() => slow.seen.requests).toEqual(["tcpip", "tcpip closed"]);
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
