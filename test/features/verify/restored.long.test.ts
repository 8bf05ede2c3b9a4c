import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Thread } from "../../../demo/thread.ts";
import { type CatchUp, catchUp } from "../../../src/features/intake/catch-up.ts";
import { show } from "../../../src/features/thread/post.ts";
import { createBoardCheck, keepCheckpoint, setBack } from "../../../src/features/verify/restored.ts";
import { createMissed } from "../../../src/github/app/missed.ts";
import { createClient } from "../../../src/github/client.ts";
import { checkpointText, readHead, readUnsigned } from "../../../src/store/audit/checkpoint.ts";
import { openStore } from "../../../src/store/database/open.ts";
import { incidentOf } from "../../../src/store/incidents.ts";
import { boardOf } from "../../../src/store/outbox/thread-comments.ts";
import { createInbox } from "../../../src/store/queue/arrival.ts";
import { byName } from "../../github/by-name.ts";
import { startHosts } from "../../harness/hosts.ts";
import { openWithLease } from "../../harness/lease.ts";
import { type Playground, repo, startPlayground } from "../../harness/playground.ts";
import { auditOf, startStage, statesOf } from "../../harness/stage.ts";
import { useFolder, useStarted } from "../../harness/use-started.ts";
import { makeDue } from "../../store/jobs.ts";
import { setAside } from "../../store/set-aside.ts";
import { leaveBehind } from "../run/left-behind.ts";

/** Yesterday's copy of the store is put back after an action has run (F-37). */
describe("an older copy of the store", () => {
  let playground: Playground;
  const folder = useFolder();
  const start = async (audit: object = {}): Promise<void> => {
    playground = await startPlayground({ config: { audit } });
  };
  afterEach(async () => {
    await playground.close();
  });

  /** An incident whose first action, of two commands, ran after the copy was made; then the copy is put back. Another waits. */
  const runAndRestore = async (beforeItStarts = () => {}) => {
    const { thread } = await openWithLease(playground);
    const older = await setAside(playground, folder);
    await thread.say("lee", "/approve 1");
    await thread.waitFor((body) => body.includes("**1** ✅"), "the result");
    await playground.quiet();
    expect(playground.host.seen.commands).toHaveLength(2);
    await older.putBack(beforeItStarts);
    await playground.quiet();
    return thread;
  };
  const notices = async (thread: Thread) =>
    (await thread.comments()).map(({ body }) => body).filter((body) => body.includes("restored from an older copy"));
  const drawnVoid = async (thread: Thread) =>
    (await thread.comments()).map(({ body }) => body).filter((body) => /~~ void/.test(body));
  /** The offers to approve on cards that the store knows. */
  const offers = async (thread: Thread) =>
    (await thread.comments()).map(({ body }) => body).filter((body) => /- \[ \] \*\*[12]\*\*/.test(body));
  const states = async () =>
    (await playground.bot.deps.store.db.selectFrom("action").select("state").orderBy("number").execute()).map(
      ({ state }) => state,
    );
  const leases = () => playground.bot.deps.store.db.selectFrom("lease").select("offWhy").execute();
  const restorations = () => playground.log.filter(({ event }) => event === "store_restored").length;

  it("RR-24 F-37 is told by the issue: what was open in it is void, and an approval from before runs nothing again", async () => {
    await start();
    const thread = await runAndRestore();
    await expect.poll(restorations).toBe(1);
    // The start looked already; another look, as every five minutes, changes nothing.
    const { log, config, store } = playground.bot.deps;
    const missed: CatchUp = {
      ...createMissed(createClient({ ...config.github, log, ...byName }), config.github),
      receive: createInbox(store).receive,
    };
    await catchUp(playground.bot.deps, missed);
    await playground.quiet();
    expect(playground.host.seen.commands).toHaveLength(2);
    expect(new Set(await states())).toEqual(new Set(["void"]));
    expect(restorations()).toBe(1);
    expect(await leases()).toEqual([{ offWhy: expect.stringContaining("an older copy") }]);
    expect(await offers(thread)).toEqual([]);
    expect(await notices(thread)).toEqual([
      expect.stringMatching(/only up to \d{4}-.*Z\. So 1, 2 are void and will not run\. .*`\/investigate`/),
    ]);
    await thread.say("lee", "/approve 1");
    await playground.quiet();
    expect(playground.host.seen.commands).toHaveLength(2);
    // What had a number since still shows it on the issue: no other command gets one of those (PA-6).
    await thread.say("lee", "/run web-1\n```sh\nuptime\n```");
    await thread.waitFor((body) => body.includes("- [ ] **103**"), "a new number");
  });

  it("RR-24 F-37 is told by the operator's checkpoint file before anything is served, and told to people once", async () => {
    await start({ checkpoint_file: join(folder, "checkpoint") });
    // GitHub tells nothing of the repository's rules: what was open is void, and drawn by the operator's rules alone.
    const thread = await runAndRestore(() =>
      playground.github.fault({ method: "POST", path: /\/graphql/, times: 1_000 }, { status: 502 }),
    );
    expect(restorations()).toBeGreaterThan(0);
    expect(await leases()).toEqual([{ offWhy: expect.stringContaining("an older copy") }]);
    expect(new Set(await states())).toEqual(new Set(["void"]));
    expect(playground.host.seen.commands).toHaveLength(2);
    await playground.quiet();
    expect(playground.log.filter(({ event }) => event === "draw_failed")).not.toEqual([]);
    expect(await drawnVoid(thread)).not.toEqual([]);
    expect(await notices(thread)).toHaveLength(1);

    playground.github.clearFaults();
    await makeDue(playground.bot.deps.store.db, "post");
    await playground.quiet();
    expect(await offers(thread)).toEqual([]);
    expect(await drawnVoid(thread)).not.toEqual([]);
    // Found out again, e.g. since the file could not be written meanwhile.
    const { store } = playground.bot.deps;
    const { id } = await store.db.selectFrom("incident").select("id").executeTakeFirstOrThrow();
    await store.transaction((tx) => setBack(tx, { store }, id));
    await playground.quiet();
    expect(await notices(thread)).toHaveLength(1);
  });
});

