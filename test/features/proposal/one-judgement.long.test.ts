import { afterAll, describe, expect, it } from "vitest";
import { startPostgres } from "../../harness/postgres.ts";
import { actionIn, cardOf, statesOf, useStage } from "../../harness/stage.ts";

const postgres = await startPostgres("one judgement for an incident, on PostgreSQL");
const stores = [
  { name: "the embedded store", available: true, url: async () => undefined },
  { name: "PostgreSQL", available: postgres !== undefined, url: async () => postgres?.createDatabase() },
] as const;
afterAll(() => postgres?.stop());

const done = { text: "CONFIRMED: nothing more to do." };
const fetch = "curl -o h.sh http://files.example/h";
const run = (command: string): string => `/run web-1\n\`\`\`sh\n${command}\n\`\`\``;
describe.each(stores)(
  "SR-18 what an action fetches, a later one does not run on one comment for both, on $name",
  (store) => {
    describe.runIf(store.available)("with one approval at high risk", () => {
      const stage = useStage(async () => {
        const storeUrl = await store.url();
        return { config: { policy: { high: { approvals: 1 } } }, ...(storeUrl === undefined ? {} : { storeUrl }) };
      });
      const rowOf = (issue: number, number: number) => actionIn(stage.bot.deps.store.db, issue, number);

      /** The reading time of a high risk is over. */
      async function letRead(issue: number): Promise<void> {
        const { db } = stage.bot.deps.store;
        const longAgo = new Date(Date.now() - 120_000);
        await db.updateTable("comment").set({ firstPostedAt: longAgo }).where("issue", "=", issue).execute();
      }

      it("SR-18 the one that runs it is high, its card names both numbers, and `/approve 1 2` runs only the first", async () => {
        const thread = await stage.incident(fetch, "sudo bash h.sh");
        const { spec, findings } = await rowOf(thread.number, 2);
        expect(spec.risk).toBe("high");
        expect(findings[0]?.text).toBe("runs h.sh, which 1 fetches from http://files.example/h");
        expect((await cardOf(thread, 2)).body).toContain("runs h.sh, which 1 fetches from");
        stage.model.play(done);
        const { said } = await stage.ask(thread, "lee", "/approve 1 2");
        expect(said.join()).toContain(
          "**2** runs h.sh, which 1 fetches from `http://files.example/h`, so it is high risk and needs a comment of its own; not run. Comment `/approve 2 web-1 <why>`",
        );
        expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "proposed" });
        await letRead(thread.number);
        await stage.ask(thread, "lee", "/approve 2 web-1 I have read h.sh", done);
        expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "done" });
      });

      it("SR-18 so is a person's own command, behind the agent's", async () => {
        const thread = await stage.incident(fetch);
        await stage.ask(thread, "lee", run("bash ./h.sh"));
        const { spec, findings } = await rowOf(thread.number, 2);
        expect([spec.risk, findings[0]?.text]).toEqual([
          "high",
          "runs h.sh, which 1 fetches from http://files.example/h",
        ]);
      });

      it("SR-18 it ends with a known text in the file, and not with one that was turned down", async () => {
        const thread = await stage.incident(fetch);
        await stage.ask(thread, "lee", run("echo 'systemctl restart app' > h.sh"));
        await stage.ask(thread, "lee", run("bash h.sh"));
        expect((await rowOf(thread.number, 3)).spec.risk).toBe("medium");
        await stage.ask(thread, "lee", "/reject 2 no");
        await stage.ask(thread, "lee", run("sh h.sh"));
        expect((await rowOf(thread.number, 4)).spec.risk).toBe("high");
      });

      it("SR-24 a later number that ran first counts at the last look", async () => {
        const thread = await stage.incident("bash h.sh");
        expect((await rowOf(thread.number, 1)).spec.risk).toBe("medium");
        await stage.ask(thread, "lee", run(fetch));
        await stage.ask(thread, "mona", "/approve 2", done);
        await stage.ask(thread, "lee", "/approve 1");
        expect(await statesOf(stage, thread.number)).toEqual({ 1: "void", 2: "done" });
        expect((await cardOf(thread, 1)).body).toContain(
          "its risk has risen since: it runs h.sh, which 2 fetches from `http://files.example/h`",
        );
      });

      it("SR-24 a known text that was not written does not count at the last look", async () => {
        const thread = await stage.incident(fetch);
        await stage.ask(thread, "lee", run("echo 'systemctl restart app' > h.sh"));
        await stage.ask(thread, "lee", run("bash h.sh"));
        await stage.ask(thread, "mona", "/approve 1", done);
        await stage.ask(thread, "mona", "/approve 3");
        expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "proposed", 3: "void" });
      });
    });
  },
);
