import type { Serve } from "./ssh-server.ts";
import { words } from "./wrapper.ts";

/** What src/ssh/job/job.sh is asked, read off the line the bot sends. */
interface JobRequest {
  readonly act: string;
  readonly id: string;
  readonly offset: number;
  /** Of `start` only. */
  readonly command: string;
}

/** Whether a line asks for a job. */
export const isJobLine = (exec: string): boolean => exec.startsWith("exec ") && exec.includes("@countersign:");

/** The words after the script are the request; nothing where a line asks for no job. */
function jobRequestOf(exec: string): JobRequest | undefined {
  if (!isJobLine(exec)) return undefined;
  const argv = words(exec.slice("exec ".length)) ?? [];
  const evaluated = argv.indexOf('eval "$0"');
  const [, act, id, ...rest] = evaluated < 0 ? [] : argv.slice(evaluated + 1);
  if (act === undefined || id === undefined) return undefined;
  return { act, id, offset: act === "start" ? 0 : Number(rest[0] ?? 0), command: rest[3] ?? "" };
}

interface Job {
  readonly chunks: Buffer[];
  size: number;
  ended: string | undefined;
  readonly stop: AbortController;
  /** Called whenever there is more to tell. */
  readonly followers: Set<() => void>;
}

/**
 * Lets an emulated server answer job requests as src/ssh/job/job.sh does on a real one: what `serve` runs goes on when the session
 * ends, is told from an offset on, and can be ended. A job of a stopped server is gone, as after a reboot.
 */
export function withJobs(serve: Serve): Serve {
  const jobs = new Map<string, Job | "void">();

  const start = (id: string, command: string): Job => {
    const job: Job = { chunks: [], size: 0, ended: undefined, stop: new AbortController(), followers: new Set() };
    jobs.set(id, job);
    const tell = (): void => {
      for (const follower of job.followers) follower();
    };
    const keep = (bytes: Uint8Array): void => {
      job.chunks.push(Buffer.from(bytes));
      job.size += bytes.byteLength;
      tell();
    };
    const end = (how: string): void => {
      job.ended = job.stop.signal.aborted ? "signal.TERM" : how;
      tell();
    };
    void serve(command, { stdin: "", stdout: keep, stderr: keep, signal: job.stop.signal }, []).then(
      (code) => end(`exit.${code}`),
      (thrown: unknown) => {
        keep(Buffer.from(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`));
        end("exit.255");
      },
    );
    return job;
  };

  return async (exec, terminal, siblings) => {
    const request = jobRequestOf(exec);
    if (!request) return serve(exec, terminal, siblings);
    const { act, id } = request;
    const say = (...said: readonly (string | number)[]): void =>
      terminal.stdout(Buffer.from(`@countersign:${id} ${said.join(" ")}\n`));
    let job = jobs.get(id);
    if (act === "start") job ??= start(id, request.command);
    if (act === "settle" && job === undefined) jobs.set(id, "void");
    if (job === undefined || job === "void")
      say(...(act === "settle" || job === "void" ? ["void", 3_600] : ["absent"]));
    else if (act === "kill") {
      job.stop.abort();
      say(job.ended === undefined ? "done" : "absent");
    } else await follow(job, request.offset, say, terminal);
    return 0;
  };
}

/** Tells what there is from an offset on, then what comes, and the end. */
function follow(
  job: Job,
  offset: number,
  say: (...said: readonly (string | number)[]) => void,
  terminal: Parameters<Serve>[1],
): Promise<void> {
  say("run", 4711, 0, "/var/tmp/.countersign-1000");
  let told = offset;
  return new Promise((resolve) => {
    const leave = (): void => {
      job.followers.delete(tell);
      resolve();
    };
    const tell = (): void => {
      const due = told < job.size ? Buffer.concat(job.chunks).subarray(told) : Buffer.alloc(0);
      if (due.length > 0) {
        say("data", told, due.length);
        terminal.stdout(due);
        told = job.size;
      }
      if (job.ended === undefined) return;
      say("ended", job.ended, told);
      leave();
    };
    job.followers.add(tell);
    terminal.signal.addEventListener("abort", leave, { once: true });
    tell();
  });
}
