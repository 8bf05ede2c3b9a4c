import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClient } from "../../src/github/client.ts";
import type { Place } from "../../src/github/comments.ts";
import { createLabels, type Labels } from "../../src/github/labels.ts";
import { openIssue, startWorld, type TestWorld } from "../demo/github/world.ts";

let world: TestWorld;
let place: Place;
let labels: Labels;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  expect(world.gh.invalid()).toEqual([]);
  await world.close();
});
beforeEach(async () => {
  const { appId, privateKey, url: apiUrl, installationId } = world.gh;
  labels = createLabels(createClient({ appId, privateKey, apiUrl, log: pino({ level: "silent" }) }));
  place = { installationId, repo: "acme/web", issue: await openIssue(world.gh, { labels: ["theirs"] }) };
});
const label = { name: "bot: held", color: "d93f0b", description: "Nothing is sent." };

describe("labels on GitHub", () => {
  it("DC-1 are listed, put on and taken off with no more than `issues: write`, and no one else's are touched", async () => {
    expect(labels.isListed(place.repo, label.name)).toBe(false);
    expect(await labels.list(place, label)).toEqual({ kind: "posted" });
    expect(labels.isListed("Acme/Web", "Bot: Held")).toBe(true);
    expect(await labels.add(place, ["bot: held", "bot: running"])).toEqual({
      kind: "posted",
      on: expect.arrayContaining(["theirs", "bot: held", "bot: running"]),
    });
    expect(await labels.remove(place, "bot: running")).toEqual({
      kind: "posted",
      on: expect.not.arrayContaining(["bot: running"]),
    });
    const { body } = await world.gh.as("mona")("GET", `/repos/acme/web/issues/${place.issue}/labels`);
    expect(body).toEqual([
      expect.objectContaining({ name: "theirs" }),
      expect.objectContaining({ name: "bot: held", color: "d93f0b" }),
    ]);
  });

  it("RR-07 what is there, or gone, already is done", async () => {
    world.gh.fault({ method: "POST", path: /\/labels$/ }, { status: 422, body: { message: "already_exists" } });
    expect(await labels.list(place, label)).toEqual({ kind: "posted" });
    expect(await labels.remove(place, "bot: never there")).toEqual({ kind: "posted", on: undefined });
  });

  it("RR-08 a failure is data: a refusal, a limit, no answer", async () => {
    const refused = { status: 403, body: { message: "Resource not accessible by integration" } };
    for (const work of [() => labels.list(place, label), () => labels.add(place, ["a"])]) {
      world.gh.fault({ path: /labels/ }, refused);
      expect(await work()).toMatchObject({ kind: "never" });
    }
    expect(labels.isListed(place.repo, label.name)).toBe(false);
    world.gh.fault({ path: /labels/ }, { status: 429, headers: { "retry-after": "90" } });
    expect(await labels.add(place, ["a"])).toMatchObject({ kind: "later", afterMs: 90_000 });
    world.gh.fault({ path: /labels/ }, { drop: "before" });
    expect(await labels.remove(place, "theirs")).toMatchObject({ kind: "ambiguous" });
  });
});
