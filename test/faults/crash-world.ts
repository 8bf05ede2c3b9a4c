import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { createThread, type Thread } from "../../demo/thread.ts";
import { startTalkingModel } from "../agent/fake-model.ts";
import { endpointsOf, repo } from "../harness/playground.ts";
import { proposing } from "../harness/stage.ts";
import { type BotProcess, startWorld, type World } from "../harness/world.ts";
import { type History, ordinary, readGitHub, readKept } from "../simulation/history.ts";
import { judge } from "../simulation/judge.ts";

/** What the agent proposes: 1 only reads and is sent as it is; 2 changes something and runs as a job, apart from its session. */
export const commands = { direct: "echo token", job: "touch /srv/token" } as const;

/** A world whose model proposes two commands in its one incident. */
export interface CrashWorld {
  readonly world: World;
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
const odd = { title: "Something is odd on web-1", body: "It is slow since 14:02Z." };

/** `storeUrl`: an empty database of its own; none for an embedded one. */
export async function startCrashWorld(storeUrl: string | undefined, checkpointFile?: string): Promise<CrashWorld> {
  let end: Promise<void> = Promise.resolve();
  const model = await startTalkingModel((messages) =>
    messages.some(({ role }) => role === "assistant")
      ? { text: "CONFIRMED by 1 and 2: that is all." }
      : proposing("LIKELY: the spool is full.", commands.direct, commands.job),
  );
  const world = await startWorld({
    play: async (_command, { channel }) => {
      channel.write("first half, ");
      await sleep(150);
      await end;
      channel.write("second half\n");
      return 0;
    },
    ...(storeUrl === undefined ? {} : { storeUrl }),
    config: {
      model: { endpoints: endpointsOf(model), deadline: "5s" },
      logging: { level: "info", stdout: true },
      audit: { checkpoint_file: checkpointFile },
    },
  });
  let number = 0;
  const sendsOf = (which: keyof typeof commands): readonly string[] =>
    world.host.seen.commands.filter(
      (sent) => sent.includes(commands[which]) && (which === "direct" || sent.includes(" start ")),
    );
  const historyNow = async (): Promise<History> => ({
    ...ordinary,
    ...(await world.look(({ db }) => readKept(db))),
    ...(await readGitHub(world.github, [{ repo, number }])),
    begun: (["direct", "job"] as const).flatMap((which) => sendsOf(which).map(() => commands[which])),
    wordOf: (_, { command }) => command,
    approvers: ["lee"],
  });
  const thread = () => createThread(world.github, repo, number);
  return {
    world,
    thread,
    start: async (crashAt) => {
      // What could not be delivered has failed before the next one looks for it, as GitHub's log would have it by then.
      await world.github.settled();
      return world.start(crashAt === undefined ? {} : { env: { CRASH_AT: crashAt }, mayEnd: true });
    },
    open: async () => {
      ({ number } = await world.open(odd));
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
      await world.end("SIGTERM");
      const history = await historyNow();
      expect(judge(history, "once ended")).toEqual([]);
    },
    close: async () => {
      await world.close();
      await model.close();
    },
  };
}
