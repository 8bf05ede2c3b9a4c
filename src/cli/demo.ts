import { messageOf } from "../base/errors.ts";
import { startWatchdog } from "../service/watchdog.ts";
import { stopSignal } from "./start.ts";

/** Starts the playground, or plays one incident through to its end. True where all went as it should. */
export async function demo(options: { readonly port: number; readonly once: boolean }): Promise<boolean> {
  const { startDemo, demoRepo } = await loadDemo();
  const watchdog = startWatchdog({ stdout: false }, (error) => console.error(`the watchdog failed: ${messageOf(error)}`));
  if (!options.once) {
    const running = await startDemo({ port: options.port });
    watchdog.up();
    console.log(`Countersign's playground: ${running.bot.url}\n`);
    console.log(
      `The repository is ${demoRepo}, on an emulated GitHub; the servers web-1, web-2 and db-1, the cluster prod-eu and its kubectl are imagined.`,
    );
    console.log("Open an incident and comment as one of four people. Ctrl-C ends it, and nothing stays behind.");
    await stopSignal();
    await running.close();
    return true;
  }
  const { playOnce } = await import("../../demo/once.ts");
  const running = await startDemo({ port: 0 });
  watchdog.up();
  try {
    await playOnce(running, (line) => console.log(line));
    return true;
  } catch (error) {
    console.error(`the incident did not go to its end: ${messageOf(error)}`);
    return false;
  } finally {
    await running.close();
  }
}

/** The demo's own packages come with the development ones. */
async function loadDemo() {
  try {
    return await import("../../demo/demo.ts");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") {
      throw new Error(
        `the demo's packages are not installed (${error.message.split("\n", 1)[0]}); run \`npm ci\` without --omit`,
      );
    }
    throw error;
  }
}