describe("an older copy of the store in which an approved command waits its turn", () => {
  const copies = useFolder();
  const stage = useStarted(() => startStage());
  afterEach(async () => {
    stage.github.clearFaults();
    // A process that starts while a board still shows what was before would set all of the repository back once more.
    const { db } = stage.bot.deps.store;
    const behind = async () => {
      await makeDue(db, "post");
      await stage.quiet();
      const undrawn = await db.selectFrom("incident").select("number").whereRef("changed", ">", "drawn").execute();
      const boards = db.selectFrom("comment").select("issue").where("slot", "=", "board").where("parked", "is", null);
      return [...undrawn, ...(await boards.whereRef("version", ">", "postedVersion").execute())];
    };
    await expect.poll(behind, { interval: 500 }).toEqual([]);
    stage.model.verify();
  });

  /** An approved command that runs after a copy was made in which it waits. */
  const runAfterCopy = async () => {
    const thread = await stage.incident("uptime");
    const left = await leaveBehind(stage, thread, { numbers: [1] });
    const { store } = stage.bot.deps;
    const { incidentId } = await store.db
      .selectFrom("batch")
      .select("incidentId")
      .where("id", "=", left.batchId)
      .executeTakeFirstOrThrow();
    // It waits its turn, as behind a busy server, when the copy is made and when it is put back.
    const itsTurnComes = () => makeDue(stage.bot.deps.store.db, "execute");
    await store.transaction(async (tx) => {
      await show(tx, stage.bot.deps, await incidentOf(tx, incidentId));
      await store.queue.enqueue(tx, "execute", incidentId, { batchId: left.batchId }, { afterMs: 3_600_000 });
    });
    await stage.quiet();
    stage.model.play({ text: "CONFIRMED by 1: nothing more to do." });
    const before = stage.ran().length;
    const older = await setAside(stage, copies);
    const ran = () => stage.ran().length - before;
    await expect.poll(() => itsTurnComes().then(ran)).toBe(1);
    await thread.waitFor((body) => body.includes("othing more to do"), "the reading");
    await stage.quiet();
    return { thread, incidentId, older, itsTurnComes, ran };
  };

  const boardIn = async (thread: Thread) => {
    const board = (await thread.comments()).find(({ body }) => body.includes("Board of this"));
    if (!board) throw new Error("there is no board");
    return board;
  };

  it.each([
    ["the board tells it", async () => {}],
    [
      "somebody has deleted the board, and another stands lower",
      async (thread: Thread) => {
        await stage.github.deleteComment("sam", repo, (await boardIn(thread)).id);
      },
    ],
    [
      "somebody has edited the board, and nobody heard of it",
      async (thread: Thread) => {
        stage.github.fault({ event: "issue_comment.edited" }, { drop: "before" });
        await stage.github.editComment("sam", repo, (await boardIn(thread)).id, "nothing to see here");
      },
    ],
  ])("RR-24 F-37 what has run since does not run again: %s", async (_, meanwhile) => {
    const { thread, older, itsTurnComes, ran } = await runAfterCopy();
    await meanwhile(thread);
    await stage.quiet();
    // Whoever looks for missed comments would find it too, and is not always the first.
    stage.github.fault({ method: "GET", path: /\/issues\/\d+\/comments/, times: 1_000 }, { status: 502 });
    await older.putBack();
    // Where GitHub shows the board of before for a moment longer, it waits and looks again.
    const later = async () => {
      await itsTurnComes();
      await stage.quiet();
      return statesOf(stage, thread.number);
    };
    await expect.poll(later).toEqual({ 1: "void" });
    expect(ran()).toBe(1);
  });

  it("RR-24 SR-68 what is open on another issue of the repository is void too: all of it may have been held since", async () => {
    const other = await stage.incident("id");
    const closed = await stage.incident("id");
    await closed.say("lee", "/close --anyway");
    await stage.quiet();
    const { thread, older } = await runAfterCopy();
    await older.putBack();
    // The look for missed comments finds it out.
    await expect.poll(() => statesOf(stage, thread.number)).toEqual({ 1: "void" });
    await expect.poll(() => statesOf(stage, other.number)).toEqual({ 1: "void" });
    // On one that is closed nothing is open.
    for (const [{ number: issue }, times] of [
      [thread, 1],
      [other, 1],
      [closed, 0],
    ] as const)
      expect(await auditOf(stage, { kind: "store_restored", issue })).toHaveLength(times);
  });

  it("RR-24 F-37 a store that is put back under a process that goes on is held against the board once more", async () => {
    const { thread, incidentId, older: copy } = await runAfterCopy();
    const { deps: world } = stage.bot;
    const older = await openStore(copy.url);
    let { store } = world;
    const checkBoard = createBoardCheck(
      Object.defineProperty({ ...world }, "store", { get: () => store, enumerable: true }),
    );
    const check = async () => {
      const board = await boardOf(store.db, await incidentOf(store.db, incidentId));
      if (!board) throw new Error("the store has no board");
      return checkBoard(board);
    };
    expect(await check()).toBeUndefined();
    store = older;
    expect(await check()).toEqual({ kind: "redrawn" });
    expect(await check()).toBeUndefined();
    expect(await statesOf({ bot: { ...stage.bot, deps: { ...world, store } } }, thread.number)).toEqual({ 1: "void" });
    await older.close();
  });
});

