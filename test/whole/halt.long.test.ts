import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { halt, liftHalt } from "../../src/cli/halt.ts";
import { loadConfig } from "../../src/config/load.ts";
import { haltFileOf, readHaltFile, readHaltTable, type SwitchState } from "../../src/features/incident/halt.ts";
import { decideStanding } from "../../src/features/incident/hold.ts";
import { execute } from "../../src/features/run/execute.ts";
import { openStore, type Tx } from "../../src/store/database/open.ts";
import { countersign } from "../cli/countersign.ts";
import { leaveBehind } from "../features/run/left-behind.ts";
import { jobOf } from "../harness/job.ts";
import { prepareGround, repo } from "../harness/playground.ts";
import { startPostgres } from "../harness/postgres.ts";
import { auditOf, startStage, statesOf } from "../harness/stage.ts";
import { useStarted } from "../harness/use-started.ts";

const done = { text: "LIKELY, see 1, 2 and 3: nothing more to do." };

let file: string;
let config: string;
const stage = useStarted(() => startStage());
beforeAll(() => {
  file = haltFileOf(stage.bot.deps.config.store.url) ?? "";
  config = join(dirname(file), "..", "countersign.yml");
});
afterEach(async () => {
  await liftHalt({ config });
  await liftHalt({ config, repo });
});

/** What the audit says of the switch, in order, once the bot has noticed what it says now. */
async function changes(fits: (kinds: readonly string[]) => boolean): Promise<readonly string[]> {
  for (let tries = 0; ; tries++) {
    const rows = await auditOf(stage, { kind: ["halted", "resumed"] });
    const kinds = rows.map(({ kind, body }) => `${kind} ${body.scope}`);
    if (fits(kinds) || tries === 100) return kinds;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Why nothing runs in the repository, as far as the switch goes. */
const wordsOf = (state: SwitchState): string | undefined => {
  const standing = decideStanding(state, [], repo);
  return standing.kind === "stopped" ? standing.words : undefined;
};

/** What `/readyz` says of halts. */
async function ready(): Promise<unknown> {
  const answer = JSON.parse(await (await fetch(new URL("/readyz", stage.bot.url))).text());
  return answer.checks.halted;
}

describe("SR-68 the kill switch", () => {
  it("answers an /approve kindly, counts nothing, and lets it be approved when it is off", async () => {
    const thread = await stage.incident("uptime");
    expect(await ready()).toBe("no");
    await halt({ config });
    expect(await ready()).toMatch(/^\* by .+ since \d{4}-/);
    const before = stage.ran().length;
    const answer = await stage.ask(thread, "lee", "/approve 1");
    expect(answer.isMarked("confused")).toBe(true);
    expect(answer.said).toEqual([
      expect.stringMatching(/^Nothing was run\. The bot is halted by .+ since \d{4}-.+Z\. /),
    ]);
    expect(stage.ran()).toHaveLength(before);
    await liftHalt({ config });
    stage.model.play(done);
    expect(await stage.sent(() => stage.ask(thread, "lee", "/approve 1"))).toBe(1);
  });

  it("between approval and dispatch lets the batch wait; resumed, it takes a fresh approval", async () => {
    const thread = await stage.incident("uptime");
    const left = await leaveBehind(stage, thread, { numbers: [1] });
    await halt({ config });
    expect(await stage.sent(left.serve)).toBe(0);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "approved" });
    await thread.waitFor((body) => body.includes("Waiting: the bot is halted by"), "the wait");
    await liftHalt({ config });
    expect(await stage.sent(left.serve)).toBe(0);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
    await thread.waitFor((body) => body.includes("it was approved before a halt or hold was lifted"), "the reason");
    stage.model.play(done);
    expect(await stage.sent(() => stage.ask(thread, "lee", "/approve 1"))).toBe(1);
  });

  it("turned on while GitHub is asked about the approval still stops the command", async () => {
    const thread = await stage.incident("uptime");
    const left = await leaveBehind(stage, thread, { numbers: [1] });
    const stop = stage.github.onTraffic((traffic) => {
      if (traffic.kind === "request" && traffic.path === "/graphql") writeFileSync(file, "not a line");
    });
    expect(await stage.sent(left.serve)).toBe(0);
    stop();
    await liftHalt({ config });
    expect(await stage.sent(left.serve)).toBe(0);
    stage.model.play(done);
    expect(await stage.sent(() => stage.ask(thread, "lee", "/approve 1"))).toBe(1);
  });

  it("turned on after the last look, while the command is claimed, still stops it", async () => {
    const thread = await stage.incident("uptime");
    const left = await leaveBehind(stage, thread, { numbers: [1] });
    const { deps: world } = stage.bot;
    const store = {
      ...world.store,
      db: world.store.db,
      transaction: async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
        await halt({ config });
        return world.store.transaction(work);
      },
    };
    const job = jobOf("execute", { batchId: left.batchId });
    expect(await stage.sent(() => execute({ ...world, store }, job))).toBe(0);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "approved" });
    await thread.waitFor((body) => body.includes("Waiting: the bot is halted by"), "the wait");
  });

  it("does not keep alive what expired meanwhile", async () => {
    const thread = await stage.incident("uptime");
    const left = await leaveBehind(stage, thread, { numbers: [1] });
    await halt({ config });
    expect(await stage.sent(left.serve)).toBe(0);
    await stage.bot.deps.store.db
      .updateTable("action")
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where("state", "=", "approved")
      .execute();
    await liftHalt({ config });
    expect(await stage.sent(left.serve)).toBe(0);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "expired" });
  });

  it("for one repository halts that one; another is refused by name, and each halt is taken back on its own", async () => {
    const thread = await stage.incident("uptime");
    await expect(halt({ config, repo: "acme/other" })).rejects.toThrow("one of: acme/web");
    writeFileSync(
      file,
      `${JSON.stringify({ scope: "acme/other", halted: true, by: "root", at: "2026-01-01T00:00:00Z" })}\n`,
    );
    stage.model.play(done);
    expect(await stage.sent(() => stage.ask(thread, "lee", "/approve 1"))).toBe(1);

    const next = await stage.incident("uptime");
    await halt({ config, repo: "ACME/web" });
    await liftHalt({ config });
    const answer = await stage.ask(next, "lee", "/approve 1");
    expect(answer.said).toEqual([expect.stringContaining("Nothing was run.")]);
    expect(readFileSync(file, "utf8")).toContain('"scope":"acme/other"');
  });

  it("that cannot be read is on, for everything, until a word on everything replaces it", async () => {
    const thread = await stage.incident("uptime");
    const good = { scope: "acme/other", halted: false, by: "root", at: "2026-01-01T00:00:00Z" };
    for (const text of [
      "{",
      "[]\n",
      `${JSON.stringify(good)}\n{"scope":"*"}\n`,
      JSON.stringify({ ...good, more: 1 }),
    ]) {
      writeFileSync(file, text);
      const answer = await stage.ask(thread, "lee", "/approve 1");
      expect(answer.said, text).toEqual([
        expect.stringMatching(/^Nothing was run\. .*its kill switch cannot be read\./),
      ]);
    }
    expect(await ready()).toContain("cannot be read");
    await expect(liftHalt({ config, repo })).rejects.toThrow("cannot be read");
    await liftHalt({ config });
    stage.model.play(done);
    expect(await stage.sent(() => stage.ask(thread, "lee", "/approve 1"))).toBe(1);
  });

  it("survives a restart, and each change is in the audit once", async () => {
    // What was changed before is noticed by now: the bot looks every half second.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const start = await changes(() => true);
    await halt({ config });
    const halted = await changes((kinds) => kinds.at(-1) === "halted *");
    expect(halted.at(-1)).toBe("halted *");
    await stage.restart();
    const thread = await stage.incident("uptime");
    const answer = await stage.ask(thread, "lee", "/approve 1");
    expect(answer.said).toEqual([expect.stringContaining("The bot is halted by")]);
    await liftHalt({ config });
    const resumed = await changes((kinds) => kinds.at(-1) === "resumed *");
    expect(resumed.slice(halted.length)).toEqual(["resumed *"]);
    expect(resumed.length).toBeGreaterThan(start.length);
  });

  it("is turned at the command line while the bot runs", async () => {
    expect((await countersign(["halt", "--repo", repo, "--config", config])).out).toContain("acme/web is halted");
    expect(await ready()).toContain("acme/web by ");
    expect((await countersign(["resume", "--repo", repo, "--config", config])).out).toContain("acme/web is resumed");
    expect(await ready()).toBe("no");
    expect(existsSync(file)).toBe(true);
  });
});

