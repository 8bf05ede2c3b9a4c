import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { ExecOrder, ExecResult, Reservation } from "../../src/base/run.ts";
import { fingerprint } from "../../src/ssh/keys/host-keys.ts";
import type { Ssh } from "../../src/ssh/run.ts";
import { wrap } from "../../src/ssh/wrap.ts";
import type { FakeHost, Play } from "./fake-host.ts";
import { startSwitchboard } from "./switchboard.ts";
import { createWorld, exits, noCancel, run } from "./world.ts";

const { host, client: hasty, cleanUp } = createWorld();

/** Nothing here is about a server that is slow, but for those that say so. */
const client: typeof hasty = (servers, limits = {}) =>
  hasty(servers, { connectMs: 10_000, handshakeMs: 10_000, openMs: 10_000, proveMs: 10_000, ...limits });

afterEach(() => {
  vi.useRealTimers();
});

const reserve = (ssh: Ssh, order: ExecOrder): Promise<Reservation> => ssh.reserve(order, noCancel());

/** Sends it on a look of this very moment. */
function send(reservation: Reservation): Promise<ExecResult> {
  const sent = reservation.send(Date.now(), {});
  if (sent === "stale") throw new Error("a look of this moment is not stale");
  return sent;
}

/** So much later by the clock on the wall; no timer goes on. */
function later(ms: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
}

/** A server whose machine can be replaced behind its address. */
async function behindBoard(fake: FakeHost) {
  const board = await startSwitchboard(fake.entry.port);
  cleanUp(async () => board.close());
  return { board, entry: { ...fake.entry, port: board.port, hostKey: fake.hostKey } };
}

const fingerprintOf = ({ hostKey }: FakeHost): string =>
  fingerprint(Buffer.from(hostKey.split(" ")[1] ?? "", "base64"));

const jobId = "j".repeat(16);
const fine = { kind: "exited", code: 0 };
const notRun = { kind: "unreachable", reason: expect.stringContaining("nothing was run") };

