import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { repo } from "../../harness/playground.ts";
import { useWorld } from "../../harness/world.ts";
import { commandsOf } from "../../ssh/fake-host.ts";

const token = "claude-0123456789abcdef0123456789abcdef";
const token_sha256 = [createHash("sha256").update(token).digest("hex")];
const claude = { token_sha256, repositories: [repo], servers: ["web-1"], open_proposals: 50 };
const kills = 6;

describe("an agent whose bot is killed while it proposes", () => {
  const world = useWorld(() => ({ config: { policy: { proposers: { mcp: { claude } } } } }));

  const answered = z.object({ result: z.object({ structuredContent: z.object({ number: z.number() }) }) });
  /** Its number, or undefined where nobody answered. */
  async function propose(issue: number, command: string): Promise<number | undefined> {
    const params = { name: "propose", arguments: { issue, server: "web-1", command } };
    try {
      const response = await fetch(`http://127.0.0.1:${world.port}/mcp`, {
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
    const thread = await world.open();
    const issue = thread.number;
    await thread.waitFor((body) => body.includes("**1**"), "the first card");
    const numbers: (number | undefined)[] = [await propose(issue, "echo begin")];
    for (let round = 0; round < kills; round++) {
      const lost = propose(issue, `echo ${round}`);
      await sleep(round * 12);
      await world.end();
      await lost;
      await world.start();
      numbers.push(await propose(issue, `echo ${round}`));
    }
    // A proposal that was made twice would have taken a number of its own.
    const [first = 0] = numbers;
    expect(numbers).toEqual(Array.from({ length: kills + 1 }, (_, index) => first + index));
    expect(commandsOf(world.host)).toEqual([]);
  });
});
