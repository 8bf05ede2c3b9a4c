import { beforeEach, describe, expect, it, vi } from "vitest";
import { type Comments, createComments, markerOf, withoutMarker } from "../../src/github/comments.ts";
import { openIssue } from "../emulator/world.ts";
import { usePlace } from "./place.ts";

const here = usePlace();
let comments: Comments;
beforeEach(() => {
  comments = createComments(here.client);
});

const id = "01a20097-2ce8-70e0-b0d1-f8277e7883de";
const bodies = async (issue = here.place.issue): Promise<readonly string[]> => {
  const { body } = await here.world.gh.as("mona")("GET", `/repos/acme/web/issues/${issue}/comments?per_page=100`);
  return (body as readonly { body: string }[]).map((comment) => comment.body);
};
const creates = { method: "POST", path: /\/comments$/ };

describe("comments of ours", () => {
  it("RR-07 carry a hidden marker, which an edit keeps and a reader of the body does not see", async () => {
    const posted = await comments.create(here.place, { id, body: "card" });
    if (posted.kind !== "posted") throw new Error(posted.why);
    expect(await bodies()).toEqual([`card\n\n${markerOf(id)}`]);
    expect(await comments.edit(here.place, { id, body: "card 2", ...posted })).toMatchObject({
      kind: "posted",
      githubId: posted.githubId,
      nodeId: posted.nodeId,
    });
    expect((await bodies()).map(withoutMarker)).toEqual(["card 2"]);
  });

  it("F-08 whose answer was lost after GitHub stored it are found by their marker", async () => {
    here.world.gh.fault(creates, { drop: "after" });
    expect(await comments.create(here.place, { id, body: "card" })).toMatchObject({ kind: "ambiguous" });
    const found = await comments.find(here.place, id);
    expect(found).toMatchObject({ kind: "posted", nodeId: expect.any(String) });
    const { body } = await here.world.gh.as("mona")("GET", `/repos/acme/web/issues/${here.place.issue}/comments`);
    expect(body).toMatchObject([{ id: found && "githubId" in found ? found.githubId : 0 }]);
  });

  it("F-08 whose answer was lost are found behind however many comments came since", async () => {
    const page = (author: boolean, startCursor: string | null) => {
      const body = author ? `card\n\n${markerOf(id)}` : "talk";
      const createdAt = "2026-11-26T03:00:00Z";
      const nodes = [{ id: "IC_7", fullDatabaseId: "7", createdAt, body, viewerDidAuthor: author }];
      const pageInfo = { hasPreviousPage: startCursor !== null, startCursor };
      return { data: { repository: { issue: { comments: { nodes, pageInfo } } } } };
    };
    const answer = (before: string, body: object) =>
      here.world.gh.fault({ path: /graphql/, body: new RegExp(`"before":${before}`) }, { status: 200, body });
    answer("null", page(false, "a"));
    answer('"a"', page(false, "b"));
    answer('"b"', page(true, null));
    expect(await comments.find(here.place, id)).toMatchObject({ kind: "posted", githubId: 7 });
    answer("null", page(false, "a"));
    answer('"a"', page(false, null));
    expect(await comments.find(here.place, id)).toBeUndefined();
  });

  it("RR-05 that are there twice can be deleted, however often one tries", async () => {
    const posted = await comments.create(here.place, { id, body: "card" });
    if (posted.kind !== "posted") throw new Error(posted.why);
    for (const _ of [1, 2]) expect(await comments.remove(here.place, posted.githubId)).toEqual({ kind: "posted" });
    expect(await bodies()).toEqual([]);
  });

  it("F-09 that GitHub never got are not found", async () => {
    here.world.gh.fault(creates, { drop: "before" });
    expect(await comments.create(here.place, { id, body: "card" })).toMatchObject({ kind: "ambiguous" });
    expect(await comments.find(here.place, id)).toBeUndefined();
    expect(await bodies()).toEqual([]);
  });

  it("SR-30 somebody else's comment that holds our marker is not taken for ours", async () => {
    const say = here.world.gh.as("mona");
    await say("POST", `/repos/acme/web/issues/${here.place.issue}/comments`, { body: `mine\n\n${markerOf(id)}` });
    expect(await comments.find(here.place, id)).toBeUndefined();
  });

  it("F-08 a 502 may have been stored, too; a search that fails is no answer either", async () => {
    here.world.gh.fault(creates, { status: 502 });
    expect(await comments.create(here.place, { id, body: "card" })).toMatchObject({ kind: "ambiguous" });
    here.world.gh.fault({ path: /graphql/ }, { status: 502 });
    expect(await comments.find(here.place, id)).toMatchObject({ kind: "ambiguous" });
  });

  it("F-10 a secondary limit holds every write of the installation until its time, and asks GitHub nothing", async () => {
    const headers = { "retry-after": "60" };
    here.world.gh.fault(creates, {
      status: 403,
      headers,
      body: { message: "You have exceeded a secondary rate limit" },
    });
    expect(await comments.create(here.place, { id, body: "card" })).toMatchObject({ kind: "later", afterMs: 60_000 });
    const other = { ...here.place, issue: await openIssue(here.world.gh) };
    here.world.gh.resetCounts();
    const [again, elsewhere, reaction] = [
      await comments.create(here.place, { id, body: "card" }),
      await comments.create(other, { id, body: "card" }),
      await comments.react(here.place, { commentId: 0, content: "eyes" }),
    ];
    for (const held of [again, elsewhere, reaction]) expect(held).toMatchObject({ kind: "later" });
    expect(again.kind === "later" && again.afterMs > 55_000).toBe(true);
    expect(here.world.gh.requests().filter((request) => request.by === "installation")).toEqual([]);
    expect(await bodies()).toEqual([]);
  });

  it("F-10 F-36 a clock that is set back has nobody wait longer than GitHub said", async () => {
    here.world.gh.fault(creates, { status: 429, headers: { "retry-after": "60" }, body: { message: "later" } });
    await comments.create(here.place, { id, body: "card" });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 });
    const again = await comments.create(here.place, { id, body: "card" });
    vi.useRealTimers();
    expect(again.kind === "later" && again.afterMs).toBeLessThanOrEqual(60_000);
  });

  it("RR-08 an issue or a comment that is gone will not come back", async () => {
    const posted = await comments.create(here.place, { id, body: "card" });
    if (posted.kind !== "posted") throw new Error(posted.why);
    await here.world.gh.deleteComment("lee", "acme/web", posted.githubId);
    expect(await comments.edit(here.place, { id, body: "card 2", ...posted })).toMatchObject({ kind: "never" });
    expect(await comments.create({ ...here.place, issue: 99_999 }, { id, body: "card" })).toMatchObject({
      kind: "never",
    });
    await here.world.gh.deleteIssue("lee", "acme/web", here.place.issue);
    expect(await comments.create(here.place, { id, body: "card" })).toMatchObject({ kind: "never" });
  });

  it("RR-07 a reaction twice is one reaction", async () => {
    for (const _ of [1, 2])
      expect(await comments.react(here.place, { commentId: 0, content: "eyes" })).toMatchObject({ kind: "posted" });
    const { body } = await here.world.gh.as("mona")("GET", `/repos/acme/web/issues/${here.place.issue}/reactions`);
    expect(body).toHaveLength(1);
  });
});
