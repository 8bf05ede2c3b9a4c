import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { createClient } from "../../src/github/client.ts";
import { createMissed } from "../../src/github/missed.ts";
import { type CatchUp, catchUp } from "../../src/jobs/catch-up.ts";
import { switchOn } from "../../src/store/auto-mode.ts";
import { createInbox } from "../../src/store/inbox.ts";
import { entryOf, type Playground, startPlayground } from "../playground.ts";
import { type FakeHost, startFakeHost } from "../ssh/fake-host.ts";

/** Yesterday's copy of the store is put back after an action has run (F-37). */
describe("an older copy of the store", () => {
  let host: FakeHost;
  let playground: Playground;
  const folder = mkdtempSync(join(tmpdir(), "countersign-restored-"));
  const start = async (audit: object = {}): Promise<void> => {
    host = await startFakeHost(async () => 0);
    playground = await startPlayground({
      servers: { "web-1": entryOf(host) },
      configure: (config) => {
        config.audit = audit;
      },
    });
  };
  afterEach(async () => {
    await playground.close();
    await host.close();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** An incident whose first action ran after the copy was made; then the copy is put back. */
  const runAndRestore = async () => {
    const thread = await playground.open();
    await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
    await playground.quiet();
    await playground.bot.world.store.transaction(async (tx) => {
      const { id: incidentId } = await tx.selectFrom("incident").select("id").executeTakeFirstOrThrow();
      const person = playground.github.person("lee");
      const comment = { id: 1, nodeId: "", sha256: "" };
      await switchOn(tx, { incidentId, person, role: "write", comment, fromStep: 0 });
    });
    const store = playground.bot.world.config.store.url.slice("file:".length);
    const copy = mkdtempSync(join(folder, "copy-"));
    await playground.restart(() => cpSync(store, copy, { recursive: true }));
    await thread.say("lee", "/approve 1");
    await thread.waitFor((body) => body.includes("**1** · ✅"), "the result");
    await playground.quiet();
    expect(host.seen.commands).toHaveLength(1);
    await playground.restart(() => {
      rmSync(store, { recursive: true });
      cpSync(copy, store, { recursive: true });
    });
    await playground.quiet();
    return thread;
  };
  const states = async () =>
    (await playground.bot.world.store.db.selectFrom("action").select("state").orderBy("number").execute()).map(
      ({ state }) => state,
    );
  const autoModes = () => playground.bot.world.store.db.selectFrom("autoMode").select("offWhy").execute();
  const restorations = () => playground.log.filter(({ event }) => event === "store_restored").length;

  it("RR-24 F-37 is told by the issue: what was open in it is void, and an approval from before runs nothing again", async () => {
    await start();
    const thread = await runAndRestore();
    await expect.poll(restorations).toBe(1);
    // The start looked already; another look, as every five minutes, changes nothing.
    const { log, config, store } = playground.bot.world;
    const missed: CatchUp = {
      ...createMissed(createClient({ ...config.github, log }), config.github),
      receive: createInbox(store).receive,
    };
    await catchUp(playground.bot.world, missed);
    await playground.quiet();
    expect(host.seen.commands).toHaveLength(1);
    expect(new Set(await states())).toEqual(new Set(["void"]));
    expect(restorations()).toBe(1);
    expect(await autoModes()).toEqual([{ offWhy: expect.stringContaining("an older copy") }]);
    await thread.say("lee", "/approve 1");
    await playground.quiet();
    expect(host.seen.commands).toHaveLength(1);
  });

  it("RR-24 F-37 is told by the operator's checkpoint file before anything is served", async () => {
    await start({ checkpoint_file: join(folder, "checkpoint") });
    await runAndRestore();
    expect(restorations()).toBeGreaterThan(0);
    expect(await autoModes()).toEqual([{ offWhy: expect.stringContaining("an older copy") }]);
    expect(new Set(await states())).toEqual(new Set(["void"]));
    expect(host.seen.commands).toHaveLength(1);
  });
});