describe("a reserved command", () => {
  it.each([
    ["direct", { mode: "direct" }],
    ["as a job", { mode: "job", jobId }],
  ] as const)("SR-24 (%s) leaves at its send and not before, though its session stands open", async (_, how) => {
    const fake = await host(exits(0));
    const wrapped = wrap(fake.entry, "it", "linux", how);
    const reservation = await reserve(client([fake.entry]), { server: fake.entry, wrapped, ...how });
    await sleep(50);
    expect([fake.seen.most, fake.seen.commands]).toEqual([1, []]);
    expect((await send(reservation)).ending).toEqual(fine);
    expect(fake.seen.commands).toEqual([wrapped]);
  });

  it("SR-24 on a look of more than a second ago is not sent, and is as soon as somebody has looked again", async () => {
    const fake = await host(exits(0));
    const reservation = await reserve(client([fake.entry]), { server: fake.entry, wrapped: "it" });
    expect(reservation.send(Date.now() - 1_001, {})).toBe("stale");
    // A clock that was set back since says nothing of how long ago that was.
    expect(reservation.send(Date.now() + 60_000, {})).toBe("stale");
    await sleep(20);
    expect(fake.seen.commands).toEqual([]);
    expect((await send(reservation)).ending).toEqual(fine);
    expect(fake.seen.commands).toEqual(["it"]);
  });

  it("SR-24 on a look that would be too old by the write it is not begun, so that somebody looks again", async () => {
    const fake = await host(exits(0));
    const reservation = await reserve(client([fake.entry]), { server: fake.entry, wrapped: "it" });
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    expect(reservation.send(Date.now() - 999, {})).toBe("stale");
    expect((await send(reservation)).ending).toEqual(fine);
  });

  it("keeps the only session of its server until it is let go, and then another has it", async () => {
    const fake = await host(exits(0), { maxSessions: 1 });
    const ssh = client([fake.entry]);
    const first = await reserve(ssh, { server: fake.entry, wrapped: "first" });
    let isThere = false;
    const second = reserve(ssh, { server: fake.entry, wrapped: "second" }).then((reservation) => {
      isThere = true;
      return reservation;
    });
    await sleep(100);
    expect(isThere).toBe(false);
    first.release();
    expect((await send(await second)).ending).toEqual(fine);
    // What was sent has let go by itself.
    expect((await run(ssh, fake.entry, "third")).ending).toEqual(fine);
    expect([fake.seen.commands, fake.seen.connections]).toEqual([["second", "third"], 1]);
  });

  it("let go after it was sent, it goes on to its end", async () => {
    const fake = await host(async () => {
      await sleep(50);
      return 0;
    });
    const reservation = await reserve(client([fake.entry]), { server: fake.entry, wrapped: "it" });
    const sent = send(reservation);
    reservation.release();
    expect((await sent).ending).toEqual(fine);
  });

  it("that waits for a session longer than it may is told as not run", async () => {
    const fake = await host(exits(0), { maxSessions: 1 });
    const ssh = client([fake.entry], { waitMs: 100 });
    await reserve(ssh, { server: fake.entry, wrapped: "first" });
    const second = await reserve(ssh, { server: fake.entry, wrapped: "second" });
    expect((await send(second)).ending).toMatchObject({ ...notRun, remedy: expect.stringContaining("/cancel") });
    expect(fake.seen.commands).toEqual([]);
  });

  it.each([
    ["direct", { mode: "direct" }],
    ["as a job", { mode: "job", jobId }],
  ] as const)(
    "SR-24 (%s) that had its session in time is sent however long its checks take then",
    { tags: ["long"] },
    async (_, how) => {
      const fake = await host(exits(0));
      const wrapped = wrap(fake.entry, "it", "linux", how);
      const ssh = client([fake.entry], { waitMs: 1_000 });
      const reservation = await reserve(ssh, { server: fake.entry, wrapped, ...how });
      await sleep(1_200);
      expect((await send(reservation)).ending).toEqual(fine);
      expect(fake.seen.commands).toEqual([wrapped]);
    },
  );

  it("whose connection is lost before it was sent is told as not run", async () => {
    const fake = await host(exits(0));
    const ssh = client([fake.entry]);
    const order = { server: fake.entry, wrapped: "it" };
    const [direct, job] = [await reserve(ssh, order), await reserve(ssh, { ...order, mode: "job", jobId })];
    fake.resetAll();
    // Once another one stands, it is known that this one is lost.
    await expect.poll(async () => (await run(ssh, fake.entry, "between")).ending).toEqual(fine);
    expect([(await send(direct)).ending, (await send(job)).ending]).toMatchObject([notRun, notRun]);
    expect(fake.seen.commands).toEqual(["between"]);
  });

  it("whose session the server closed is never sent into the next one that has its number", async () => {
    const fake = await host(exits(0));
    const ssh = client([fake.entry]);
    const first = await reserve(ssh, { server: fake.entry, wrapped: "first" });
    fake.closeSessions();
    // What the server says comes in order, so that this answer is heard after the close.
    await run(ssh, fake.entry, "between");
    const second = await reserve(ssh, { server: fake.entry, wrapped: "second" });
    expect((await send(first)).ending).toMatchObject(notRun);
    expect((await send(second)).ending).toEqual(fine);
    expect([fake.seen.commands, fake.seen.connections]).toEqual([["between", "second"], 1]);
  });
});

