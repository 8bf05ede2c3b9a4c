import { parentPort, Worker, workerData } from "node:worker_threads";
import { isRecord } from "../base/json.ts";
import { type CalendarText, type ReadOccurrences, readOccurrences } from "./calendar.ts";

const mostMs = 5_000;
const mostMemoryMb = 128;

/**
 * Reads a calendar in a thread that ends after five seconds, because a rule such as an hourly February 31 keeps the library busy forever.
 * Throws if the text is no calendar or takes too long.
 */
export function readApart(calendar: CalendarText, limitMs = mostMs): Promise<ReadOccurrences> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadOccurrences>();
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { calendar },
    resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb },
  });
  const timer = setTimeout(() => reject(new Error(`it takes longer than ${limitMs / 1000} s to read`)), limitMs);
  worker.once("message", resolve);
  worker.once("error", reject);
  worker.once("exit", () => reject(new Error("its reader ended")));
  return promise.finally(() => {
    clearTimeout(timer);
    void worker.terminate();
  });
}

// The thread started above; tests start their own.
if (parentPort && isRecord(workerData) && "calendar" in workerData)
  parentPort.postMessage(readOccurrences(workerData.calendar as CalendarText));
