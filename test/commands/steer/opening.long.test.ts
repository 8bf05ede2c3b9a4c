import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { enqueueTurn } from "../../../src/features/turn/turn.ts";
import { actionsOf, digestOf } from "../../../src/store/actions.ts";
import { lockIncident } from "../../../src/store/incidents.ts";
import { leaseOf } from "../../../src/store/leases.ts";
import { incident as sure } from "../../harness/playground.ts";
import { auditOf, cardOf, incidentIdOf, proposing, startStage, statesOf } from "../../harness/stage.ts";
import { useStarted } from "../../harness/use-started.ts";
import { saying } from "../../ssh/fake-host.ts";
import { usePlaces } from "../../store/use-places.ts";

const here = await usePlaces("opening leases on a PostgreSQL server");
const _minute = 60_000;
const restart = "systemctl restart nginx";
const done = { text: "CONFIRMED by 1: nothing more to do." };
const opening = { servers: ["web-1"], max_time: "30m", max_commands: 3 };

describe.each(here)("AR-03 an incident that begins with a lease ($kind)", ({ create }) => {
  const stage = useStarted(async () =>
    startStage({ storeUrl: await create(), config: { policy: { lease: { opening } } } }),
  );
  const issue = (thread: { number: number }, change: object) =>
    stage.github.as("mona")("PATCH", `/repos/acme/web/issues/${thread.number}`, change);
  const boardOf = async (thread: Awaited<ReturnType<typeof stage.incident>>): Promise<string> =>
    (await thread.comments()).find(({ body }) => body.includes("Board of this incident"))?.body ?? "";
  const ranWith = (part: string) => stage.ran().filter((line) => line.includes(part)).length;

  it("AR-03 runs the agent's reads without a comment; the file's hash stands in digest, approval and audit, and changes wait", async () => {
    const before = ranWith("uptime");
    stage.model.play(
      proposing("LIKELY by 2: restart.", restart, "uptime"),
      proposing("LIKELY: on.", "uptime", restart),
      done,
    );
    const first = await stage.opened({ title: "It is slow" });
    await stage.quiet();
    expect(await statesOf(stage, first.number)).toMatchObject({ 1: "proposed", 2: "proposed" });
    const thread = await stage.opened({ title: "It is slow again" });
    await stage.quiet();
    expect(ranWith("uptime") - before).toBe(1);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 1: "done", 2: "proposed" });
    expect((await cardOf(thread, 1)).body).toContain("lease");
    expect(await boardOf(thread)).toMatch(
      / · lease by the operator's file for `web-1` until \d\d:\d\dZ, 1 of 3 commands used, `\/lease off`/,
    );
    const { db } = stage.bot.deps.store;
    const { fileSha256 } = stage.bot.deps.config;
    const [read] = await actionsOf(db, await incidentIdOf(db, thread.number));
    expect(read?.spec.opening).toBe(fileSha256);
    expect(read?.digest).toBe(read && digestOf(read.spec));
    const audit = await auditOf(stage, { issue: thread.number, kind: ["lease_given", "command_approved"] });
    expect(audit.map(({ kind, body }) => [kind, body.operatorFile, body.comment, body.by.login])).toEqual([
      ["lease_given", fileSha256, undefined, "the operator's file"],
      ["command_approved", fileSha256, undefined, "the operator's file"],
    ]);
    const closing = await stage.ask(thread, "lee", "/close --anyway it was slow");
    expect(closing.said.join()).toContain("one command run, approved by the operator's file");
  });

  it("AR-03 a turn that starts anew is given, though reads of the opening lease ended long ago and no turn read them", async () => {
    stage.model.play(proposing("LIKELY: look.", "uptime"), done);
    const thread = await stage.opened({ title: "It is slow once more" });
    await stage.quiet();
    const { deps } = stage.bot;
    // Its first turn is given again, as if none had been.
    await deps.store.db.updateTable("session").set({ steps: 0 }).execute();
    await deps.store.db.updateTable("turn").set("step", sql`step + 10`).execute();
    const asked = stage.model.requests.length;
    stage.model.play({ text: "LIKELY: look again." });
    await deps.store.transaction(async (tx) => {
      const incident = await lockIncident(tx, await incidentIdOf(tx, thread.number));
      await enqueueTurn(tx, deps, incident, { kind: "opened", fresh: false });
    });
    await stage.quiet();
    expect(stage.model.requests.length).toBe(asked + 1);
  });

  it("AR-03 runs a fitting runbook's checks before the model is asked, whose first reply reads their results", async () => {
    const asked = stage.model.requests.length;
    stage.play(saying("spool is at 97 percent\n"));
    stage.model.play({ text: "CONFIRMED by 1: nothing more to do." });
    const thread = await stage.opened({ title: sure.title, body: sure.body });
    await stage.quiet();
    stage.play(saying(""));
    const turns = stage.model.requests.slice(asked);
    expect(turns).toHaveLength(1);
    const news = turns[0]?.body.messages.at(-1)?.content ?? "";
    expect(news).toContain("Reads have run under a lease");
    expect(news).toContain("spool is at 97 percent");
    expect(await statesOf(stage, thread.number)).toMatchObject({ 1: "done" });
  });

  it.each(["/lease off", "/hold"])(
    "AR-03 %s ends it, and nothing brings it back but a person's lease",
    async (word) => {
      stage.model.play(proposing("LIKELY: restart.", restart));
      const thread = await stage.opened({ title: "It is slow" });
      await stage.quiet();
      await stage.ask(thread, "sam", word);
      if (word === "/hold") await stage.ask(thread, "lee", "/resume");
      const before = ranWith("uptime");
      await stage.ask(thread, "lee", "/ask look", proposing("LIKELY: on.", "uptime"));
      expect(ranWith("uptime")).toBe(before);
      expect(await boardOf(thread)).not.toContain("lease by");
    },
  );

  it("AR-03 runs no more than its number, and closing ends it for good", async () => {
    stage.model.play(proposing("LIKELY: look.", "uptime", "df -h", "free -m", "uname -a"), done);
    const thread = await stage.opened({ title: "It is slow" });
    await stage.quiet();
    expect(Object.values(await statesOf(stage, thread.number)).filter((state) => state === "done")).toHaveLength(3);
    await issue(thread, { state: "closed" });
    await stage.quiet();
    await issue(thread, { state: "open" });
    await stage.quiet();
    const lease = await leaseOf(stage.bot.deps.store.db, await incidentIdOf(stage.bot.deps.store.db, thread.number));
    expect(lease?.offAt).not.toBeNull();
    expect(lease?.used).toBe(3);
  });
});
