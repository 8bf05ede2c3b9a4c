import { afterEach, expect, it } from "vitest";
import { createReadComments, type IssueComment } from "../../src/github/conversation.ts";
import { endApi, startApi } from "./api.ts";

afterEach(() => expect(endApi()).toBe(true));

const place = { installationId: 1, repo: "acme/web", issue: 42 };
const node = (id: number) => ({
  fullDatabaseId: `${id}`,
  body: `comment ${id}`,
  createdAt: "2026-03-01T14:05:00Z",
  lastEditedAt: id === 2 ? "2026-03-01T14:06:00Z" : null,
  isMinimized: id === 3,
  minimizedReason: id === 3 ? "off-topic" : null,
  viewerDidAuthor: id === 4,
  author: id === 5 ? null : { login: "lee" },
  editor: id === 2 ? { login: "sam" } : null,
});

async function read(ids: readonly number[], perPage: number): Promise<readonly IssueComment[]> {
  const { client, api } = startApi();
  for (let from = 0; from === 0 || from < ids.length; from += perPage) {
    const nodes = ids.slice(from, from + perPage).map(node);
    const pageInfo = { hasNextPage: from + perPage < ids.length, endCursor: `after ${from + perPage}` };
    const after = from === 0 ? null : `after ${from}`;
    api
      .post("/graphql", ({ variables }) => variables.after === after && variables.issue === 42)
      .reply(200, { data: { repository: { issue: { comments: { pageInfo, nodes: [...nodes, null] } } } } });
  }
  const all: IssueComment[] = [];
  for await (const page of createReadComments(client)(place)) all.push(...page);
  return all;
}

it("DC-6 all of an issue's comments are read, however many pages they are", async () => {
  const ids = Array.from({ length: 1_234 }, (_, n) => n + 1);
  expect((await read(ids, 100)).map(({ id }) => id)).toEqual(ids);
  expect(await read([], 100)).toEqual([]);
});

it("DC-6 who wrote, edited and hid a comment is told", async () => {
  const [plain, edited, hidden, ours, ghost] = await read([1, 2, 3, 4, 5], 100);
  expect(plain).toEqual({
    id: 1,
    login: "lee",
    ours: false,
    body: "comment 1",
    createdAt: new Date("2026-03-01T14:05:00Z"),
    editedAt: undefined,
    editor: undefined,
    hidden: undefined,
  });
  expect(edited).toMatchObject({ editedAt: new Date("2026-03-01T14:06:00Z"), editor: "sam" });
  expect([hidden?.hidden, ours?.ours, ghost?.login]).toEqual(["off-topic", true, undefined]);
});

it("F-12 an issue that GitHub does not know is an error and not an empty issue", async () => {
  const { client, api } = startApi();
  api.post("/graphql").reply(200, { data: { repository: { issue: null } } });
  await expect(createReadComments(client)(place).next()).rejects.toThrow("no issue 42");
});
