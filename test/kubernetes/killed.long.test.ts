import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/load.ts";
import { type BotProcess, startBotProcess } from "../harness/bot-process.ts";
import { redeliverLost } from "../harness/cluster.ts";
import { type Ground, keptOf, prepareGround, repo } from "../harness/playground.ts";
import { useStarted } from "../harness/use-started.ts";
import { type CommandsOf, judgePlayed, playIncident, readPosted } from "../simulation/played-incident.ts";
import { startApiServer } from "./api-server.ts";
import { hasKubectl } from "./world.ts";

const kills = 40;
const incidents = 16;

/** A change and a read. */
const commands: CommandsOf = (n) => [
  `kubectl patch pod token-${n}-a -p '{"metadata":{"labels":{"seen":"yes"}}}'`,
  `kubectl get pod token-${n}-b`,
];
const pods = Array.from({ length: incidents }, (_, n) => [`token-${n}-a`, `token-${n}-b`]).flat();

describe.runIf(hasKubectl)(`the bot, killed ${kills} times with commands on a cluster`, () => {
  let ground: Ground;
  let bot: BotProcess | undefined;

  const api = useStarted(() => startApiServer(undefined, pods));
  beforeAll(async () => {
    const entry = { kind: "kubernetes", kubeconfig_file: api.kubeconfig(), context: "prod", namespaces: ["shop"] };
    const identity = "system:serviceaccount:ops:countersign";
    ground = await prepareGround({ servers: { "prod-eu": { ...entry, identity } } });
  });
  afterAll(async () => {
    await bot?.signal("SIGKILL");
    await ground.close();
  });

  it("RR-06 I1 I5 makes no change twice and loses none", { timeout: 1_800_000 }, async () => {
    bot = await startBotProcess(ground);
    const posted = readPosted(ground);
    let isOver = false;
    const playOne = async (n: number) => {
      // Spread over the kills, so that each finds something under way.
      await sleep(n * 1_500);
      return playIncident({ ground, posted, repo, server: "prod-eu", sayAgainMs: 15_000, commands }, n);
    };
    const playing = Promise.all(Array.from({ length: incidents }, (_, n) => playOne(n))).finally(() => (isOver = true));
    let onCommand: (() => void) | undefined;
    api.fail(({ path }) => {
      if (path.includes("/pods/token-")) onCommand?.();
      return undefined;
    });
    for (let done = 0; done < kills; done++) {
      // Every third time when the API server has just got a command, if one comes.
      const moment =
        done % 3 === 0 ? new Promise<void>((resolve) => (onCommand = resolve)) : sleep(Math.random() * 1_700);
      await Promise.race([moment, sleep(6_000)]);
      await bot.signal("SIGKILL");
      bot = await startBotProcess(ground);
      await redeliverLost(ground);
    }
    while (!isOver) {
      await redeliverLost(ground);
      await sleep(500);
    }
    const played = await playing;
    // The last edits are on their way.
    await sleep(8_000);
    await redeliverLost(ground);
    await sleep(2_000);
    await bot.signal("SIGTERM");
    const storeUrl = loadConfig({ file: ground.configFile, env: {} }).store.url;
    // A change is a PATCH, a read of ours the GET of what is not changed.
    const begun = api.requests.filter((line) => /^(?:PATCH .*-a|GET .*-b)$/.test(line));
    const host = { seen: { commands: begun } };
    expect(await judgePlayed(ground, { storeUrl, host, played, opened: incidents, commands })).toEqual([]);
    const endings = played.flatMap((one) => one.endings);
    const unknown = endings.filter((ending) => ending.includes("❓")).length;
    console.log(
      `${kills} kills, ${incidents} incidents, ${keptOf(ground.github).length} deliveries: ${unknown} of ${endings.length} runs UNKNOWN, none twice`,
    );
  });
});
