import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Ground } from "./playground.ts";
import { startCommand } from "./start-command.ts";

/** The bot as an operator starts it, in a process of its own. */
export interface BotProcess {
  readonly child: ChildProcess;
  /** The signal that ended it, or its exit code. */
  readonly ended: Promise<NodeJS.Signals | number | null>;
  /** Sends it a signal and waits for its end. */
  readonly signal: (signal: NodeJS.Signals) => Promise<NodeJS.Signals | number | null>;
  /** What it has written to stdout so far: its log. */
  readonly log: () => string;
  /** The last of what it has said on its standard error: why it ended, where nobody wanted it to. */
  readonly said: () => string;
}

export interface BotProcessOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Behind `start --config …`. */
  readonly args?: readonly string[];
  /** For one that is to end on its way there; else that is an error. */
  readonly mayEnd?: boolean;
}

/** Starts it and resolves once it answers on its port. */
export async function startBotProcess(
  { configFile, port }: Pick<Ground, "configFile" | "port">,
  { env = {}, args = [], mayEnd = false }: BotProcessOptions = {},
): Promise<BotProcess> {
  const child = spawn(process.execPath, [...startCommand.args, "--config", configFile, ...args], {
    cwd: startCommand.cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", ...env },
  });
  let log = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = `${said}${text}`.slice(-4_000);
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
  if (over && !mayEnd) throw new Error(`the bot ended with ${await ended}: ${said}`);
  return {
    child,
    ended,
    signal: (signal) => {
      child.kill(signal);
      return ended;
    },
    log: () => log,
    said: () => said,
  };
}
