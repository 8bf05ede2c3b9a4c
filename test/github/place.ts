import { pino } from "pino";
import { afterAll, beforeEach, expect } from "vitest";
import { type Client, createClient } from "../../src/github/client.ts";
import type { CommentPlace } from "../../src/github/comments.ts";
import { openIssue, startWorld } from "../emulator/world.ts";
import { useStarted } from "../harness/use-started.ts";
import { byName } from "./by-name.ts";

/** One emulated GitHub for a file, and for each test a client and an issue of its own. */
export function usePlace(issue: Parameters<typeof openIssue>[1] = {}) {
  let client: Client;
  let place: CommentPlace;
  const world = useStarted(() => startWorld());
  afterAll(async () => expect(world.gh.invalid()).toEqual([]));
  beforeEach(async () => {
    const { appId, privateKey, url: apiUrl, installationId } = world.gh;
    client = createClient({ appId, privateKey, apiUrl, log: pino({ level: "silent" }), ...byName });
    place = { installationId, repo: "acme/web", issue: await openIssue(world.gh, issue) };
  });
  return {
    get world() {
      return world;
    },
    get client() {
      return client;
    },
    get place() {
      return place;
    },
  };
}
