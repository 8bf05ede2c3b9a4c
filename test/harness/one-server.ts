import { type Play, startFakeHost } from "../ssh/fake-host.ts";
import { entryOf, type PlaygroundOptions, startPlayground } from "./playground.ts";
import { useStarted } from "./use-started.ts";

/** A whole bot with one server, whose every command succeeds and says nothing unless `play` is given; one for all tests of a suite. */
export function useOneServer(options: () => Partial<PlaygroundOptions> = () => ({}), play: Play = async () => 0) {
  const host = useStarted(() => startFakeHost(play));
  const playground = useStarted(() => startPlayground({ servers: { "web-1": entryOf(host) }, ...options() }));
  return { host, playground };
}
