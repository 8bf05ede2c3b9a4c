import { sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import type { Thread } from "../../demo/thread.ts";
import { leaveBehind } from "../features/run/left-behind.ts";
import { repo } from "../harness/playground.ts";
import { auditOf, sayUnheard, startStage, statesOf } from "../harness/stage.ts";
import { useStarted } from "../harness/use-started.ts";
import { postWebhook } from "../harness/webhook.ts";

type Incident = Thread & { readonly number: number };

const high = "rm -r /srv/app/cache/old";
const done = { text: "LIKELY, see 1, 2 and 3: nothing more to do." };

const stage = useStarted(() =>
  startStage({
    config: { policy: { high_per_hour: 2 } },
  }),
);
afterEach(() => stage.github.clearFaults());

const db = () => stage.bot.deps.store.db;

/** An incident's audit, in order. */
async function audited({
  number: issue,
}: Incident): Promise<readonly { readonly kind: string; readonly body: Audited }[]> {
  return (await auditOf(stage, { issue })).map(({ kind, body, at }) => ({ kind, body: { ...body, at } }));
}
type Audited = Readonly<Record<string, unknown>>;

/** Makes the cards of an incident as old as the minutes it takes to read them. */
async function letRead(thread: Incident): Promise<void> {
  await db()
    .updateTable("comment")
    .set({ firstPostedAt: new Date(Date.now() - 120_000) })
    .where("issue", "=", thread.number)
    .execute();
}

/** Sends an `issue_comment.created` that GitHub has signed, with something else in it. */
async function deliverLast(change: (payload: { comment: Audited; sender: Audited; issue: Audited }) => object) {
  const { payload } = await db()
    .selectFrom("delivery")
    .select("payload")
    .where("event", "=", "issue_comment")
    .where("action", "=", "created")
    .orderBy("position", "desc")
    .executeTakeFirstOrThrow();
  expect(await postWebhook(stage, "issue_comment", change(JSON.parse(payload)))).toBe(202);
  await stage.quiet();
}

describe("who approves", () => {
  it("SR-14 a login that was renamed away and registered anew gives its new owner nothing; the person keeps the right", async () => {
    const thread = await stage.incident("uptime", "df -h");
    stage.github.renamePerson("lee", "lee-old");
    stage.github.registerPerson("lee", "write");
    const answer = await stage.ask(thread, "lee", "/approve 1");
    expect(answer.said).toEqual([expect.stringContaining("Nothing was run. Only ")]);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 1: "proposed" });
    stage.model.play(done);
    expect(await stage.sent(() => stage.ask(thread, "lee-old", "/approve 1"))).toBe(1);
    stage.github.renamePerson("lee", "lee-new");
    stage.github.renamePerson("lee-old", "lee");
  });

  it.each(["Bot", "Mannequin", "Organization", "Robot", null])("SR-15 an account of type %s does not", async (type) => {
    const thread = await stage.incident("uptime");
    await thread.say("lee", "looks right to me");
    await stage.quiet();
    const before = stage.ran().length;
    await deliverLast(({ comment, sender, ...rest }) => {
      const user = type === null ? null : { ...Object(comment.user), type };
      return {
        ...rest,
        sender: user ?? sender,
        comment: { ...comment, id: Number(comment.id) + 7_000, body: "/approve 1", user },
      };
    });
    expect(stage.ran()).toHaveLength(before);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
  });

  it("SR-15 SR-21 a comment that somebody else's event brings does not count as its author's", async () => {
    const thread = await stage.incident("uptime");
    await thread.say("lee", "looks right to me");
    await stage.quiet();
    await deliverLast(({ comment, sender, ...rest }) => ({
      ...rest,
      sender: { ...sender, id: stage.github.person("sam").id, login: "sam" },
      comment: { ...comment, id: Number(comment.id) + 7_000, body: "/approve 1" },
    }));
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
  });

  it("SR-16 what an app sent in a person's name does not", async () => {
    const thread = await stage.incident("uptime");
    await thread.say("lee", "looks right to me");
    await stage.quiet();
    await deliverLast(({ comment, ...rest }) => ({
      ...rest,
      comment: {
        ...comment,
        id: Number(comment.id) + 7_000,
        body: "/approve 1",
        performed_via_github_app: { id: 99, slug: "helper" },
      },
    }));
    const refusal = await thread.waitFor((body) => body.includes("typed by the person"), "the refusal");
    expect(refusal.body).toContain("Nothing was run.");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
  });

  const approvals = async (thread: Incident) =>
    (
      await db()
        .selectFrom("approval")
        .innerJoin("action", "action.id", "approval.actionId")
        .innerJoin("incident", "incident.id", "action.incidentId")
        .select("approval.id as id")
        .where("incident.number", "=", thread.number)
        .execute()
    ).length;

  it("SR-23 a reply by e-mail does not: it is told so, and not even counted", async () => {
    const thread = await stage.incident("uptime");
    expect(await stage.sent(() => stage.github.emailComment("lee", repo, thread.number, "/approve 1"))).toBe(0);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
    expect(await approvals(thread)).toBe(0);
    const refusal = await thread.waitFor((body) => body.includes("by e-mail"), "the refusal");
    expect(refusal.body).toContain(
      "**1** is not approved: a reply by e-mail approves nothing; comment on the issue itself.",
    );
  });

  it("SR-28 a comment that was edited before it was read does not: it is told so, and not even counted", async () => {
    const thread = await stage.incident("uptime");
    const unheard = await sayUnheard(stage, thread, "lee", "/approve 1");
    const said = (await thread.comments()).at(-1);
    await stage.github.editComment("lee", repo, said?.id ?? 0, "/approve 1 please");
    expect(await stage.sent(unheard.deliver)).toBe(0);
    expect(await approvals(thread)).toBe(0);
    const refusal = await thread.waitFor((body) => body.includes("was edited"), "the refusal");
    expect(refusal.body).toContain("**1** is not approved: this comment was edited; approve in a new one.");
  });
});

