import { describe, expect, it } from "vitest";
import { createThread, openIssue } from "../../../demo/thread.ts";
import { startBotProcess } from "../../harness/bot-process.ts";
import { redeliverLost } from "../../harness/cluster.ts";
import { entryOf, incident, prepareGround, repo } from "../../harness/playground.ts";
import { startFakeHost } from "../../ssh/fake-host.ts";
import { usePlaces } from "../../store/use-places.ts";

const here = await usePlaces("sets under kill -9 on a PostgreSQL server");
/** The two checks of the runbook that fits, which are one set. */
const checks = ["97 percent", "uname -s"];
/** From the claim to the result; `:2` is that of the second check. */
const points = ["CP09", "CP09:2", "CP11", "CP13", "CP13:2", "CP14", "CP14:2"];

describe.each(here)("AR-26 RR-06 a set in whose midst the process is killed ($kind)", ({ create }) => {
  it.each(points)(
    "AR-26 RR-06 is told whole at %s, or what is missing of it; no check runs twice",
    async (at) => {
      const host = await startFakeHost(async (_command, { channel }) => {
        channel.write("fine\n");
        return 0;
      });
      const ground = await prepareGround({ servers: { "web-1": entryOf(host) }, storeUrl: await create() });
      const started = [await startBotProcess(ground, { env: { CRASH_AT: at } })];
      try {
        const number = await openIssue(ground.github, repo, { ...incident });
        const thread = createThread(ground.github, repo, number);
        await thread.waitFor((body) => body.includes("2 checks, one approval"), "the set", 60_000);
        await thread.say("lee", "/approve 1");
        expect(await started[0]?.ended).toBe("SIGKILL");
        started.push(await startBotProcess(ground));
        await redeliverLost(ground);
        const card = await thread.waitFor(
          (body) => /\| 1 \| .*\| (?:✅|❓|🔌)/.test(body) && /\| 2 \| .*\| (?:✅|❓|🔌)/.test(body),
          "what became of each",
          60_000,
        );
        for (const [index, check] of checks.entries()) {
          const sent = host.seen.commands.filter((command) => command.includes(check)).length;
          expect(sent, check).toBeLessThanOrEqual(1);
          const [, mark] = new RegExp(`\\| ${index + 1} \\| .*\\| (✅|❓|🔌)`).exec(card.body) ?? [];
          // What is told to have ended well ran, and what is told not to have begun did not.
          if (mark === "✅") expect(sent, check).toBe(1);
          if (mark === "🔌") expect(sent, check).toBe(0);
        }
      } finally {
        for (const bot of started) await bot.signal("SIGKILL");
        await ground.close();
        await host.close();
      }
    },
    150_000,
  );
});
