import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Ground } from "../playground.ts";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
/** What one process has compiled the next need not: these tests start hundreds. */
const compileCache = fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url));

/** The bot as an operator starts it, in a process of its own. */
export interface BotProcess {
  readonly child: ChildProcess;
  /** The signal that ended it, or its exit code. */
  readonly ended: Promise<NodeJS.Signals | number | null>;
  readonly signal: (signal: NodeJS.Signals) => Promise<NodeJS.Signals | number | null>;
  /** What it has written to stdout so far: its log. */
  readonly log: () => string;
}

/** Starts it and resolves once it takes webhooks, or has ended on the way there. */
export async function startBotProcess(
  { configFile, port }: Pick<Ground, "configFile" | "port">,
  { env = {}, args = [] }: { readonly env?: Readonly<Record<string, string>>; readonly args?: readonly string[] } = {},
): Promise<BotProcess> {
  const child = spawn(process.execPath, [main, "start", "--config", configFile, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", NODE_COMPILE_CACHE: compileCache, ...env },
  });
  let log = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  let over = false;
  const ended = once(child, "exit").then(([code, signal]) => {
    over = true;
    return signal ?? code;
  });
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/livez`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!over && !(await isUp())) await sleep(20);
  return {
    child,
    ended,
    signal: (signal) => {
      child.kill(signal);
      return ended;
    },
    log: () => log,
  };
}
