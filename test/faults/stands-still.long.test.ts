import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { until } from "../harness/until.ts";
import { useFolder } from "../harness/use-started.ts";
import { startCrashWorld } from "./crash-world.ts";

const folder = useFolder();
const planted = fileURLToPath(new URL("planted-loop.ts", import.meta.url));

/** A bot while its job runs on the server. */
async function whileJobRuns() {
  const world = await startCrashWorld(undefined);
  const finish = world.holdEnd();
  const bot = await world.world.start({ env: { NODE_OPTIONS: `--import=${planted}` } });
  await world.open();
  await world.card();
  await world.thread().say("lee", "/approve 2");
  await world.thread().waitFor((body) => body.includes("running since"), "the run card");
  const told = () => world.thread().waitFor((body) => /\*\*2\*\* ✅/.test(body), "its end");
  return { world, finish, bot, told };
}

const stands = "loop_stands_still";

describe("a bot whose event loop turns no more", () => {
  it.each([
    ["microtasks", "SIGUSR2", "inMicrotasks (test/faults/planted-loop.ts:"],
    ["one go", "SIGWINCH", "inOneGo (test/faults/planted-loop.ts:"],
  ] as const)(
    "RR-20 F-34 in a loop in %s: it logs where it stands and ends, and the next start finds what it ran",
    async (_how, signal, place) => {
      const { world, finish, bot, told } = await whileJobRuns();
      bot.child.kill(signal);
      expect(await bot.ended).toBe(70);
      const line = bot
        .log()
        .split("\n")
        .find((text) => text.includes(stands));
      expect(JSON.parse(line ?? "{}")).toMatchObject({
        level: "error",
        module: "main",
        event: stands,
        standsMs: expect.toSatisfy((ms) => ms >= 10_000),
        at: expect.arrayContaining([expect.stringContaining(place)]),
      });
      await world.start();
      finish();
      await told();
      await world.agrees();
      expect(world.runs("job")).toBe(1);
      await world.close();
    },
  );

  it("RR-20 in a system call that cannot be interrupted: it says so, and ends by a signal", async () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const watchdog = fileURLToPath(new URL("../../src/service/watchdog.ts", import.meta.url));
    const program = join(folder, "blocked.mjs");
    writeFileSync(
      program,
      `import { readFileSync } from "node:fs";
      import { startWatchdog } from ${JSON.stringify(watchdog)};
      startWatchdog({ stdout: true }, console.error).up();
      setTimeout(() => readFileSync(${JSON.stringify(pipe)}), 100);`,
    );
    const child = spawn(process.execPath, [program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    expect(await once(child, "close")).toEqual([null, "SIGABRT"]);
    expect(JSON.parse(said)).toMatchObject({ event: stands, reason: expect.stringContaining("cannot be interrupted") });
  });

  it("RR-20 F-35 that was suspended for longer than that goes on: no tick has passed for it", async () => {
    const { world, finish, bot, told } = await whileJobRuns();
    bot.child.kill("SIGSTOP");
    await sleep(13_000);
    bot.child.kill("SIGCONT");
    finish();
    await told();
    await until(async () => expect((await fetch(`http://127.0.0.1:${world.world.port}/livez`)).ok).toBe(true));
    expect([bot.child.exitCode, bot.child.signalCode]).toEqual([null, null]);
    expect(bot.log()).not.toContain(stands);
    await world.close();
  });
});
