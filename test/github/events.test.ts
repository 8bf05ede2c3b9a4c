import { describe, expect, it } from "vitest";
import { keptPart, parseCommentEvent, parseIssueEvent, pushedRepository } from "../../src/github/events.ts";
import { openIssue, startWorld } from "../emulator/world.ts";
import { useStarted } from "../harness/use-started.ts";

const world = useStarted(() => startWorld());

/** The payloads of one event that have come since the last call. */
const payloads = async (event: string): Promise<readonly unknown[]> =>
  (await world.received()).filter((received) => received.event === event).map((received) => received.payload);

describe("webhooks", () => {
  it("DC-1 an opened issue and a comment on it are read, with who, where and when", async () => {
    const number = await openIssue(world.gh);
    const [opened] = await payloads("issues");
    const { id } = world.gh.person("mona");
    const event = parseIssueEvent(opened);
    expect(event).toMatchObject({ action: "opened", private: true, open: true, isPullRequest: false });
    expect(event?.issue).toMatchObject({ repo: "acme/web", number, installationId: world.gh.installationId });
    expect(event?.sender).toMatchObject({ id, login: "mona", type: "User" });

    await world.gh.as("mona")("POST", `/repos/acme/web/issues/${number}/comments`, { body: "/approve 1\r\n" });
    const [created] = await payloads("issue_comment");
    const comment = parseCommentEvent(created);
    expect(comment?.comment).toMatchObject({
      body: "/approve 1\r\n",
      author: { id, type: "User" },
      viaAppId: undefined,
    });
    expect(comment?.comment.createdAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
    expect(comment?.issue).toEqual(event?.issue);
  });

  it("RR-02 what is kept of a served payload reads as the whole did, and is a fraction of it", async () => {
    const number = await openIssue(world.gh);
    await world.gh.as("mona")("POST", `/repos/acme/web/issues/${number}/comments`, { body: "/approve 1" });
    const received = (await world.received()).filter(({ event }) => event.startsWith("issue"));
    expect(received.map(({ event }) => event)).toEqual(["issues", "issue_comment"]);
    const read = (payload: unknown) => [parseIssueEvent(payload), parseCommentEvent(payload)];
    for (const { payload } of received) {
      const kept = JSON.stringify(keptPart(payload));
      expect(read(payload)).not.toEqual([undefined, undefined]);
      expect(read(JSON.parse(kept))).toEqual(read(payload));
      expect(kept.length).toBeLessThan(JSON.stringify(payload).length / 4);
    }
    expect(keptPart({ ref: "refs/heads/main", commits: ["anything"] })).toEqual({});
  });

  it("SR-13 a comment on a pull request says that it is one", async () => {
    const number = await world.gh.openPullRequest("mona", "acme/web", "A change");
    await world.gh.as("mona")("POST", `/repos/acme/web/issues/${number}/comments`, { body: "/approve 1" });
    const [created] = await payloads("issue_comment");
    expect(parseCommentEvent(created)).toMatchObject({ isPullRequest: true });
  });

  it("OP-9 a push counts on the default branch only", () => {
    const repository = { full_name: "acme/web", default_branch: "main" };
    expect(pushedRepository({ ref: "refs/heads/main", repository })).toBe("acme/web");
    for (const ref of ["refs/heads/feature", "refs/tags/main", "main", "refs/heads/main/x"])
      expect(pushedRepository({ ref, repository }), ref).toBeUndefined();
  });

  it("SR-16 the App behind a comment is kept, and an author who was deleted is none", async () => {
    const number = await openIssue(world.gh);
    await world.gh.as("mona")("POST", `/repos/acme/web/issues/${number}/comments`, { body: "hi" });
    const [created] = await payloads("issue_comment");
    const given = JSON.parse(JSON.stringify(created));
    given.comment.performed_via_github_app = { id: 12, slug: "x" };
    given.comment.user = null;
    given.issue.body = null;
    expect(parseCommentEvent(given)).toMatchObject({ body: "", comment: { viaAppId: 12, author: undefined } });
  });

  it("RR-17 what lacks a part that counts is not for us, whatever it is", async () => {
    const number = await openIssue(world.gh);
    await world.gh.as("mona")("POST", `/repos/acme/web/issues/${number}/comments`, { body: "hi" });
    const [created] = await payloads("issue_comment");
    for (const path of ["installation", "repository", "issue", "sender", "comment", "comment.id", "repository.id"]) {
      const given = JSON.parse(JSON.stringify(created));
      const [outer = "", inner] = path.split(".");
      if (inner) delete given[outer][inner];
      else delete given[outer];
      expect(parseCommentEvent(given), path).toBeUndefined();
    }
    for (const junk of [null, undefined, 1, "text", [], {}, { action: "opened" }]) {
      expect(parseIssueEvent(junk)).toBeUndefined();
      expect(parseCommentEvent(junk)).toBeUndefined();
      expect(pushedRepository(junk)).toBeUndefined();
    }
  });
});
