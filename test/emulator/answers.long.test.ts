import { expect, it } from "vitest";
import { loadOpenApi } from "../../emulator/wire/openapi.ts";
import { comment, openIssue, startWorld } from "./world.ts";

it("DC-1 answers each operation we use in the shape of GitHub's OpenAPI", async () => {
  const world = await startWorld();
  const { gh } = world;
  const openApi = loadOpenApi();
  const { token } = (await world.octokit.auth({ type: "installation" })) as { token: string };
  const { token: jwt } = (await world
    .octokitAs({ appId: gh.appId, privateKey: gh.privateKey })
    .auth({ type: "app" })) as {
    token: string;
  };
  const number = await openIssue(gh, { labels: ["incident"] });
  const { id } = await comment(gh, number, "hello");
  await world.octokit.rest.issues.createComment({ owner: "acme", repo: "web", issue_number: number, body: "ours" });
  await world.received();
  const [delivery] = (
    await world.octokitAs({ appId: gh.appId, privateKey: gh.privateKey }).request("GET /app/hook/deliveries")
  ).data;

  const repo = "/repos/acme/web";
  const issue = `${repo}/issues/${number}`;
  const calls: readonly (readonly [method: string, path: string, body?: object])[] = [
    ["GET", "/app"],
    ["GET", "/app/hook/deliveries"],
    ["GET", `/app/hook/deliveries/${delivery?.id}`],
    ["POST", `/app/hook/deliveries/${delivery?.id}/attempts`],
    ["GET", "/app/installations"],
    ["GET", `/app/installations/${gh.installationId}`],
    ["POST", `/app/installations/${gh.installationId}/access_tokens`, { permissions: { issues: "read" } }],
    ["POST", "/app-manifests/abc/conversions"],
    ["GET", `${repo}/installation`],
    ["GET", "/installation/repositories"],
    ["GET", "/meta"],
    ["GET", "/rate_limit"],
    ["GET", "/users/mona"],
    ["GET", "/orgs/acme/members/mona"],
    ["GET", "/orgs/acme/teams/oncall/members"],
    ["GET", "/orgs/acme/teams/oncall/memberships/mona"],
    ["GET", repo],
    ["GET", `${repo}/collaborators/mona/permission`],
    ["GET", `${repo}/branches/main`],
    ["GET", `${repo}/contents/AGENTS.md`],
    ["GET", `${repo}/git/ref/heads/main`],
    ["GET", `${repo}/git/trees/main`],
    ["GET", `${repo}/labels`],
    ["POST", `${repo}/labels`, { name: "new", color: "ff0000" }],
    ["GET", `${repo}/issues`],
    ["POST", `${repo}/issues`, { title: "by us" }],
    ["GET", issue],
    ["PATCH", issue, { title: "changed" }],
    ["GET", `${issue}/labels`],
    ["POST", `${issue}/labels`, { labels: ["more"] }],
    ["DELETE", `${issue}/labels/more`],
    ["PUT", `${issue}/lock`],
    ["GET", `${issue}/comments`],
    ["POST", `${issue}/comments`, { body: "again" }],
    ["POST", `${issue}/reactions`, { content: "eyes" }],
    ["GET", `${repo}/issues/comments/${id}`],
    ["PATCH", `${repo}/issues/comments/${id}`, { body: "changed" }],
    ["PUT", `${repo}/issues/comments/${id}/pin`],
    ["DELETE", `${repo}/issues/comments/${id}/pin`],
    ["POST", `${repo}/issues/comments/${id}/reactions`, { content: "eyes" }],
    ["POST", `${repo}/issues/comments/${id}/reactions`, { content: "eyes" }],
    ["GET", `${repo}/issues/comments/${id}/reactions`],
    ["DELETE", `${repo}/issues/comments/${id}`],
    ["GET", `${repo}/issues/comments/${id}`],
    ["POST", `${issue}/comments`, { body: "x".repeat(65_537) }],
  ];
  const wrong: string[] = [];
  for (const [method, path, body] of calls) {
    const bearer = path.startsWith("/app") || path.endsWith("/installation") ? jwt : token;
    const response = await fetch(gh.url + path, {
      method,
      headers: { authorization: `Bearer ${bearer}` },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    const problems = openApi
      .find(method, path)
      ?.answerProblems(response.status, text === "" ? undefined : JSON.parse(text));
    wrong.push(
      ...(problems ?? ["no such operation"])
        // GitHub's description of this one list wants an account to be a user and an enterprise at once; no real one is
        .filter((p) => path !== "/app/installations" || !p.startsWith("answer/0/account"))
        .map((p) => `${method} ${path} → ${response.status}: ${p}`),
    );
  }
  expect(wrong).toEqual([]);
  expect(gh.invalid()).toEqual([]);
  await world.close();
});
