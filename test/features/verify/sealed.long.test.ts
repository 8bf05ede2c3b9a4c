import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { entryOf } from "../../harness/playground.ts";
import { startPostgres } from "../../harness/postgres.ts";
import { type Stage, startStage, statesOf } from "../../harness/stage.ts";
import { type FakeHost, startFakeHost } from "../../ssh/fake-host.ts";

const cluster = await startPostgres("an older copy of a server's store, put back beside its checkpoint file");
const folder = mkdtempSync(join(tmpdir(), "countersign-sealed-"));
afterAll(async () => {
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A copy of a store that nobody uses at the moment, and how to put it back in its place. */
type Copy = (url: string) => Promise<() => Promise<void>>;

const copyFiles: Copy = async (url) => {
  const store = url.slice("file:".length);
  const copy = mkdtempSync(join(folder, "copy-"));
  cpSync(store, copy, { recursive: true });
  return async () => {
    rmSync(store, { recursive: true });
    cpSync(copy, store, { recursive: true });
  };
};

const copyDatabase: Copy = async (url) => {
  const name = new URL(url).pathname.slice(1);
  const run = async (...statements: readonly string[]) => {
    const client = new pg.Client({ connectionString: new URL("/postgres", url).href });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  await run(`create database ${name}_copy template ${name}`);
  return () => run(`drop database ${name}`, `create database ${name} template ${name}_copy`);
};

const places = [
  { kind: "embedded", available: true, url: async () => undefined, copy: copyFiles },
  { kind: "server", available: cluster !== undefined, url: async () => cluster?.createDatabase(), copy: copyDatabase },
] as const;

describe.each(places)("a store with its checkpoint file beside it ($kind)", ({ available, url, copy }) => {
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
      const store = stage.bot.deps.config.store.url;
      let putBack = async () => {};
      await stage.restart(async () => {
        putBack = await copy(store);
      });
      refuseWrites();
      await thread.say("lee", "/approve 1");
      await expect.poll(sent, { timeout: 20_000 }).toEqual([1, 0]);
      const seen = readFileSync(checkpointFile);
      goOn.resolve();
      await expect.poll(() => statesOf(stage, thread.number), { timeout: 20_000 }).toEqual({ 1: "done" });
      expect(sent()).toEqual([1, 1]);
      await stage.restart(async () => {
        await putBack();
        writeFileSync(checkpointFile, seen);
      });
      await expect.poll(() => statesOf(stage, thread.number), { timeout: 20_000 }).toEqual({ 1: "void" });
      await stage.quiet();
      expect(sent()).toEqual([1, 1]);
      await Promise.all(hosts.map((host) => host.close()));
    });

    it("RR-24 F-37 a low-risk command that ran after a copy of the store was made runs no second time from it", async () => {
      await start();
      const thread = await stage.incident("uptime");
      const store = stage.bot.deps.config.store.url;
      let putBack = async () => {};
      await stage.restart(async () => {
        putBack = await copy(store);
      });
      refuseWrites();
      await thread.say("lee", "/approve 1");
      await expect.poll(() => statesOf(stage, thread.number), { timeout: 20_000 }).toEqual({ 1: "done" });
      expect(stage.ran()).toHaveLength(1);
      // As it is when the machine dies there: whoever stops in order writes it once more.
      const seen = readFileSync(checkpointFile);
      const told = stage.github.deliveries().filter(({ event }) => event === "issue_comment");
      await stage.restart(async () => {
        await putBack();
        writeFileSync(checkpointFile, seen);
      });
      // The approval comes once more, by GitHub's own hand and by the look for what was missed.
      for (const guid of new Set(told.map((one) => one.guid))) await stage.github.redeliver(guid);
      await expect.poll(() => statesOf(stage, thread.number), { timeout: 20_000 }).not.toEqual({ 1: "proposed" });
      await stage.quiet();
      expect(stage.ran()).toHaveLength(1);
      expect(await statesOf(stage, thread.number)).toEqual({ 1: "void" });
    });
  });
});
