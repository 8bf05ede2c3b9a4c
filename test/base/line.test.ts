import { describe, expect, it } from "vitest";
import { createLine } from "../../src/base/line.ts";

describe("a line", () => {
  it("admits in order, up to its places", async () => {
    const line = createLine(2);
    const order: number[] = [];
    const all = [1, 2, 3, 4].map((who) => line.enter().then(() => order.push(who)));
    await Promise.all(all.slice(0, 2));
    expect([order, line.inside()]).toEqual([[1, 2], 2]);
    line.leave();
    await all[2];
    line.leave();
    await all[3];
    expect(order).toEqual([1, 2, 3, 4]);
  });

  it("who is called away while waiting gives up the turn to the next", async () => {
    const line = createLine(1);
    await line.enter();
    const away = new AbortController();
    const waiting = line.enter(away.signal);
    const next = line.enter();
    away.abort();
    expect(await waiting).toBe(false);
    line.leave();
    expect(await next).toBe(true);
    expect(await createLine(1).enter(AbortSignal.abort())).toBe(false);
  });

  it("narrowed, it admits nobody until enough have left, and keeps one place", async () => {
    const line = createLine(3);
    await Promise.all([line.enter(), line.enter()]);
    line.narrow(0);
    const later = line.enter();
    line.leave();
    expect(line.inside()).toBe(1);
    line.leave();
    expect(await later).toBe(true);
  });

  it("widened, it admits one more, up to the places that it began with", async () => {
    const line = createLine(2);
    line.narrow(1);
    const order: number[] = [];
    for (const who of [1, 2, 3]) void line.enter().then(() => order.push(who));
    await Promise.resolve();
    expect([order, line.isFull()]).toEqual([[1], true]);
    line.widen();
    line.widen();
    await Promise.resolve();
    expect([order, line.isFull()]).toEqual([[1, 2], true]);
  });
});