describe("SR-68 the kill switch of an embedded store", () => {
  it("is where the bot looks for it, however the folder is written", async () => {
    const folder = mkdtempSync(join(tmpdir(), "countersign-halt-"));
    for (const storeUrl of ["file:store/", `file://${folder}/data`]) {
      const ground = await prepareGround({ servers: {}, storeUrl });
      await halt({ config: ground.configFile });
      const place = haltFileOf(loadConfig({ file: ground.configFile }).store.url) ?? "";
      expect(wordsOf(await readHaltFile(place)), storeUrl).toMatch(/^the bot is halted by/);
      await ground.close();
    }
    rmSync(folder, { recursive: true });
  });
});

describe("SR-68 the kill switch of a store on a PostgreSQL server", () => {
  it("is a table that the command line writes while others have the store open", async () => {
    const cluster = await startPostgres("the kill switch on a server");
    if (!cluster) return;
    const storeUrl = await cluster.createDatabase();
    const store = await openStore(storeUrl);
    const ground = await prepareGround({ servers: {}, storeUrl });
    const read = async () => wordsOf(await readHaltTable(store.db));
    const server = { config: ground.configFile };
    expect(await read()).toBeUndefined();
    await halt(server);
    await halt({ ...server, repo });
    expect(await read()).toMatch(/^the bot is halted by .+ since /);
    await liftHalt(server);
    expect(await read()).toMatch(/^the bot is halted by .+ since /);
    await liftHalt({ ...server, repo });
    expect(await read()).toBeUndefined();
    await store.db.insertInto("halt").values({ scope: "", halted: false, by: "root", at: "today" }).execute();
    expect(await read()).toContain("cannot be read");
    await store.close();
    await ground.close();
    await cluster.stop();
  });
});