describe("an older copy of the store that is put back under a bot which goes on", () => {
  const checkpointFile = join(useFolder(), "checkpoint");
  const stage = useStarted(() => startStage({ config: { audit: { checkpoint_file: checkpointFile } } }));
  /** As the store of before has left it. */
  const later = checkpointText({ size: 1_000_000, head: "a".repeat(64) });
  const restorations = () => stage.log.filter(({ event }) => event === "store_restored").length;

  it("RR-24 F-37 is told by the checkpoint file before a command is sent, once; what is approved anew runs", async () => {
    const thread = await stage.incident("uptime");
    writeFileSync(checkpointFile, later);
    await thread.say("lee", "/approve 1");
    await expect.poll(() => statesOf(stage, thread.number)).toEqual({ 1: "void" });
    await stage.quiet();
    expect([stage.ran(), restorations()]).toEqual([[], 1]);
    await thread.say("lee", "/run web-1\n```sh\nuptime\n```");
    await thread.waitFor((body) => body.includes("- [ ] **102**"), "a new number");
    stage.model.play({ text: "CONFIRMED by 102: nothing more to do." });
    await thread.say("lee", "/approve 102");
    await thread.waitFor((body) => body.includes("othing more to do"), "the reading");
    expect([stage.ran().length, restorations()]).toEqual([1, 1]);
  });

  it("RR-24 a checkpoint file that cannot be read keeps a command from being sent, and that is said", async () => {
    const thread = await stage.incident("df -h");
    const before = stage.ran().length;
    rmSync(checkpointFile, { force: true });
    mkdirSync(checkpointFile);
    await thread.say("lee", "/approve 1");
    await thread.waitFor((body) => body.includes("Waiting: the audit's checkpoint file cannot be read"), "the wait");
    expect(stage.ran().length).toBe(before);
    rmSync(checkpointFile, { recursive: true });
  });

  it("RR-24 SR-66 is told by the checkpoint file before it is written over", async () => {
    const thread = await stage.incident("id");
    const before = restorations();
    writeFileSync(checkpointFile, later);
    await keepCheckpoint(stage.bot.deps).stop();
    expect(restorations()).toBe(before + 1);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "void" });
    await keepCheckpoint(stage.bot.deps).stop();
    expect(restorations()).toBe(before + 1);
    expect(readUnsigned(readFileSync(checkpointFile, "utf8"))).toEqual(await readHead(stage.bot.deps.store.db));
  });
});

