import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import type { Thread } from "../../demo/thread.ts";
import { until } from "../harness/until.ts";
import { useWorld } from "../harness/world.ts";

/** How long the fake server takes over a short command. */
const shortMs = 4_000;
const patienceMs = 90_000;

describe("RR-14 F-41 the bot is told to stop while commands run", () => {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });

  const world = useWorld(() => ({
    play: async (command, { channel }) => {
      channel.write("begun\n");
      if (command.includes("short")) await sleep(shortMs);
      else if (command.includes("long")) await released;
      channel.write("ended\n");
      return 0;
    },
  }));
  afterAll(() => release());

  /** A command of sam's that lee has approved and that runs by now. */
  async function running(command: string): Promise<Thread> {
    const thread = await world.open();
    await thread.say("sam", `/run web-1\n\`\`\`sh\n${command}\n\`\`\``);
    const card = await thread.waitFor(
      (body) => body.includes(command) && body.includes("Proposed by"),
      "the card",
      patienceMs,
    );
    await thread.say("lee", `/approve ${/\*\*(\d+)\*\*/.exec(card.body)?.[1]}`);
    await until(() => expect(startsOf(command), `${world.host.seen.commands}`).toBe(1));
    return thread;
  }
  const startsOf = (command: string): number =>
    world.host.seen.commands.filter((line) => line.includes(command) && !/ (follow|settle) /.test(line)).length;
  /** Run cards that end so; that nobody knows how it ended is told by a comment of its own as well (RR-22). */
  const endings = async (thread: Thread, ending: string): Promise<number> =>
    (await thread.comments()).filter(({ body }) => new RegExp(`\\*\\*\\d+\\*\\* ${ending}`).test(body)).length;

  it("what ends in time is told before it stops; a job is found again; what cannot be is told as UNKNOWN, once", async () => {
    const long = await running("touch /srv/long");
    const lost = await running("echo long");
    const short = await running("echo short");
    const { bot } = world;
    bot.child.kill("SIGTERM");
    await short.waitFor((body) => /\*\*\d+\*\* ✅/.test(body), "the result of the short one", patienceMs);
    await expect(fetch(`http://127.0.0.1:${world.port}/livez`)).rejects.toThrow();
    expect(await bot.ended).toBe(0);

    await world.start();
    release();
    const found = await long.waitFor((body) => /\*\*\d+\*\* ✅/.test(body), "the result of the job", patienceMs);
    expect(found.body).toContain("begun\nended");
    await lost.waitFor((body) => /\*\*\d+\*\* ❓/.test(body), "the word on the lost one", patienceMs);
    await sleep(500);
    expect(await endings(long, "✅")).toBe(1);
    expect(await endings(lost, "❓")).toBe(1);
    expect([startsOf("touch /srv/long"), startsOf("echo long"), startsOf("echo short")]).toEqual([1, 1, 1]);
  });

  it("a second signal ends it at once, as a kill would, and nothing is lost", async () => {
    const thread = await running("touch /srv/short-2");
    const { bot } = world;
    bot.child.kill("SIGTERM");
    await sleep(200);
    expect(bot.child.exitCode).toBeNull();
    bot.child.kill("SIGINT");
    expect(await bot.ended).toBe("SIGKILL");
    await world.start();
    await thread.waitFor((body) => /\*\*\d+\*\* ✅/.test(body), "the result, found again", patienceMs);
    expect(startsOf("touch /srv/short-2")).toBe(1);
  });
});
