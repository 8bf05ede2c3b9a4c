import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Thread } from "../../demo/thread.ts";
import { useFolder } from "../harness/use-started.ts";
import { useWorld } from "../harness/world.ts";

const patienceMs = 60_000;

describe("kind: local, a bot that is killed", () => {
  const folder = useFolder();
  const world = useWorld(() => ({
    servers: { jump: { kind: "local", allow: true, jobs_folder: join(folder, "jobs"), groups: ["all"] } },
    env: { NODE_ENV: "production" },
  }));

  const runs = (file: string): number => {
    try {
      return readFileSync(file, "utf8").split("\n").length - 1;
    } catch {
      return 0;
    }
  };
  async function approved(command: string): Promise<Thread> {
    const thread = await world.open();
    await thread.say("sam", `/run jump to see\n\`\`\`sh\n${command}\n\`\`\``);
    const isCard = (body: string): boolean => body.includes("Proposed by");
    const card = await thread.waitFor(isCard, "the card", patienceMs);
    await thread.say("lee", `/approve ${/\*\*(\d+)\*\*/.exec(card.body)?.[1]}`);
    return thread;
  }

  it("SR-55 RR-06 with SIGKILL while a job runs finds it again: all of its output, and it ran once", async () => {
    const file = join(folder, "once");
    const thread = await approved(`echo x >> ${file}; echo begun; sleep 3; echo ended`);
    await expect.poll(() => runs(file)).toBe(1);
    await world.restart();
    const { body } = await thread.waitFor((text) => /\*\*\d+\*\* ✅/.test(text), "the result", patienceMs);
    expect(body).toContain("begun\nended");
    expect(runs(file)).toBe(1);
  });

  it("SR-20 RR-06 with SIGKILL at six moments after the approval never runs it twice, and always says how it ended", async () => {
    for (let kill = 0; kill < 6; kill++) {
      const file = join(folder, `kill-${kill}`);
      const thread = await approved(`echo x >> ${file}; sleep 0.4; echo ended`);
      await sleep(kill * 120);
      await world.restart();
      const { body } = await thread.waitFor(
        (text) => /\*\*\d+\*\* [✅❓🔌]/u.test(text),
        `the end, ${kill}`,
        patienceMs,
      );
      const ending = /\*\*\d+\*\* ([✅❓🔌])/u.exec(body)?.[1];
      expect([ending, runs(file)], body).toEqual(ending === "✅" ? ["✅", 1] : [ending, expect.any(Number)]);
      expect(runs(file)).toBeLessThanOrEqual(1);
    }
  });

  it("SR-55 what reads runs in its session, with nothing of the bot's environment", async () => {
    const thread = await approved('echo "config: $COUNTERSIGN_CONFIG$NODE_ENV."');
    const { body } = await thread.waitFor((text) => /\*\*\d+\*\* ✅/.test(text), "the result", patienceMs);
    expect(body).toContain("config: .");
  });
});
