/** Programs joined by pipes, each in a process group of its own; no shell is between them. */

import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { pipeline as join } from "node:stream";
import { withPipes } from "../base/host/with-pipes.ts";
import type { Exited } from "./settle.ts";

interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

export interface Surroundings {
  readonly cwd: string;
  /** All of it: nothing of the bot's own environment goes along. */
  readonly env: Readonly<Record<string, string>>;
  /** From TERM to KILL. */
  readonly graceMs: number;
  /** What the last program writes, and what any writes to its errors. */
  readonly onOutput: (chunk: Uint8Array) => void;
  /** What the first writes to its errors. */
  readonly onErrors: (chunk: Uint8Array) => void;
  /** The first has written something else than errors. */
  readonly onReported: () => void;
}

export interface Running {
  /** How each ended, in order; a program that could not be started has neither code nor signal. Never rejects. */
  readonly done: Promise<readonly Exited[]>;
  /** TERM to every process group, and KILL after the grace. */
  readonly stop: () => void;
}

type Child = ChildProcessByStdio<Writable | null, Readable, Readable>;

/** Starts them within this very tick. Throws where one cannot be started; then the first of them never was. */
export function startPipeline(programs: readonly Program[], given: Surroundings): Running {
  const { cwd, env, graceMs, onOutput, onErrors, onReported } = given;
  const children: Child[] = [];
  try {
    // The last first: what the others read from runs only where all of them do.
    for (const [index, program] of [...programs.entries()].toReversed())
      children.unshift(start(program, { cwd, env, isFirst: index === 0 }));
  } catch (thrown) {
    for (const child of children) child.kill("SIGKILL");
    throw thrown;
  }
  let kill: NodeJS.Timeout | undefined;
  const signalAll = (signal: NodeJS.Signals): void => {
    for (const { pid, exitCode, signalCode } of children) {
      if (pid === undefined || exitCode !== null || signalCode !== null) continue;
      try {
        process.kill(-pid, signal);
      } catch {
        // It has ended meanwhile.
      }
    }
  };
  const ends = children.map((child, index) => {
    const next = children[index + 1];
    // A filter that has read enough closes its pipe, which is no fault; then the one before it is cut off too.
    if (next?.stdin) join(child.stdout, next.stdin, () => child.stdout.destroy());
    else child.stdout.on("data", onOutput);
    child.stderr.on("data", onOutput);
    if (index === 0) {
      child.stderr.on("data", onErrors);
      child.stdout.once("data", onReported);
    }
    return ended(child);
  });
  return {
    done: Promise.all(ends).finally(() => clearTimeout(kill)),
    stop: () => {
      signalAll("SIGTERM");
      kill ??= setTimeout(() => signalAll("SIGKILL"), graceMs);
    },
  };
}

function start(
  { file, args }: Program,
  { cwd, env, isFirst }: Pick<Surroundings, "cwd" | "env"> & { isFirst: boolean },
): Child {
  // Typed by overloads that know only fixed tuples.
  const stdio = [isFirst ? "ignore" : "pipe", "pipe", "pipe"] as ["pipe", "pipe", "pipe"];
  const child = withPipes(spawn(file, args, { cwd, env, stdio, detached: true }));
  if (child.pid !== undefined) return child;
  // What it says comes later, when nothing waits for it.
  child.once("error", () => {});
  throw new Error(`${file} cannot be started: it is gone, or there is no room for another process`);
}

const ended = (child: Child): Promise<Exited> =>
  new Promise((resolve) => {
    child.once("error", () => resolve({ code: null, signal: null }));
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
