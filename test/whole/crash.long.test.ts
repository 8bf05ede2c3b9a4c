import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/load.ts";
import { type BotProcess, startBotProcess } from "../harness/bot-process.ts";
import { redeliverLost } from "../harness/cluster.ts";
import { entryOf, keptOf, prepareGround, repo } from "../harness/playground.ts";
import { useStarted } from "../harness/use-started.ts";
import { judgePlayed, playIncident, readPosted } from "../simulation/played-incident.ts";
import { startFakeHost } from "../ssh/fake-host.ts";

const kills = 20;
const incidents = 12;
/** The killing alone takes minutes, in which hardly anything comes to its end. */
const patienceMs = 1_800_000;

describe(`the bot, killed ${kills} times under load`, () => {
  let bot: BotProcess | undefined;

  const host = useStarted(() =>
    startFakeHost(async (command, { channel }) => {
      await sleep(Math.random() * 1_500);
      channel.write(`said ${/token-\d+/.exec(command)?.[0] ?? "nothing"}\n`);
      return 0;
    }),
  );
  const ground = useStarted(() => prepareGround({ servers: { "web-1": entryOf(host) } }));
  afterAll(async () => {
    await bot?.signal("SIGKILL");
  });

  it("RR-06 I1 I5 loses no delivery, does none twice, and runs no command twice", { timeout: patienceMs }, async () => {
    bot = await startBotProcess(ground);
    const posted = readPosted(ground);
    const playing = Promise.all(Array.from({ length: incidents }, (_, n) => playIncident({ ground, posted, repo }, n)));
    let isOver = false;
    playing.then(
      () => (isOver = true),
      () => (isOver = true),
    );
    for (let done = 0; done < kills; done++) {
      await sleep(200 + Math.random() * 1_500);
      await bot.signal("SIGKILL");
      bot = await startBotProcess(ground);
      await redeliverLost(ground);
    }
    while (!isOver) {
      await redeliverLost(ground);
      await sleep(500);
    }
    const played = await playing;
    const storeUrl = loadConfig({ file: ground.configFile, env: {} }).store.url;
    // The last edits are on their way: on a busy machine they take some lives more.
    for (const until = performance.now() + 120_000; ; bot = await startBotProcess(ground)) {
      await redeliverLost(ground);
      await sleep(8_000);
      await bot.signal("SIGTERM");
      const faults = await judgePlayed(ground, { storeUrl, host, played, opened: incidents });
      if (faults.length > 0 && performance.now() < until) continue;
      expect(faults).toEqual([]);
      break;
    }
    const endings = played.flatMap((one) => one.endings);
    const unknown = endings.filter((ending) => ending.includes("❓")).length;
    console.log(
      `${kills} kills, ${incidents} incidents, ${keptOf(ground.github).length} deliveries: ${unknown} of ${endings.length} runs UNKNOWN, none twice`,
    );
  });
});
