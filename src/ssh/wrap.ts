import { readFileSync } from "node:fs";
import type { OperatingSystem, Server } from "../base/server.ts";
import { defaultLimits } from "./limits.ts";
import { wrapWindows } from "./windows/wrap.ts";

/** A job runs apart from its session and can be found again. */
type Mode = { readonly mode: "direct" } | { readonly mode: "job"; readonly jobId: string };

/**
 * Makes the text a server gets for a command, part of the action's digest (SR-53): same arguments, same bytes. Never guesses the shell from
 * the text. Throws for a job on Windows, and for a job id that is not letters and digits. Pure.
 */
export function wrap(server: Server, command: string, os: OperatingSystem, how: Mode = { mode: "direct" }): string {
  if (os === "linux") {
    const limitS = Math.ceil(server.hardTimeoutMs / 1000) + serverLimitSlackS;
    if (how.mode === "direct") {
      // bash without start-up files, else sh. `timeout` ends a command whose connection is lost (SR-54), only with bash, because an old
      // busybox has another `timeout`. It does not fork first, because a fork costs as much as the network.
      const script = [
        `has() { command -v $1 >/dev/null 2>&1; }`,
        `has bash || exec sh -c "$0"`,
        `has timeout && exec timeout -s KILL ${limitS} bash --noprofile --norc -c "$0"`,
        `exec bash --noprofile --norc -c "$0"`,
      ].join("; ");
      return `${environmentOf(server)} sh -c '${script}' ${quote(command)}`;
    }
    const graceS = Math.ceil(defaultLimits.graceMs / 1000);
    // Least bytes kept of head and of tail; the disk holds three times this.
    const chunkBytes = defaultLimits.maxOutputBytes / 2;
    return jobLine(server, ["start", how.jobId, limitS, graceS, chunkBytes, command]);
  }
  if (how.mode === "job") throw new Error(`${server.name} runs Windows, where commands run directly: no job mode`);
  return wrapWindows(server, command);
}

/** Later than ours, to act only if we are gone. */
const serverLimitSlackS = 60;

/**
 * For src/ssh/job/job.sh: `follow` prints output from an offset, and the end; `settle` also prevents a job not begun; `gc` removes old
 * ones.
 */
export type JobRequest =
  | { readonly act: "follow" | "settle"; readonly jobId: string; readonly offset: number }
  | { readonly act: "kill"; readonly jobId: string; readonly graceMs: number }
  | { readonly act: "status" | "gc"; readonly jobId: string };

/** Drops comments and indentation; there must be no multi-line text. */
export const stripScript = (script: string): string =>
  script
    .split("\n")
    .map((line) => line.trimStart())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .join("\n");

const jobScript = stripScript(readFileSync(new URL("./job/job.sh", import.meta.url), "utf8"));

/** Makes a request without text of the model (AR-08). Throws for an id that is not ours. */
export function jobRequestLine(server: Server, request: JobRequest): string {
  switch (request.act) {
    case "follow":
    case "settle":
      return jobLine(server, [request.act, request.jobId, request.offset]);
    case "kill":
      return jobLine(server, [request.act, request.jobId, Math.ceil(request.graceMs / 1000)]);
    case "status":
    case "gc":
      return jobLine(server, [request.act, request.jobId]);
  }
}

// A certificate covers neither stdin nor the environment that a client sends.
const closedInput = " </dev/null";

/** Whether a job's bytes were made for a certificate; others end with a quoted word. */
export const isForCertificate = (wrapped: string): boolean => wrapped.endsWith(closedInput);

function jobLine(server: Server, words: readonly [act: string, jobId: string, ...rest: (string | number)[]]): string {
  if (!/^[A-Za-z0-9]{16,64}$/.test(words[1])) throw new Error("a job id is 16 to 64 letters and digits");
  const quoted = words.map((word) => quote(String(word)));
  const input = server.signer === true ? closedInput : "";
  return `exec ${environmentOf(server)} sh -c 'eval "$0"' ${quote(jobScript)} ${quoted.join(" ")}${input}`;
}

/** A pager would wait for a key (AR-07). */
const pagerVariables = "PAGER=cat SYSTEMD_PAGER= GIT_PAGER=cat TERM=dumb";

const environmentOf = (server: Server): string => {
  const own = `PATH=${quote(server.path)} ${pagerVariables}`;
  return server.signer === true
    ? `env -i HOME="$HOME" USER="$USER" LOGNAME="$LOGNAME" SHELL="$SHELL" ${own}`
    : `env -u BASH_ENV -u ENV ${own}`;
};

/** Makes one POSIX word, bare and readable if possible. */
export function quote(text: string): string {
  return /^[A-Za-z0-9_./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
