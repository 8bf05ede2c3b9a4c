import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { entryOf } from "../../harness/playground.ts";
import { startPostgres } from "../../harness/postgres.ts";
import { type Stage, startStage, statesOf } from "../../harness/stage.ts";
import { useFolder } from "../../harness/use-started.ts";
import { type FakeHost, startFakeHost } from "../../ssh/fake-host.ts";
import { setAside } from "../../store/set-aside.ts";

const cluster = await startPostgres("an older copy of a server's store, put back beside its checkpoint file");
const folder = useFolder();
afterAll(() => cluster?.stop());

const places = [
  { kind: "embedded", available: true, url: async () => undefined },
  { kind: "server", available: cluster !== undefined, url: async () => cluster?.createDatabase() },
] as const;

describe.each(places)("a store with its checkpoint file beside it ($kind)", ({ available, url }) => {
  describe.runIf(available)("while GitHub takes no comment", () => {
    let stage: Stage;
    let checkpointFile: string;
    afterEach(() => stage.close());
    const start = async (more: readonly FakeHost[] = []) => {
      const storeUrl = await url();
      checkpointFile = join(mkdtempSync(join(folder, "outside-")), "checkpoint");
      stage = await startStage({
        ...(storeUrl !== undefined && { storeUrl }),
        servers: Object.fromEntries(more.map((host, n) => [`db-${n + 1}`, { ...entryOf(host), groups: ["db"] }])),
        config: { audit: { checkpoint_file: checkpointFile }, execution: { at_once: 1 } },
      });
    };
    const refuseWrites = () => {
      for (const method of ["POST", "PATCH"])
        stage.github.fault({ method, path: /\/comments/, times: 1_000 }, { status: 502 });
    };

    it("RR-24 SR-63 and the file cannot be written, nothing is sent, and that is told", async () => {
      await start();
      const thread = await stage.incident("uptime");
      rmSync(dirname(checkpointFile), { recursive: true });
      stage.model.play({ text: "CONFIRMED: nothing more to do." });
      await thread.say("lee", "/approve 1");
      const { body } = await thread.waitFor((text) => text.includes("**1** 🔌"), "the result");
      expect(body).toContain("· not started ·");
      expect(body).toContain("Not started: the audit's checkpoint file cannot be written.");
      await stage.quiet();
      expect(stage.ran()).toEqual([]);
      expect(await statesOf(stage, thread.number)).toEqual({ 1: "done" });
      expect(stage.log.filter(({ event }) => event === "checkpoint_failed")).not.toEqual([]);
      // Once it can be, what is approved anew runs.
      mkdirSync(dirname(checkpointFile));
      await thread.say("lee", "/retry 1");
      await thread.waitFor((text) => text.includes("- [ ] **2**"), "the card");
      stage.model.play({ text: "CONFIRMED by 2: nothing more to do." });
      await thread.say("lee", "/approve 2");
      await thread.waitFor((text) => text.includes("**2** ✅"), "the result");
      expect(stage.ran()).toHaveLength(1);
    });

    it("RR-24 F-37 of a command for several servers the file knows before the first of them is sent to, and one write is enough", async () => {
      const goOn = Promise.withResolvers<void>();
      const hosts = [await startFakeHost(() => goOn.promise.then(() => 0)), await startFakeHost(async () => 0)];
      const sent = () => hosts.map(({ seen }) => seen.commands.length);
      await start(hosts);
      const thread = await stage.incident({ server: "db", command: "uptime" });
      const older = await setAside(stage, folder);
      refuseWrites();
      await thread.say("lee", "/approve 1");
      await expect.poll(sent).toEqual([1, 0]);
      const seen = readFileSync(checkpointFile);
      goOn.resolve();
      await expect.poll(() => statesOf(stage, thread.number)).toEqual({ 1: "done" });
      expect(sent()).toEqual([1, 1]);
      await older.putBack(() => writeFileSync(checkpointFile, seen));
      await expect.poll(() => statesOf(stage, thread.number)).toEqual({ 1: "void" });
      await stage.quiet();
      expect(sent()).toEqual([1, 1]);
      await Promise.all(hosts.map((host) => host.close()));
    });

    it("RR-24 F-37 a low-risk command that ran after a copy of the store was made runs no second time from it", async () => {
      await start();
      const thread = await stage.incident("uptime");
      const older = await setAside(stage, folder);
      refuseWrites();
      await thread.say("lee", "/approve 1");
      await expect.poll(() => statesOf(stage, thread.number)).toEqual({ 1: "done" });
      expect(stage.ran()).toHaveLength(1);
      // As it is when the machine dies there: whoever stops in order writes it once more.
      const seen = readFileSync(checkpointFile);
      const told = stage.github.deliveries().filter(({ event }) => event === "issue_comment");
      await older.putBack(() => writeFileSync(checkpointFile, seen));
      // The approval comes once more, by GitHub's own hand and by the look for what was missed.
      for (const guid of new Set(told.map((one) => one.guid))) await stage.github.redeliver(guid);
      await expect.poll(() => statesOf(stage, thread.number)).not.toEqual({ 1: "proposed" });
      await stage.quiet();
      expect(stage.ran()).toHaveLength(1);
      expect(await statesOf(stage, thread.number)).toEqual({ 1: "void" });
    });
  });
});
