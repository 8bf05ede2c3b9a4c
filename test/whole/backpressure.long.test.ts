import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { type Ground, repo } from "../harness/playground.ts";
import { until } from "../harness/until.ts";
import { webhookHeaders } from "../harness/webhook.ts";
import { memoryOf, startWorld } from "../harness/world.ts";
import { sshdFor } from "../ssh/real-host.ts";

const megabyte = 2 ** 20;
const runs = 8;
const outputBytes = 1_024 * megabyte;
const fileBytes = 64 * megabyte;
const deliveries = 1_000;
const mostGrowthMb = 150;
/** As long as two busy cores take for 8 GB. */
const patienceMs = 20 * 60_000;

const sshd = process.platform === "linux" ? await sshdFor("test/whole/backpressure.long.test.ts") : undefined;
const folder = mkdtempSync(join(tmpdir(), "countersign-backpressure-"));
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
  rmSync(folder, { recursive: true, force: true });
});

/** Sends comments of one incident as webhooks of GitHub's size; they wait behind the first, because GitHub does not say who wrote it. */
async function flood({ configFile, port, github }: Ground, number: number): Promise<void> {
  const ask = github.as("mona");
  const repository = { ...Object((await ask("GET", `/repos/${repo}`)).body), description: "y".repeat(4_000) };
  const issue = { ...Object((await ask("GET", `/repos/${repo}/issues/${number}`)).body), body: "x".repeat(8_000) };
  const secret = readFileSync(join(dirname(configFile), "hook.secret"), "utf8").trim();
  const user = { id: 900_001, login: "sam", type: "User" };
  const one = async (id: number): Promise<void> => {
    const body = JSON.stringify({
      action: "created",
      issue,
      comment: {
        id: 10_000_000 + id,
        node_id: `IC_${id}`,
        body: id === 0 ? "/status" : "still broken",
        user,
        created_at: new Date().toISOString(),
      },
      repository,
      installation: { id: github.installationId },
      sender: user,
    });
    const guid = `00000000-0000-4000-8000-${String(id).padStart(12, "0")}`;
    const headers = webhookHeaders(secret, "issue_comment", body, guid);
    const deliver = async (): Promise<number> =>
      (await fetch(`http://127.0.0.1:${port}/api/github/webhooks`, { method: "POST", headers, body })).status;
    let status = await deliver();
    // On a busy machine the store may need more than the time GitHub waits: a refused delivery comes again.
    while (status === 503) {
      await sleep(1_000);
      status = await deliver();
    }
    if (status !== 202) throw new Error(`a webhook was answered ${status}`);
  };
  let sent = 0;
  const sender = async (): Promise<void> => {
    while (sent < deliveries) await one(sent++);
  };
  await Promise.all(Array.from({ length: 32 }, sender));
}

describe.runIf(sshd)("under all that it takes at once", () => {
  it(
    "RR-19 1,000 queued deliveries and 8 runs of 1 GB: memory stays bounded, and every run is told",
    async () => {
      const file = join(folder, "part");
      writeFileSync(file, Buffer.alloc(fileBytes, "all is well on the spool, and so it goes on\n"));
      const whole = `cat ${Array(outputBytes / fileBytes)
        .fill(file)
        .join(" ")}`;
      const server = { ...sshd?.entry, soft_timeout: "30m", hard_timeout: "30m" };
      const names = Array.from({ length: runs }, (_, index) => `web-${index + 1}`);
      const servers = Object.fromEntries(names.map((name) => [name, server]));
      const world = await startWorld({ servers });
      const bot = await world.start();
      const prepare = async (script: string, name: string) => {
        const thread = await world.open();
        await thread.waitFor((body) => body.includes("```sh"), "the card", patienceMs);
        await thread.say("mona", `/run ${name}\n\`\`\`sh\n${script}\n\`\`\``);
        const start = script.slice(0, 60);
        const { body } = await thread.waitFor((text) => text.includes(start), "the card of the script", patienceMs);
        const number = /.*\*\*(\d+)\*\* · /s.exec(body.slice(0, body.indexOf(start)))?.[1];
        return {
          issue: thread.number,
          approve: () => thread.say("lee", `/approve ${number}`),
          told: () => thread.waitFor((text) => text.includes(`**${number}** ✅`), "the result", patienceMs),
        };
      };
      // What a process takes at its first output of a size, and at its first burst, it keeps: that is no growth.
      const first = await prepare(`cat ${file}`, "web-1");
      await first.approve();
      await first.told();
      const big = await Promise.all(names.map((name) => prepare(whole, name)));
      await sleep(10_000);
      const beforeMb = memoryOf(bot).nowMb;
      writeFileSync(`/proc/${bot.child.pid}/clear_refs`, "5");
      let most = 0;
      const watch = setInterval(async () => {
        const page = await fetch(`http://127.0.0.1:${world.port}/metrics`)
          .then((answer) => answer.text())
          .catch(() => "");
        const waiting = /^countersign_queue_waiting\{queue="delivery"\} (\d+)/m.exec(page)?.[1];
        most = Math.max(most, Number(waiting ?? 0));
      }, 250);
      const began = performance.now();
      for (const { approve } of big) await approve();
      await sleep(2_000);
      world.github.fault({ path: /graphql/, times: 1_000 }, { status: 502 });
      await flood(world, first.issue);
      await until(() => expect(most).toBeGreaterThan(100));
      world.github.clearFaults();
      for (const { told } of big) await told();
      clearInterval(watch);
      const grownMb = memoryOf(bot).peakMb - beforeMb;
      const seconds = (performance.now() - began) / 1_000;
      console.info(
        `RR-19: ${runs} GB in ${seconds.toFixed(0)} s, at most ${most} deliveries waiting, from ${beforeMb.toFixed(0)} MB by ${grownMb.toFixed(0)} MB`,
      );
      await world.close();
      expect(grownMb).toBeLessThan(mostGrowthMb);
    },
    patienceMs,
  );
});
