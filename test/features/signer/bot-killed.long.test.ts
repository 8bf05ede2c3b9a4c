import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { missing } from "../../harness/missing.ts";
import { until } from "../../harness/until.ts";
import { type SignedWorld, startSignedWorld } from "./bot-world.ts";
import { word } from "./signer-world.ts";

const started = await startSignedWorld();
if ("missing" in started)
  missing("sshd", `test/features/signer/bot-killed.long.test.ts was left out: ${started.missing}`);

const main = fileURLToPath(new URL("../../../src/main.ts", import.meta.url));
const fine = "✅";
const notStarted = "🔌";

describe.runIf(!("missing" in started))("a bot with a signer that is killed", () => {
  const world = started as SignedWorld;
  let thread: Awaited<ReturnType<SignedWorld["world"]["open"]>>;
  beforeAll(async () => {
    thread = await world.begin();
    // The signer's record goes back to before what follows.
    const first = await propose();
    await thread.say("lee", `/approve ${first.number}`);
    expect(await told(first.number)).toEqual([fine]);
  });
  afterAll(() => world.close());

  let last = 0;
  const propose = async (more = "") => {
    const mark = word();
    await thread.say("sam", `/run web-1\n\n\`\`\`\necho ${mark} >>"$HOME/ran.log"${more}\n\`\`\``);
    const number = ++last;
    await thread.waitFor((body) => body.includes(`- [ ] **${number}**`), `the card of ${number}`);
    return { number, mark };
  };
  /** How its one comment tells the end. */
  const told = async (number: number): Promise<readonly string[]> => {
    const end = new RegExp(`\\*\\*${number}\\*\\* (✅|❓|🔌|❌)`, "u");
    await thread.waitFor((body) => end.test(body), `the end of ${number}`);
    return (await thread.comments()).flatMap(({ body }) => end.exec(body)?.[1] ?? []);
  };
  const runsOf = (mark: string): number => world.ranOn("web-1").filter((one) => one === mark).length;

  it.each([
    ["CP08", 1, fine],
    ["CP09", 0, notStarted],
    ["CP22", 0, notStarted],
    ["CP10", 0, notStarted],
    ["CP11", 1, fine],
    ["CP12", 1, fine],
    ["CP13", 1, fine],
    ["CP14", 1, fine],
  ])("SR-72 CP22 at %s: ran %i times, told as %s", async (at, runs, ends) => {
    await world.world.end("SIGTERM");
    const { ended } = await world.world.start({ env: { CRASH_AT: at }, mayEnd: true });
    const { number, mark } = await propose(" && echo out && sleep 0.3");
    await thread.say("lee", `/approve ${number}`);
    expect(await ended).toBe("SIGKILL");
    await world.world.start();
    expect(await told(number)).toEqual([ends]);
    expect(runsOf(mark)).toBe(runs);
  });

  it.each([0, 60, 150, 250, 400, 700])(
    "SR-72 its signer is killed %i ms behind the approval: at most once, and told as it was",
    async (afterMs) => {
      await world.stopSigner();
      const file = await world.writeSignerFile();
      rmSync(world.door, { force: true });
      const signer = spawn(process.execPath, [main, "signer", "start", "--config", file], { stdio: "ignore" });
      await until(() => expect(existsSync(world.door)).toBe(true));
      const { number, mark } = await propose(" && sleep 1");
      await thread.say("lee", `/approve ${number}`);
      await sleep(afterMs);
      signer.kill("SIGKILL");
      await once(signer, "exit");
      await world.startSigner();
      const ends = await told(number);
      expect(ends).toEqual([runsOf(mark) === 1 ? fine : notStarted]);
    },
  );
});
