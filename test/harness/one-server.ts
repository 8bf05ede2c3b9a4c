import { afterAll, beforeAll } from "vitest";
import { type FakeHost, startFakeHost } from "../ssh/fake-host.ts";
import { entryOf, type Playground, startPlayground } from "./playground.ts";

/** A whole bot with one server, whose every command succeeds and says nothing; one for all tests of a suite. */
export function useOneServer() {
  let host: FakeHost;
  let playground: Playground;
  beforeAll(async () => {
    host = await startFakeHost(async () => 0);
    playground = await startPlayground({ servers: { "web-1": entryOf(host) } });
  });
  afterAll(async () => {
    await playground.close();
    await host.close();
  });
  return {
    get host() {
      return host;
    },
    get playground() {
      return playground;
    },
  };
}
