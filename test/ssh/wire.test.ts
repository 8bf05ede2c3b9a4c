import { readFileSync } from "node:fs";
import ssh2, { type Client } from "ssh2";
import { afterEach, describe, expect, it } from "vitest";
import { type Departure, execOnWire } from "../../src/ssh/wire.ts";
import { type FakeHost, startFakeHost } from "./fake-host.ts";

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
