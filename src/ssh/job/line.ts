import { readFileSync } from "node:fs";
import type { Server } from "../../base/server.ts";
import { defaultLimits } from "../limits.ts";
import { environmentOf, quote } from "../posix.ts";

/**
 * What is asked of a server's job (src/ssh/job/job.sh): `follow` prints the output from an offset on and the end; `settle`
 * does so too, and where there is no such job none can begin any more; `kill` ends it; `gc` removes old ones.
 */
export type JobRequest =
  | { readonly act: "follow" | "settle"; readonly jobId: string; readonly offset: number }
  | { readonly act: "kill"; readonly jobId: string; readonly graceMs: number }
  | { readonly act: "status" | "gc"; readonly jobId: string };

export interface JobStart {
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

const script = stripScript(readFileSync(new URL("./job.sh", import.meta.url), "utf8"));

/** The command line that begins a job and follows it. Throws for an id that is not ours. */
export function jobStartLine(server: Server, { jobId, command, limitS, chunkBytes }: JobStart): string {
  const graceS = Math.ceil(defaultLimits.graceMs / 1000);
  return line(server, ["start", jobId, limitS, graceS, chunkBytes ?? defaultLimits.maxOutputBytes / 2, command]);
}

/** The command line of a request that holds no text of the model (AR-08). Throws for an id that is not ours. */
export function jobRequestLine(server: Server, request: JobRequest): string {
  switch (request.act) {
    case "follow":
    case "settle":
      return line(server, [request.act, request.jobId, request.offset]);
    case "kill":
      return line(server, [request.act, request.jobId, Math.ceil(request.graceMs / 1000)]);
    case "status":
    case "gc":
      return line(server, [request.act, request.jobId]);
  }
}

function line(server: Server, words: readonly [act: string, jobId: string, ...rest: (string | number)[]]): string {
  if (!/^[A-Za-z0-9]{16,64}$/.test(words[1])) throw new Error("a job id is 16 to 64 letters and digits");
  const quoted = words.map((word) => quote(String(word)));
  return `exec ${environmentOf(server)} sh -c 'eval "$0"' ${quote(script)} ${quoted.join(" ")}`;
}
