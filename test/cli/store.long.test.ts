import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Thread } from "../../demo/thread.ts";
import { askStore, storeImport } from "../../src/cli/local.ts";
import { loadConfig } from "../../src/config/load.ts";
import { readHaltTable } from "../../src/features/incident/halt.ts";
import { type Bot, startBot } from "../../src/service/start.ts";
import { appendAudit, verifyAudit } from "../../src/store/audit/chain.ts";
import { exportStore, importStore, inOrder } from "../../src/store/database/dump.ts";
import { openStore, type Store } from "../../src/store/database/open.ts";
import { prepareGround, repo } from "../harness/playground.ts";
import { useStarted } from "../harness/use-started.ts";
import { saying } from "../ssh/fake-host.ts";
import { places } from "../store/fresh.ts";
import { countersign } from "./countersign.ts";

describe("the tables of a dump", () => {
  it("stand after those that they refer to", () => {
    expect(
      inOrder(
        ["run", "action", "incident"],
        [
          { from: "run", to: "action" },
          { from: "action", to: "incident" },
        ],
      ),
    ).toEqual(["incident", "action", "run"]);
    expect(() =>
      inOrder(
        ["a", "b"],
        [
          { from: "a", to: "b" },
          { from: "b", to: "a" },
        ],
      ),
    ).toThrow(/refer to each other/);
  });
});

