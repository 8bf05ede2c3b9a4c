import { beforeAll, expect, it } from "vitest";
import { useStarted } from "../harness/use-started.ts";
import { comment, openIssue, startWorld, type Thing } from "./world.ts";

let number: number;
const world = useStarted(() => startWorld());
const web = { owner: "acme", repo: "web" };
beforeAll(async () => {
  number = await openIssue(world.gh, { labels: ["incident"] });
});

const ask = (query: string, variables: object = {}) => world.octokit.graphql<Thing>(query, { ...variables });
const failing = (query: string, variables: object = {}) =>
  ask(query, variables).then(
    () => [],
    (error: { readonly errors?: readonly { readonly type?: string; readonly path?: unknown }[] }) =>
      (error.errors ?? []).map((e) => e.type),
  );

it("DC-2 reads AGENTS.md and every skill in one request", async () => {
  const { repository } = await ask(`query {
    repository(owner: "acme", name: "web") {
      defaultBranchRef { name target { oid } }
      agents: object(expression: "HEAD:AGENTS.md") { ... on Blob { text byteSize isTruncated isBinary } }
      skills: object(expression: "HEAD:.github/skills") {
        ... on Tree { entries { name path type mode object {
          ... on Tree { entries { name path type object { ... on Blob { text } } } }
        } } }
      }
      logo: object(expression: "main:logo.png") { ... on Blob { isBinary text } }
      none: object(expression: "HEAD:docs") { __typename }
    }
  }`);
  expect(repository?.defaultBranchRef).toEqual({
    name: "main",
    target: { oid: expect.stringMatching(/^[0-9a-f]{40}$/) },
  });
  expect(repository?.agents).toEqual({ text: "# Web\n", byteSize: 6, isTruncated: false, isBinary: false });
  expect(repository?.skills).toEqual({
    entries: [
      {
        name: "disk",
        path: ".github/skills/disk",
        type: "tree",
        mode: 0o040000,
        object: {
          entries: [
            {
              name: "SKILL.md",
              path: ".github/skills/disk/SKILL.md",
              type: "blob",
              object: { text: "---\nname: disk\n---\n" },
            },
          ],
        },
      },
    ],
  });
  expect(repository?.logo).toEqual({ isBinary: true, text: null });
  expect(repository?.none).toBeNull();
});

it("shows a file's new text after a push", async () => {
  const text = "new text";
  const { body } = await world.gh.as("mona")("PUT", "/repos/acme/web/contents/docs/new.md", {
    message: "add",
    content: Buffer.from(text).toString("base64"),
  });
  const { repository } = await ask(
    '{ repository(owner: "acme", name: "web") { defaultBranchRef { target { oid } } object(expression: "HEAD:docs/new.md") { ... on Blob { text } } } }',
  );
  expect(repository?.object).toEqual({ text });
  expect(repository?.defaultBranchRef?.target?.oid).toBe((body as Thing).commit?.sha);
});

it("cuts a blob's text after 512,000 bytes and says so", async () => {
  const content = Buffer.from("x".repeat(600_000)).toString("base64");
  await world.gh.as("mona")("PUT", "/repos/acme/web/contents/big.txt", { message: "big", content });
  const { repository } = await ask(
    '{ repository(owner: "acme", name: "web") { object(expression: "HEAD:big.txt") { ... on Blob { byteSize isTruncated text } } } }',
  );
  expect(repository?.object).toMatchObject({ byteSize: 600_000, isTruncated: true });
  expect(String(repository?.object?.text)).toHaveLength(512_000);
});

const approvalFacts = `query ($owner: String!, $name: String!, $number: Int!, $login: String!, $comment: ID!) {
  repository(owner: $owner, name: $name) {
    id databaseId nameWithOwner visibility isPrivate isArchived
    issue(number: $number) {
      id databaseId number title body state locked lastEditedAt
      author { login __typename ... on User { databaseId } ... on Bot { databaseId } }
      labels(first: 10) { nodes { name } }
    }
    collaborators(query: $login, first: 10) { edges { permission node { databaseId login } } }
  }
  organization(login: $owner) {
    team(slug: "oncall") { slug members(query: $login, first: 10) { nodes { databaseId login } } }
    teams(first: 10, userLogins: [$login]) { nodes { slug } }
  }
  node(id: $comment) {
    __typename
    ... on IssueComment {
      id databaseId fullDatabaseId body lastEditedAt createdViaEmail isMinimized issue { number }
      author { login __typename ... on User { databaseId } ... on Bot { databaseId } }
    }
  }
}`;

