/** The bot's own questions to kubectl, each with an end. */

import { spawn } from "node:child_process";
import { messageOf } from "../base/errors.ts";
import { withPipes } from "../base/host/with-pipes.ts";
import type { KubernetesMeans } from "./means.ts";

/** Ends when the asker stops, or when an answer takes too long. */
export const patienceOf = ({ limits }: KubernetesMeans, signal: AbortSignal): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(limits.requestMs)]);

/** The same for kubectl itself, as its `--request-timeout`. */
export const timeoutOf = ({ limits }: KubernetesMeans): string =>
  `${Math.ceil(Math.min(limits.requestMs, 10_000) / 1000)}s`;

const maxAnswer = 1024 * 1024;

export type KubectlAnswer = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

/** One of the bot's own questions. Never rejects. */
export function askKubectl(
  kubectl: string,
  words: readonly string[],
  {
    cwd,
    env,
    signal,
    means,
  }: { cwd: string; env: Readonly<Record<string, string>>; signal: AbortSignal; means: KubernetesMeans },
): Promise<KubectlAnswer> {
  return new Promise<KubectlAnswer>((resolve) => {
    const patience = patienceOf(means, signal);
    const child = withPipes(
      spawn(kubectl, words, {
        cwd,
        env,
        stdio: ["ignore", "pipe", "pipe"],
        signal: patience,
        killSignal: "SIGKILL",
      }),
    );
    let text = "";
    let errors = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      if (text.length <= maxAnswer) return;
      // What is cut off could have said the contrary.
      resolve({ ok: false, why: "its answer is too long" });
      child.kill("SIGKILL");
    });
    child.stderr.on("data", (chunk) => {
      if (errors.length < maxAnswer) errors += chunk;
    });
    child.once("error", (error) =>
      resolve({ ok: false, why: patience.aborted ? "it does not answer" : error.message }),
    );
    child.once("close", (code) => {
      const [last = "it gave no reason"] = errors.trim().split("\n").slice(-1);
      resolve(code === 0 ? { ok: true, text } : { ok: false, why: last.slice(0, 300) });
    });
  }).catch((error: unknown) => ({ ok: false, why: messageOf(error) }));
}