describe("a store with an incident in it, its bot running, GitHub down", async () => {
  const here = await places("a dump taken into a PostgreSQL server");
  const folder = mkdtempSync(join(tmpdir(), "countersign-cli-store-"));
  let bot: Bot;
  let thread: Thread;
  let number: number;
  const at = (name: string): string => join(folder, name);

  const ground = useStarted(() =>
    prepareGround({
      play: saying("line 1\nline 2 of the output\n", 3),
      config: { audit: { checkpoint_file: at("checkpoint") } },
    }),
  );
  beforeAll(async () => {
    bot = await startBot(loadConfig({ file: ground.configFile, env: {} }));
    const opened = await ground.open();
    ({ number } = opened);
    thread = opened;
    await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
    await thread.say("lee", "/approve 1");
    await thread.waitFor((body) => /\*\*1\*\* ❌ 2 checks on `web-1` · `@lee`/.test(body), "the result");
    await thread.say("sam", "/run web-1\n```sh\nuname -r\n```");
    await thread.waitFor((body) => body.includes("- [ ] **2**"), "sam's own proposal");
    await ground.github.settled();
    await bot.deps.store.queue.idle();
  });
  afterAll(async () => {
    await bot.close();
    for (const place of here) await place.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const cli = (...args: readonly string[]) => countersign([...args, "--config", ground.configFile]);
  const haltsIn = async ({ db }: Store): Promise<number> =>
    (await db.selectFrom("audit").select("seq").where("kind", "=", "halted").execute()).length;
  const isServed = async (store: Store): Promise<boolean> =>
    (await store.db.selectFrom("incident").select("id").execute()).length === 1;

  it("RR-11 `incident` lists, shows and prints outputs, asking the bot that runs", async () => {
    const [list, show, output, none] = await Promise.all([
      cli("incident", "list"),
      cli("incident", "show", `${number}`),
      cli("incident", "output", `${number}`, "1", "--repo", repo),
      cli("incident", "output", `${number}`, "9"),
    ]);
    expect(list.out).toMatch(new RegExp(`open {4}${repo}#${number} {2}SpoolAlmostFull on web-1 {2}\\(2 proposed\\)`));
    expect(show.out).toContain(
      "1  done  low  web-1\n    echo spool is at 97 percent\n    uname -s\n    → web-1#1: ❌ exit 3,",
    );
    expect(output.out).toContain("line 1\nline 2 of the output\n");
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining("has no action 9") });
  });

  it("SR-64 SR-66 the audit is verified and printed while the bot runs, without any of its secrets", async () => {
    const config = at("no-secrets.yml");
    const { store, audit } = JSON.parse(readFileSync(ground.configFile, "utf8"));
    const url = `file:${join(ground.configFile, "..", store.url.slice("file:".length))}`;
    writeFileSync(config, JSON.stringify({ store: { url }, audit }));
    const bare = (...args: readonly string[]) => countersign(["audit", ...args, "--config", config]);
    expect(await bare("verify")).toMatchObject({ code: 0, out: expect.stringMatching(/^the audit holds: \d+ rows/) });
    const { code, out } = await bare("export", "--incident", `${number}`, "--repo", repo, "--until", "2100-01-01");
    expect(code).toBe(0);
    const kinds = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).kind);
    expect(kinds).toEqual(expect.arrayContaining(["incident_opened", "command_approved", "command_executed"]));
    writeFileSync(at("checkpoint"), `countersign/audit\n1000000\n${"0".repeat(64)}\n`);
    expect(await bare("verify")).toMatchObject({
      code: 1,
      err: expect.stringContaining("does NOT hold: the checkpoint saw"),
    });
    rmSync(at("checkpoint"));
  });

  it("RR-11 a character that other programs take for a line's end ends no answer of the bot", async () => {
    const note = "seen by lee\u2028and by sam\u2029";
    const body = { by: { id: 1, login: "lee" }, commentId: 1, step: 1, verdict: "up", note } as const;
    await bot.deps.store.transaction((tx) => appendAudit(tx, { kind: "feedback_given", body }));
    const { code, out, err } = await cli("audit", "export");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out.trim().split("\n").at(-1) ?? "")).toMatchObject({ body: { note } });
  });

  it("a backup is made while the bot runs, and holds all that it knew", async () => {
    const to = at("backup");
    const { code, out } = await cli("store", "backup", to);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("is a copy of the whole store") });
    const again = await cli("store", "backup", to);
    expect(again).toMatchObject({ code: 2, err: expect.stringContaining("is there already") });
    const copy = await openStore(`file:${to}`);
    expect(await isServed(copy)).toBe(true);
    expect(await verifyAudit(copy.db)).toMatchObject({ ok: true });
    await copy.close();
  });

  it.each(here.map(({ kind, create }) => ({ kind, create })))(
    "a dump is taken into an empty store ($kind) row for row, jobs, kill switch and all, and into no other",
    async ({ kind, create }) => {
      const { store } = bot.deps;
      const file = at(`dump-${kind}`);
      const known = await haltsIn(store);
      await cli("halt", "--repo", repo);
      // The bot records what it sees of the switch.
      while ((await haltsIn(store)) <= known) await sleep(20);
      await store.transaction((tx) =>
        store.queue.enqueue(tx, "turn", "later", { a: "ä 'q' \\ \u2028" }, { afterMs: 3_600_000 }),
      );
      await Array.fromAsync(askStore({ config: ground.configFile }, { ask: "export", to: file }));
      const url = await create();
      const config = at(`${kind}.yml`);
      writeFileSync(config, JSON.stringify({ store: { url } }));
      expect(await storeImport({ config }, file)).toMatch(/^\d+ rows are in/);
      await expect(storeImport({ config }, file)).rejects.toThrow(/not empty/);
      const taken = await openStore(url);
      const second = at(`again-${kind}`);
      await exportStore(taken, second, { now: new Date() });
      expect(await verifyAudit(taken.db)).toMatchObject({ ok: true });
      // Columns that count by themselves go on.
      await taken.db
        .insertInto("delivery")
        .values({
          guid: "next",
          line: "issue:1:1",
          event: "ping",
          action: null,
          semanticKey: null,
          payload: "{}",
          outcome: null,
        })
        .execute();
      const last = await taken.db
        .selectFrom("delivery")
        .select(["guid", "position"])
        .orderBy("position", "desc")
        .execute();
      expect(last[0]?.guid).toBe("next");
      const counts = async ({ db }: Store) => [
        (await db.selectFrom("audit").select("hash").orderBy("seq").execute()).map(({ hash }) => hash),
        (await db.selectFrom("outputPart").select("text").execute()).map(({ text }) => text),
        await db.selectFrom("comment").select(["id", "body", "position", "dueAt"]).orderBy("position").execute(),
      ];
      expect(await counts(taken)).toEqual(await counts(store));
      if (kind === "server")
        expect(await readHaltTable(taken.db)).toMatchObject({ kind: "read", entries: [{ scope: repo, halted: true }] });
      else expect(readFileSync(join(url.slice("file:".length), "halt"), "utf8")).toContain(repo);
      const served: unknown[] = [];
      await taken.queue.serve("turn", { slots: 1, onPoison: async () => {} }, async ({ data }) => {
        served.push(data);
      });
      await taken.transaction((tx) => taken.queue.enqueue(tx, "turn", "now", {}));
      while (served.length < 1) await new Promise((resolve) => setTimeout(resolve, 10));
      await taken.close();
      await cli("resume", "--repo", repo);
    },
  );

  it("a file that is no dump, or another version's, is refused and nothing is changed", async () => {
    const [embedded] = here;
    const store = await openStore((await embedded?.create()) ?? "");
    writeFileSync(at("none"), "hello");
    await expect(importStore(store, at("none"), async () => {})).rejects.toThrow(/cannot be read/);
    await expect(importStore(store, at("missing"), async () => {})).rejects.toThrow(/cannot be read/);
    for (const [schema, refusal] of [
      ["0001-first 0002-next", /another version .*unreleased build.*begin with an empty store/s],
      ["0001-tables 0002-next", /another version .*0002-next.*import it with that version/s],
      [7, /another version .*import it with that version/s],
    ] as const) {
      const head = { countersign: "store", schema, at: "", beside: null };
      writeFileSync(at("other"), gzipSync(`${JSON.stringify(head)}\n`));
      await expect(importStore(store, at("other"), async () => {})).rejects.toThrow(refusal);
    }
    expect(await store.db.selectFrom("auditHead").select("seq").execute()).toEqual([{ seq: 0 }]);
    await store.close();
  });

  it("SR-68 an import that cannot take the kill switch over takes nothing in", async () => {
    const from = await openStore(`file:${at("from")}`);
    const known = { scope: "*", halted: true, by: "root", at: new Date().toISOString() };
    await from.transaction((tx) => appendAudit(tx, { kind: "halted", body: known }));
    for (const halt of ["nonsense", [known]])
      await exportStore(from, at(`with-${typeof halt}`), { beside: { halt }, now: new Date() });
    await from.close();
    writeFileSync(at("into.yml"), JSON.stringify({ store: { url: "file:./into" } }));
    await expect(storeImport({ config: at("into.yml") }, at("with-string"))).rejects.toThrow();
    // It is empty still.
    await storeImport({ config: at("into.yml") }, at("with-object"));
    expect(readFileSync(join(at("into"), "halt"), "utf8")).toContain('"halted":true');
  });

  it("RR-24 a backup that is put back is found out, and what was open in it is void", async () => {
    await thread.say("lee", "/explain 2");
    await bot.deps.store.queue.idle();
    await bot.close();
    const config = loadConfig({ file: ground.configFile, env: {} });
    bot = await startBot({ ...config, store: { url: `file:${at("backup")}` } });
    const rows = await bot.deps.store.db.selectFrom("audit").select("kind").execute();
    expect(rows.map(({ kind }) => kind)).toContain("store_restored");
    const states = await bot.deps.store.db.selectFrom("action").select(["number", "state"]).orderBy("number").execute();
    expect(states).toEqual([
      { number: 1, state: "done" },
      { number: 2, state: "void" },
    ]);
  });
});
