import { describe, expect, it } from "vitest";
import { actionsOf } from "../../../src/store/actions.ts";
import { partsOf } from "../../../src/store/incident-rows.ts";
import { leaseOf } from "../../../src/store/leases.ts";
import { call, incidentIn, type Proposed, proposing, startStage, statesOf } from "../../harness/stage.ts";
import { until } from "../../harness/until.ts";
import { useStarted } from "../../harness/use-started.ts";
import { saying } from "../../ssh/fake-host.ts";
import { usePlaces } from "../../store/use-places.ts";

const here = await usePlaces("reads under a lease on a PostgreSQL server");
const opening = { servers: ["web-1"], max_time: "30m", max_commands: 6 };
const restart: Proposed = { command: "systemctl restart nginx", risk: "medium" };

/** A reply that proposes by the tool. */
const calling = (...proposed: readonly (string | Proposed)[]) => {
  const [, list = "{}"] = proposing("", ...proposed).text.split(/---ACTIONS_JSON_(?:START|END)---/);
  return { text: "", toolCalls: [{ name: "propose_actions", arguments: JSON.parse(list) }] };
};

describe.each(here)("AR-03 reads that a lease takes, in the turn that proposes them ($kind)", ({ create }) => {
  const stage = useStarted(async () =>
    startStage({ storeUrl: await create(), config: { policy: { lease: { opening } } } }),
  );
  const answerTo = (back: number): string => stage.model.requests.at(-back)?.body.messages.at(-1)?.content ?? "";
  const turnsOf = async (number: number) => {
    const { db } = stage.bot.deps.store;
    const { id } = await incidentIn(db, number);
    return db.selectFrom("turn").select(["step", "cause", "notes"]).where("incidentId", "=", id).execute();
  };

  it("AR-03 run at once, and their outputs answer the call; the change beside them waits, and no further turn reads them", async () => {
    stage.play(saying("load average: 9.81\n"));
    const asked = stage.model.requests.length;
    const thread = await stage.opened({}, calling("uptime", "df -h", restart), {
      text: "LIKELY: 1 shows a load of 9.81.",
    });
    expect(stage.model.requests.length - asked).toBe(2);
    expect(answerTo(1)).toMatch(
      /^Proposed:\n- 1, low, ran under the lease: "Look" on web-1\n- 2, low, ran under the lease: .*\n- medium, needs 1 approval/,
    );
    expect(answerTo(1)).toMatch(
      /Run of 1 on web-1, .*exit 0\.\n<output-of-1 nonce[^>]*>\n\$ uptime\nload average: 9\.81\n/,
    );
    expect(answerTo(1)).toContain("Run of 2 on web-1");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "done", 3: "proposed" });
    expect(await turnsOf(thread.number)).toEqual([{ step: 1, cause: "opened", notes: [] }]);
    const cards = (await thread.comments()).map(({ body }) => body);
    expect(cards.filter((body) => /^- \[x\] \*\*1\*\* .* · lease/m.test(body))).toHaveLength(1);
    // Result, reading and the change are one comment.
    expect(
      cards.filter((body) =>
        /^(?:On `web-1`, by .+:\n\n)?\*\*1\*\* (?:has ended: )?✅[\s\S]*LIKELY[\s\S]*- \[ \] \*\*3\*\*/.test(body),
      ),
    ).toHaveLength(1);
    expect(cards.filter((body) => body.startsWith("**The agent looks first**, under the lease"))).toHaveLength(1);
    const { db } = stage.bot.deps.store;
    const [one, two, three] = await actionsOf(db, (await incidentIn(db, thread.number)).id);
    expect(one?.card).toBe(two?.card);
    expect(three?.card).not.toBe(one?.card);
  });

  it("AR-03 the list that comes after the outputs has numbers of its own; a read that has answered is known and not run again", async () => {
    const before = stage.ran().filter((line) => line.includes("uptime")).length;
    const thread = await stage.opened({}, calling("uptime", restart), calling("uptime", restart, "free -m"), {
      text: "LIKELY: 1 shows the load.",
    });
    expect(stage.ran().filter((line) => line.includes("uptime")).length - before).toBe(1);
    expect(answerTo(1)).toMatch(/^Proposed:\n- 1 did this at .* exit 0\. Its answer still holds/);
    expect(answerTo(1)).toMatch(
      /\n- medium, needs 1 approval: .*\n- low, runs under the lease once the change before it has run: /,
    );
    // What stands behind a change waits for it.
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "proposed", 3: "proposed" });
    expect((await turnsOf(thread.number)).map(({ notes }) => notes)).toEqual([[]]);
  });

  it("AR-03 a change whose condition such a read shows waits on its card with it, and compares it again", async () => {
    stage.play(saying("fine\n"));
    const thread = await stage.opened(
      {},
      calling("systemctl is-active nginx", { ...restart, when: { check: 1, shows: "fine" } }),
      { text: "LIKELY: 1 shows it." },
    );
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "proposed" });
    const card = (await thread.comments()).find(({ body }) => body.includes("**2** ·"));
    expect(card?.body).toContain("Runs only if check 1 shows");
    await stage.ask(thread, "lee", "/approve 2", { text: "CONFIRMED by 2: it runs." });
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "done", 3: "done" });
  });

  it("AR-03 of a set only what the lease does not take waits, and the model reads why", async () => {
    const thread = await stage.opened(
      {},
      calling({ command: "", commands: ["uptime", "getent hosts redis-1", "df -h", "nc -zv redis-1 6379"] }),
      { text: "LIKELY: it is slow." },
    );
    expect(answerTo(1)).toMatch(
      /^Proposed:\n- 1, low, ran under the lease; low, needs 1 approval, waits because it reaches another host: /,
    );
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "proposed" });
    const card = (await thread.comments()).find(({ body }) => body.includes("- [ ] **2**"))?.body;
    expect(card).toContain("left to people:* it reaches another host");
    expect(card).toContain("getent hosts redis-1");
    expect(card?.slice(card.indexOf("- [ ]"))).not.toContain("uptime");
  });

  it("AR-03 no more run than the lease's number; the rest waits", async () => {
    const thread = await stage.opened(
      {},
      calling({ command: "", commands: ["uptime", "free -m", "uname -a", "df -h"] }),
      calling({ command: "", commands: ["vmstat 1 1", "iostat", "lsblk"] }, "w", "last"),
      { text: "LIKELY: it is slow." },
    );
    expect(answerTo(1)).toMatch(
      /- low, needs 1 approval: .*\n- 2, low, ran under the lease: .*\n- 3, low, ran under the lease/,
    );
    // A number is given when people are told of it, so none is passed over.
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "done", 3: "done", 4: "proposed" });
    const { db } = stage.bot.deps.store;
    expect((await leaseOf(db, (await incidentIn(db, thread.number)).id))?.used).toBe(6);
  });

  it("AR-03 nothing runs beside what policy blocks, which ends the lease", async () => {
    const sent = await stage.sent(async () => {
      const thread = await stage.opened(
        {},
        calling("uptime", { command: "rm -rf /", risk: "high" }),
        calling("free -m"),
        { text: "LIKELY: it is slow." },
      );
      expect(Object.values(await statesOf(stage, thread.number)).toSorted()).toEqual(["blocked", "proposed"]);
      const { db } = stage.bot.deps.store;
      expect((await leaseOf(db, (await incidentIn(db, thread.number)).id))?.offAt).not.toBeNull();
    });
    expect(sent).toBe(0);
  });

  it("AR-03 proposals that policy finds riskier count although later lists leave them out; the third ends it", async () => {
    const riskier = (command: string): Proposed => ({ command, risk: "low" });
    const thread = await stage.opened(
      {},
      calling("uptime", riskier("systemctl restart nginx")),
      calling("free -m", riskier("systemctl restart redis")),
      calling("uname -a", riskier("systemctl restart haproxy")),
      { text: "LIKELY: it is slow." },
    );
    expect(answerTo(1)).toMatch(/low, needs 1 approval: .*\n- medium \(you said low\)/);
    const { db } = stage.bot.deps.store;
    const lease = await leaseOf(db, (await incidentIn(db, thread.number)).id);
    expect([lease?.raised, lease?.used, lease?.offAt === null]).toEqual([3, 2, false]);
  });

  it.each(["/hold", "/lease off"])("AR-03 %s while the model thinks: nothing more is sent", async (word) => {
    const thread = await stage.open();
    const sent = await stage.sent(async () => {
      stage.model.play(
        async () => {
          await thread.say("sam", word);
          await until(async () => {
            const { db } = stage.bot.deps.store;
            const { lease, holds } = await partsOf(db, (await incidentIn(db, thread.number)).id, "lease", "holds");
            expect(holds.length > 0 || lease?.offAt !== null).toBe(true);
          });
          return calling("uptime");
        },
        { text: "LIKELY: it is slow." },
      );
      await stage.quiet();
    });
    expect(sent).toBe(0);
    expect(answerTo(1)).toMatch(/^Proposed:\n- low, needs 1 approval/);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
    if (word === "/hold") await stage.ask(thread, "lee", "/resume");
  });

  it("AR-03 a hold while a read runs lets the turn go on; its output comes after /resume", async () => {
    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    stage.play(async (_command, { channel }) => {
      begun.resolve();
      await held.promise;
      channel.write("slow disk\n");
      return 0;
    });
    stage.model.play(calling("uptime"), { text: "LIKELY: it still runs." });
    const thread = await stage.open();
    await begun.promise;
    await thread.say("sam", "/hold");
    await thread.waitFor((body) => body.includes("It still runs"), "the reply", 60_000);
    expect(answerTo(1)).toMatch(/^Proposed:\n- 1, low, has not ended yet: its output will be told to you/);
    held.resolve();
    await stage.quiet();
    stage.play(saying("fine\n"));
    await stage.ask(thread, "lee", "/resume", { text: "CONFIRMED by 1: slow disk." });
    expect(answerTo(1)).toContain("slow disk");
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done" });
  });

  it("AR-03 a read that the lease did not run after all waits for people, and a list without it leaves it so", async () => {
    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    stage.play(async () => {
      begun.resolve();
      await held.promise;
      return 0;
    });
    stage.model.play(calling("uptime", "df -h"), calling(restart), { text: "LIKELY: restart." });
    const thread = await stage.open();
    await begun.promise;
    await thread.say("sam", "/lease off");
    const { db } = stage.bot.deps.store;
    await until(async () => {
      const lease = await leaseOf(db, (await incidentIn(db, thread.number)).id);
      expect(lease?.offAt).not.toBe(null);
    });
    held.resolve();
    await stage.quiet();
    expect(answerTo(2)).toMatch(/- 2, low, was not run .*waits for people/);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "proposed", 3: "proposed" });
  });

  it("AR-03 what ends while the model thinks is told with its next call, and no further turn reads it", async () => {
    const thread = await stage.opened({}, calling("uptime", restart), { text: "LIKELY: restart." });
    stage.play(saying("restarted well\n"));
    const ended = Promise.withResolvers<void>();
    stage.model.play(
      async () => {
        await thread.say("lee", "/approve 2");
        await ended.promise;
        return { text: "", toolCalls: [{ name: "get_feedback_history", arguments: {} }] };
      },
      { text: "CONFIRMED by 2: it is restarted." },
    );
    const asked = stage.model.requests.length;
    await thread.say("lee", "/ask how is it?");
    const { db } = stage.bot.deps.store;
    const { id } = await incidentIn(db, thread.number);
    await until(async () => {
      const { batches } = await partsOf(db, id, "batches");
      expect(batches.map(({ endedAt }) => endedAt === null)).toEqual([false, false]);
    });
    ended.resolve();
    await stage.quiet();
    expect(answerTo(1)).toMatch(/^Nobody has said anything[\s\S]*Run of 2 on web-1[\s\S]*restarted well/);
    expect(stage.model.requests.length - asked).toBe(2);
    expect((await turnsOf(thread.number)).map(({ cause }) => cause)).toEqual(["opened", "asked"]);
    stage.play(saying("fine\n"));
  });

  it("AR-03 the model is asked no more after a proposal in its last request; its reads run then and give a turn", async () => {
    const looks = Array.from({ length: 7 }, (_, index) => call("read_output", { action: index + 90 }));
    const thread = await stage.opened({}, ...looks, calling("uptime"), { text: "CONFIRMED by 1: fine." });
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done" });
    expect((await turnsOf(thread.number)).map(({ cause }) => cause)).toEqual(["opened", "batch-ended"]);
  });
});