describe("how many approve", () => {
  it("SR-18 one person's two comments are one approval; a second person completes it", async () => {
    const thread = await stage.incident(high);
    await letRead(thread);
    const first = await stage.ask(thread, "lee", "/approve 1 web-1 old cache");
    expect(first.said).toEqual([expect.stringContaining(": 1 of 2 approvals")]);
    const again = await stage.ask(thread, "lee", "/approve 1 web-1 old cache, as I said");
    expect(again.said).toEqual([expect.stringContaining("already counts")]);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
    stage.model.play(done);
    expect(await stage.sent(() => stage.ask(thread, "mona", "/approve 1 web-1 old cache"))).toBe(1);
  });

  it("SR-18 the author and one more are not two", async () => {
    const thread = await stage.incident("uptime");
    await stage.ask(thread, "lee", `/run web-1\n\`\`\`sh\n${high}\n\`\`\``);
    await letRead(thread);
    const own = await stage.ask(thread, "lee", "/approve 2 web-1 mine");
    expect(own.said).toEqual([expect.stringContaining("must come from somebody else")]);
    const other = await stage.ask(thread, "mona", "/approve 2 web-1 fine");
    expect(other.said).toEqual([expect.stringContaining(": 1 of 2 approvals")]);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 2: "proposed" });
  });

  it("SR-18 a rejection after one of two approvals is final", async () => {
    const thread = await stage.incident(high);
    await forgetApprovals();
    await letRead(thread);
    await stage.ask(thread, "lee", "/approve 1 web-1 old cache");
    await stage.ask(thread, "mona", "/reject 1 not today");
    const late = await stage.ask(thread, "mona", "/approve 1 web-1 after all");
    expect(late.said).toEqual([expect.stringContaining("**1** was rejected, and that is final")]);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "rejected" });
  });

  it("SR-19 high risk wants the server named again and a reason, and both are in the audit", async () => {
    const thread = await stage.incident(high);
    await forgetApprovals();
    await letRead(thread);
    const bare = await stage.ask(thread, "lee", "/approve 1");
    expect(bare.said).toEqual([
      expect.stringContaining("Nothing was run. **1** needs the server's name. Comment `/approve 1 web-1 <why>`"),
    ]);
    const wrong = await stage.ask(thread, "lee", "/approve 1 web-2 old cache");
    expect(wrong.said).toEqual([expect.stringContaining("**1** needs the server's name")]);
    const silent = await stage.ask(thread, "lee", "/approve 1 web-1");
    expect(silent.said).toEqual([expect.stringContaining("**1** needs a reason after the server's name")]);
    for (const hidden of ["\n<!-- integration: root comment -->", "\n\n[//]: # (note)"]) {
      const unread = await stage.ask(thread, "lee", `/approve 1 web-1${hidden}`);
      expect(unread.said).toEqual([expect.stringContaining("**1** needs a reason after the server's name")]);
    }
    const whole = await stage.ask(thread, "lee", "/approve 1 web-1 old cache, cleared with the db team");
    expect(whole.said).toEqual([expect.stringContaining(": 1 of 2 approvals")]);
    const audit = await audited(thread);
    expect(audit.flatMap(({ kind, body }) => (kind === "approval_refused" ? [body.code] : []))).toEqual([
      "server-missing",
      "server-missing",
      "reason-missing",
      "reason-missing",
      "reason-missing",
    ]);
    expect(audit.find(({ kind }) => kind === "command_approved")?.body).toMatchObject({
      reason: expect.stringContaining("old cache, cleared with the db team"),
      by: { login: "lee", role: "write" },
    });
  });
});