it("SR-24 answers what decides on an approval in one request: role, teams, issue and the comment as it is now", async () => {
  const { id, node_id } = await comment(world.gh, number, "/approve 1", "lee");
  const variables = { owner: "acme", name: "web", number, login: "lee", comment: node_id };
  const lee = world.gh.person("lee");
  const facts = await ask(approvalFacts, variables);
  expect(facts.repository).toMatchObject({
    nameWithOwner: "acme/web",
    visibility: "PRIVATE",
    isPrivate: true,
    isArchived: false,
    issue: {
      number,
      title: "down",
      body: "help",
      state: "OPEN",
      locked: false,
      lastEditedAt: null,
      author: { login: "mona", __typename: "User", databaseId: world.gh.person("mona").id },
      labels: { nodes: [{ name: "incident" }] },
    },
    collaborators: { edges: [{ permission: "ADMIN", node: { databaseId: lee.id, login: "lee" } }] },
  });
  expect(facts.organization).toEqual({
    team: { slug: "oncall", members: { nodes: [{ databaseId: lee.id, login: "lee" }] } },
    teams: { nodes: [{ slug: "oncall" }, { slug: "dba" }] },
  });
  const unedited = {
    __typename: "IssueComment",
    id: node_id,
    databaseId: null,
    fullDatabaseId: String(id),
    body: "/approve 1",
    lastEditedAt: null,
    createdViaEmail: false,
    isMinimized: false,
    issue: { number },
    author: { login: "lee", __typename: "User", databaseId: lee.id },
  };
  expect(facts.node).toEqual(unedited);

  await world.gh.editComment("lee", "acme/web", id, "/approve 2");
  world.gh.setRole("lee", "read");
  const later = await ask(approvalFacts, variables);
  expect(later.node).toEqual({ ...unedited, body: "/approve 2", lastEditedAt: expect.stringMatching(/Z$/) });
  expect(later.repository?.collaborators?.edges?.[0]?.permission).toBe("READ");
  world.gh.setRole("lee", "admin");

  await world.gh.deleteComment("lee", "acme/web", id);
  expect(await failing(approvalFacts, variables)).toEqual(["NOT_FOUND"]);
});

it("has a bot's login without [bot], other than REST", async () => {
  const made = await world.octokit.rest.issues.createComment({ ...web, issue_number: number, body: "x" });
  const { node } = await ask(
    "query ($id: ID!) { node(id: $id) { ... on IssueComment { author { __typename login } viewerDidAuthor } } }",
    { id: made.data.node_id },
  );
  expect(node).toEqual({ author: { __typename: "Bot", login: "countersign" }, viewerDidAuthor: true });
});

it("pages through comments forwards and backwards", async () => {
  const issue = await openIssue(world.gh);
  for (let n = 0; n < 5; n++) await comment(world.gh, issue, `${n}`);
  const page = async (args: string) => {
    const { repository } = await ask(
      `{ repository(owner: "acme", name: "web") { issue(number: ${issue}) { comments(${args}) { totalCount nodes { body } pageInfo { hasNextPage hasPreviousPage endCursor } } } } }`,
    );
    const { nodes, pageInfo, totalCount }: Thing = repository?.issue?.comments ?? {};
    const bodies = (nodes as unknown as readonly Thing[]).map((c) => c.body);
    return {
      bodies,
      totalCount,
      next: pageInfo?.hasNextPage,
      previous: pageInfo?.hasPreviousPage,
      end: pageInfo?.endCursor,
    };
  };
  const first = await page("first: 2");
  expect(first).toMatchObject({ bodies: ["0", "1"], totalCount: 5, next: true, previous: false });
  expect(await page(`first: 3, after: "${first.end}"`)).toMatchObject({
    bodies: ["2", "3", "4"],
    next: false,
    previous: true,
  });
  expect(await page("last: 1")).toMatchObject({ bodies: ["4"], next: false, previous: true });
});

