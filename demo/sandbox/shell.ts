import {
  Bash,
  type Command,
  type CommandName,
  decodeBytesToUtf8,
  defineCommand,
  getCommandNames,
  type ResolvedCommandContext,
} from "just-bash";
import { mib } from "./disk.ts";
import type { Machine } from "./machine.ts";
import type { Outcome, Program } from "./program.ts";
import { programs } from "./programs.ts";
import { liveName, streamTo } from "./stream.ts";
import { unwrap } from "./wrapper.ts";

const maxRunMs = 30 * 60_000;
const maxOutputBytes = 16 * mib;

/** What a channel gives to a command and takes from it. */
export interface Terminal {
  readonly stdin: string;
  readonly stdout: (bytes: Uint8Array) => void;
  readonly stderr: (bytes: Uint8Array) => void;
  readonly signal: AbortSignal;
}

/** Programs of the library that need a worker or make no sense on a server. */
const leftOut = new Set(["sqlite3", "html-to-markdown", "help", "clear", "history", "xan"]);
const libraryNames = (getCommandNames() as CommandName[]).filter((name) => !leftOut.has(name));

const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

const pauseUntil = (ms: number, signal: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve(true);
    const end = (cancelled: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      resolve(cancelled);
    };
    const onAbort = () => end(true);
    const timer = setTimeout(() => end(false), ms);
    signal.addEventListener("abort", onAbort, { once: true });
  });

const asCommand = (name: string, program: Program, machine: Machine, terminal: Terminal): Command =>
  defineCommand(name, async (args: string[], context: ResolvedCommandContext): Promise<Outcome> => {
    const original = context.origCommand;
    const live = context.env.get(liveName) === "1";
    return program(args, {
      machine,
      fs: machine.disk.fs,
      cwd: context.cwd,
      stdin: decodeBytesToUtf8(context.stdin),
      run: async (argv) =>
        (await context.exec?.(argv.map(quote).join(" "), { cwd: context.cwd })) ?? {
          stdout: "",
          stderr: "",
          exitCode: 126,
        },
      original: async (rest) =>
        original ? original([...rest]) : { stdout: "", stderr: `${name}: not found\n`, exitCode: 127 },
      pause: (ms) => pauseUntil(ms, terminal.signal),
      show: live ? (text) => terminal.stdout(Buffer.from(text)) : undefined,
    });
  });

/** A full disk surfaces as an exception of the library; here it becomes the words a shell would print. */
const spoken = (message: string): string => {
  const full = /ENOSPC[^']*'([^']*)'/.exec(message);
  return full ? `bash: line 1: ${full[1]}: No space left on device\n` : `bash: ${message}\n`;
};

const inWords = (bytes: Uint8Array): Uint8Array => {
  const text = Buffer.from(bytes).toString("utf8");
  return text.includes("ENOSPC")
    ? Buffer.from(text.replace(/ENOSPC: no space left on device, write '[^']*'/g, "No space left on device"))
    : bytes;
};

/**
 * Runs an exec string on the imagined machine and gives the exit code. Output goes out statement by statement while the
 * script runs. Limits: 30 minutes, 16 MiB. The library's own guard of JavaScript globals stays off: the sandbox offers no
 * JavaScript, and the guard would replace timers of the process the bot runs in.
 */
export const runCommand = async (machine: Machine, exec: string, terminal: Terminal): Promise<number> => {
  const { script, env, stdin } = unwrap(exec, terminal.stdin);
  const stop = new AbortController();
  const signal = AbortSignal.any([terminal.signal, stop.signal, AbortSignal.timeout(maxRunMs)]);
  let sent = 0;
  const limited = (write: (bytes: Uint8Array) => void) => (bytes: Uint8Array) => {
    if (stop.signal.aborted) return;
    sent += bytes.byteLength;
    if (sent <= maxOutputBytes) return write(bytes);
    terminal.stderr(Buffer.from("bash: output limit of the sandbox reached, command ended\n"));
    stop.abort();
  };
  const bounded: Terminal = {
    ...terminal,
    stdout: limited(terminal.stdout),
    stderr: limited((bytes) => terminal.stderr(inWords(bytes))),
    signal,
  };
  const stream = await streamTo(machine.disk, bounded);
  const all = { ...programs, ...machine.programs };
  const shell = new Bash({
    fs: machine.disk.fs,
    cwd: "/home/ops",
    env: {
      HOME: "/home/ops",
      USER: "ops",
      LOGNAME: "ops",
      SHELL: "/bin/bash",
      LANG: "C.UTF-8",
      HOSTNAME: machine.name,
    },
    commands: libraryNames,
    customCommands: Object.entries(all).map(([name, program]) => asCommand(name, program, machine, bounded)),
    defenseInDepth: false,
    executionLimits: {
      maxOutputSize: maxOutputBytes,
      maxLoopIterations: 10_000,
      maxExecutionTimeMs: maxRunMs,
      maxFileSystemBytes: 256 * mib,
      // A log may claim 37 GB while a few lines of it exist; the library weighs what is claimed.
      maxInputBytes: Number.MAX_SAFE_INTEGER,
      maxLiveBytes: Number.MAX_SAFE_INTEGER,
      maxStringLength: Number.MAX_SAFE_INTEGER,
    },
    processInfo: { pid: 4711, ppid: 4702, uid: 1000, gid: 1000 },
  });
  shell.registerTransformPlugin(stream.plugin);
  try {
    const result = await shell.exec(script, { env: { ...env }, stdin, signal, rawScript: true });
    if (result.stdout) bounded.stdout(Buffer.from(result.stdout, result.stdoutKind === "bytes" ? "latin1" : "utf8"));
    if (result.stderr) bounded.stderr(Buffer.from(result.stderr));
    return result.exitCode;
  } catch (thrown) {
    if (!signal.aborted) bounded.stderr(Buffer.from(spoken(thrown instanceof Error ? thrown.message : String(thrown))));
    return signal.aborted ? 124 : 1;
  } finally {
    await stream.end();
  }
};
