import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { followConfig } from "../../src/cli/start.ts";
import type { Deps } from "../../src/features/context.ts";
import { execute } from "../../src/features/run/execute.ts";
import { type FrontEvent, startFront } from "../../src/http/server.ts";
import type { Redact } from "../../src/text/redact.ts";
import { leaveBehind } from "../features/run/left-behind.ts";
import { jobOf } from "../harness/job.ts";
import { auditOf, type Stage, startStage, statesOf } from "../harness/stage.ts";
import { until } from "../harness/until.ts";
import { saying } from "../ssh/fake-host.ts";
import { useBotPlaces } from "../store/use-places.ts";

const places = await useBotPlaces("what fails inside of the bot, on a store of several processes (F-17 to F-42)");

const done = { text: "CONFIRMED by 1: that is all." };

describe.each(places)("a whole bot in which something fails ($kind)", ({ available, url }) => {
  describe.runIf(available)("in one part or another", () => {
    let stage: Stage;
    beforeAll(async () => {
      const storeUrl = await url();
      stage = await startStage({
        ...(storeUrl === undefined ? {} : { storeUrl }),
        // A busy machine is no fault of the model's.
        config: { model: { deadline: "2m" } },
      });
    });
    afterAll(() => stage.close());
    afterEach(() => stage.model.verify());

    /** Serves a batch as the worker does, in a world of which a part is another. */
    const serve = (batchId: string, other: Partial<Deps>): Promise<void> => {
      const { deps: world } = stage.bot;
      return execute({ ...world, config: world.config, store: world.store, ...other }, jobOf("execute", { batchId }));
    };
    const ran = (): number => stage.ran().length;

    const manyCalls = Array.from({ length: 30 }, (_, n) => ({
      name: n % 2 ? "launch_missiles" : "read_skill",
      arguments: "{]",
    }));
    it.each([
      [
        "junk",
        [{ text: "}{ ]] %% ---ACTIONS_JSON_START--- {{{ ---ACTIONS_JSON_END---" }, { text: "\u0000\u0001 still junk" }],
      ],
      ["a megabyte of it", [{ text: "lorem ipsum dolor sit amet ".repeat(40_000) }]],
      ["tool calls that are none", [{ text: "", toolCalls: manyCalls }, { text: "LIKELY: nothing." }]],
    ])("F-17 a model that says %s: no proposal, one card, and people go on by hand", async (what, steps) => {
      const asked = stage.model.requests.length;
      stage.model.play(...steps);
      const thread = await stage.open({ title: `Something is odd with ${what}`, body: "It is slow." });
      await stage.quiet();
      expect(stage.model.requests.length - asked).toBe(steps.length);
      expect(await statesOf(stage, thread.number)).toEqual({});
      for (const { body } of await thread.comments()) expect(body.length).toBeLessThan(65_536);
      const before = ran();
      await stage.ask(thread, "sam", "/run web-1\n```sh\nuptime\n```");
      stage.model.play(done);
      await stage.ask(thread, "lee", "/approve 1");
      expect(await statesOf(stage, thread.number)).toEqual({ 1: "done" });
      expect(ran()).toBe(before + 1);
    });

    it("F-22 an audit that cannot be written: nothing is approved or run, /readyz says so, and later all goes on", async () => {
      const thread = await stage.incident("uptime");
      const { db } = stage.bot.deps.store;
      await sql`create or replace function cannot_be_written() returns trigger language plpgsql as $$
        begin raise exception 'could not write block: Read-only file system'; end $$`.execute(db);
      await sql`create trigger cannot_be_written before insert or update on audit_head
        for each row execute function cannot_be_written()`.execute(db);
      const failures = () =>
        stage.log.filter(({ event, queue }) => event === "job_failed" && queue === "delivery").length;
      const [failed, before] = [failures(), ran()];
      await thread.say("lee", "/approve 1");
      await until(() => expect(failures()).toBeGreaterThan(failed));
      const answer = await fetch(`${stage.bot.url}/readyz`);
      expect([answer.status, JSON.parse(await answer.text()).checks.store]).toEqual([
        503,
        "cannot be written, so nothing is accepted and nothing is run",
      ]);
      expect(ran()).toBe(before);
      expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
      stage.model.play(done);
      await sql`drop trigger cannot_be_written on audit_head`.execute(db);
      await thread.waitFor((body) => body.includes("**1** ✅"), "the run, once it can be written");
      await stage.quiet();
      expect(ran()).toBe(before + 1);
      expect((await fetch(`${stage.bot.url}/readyz`)).status).toBe(200);
    });

    it("RR-16 F-36 a system's clock that is set back does not run what has expired", async () => {
      const thread = await stage.incident("uptime");
      const { batchId } = await leaveBehind(stage, thread, { numbers: [1] });
      const { db } = stage.bot.deps.store;
      const over = new Date(Date.now() - 60_000);
      await sql`update action set expires_at = ${over}
        where incident_id = (select incident_id from batch where id = ${batchId})`.execute(db);
      const before = ran();
      const anHourAgo = () => performance.timeOrigin + performance.now() - 3_600_000;
      const shown = vi.spyOn(Date, "now").mockImplementation(anHourAgo);
      await serve(batchId, {}).finally(() => shown.mockRestore());
      await stage.quiet();
      expect(ran()).toBe(before);
      expect(await statesOf(stage, thread.number)).toEqual({ 1: "expired" });
    });

    it("F-38 SR-49 an output that the redactor gives up on is withheld, its hash is the audit's alone, and nobody ever reads it", async () => {
      const raw = "the raw word hunter-38\n";
      stage.play(saying(raw));
      const thread = await stage.incident("uptime");
      const { batchId } = await leaveBehind(stage, thread, { numbers: [1] });
      const { redact } = stage.bot.deps;
      const givesUp: Redact = (text) =>
        text.includes("hunter-38") ? { ok: false, reason: "it took too long" } : redact(text);
      stage.model.play(done);
      await serve(batchId, { redact: givesUp });
      const result = await thread.waitFor((body) => body.includes("output withheld"), "the result");
      await stage.quiet();
      const sha256 = createHash("sha256").update(raw).digest("hex");
      expect(result.body).toContain("output withheld: it took too long (under 1 kB)");
      await stage.ask(thread, "lee", "/output 1");
      for (const { body } of await thread.comments()) {
        expect(body).not.toContain("hunter-38");
        expect(body).not.toContain(sha256.slice(0, 8));
      }
      expect(JSON.stringify(stage.model.requests.map(({ body }) => body))).not.toContain("hunter-38");
      const audited = (await auditOf(stage, { kind: "command_executed" })).map(({ body }) => body);
      expect(audited).toContainEqual(expect.objectContaining({ outputSha256: sha256, bytes: raw.length }));
      stage.play(async () => 0);
    });

    it("F-42 a changed config that is invalid: no word of it holds, the operator is told, and who might approve may still", async () => {
      const { file } = stage.bot.deps.config;
      const original = JSON.parse(readFileSync(file, "utf8"));
      const { stop } = followConfig(stage.bot, file);
      const refused = () => stage.log.filter(({ event }) => event === "config_refused");
      const before = refused().length;
      const roster = { approvers: { users: [{ login: "eve", id: 1 }] } };
      writeFileSync(`${file}.new`, JSON.stringify({ ...original, policy: roster, agent: { max_stepz: 7 } }), {
        mode: 0o600,
      });
      renameSync(`${file}.new`, file);
      await until(() => expect(refused()).toHaveLength(before + 1));
      stop();
      expect(refused().at(-1)).toMatchObject({ level: "error" });
      expect(stage.bot.deps.config.policy.approvers).toMatchObject({ teams: ["acme/oncall"], users: [] });
      const thread = await stage.incident("uptime");
      stage.model.play(done);
      await stage.ask(thread, "lee", "/approve 1");
      expect(await statesOf(stage, thread.number)).toEqual({ 1: "done" });
      writeFileSync(file, JSON.stringify(original), { mode: 0o600 });
    });
  });
});

