import { expect, it } from "vitest";
import { createRoom } from "../../../src/features/run/present-output.ts";

it("RR-19 large work waits for large work and small work for none, and all of it is done", async () => {
  const inRoom = createRoom(20);
  const told: string[] = [];
  const work = (name: string, bytes: number) => {
    const gate = Promise.withResolvers<void>();
    const done = inRoom(bytes, async () => {
      told.push(`${name} begins`);
      await gate.promise;
      told.push(`${name} ends`);
      return name;
    });
    return { done, end: gate.resolve };
  };
  const [large, larger, small] = [work("large", 16), work("larger", 100), work("small", 4)];
  const still = () => new Promise((resolve) => setImmediate(resolve));
  await still();
  expect(told).toEqual(["large begins", "small begins"]);
  large.end();
  await still();
  expect(told).toEqual(["large begins", "small begins", "large ends"]);
  small.end();
  await still();
  larger.end();
  expect(await Promise.all([large.done, larger.done, small.done])).toEqual(["large", "larger", "small"]);
  expect(told.slice(3)).toEqual(["small ends", "larger begins", "larger ends"]);
});

it("RR-19 work that fails makes room too", async () => {
  const inRoom = createRoom(1);
  const failed = inRoom(1, () => Promise.reject(new Error("no")));
  const next = inRoom(1, async () => "done");
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("done");
});
