import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { createThread, openIssue, type Thread } from "../../demo/thread.ts";
import { loadConfig } from "../../src/config/load.ts";
import { openStore } from "../../src/store/database/open.ts";
import { type BotProcess, startBotProcess } from "../harness/bot-process.ts";
import { endpointsOf, entryOf, type Ground, incident, prepareGround, repo } from "../harness/playground.ts";
import { proposing } from "../harness/stage.ts";
import { startTalkingModel } from "../injection/talking-model.ts";
import { type History, ordinary, readGitHub, readKept } from "../simulation/history.ts";
import { judge } from "../simulation/judge.ts";
import { startFakeHost } from "../ssh/fake-host.ts";

/** What the agent proposes: 1 only reads and is sent as it is; 2 changes something and runs as a job, apart from its session. */
export const commands = { direct: "echo token", job: "touch /srv/token" } as const;

/** Everything a bot needs that is not the bot, so that it can die: GitHub, a model, a server, a store. */
export interface CrashWorld {
  readonly ground: Ground;
  readonly thread: () => Thread;
  readonly start: (crashAt?: string) => Promise<BotProcess>;
  readonly open: () => Promise<void>;
  /** Waits for the card that proposes both commands. */
  readonly card: () => Promise<void>;
  /** How often the server was given the command to run. */
  readonly runs: (which: keyof typeof commands) => number;
  /** The server holds back the end of a command until then. */
  readonly holdEnd: () => () => void;
  /** Ends the bot. Throws where the issue does not agree with the store, or the life so far with its invariants. */
  readonly agrees: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What no runbook fits, so that the first card is the model's. */
const odd = { ...incident, title: "Something is odd on web-1", body: "It is slow since 14:02Z." };

/** `storeUrl`: an empty database of its own; none for an embedded one. */
export async function startCrashWorld(storeUrl: string | undefined, checkpointFile?: string): Promise<CrashWorld> {
  let end: Promise<void> = Promise.resolve();
  const host = await startFakeHost(async (_command, { channel }) => {
    channel.write("first half, ");
    await sleep(150);
    await end;
    channel.write("second half\n");
    return 0;
  });
  const model = await startTalkingModel((messages) =>
    messages.some(({ role }) => role === "assistant")
      ? { text: "CONFIRMED by 1 and 2: that is all." }
      : proposing("LIKELY: the spool is full.", commands.direct, commands.job),
  );
  const ground = await prepareGround({
    servers: { "web-1": entryOf(host) },
    ...(storeUrl === undefined ? {} : { storeUrl }),
    config: {
      model: { endpoints: endpointsOf(model), deadline: "5s" },
      logging: { level: "info", stdout: true },
      audit: { checkpoint_file: checkpointFile },
    },
  });
  const started: BotProcess[] = [];
  let number = 0;
  const sendsOf = (which: keyof typeof commands): readonly string[] =>
    host.seen.commands.filter(
      (sent) => sent.includes(commands[which]) && (which === "direct" || sent.includes(" start ")),
    );
  const historyNow = async (): Promise<History> => {
    const config = loadConfig({ file: ground.configFile, env: { TEST_MODEL_KEY: "sk-test-0123456789abcdef" } });
    const store = await openStore(config.store.url);
    const kept = await readKept(store.db);
    await store.close();
    return {
      ...ordinary,
      ...kept,
      ...(await readGitHub(ground.github, [{ repo, number }])),
      begun: (["direct", "job"] as const).flatMap((which) => sendsOf(which).map(() => commands[which])),
      wordOf: (_, { command }) => command,
      approvers: ["lee"],
    };
  };
  const thread = () => createThread(ground.github, repo, number);
  return {
    ground,
    thread,
    start: async (crashAt) => {
      const env = {
        TEST_MODEL_KEY: "sk-test-0123456789abcdef",
        ...(crashAt === undefined ? {} : { CRASH_AT: crashAt }),
      };
      // What could not be delivered has failed before the next one looks for it, as GitHub's log would have it by then.
      await ground.github.settled();
      const bot = await startBotProcess(ground, { env, mayEnd: crashAt !== undefined });
      started.push(bot);
      return bot;
    },
    open: async () => {
      number = await openIssue(ground.github, repo, odd);
    },
    card: async () => {
      await thread().waitFor(
        (body) => body.includes(commands.job) && body.includes("- [ ] **2**"),
        "the card",
        240_000,
      );
    },
    runs: (which) => sendsOf(which).length,
    holdEnd: () => {
      const held = Promise.withResolvers<void>();
      end = held.promise;
      return held.resolve;
    },
    agrees: async () => {
      await thread().say("sam", "/verify");
      const verdict = await thread().waitFor(
        (body) => /\b(altered|agree)\b/.test(body.split("\n", 1)[0] ?? ""),
        "/verify",
        240_000,
      );
      expect(verdict.body).toContain("✅ **Nothing was altered**");
      // So that another may open its store: what it still has to post is all that may be missing.
      await started.at(-1)?.signal("SIGTERM");
      const history = await historyNow();
      expect(judge(history, "once ended")).toEqual([]);
    },
    close: async () => {
      for (const bot of started) await bot.signal("SIGKILL");
      await ground.close();
      await Promise.all([host.close(), model.close()]);
    },
  };
}
