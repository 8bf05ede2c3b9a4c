import { readFileSync } from "node:fs";
import type { OperatingSystem, Server } from "../base/server.ts";
import { defaultLimits } from "./limits.ts";
import { wrapWindows } from "./windows/wrap.ts";

/** Direct: the command is the session. Job: it runs apart from it, once for its id, and can be found again. */
type Mode = { readonly mode: "direct" } | { readonly mode: "job"; readonly jobId: string };

/**
 * The exact text sent to a server for a command (SR-53). Pure: the same server, command, OS and mode give
 * the same bytes, and these bytes are part of the action's digest. The shell is the server's, never guessed from the
 * text. Throws for a job on Windows, which has none, and for a job id that is not letters and digits.
 */
export function wrap(server: Server, command: string, os: OperatingSystem, how: Mode = { mode: "direct" }): string {
  if (os === "linux") {
    const limitS = Math.ceil(server.hardTimeoutMs / 1000) + serverLimitSlackS;
    if (how.mode === "job") return jobStartLine(server, { jobId: how.jobId, command, limitS });
    return wrapPosix(server, command, limitS);
  }
  if (how.mode === "job") throw new Error(`${server.name} runs Windows, where commands run directly: no job mode`);
  return wrapWindows(server, command);
}

/** The server's own limit is later than ours, so that it only acts if we are gone. */
const serverLimitSlackS = 60;

/**
 * bash without the account's start-up files; plain sh if a server has no bash. `timeout` is the hard limit's far
 * end (SR-54): a command whose connection is lost does not run for ever. Only beside bash, since an old busybox has a
 * `timeout` with other options. No forks before the command: each costs as much as the way over the network.
 */
function wrapPosix(server: Server, command: string, limitS: number): string {
  const script = [
    `has() { command -v $1 >/dev/null 2>&1; }`,
    `has bash || exec sh -c "$0"`,
    `has timeout && exec timeout -s KILL ${limitS} bash --noprofile --norc -c "$0"`,
    `exec bash --noprofile --norc -c "$0"`,
  ].join("; ");
  return `${environmentOf(server)} sh -c '${script}' ${quote(command)}`;
}

/**
 * What is asked of a server's job (src/ssh/job/job.sh): `follow` prints the output from an offset on and the end; `settle`
 * does so too, and if there is no such job, none can begin any more; `kill` ends it; `gc` removes old ones.
 */
type JobRequest =
  | { readonly act: "follow" | "settle"; readonly jobId: string; readonly offset: number }
  | { readonly act: "kill"; readonly jobId: string; readonly graceMs: number }
  | { readonly act: "status" | "gc"; readonly jobId: string };

interface JobStart {
  readonly jobId: string;
  readonly command: string;
  /** The server's own hard limit. */
  readonly limitS: number;
  /** The least that is kept of each, head and tail; on disk are three times this and a little more. */
  readonly chunkBytes?: number;
}

/** Drops comment lines, blank lines and indentation; the script has no text of several lines. */
export const stripScript = (script: string): string =>
  script
    .split("\n")
    .map((line) => line.trimStart())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .join("\n");

const jobScript = stripScript(readFileSync(new URL("./job/job.sh", import.meta.url), "utf8"));

/** The command line that begins a job and follows it. Throws for an id that is not ours. */
function jobStartLine(server: Server, { jobId, command, limitS, chunkBytes }: JobStart): string {
  const graceS = Math.ceil(defaultLimits.graceMs / 1000);
  return jobLine(server, ["start", jobId, limitS, graceS, chunkBytes ?? defaultLimits.maxOutputBytes / 2, command]);
}

/** The command line of a request that holds no text of the model (AR-08). Throws for an id that is not ours. */
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

function jobLine(server: Server, words: readonly [act: string, jobId: string, ...rest: (string | number)[]]): string {
  if (!/^[A-Za-z0-9]{16,64}$/.test(words[1])) throw new Error("a job id is 16 to 64 letters and digits");
  const quoted = words.map((word) => quote(String(word)));
  return `exec ${environmentOf(server)} sh -c 'eval "$0"' ${quote(jobScript)} ${quoted.join(" ")}`;
}

/** Keeps a command from starting a pager, which would wait for a key (AR-07). */
const pagerVariables = "PAGER=cat SYSTEMD_PAGER= GIT_PAGER=cat TERM=dumb";

/** What stands before every command line of ours: the entry's PATH, no pager, none of the account's start-up files. */
const environmentOf = (server: Server): string => `env -u BASH_ENV -u ENV PATH=${quote(server.path)} ${pagerVariables}`;

/** One POSIX word; without quotes if the text needs none, so that people can read it. */
export function quote(text: string): string {
  return /^[A-Za-z0-9_./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
