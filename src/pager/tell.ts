import { type Fields, isRecord, parseJson } from "../base/json.ts";
import { reasonOf } from "./fetch.ts";
import { postOnce } from "./hook.ts";

/** `later`: certainly not taken, and worth another try. `unsure`: it may have been taken, so it is not repeated. */
export type PagerOutcome =
  | { readonly kind: "done" }
  | { readonly kind: "later"; readonly fault: string; readonly afterMs: number }
  | { readonly kind: "failed" | "unsure"; readonly fault: string };

const timeoutMs = 10_000;

/** An event for a pager, by its row in `alert/pagers.ts`. */
export interface PagerEvent {
  readonly url: string;
  readonly body: Fields;
  readonly secretName: string;
  readonly isSecretRefused: (answer: Fields) => boolean;
}

/** Tells a pager once. Never throws; no fault has an address, a secret or the pager's words. */
export async function tellPager(
  { url, body, secretName, isSecretRefused }: PagerEvent,
  now: Date,
  limitMs = timeoutMs,
): Promise<PagerOutcome> {
  const signal = AbortSignal.timeout(limitMs);
  let isConnected = false;
  try {
    const { status, retryAfter, text } = await postOnce({ url, body: JSON.stringify(body), signal }, () => {
      isConnected = true;
    });
    if (status >= 200 && status < 300) return { kind: "done" };
    const fault = `HTTP ${status}`;
    if (status === 429 || status >= 500) return { kind: "later", fault, afterMs: afterMsOf(retryAfter, now) };
    const answer = parseJson(text);
    const isRefused = status === 401 || status === 403 || (isRecord(answer) && isSecretRefused(answer));
    return { kind: "failed", fault: isRefused ? `${fault}, it refuses the ${secretName}` : fault };
  } catch (error) {
    const fault = signal.aborted ? `no answer within ${limitMs / 1000} s` : reasonOf(error);
    return isConnected ? { kind: "unsure", fault } : { kind: "later", fault, afterMs: 0 };
  }
}

/** In seconds or as a date. */
function afterMsOf(retryAfter: string | undefined, now: Date): number {
  if (retryAfter === undefined) return 0;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - now.getTime();
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}

/** Asks whether the pager's host answers at all, without an event. Returns what keeps it from answering. Never throws. */
export async function whyUnreachable(url: string): Promise<string | undefined> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { signal, redirect: "manual" });
    await response.body?.cancel();
    return undefined;
  } catch (error) {
    return signal.aborted ? `no answer within ${timeoutMs / 1000} s` : reasonOf(error);
  }
}
