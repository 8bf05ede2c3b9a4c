import type { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import type { Server } from "../../src/base/server.ts";
import { defaultLimits } from "../../src/ssh/limits.ts";
import { createPool } from "../../src/ssh/pool.ts";
import type { FakeHost, Play } from "./fake-host.ts";
import { startFaultProxy, swallow } from "./fault-proxy.ts";
import { inventory } from "./inventory-entry.ts";
import { startSwitchboard } from "./switchboard.ts";
import { createWorld, exits, run } from "./world.ts";

const { host, client, cleanUp } = createWorld();

/** A server whose machine can be replaced behind its address. */
async function switchboard(first: FakeHost) {
  const board = await startSwitchboard(first.entry.port);
  cleanUp(async () => board.close());
  const entry = { ...first.entry, port: board.port, hostKey: first.hostKey };
  return { entry, switchTo: (next: FakeHost) => board.switchTo(next.entry.port) };
}

const exitsAfter =
  (ms: number): Play =>
  async () => {
    await sleep(ms);
    return 0;
  };

describe("sessions", () => {
  it("at most 8 commands run on a connection and the rest wait their turn", async () => {
    const mayEnd = Promise.withResolvers<void>();
    const fake = await host(() => mayEnd.promise.then(() => 0), { maxSessions: 20 });
    const ssh = client([fake.entry], { openMs: 5_000 });
    const runs = Array.from({ length: 20 }, () => run(ssh, fake.entry));
    await expect.poll(() => fake.seen.commands.length).toBe(8);
    mayEnd.resolve();
    const results = await Promise.all(runs);
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

describe("the life of a connection", () => {
  /** A pool alone, with a signal that ends a lease which asks for the same dead connection again and again. */
  const leaseOf = (entry: Server) => {
    const pool = createPool({ servers: inventory(entry), limits: { ...defaultLimits }, agentSocket: undefined });
    cleanUp(pool.close);
    const cancel = new AbortController();
    const { signal } = cancel;
    const listen = signal.addEventListener.bind(signal);
    let asked = 0;
    vi.spyOn(signal, "addEventListener").mockImplementation((...args: Parameters<typeof listen>) => {
      if (++asked > 1_000) cancel.abort();
      listen(...args);
    });
    return async () => {
      const leased = await pool.lease(entry, { signal });
      if (leased.kind !== "lease") throw new Error(JSON.stringify(leased));
      return leased.lease;
    };
  };

  it.each(["error", "end", "close"] as const)(
    "RR-13 F-24 a lease asked for in the `%s` of a connection that was reset gets a new one, once, and the loop goes on",
    async (event) => {
      const fake = await host(exits(0));
      const proxy = await startFaultProxy(fake.entry.port);
      cleanUp(proxy.close);
      const lease = leaseOf({ ...fake.entry, port: proxy.port, hostKey: fake.hostKey });
      const first = await lease();
      first.release();
      const second = Promise.withResolvers<Awaited<ReturnType<typeof lease>>>();
      const emitter: EventEmitter = first.connection.client;
      emitter.once(event, () => lease().then(second.resolve, second.reject));
      if (event === "end") proxy.links[0]?.near.end();
      else proxy.links[0]?.near.resetAndDestroy();
      const { connection, release } = await second.promise;
      release();
      expect(connection.closedBecause()).toBeUndefined();
      expect(connection.client).not.toBe(first.connection.client);
      expect(fake.seen.connections).toBe(2);
    },
  );

  it("RR-13 one whose server has vanished without a word is no more given out once it is closed, and no end waits for it", {
    tags: ["long"],
  }, async () => {
    const fake = await host(exits(0));
    const proxy = await startFaultProxy(fake.entry.port);
    cleanUp(proxy.close);
    const vanish = (): void => {
      for (const link of proxy.links) {
        link.rule = swallow;
        link.near.removeAllListeners("end");
      }
    };
    const entry = { ...fake.entry, port: proxy.port, hostKey: fake.hostKey };
    const [idle, ssh] = [client([entry], { idleMs: 20 }), client([entry])];
    await Promise.all([run(idle, entry), run(ssh, entry)]);
    vanish();
    await sleep(200);
    expect((await run(idle, entry)).ending).toEqual({ kind: "exited", code: 0 });
    const ended = ssh.close().then(() => "ended");
    expect(await Promise.race([ended, sleep(10_000, "waits")])).toBe("ended");
  });

  it("SR-51 F-25 a host key that changes while the pool lives is refused at the next connection, once, with 0 logins", async () => {
    const [first, second] = [await host(exits(0)), await host(exits(0))];
    const { entry, switchTo } = await switchboard(first);
    const ssh = client([entry]);
    expect((await run(ssh, entry)).ending).toEqual({ kind: "exited", code: 0 });
    switchTo(second);
    first.resetAll();
    const changed = async () => (await run(ssh, entry)).ending;
    await expect.poll(changed).toMatchObject({ kind: "unreachable", reason: expect.stringContaining("web-1 changed") });
    const connections = second.seen.connections;
    await changed();
    expect([second.seen.connections - connections, second.seen.authentications]).toEqual([1, 0]);
    expect(second.seen.commands).toEqual([]);
  });

  it("RR-13 a connection nobody uses is closed after its idle time, and the next command opens a new one", async () => {
    const fake = await host(exits(0));
    const ssh = client([fake.entry], { idleMs: 30 });
    await run(ssh, fake.entry);
    await expect.poll(fake.open).toBe(0);
    expect((await run(ssh, fake.entry)).ending).toEqual({ kind: "exited", code: 0 });
    expect(fake.seen.connections).toBe(2);
  });

  it("a command that runs longer than the idle time keeps its connection", async () => {
    const fake = await host(exitsAfter(150));
    const ssh = client([fake.entry], { idleMs: 30 });
    expect((await run(ssh, fake.entry)).ending).toEqual({ kind: "exited", code: 0 });
    expect(fake.seen.connections).toBe(1);
  });

  it("RR-13 F-28 a host that falls silent is given up after three unanswered keepalives, and its command is unknown", async () => {
    const fake = await host(async (_command, { goDark }) => {
      goDark();
      return "silence";
    });
    const ssh = client([fake.entry], { keepaliveMs: 30, keepaliveCount: 3 });
    const { ending } = await run(ssh, fake.entry);
    expect(ending).toMatchObject({ kind: "unknown", reason: expect.stringContaining("it stopped answering") });
  });

  it("F-24 a silent connection that nobody had used is found before anything is sent over it", async () => {
    const fake = await host(exits(0));
    const ssh = client([fake.entry], { keepaliveMs: 100, keepaliveCount: 3 });
    await run(ssh, fake.entry);
    fake.goDark();
    const { ending } = await run(ssh, fake.entry);
    expect(ending).toMatchObject({ kind: "unreachable", reason: expect.stringContaining("nothing was run") });
    await expect.poll(async () => (await run(ssh, fake.entry)).ending).toEqual({ kind: "exited", code: 0 });
    // A busy machine may take a new connection for a silent one, too.
    expect(fake.seen.connections).toBeGreaterThan(1);
    expect(fake.seen.commands).toHaveLength(2);
  });

  it("a changed inventory entry never gets the old connection", async () => {
    const fake = await host(exits(0));
    const ssh = client([fake.entry]);
    await run(ssh, fake.entry);
    const wrongAlias = { ...fake.entry, hostKeyAlias: "elsewhere" };
    expect((await run(ssh, wrongAlias)).ending).toMatchObject({ kind: "unreachable" });
    expect(fake.seen.connections).toBe(1);
  });
});