/** Approvals of the tests before are older than an hour from now on. */
async function forgetApprovals(): Promise<void> {
  await db()
    .updateTable("approval")
    .set({ createdAt: new Date(Date.now() - 2 * 3_600_000) })
    .execute();
}

/** GitHub tells whole seconds: what is to be later than another time must be a second later. */
const aSecond = () => new Promise((resolve) => setTimeout(resolve, 1_100));

describe("SR-57 high risk approved in haste is asked for once more", () => {
  const text = "/approve 1 web-1 old cache";

  it("within five seconds of the card: the confirmation names the command, and only a comment after it counts", async () => {
    const thread = await stage.incident(high);
    await forgetApprovals();
    await shownNow(thread);
    const [first] = await Promise.all([thread.say("lee", text), thread.say("lee", `${text} again`)]);
    await stage.quiet();
    const asked = (await thread.comments()).filter(({ body }) => body.includes("is not approved yet"));
    expect(asked.length).toBeGreaterThanOrEqual(1);
    expect(asked[0]?.body).toContain(`\`\`\`sh\n${high}\n\`\`\``);
    expect(asked[0]?.body).toContain("Nothing was run.");
    expect(await thread.reactions(first)).toEqual([]);
    expect(await approvalsIn(thread)).toBe(0);
    await aSecond();
    await shownNow(thread);
    const second = await stage.ask(thread, "lee", text);
    expect(second.said).toEqual([expect.stringContaining(": 1 of 2 approvals")]);
    // Confirmed by lee is not confirmed by mona.
    const mona = await stage.ask(thread, "mona", text);
    expect(mona.said).toEqual([expect.stringContaining("is not approved yet")]);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
  });

  it("after five seconds it counts at once", async () => {
    const thread = await stage.incident(high);
    await forgetApprovals();
    await letRead(thread);
    expect((await stage.ask(thread, "lee", text)).said).toEqual([expect.stringContaining(": 1 of 2 approvals")]);
  });

  it("more than policy.high_per_hour by one person, and others are not concerned", async () => {
    await forgetApprovals();
    for (let count = 0; count < 2; count++) {
      const thread = await stage.incident(high);
      await letRead(thread);
      expect((await stage.ask(thread, "lee", text)).said).toEqual([expect.stringContaining(": 1 of 2 approvals")]);
    }
    const thread = await stage.incident(high);
    await letRead(thread);
    const third = await stage.ask(thread, "lee", text);
    expect(third.said).toEqual([expect.stringContaining("more than 2 high-risk approvals in an hour")]);
    expect((await stage.ask(thread, "mona", text)).said).toEqual([expect.stringContaining(": 1 of 2 approvals")]);
    await aSecond();
    stage.model.play(done);
    expect(await stage.sent(() => stage.ask(thread, "lee", text))).toBe(1);
  });

  /** The card appeared when the next comment is written. */
  async function shownNow(thread: Incident): Promise<void> {
    const now = new Date(Math.floor(Date.now() / 1000) * 1000);
    await db()
      .updateTable("comment")
      .set({ firstPostedAt: now })
      .where("issue", "=", thread.number)
      .where("slot", "like", "card:%")
      .execute();
  }

  async function approvalsIn(thread: Incident): Promise<number> {
    return (await audited(thread)).filter(({ kind }) => kind === "command_approved").length;
  }
});

