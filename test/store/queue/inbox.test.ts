import { afterEach, describe, expect, it } from "vitest";
import { openStore, type Store } from "../../../src/store/database/open.ts";
import { type Arrival, arrivalOf, createInbox, readWebhook } from "../../../src/store/queue/arrival.ts";
import { jobsIn } from "../jobs.ts";
import { usePlaces } from "../use-places.ts";

const here = await usePlaces("tests of the inbox on a PostgreSQL server");

const open: Store[] = [];
afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
});

const arrival = (guid: string, changes: Partial<Arrival> = {}): Arrival => ({
  guid,
  line: "issue:1:42",
  event: "issue_comment",
  action: "created",
  semanticKey: null,
  payload: "{}",
  ...changes,
});

const count = (answers: readonly string[], wanted: string): number => answers.filter((one) => one === wanted).length;

describe.each(here)("the inbox ($kind)", ({ create }) => {
  const setUp = async () => {
    const store = await openStore(await create());
    open.push(store);
    const jobs = async () => (await jobsIn(store.db)).map(({ data }) => data);
    return { store, receive: createInbox(store).receive, jobs };
  };

  it("F-01 SR-06 takes one GUID sent twenty times at once as one delivery with one job", async () => {
    const { store, receive, jobs } = await setUp();
    const answers = await Promise.all(Array.from({ length: 20 }, () => receive(arrival("g-1"))));
    expect(count(answers, "stored")).toBe(1);
    expect(count(answers, "duplicate")).toBe(19);
    expect(await receive(arrival("g-1"))).toBe("duplicate");
    expect(await store.db.selectFrom("delivery").select("guid").execute()).toEqual([{ guid: "g-1" }]);
    expect(await jobs()).toEqual([{ guid: "g-1" }]);
  });

  it("F-02 RR-02 takes the same comment under another GUID as the same, at once or later", async () => {
    const { receive, jobs } = await setUp();
    const semanticKey = "issue_comment:created:7";
    const answers = await Promise.all([
      receive(arrival("first")),
      receive(arrival("app", { semanticKey })),
      receive(arrival("hook", { semanticKey })),
    ]);
    expect(answers).toEqual(["stored", "stored", "duplicate"]);
    expect(await receive(arrival("later", { semanticKey }))).toBe("duplicate");
    expect(await jobs()).toEqual([{ guid: "first" }, { guid: "app" }]);
  });

  it("RR-01 keeps the order of arrival, and the payload byte for byte", async () => {
    const { store, receive, jobs } = await setUp();
    const guids = Array.from({ length: 500 }, (_, n) => `g-${n}`);
    await Promise.all(guids.map((guid) => receive(arrival(guid, { payload: `{"text": "ü \\u0000 ${guid}"}` }))));
    const rows = await store.db
      .selectFrom("delivery")
      .select(["guid", "payload", "state"])
      .orderBy("position")
      .execute();
    expect(rows).toEqual(guids.map((guid) => ({ guid, payload: `{"text": "ü \\u0000 ${guid}"}`, state: "stored" })));
    expect(await jobs()).toEqual(guids.map((guid) => ({ guid })));
  });

  it("commits together what arrives while a commit runs", async () => {
    const { store } = await setUp();
    let commits = 0;
    const { receive } = createInbox({
      db: store.db,
      queue: {
        ...store.queue,
        wake: (queue) => {
          commits++;
          store.queue.wake(queue);
        },
      },
    });
    const arriving = Array.from({ length: 100 }, async (_, n) => {
      await new Promise((resolve) => setImmediate(resolve));
      return receive(arrival(`g-${n}`));
    });
    expect(count(await Promise.all(arriving), "stored")).toBe(100);
    expect(commits).toBe(1);
  });

  it("refuses one that cannot be stored without refusing those that came with it", async () => {
    const { receive, jobs } = await setUp();
    const answers = await Promise.allSettled([
      receive(arrival("a")),
      receive(arrival("bad", { payload: "\u0000" })),
      receive(arrival("b")),
      receive(arrival("c")),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
    expect(await jobs()).toEqual([{ guid: "a" }, { guid: "b" }, { guid: "c" }]);
  });
});

describe("what the inbox reads of a webhook", () => {
  const repository = { id: 7 };
  const comment = { id: 99, updated_at: "2026-03-01T12:00:00Z" };
  const read = (event: string, body: object) => {
    const { line, action, semanticKey } = arrivalOf(event, "g", JSON.stringify(body)) ?? {};
    return [line, action, semanticKey];
  };

  it.each([
    ["issues", { action: "opened", issue: { number: 42 }, repository }, ["issue:7:42", "opened", null]],
    ["push", { repository }, ["repo:7", null, null]],
    ["installation", { action: "suspend", installation: { id: 5 } }, ["installation:5", "suspend", null]],
    ["ping", { zen: "Design for failure." }, ["installation:0", null, null]],
    [
      "issue_comment",
      { action: "created", issue: { number: 42 }, comment, repository },
      ["issue:7:42", "created", "issue_comment:created:99"],
    ],
    ["issue_comment", { action: "edited", issue: { number: 42 }, comment, repository }, ["issue:7:42", "edited", null]],
    ["issues", { action: "\u0000", issue: { number: "42" }, repository }, ["repo:7", null, null]],
  ])("RR-02 %s %j", (event, body, expected) => expect(read(event, body)).toEqual(expected));

  it.each(["", "null", "[]", "3", "{", '{"a": 1} x'])("is nothing where the body is %j", (body) => {
    expect(arrivalOf("issues", "g", body)).toBeUndefined();
  });

  const bot = { id: 500, type: "Bot" };
  const lee = { id: 12, type: "User" };
  const ours = { user: bot, performed_via_github_app: { id: 77 } };
  it.each([
    ["made by ourselves", true, "issue_comment", { comment: ours, sender: bot }],
    ["of ours, changed by another", false, "issue_comment", { comment: ours, sender: lee }],
    ["of ours, changed by another bot", false, "issue_comment", { comment: ours, sender: { id: 501, type: "Bot" } }],
    ["of a person by way of our App", false, "issue_comment", { comment: { ...ours, user: lee }, sender: lee }],
    [
      "of another App",
      false,
      "issue_comment",
      { comment: { ...ours, performed_via_github_app: { id: 78 } }, sender: bot },
    ],
    ["of nobody's App", false, "issue_comment", { comment: { user: bot }, sender: bot }],
    ["without an author", false, "issue_comment", { comment: { ...ours, user: { type: "Bot" } }, sender: {} }],
    ["no comment", false, "issues", { comment: ours, sender: bot }],
  ])("is an echo of our own or not: a comment %s", (_, echo, event, body) => {
    expect(readWebhook(event, "g", JSON.stringify(body))?.echoOf === 77).toBe(echo);
  });

  it.each([
    ["issue_comment", "created", "issue_comment:created:7"],
    ["issue_comment", "deleted", "issue_comment:deleted:7"],
    ["issue_comment", "edited", null],
    ["issues", "deleted", "issues:gone:1:42"],
    ["issues", "transferred", "issues:gone:1:42"],
    ["issues", "closed", null],
  ])("F-02 what happens once has a name of its own: %s.%s", (event, action, name) => {
    const about = {
      repository: { id: 1 },
      issue: { number: 42 },
      ...(event === "issue_comment" && { comment: { id: 7 } }),
    };
    expect(readWebhook(event, "g", JSON.stringify({ action, ...about }))?.arrival.semanticKey).toBe(name);
  });
});