describe("SR-51 before it is sent the server proves its host key again", () => {
  const order = (entry: FakeHost["entry"]): ExecOrder => ({ server: entry, wrapped: "it" });

  it("on a connection of its own, where that was more than a second ago, and once for all who ask then", async () => {
    const { board, entry } = await behindBoard(await host(exits(0)));
    const ssh = client([entry]);
    const reservation = await reserve(ssh, order(entry));
    const other = await reserve(ssh, order(entry));
    expect([await reservation.prove(), board.asked()]).toEqual([undefined, 1]);
    later(1_001);
    expect(await Promise.all([reservation.prove(), other.prove()])).toEqual([undefined, undefined]);
    expect(await reservation.prove()).toBeUndefined();
    expect(board.asked()).toBe(2);
    later(2_002);
    await reservation.prove();
    expect(board.asked()).toBe(3);
  });

  it("and one that shows another, while the connection of before still stands, is refused, with 0 logins", async () => {
    const [first, second] = [await host(exits(0)), await host(exits(0))];
    const { board, entry } = await behindBoard(first);
    const reservation = await reserve(client([entry]), order(entry));
    board.switchTo(second.entry.port);
    later(1_001);
    expect(await reservation.prove()).toContain("the host key of web-1 changed");
    reservation.release();
    expect([first.open(), first.seen.commands, second.seen.commands]).toEqual([1, [], []]);
    expect(second.seen.authentications).toBe(0);
  });

  it("and one that takes our login no more is refused", async () => {
    const faults = { acceptsKey: true };
    const fake = await host(exits(0), faults);
    const reservation = await reserve(client([fake.entry]), order(fake.entry));
    faults.acceptsKey = false;
    later(1_001);
    expect(await reservation.prove()).toContain("refused our login");
  });

  it.each([
    ["takes no new connection", "stopListening"],
    ["answers none", "hold"],
  ] as const)("one that %s has said nothing of its key, and that of the standing connection counts", async (_, how) => {
    const { board, entry } = await behindBoard(await host(exits(0)));
    const reservation = await reserve(client([entry], { proveMs: 100 }), order(entry));
    board[how]();
    later(1_001);
    expect(await reservation.prove()).toBeUndefined();
    expect((await send(reservation)).ending).toEqual(fine);
  });

  it("through its jump host as well", async () => {
    const [first, second] = [await host(exits(0)), await host(exits(0))];
    const bastion = { ...(await host(exits(0), { forwards: true })).entry, name: "bastion" };
    const { board, entry: direct } = await behindBoard(first);
    const entry = { ...direct, jump: "bastion" };
    const reservation = await reserve(client([bastion, entry]), order(entry));
    later(1_001);
    expect([await reservation.prove(), board.asked()]).toEqual([undefined, 2]);
    board.switchTo(second.entry.port);
    later(2_002);
    expect(await reservation.prove()).toContain("the host key of web-1 changed");
  });
});

describe("SR-51 a command goes only over a connection that was made with a key that was approved", () => {
  /** A server that may show either of two keys, and has shown the first one. */
  async function withTwoKeys(play: Play = exits(0)) {
    const [first, second] = [await host(play), await host(exits(0))];
    const { board, entry: known } = await behindBoard(first);
    const lines = [first, second].map(({ hostKey }) => `[127.0.0.1]:${board.port} ${hostKey}\n`);
    writeFileSync(first.knownHostsFile, lines.join(""));
    const { hostKey: _, ...entry } = known;
    return { first, second, board, entry, ssh: client([entry]) };
  }

  it("a standing one with another key is given up for a new one, and what runs on it goes on to its end", async () => {
    const end = Promise.withResolvers<number>();
    const { first, second, board, entry, ssh } = await withTwoKeys(() => end.promise);
    const running = run(ssh, entry, "running");
    await expect.poll(() => first.seen.commands).toEqual(["running"]);
    board.switchTo(second.entry.port);
    later(1_001);
    const reservation = await reserve(ssh, {
      server: entry,
      wrapped: "it",
      hostKeys: [fingerprintOf(second)],
    });
    expect((await send(reservation)).ending).toEqual(fine);
    end.resolve(0);
    expect((await running).ending).toEqual(fine);
    expect([first.seen.commands, second.seen.commands]).toEqual([["running"], ["it"]]);
  });

  it("where the new one shows another key as well, nothing is sent", async () => {
    const { first, second, entry, ssh } = await withTwoKeys();
    await run(ssh, entry, "before");
    later(1_001);
    const reservation = await reserve(ssh, { server: entry, wrapped: "it", hostKeys: [fingerprintOf(second)] });
    expect((await send(reservation)).ending).toMatchObject({
      kind: "unreachable",
      reason: expect.stringContaining("not the one that was approved; nothing was sent"),
    });
    expect([first.seen.commands, first.seen.connections, second.seen.connections]).toEqual([["before"], 2, 0]);
  });
});
