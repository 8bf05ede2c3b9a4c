import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { ExecOrder, ExecResult } from "../../src/base/run.ts";
import { createReserve, followToEnd } from "../../src/base/runner.ts";
import { server } from "../ssh/inventory-entry.ts";

const result: ExecResult = {
  ending: { kind: "exited", code: 0 },
  capture: { head: new Uint8Array(), tail: new Uint8Array(), bytes: 0, dropped: 0, sha256: "" },
  durationMs: 0,
  housekeeping: [],
};
const order: ExecOrder = { server: server(), wrapped: "uptime" };
const noCancel = (): AbortSignal => new AbortController().signal;

/** A carrier whose ways are numbers, with what it was asked for. */
function carrier() {
  const asked: string[] = [];
  const outdated = new Set<number>();
  let opened = 0;
  const reserve = createReserve<number>({
    freshMs: 1_000,
    open: async () => {
      asked.push(`open ${++opened}`);
      return opened;
    },
    isCurrent: (way) => !outdated.has(way),
    whyRefused: async (way) => (way === 3 ? "the third is refused" : undefined),
    start: async (way) => {
      asked.push(`send ${way}`);
      return result;
    },
    close: (way) => void asked.push(`close ${way}`),
  });
  return { asked, outdated, reserve };
}

describe("SR-24 the one runner", () => {
  it("sends nothing on a check that is too old, nor on one of the future; then the reservation stands", async () => {
    const { asked, reserve } = carrier();
    const reservation = await reserve(order, noCancel());
    expect([-60_000, 60_000].map((ms) => reservation.send(Date.now() + ms, {}))).toEqual(["stale", "stale"]);
    expect(await reservation.send(Date.now(), {})).toBe(result);
    reservation.release();
    expect(asked).toEqual(["open 1", "send 1", "close 1"]);
  });

  it("F-35 finds a job that was sent before on a check of any age: nothing goes out that could start it", async () => {
    const { reserve } = carrier();
    const found = { ...order, mode: "job", jobId: "j".repeat(16), resume: { sentAt: new Date(0) } } as const;
    expect(await (await reserve(found, noCancel())).send(0, {})).toBe(result);
  });

  it("opens a way again whose proof is not current, and sends over that one", async () => {
    const { asked, outdated, reserve } = carrier();
    const reservation = await reserve(order, noCancel());
    expect(await reservation.prove()).toBeUndefined();
    outdated.add(1).add(2);
    expect(await reservation.prove()).toBeUndefined();
    expect(await reservation.prove()).toBe("the third is refused");
    await reservation.send(Date.now(), {});
    expect(asked).toEqual(["open 1", "close 1", "open 2", "close 2", "open 3", "send 3", "close 3"]);
  });

  it("keeps nothing open that a proof opens after the release", async () => {
    const { asked, outdated, reserve } = carrier();
    const reservation = await reserve(order, noCancel());
    outdated.add(1);
    const proof = reservation.prove();
    reservation.release();
    await proof;
    expect(asked.filter((word) => word.startsWith("open"))).toHaveLength(2);
    expect(asked.at(-1)).toBe("close 2");
  });
});

describe("a reservation is over", () => {
  it("when it is released unsent, and else when what it sent has ended, not before", async () => {
    const end = Promise.withResolvers<ExecResult>();
    const way = { freshMs: 1_000, isCurrent: () => true, whyRefused: async () => undefined, close: () => {} };
    const reserve = createReserve<undefined>({ ...way, open: async () => undefined, start: () => end.promise });
    const [unsent, sent] = [await reserve(order, noCancel()), await reserve(order, noCancel())];
    let isOver = false;
    void sent.over.then(() => {
      isOver = true;
    });
    unsent.release();
    await unsent.over;
    const running = sent.send(Date.now(), {});
    await setImmediate();
    expect(isOver).toBe(false);
    end.resolve(result);
    await running;
    await sent.over;
  });
});

describe("RR-06 a run that can be stopped", () => {
  /** Ends when it is stopped, and says how often it was. */
  function stoppable() {
    const end = Promise.withResolvers<string>();
    let stops = 0;
    const stop = (): void => {
      stops++;
      end.resolve("stopped");
    };
    return { started: { done: end.promise, stop }, end, stops: () => stops };
  }

  it("ends by itself with no reason, and by its limit or its signal with that; also one that was aborted before", async () => {
    const own = stoppable();
    own.end.resolve("done");
    const long = { hardTimeoutMs: 600_000 };
    expect(await followToEnd(own.started, { ...long, signal: noCancel() })).toEqual({
      answer: "done",
      stopped: undefined,
    });
    expect(own.stops()).toBe(0);
    expect((await followToEnd(stoppable().started, { hardTimeoutMs: 5, signal: noCancel() })).stopped).toEqual({
      kind: "timed-out",
      afterMs: 5,
    });
    const aborted = await followToEnd(stoppable().started, { ...long, signal: AbortSignal.abort({ by: "lee" }) });
    expect(aborted).toEqual({ answer: "stopped", stopped: { kind: "cancelled", by: "lee" } });
  });

  it("keeps the first reason", async () => {
    const end = Promise.withResolvers<string>();
    const cancel = new AbortController();
    const stops: number[] = [];
    const stop = (): void => {
      if (stops.push(stops.length) === 1) setTimeout(() => end.resolve("late"), 50);
    };
    const followed = followToEnd({ done: end.promise, stop }, { hardTimeoutMs: 20, signal: cancel.signal });
    cancel.abort({ by: "lee" });
    expect((await followed).stopped).toEqual({ kind: "cancelled", by: "lee" });
    expect(stops.length).toBe(2);
  });
});
