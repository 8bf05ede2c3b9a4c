import { beforeAll, expect, it } from "vitest";
import { useStarted } from "../harness/use-started.ts";
import { openIssue, startWorld, statusOf } from "./world.ts";

let issue_number: number;
const world = useStarted(() => startWorld());
beforeAll(async () => {
  issue_number = await openIssue(world.gh);
});

const repo = { owner: "acme", repo: "web" };
const post = (body: string) => world.octokit.rest.issues.createComment({ ...repo, issue_number, body });
const bodies = async () => {
  const { body } = await world.gh.as("mona")("GET", `/repos/acme/web/issues/${issue_number}/comments?per_page=100`);
  return (body as readonly { body: string }[]).map((c) => c.body);
};

it("answers with an injected status, headers and body, as often as asked, and does nothing", async () => {
  world.gh.fault(
    { method: "POST", path: /\/comments$/, times: 2 },
    { status: 403, headers: { "retry-after": "60" }, body: { message: "You have exceeded a secondary rate limit" } },
  );
  const error: unknown = await post("limited").catch((e: unknown) => e);
  expect(error).toMatchObject({ status: 403, response: { headers: { "retry-after": "60" } } });
  expect(String(error)).toContain("secondary rate limit");
  expect([await statusOf(post("limited")), await statusOf(post("through"))]).toEqual([403, 201]);
  expect(await bodies()).toEqual(["through"]);
});

it("loses the answer of a request that was done (after), or the request itself (before)", async () => {
  world.gh.fault({ method: "POST", path: /\/comments$/ }, { drop: "after" });
  await expect(post("done, answer lost")).rejects.toThrow();
  world.gh.fault({ method: "POST", path: /\/comments$/ }, { drop: "before" });
  await expect(post("never arrived")).rejects.toThrow();
  expect(await bodies()).toEqual(["through", "done, answer lost"]);
});

it("never strikes what people do", async () => {
  world.gh.fault({ method: "POST" }, { status: 500 });
  expect(await openIssue(world.gh)).toBeGreaterThan(issue_number);
  expect(await statusOf(post("struck"))).toBe(500);
});

it("strikes only what matches", async () => {
  world.gh.fault({ method: "PATCH" }, { status: 500 });
  world.gh.fault({ path: /\/labels/ }, { status: 500 });
  expect(await statusOf(world.octokit.rest.issues.get({ ...repo, issue_number }))).toBe(200);
  expect(await statusOf(world.octokit.rest.issues.listLabelsForRepo(repo))).toBe(500);
  world.gh.clearFaults();
  expect(await statusOf(world.octokit.rest.issues.update({ ...repo, issue_number, title: "x" }))).toBe(200);
});

it("delays one answer, which others overtake, without changing it", { tags: ["long"] }, async () => {
  world.gh.fault({ method: "GET", path: /\/issues\// }, { delayMs: 1_000 });
  const delayed = world.octokit.rest.issues.get({ ...repo, issue_number });
  const other = world.octokit.rest.repos.get(repo);
  expect(await Promise.race([delayed, other])).toBe(await other);
  expect((await delayed).data.number).toBe(issue_number);
});

it("counts requests, who made them and how they ended", async () => {
  world.gh.resetCounts();
  await post("counted");
  world.gh.fault({ method: "GET" }, { drop: "before" });
  await statusOf(world.octokit.rest.issues.get({ ...repo, issue_number }));
  const path = `/repos/acme/web/issues/${issue_number}`;
  expect(world.gh.requests().map(({ ms: _ms, ...rest }) => rest)).toEqual([
    {
      kind: "request",
      method: "POST",
      path: `${path}/comments`,
      status: 201,
      operationId: "issues/create-comment",
      by: "installation",
    },
    { kind: "request", method: "GET", path, status: 0, operationId: "issues/get", by: "installation" },
  ]);
});