describe("the front under bodies that are too large", () => {
  it("F-07 eight bodies of 60 MB in pieces: none is taken, each is a line of the log at most, and memory stays small", async () => {
    const events: FrontEvent[] = [];
    const front = await startFront({
      host: "127.0.0.1",
      port: 0,
      secrets: () => ["0123456789abcdefghijABCDEFGHIJ-1"],
      receive: async () => "stored",
      ready: async () => ({ ok: true, able: true, checks: {} }),
      log: (event) => events.push(event),
      onFault: () => {},
    });
    const piece = Buffer.alloc(1024 * 1024, "x");
    const send = (): Promise<number | undefined> =>
      new Promise((resolve) => {
        const sending = request(front.url, { method: "POST" }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
          sending.destroy();
        });
        sending.on("error", () => resolve(undefined));
        const more = (left: number): void => {
          if (left > 0 && !sending.destroyed) sending.write(piece, () => more(left - 1));
        };
        more(60);
      });
    const before = process.memoryUsage().rss;
    const answers = await Promise.all(Array.from({ length: 8 }, send));
    // Too large, or too much at once before any of it is verified.
    // Whoever loses its place while it writes may see the connection reset before it reads the 503.
    for (const status of answers) expect([413, 503, undefined]).toContain(status);
    const grownMb = (process.memoryUsage().rss - before) / 1024 / 1024;
    expect(grownMb).toBeLessThan(200);
    expect(events.length).toBeLessThanOrEqual(9);
    expect(["refused", "ended"]).toEqual(expect.arrayContaining([...new Set(events.map(({ kind }) => kind))]));
    await front.close();
  });
});
