import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { createThread, openIssue, type Thread } from "../../src/demo/thread.ts";
import { type BotProcess, startBotProcess } from "../bot-process.ts";
import { startTalkingModel } from "../injection/talking-model.ts";
import { proposing } from "../jobs/stage.ts";
import { entryOf, type Ground, incident, prepareGround, repo } from "../playground.ts";
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
  /** Throws where anything of the incident is there twice, or does not agree with the store. */
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
    configure: (config) => {
      config.model = { endpoints: [{ url: model.url, model: "fake", api_key_env: "TEST_MODEL_KEY" }], deadline: "5s" };
      config.logging = { level: "info", stdout: true };
      if (checkpointFile !== undefined) config.audit = { checkpoint_file: checkpointFile };
    },
  });
  const started: BotProcess[] = [];
  let number = 0;
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
    runs: (which) =>
      host.seen.commands.filter(
        (sent) => sent.includes(commands[which]) && (which === "direct" || sent.includes(" start ")),
      ).length,
    holdEnd: () => {
      const held = Promise.withResolvers<void>();
      end = held.promise;
      return held.resolve;
    },
    agrees: async () => {
      await thread().say("sam", "/verify");
      const verdict = await thread().waitFor(
        (body) => /altered|audit/i.test(body.split("\n", 1)[0] ?? ""),
        "/verify",
        240_000,
      );
      expect(verdict.body).toContain("✅ **Nothing was altered**");
      const bodies = (await thread().comments()).map(({ body }) => body);
      const marks = bodies.flatMap((body) => /<!-- countersign [0-9a-f-]+ -->\s*$/.exec(body)?.[0] ?? []);
      expect(new Set(marks).size).toBe(marks.length);
      expect(bodies.filter((body) => body.includes("Board of this incident"))).toHaveLength(1);
      expect(
        bodies.filter((body) => body.includes(commands.job) && /^- \[[ x]\] (?:~~)?\*\*2\*\*/m.test(body)),
      ).toHaveLength(1);
      expect(ground.github.invalid()).toEqual([]);
    },
    close: async () => {
      for (const bot of started) await bot.signal("SIGKILL");
      await ground.close();
      await Promise.all([host.close(), model.close()]);
    },
  };
}
