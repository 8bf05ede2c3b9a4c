import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { buildFactsQuery, createFetchFacts, type Facts, type FactsQuestion } from "../../src/github/facts.ts";
import { endApi, startApi } from "./api.ts";

const lee = { id: 70, login: "lee" };
const mona = { id: 71, login: "mona" };
const question: FactsQuestion = {
  installationId: 1,
  repo: "acme/web",
  issue: 5,
  people: [lee],
  comments: ["IC_1", "IC_2"],
  teams: ["acme/oncall"],
};
const collaborator = (permission: string, databaseId = lee.id) => ({ edges: [{ permission, node: { databaseId } }] });
const repository = {
  databaseId: 9,
  nameWithOwner: "acme/web",
  isPrivate: true,
  defaultBranchRef: { target: { oid: "c1" } },
  issue: { id: "I_5", state: "OPEN", timelineItems: { nodes: [] } },
  people0: collaborator("WRITE") as unknown,
};
const comment = {
  id: "IC_1",
  fullDatabaseId: "5000000001",
  body: "/approve 1",
  lastEditedAt: null,
  createdViaEmail: false,
  createdAt: "2026-01-01T12:00:00Z",
  author: { databaseId: lee.id },
  issue: { id: "I_5" },
};
const members = (...ids: readonly number[]) => ({
  team: { member0: { nodes: ids.map((databaseId) => ({ databaseId })) } },
});
const whole = { repository, nodes: [comment, null], team0: members(lee.id) };
const notFound = { type: "NOT_FOUND", path: ["nodes", 1], message: "Could not resolve to a node" };

