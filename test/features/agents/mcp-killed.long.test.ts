import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { createThread, openIssue } from "../../../demo/thread.ts";
import { type BotProcess, startBotProcess } from "../../harness/bot-process.ts";
import { entryOf, incident, prepareGround, repo } from "../../harness/playground.ts";
import { useStarted } from "../../harness/use-started.ts";
import { commandsOf, startFakeHost } from "../../ssh/fake-host.ts";

const token = "claude-0123456789abcdef0123456789abcdef";
const token_sha256 = [createHash("sha256").update(token).digest("hex")];
const claude = { token_sha256, repositories: [repo], servers: ["web-1"], open_proposals: 50 };
const kills = 6;

describe("an agent whose bot is killed while it proposes", () => {
  let bot: BotProcess;
  const host = useStarted(() => startFakeHost(async () => 0));
  const ground = useStarted(() =>
    prepareGround({ servers: { "web-1": entryOf(host) }, config: { policy: { proposers: { mcp: { claude } } } } }),
  );
  beforeAll(async () => {
    bot = await startBotProcess(ground);
  });
  afterAll(async () => {
    await bot.signal("SIGKILL");
  });

  const answered = z.object({ result: z.object({ structuredContent: z.object({ number: z.number() }) }) });
  /** Its number, or undefined where nobody answered. */
  async function propose(issue: number, command: string): Promise<number | undefined> {
    const params = { name: "propose", arguments: { issue, server: "web-1", command } };
    try {
      const response = await fetch(`http://127.0.0.1:${ground.port}/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      });
      return answered.parse(await response.json()).result.structuredContent.number;
    } catch (error) {
      if (error instanceof z.ZodError) throw error;
      return undefined;
    }
  }

  it(`AG-4 asks again after each of ${kills} kills, and has each proposal once`, async () => {
    const issue = await openIssue(ground.github, repo, incident);
    await createThread(ground.github, repo, issue).waitFor((body) => body.includes("**1**"), "the first card");
    const numbers: (number | undefined)[] = [await propose(issue, "echo begin")];
    for (let round = 0; round < kills; round++) {
      const lost = propose(issue, `echo ${round}`);
      await sleep(round * 12);
      await bot.signal("SIGKILL");
      await lost;
      bot = await startBotProcess(ground);
      numbers.push(await propose(issue, `echo ${round}`));
    }
    // A proposal that was made twice would have taken a number of its own.
    const [first = 0] = numbers;
    expect(numbers).toEqual(Array.from({ length: kills + 1 }, (_, index) => first + index));
    expect(commandsOf(host)).toEqual([]);
  });
});