it("insists on a page size of 1 to 100, as GitHub does", async () => {
  const comments = (args: string) =>
    `{ repository(owner: "acme", name: "web") { issue(number: ${number}) { comments${args} { totalCount } } } }`;
  expect(await failing(comments(""))).toEqual(["MISSING_PAGINATION_BOUNDARIES"]);
  expect(await failing(comments("(first: 101)"))).toEqual(["EXCESSIVE_PAGINATION"]);
});

it("reports what is not there, or not to be seen, as NOT_FOUND", async () => {
  expect(await failing('{ repository(owner: "acme", name: "none") { id } }')).toEqual(["NOT_FOUND"]);
  expect(await failing('{ repository(owner: "acme", name: "web") { issue(number: 999) { id } } }')).toEqual([
    "NOT_FOUND",
  ]);
  expect(await failing('{ user(login: "nobody") { id } }')).toEqual(["NOT_FOUND"]);
  const { body } = await world.gh.as("eve")("POST", "/graphql", {
    query: '{ repository(owner: "acme", name: "web") { id } }',
  });
  expect(body).toMatchObject({ data: { repository: null }, errors: [{ type: "NOT_FOUND", path: ["repository"] }] });
});

it("SR-09 gives a token limited to another repository nothing of this one", async () => {
  const repos = await world.octokit.request("GET /installation/repositories");
  const open = Number(repos.data.repositories.find((r) => r.name === "open")?.id);
  const auth = { type: "installation", repositoryIds: [open], permissions: { issues: "read" } };
  const { token } = (await world.octokit.auth(auth)) as { token: string };
  const narrow = world.octokitAs(token);
  await expect(narrow.graphql('{ repository(owner: "acme", name: "web") { id } }')).rejects.toMatchObject({
    errors: [{ type: "NOT_FOUND" }],
  });
  const contents = narrow.graphql('{ repository(owner: "acme", name: "open") { object(expression: "HEAD:") { id } } }');
  await expect(contents).rejects.toMatchObject({ errors: [{ type: "FORBIDDEN" }] });
});

it("minimizes and changes comments and adds reactions", async () => {
  const made = await world.octokit.rest.issues.createComment({ ...web, issue_number: number, body: "x" });
  const id = made.data.node_id;
  await world.received();
  const done = await ask(
    `mutation ($id: ID!) {
      minimizeComment(input: { subjectId: $id, classifier: OUTDATED }) { minimizedComment { isMinimized minimizedReason } }
      addReaction(input: { subjectId: $id, content: EYES }) { reaction { content user { login } } subject { id } }
      updateIssueComment(input: { id: $id, body: "y" }) { issueComment { body lastEditedAt } }
    }`,
    { id },
  );
  expect(done).toMatchObject({
    minimizeComment: { minimizedComment: { isMinimized: true, minimizedReason: "outdated" } },
    addReaction: { reaction: { content: "EYES" }, subject: { id } },
    updateIssueComment: { issueComment: { body: "y", lastEditedAt: expect.any(String) } },
  });
  const reactions = await world.octokit.rest.reactions.listForIssueComment({ ...web, comment_id: made.data.id });
  expect(reactions.data.map((r) => r.content)).toEqual(["eyes"]);
  expect((await world.received()).map((r) => `${r.event}.${r.action}`)).toEqual(["issue_comment.edited"]);
});

it("takes reactions and minimizing back, and comments", async () => {
  const { data } = await world.octokit.rest.issues.get({ ...web, issue_number: number });
  const added = await ask(
    'mutation ($id: ID!) { addComment(input: { subjectId: $id, body: "z" }) { commentEdge { node { id body } } } }',
    { id: data.node_id },
  );
  expect(added.addComment?.commentEdge?.node?.body).toBe("z");
  const id = added.addComment?.commentEdge?.node?.id;
  await ask(
    "mutation ($id: ID!) { addReaction(input: { subjectId: $id, content: ROCKET }) { reaction { content } } }",
    { id },
  );
  const back = await ask(
    `mutation ($id: ID!) {
      removeReaction(input: { subjectId: $id, content: ROCKET }) { reaction { content } }
      minimizeComment(input: { subjectId: $id, classifier: OFF_TOPIC }) { minimizedComment { minimizedReason } }
      unminimizeComment(input: { subjectId: $id }) { unminimizedComment { isMinimized } }
    }`,
    { id },
  );
  expect(back).toMatchObject({
    minimizeComment: { minimizedComment: { minimizedReason: "off-topic" } },
    unminimizeComment: { unminimizedComment: { isMinimized: false } },
  });
  const remove =
    "mutation ($id: ID!) { removeReaction(input: { subjectId: $id, content: ROCKET }) { reaction { content } } }";
  expect(await failing(remove, { id })).toEqual(["UNPROCESSABLE"]);
});

