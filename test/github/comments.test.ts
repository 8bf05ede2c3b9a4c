import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClient } from "../../src/github/client.ts";
import { type Comments, createComments, markerOf, type Place, withoutMarker } from "../../src/github/comments.ts";
import { openIssue, startWorld, type TestWorld } from "../demo/github/world.ts";

let world: TestWorld;
let place: Place;
let comments: Comments;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  expect(world.gh.invalid()).toEqual([]);
  await world.close();
});
beforeEach(async () => {
  const { appId, privateKey, url: apiUrl, installationId } = world.gh;
  comments = createComments(createClient({ appId, privateKey, apiUrl, log: pino({ level: "silent" }) }));
  place = { installationId, repo: "acme/web", issue: await openIssue(world.gh) };
});

const id = "01a20097-2ce8-70e0-b0d1-f8277e7883de";
const bodies = async (issue = place.issue): Promise<readonly string[]> => {
  const { body } = await world.gh.as("mona")("GET", `/repos/acme/web/issues/${issue}/comments?per_page=100`);
  return (body as readonly { body: string }[]).map((comment) => comment.body);
};
const creates = { method: "POST", path: /\/comments$/ };

describe("comments of ours", () => {
  it("RR-07 carry a hidden marker, which an edit keeps and a reader of the body does not see", async () => {
    const posted = await comments.create(place, { id, body: "card" });
    if (posted.kind !== "posted") throw new Error(posted.why);
    expect(await bodies()).toEqual([`card\n\n${markerOf(id)}`]);
    expect(await comments.edit(place, { id, body: "card 2", ...posted })).toMatchObject({
      kind: "posted",
      githubId: posted.githubId,
      nodeId: posted.nodeId,
    });
    expect((await bodies()).map(withoutMarker)).toEqual(["card 2"]);
  });

  it("F-08 whose answer was lost after GitHub stored it are found by their marker", async () => {
    world.gh.fault(creates, { drop: "after" });
    expect(await comments.create(place, { id, body: "card" })).toMatchObject({ kind: "ambiguous" });
    const found = await comments.find(place, id);
    expect(found).toMatchObject({ kind: "posted", nodeId: expect.any(String) });
    const { body } = await world.gh.as("mona")("GET", `/repos/acme/web/issues/${place.issue}/comments`);
    expect(body).toMatchObject([{ id: found && "githubId" in found ? found.githubId : 0 }]);
  });

  it("F-09 that GitHub never got are not found", async () => {
    world.gh.fault(creates, { drop: "before" });
    expect(await comments.create(place, { id, body: "card" })).toMatchObject({ kind: "ambiguous" });
    expect(await comments.find(place, id)).toBeUndefined();
    expect(await bodies()).toEqual([]);
  });

  it("SR-30 somebody else's comment that holds our marker is not taken for ours", async () => {
    const say = world.gh.as("mona");
    await say("POST", `/repos/acme/web/issues/${place.issue}/comments`, { body: `mine\n\n${markerOf(id)}` });
    expect(await comments.find(place, id)).toBeUndefined();
  });

  it("F-08 a 502 may have been stored, too; a search that fails is no answer either", async () => {
    world.gh.fault(creates, { status: 502 });
    expect(await comments.create(place, { id, body: "card" })).toMatchObject({ kind: "ambiguous" });
    world.gh.fault({ path: /graphql/ }, { status: 502 });
    expect(await comments.find(place, id)).toMatchObject({ kind: "ambiguous" });
  });

  it("F-10 a secondary limit holds every write of the installation until its time, and asks GitHub nothing", async () => {
    const headers = { "retry-after": "60" };
    world.gh.fault(creates, { status: 403, headers, body: { message: "You have exceeded a secondary rate limit" } });
    expect(await comments.create(place, { id, body: "card" })).toMatchObject({ kind: "later", afterMs: 60_000 });
    const other = { ...place, issue: await openIssue(world.gh) };
    world.gh.resetCounts();
    const [again, elsewhere, reaction] = [
      await comments.create(place, { id, body: "card" }),
      await comments.create(other, { id, body: "card" }),
      await comments.react(place, { commentId: 0, content: "eyes" }),
    ];
    for (const held of [again, elsewhere, reaction]) expect(held).toMatchObject({ kind: "later" });
    expect(again.kind === "later" && again.afterMs > 55_000).toBe(true);
    expect(world.gh.requests().filter((request) => request.by === "installation")).toEqual([]);
    expect(await bodies()).toEqual([]);
  });

  it("RR-08 an issue or a comment that is gone will not come back", async () => {
    const posted = await comments.create(place, { id, body: "card" });
    if (posted.kind !== "posted") throw new Error(posted.why);
    await world.gh.deleteComment("lee", "acme/web", posted.githubId);
    expect(await comments.edit(place, { id, body: "card 2", ...posted })).toMatchObject({ kind: "never" });
    expect(await comments.create({ ...place, issue: 99_999 }, { id, body: "card" })).toMatchObject({ kind: "never" });
    await world.gh.deleteIssue("lee", "acme/web", place.issue);
    expect(await comments.create(place, { id, body: "card" })).toMatchObject({ kind: "never" });
  });

  it("RR-07 a reaction twice is one reaction", async () => {
    for (const _ of [1, 2]) {
      expect(await comments.react(place, { commentId: 0, content: "eyes" })).toMatchObject({ kind: "posted" });
    }
    const { body } = await world.gh.as("mona")("GET", `/repos/acme/web/issues/${place.issue}/reactions`);
    expect(body).toHaveLength(1);
  });
});
