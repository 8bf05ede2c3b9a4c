import { appendFileSync, readFileSync, writeSync } from "node:fs";
import inspector from "node:inspector";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker, workerData } from "node:worker_threads";
import { isRecord } from "../base/json.ts";

/** A process that stands still is ended by a thread beside it, so that a supervisor starts it again (RR-20). */

const tickMs = 1_000;
/** A start compiles PostgreSQL and may make a database in one go: seconds, and several times that on a busy machine. */
const startLimitMs = 60_000;
const limitMs = 10_000;
/** A main thread in a call that cannot be interrupted does not say where it stands. */
const lookLimitMs = 2_000;
/** A loop of several functions stands in another one at each look. */
const looks = 10;
const mostFrames = 20;

/** What the process exits with; the main thread of one that cannot be interrupted ends by SIGABRT. */
const exitCode = 70;

/** Where each number stands in the memory that both threads see. */
const slot = { beats: 0, isUp: 1, isDebugged: 2 } as const;

/** Where the thread writes its line: the places of the log, which stands still with the main thread. */
interface LogPlaces {
  readonly stdout: boolean;
  readonly file?: string | undefined;
}

interface WatchdogData extends LogPlaces {
  readonly shared: Int32Array<SharedArrayBuffer>;
}

/**
 * Watches this thread from another one, to the end of the process. If the event loop does not turn for 10 s of that thread's ticks, it
 * logs where this thread stands and ends the process. Before `up` is called it waits 60 s. `failed` hears why it watches no more.
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
    // Somebody may have stopped it at a breakpoint.
    Atomics.store(shared, slot.isDebugged, inspector.url() === undefined ? 0 : 1);
  };
  setInterval(beat, tickMs / 2).unref();
  return { up: () => void Atomics.store(shared, slot.isUp, 1) };
}

interface StandStill {
  readonly beats: number;
  readonly standsMs: number;
  /** How long the machine has kept the main thread waiting for a processor, since its start. */
  readonly keptWaitingMs: number;
}

/**
 * Counts `ms` for which the watching thread has slept. Its sleep is counted, not time: while the process or its machine is suspended there
 * is none. When the main thread wanted to run and got no processor it did not stand still: that is a busy machine.
 */
export function countSleep(
  before: StandStill,
  { beats, keptWaitingMs }: Omit<StandStill, "standsMs">,
  ms: number,
): StandStill {
  const couldRunMs = Math.max(0, ms - Math.max(0, keptWaitingMs - before.keptWaitingMs));
  return { beats, keptWaitingMs, standsMs: beats === before.beats ? before.standsMs + couldRunMs : 0 };
}

/** Linux tells it of each thread, and the main thread has the number of its process; elsewhere it counts as none. */
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
    // Below that it went on in the last moment.
    if (still.standsMs >= standsMs) {
      writeLine(places, lineOf(standsMs, main.frames));
      await end(main.exit);
    }
    main.leave();
  }
}

/** Stops the main thread several times and reads on which lines of the program it stands. */
function lookAtMain(): {
  readonly frames: ReadonlySet<string>;
  readonly isSeen: () => boolean;
  /** Has the main thread end the process; nothing happens unless it is stopped. */
  readonly exit: () => void;
  /** Lets it go on. */
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

/** Through the main thread nothing can be written any more. */
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
      // A full disk, or nobody reads it.
      return false;
    }
  });
  if (written.length === 0) writeSync(2, line);
}

/** By the main thread itself, since in a container the kernel lets no process end the first one by a signal from inside. Never returns. */
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

// In the thread that was started above; a test may load this file in one of its own.
if (isRecord(workerData) && "watched" in workerData) void watch(workerData.watched as WatchdogData);
