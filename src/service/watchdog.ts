import { appendFileSync, readFileSync, writeSync } from "node:fs";
import inspector from "node:inspector";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker, workerData } from "node:worker_threads";
import { isRecord } from "../base/json.ts";

/** A thread that ends a process whose main thread stands still, so that a supervisor starts it again (RR-20). */

const tickMs = 1_000;
/** A start compiles PostgreSQL and may create a database in one step: seconds, or several times that on a busy machine. */
const startLimitMs = 60_000;
const limitMs = 10_000;
/** A main thread in a call that cannot be interrupted never shows its frames. */
const lookLimitMs = 2_000;
/** A loop of several functions is in another one at each look. */
const looks = 10;
const mostFrames = 20;

/** A main thread that cannot be interrupted ends by SIGABRT instead. */
const exitCode = 70;

/** The index of each number in the memory that both threads share. */
const slot = { beats: 0, isUp: 1, isDebugged: 2 } as const;

/** The thread writes to the places of the log, because the log itself stands still with the main thread. */
interface LogPlaces {
  readonly stdout: boolean;
  readonly file?: string | undefined;
}

interface WatchdogData extends LogPlaces {
  readonly shared: Int32Array<SharedArrayBuffer>;
}

/**
 * Watches this thread from another one until the process ends. If the event loop does not turn for 10 s of that thread's ticks, it logs
 * the frames of this thread and ends the process. Before the call of `up` it waits 60 s. Calls `failed` if it can no longer watch.
 */
export function startWatchdog(
  { stdout, file }: LogPlaces,
  failed: (error: unknown) => void,
): { readonly up: () => void } {
  const shared = new Int32Array(new SharedArrayBuffer(4 * Object.keys(slot).length));
  const watched: WatchdogData = { shared, stdout, file };
  const thread = new Worker(new URL(import.meta.url), { workerData: { watched } });
  thread.once("error", failed);
  thread.unref();
  const beat = (): void => {
    Atomics.add(shared, slot.beats, 1);
    // A debugger may have stopped it at a breakpoint.
    Atomics.store(shared, slot.isDebugged, inspector.url() === undefined ? 0 : 1);
  };
  setInterval(beat, tickMs / 2).unref();
  return { up: () => void Atomics.store(shared, slot.isUp, 1) };
}

interface StandStill {
  readonly beats: number;
  readonly standsMs: number;
  /** How long the main thread has waited for a processor since its start. */
  readonly keptWaitingMs: number;
}

/**
 * Counts `ms` of the watching thread's sleep. It counts sleep and not time, because a suspended process or machine does not sleep. A main
 * thread that waited for a processor did not stand still: the machine was busy.
 */
export function countSleep(
  before: StandStill,
  { beats, keptWaitingMs }: Omit<StandStill, "standsMs">,
  ms: number,
): StandStill {
  const couldRunMs = Math.max(0, ms - Math.max(0, keptWaitingMs - before.keptWaitingMs));
  return { beats, keptWaitingMs, standsMs: beats === before.beats ? before.standsMs + couldRunMs : 0 };
}

/** Linux counts it for each thread; the main thread has the id of the process. Elsewhere it is 0. */
function keptWaitingMs(): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ");
    return Number(waitedNs ?? 0) / 1e6;
  } catch {
    // Not Linux, or a kernel that does not count it.
    return 0;
  }
}

/** Never returns. */
async function watch({ shared, ...places }: WatchdogData): Promise<void> {
  const read = () => ({ beats: Atomics.load(shared, slot.beats), keptWaitingMs: keptWaitingMs() });
  let still: StandStill = { ...read(), standsMs: 0 };
  const sleepFor = async (ms: number): Promise<void> => {
    await sleep(ms);
    still = countSleep(still, read(), ms);
  };
  for (;;) {
    await sleepFor(tickMs);
    const mostMs = Atomics.load(shared, slot.isUp) === 1 ? limitMs : startLimitMs;
    if (still.standsMs < mostMs || Atomics.load(shared, slot.isDebugged) === 1) continue;
    const { standsMs } = still;
    const main = lookAtMain();
    while (!main.isSeen() && still.standsMs >= standsMs && still.standsMs < standsMs + lookLimitMs) await sleepFor(100);
    // Else it went on in the last moment.
    if (still.standsMs >= standsMs) {
      writeLine(places, lineOf(standsMs, main.frames));
      await end(main.exit);
    }
    main.leave();
  }
}

/** Stops the main thread several times and reads its frames. */
function lookAtMain(): {
  readonly frames: ReadonlySet<string>;
  readonly isSeen: () => boolean;
  /** Makes the main thread end the process, if it is stopped. */
  readonly exit: () => void;
  /** Lets the main thread go on. */
  readonly leave: () => void;
} {
  const session = new inspector.Session();
  const urls = new Map<string, string>();
  const frames = new Set<string>();
  let looked = 0;
  session.on("Debugger.scriptParsed", ({ params }) => urls.set(params.scriptId, params.url));
  session.on("Debugger.paused", ({ params }) => {
    for (const { functionName, location } of params.callFrames) {
      const url = urls.get(location.scriptId) ?? "";
      if (frames.size < mostFrames && !url.startsWith("node:"))
        frames.add(`${functionName || "(anonymous)"} (${url.replace(programUrl, "")}:${location.lineNumber + 1})`);
    }
    if (++looked === looks) return;
    session.post("Debugger.resume");
    session.post("Debugger.pause");
  });
  session.connectToMainThread();
  session.post("Debugger.enable");
  session.post("Debugger.pause");
  return {
    frames,
    isSeen: () => looked === looks,
    exit: () => session.post("Runtime.evaluate", { expression: `process.reallyExit(${exitCode})` }),
    leave: () => session.disconnect(),
  };
}

const programUrl = new URL("../../", import.meta.url).href;

function lineOf(standsMs: number, frames: ReadonlySet<string>): string {
  const line = {
    level: "error",
    module: "main",
    event: "loop_stands_still",
    standsMs: Math.round(standsMs),
    ...(frames.size === 0
      ? { reason: "it is in a call that cannot be interrupted, so it does not say where" }
      : { at: [...frames] }),
    msg: "the main thread stands still, so the process ends; the next start finds what it ran",
  };
  return `${JSON.stringify({ ts: new Date().toISOString(), ...line })}\n`;
}

/** Writes without the main thread. */
function writeLine({ stdout, file }: LogPlaces, line: string): void {
  const writes = [
    ...(stdout ? [() => writeSync(1, line)] : []),
    ...(file === undefined ? [] : [() => appendFileSync(file, line, { mode: 0o600 })]),
  ];
  const written = writes.filter((write) => {
    try {
      write();
      return true;
    } catch {
      // The disk is full, or the reader is gone.
      return false;
    }
  });
  if (written.length === 0) writeSync(2, line);
}

/** The main thread ends the process itself, because in a container the kernel ignores a signal from inside to the first process. Never returns. */
async function end(exit: () => void): Promise<void> {
  exit();
  for (const signal of ["SIGABRT", "SIGKILL"] as const) {
    await sleep(1_000);
    try {
      process.kill(process.pid, signal);
    } catch {
      // Windows knows no SIGABRT.
    }
  }
  await sleep(1_000);
}

// Only in the thread that was started above; a test may load this file in another one.
if (isRecord(workerData) && "watched" in workerData) void watch(workerData.watched as WatchdogData);
