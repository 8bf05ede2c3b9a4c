import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Thread } from "../../../demo/thread.ts";
import { show } from "../../../src/features/thread/post.ts";
import { endParts, tellEnd } from "../../../src/features/thread/tell-end.ts";
import { partsOf } from "../../../src/store/incident-rows.ts";
import { slots } from "../../../src/store/outbox/thread-comments.ts";
import { threadKey } from "../../../src/store/outbox/wanted.ts";
import { addNote } from "../../../src/store/runs.ts";
import type { Reply } from "../../agent/fake-model.ts";
import { repo } from "../../harness/playground.ts";
import { cardOf, incidentIn, proposing, type Stage, startStage, statesOf } from "../../harness/stage.ts";
import { until } from "../../harness/until.ts";
import { useStarted } from "../../harness/use-started.ts";
import { useBotPlaces } from "../../store/use-places.ts";

const places = await useBotPlaces("a result and its reading as one comment, on a store of several processes");

describe.runIf(true).each(places)("PRODUCT one comment a step ($kind)", ({ available, url }) => {
  describe.runIf(available)("a result", () => {
    const stage: Stage = useStarted(async () => {
      const storeUrl = await url();
      return startStage(storeUrl === undefined ? {} : { storeUrl });
    });
    const rowsOf = ({ number }: { readonly number: number }, slot: string) =>
      stage.bot.deps.store.db
        .selectFrom("comment")
        .selectAll()
        .select(sql<number>`extract(epoch from due_at - now())::float8`.as("dueIn"))
        .where("issue", "=", number)
        .where("slot", "like", slot)
        .execute();
    /** Its time has come, by the store's clock. */
    const makeCommentsDue = async (thread: Thread & { readonly number: number }): Promise<void> => {
      const { store } = stage.bot.deps;
      await store.db
        .updateTable("comment")
        .set({ dueAt: sql<Date>`now() - interval '1 second'` })
        .where("issue", "=", thread.number)
        .execute();
      const place = { repo, issue: thread.number };
      await store.transaction((tx) => store.queue.enqueue(tx, "post", threadKey(place), place, { share: repo }));
    };
    const botsOf = async (thread: Thread) =>
      (await thread.comments()).filter(({ login }) => login.endsWith("[bot]")).map(({ body }) => body);
    /** A model that says this once it may. */
    const held = (reply: ReturnType<typeof proposing>): { readonly step: Reply; readonly goOn: () => void } => {
      const may = Promise.withResolvers<void>();
      const step = () => may.promise.then(() => reply);
      return { step, goOn: may.resolve };
    };

    it("and what the agent reads in it are one new comment: result, reading, proposal; its number can be approved", async () => {
      const thread = await stage.incident("uptime");
      const { said } = await stage.ask(thread, "lee", "/approve 1", proposing("LIKELY: it is loaded.", "df -h"));
      expect(said).toHaveLength(1);
      expect(said[0]).toMatch(
        /^\*\*1\*\* ✅ `uptime` on `web-1` · .*\n[\s\S]*\nfine\n[\s\S]*\n\*\*LIKELY\*\*\n\nIt is loaded\.\n\n- \[ \] \*\*2\*\* /,
      );
      const { said: next } = await stage.ask(thread, "lee", "/approve 2", {
        text: "CONFIRMED by 2: the disk is full.",
      });
      expect(next).toHaveLength(1);
      expect(next[0]).toMatch(/^\*\*2\*\* ✅ /);
      expect(await stage.ask(thread, "lee", "/verify")).toMatchObject({
        said: [expect.stringContaining("Nothing was altered")],
      });
      // Links lead to where it stands.
      const { said: refusal } = await stage.ask(thread, "lee", "/approve 1");
      expect(refusal.join()).toContain(`#issuecomment-${(await cardOf(thread, 2)).id}`);
    });

    it("stands alone 20 s after its end, and a later reading with its new numbers is a new comment", async () => {
      const thread = await stage.incident("uptime");
      const { step, goOn } = held(proposing("LIKELY: it is loaded.", "df -h"));
      stage.model.play(step);
      await thread.say("lee", "/approve 1");
      await until(async () => expect(await statesOf(stage, thread.number)).toEqual({ 1: "done" }));
      await until(async () => {
        const [row] = await rowsOf(thread, "batch:%");
        expect(row).toMatchObject({ githubId: null, body: expect.stringContaining("**1** ✅") });
        expect(row?.dueIn).toBeGreaterThan(5);
        expect(row?.dueIn).toBeLessThanOrEqual(20);
      });
      expect((await botsOf(thread)).join()).not.toContain("**1** ✅");
      await makeCommentsDue(thread);
      const alone = await thread.waitFor((body) => body.startsWith("**1** ✅"), "the result alone");
      expect(alone.body).not.toContain("**2**");
      goOn();
      await stage.quiet();
      const after = (await thread.comments()).filter(({ id }) => id > alone.id);
      expect(after.map(({ body }) => body)).toEqual([expect.stringContaining("- [ ] **2**")]);
      expect(after[0]?.body).not.toContain("**1** ✅");
      expect((await botsOf(thread)).filter((body) => body.startsWith("**1** ✅"))).toHaveLength(1);
    });

    it("of a run that is still going after 10 s is read in a new comment that begins with its end; the run card is edited", async () => {
      const thread = await stage.incident("sleep 60");
      const ends = Promise.withResolvers<void>();
      stage.play(async () => {
        await ends.promise;
        return 3;
      });
      const { step, goOn } = held(proposing("LIKELY: it failed.", "df -h"));
      stage.model.play(step);
      await thread.say("lee", "/approve 1");
      await until(async () => expect(await statesOf(stage, thread.number)).toEqual({ 1: "running" }));
      const [row] = await rowsOf(thread, "batch:%");
      expect(row?.githubId).toBe(null);
      expect(row?.dueIn).toBeLessThanOrEqual(10);
      await makeCommentsDue(thread);
      const card = await thread.waitFor((body) => body.includes("running since"), "the run card");
      ends.resolve();
      await thread.waitFor((body) => body.startsWith("**1** ❌"), "its end on the run card");
      const [line] = await rowsOf(thread, "unread:%");
      expect(line).toMatchObject({ githubId: null, body: expect.stringContaining("has ended: ❌") });
      goOn();
      await stage.quiet();
      stage.play(async () => 0);
      const after = (await thread.comments()).filter(({ id }) => id > card.id);
      expect(after.map(({ body }) => body.split("\n", 1)[0])).toEqual([
        expect.stringMatching(
          new RegExp(`^\\*\\*1\\*\\* has ended: ❌ .* · \\[result\\]\\(.*#issuecomment-${card.id}\\) · \`/output 1\``),
        ),
      ]);
      expect(after[0]?.body).toContain("- [ ] **2**");
    });

    it("is posted at once if the agent has no step left, and if the incident is closed while it waits", async () => {
      const thread = await stage.incident("uptime");
      const { db } = stage.bot.deps.store;
      await db
        .updateTable("session")
        .set((eb) => ({ stepLimit: eb.ref("steps") }))
        .execute();
      const { said } = await stage.ask(thread, "lee", "/approve 1");
      expect(said).toEqual([expect.stringMatching(/^\*\*1\*\* ✅/)]);

      const other = await stage.incident("uptime");
      const { step, goOn } = held(proposing("LIKELY: it is loaded.", "df -h"));
      stage.model.play(step);
      await other.say("lee", "/approve 1");
      await until(async () => expect(await statesOf(stage, other.number)).toEqual({ 1: "done" }));
      await other.say("lee", "/close --anyway it was load");
      await other.waitFor((body) => body.startsWith("**1** ✅"), "the result");
      goOn();
      await stage.quiet();
      expect((await botsOf(other)).filter((body) => body.startsWith("**1** ✅"))).toHaveLength(1);
      expect((await botsOf(other)).join()).not.toContain("- [ ] **2**");
    });

    it("that GitHub may have already is not said again with the reading", async () => {
      const thread = await stage.incident("uptime");
      const { step, goOn } = held(proposing("LIKELY: it is loaded.", "df -h"));
      stage.model.play(step);
      await thread.say("lee", "/approve 1");
      await until(async () => expect(await statesOf(stage, thread.number)).toEqual({ 1: "done" }));
      // GitHub takes it, and its answer is lost.
      await stage.bot.deps.store.db
        .updateTable("comment")
        .set({ attempts: 1 })
        .where("issue", "=", thread.number)
        .where("slot", "like", "batch:%")
        .execute();
      goOn();
      const reading = await thread.waitFor((body) => body.includes("- [ ] **2**"), "the reading");
      expect(reading.body).not.toContain("**1** ✅");
      await makeCommentsDue(thread);
      await thread.waitFor((body) => body.startsWith("**1** ✅"), "the result");
      await stage.quiet();
      expect((await botsOf(thread)).filter((body) => body.startsWith("**1** ✅"))).toHaveLength(1);
    });

    it("of a probe stands on the card of its change, and the reading begins with its end", async () => {
      const thread = await stage.incident("chmod 600 /srv/app/a.tmp");
      const { said } = await stage.ask(thread, "lee", "/probe 1", { text: "LIKELY: the configuration is right." });
      const [own, reading, ...others] = said;
      expect([own, others]).toEqual([expect.stringContaining("- [x] **2** · 🟢 low"), []]);
      const card = (await thread.comments()).find(({ body }) => body.includes("*probe:* **2** ✅"));
      expect(card?.body).toContain("- [ ] **1** · 🟡 medium");
      expect(reading).toMatch(new RegExp(`^\\*\\*2\\*\\* has ended: ✅ .* · \\[result\\]\\(.*-${card?.id}\\)`));
      expect(await rowsOf(thread, slots.batch("%"))).toEqual([]);
      // Each result stays, also of a second probe.
      await stage.ask(thread, "lee", "/probe 1", { text: "LIKELY: it is as before." });
      expect((await cardOf(thread, 1)).body).toMatch(/\*probe:\* \*\*2\*\* ✅[\s\S]*\*probe:\* \*\*3\*\* ✅/);
      await stage.expectReply(thread, "lee", "/verify", "Nothing was altered");
    });

    it("of a probe that never ran is a line by itself, because no card has it", async () => {
      const thread = await stage.incident("chmod 600 /srv/app/b.tmp");
      await stage.ask(thread, "lee", "/probe 1", { text: "LIKELY: the configuration is right." });
      const { deps } = stage.bot;
      await deps.store.transaction(async (tx) => {
        const { id } = await incidentIn(tx, thread.number);
        const [batch] = (await partsOf(tx, id, "batches")).batches;
        if (!batch) throw new Error("no probe was run");
        await addNote(tx, batch.id, "**2** was not run: the server is gone.");
        const rows = await partsOf(tx, id, ...endParts);
        await tellEnd(tx, deps, { ...rows, runs: [] }, { batch, reading: false });
        await show(tx, deps, rows.incident);
      });
      await thread.waitFor((body) => body.includes("was not run: the server is gone."), "the note");
    });
  });
});
