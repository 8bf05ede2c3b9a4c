import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** A bot in a process of its own, as an operator starts it. */
export interface BotProcess {
  readonly child: ChildProcess;
  /** How the process ended; waits for it. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** The last of what it has said on its standard error: why it ended, where nobody wanted it to. */
  readonly said: () => string;
  /** Ends it as a power cut would, and waits until it is gone. */
  readonly kill: () => Promise<void>;
}

/** Starts a bot and waits until it lives on that port; throws where it ends before, with what it said. */
export async function startBotProcess(
  configFile: string,
  port: number,
  options: { readonly role?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<BotProcess> {
  const args = ["start", "--config", configFile, ...(options.role === undefined ? [] : ["--role", options.role])];
  const child = spawn(process.execPath, [main, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: "/usr/bin:/bin", ...options.env },
  });
  let said = "";
  child.stderr?.on("data", (bytes: Buffer) => {
    said = `${said}${bytes}`.slice(-4_000);
  });
  const ended = once(child, "exit").then(([code, signal]) => ({ code, signal }));
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the bot ended with ${child.exitCode ?? child.signalCode}: ${said}`);
    const lives = await fetch(`http://127.0.0.1:${port}/livez`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (lives) break;
    await sleep(20);
  }
  return {
    child,
    ended,
    said: () => said,
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
