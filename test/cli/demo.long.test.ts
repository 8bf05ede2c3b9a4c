import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { startCommand } from "../harness/start-command.ts";
import { until } from "../harness/until.ts";
import { useFolder, writerIn } from "../harness/use-started.ts";

const folder = useFolder();
let homes = 0;

/** `countersign demo` as somebody starts it who has nothing: an empty HOME and an empty temporary folder. */
function startDemoProcess(args: readonly string[], temporary = `${folder}/${homes++}`) {
  writerIn(temporary)("home/.keep", "");
  writerIn(temporary)("tmp/.keep", "");
  const child = spawn(process.execPath, ["--import", "./check-node.mjs", "src/main.ts", "demo", ...args], {
    cwd: startCommand.cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: "/usr/bin:/bin", HOME: `${temporary}/home`, TMPDIR: `${temporary}/tmp` },
  });
  let out = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
  return {
    child,
    temporary,
    out: () => out,
    says: (text: string | RegExp) => until(() => expect(out).toMatch(text)),
    end: () => endOf(child),
    left: () => readdirSync(`${temporary}/tmp`).filter((name) => name !== ".keep"),
  };
}

const endOf = async (child: ChildProcess): Promise<unknown> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.signalCode ?? child.exitCode;
};

const firstLine = /^Countersign's playground: the real bot, with an emulated GitHub, .*\n/;

describe("issue 4: countersign demo", () => {
  it("says what it does before it loads anything that takes time", () => {
    const source = readFileSync("src/cli/demo.ts", "utf8");
    expect([...source.matchAll(/^import .* from "(.*)";$/gm)].map(([, from]) => from)).toEqual([
      "../base/errors.ts",
      "../base/private-folder.ts",
      "../service/watchdog.ts",
    ]);
    expect(source.indexOf("console.log(")).toBeLessThan(source.indexOf("await loadDemo()"));
  });

  it.each([
    ["SIGINT", firstLine],
    ["SIGTERM", "starting the program"],
    ["SIGHUP", "starting an emulated GitHub"],
    ["SIGINT", "starting an empty store"],
    ["SIGTERM", "starting the bot"],
    ["SIGHUP", /Open http:\/\/127\.0\.0\.1:\d+ /],
  ] as const)("%s once it has said %s: it ends, and leaves nothing in the temporary folder", async (signal, text) => {
    const demo = startDemoProcess(["--port", "0"]);
    await demo.says(text);
    demo.child.kill(signal);
    expect(await demo.end(), demo.out()).toBe(0);
    expect(demo.left()).toEqual([]);
    expect(demo.out()).toMatch(firstLine);
  });

  it("a second signal ends it at once, and leaves nothing either", async () => {
    const demo = startDemoProcess(["--port", "0"]);
    await demo.says("starting the bot");
    demo.child.kill("SIGINT");
    demo.child.kill("SIGTERM");
    await demo.end();
    expect(demo.left()).toEqual([]);
  });

  it("SR-56 what a killed one left, the next one removes", async () => {
    const killed = startDemoProcess(["--port", "0"]);
    await killed.says("Open http");
    killed.child.kill("SIGKILL");
    expect(await killed.end()).toBe("SIGKILL");
    const [left] = killed.left();
    expect(left).toMatch(/^countersign-demo-/);
    const next = startDemoProcess(["--port", "0"], killed.temporary);
    await next.says("Open http");
    expect(next.left()).not.toContain(left);
    next.child.kill("SIGINT");
    expect(await next.end()).toBe(0);
    expect(next.left()).toEqual([]);
  });

  it("without --port takes the next free port where 3000 is taken, and says so", async () => {
    const other = createServer();
    // Whoever has it already has taken it as well.
    await new Promise<void>((resolve) => other.once("error", () => resolve()).listen(3000, "127.0.0.1", resolve));
    const demo = startDemoProcess([]);
    await demo.says(/Port 3000 is taken by another program.*\n\nOpen http:\/\/127\.0\.0\.1:(?!3000)\d+ /);
    demo.child.kill("SIGINT");
    expect(await demo.end()).toBe(0);
    other.close();
  });

  it("with a --port that is taken starts nothing, and names one that is free", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const demo = startDemoProcess(["--port", String(port)]);
    expect(await demo.end()).toBe(2);
    expect(demo.out()).toMatch(
      new RegExp(`^✗ --port: 127\\.0\\.0\\.1:${port} is taken by another program — .*--port (?!${port}\\b)\\d+`, "m"),
    );
    expect(demo.left()).toEqual([]);
    other.close();
  });

  it("--once prints one incident as a person reads it, ends with 0, and leaves nothing", async () => {
    const demo = startDemoProcess(["--once"]);
    expect(await demo.end(), demo.out()).toBe(0);
    expect(demo.out()).toContain("Closed by @lee after ");
    expect(demo.left()).toEqual([]);
  });
});
