import { expect, it } from "vitest";
import { loadOpenApi } from "../../emulator/wire/openapi.ts";
import { patchRights } from "../../src/base/github.ts";
import { seed, startWorld } from "./world.ts";

it("DC-1 answers what a patch takes in the shape of GitHub's OpenAPI, and refuses what GitHub refuses", async () => {
  const world = await startWorld({ app: { ...seed.app, permissions: patchRights } });
  const { gh } = world;
  const openApi = loadOpenApi();
  const { token } = (await world.octokit.auth({ type: "installation" })) as { token: string };
  const wrong: string[] = [];
  const ask = async (method: string, rest: string, body?: object) => {
    const path = `/repos/acme/web${rest}`;
    const response = await fetch(gh.url + path, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const answer = JSON.parse(await response.text());
    const bare = path.replace(/\?.*/, "");
    const problems = openApi.find(method, bare)?.answerProblems(response.status, answer) ?? ["no such operation"];
    wrong.push(...problems.map((problem) => `${method} ${rest} → ${response.status}: ${problem}`));
    return { status: response.status, answer };
  };
  const { answer: ref } = await ask("GET", "/git/ref/heads/main");
  const parent = ref.object.sha;
  const { answer: base } = await ask("GET", `/git/commits/${parent}`);
  const entry = { path: "AGENTS.md", mode: "100644", content: "# New\n" };
  const { answer: tree } = await ask("POST", "/git/trees", { base_tree: base.tree.sha, tree: [entry] });
  const { answer: commit } = await ask("POST", "/git/commits", { message: "x", tree: tree.sha, parents: [parent] });
  const branch = { ref: "refs/heads/countersign/x-1", sha: commit.sha };
  expect((await ask("POST", "/git/refs", branch)).status).toBe(201);
  expect((await ask("POST", "/git/refs", branch)).answer.message).toBe("Reference already exists");
  await ask("GET", "/commits?sha=countersign/x-1&per_page=5");
  const pull = { head: "countersign/x-1", base: "main", title: "x", body: "y", draft: true };
  const { answer: made } = await ask("POST", "/pulls", pull);
  const { number } = made;
  const twice = await ask("POST", "/pulls", pull);
  expect(twice).toMatchObject({
    status: 422,
    answer: { errors: [{ message: "A pull request already exists for acme:countersign/x-1." }] },
  });
  expect((await ask("POST", "/pulls", { ...pull, head: "gone" })).status).toBe(422);
  gh.addActivity("acme/web", {
    checks: [
      { commit: commit.sha, name: "lint", conclusion: "success" },
      { commit: commit.sha, name: "old", conclusion: "failure", isStatus: true },
    ],
  });
  await gh.as("lee")("POST", `/repos/acme/web/pulls/${number}/reviews`, { event: "APPROVE" });
  for (const path of [
    "/pulls?head=acme:countersign/x-1&state=all",
    `/pulls/${number}`,
    `/pulls/${number}/commits`,
    `/pulls/${number}/reviews`,
    `/commits/${commit.sha}/check-runs`,
    `/commits/${commit.sha}/status`,
  ])
    expect((await ask("GET", path)).status).toBe(200);
  expect(wrong).toEqual([]);
  expect(gh.invalid()).toEqual([]);
  await world.close();
});
