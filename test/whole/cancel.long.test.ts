import { execFile, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { missing } from "../harness/missing.ts";
import { startSshd } from "../harness/sshd.ts";
import { type Stage, startStage } from "../harness/stage.ts";

const sshd = await startSshd();
if ("missing" in sshd) missing("sshd", `ending a command by /cancel was not tried on a real server: ${sshd.missing}`);

let stage: Stage;
beforeAll(async () => {
  if ("missing" in sshd) return;
  stage = await startStage({ servers: { "real-1": sshd.entry } });
});
afterAll(async () => {
  if ("missing" in sshd) return;
  await stage.close();
  await sshd.close();
});

const run = promisify(execFile);

/** The process whose command line is exactly this, as ps lists it. */
async function pidOf(args: string): Promise<number | undefined> {
  const { stdout } = await run("ps", ["-eo", "pid=,args="]);
  const line = stdout.split("\n").find((text) => text.trim().replace(/^\d+ +/, "") === args);
  return line === undefined ? undefined : Number.parseInt(line, 10);
}

/** When a process was gone, by a watcher of its own: this process is busy being the bot. */
async function goneAt(pid: number): Promise<number> {
  const script = `while ps -p ${pid} >/dev/null; do sleep 0.01; done; date +%s%3N`;
  const watcher = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  for await (const chunk of watcher.stdout) said += chunk;
  return Number(said);
}

describe.runIf(!("missing" in sshd))("/cancel on a real server", () => {
  it.each([
    ["direct mode", "sleep 4811.5", "sleep 4811.5"],
    ["job mode", "touch /tmp/countersign-cancel-test && sleep 4812.5", "sleep 4812.5"],
  ])("AR-12 SR-54 in %s the process is gone while the run holds its incident's line", async (mode, command, args) => {
    const thread = await stage.incident({ command, server: "real-1" });
    await thread.say("lee", "/approve 1");
    let pid = await pidOf(args);
    for (; pid === undefined; pid = await pidOf(args)) await sleep(20);
    // The eager minute has cards of its own to draw meanwhile.
    await thread.waitFor((body) => body.includes("running since"), "the run card");
    const gone = goneAt(pid);
    stage.model.play({ text: "LIKELY, see 1, 2 and 3: it was ended." });
    const saidAt = Date.now();
    await thread.say("sam", "/cancel 1");
    const ms = (await gone) - saidAt;
    process.stdout.write(`/cancel as a comment to its process gone, ${mode}: ${ms} ms\n`);
    const { body } = await thread.waitFor((text) => /\*\*1\*\* 🛑 .* · cancelled by `@sam`/.test(text), "the end");
    expect(body).toContain("no process left");
    expect(await pidOf(args)).toBeUndefined();
    await stage.quiet();
  });
});