describe("an older copy of the store, made while a command went from server to server", () => {
  const folder = useFolder();

  it.each(["the checkpoint file", "the board"])(
    "RR-24 F-37 nothing is told as not started that may have run since, nor runs again, where %s tells it",
    async (teller) => {
      const goOn = Promise.withResolvers<void>();
      const hosts = await startHosts(["web-1", "web-2"], () => () => goOn.promise.then(() => 0));
      const sent = () => Object.values(hosts.sent());
      const stage = await startStage({
        servers: hosts.servers,
        config: {
          execution: { at_once: 1 },
          audit: teller === "the checkpoint file" ? { checkpoint_file: join(folder, "checkpoint") } : {},
        },
      });
      const thread = await stage.incident({ server: "web", command: "uptime" });
      stage.model.play({ text: "CONFIRMED by 1: nothing more to do." });
      await thread.say("lee", "/approve 1");
      await expect.poll(sent).toEqual([1, 0]);
      const copy = join(folder, teller.replaceAll(" ", "-"));
      await stage.bot.deps.store.copyTo?.(copy);
      goOn.resolve();
      await thread.waitFor((body) => body.includes("othing more to do"), "the reading");
      await stage.quiet();
      expect(sent()).toEqual([1, 1]);
      const store = stage.bot.deps.config.store.url.slice("file:".length);
      await stage.restart(() => {
        rmSync(store, { recursive: true });
        cpSync(copy, store, { recursive: true });
      });
      const runs = () =>
        stage.bot.deps.store.db.selectFrom("run").select(["server", "ending"]).orderBy("server").execute();
      await expect
        .poll(async () => (await runs()).map(({ server, ending }) => `${server} ${ending?.kind}`))
        .toEqual(["web-1 unknown", "web-2 unknown"]);
      await stage.quiet();
      expect(sent()).toEqual([1, 1]);
      await stage.close();
      await hosts.close();
    },
  );
});
