import type { OperatingSystem, Server } from "../base/server.ts";
import { jobStartLine } from "./job/line.ts";
import { environmentOf, quote } from "./posix.ts";
import { wrapWindows } from "./windows/wrap.ts";

/** Direct: the command is the session. Job: it runs apart from it, once for its id, and can be found again. */
export type Mode = { readonly mode: "direct" } | { readonly mode: "job"; readonly jobId: string };

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

/** The server's own limit is later than ours, so that it only ever acts where we are gone. */
const serverLimitSlackS = 60;

/**
 * bash without the account's start-up files; plain sh where a server has no bash. `timeout` is the hard limit's far
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
