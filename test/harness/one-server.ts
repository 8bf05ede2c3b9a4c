import { afterAll, beforeAll } from "vitest";
import { type FakeHost, type Play, startFakeHost } from "../ssh/fake-host.ts";
import { entryOf, type Playground, type PlaygroundOptions, startPlayground } from "./playground.ts";

/** A whole bot with one server, whose every command succeeds and says nothing unless `play` is given; one for all tests of a suite. */
export function useOneServer(
  options: () => Partial<PlaygroundOptions> | Promise<Partial<PlaygroundOptions>> = () => ({}),
  play: Play = async () => 0,
) {
  let host: FakeHost;
  let playground: Playground;
  beforeAll(async () => {
    host = await startFakeHost(play);
    playground = await startPlayground({ servers: { "web-1": entryOf(host) }, ...(await options()) });
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
