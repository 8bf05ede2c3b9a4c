import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createNodeMiddleware, Probot } from "probot";
import { expect, it } from "vitest";
import { startGitHub } from "../../emulator/start.ts";
import { openIssue, quietOctokit, seed } from "./world.ts";

it("DC-1, DC-3 carries a real Probot: an issue is opened, the App reads the repository, reacts and comments", async () => {
  const secret = "between us";
  // Probot needs the API's address before it can be told where the webhooks go, and the other way round
  let serve: ReturnType<typeof createServer> | undefined;
  const server = createServer((request, response) => void serve?.emit("request", request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/github/webhooks`;
  const gh = await startGitHub({ ...seed, webhook: { url, secret } });

  const probot = new Probot({
    appId: gh.appId,
    privateKey: gh.privateKey,
    secret,
    baseUrl: gh.url,
    logLevel: "fatal",
    Octokit: quietOctokit(gh.url),
  });
  const middleware = await createNodeMiddleware(
    (app) => {
      app.on("issues.opened", async (context) => {
        const { owner, repo } = context.repo();
        const { repository } = await context.octokit.graphql<{ repository: { object: { text: string } } }>(
          'query ($owner: String!, $repo: String!) { repository(owner: $owner, name: $repo) { object(expression: "HEAD:AGENTS.md") { ... on Blob { text } } } }',
          { owner, repo },
        );
        await context.octokit.rest.reactions.createForIssue(context.issue({ content: "eyes" }));
        await context.octokit.rest.issues.createComment(context.issue({ body: `Read: ${repository.object.text}` }));
      });
    },
    { probot },
  );
  serve = createServer((request, response) => void middleware(request, response));

  const number = await openIssue(gh);
  await gh.settled();
  const { body } = await gh.as("mona")("GET", `/repos/acme/web/issues/${number}/comments`);
  expect(body).toMatchObject([{ body: "Read: # Web\n", user: { login: "countersign[bot]", type: "Bot" } }]);
  const issue = await gh.as("mona")("GET", `/repos/acme/web/issues/${number}`);
  expect(issue.body).toMatchObject({ reactions: { eyes: 1 }, comments: 1 });
  expect(gh.deliveries().map((d) => [d.event, d.action, d.status])).toContainEqual(["issues", "opened", 200]);
  expect(gh.invalid()).toEqual([]);

  await gh.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
