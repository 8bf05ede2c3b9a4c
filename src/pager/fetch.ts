import { isOlderThan } from "../base/clock.ts";
import { messageOf } from "../base/errors.ts";
import type { ReadOccurrences } from "./calendar.ts";
import { readApart } from "./calendar-thread.ts";

export type CalendarReading =
  | (ReadOccurrences & { readonly kind: "read"; readonly readAt: Date })
  | { readonly kind: "unreadable"; readonly why: string };

/** Reads the calendar, from memory while it is fresh, and for a day if it cannot be read again. Never throws. */
export type ReadCalendar = (now: Date) => Promise<CalendarReading>;

const freshMs = 10 * 60_000;
const againMs = 60_000;
const staleMs = 24 * 3_600_000;
const aheadMs = 35 * 24 * 3_600_000;

/** Calls `failed` after each failed attempt. */
export function createCalendar(
  calendar: { readonly url: string; readonly timeZone: string },
  failed: (error: unknown) => void,
): ReadCalendar {
  let last: (ReadOccurrences & { readonly readAt: Date }) | undefined;
  let why = "";
  let asked = { ms: Number.NEGATIVE_INFINITY, waitMs: 0 };
  let reading: Promise<void> | undefined;
  const read = async (now: Date): Promise<void> => {
    const ms = now.getTime();
    try {
      const text = await fetchCalendar(calendar.url);
      const span = { fromMs: ms - staleMs, untilMs: ms + aheadMs };
      last = { ...(await readApart({ text, timeZone: calendar.timeZone, ...span })), readAt: now };
      asked = { ms, waitMs: freshMs };
    } catch (error) {
      why = messageOf(error);
      asked = { ms, waitMs: againMs };
      failed(error);
    }
  };
  return async (now) => {
    if (isOlderThan(asked.waitMs, asked.ms, now.getTime())) {
      reading ??= read(now).finally(() => {
        reading = undefined;
      });
      await reading;
    }
    const isUsable = last && Math.abs(now.getTime() - last.readAt.getTime()) < staleMs;
    return last && isUsable ? { kind: "read", ...last } : { kind: "unreadable", why };
  };
}

const mostBytes = 5 * 1024 * 1024;
const mostRedirects = 3;
const timeoutMs = 10_000;

/**
 * Fetches a calendar's text, 5 MB and 10 s at most. Follows redirects only on the same host, else its server could send the bot into the
 * operator's network. Errors never contain the address, a secret.
 */
export async function fetchCalendar(address: string): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs);
  let url = new URL(address.replace(/^webcal:/i, "https:"));
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(url, { signal, redirect: "manual", headers: { accept: "text/calendar" } }).catch(
      (error: unknown) => {
        throw new Error(signal.aborted ? "it does not answer within 10 s" : `it cannot be reached: ${reasonOf(error)}`);
      },
    );
    if (response.ok) return textOf(response);
    await response.body?.cancel();
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || location === null)
      throw new Error(`it answers with HTTP ${response.status}`);
    const next = new URL(location, url);
    if (next.origin !== url.origin) throw new Error(`it redirects to another host, ${next.host}: write that address`);
    if (redirects >= mostRedirects) throw new Error(`it redirects more than ${mostRedirects} times`);
    url = next;
  }
}

/** The system's error code, because the message of `fetch` says nothing. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : undefined;
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") return cause.code;
  return error instanceof Error ? error.name : "unknown";
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) throw new Error("it is larger than 5 MB");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
