import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Ending } from "../../src/base/run.ts";
import { missing } from "../harness/missing.ts";
import { startSshd } from "../harness/sshd.ts";
import { folderFor } from "./job-host.ts";

const folder = folderFor();
const storm = fileURLToPath(new URL("storm.ts", import.meta.url));

interface Told {
  readonly index: number;
  readonly ending: Ending;
  readonly isJob: boolean;
  readonly ran: number;
}

/** Plays one storm to its end; one that comes to none in two minutes hangs, and is killed. */
async function play(seed: number): Promise<readonly Told[] | "hangs"> {
  const own = join(folder, `${seed}`);
  mkdirSync(own);
  const child = spawn(process.execPath, [storm, own, `${seed}`], {
    stdio: ["ignore", "pipe", "inherit"],
    timeout: 120_000,
    killSignal: "SIGKILL",
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const [code, signal] = await once(child, "close");
  if (signal === "SIGKILL") return "hangs";
  if (code !== 0) throw new Error(`the storm ended with ${code}`);
  return JSON.parse(said).told;
}

/** What contradicts how a command ended, as a line; nothing if all is well. */
function faultOf({ index, ending, isJob, ran }: Told): string | undefined {
  const fits =
    ending.kind === "exited"
      ? ending.code === 7 && ran === 1
      : ending.kind === "unreachable"
        ? ran === 0
        : ending.kind === "unknown" && ran <= 1;
  return fits ? undefined : `${index} (${isJob ? "job" : "direct"}) ran ${ran} times: ${JSON.stringify(ending)}`;
}

const trial = await startSshd();
if ("missing" in trial) missing("sshd", `test/ssh/storm.long.test.ts was left out: ${trial.missing}`);
else await trial.close();

describe.runIf(!("missing" in trial))("sshd and its sessions killed, handshakes stalled, connections reset", () => {
  it("RR-13 F-24 F-27 F-28 12 runs of 36 commands: none hangs, none is lost, none runs twice", {
    timeout: 900_000,
  }, async () => {
    const runs: (readonly Told[] | "hangs")[] = [];
    for (let seed = 1; seed <= 12; seed += 3)
      runs.push(...(await Promise.all([seed, seed + 1, seed + 2].map((one) => play(one)))));
    expect(runs.map((told) => (told === "hangs" ? told : told.length))).toEqual(Array(12).fill(36));
    expect(runs.flatMap((told) => (told === "hangs" ? [] : told)).flatMap((one) => faultOf(one) ?? [])).toEqual([]);
  });
});
