import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createThread, openIssue } from "../../demo/thread.ts";
import { loadConfig } from "../../src/config/load.ts";
import { verifyAudit } from "../../src/store/audit/chain.ts";
import { openStore } from "../../src/store/database/open.ts";
import { redeliverLost } from "../harness/cluster.ts";
import { entryOf, type Ground, incident, keptOf, prepareGround, repo } from "../harness/playground.ts";
import { type FakeHost, startFakeHost } from "../ssh/fake-host.ts";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const kills = 20;
const incidents = 12;
/** The killing alone takes minutes, in which hardly anything comes to its end. */
const patienceMs = 900_000;
/** Every second one changes something, and so runs as a job that the next process finds again. */
const isJob = (n: number): boolean => n % 2 === 1;
const commandOf = (n: number): string => (isJob(n) ? `touch /srv/token-${n}` : `echo token-${n}`);

describe(`the bot, killed ${kills} times under load`, () => {
  let host: FakeHost;
  let ground: Ground;
  let bot: ChildProcess | undefined;

  beforeAll(async () => {
    host = await startFakeHost(async (command, { channel }) => {
      await sleep(Math.random() * 1_500);
      channel.write(`said ${/token-\d+/.exec(command)?.[0] ?? "nothing"}\n`);
      return 0;
    });
    ground = await prepareGround({
      servers: {
        "web-1": entryOf(host),
      },
    });
  });
  afterAll(async () => {
    bot?.kill("SIGKILL");
    await ground.close();
    await host.close();
  });

  async function start(): Promise<void> {
    const child = spawn(process.execPath, [main, "start", "--config", ground.configFile], { stdio: "ignore" });
    bot = child;
    for (;;) {
      if (child.exitCode !== null) throw new Error(`the bot ended with ${child.exitCode}`);
      const up = await fetch(`http://127.0.0.1:${ground.port}/livez`).then(
        (answer) => answer.ok,
        () => false,
      );
      if (up) return;
      await sleep(20);
    }
  }
  async function kill(): Promise<void> {
    const child = bot;
    if (!child) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  /** One incident from its opening to the end of the one command that is approved in it. */
  async function play(n: number): Promise<{ readonly number: number; readonly ending: string }> {
    const number = await openIssue(ground.github, repo, { ...incident, title: `SpoolAlmostFull on web-1, the ${n}th` });
    const thread = createThread(ground.github, repo, number);
    await thread.say("sam", `/run web-1\n\`\`\`sh\n${commandOf(n)}\n\`\`\``);
    const card = await thread.waitFor(
      (body) => body.includes(commandOf(n)) && body.includes("Proposed by"),
      "the card",
      patienceMs,
    );
    const action = /\*\*(\d+)\*\*/.exec(card.body)?.[1];
    await thread.say("lee", `/approve ${action}`);
    const ended = new RegExp(`\\*\\*${action}\\*\\* (✅|❓|🔌)`);
    const result = await thread.waitFor((body) => ended.test(body), "the result", patienceMs);
    return { number, ending: ended.exec(result.body)?.[1] ?? "" };
  }

  it("RR-06 I1 I5 loses no delivery, does none twice, and runs no command twice", {
    timeout: 2 * patienceMs,
  }, async () => {
    await start();
    const played = Promise.all(Array.from({ length: incidents }, (_, n) => play(n)));
    let over = false;
    played.then(
      () => (over = true),
      () => (over = true),
    );
    for (let done = 0; done < kills; done++) {
      await sleep(200 + Math.random() * 1_500);
      await kill();
      await start();
      await redeliverLost(ground);
    }
    while (!over) {
      await redeliverLost(ground);
      await sleep(500);
    }
    const results = await played;
    // The last edits are on their way.
    await sleep(8_000);
    await redeliverLost(ground);
    await sleep(2_000);

    const runs = Array.from(
      { length: incidents },
      (_, n) =>
        host.seen.commands.filter(
          (command) => command.includes(`token-${n}'`) && (!isJob(n) || command.includes(" start ")),
        ).length,
    );
    expect(Math.max(...runs)).toBe(1);
    for (const [n, { ending }] of results.entries()) {
      // A run whose end was lost may or may not have begun; one that ended well began.
      if (ending.startsWith("✅")) expect(runs[n]).toBe(1);
      // What its server was asked about is known.
      if (isJob(n)) expect(ending).not.toContain("❓");
      if (ending.startsWith("🔌")) expect(runs[n]).toBe(0);
    }
    for (const { number } of results) {
      const comments = await createThread(ground.github, repo, number).comments();
      const markers = comments.flatMap((comment) => /<!-- countersign [0-9a-f-]+ -->/.exec(comment.body)?.[0] ?? []);
      expect(new Set(markers).size, `comments of #${number}`).toBe(markers.length);
      const boards = comments.filter((comment) => comment.body.includes("Board of this incident"));
      expect(boards).toHaveLength(1);
    }
    await kill();
    const store = await openStore(loadConfig({ file: ground.configFile, env: {} }).store.url);
    const rows = await store.db.selectFrom("delivery").select(["guid", "state", "semanticKey"]).execute();
    const known = new Map(rows.map((row) => [row.guid, row.state]));
    // A redelivery of what was stored already is a duplicate, and has the same GUID.
    expect(keptOf(ground.github).filter((guid) => known.get(guid) !== "done")).toEqual([]);
    expect(await verifyAudit(store.db)).toMatchObject({ ok: true });
    const dispatched = await store.db
      .selectFrom("audit")
      .select("body")
      .where("kind", "=", "command_dispatched")
      .execute();
    expect(dispatched).toHaveLength(incidents);
    await store.close();
    const unknown = results.filter(({ ending }) => ending.includes("❓")).length;
    console.log(
      `${kills} kills, ${incidents} incidents, ${keptOf(ground.github).length} deliveries: ${unknown} runs UNKNOWN, ${runs.filter((n) => n === 1).length} commands run once, none twice`,
    );
  });
});
