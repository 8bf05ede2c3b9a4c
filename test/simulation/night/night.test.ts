import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { createWorld, run } from "../../ssh/world.ts";
import { hostOf } from "./night.ts";

const { host, client } = createWorld();

it("AR-08 a command that is stopped counts as begun once, and what stops it as none", async () => {
  const begun: string[] = [];
  const { entry } = await host(hostOf("web-1", begun));
  const stop = new AbortController();
  const ended = run(client([entry]), entry, "ls /srv/k0z", stop.signal);
  while (begun.length === 0) await sleep(5);
  stop.abort("lee");
  expect((await ended).ending.kind).toBe("cancelled");
  expect(begun).toEqual(["web-1 k0z"]);
});