it("says so where a field is GitHub's but not emulated, instead of null", async () => {
  await expect(ask('{ repository(owner: "acme", name: "web") { description } }')).rejects.toThrow(
    "Repository.description",
  );
  await expect(ask("mutation { closeIssue(input: { issueId: 1 }) { clientMutationId } }")).rejects.toThrow(
    "Mutation.closeIssue",
  );
});

it("finds many nodes at once, with null for those that are gone", async () => {
  const one = await comment(world.gh, number, "one");
  const two = await comment(world.gh, number, "two");
  await world.gh.deleteComment("mona", "acme/web", two.id);
  const { body } = await world.gh.as("mona")("POST", "/graphql", {
    query: "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on IssueComment { body } } }",
    variables: { ids: [one.node_id, two.node_id] },
  });
  expect(body).toMatchObject({ data: { nodes: [{ body: "one" }, null] }, errors: [{ type: "NOT_FOUND" }] });
});

it("answers who we are, people, and a repository by its node id", async () => {
  const { data } = await world.octokit.rest.repos.get({ owner: "acme", repo: "web" });
  const mona = world.gh.person("mona");
  const found = await ask(
    `query ($repo: ID!, $mona: ID!) {
      viewer { login }
      rateLimit { limit remaining }
      user(login: "mona") { databaseId }
      organization(login: "acme") { login }
      repository: node(id: $repo) { ... on Repository { nameWithOwner } }
      person: node(id: $mona) { ... on User { login } }
    }`,
    { repo: data.node_id, mona: mona.nodeId },
  );
  expect(found).toMatchObject({
    viewer: { login: "countersign[bot]" },
    rateLimit: { limit: 5000 },
    user: { databaseId: mona.id },
    organization: { login: "acme" },
    repository: { nameWithOwner: "acme/web" },
    person: { login: "mona" },
  });
  expect(await failing('{ organization(login: "other") { login } }')).toEqual(["NOT_FOUND"]);
});

it("shows reactions, an App's without a user since it is none, and the issue and repository of a comment", async () => {
  const { id, node_id } = await comment(world.gh, number, "react to me");
  await world.octokit.rest.reactions.createForIssueComment({ ...web, comment_id: id, content: "eyes" });
  const { node } = await ask(
    `query ($id: ID!) { node(id: $id) { ... on IssueComment {
      issue { number reactions(first: 1) { totalCount } } repository { nameWithOwner }
      reactions(first: 5, content: EYES) { totalCount viewerHasReacted nodes { content user { login } } }
    } } }`,
    { id: node_id },
  );
  expect(node).toEqual({
    issue: { number, reactions: { totalCount: 0 } },
    repository: { nameWithOwner: "acme/web" },
    reactions: { totalCount: 1, viewerHasReacted: true, nodes: [{ content: "EYES", user: null }] },
  });
});

it("SR-24 shows an issue's lastEditedAt once its text was changed, not for a title or label", async () => {
  const issue = await openIssue(world.gh);
  const edited = async () =>
    (await ask(`{ repository(owner: "acme", name: "web") { issue(number: ${issue}) { lastEditedAt state locked } } }`))
      .repository?.issue;
  await world.gh.as("mona")("PATCH", `/repos/acme/web/issues/${issue}`, { title: "other", labels: ["incident"] });
  expect(await edited()).toEqual({ lastEditedAt: null, state: "OPEN", locked: false });
  await world.gh.as("mona")("PATCH", `/repos/acme/web/issues/${issue}`, { body: "other" });
  await world.gh.as("lee")("PUT", `/repos/acme/web/issues/${issue}/lock`, { lock_reason: "resolved" });
  await world.gh.as("mona")("PATCH", `/repos/acme/web/issues/${issue}`, { state: "closed" });
  expect(await edited()).toEqual({ lastEditedAt: expect.stringMatching(/Z$/), state: "CLOSED", locked: true });
});
