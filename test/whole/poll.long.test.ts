import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { entryOf, type Listen, type Playground, repo, startPlayground } from "../harness/playground.ts";
import { type FakeHost, startFakeHost } from "../ssh/fake-host.ts";

/** One story, heard by webhooks, by polling, and by both: the store must hold the same afterwards. */

let host: FakeHost;
beforeAll(async () => {
  host = await startFakeHost(async (_, { channel }) => {
    channel.write("fine\n");
    return 0;
  });
});
afterAll(() => host.close());

const start = (listen: Listen): Promise<Playground> =>
  startPlayground({
    servers: { "web-1": entryOf(host) },
    listen,
    moreRepos: ["api"],
    configure: (config) => {
      config.policy = { approvers: { teams: ["acme/oncall"] }, low: { approvals: 2 } };
      // They follow by the clock, and each is a delivery of its own.
      config.incident = { state_label: "" };
    },
  });

/** What people do to an incident, one thing after another. */
async function tell({ github, open, quiet }: Playground): Promise<void> {
  const [mona, lee] = [github.as("mona"), github.as("lee")];
  const thread = await open();
  const { number } = thread;
  const issue = `/repos/${repo}/issues/${number}`;
  const act = async (work: () => Promise<unknown>): Promise<void> => {
    await work();
    await quiet();
  };
  const botsComment = async (has: string): Promise<number> =>
    (await thread.comments()).find(({ login, body }) => login.endsWith("[bot]") && body.includes(has))?.id ?? 0;
  await quiet();
  await act(() => thread.say("lee", "/approve 99"));
  const first = await thread.say("lee", "/approve 1");
  await quiet();
  await act(() => github.editComment("lee", repo, first, "/approve 2"));
  const second = await thread.say("lee", "/approve 1");
  await quiet();
  await act(() => github.deleteComment("lee", repo, second));
  await act(() => thread.say("rita", "/approve 1"));
  await act(() => thread.say("lee", "/approve 1"));
  await act(() => thread.say("mona", "/approve 1"));
  await act(async () => github.editComment("mona", repo, await botsComment("**Suggestions**"), "All is well."));
  await act(async () => github.deleteComment("mona", repo, await botsComment("**Suggestions**")));
  await act(() => lee("DELETE", `${issue}/labels/incident`));
  await act(() => lee("POST", `${issue}/labels`, { labels: ["incident"] }));
  await act(() => mona("PATCH", issue, { state: "closed" }));
  await act(() => mona("PATCH", issue, { state: "open" }));
  await act(() => thread.say("mona", "/close it was the spool"));
  const plain = await open({ labels: [], by: "lee", title: "Something is slow" });
  await quiet();
  await act(() => plain.say("mona", "/investigate"));
  await act(() => github.deleteIssue("mona", repo, plain.number));
  const moved = await open({ title: "Disk full on web-1" });
  await quiet();
  await act(() => github.transferIssue("mona", repo, moved.number, "acme/api"));
}

/** What the store holds of it, without what differs from one run to the next. */
async function rowsOf({ bot }: Playground): Promise<Readonly<Record<string, readonly string[]>>> {
  const { db } = bot.deps.store;
  const ordered = {
    audit: await db.selectFrom("audit").select(["kind", "body"]).orderBy("seq").execute(),
    incident: await db
      .selectFrom("incident")
      .select(["number", "state", "title", "labels", "byHand", "phase", "cause", "openerLogin"])
      .orderBy("number")
      .execute(),
    action: await db
      .selectFrom("action")
      .select(["number", "state", "spec"])
      .orderBy("incidentId")
      .orderBy("number")
      .execute(),
    comment: await db
      .selectFrom("comment")
      .select(["issue", "slot", "body", "postedBody", "parked"])
      .orderBy("position")
      .execute(),
    reaction: await db.selectFrom("reaction").select(["issue", "content", "posted"]).orderBy("id").execute(),
    delivery: (
      await db.selectFrom("delivery").select(["event", "action", "line", "state"]).orderBy("position").execute()
    ).toSorted((a, b) => a.line.localeCompare(b.line)),
  };
  return Object.fromEntries(Object.entries(ordered).map(([table, rows]) => [table, rows.map(alike)]));
}

/** Ids, times and what follows from them; and who deleted or moved an issue, which GitHub tells by webhook alone. */
const alike = (row: unknown): string =>
  JSON.stringify(row)
    .replaceAll(/<details><summary>Timeline.*?<\/details>/g, "<timeline>")
    .replaceAll(/(\\"action\\":\\"(?:deleted|transferred)\\",\\"by\\":)\{[^}]*\}(?=,\\"issue)/g, "$1<somebody>")
    .replaceAll(/durationMs\\":\d+/g, "<duration>")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replaceAll(/\d\d:\d\dZ/g, "<time>")
    .replaceAll(/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/g, "<id>")
    .replaceAll(/\b\d{5,}\b/g, "<id>")
    .replaceAll(/\d+(\.\d)? (s|ms|min)\b/g, "<duration>");

describe("hearing of GitHub", () => {
  it("DC-8 one story leaves the same rows by polling as by webhooks, and by both at once nothing twice", async () => {
    const heard: Record<string, Awaited<ReturnType<typeof rowsOf>>> = {};
    for (const listen of ["webhook", "poll", "both"] as const) {
      const playground = await start(listen);
      await tell(playground);
      heard[listen] = await rowsOf(playground);
      expect(playground.github.invalid()).toEqual([]);
      await playground.close();
    }
    expect(heard.webhook?.audit?.length).toBeGreaterThan(20);
    expect(heard.poll).toEqual(heard.webhook);
    expect(heard.both).toEqual(heard.webhook);
  });
});
