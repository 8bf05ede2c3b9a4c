import { beforeAll, expect, it } from "vitest";
import { useStarted } from "../../harness/use-started.ts";
import { openIssue, startWorld, statusOf } from "../world.ts";

let number: number;
const world = useStarted(() => startWorld());
beforeAll(async () => {
  number = await openIssue(world.gh);
});

const repo = { owner: "acme", repo: "web" };

it("answers 422 to a request that does not fit GitHub's OpenAPI, and remembers why", async () => {
  const cases: readonly (readonly [route: string, parameters: object, reason: string])[] = [
    [
      "POST /repos/{owner}/{repo}/issues/1/comments",
      { body: "x", tilte: 1 },
      "body must NOT have unevaluated properties (tilte)",
    ],
    ["POST /repos/{owner}/{repo}/issues/1/comments", {}, "a body is required"],
    ["POST /repos/{owner}/{repo}/issues/1/comments", { body: 7 }, "body/body must be string"],
    [
      "POST /repos/{owner}/{repo}/issues/1/reactions",
      { content: "party" },
      "body/content must be equal to one of the allowed values",
    ],
    ["GET /repos/{owner}/{repo}/issues", { sate: "open" }, "query must NOT have additional properties (sate)"],
    ["GET /repos/{owner}/{repo}/issues", { per_page: "many" }, "query/per_page must be integer"],
    ["GET /repos/{owner}/{repo}/stargazers", {}, "no such operation"],
    [
      "PATCH /repos/{owner}/{repo}/issues/1",
      { state: "solved" },
      "body/state must be equal to one of the allowed values",
    ],
  ];
  for (const [route, parameters, reason] of cases) {
    const before = world.gh.invalid().length;
    const status = await statusOf(world.octokit.request(route, { ...repo, ...parameters }));
    const added = world.gh.invalid().slice(before);
    expect([route, status, added.length]).toEqual([route, 422, 1]);
    expect(added[0]).toContain(reason);
  }
});

it("answers 422 to GraphQL that does not fit GitHub's schema, and remembers why", async () => {
  const cases: readonly (readonly [query: string, variables: object, reason: string])[] = [
    ['{ repository(owner: "acme", name: "web") { issue(number: 1) { titel } } }', {}, 'Cannot query field "titel"'],
    [
      "query ($n: Int!) { repository(owner: 1, name: $n) { id } }",
      { n: 1 },
      "String cannot represent a non string value",
    ],
    ["query ($id: ID!) { node(id: $id) { id } }", {}, '"$id"'],
    ["{ repository(", {}, "Syntax Error"],
  ];
  for (const [query, variables, reason] of cases) {
    const before = world.gh.invalid().length;
    expect(await statusOf(world.octokit.request("POST /graphql", { query, variables }))).toBe(422);
    const added = world.gh.invalid().slice(before);
    expect(added).toHaveLength(1);
    expect(added[0]).toContain(reason);
  }
});

it("finds nothing wrong with what Octokit sends for the calls we make", async () => {
  const own = await startWorld();
  const { rest } = own.octokit;
  const issue_number = await openIssue(own.gh);
  const on = { ...repo, issue_number };
  const { data } = await rest.issues.createComment({ ...on, body: "x" });
  await rest.issues.updateComment({ ...repo, comment_id: data.id, body: "y" });
  await rest.issues.addLabels({ ...on, labels: ["incident"] });
  await rest.issues.removeLabel({ ...on, name: "incident" });
  await rest.issues.update({ ...on, state: "closed", state_reason: "completed" });
  await rest.issues.lock({ ...on, lock_reason: "resolved" });
  await rest.issues.listForRepo({
    ...repo,
    labels: "incident",
    state: "all",
    since: "2026-01-01T00:00:00Z",
    per_page: 100,
  });
  await rest.issues.listComments({ ...on, since: "2026-01-01T00:00:00Z", per_page: 100 });
  await rest.issues.listEventsForTimeline({ ...on, per_page: 100 });
  await rest.repos.getContent({ ...repo, path: ".github/skills/disk/SKILL.md", ref: "main" });
  await rest.git.getTree({ ...repo, tree_sha: "main", recursive: "1" });
  await rest.git.getRef({ ...repo, ref: "heads/main" });
  await rest.repos.getBranch({ ...repo, branch: "main" });
  await rest.rateLimit.get();
  await rest.meta.get();
  expect(own.gh.invalid()).toEqual([]);
  expect(own.gh.requests().every((r) => r.operationId !== undefined)).toBe(true);
  await own.close();
});

it("does not judge what people send, only what the App sends", async () => {
  const before = world.gh.invalid().length;
  await world.gh.as("mona")("POST", `/repos/acme/web/issues/${number}/comments`, { body: "x", extra: true });
  expect(world.gh.invalid()).toHaveLength(before);
});
