import { messageOf } from "../base/errors.ts";
import { removeOwnFolders } from "../base/private-folder.ts";
import { startWatchdog } from "../service/watchdog.ts";

interface DemoChoice {
  /** By default 3000, or the next free port. */
  readonly port?: number | undefined;
  readonly once: boolean;
}

/** True unless something failed. Prints its plan before it loads anything slow. */
export async function demo({ port, once }: DemoChoice): Promise<boolean> {
  // The first signal aborts, the second ends the process; neither leaves a key or a store behind.
  const stopping = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(name, () => {
      if (stopping.signal.aborted) {
        removeOwnFolders();
        process.kill(process.pid, "SIGKILL");
      }
      stopping.abort();
    });
  const stop = stopping.signal;
  console.log(
    once
      ? "One incident of Countersign's playground, from its start to its end: the real bot, with an emulated GitHub and imagined servers."
      : "Countersign's playground: the real bot, with an emulated GitHub, three imagined servers and a cluster. Ctrl-C ends it, and nothing stays behind.",
  );
  const watchdog = startWatchdog({ stdout: false }, (error) =>
    console.error(`the watchdog failed: ${messageOf(error)}`),
  );
  const progress = createProgress();
  try {
    progress.show("the program");
    const { startDemo, demoRepo, usualPort } = await loadDemo();
    stop.throwIfAborted();
    const running = await startDemo({ port: once ? 0 : port, onProgress: progress.show, signal: stop });
    watchdog.up();
    progress.end();
    const stopped = new Promise<"stopped">((resolve) => stop.addEventListener("abort", () => resolve("stopped")));
    try {
      if (once) {
        const { playOnce } = await import("../../demo/once.ts");
        await Promise.race([playOnce(running, (line) => console.log(line)), stopped]);
        return true;
      }
      const { url } = running.bot;
      if (port === undefined && new URL(url).port !== String(usualPort))
        console.log(`\nPort ${usualPort} is taken by another program, so this one has another.`);
      console.log(`\nOpen ${url} and choose an incident; comment on it as one of four people.\n`);
      console.log(
        `It is an issue of ${demoRepo}. The servers web-1, web-2 and db-1, the cluster prod-eu and its kubectl are imagined.`,
      );
      await stopped;
      return true;
    } catch (error) {
      console.error(`the incident did not go to its end: ${messageOf(error)}`);
      return false;
    } finally {
      await running.close();
    }
  } catch (error) {
    if (stop.aborted) return true;
    throw error;
  } finally {
    progress.end();
  }
}

function createProgress() {
  const { stdout } = process;
  const began = performance.now();
  let isShown = false;
  return {
    show: (what: string): void => {
      const since = ((performance.now() - began) / 1_000).toFixed(1).padStart(5);
      isShown = stdout.isTTY;
      stdout.write(isShown ? `\r\u001b[2Kstarting ${what} …` : `${since} s  starting ${what}\n`);
    },
    end: (): void => {
      if (isShown) stdout.write("\r\u001b[2K");
      isShown = false;
    },
  };
}

/** Its packages are development dependencies. */
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
