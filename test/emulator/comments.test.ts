import { beforeAll, expect, it } from "vitest";
import { useStarted } from "../harness/use-started.ts";
import { comment, openIssue, startWorld, statusOf } from "./world.ts";

let number: number;
const world = useStarted(() => startWorld());
beforeAll(async () => {
  number = await openIssue(world.gh);
});

const web = { owner: "acme", repo: "web" };
const ours = (body = "a card") => world.octokit.rest.issues.createComment({ ...web, issue_number: number, body });

it("shows the App's comments as its bot's, which emulate shows as the owner's", async () => {
  const { data, status } = await ours();
  expect(status).toBe(201);
  expect(data.user).toMatchObject({ login: "countersign[bot]", type: "Bot" });
  expect(data.performed_via_github_app).toMatchObject({ id: 7001, slug: "countersign" });
  const theirs = await comment(world.gh, number, "hello");
  expect(theirs).toMatchObject({ user: { login: "mona", type: "User" }, performed_via_github_app: null });
});

it("never gives things of two kinds the same id, as emulate does", async () => {
  const mine = await comment(world.gh, number, "hello");
  const { data } = await world.octokit.rest.issues.get({ ...web, issue_number: number });
  const ids = [mine.id, data.id, data.number, data.user?.id, mine.user?.id];
  expect(new Set(ids).size).toBe(4);
  expect(mine.id).toBeGreaterThan(2 ** 31);
});

it("keeps updated_at at created_at until a comment is edited, in whole seconds", async () => {
  const mine = await comment(world.gh, number, "hello");
  expect(mine.updated_at).toBe(mine.created_at);
  expect(mine.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
});

it("refuses a body over 65,536 characters with 422, and takes one of exactly that", async () => {
  expect(await statusOf(ours("x".repeat(65_536)))).toBe(201);
  expect(await statusOf(ours("x".repeat(65_537)))).toBe(422);
  expect(await statusOf(ours("😀".repeat(40_000)))).toBe(201);
  const { data } = await ours();
  const update = world.octokit.rest.issues.updateComment({ ...web, comment_id: data.id, body: "x".repeat(65_537) });
  expect(await statusOf(update)).toBe(422);
  expect(
    await statusOf(world.octokit.rest.issues.update({ ...web, issue_number: number, body: "x".repeat(65_537) })),
  ).toBe(422);
});

it("lists comments oldest first, page by page", async () => {
  const issue_number = await openIssue(world.gh);
  for (let n = 0; n < 5; n++) await comment(world.gh, issue_number, `comment ${n}`);
  const all = await world.octokit.paginate(world.octokit.rest.issues.listComments, {
    ...web,
    issue_number,
    per_page: 2,
  });
  expect(all.map((c) => c.body)).toEqual(["comment 0", "comment 1", "comment 2", "comment 3", "comment 4"]);
});

it("lets authors and people with write access change a comment, and nobody else", async () => {
  const { id } = await comment(world.gh, number, "by rea", "rea");
  const edit = async (login: string) => (await world.gh.editComment(login, "acme/web", id, `by ${login}`)).status;
  expect([await edit("rea"), await edit("mona"), await edit("tri"), await edit("eve")]).toEqual([200, 200, 403, 404]);
  expect((await world.gh.deleteComment("tri", "acme/web", id)).status).toBe(403);
  expect((await world.gh.deleteComment("rea", "acme/web", id)).status).toBe(204);
  expect(await statusOf(world.octokit.rest.issues.getComment({ ...web, comment_id: id }))).toBe(404);
});

it("SR-29 lets only people with write access comment on a locked issue", async () => {
  const issue_number = await openIssue(world.gh);
  expect((await world.octokit.rest.issues.lock({ ...web, issue_number })).status).toBe(204);
  await expect(comment(world.gh, issue_number, "hello", "rea")).rejects.toThrow("403");
  expect((await comment(world.gh, issue_number, "hello", "mona")).body).toBe("hello");
  expect((await world.octokit.rest.issues.createComment({ ...web, issue_number, body: "ours" })).status).toBe(201);
});

it("reacts once: 201, then 200 for the same again; emulate knows no reactions", async () => {
  const { id: comment_id } = await comment(world.gh, number, "/approve 1");
  const react = () => world.octokit.rest.reactions.createForIssueComment({ ...web, comment_id, content: "eyes" });
  const first = await react();
  const second = await react();
  expect([first.status, second.status]).toEqual([201, 200]);
  expect(second.data.id).toBe(first.data.id);
  await world.gh.as("mona")("POST", `/repos/acme/web/issues/comments/${comment_id}/reactions`, { content: "eyes" });
  const list = () => world.octokit.rest.reactions.listForIssueComment({ ...web, comment_id });
  expect((await list()).data.map((r) => [r.user?.login, r.content])).toEqual([
    ["countersign[bot]", "eyes"],
    ["mona", "eyes"],
  ]);
  const shown = await world.octokit.rest.issues.getComment({ ...web, comment_id });
  expect(shown.data.reactions).toMatchObject({ total_count: 2, eyes: 2 });
  const reaction_id = first.data.id;
  const remove = () => world.octokit.rest.reactions.deleteForIssueComment({ ...web, comment_id, reaction_id });
  expect([await statusOf(remove()), await statusOf(remove())]).toEqual([204, 404]);
  expect((await list()).data).toHaveLength(1);
});

it("reacts to an issue too", async () => {
  const made = await world.octokit.rest.reactions.createForIssue({ ...web, issue_number: number, content: "rocket" });
  expect([made.status, made.data.content]).toEqual([201, "rocket"]);
  const { data } = await world.octokit.rest.issues.get({ ...web, issue_number: number });
  expect(data.reactions).toMatchObject({ rocket: 1 });
});

it("answers 304 to who has it already, and with a new ETag after a change", async () => {
  const { data } = await ours();
  const read = (etag?: string) =>
    world.octokit.rest.issues.getComment({
      ...web,
      comment_id: data.id,
      ...(etag ? { headers: { "if-none-match": etag } } : {}),
    });
  const etag = (await read()).headers.etag;
  expect(etag).toMatch(/^W\//);
  expect(await statusOf(read(etag))).toBe(304);
  await world.octokit.rest.issues.updateComment({ ...web, comment_id: data.id, body: "changed" });
  expect(await statusOf(read(etag))).toBe(200);
});

it("pins and unpins a comment", async () => {
  const { data } = await ours();
  const on = { ...web, comment_id: data.id };
  expect(await statusOf(world.octokit.request("PUT /repos/{owner}/{repo}/issues/comments/{comment_id}/pin", on))).toBe(
    200,
  );
  expect(
    await statusOf(world.octokit.request("DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}/pin", on)),
  ).toBe(204);
});

it("SR-23 marks a comment that came by e-mail", async () => {
  const { status, body } = await world.gh.emailComment("mona", "acme/web", number, "/approve 1");
  expect(status).toBe(201);
  const { node } = await world.octokit.graphql<{ node: object }>(
    "query ($id: ID!) { node(id: $id) { ... on IssueComment { body createdViaEmail } } }",
    { id: (body as { node_id: string }).node_id },
  );
  expect(node).toEqual({ body: "/approve 1", createdViaEmail: true });
});
