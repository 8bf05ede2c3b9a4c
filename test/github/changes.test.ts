import { afterEach, beforeEach, expect, it } from "vitest";
import { createFetchChanges } from "../../src/github/changes.ts";
import { endApi, startApi } from "./api.ts";

const place = { installationId: 1, repo: "acme/cart" };
const asked = { since: new Date("2026-01-01T10:00:00Z"), until: new Date("2026-01-01T12:00:00Z"), publicOnly: false };
const pull = (number: number, mergedAt: string | null) => ({
  number,
  title: "x",
  url: "https://github.test/1",
  mergedAt,
  author: null,
});

let world: ReturnType<typeof startApi>;
beforeEach(() => {
  world = startApi();
});
afterEach(() => expect(endApi()).toBe(true));

const granted = (permissions: object): void => {
  world.api.get("/app/installations/1").reply(200, { id: 1, permissions });
};
const fetchChanges = (change: Partial<typeof asked> = {}) =>
  createFetchChanges(world.client, { apiUrl: "http://api.github.test" })(place, { ...asked, ...change });

it("CH-02 only what happened in the window counts, and only what was granted is asked for", async () => {
  granted({ metadata: "read", pull_requests: "write" });
  let query = "";
  const nodes = [
    pull(1, "2026-01-01T11:00:00Z"),
    pull(2, "2026-01-01T09:59:59Z"),
    pull(3, "2026-01-01T12:00:01Z"),
    pull(4, null),
    null,
  ];
  world.api
    .post("/graphql", (body) => {
      query = String(body.query);
      return true;
    })
    .reply(200, { data: { repository: { isPrivate: true, pullRequests: { nodes } } } });
  const seen = await fetchChanges();
  expect(seen.changes.map(({ title }) => title)).toEqual(["#1 x"]);
  expect(seen.unseen).toEqual(
    ["deployments", "releases", "failed workflow runs"].map(
      (what, at) => `${what} of acme/cart (the App lacks \`${["deployments", "contents", "actions"][at]}: read\`)`,
    ),
  );
  expect(query).not.toMatch(/deployments|releases/);
});

it("CH-05 SR-11 on a public issue nothing of a private repository is told", async () => {
  granted({ metadata: "read", pull_requests: "read" });
  world.api.post("/graphql").reply(200, {
    data: { repository: { isPrivate: true, pullRequests: { nodes: [pull(1, "2026-01-01T11:00:00Z")] } } },
  });
  expect(await fetchChanges({ publicOnly: true })).toEqual({
    changes: [],
    unseen: ["acme/cart, which is private, while this issue is public"],
  });
});

it("CH-04 a refusal is told, and a GitHub that is away is for later", async () => {
  granted({ metadata: "read", pull_requests: "read" });
  world.api.post("/graphql").reply(200, { errors: [{ type: "NOT_FOUND", message: "Could not resolve" }] });
  expect((await fetchChanges()).unseen).toEqual([expect.stringMatching(/^acme\/cart \(.*Could not resolve/)]);
  granted({ metadata: "read", pull_requests: "read" });
  world.api.post("/graphql").reply(502, {});
  await expect(fetchChanges()).rejects.toMatchObject({ status: 502 });
});
