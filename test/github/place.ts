import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { type Client, createClient } from "../../src/github/client.ts";
import type { CommentPlace } from "../../src/github/comments.ts";
import { openIssue, startWorld, type TestWorld } from "../emulator/world.ts";
import { byName } from "./by-name.ts";

/** One emulated GitHub for a file, and for each test a client and an issue of its own. */
export function usePlace(issue: Parameters<typeof openIssue>[1] = {}) {
  let world: TestWorld;
  let client: Client;
  let place: CommentPlace;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(async () => {
    expect(world.gh.invalid()).toEqual([]);
    await world.close();
  });
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
