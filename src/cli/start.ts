import { startBot } from "../bot.ts";
import { loadConfig } from "../config.ts";

/** Runs the bot until it is told to stop: SIGTERM or SIGINT drains it, a second one ends it at once. */
export async function start(options: { readonly config?: string | undefined }): Promise<void> {
  const bot = await startBot(loadConfig({ file: options.config }));
  await stopSignal();
  await bot.close();
}

/** Resolves at the first SIGTERM or SIGINT; the second ends the process, as a kill would. */
export async function stopSignal(): Promise<void> {
  await new Promise<void>((resolve) => {
    let asked = false;
    const stop = () => {
      if (asked) process.kill(process.pid, "SIGKILL");
      asked = true;
      resolve();
    };
    process.on("SIGTERM", stop);
    process.on("SIGINT", stop);
  });
}
