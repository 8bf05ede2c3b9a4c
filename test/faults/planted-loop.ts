import { isMainThread } from "node:worker_threads";

/** Loaded into a bot by `--import`: its main thread stands still from SIGUSR2 on in microtasks, from SIGWINCH on in one go. */

async function inMicrotasks(): Promise<void> {
  for (;;) await null;
}

function inOneGo(): void {
  for (;;) Date.now();
}

if (isMainThread) {
  process.once("SIGUSR2", inMicrotasks);
  process.once("SIGWINCH", inOneGo);
}
