import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Play } from "./fake-host.ts";
import { createWorld, exits, run } from "./world.ts";

const { host, client } = createWorld();

const exitsAfter =
  (ms: number): Play =>
  async () => {
    await sleep(ms);
    return 0;
  };

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
