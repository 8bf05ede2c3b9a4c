import { parentPort, workerData } from "node:worker_threads";
import { redactByGitleaks } from "./gitleaks.ts";
import { loadSecretlint } from "./secretlint.ts";

/** The thread of `limited.ts`: says that it is ready, then answers each text with what the peer makes of it. */
const hide = workerData === "gitleaks" ? redactByGitleaks : await loadSecretlint();

parentPort?.on("message", async (text: string) => {
  const begin = process.threadCpuUsage();
  const out = (await hide?.(text)) ?? text;
  const { user, system } = process.threadCpuUsage(begin);
  parentPort?.postMessage({ text: out, cpuMs: (user + system) / 1000 });
});
parentPort?.postMessage("ready");