describe("what GitHub says", () => {
  let world: ReturnType<typeof startApi>;
  beforeEach(() => {
    world = startApi();
  });
  afterEach(() => expect(endApi()).toBe(true));

  const ask = (answer: object, change: Partial<FactsQuestion> = {}): Promise<Facts> => {
    world.api.post("/graphql").reply(200, answer);
    installed();
    return createFetchFacts(world.client)({ ...question, ...change });
  };
  const installed = (status = 200, body: object = { id: question.installationId, suspended_at: null }) =>
    world.api.get("/repos/acme/web/installation").reply(status, body);
  const standingOf = async (answer: object) => (await ask(answer)).people.get(lee.id);

  it("SR-17 SR-24 holds all that an approval rests on, from one request", async () => {
    expect(await ask({ data: whole })).toEqual({
      repository: { id: 9, name: "acme/web", private: true, commit: "c1" },
      issue: { nodeId: "I_5", open: true, closedAt: undefined },
      installed: true,
      askedAt: expect.any(Number),
      people: new Map([[lee.id, { role: "write", teams: ["acme/oncall"] }]]),
      comments: new Map([
        [
          "IC_1",
          {
            id: 5_000_000_001,
            body: "/approve 1",
            edited: false,
            byEmail: false,
            createdAt: new Date("2026-01-01T12:00:00Z"),
            authorId: lee.id,
            issueNodeId: "I_5",
            editedByOthers: [],
          },
        ],
      ]),
    });
  });

  it("SR-24 a comment that was deleted is an error beside the data, and is absent", async () => {
    const facts = await ask({ data: whole, errors: [notFound] });
    expect([...facts.comments.keys()]).toEqual(["IC_1"]);
    expect(facts.people.get(lee.id)).toEqual({ role: "write", teams: ["acme/oncall"] });
  });

  it.each([
    ["a level that GitHub does not have today", "DEPLOYER"],
    ["a word with blanks", "write "],
    ["nothing", ""],
  ])("SR-17 %s is no right", async (_what, permission) => {
    const data = { ...whole, repository: { ...repository, people0: collaborator(permission) } };
    expect(await standingOf({ data })).toMatchObject({ role: "none" });
  });

  it("SR-14 a login that passed to somebody else gives nothing, in repository and team", async () => {
    const data = { repository: { ...repository, people0: collaborator("ADMIN", 999) }, nodes: [], team0: members(999) };
    expect(await standingOf({ data })).toEqual({ role: "none", teams: [] });
  });

  it("SR-14 a search that finds several takes the one with the id", async () => {
    const edges = [...collaborator("ADMIN", 999).edges, null, ...collaborator("TRIAGE").edges];
    const data = { ...whole, repository: { ...repository, people0: { edges } } };
    expect(await standingOf({ data })).toMatchObject({ role: "triage" });
  });

  it.each([
    ["is not there", { team: null }],
    ["has others in it", members(999)],
    ["has nobody in it", members()],
    ["may not be read", null],
  ])("SR-17 a team that %s gives nothing", async (_what, team0) => {
    expect(await standingOf({ data: { ...whole, team0 } })).toMatchObject({ teams: [] });
  });

  it("SR-17 no team is asked for where policy names none, and every person for himself", async () => {
    let asked = "";
    world.api
      .post("/graphql", (body: { query: string }) => {
        asked = body.query;
        return true;
      })
      .reply(200, { data: { ...whole, repository: { ...repository, people1: collaborator("READ", mona.id) } } });
    installed();
    const facts = await createFetchFacts(world.client)({ ...question, teams: [], people: [lee, mona] });
    expect(asked).not.toContain("organization");
    expect(facts.people).toEqual(
      new Map([
        [lee.id, { role: "write", teams: [] }],
        [mona.id, { role: "read", teams: [] }],
      ]),
    );
  });

  it("SR-24 an App that is not installed there any more, or not by this installation, or suspended, is told", async () => {
    const answers: readonly [boolean, number, object][] = [
      [true, 200, { id: question.installationId, suspended_at: null }],
      [false, 200, { id: question.installationId + 1, suspended_at: null }],
      [false, 200, { id: question.installationId, suspended_at: "2026-01-01T12:00:00Z" }],
      [false, 404, { message: "Not Found" }],
    ];
    for (const [is, status, body] of answers) {
      world.api.post("/graphql").reply(200, { data: whole });
      installed(status, body);
      expect((await createFetchFacts(world.client)(question)).installed).toBe(is);
    }
    world.api.post("/graphql").reply(200, { data: whole });
    installed(502, {});
    await expect(createFetchFacts(world.client)(question)).rejects.toThrow();
  });

  it("SR-24 a repository that answers under another name now is no place to look for the App", async () => {
    const nameWithOwner = "acme/elsewhere";
    world.api.post("/graphql").reply(200, { data: { ...whole, repository: { ...repository, nameWithOwner } } });
    installed(301, { message: "Moved Permanently" });
    expect(await createFetchFacts(world.client)(question)).toMatchObject({
      installed: false,
      repository: { name: nameWithOwner },
    });
  });

  it("SR-27 edits by others than its author are told, also those that were written over", async () => {
    const by = (databaseId: number | undefined, editedAt: string) => ({
      editedAt,
      editor: databaseId === undefined ? null : { databaseId },
    });
    const edits = [
      by(lee.id, "2026-01-01T12:00:03Z"),
      by(mona.id, "2026-01-01T12:00:02Z"),
      by(undefined, "2026-01-01T12:00:01Z"),
    ];
    const nodes = [{ ...comment, userContentEdits: { nodes: edits } }];
    const { comments } = await ask({ data: { ...whole, nodes } });
    expect(comments.get("IC_1")?.editedByOthers).toEqual([
      new Date("2026-01-01T12:00:02Z"),
      new Date("2026-01-01T12:00:01Z"),
    ]);
  });

  it("SR-23 SR-28 an edited comment, one by e-mail and one of a deleted account are told apart", async () => {
    const nodes = [
      { ...comment, id: "IC_1", lastEditedAt: "2026-01-01T00:00:00Z" },
      { ...comment, id: "IC_2", createdViaEmail: true },
      { ...comment, id: "IC_3", author: null },
      {},
    ];
    const { comments } = await ask({ data: { ...whole, nodes } });
    expect(comments.get("IC_1")).toMatchObject({ edited: true });
    expect(comments.get("IC_2")).toMatchObject({ byEmail: true });
    expect(comments.get("IC_3")).toMatchObject({ authorId: undefined });
    expect(comments.size).toBe(3);
  });

  it("SR-17 whose login is a part of many others' is found among them, as collaborator and in a team", async () => {
    const { query } = buildFactsQuery(question);
    const asked = query.matchAll(/(\w+)\(query: \$login0, first: (\d+)\)/g);
    const everybody = [...Array.from({ length: 60 }, (_, at) => 1_000 + at), lee.id];
    const given = new Map([...asked].map(([, list, first]) => [list, everybody.slice(0, Number(first))]));
    const people0 = { edges: (given.get("collaborators") ?? []).flatMap((id) => collaborator("WRITE", id).edges) };
    const answer = {
      ...whole,
      repository: { ...repository, people0 },
      team0: members(...(given.get("members") ?? [])),
    };
    expect(await standingOf({ data: answer })).toEqual({ role: "write", teams: ["acme/oncall"] });
  });

  it("SR-24 a repository or issue that is gone is absent, not open", async () => {
    expect(await ask({ data: { ...whole, repository: null }, errors: [notFound] })).toMatchObject({
      repository: undefined,
      issue: undefined,
      people: new Map([[lee.id, { role: "none", teams: ["acme/oncall"] }]]),
    });
    const closed = {
      ...repository,
      issue: { id: "I_5", state: "CLOSED", timelineItems: { nodes: [{ createdAt: "2026-01-01T12:30:00Z" }] } },
    };
    expect((await ask({ data: { ...whole, repository: closed } })).issue).toMatchObject({ open: false });
  });

  it.each([500, 502, 403, 404])("F-12 %d from GitHub is thrown, never an answer", async (status) => {
    world.api.post("/graphql").reply(status, { message: "no" });
    installed();
    await expect(createFetchFacts(world.client)(question)).rejects.toThrow();
  });

  it("F-12 errors without data, and a connection that dies, are thrown", async () => {
    await expect(ask({ errors: [{ message: "Something went wrong" }] })).rejects.toThrow();
    await expect(ask({ data: null, errors: [{ message: "timeout" }] })).rejects.toThrow();
    world.api.post("/graphql").replyWithError("reset");
    installed();
    await expect(createFetchFacts(world.client)(question)).rejects.toThrow();
  });

  it("F-13 a token that GitHub no longer takes is minted anew", async () => {
    await ask({ data: whole });
    // A token's first seconds are the client's own business: it waits for GitHub to know it everywhere.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10_000 });
    world.api.post("/graphql").reply(401, { message: "Bad credentials" });
    expect(await ask({ data: whole })).toMatchObject({ issue: { open: true } });
    vi.useRealTimers();
    expect(world.tokens()).toBe(2);
  });

  it.each([
    ["the owner has not granted members", "FORBIDDEN", ["team0", "team"], { team: null }],
    ["the organization has another name now", "NOT_FOUND", ["team0"], null],
  ])("SR-17 a team that cannot be seen has no members, and whoever is listed by name goes on: %s", async (...given) => {
    const [, type, path, team0] = given;
    const answer = { data: { ...whole, team0 }, errors: [{ type, path, message: "Resource not accessible" }] };
    expect(await standingOf(answer)).toEqual({ role: "write", teams: [] });
    await expect(ask({ ...answer, errors: [{ type: "SERVICE_UNAVAILABLE", path, message: "no" }] })).rejects.toThrow();
  });

  describe("where collaborators may not be listed by GraphQL", () => {
    const refused = {
      data: { ...whole, repository: { ...repository, people0: null } },
      errors: [{ type: "FORBIDDEN", path: ["repository", "people0"], message: "Resource not accessible" }],
    };
    const permission = (status: number, body: object) =>
      world.api.get("/repos/acme/web/collaborators/lee/permission").reply(status, body);

    it.each([
      ["the live role counts", { role_name: "maintain", user: { id: lee.id } }, "maintain"],
      ["a custom role is none", { permission: "admin", role_name: "deployer", user: { id: lee.id } }, "none"],
      ["another id under the login is none", { role_name: "admin", user: { id: 999 } }, "none"],
      ["an answer without a user is none", { role_name: "admin", user: null }, "none"],
    ])("SR-17 %s", async (_what, body, role) => {
      permission(200, body);
      expect(await standingOf(refused)).toEqual({ role, teams: ["acme/oncall"] });
    });

    it("SR-17 who is not found has no role, and any other answer is thrown", async () => {
      permission(404, { message: "Not Found" });
      expect(await standingOf(refused)).toMatchObject({ role: "none" });
      permission(500, {});
      await expect(ask(refused)).rejects.toThrow();
      permission(403, { message: "no" });
      await expect(ask(refused)).rejects.toThrow();
    });
  });
});
