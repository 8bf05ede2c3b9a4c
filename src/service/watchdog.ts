import { appendFileSync, readFileSync, writeSync } from "node:fs";
import inspector from "node:inspector";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker, workerData } from "node:worker_threads";
import { isRecord } from "../base/json.ts";

/** Ends a process whose main thread stands still, so that a supervisor restarts it (RR-20). */

const tickMs = 1_000;
/** A start compiles PostgreSQL and may create a database: seconds, or several times that on a busy machine. */
const startLimitMs = 60_000;
const limitMs = 10_000;
/** A call that cannot be interrupted never shows its frames. */
const lookLimitMs = 2_000;
/** A loop of several functions is in another one each time. */
const looks = 10;
const mostFrames = 20;

/** SIGABRT instead if the main thread cannot be interrupted. */
const exitCode = 70;

const slot = { beats: 0, isUp: 1, isDebugged: 2 } as const;

/** The log itself stands still with the main thread. */
interface LogPlaces {
  readonly stdout: boolean;
  readonly file?: string | undefined;
}

interface WatchdogData extends LogPlaces {
  readonly shared: Int32Array<SharedArrayBuffer>;
}

/**
 * If the event loop stands still for 10 s of the watcher's ticks (60 s before `up`), logs this thread's frames and ends the process. Calls
 * `failed` if it can no longer watch.
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
    // A breakpoint may have stopped it.
    Atomics.store(shared, slot.isDebugged, inspector.url() === undefined ? 0 : 1);
  };
  setInterval(beat, tickMs / 2).unref();
  return { up: () => void Atomics.store(shared, slot.isUp, 1) };
}

interface StandStill {
  readonly beats: number;
  readonly standsMs: number;
  /** For a processor, since the start. */
  readonly keptWaitingMs: number;
}

/**
 * Counts `ms` of the watcher's sleep, not time, because a suspended machine does not sleep. A main thread that waited for a processor did
 * not stand still.
 */
export function countSleep(
  before: StandStill,
  { beats, keptWaitingMs }: Omit<StandStill, "standsMs">,
  ms: number,
): StandStill {
  const couldRunMs = Math.max(0, ms - Math.max(0, keptWaitingMs - before.keptWaitingMs));
  return { beats, keptWaitingMs, standsMs: beats === before.beats ? before.standsMs + couldRunMs : 0 };
}

/** From Linux; the main thread's id is the process's. Elsewhere 0. */
function keptWaitingMs(): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ");
    return Number(waitedNs ?? 0) / 1e6;
  } catch {
    return 0;
  }
}

/** Never returns. */
async function watch({ shared, stdout, file }: WatchdogData): Promise<void> {
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
    // Else it went on at the last moment.
    if (still.standsMs >= standsMs) {
      const line = lineOf(standsMs, main.frames);
      const writes = [
        ...(stdout ? [() => writeSync(1, line)] : []),
        ...(file === undefined ? [] : [() => appendFileSync(file, line, { mode: 0o600 })]),
      ];
      const written = writes.filter((write) => {
        try {
          write();
          return true;
        } catch {
          // Full disk, or no reader.
          return false;
        }
      });
      if (written.length === 0) writeSync(2, line);
      await end(main.exit);
    }
    main.leave();
  }
}

function lookAtMain(): {
  readonly frames: ReadonlySet<string>;
  readonly isSeen: () => boolean;
  /** Makes a stopped main thread end the process. */
  readonly exit: () => void;
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

/** In a container the kernel ignores a signal from inside to process 1, so the main thread ends the process itself. */
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

// A test may load this file in another thread.
if (isRecord(workerData) && "watched" in workerData) void watch(workerData.watched as WatchdogData);