describe("SR-25 an approval holds in its own issue", () => {
  it("a number means the action of the issue it is written in", async () => {
    const one = await stage.incident("uptime");
    const other = await stage.incident("df -h");
    stage.model.play(done);
    const before = stage.ran().length;
    await stage.ask(other, "lee", "/approve 1");
    expect(stage.ran().slice(before).join()).toContain("df -h");
    expect(stage.ran().slice(before).join()).not.toContain("uptime");
    expect(await statesOf(stage, one.number)).toEqual({ 1: "proposed" });
    const [row] = await db()
      .selectFrom("action")
      .innerJoin("incident", "incident.id", "action.incidentId")
      .select("digest")
      .where("incident.number", "=", one.number)
      .execute();
    const pinned = await stage.ask(other, "lee", `/approve 1@${row?.digest.slice(0, 8)}`);
    expect(pinned.said.join()).toContain("has already run");
  });

  it("after the issue was transferred, of which GitHub did not tell, nothing runs and what was approved is void", async () => {
    const thread = await stage.incident("uptime");
    const left = await leaveBehind(stage, thread, { numbers: [1] });
    stage.github.fault({ event: "issues.transferred" }, { drop: "before" });
    await stage.github.transferIssue("mona", repo, thread.number, repo);
    expect(await stage.sent(left.serve)).toBe(0);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "void" });
  });
});

describe("the record", () => {
  it("SR-63 a store that cannot write the intent sends nothing", async () => {
    const thread = await stage.incident("uptime");
    const left = await leaveBehind(stage, thread, { numbers: [1] });
    // As a disk that is full when the dispatch is committed: nothing before that fails.
    await sql
      .raw(`create function full_disk() returns trigger language plpgsql as $$
        begin raise exception 'could not extend file: No space left on device'; end $$`)
      .execute(db());
    await sql
      .raw(`create constraint trigger full_disk after insert on audit deferrable initially deferred
        for each row when (new.kind = 'command_dispatched') execute function full_disk()`)
      .execute(db());
    expect(await stage.sent(left.serve)).toBe(0);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "approved" });
    await sql.raw("drop trigger full_disk on audit").execute(db());
    stage.model.play(done);
    expect(await stage.sent(left.serve)).toBe(1);
  });

  it("SR-65 of one run it answers every question", async () => {
    const thread = await stage.incident("uptime");
    stage.model.play(done);
    const answer = await stage.ask(thread, "lee", "/approve 1 it looks stuck");
    const audit = await audited(thread);
    const of = (kind: string): Audited | undefined => audit.find((row) => row.kind === kind)?.body;
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
    const sha256 = digest;
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(of("command_approved")).toMatchObject({
      number: 1,
      digest,
      by: { id: stage.github.person("lee").id, login: "lee", role: "write", teams: ["acme/oncall"] },
      comment: { id: answer.id, nodeId: expect.any(String), sha256, writtenAt: time },
      reason: "it looks stuck",
      at: time,
    });
    expect(of("command_dispatched")).toMatchObject({
      number: 1,
      digest,
      origin: "model",
      askedBy: { login: "mona" },
      model: "fake",
      conversation: { messages: expect.any(Number), sha256 },
      promptSha256: sha256,
      contextCommit: expect.any(String),
      place: "web-1",
      targets: [
        {
          server: "web-1",
          host: "127.0.0.1",
          port: expect.any(Number),
          user: expect.any(String),
          os: "linux",
          hostKeys: [expect.stringMatching(/^SHA256:/)],
          jobId: null,
          wrapped: expect.stringContaining("uptime"),
          hardTimeoutMs: expect.any(Number),
          outputCapBytes: expect.any(Number),
        },
      ],
      command: "uptime",
      rulesVersion: expect.any(String),
      at: time,
    });
    expect(of("command_executed")).toMatchObject({
      number: 1,
      digest,
      ending: { kind: "exited", code: 0 },
      hostKey: expect.stringMatching(/^SHA256:/),
      bytes: 5,
      outputSha256: sha256,
      redactedSha256: sha256,
      durationMs: expect.any(Number),
      at: time,
    });
  });

  it("SR-67 what was denied, ignored, refused or rejected is in it too", async () => {
    const thread = await stage.incident("uptime", high);
    await stage.ask(thread, "sam", "/approve 1");
    await stage.ask(thread, "lee", "/approve 1@00000000");
    await stage.ask(thread, "lee", "/reject 2");
    const { id, login } = stage.github.person("eve");
    await deliverLast(({ comment, sender, ...rest }) => ({
      ...rest,
      sender: { ...sender, id, login },
      comment: { ...comment, id: Number(comment.id) + 7_000, body: "/approve 1", user: { ...sender, id, login } },
    }));
    const kinds = (await audited(thread)).map(({ kind }) => kind);
    expect(kinds).toEqual(
      expect.arrayContaining(["command_denied", "approval_refused", "command_rejected", "command_ignored"]),
    );
  });
});

describe("every request", () => {
  it("DC-1 fits GitHub's own description", () => expect(stage.github.invalid()).toEqual([]));
});
