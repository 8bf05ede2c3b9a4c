import { createHash, KeyObject, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import net from "node:net";
import ssh2, { type CipherAlgorithm, type Client, type Connection } from "ssh2";
import { afterEach, describe, expect, it } from "vitest";
import { type Departure, execOnWire, letGo, letGoOf, quicken, readInPlace } from "../../src/ssh/wire.ts";
import { type FakeHost, type Play, startFakeHost } from "./fake-host.ts";

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function connect(): Promise<{ fake: FakeHost; client: Client }> {
  const fake = await startFakeHost(async () => 0);
  cleanUps.push(fake.close);
  const client = new ssh2.Client();
  await new Promise<void>((resolve, reject) => {
    client.on("ready", () => resolve()).on("error", reject);
    const { host, port, user: username } = fake.entry;
    client.connect({ host, port, username, privateKey: readFileSync(fake.clientKeyFile) });
  });
  cleanUps.push(async () => void client.end());
  return { fake, client };
}

const exec = (client: Client, command: string, maySend: () => boolean): Promise<Error | undefined> =>
  new Promise((resolve) => {
    const onReady = ({ send, drop }: Departure): void => (maySend() ? send() : drop());
    execOnWire(client, { command, options: {}, onReady }, (error, channel) => {
      channel?.resume();
      resolve(error);
    });
  });

describe("the gate inside ssh2 (private parts of the pinned version)", () => {
  it("F-27 is asked once for each request, just before it goes out", async () => {
    const { fake, client } = await connect();
    const asked: [string, number][] = [];
    const ask = (command: string): Promise<Error | undefined> =>
      exec(client, command, () => {
        asked.push([command, fake.seen.commands.length]);
        return true;
      });
    expect(await Promise.all([ask("one"), ask("two")])).toEqual([undefined, undefined]);
    expect(asked.map(([command]) => command).sort()).toEqual(["one", "two"]);
    expect(fake.seen.commands.toSorted()).toEqual(["one", "two"]);
  });

  it("SR-24 a request that waits knows that its channel was closed, also where another has its number by now", async () => {
    const { fake, client } = await connect();
    const wait = (command: string): Promise<Departure> =>
      new Promise((onReady) => execOnWire(client, { command, options: {}, onReady }, () => undefined));
    const first = await wait("first");
    expect(first.isOpen()).toBe(true);
    fake.closeSessions();
    await expect.poll(first.isOpen).toBe(false);
    const second = await wait("second");
    expect([first.isOpen(), second.isOpen()]).toEqual([false, true]);
  });

  it("F-27 when closed, the request is never sent and the connection goes on", async () => {
    const { fake, client } = await connect();
    void exec(client, "held back", () => false);
    expect(await exec(client, "sent", () => true)).toBeUndefined();
    expect(fake.seen.commands).toEqual(["sent"]);
  });
});

describe("a long output (private parts of the pinned version)", () => {
  const output = randomBytes(3_000_000);
  /** In two halves, with new keys between them. */
  const twoHalves: Play = async (_command, { channel }) => {
    const { _client: server } = channel as unknown as { _client: Connection };
    channel.write(output.subarray(0, 1_234_567));
    await new Promise<void>((done) => server.rekey(done));
    channel.write(output.subarray(1_234_567));
    return 0;
  };
  const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
  const keysOf = (client: Client): unknown[] => {
    const { _cipher, _decipher } = (client as unknown as { _protocol: Record<"_cipher" | "_decipher", object> })
      ._protocol;
    return [_cipher, _decipher].flatMap((part) =>
      Object.entries(part).flatMap(([name, value]) => (/Key/.test(name) ? [value] : [])),
    );
  };

  it.each<[CipherAlgorithm, boolean]>([
    ["aes128-gcm@openssh.com", true],
    ["aes256-gcm@openssh.com", true],
    ["chacha20-poly1305@openssh.com", false],
    ["aes128-ctr", false],
  ])(
    "SR-54 under %s comes as it was sent, through new keys; only what ssh2 copies is read in place",
    async (cipher, inPlace) => {
      const { entry, clientKeyFile, close } = await startFakeHost(twoHalves);
      cleanUps.push(close);
      const socket: net.Socket = net.connect({ host: entry.host, port: entry.port, onread: readInPlace(() => socket) });
      const client = new ssh2.Client();
      const ready = new Promise<void>((resolve, reject) => client.on("ready", resolve).on("error", reject));
      client.connect({
        sock: socket,
        username: entry.user,
        privateKey: readFileSync(clientKeyFile),
        algorithms: { cipher: [cipher] },
      });
      quicken(client, socket);
      await ready;
      cleanUps.push(async () => void client.end());
      const memories = new Set<unknown>();
      socket.on("data", ({ buffer }: Buffer) => memories.add(buffer));
      const hash = createHash("sha256");
      await new Promise<unknown>((done) => {
        client.exec("print", (_error, channel) => {
          channel.on("data", (chunk: Buffer) => {
            hash.update(chunk);
            letGoOf(client, chunk);
          });
          channel.on("close", done);
        });
      });
      expect(hash.digest("hex")).toBe(sha256(output));
      expect(memories.size === 1).toBe(inPlace);
      const keys = keysOf(client);
      expect(keys.length).toBeGreaterThan(0);
      expect(keys.every((key) => key instanceof KeyObject)).toBe(true);
    },
  );

  it("SR-54 lets go of a memory only where nobody else has a part of it", () => {
    const [whole, pooled, shared] = [Buffer.allocUnsafeSlow(50_000), Buffer.allocUnsafe(1_000), Buffer.alloc(1_000)];
    const half = shared.subarray(500);
    const packet = whole.subarray(10, 49_900);
    for (const part of [packet, pooled, half]) letGo(part);
    expect([packet, pooled, half].map(({ length }) => length)).toEqual([0, 1_000, 500]);
    const ofOthers = Buffer.allocUnsafeSlow(50_000);
    letGoOf(new ssh2.Client(), ofOthers);
    expect(ofOthers.length).toBe(50_000);
  });
});
