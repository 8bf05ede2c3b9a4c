import { describe, expect, it } from "vitest";
import { createRoom, whySecret } from "../../../src/features/run/finish-run.ts";
import { createSoFar } from "../../../src/features/run/live-card.ts";
import { createEvaluator } from "../../../src/risk/evaluate.ts";

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe("what a command has said so far", () => {
  it("SR-54 keeps beginning and end, counts what is between, and never more than it may", () => {
    const said = createSoFar(8);
    const reused = new Uint8Array(1);
    for (const letter of "abcdefghijklmnopqrstuvwxyz") {
      reused[0] = letter.charCodeAt(0);
      said.push(reused);
    }
    const { head, tail, bytes, dropped } = said.capture();
    expect([text(head), text(tail), bytes, dropped]).toEqual(["abcd", "wxyz", 26, 18]);
  });

  it("SR-54 is the same in pieces of any size", () => {
    for (const size of [1, 3, 5, 26]) {
      const said = createSoFar(8);
      const all = Buffer.from("abcdefghijklmnopqrstuvwxyz");
      for (let from = 0; from < all.length; from += size) said.push(all.subarray(from, from + size));
      const { head, tail, dropped } = said.capture();
      expect([text(head), text(tail), dropped]).toEqual(["abcd", "wxyz", 18]);
    }
  });

  it("SR-54 has no gap where nothing was dropped", () => {
    const said = createSoFar(8);
    said.push(Buffer.from("abcdef"));
    const { head, tail, dropped } = said.capture();
    expect([text(head), text(tail), dropped]).toEqual(["abcdef", "", 0]);
  });
});

it("SR-45 SR-48 nothing is shown of a Secret that kubectl prints, on a server or a cluster, whatever the verb", () => {
  const deps = { config: { servers: new Map() }, evaluate: createEvaluator() } as never;
  const reasonOf = (command: string) => whySecret(deps, { command, server: "web-1" });
  for (const command of [
    "kubectl label secret x a=b --dry-run=client -o jsonpath={.data.x}",
    "kubectl patch secret/x -p '{}' --dry-run=client -ojson",
    "bash -c 'kubectl annotate secret x a=b -o yaml'",
  ])
    expect(reasonOf(command)).toBe("it prints Kubernetes secrets");
  expect(reasonOf("kubectl label secret x a=b")).toBeUndefined();
  expect(reasonOf("kubectl get pods -o yaml")).toBeUndefined();
});

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
