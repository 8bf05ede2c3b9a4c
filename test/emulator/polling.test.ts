import { beforeEach, expect, it } from "vitest";
import { useStarted } from "../harness/use-started.ts";
import { comment, openIssue, startWorld, statusOf } from "./world.ts";

const world = useStarted(() => startWorld());
beforeEach(() => world.received());

const web = { owner: "acme", repo: "web" };
const asked = { ...web, since: "2020-01-01T00:00:00Z", sort: "updated", direction: "desc" } as const;

it("lists what changed since then, newest first, a page at a time", async () => {
  const { rest } = world.octokit;
  const number = await openIssue(world.gh);
  const ids: number[] = [];
  for (const text of ["one", "two", "three"]) ids.push((await comment(world.gh, number, text)).id);
  const first = await rest.issues.listCommentsForRepo({ ...asked, per_page: 2 });
  expect(first.data.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 2));
  expect(first.headers.link).toContain('rel="next"');
  const second = await rest.issues.listCommentsForRepo({ ...asked, per_page: 2, page: 2 });
  expect(second.data.map(({ id }) => id)).toEqual(ids.slice(0, 1));
  expect(second.headers.link).toBeUndefined();
  const since = new Date(Date.now() + 60_000).toISOString();
  expect((await rest.issues.listCommentsForRepo({ ...asked, since })).data).toEqual([]);
  expect((await rest.issues.listForRepo({ ...asked, since })).data).toEqual([]);
  expect((await rest.issues.listForRepo(asked)).data.map((issue) => issue.number)).toContain(number);
});

it("tells who labeled, closed and deleted what, newest first", async () => {
  const number = await openIssue(world.gh, { labels: ["incident"] });
  const said = await comment(world.gh, number, "hello", "lee");
  await world.gh.deleteComment("mona", "acme/web", said.id);
  await world.gh.as("lee")("PATCH", `/repos/acme/web/issues/${number}`, { state: "closed" });
  const { data } = await world.octokit.rest.issues.listEventsForRepo({ ...web, per_page: 3 });
  expect(data.map(({ event, actor, label, issue }) => [event, actor?.login, label?.name, issue?.number])).toEqual([
    ["closed", "lee", undefined, number],
    ["comment_deleted", "mona", undefined, number],
    ["labeled", "mona", "incident", number],
  ]);
});

it("answers 304 to the same token, which does not count against the rate limit, and reads anew to the next token", async () => {
  const { rest } = world.octokit;
  const { etag } = (await rest.issues.listForRepo(asked)).headers;
  const headers = { "if-none-match": etag };
  const { used, limit } = world.gh.rateLimit();
  expect(await statusOf(rest.issues.listForRepo({ ...asked, headers }))).toBe(304);
  expect(world.gh.rateLimit().used).toBe(used);
  expect((await rest.rateLimit.get()).data.resources.core).toMatchObject({ used, limit, remaining: limit - used });
  const { token } = (await world.octokit.auth({ type: "installation", refresh: true })) as { token: string };
  const next = world.octokitAs(token);
  expect(await statusOf(next.rest.issues.listForRepo({ ...asked, headers }))).toBe(200);
  expect(world.gh.rateLimit().used).toBe(used + 1);
});
