import { messageOf } from "../base/errors.ts";
import { type Fields, isRecord } from "../base/json.ts";

/** What a failed write means (RR-07, RR-08, RR-11). */
export type WriteFailure =
  /** Certainly not done; try again later. GitHub named the time (`isTold`), or we chose it. */
  | { readonly kind: "later"; readonly afterMs: number; readonly isTold: boolean; readonly why: string }
  /** GitHub may have done it. Look before trying again. */
  | { readonly kind: "ambiguous"; readonly why: string }
  /** Trying again will not help; `isGone` if its object no longer exists. */
  | { readonly kind: "never"; readonly isGone?: boolean; readonly why: string };

/** Asking sooner than in a minute earns a longer ban. */
const untold = { afterMs: 60_000, isTold: false } as const;

/** Pure; `now` is the wall clock in ms, for `x-ratelimit-reset`. */
export function writeFailure(error: unknown, now: number): WriteFailure {
  const refusal = graphqlRefusal(error, now);
  if (refusal) return refusal;
  const status = statusOf(error);
  const why = status === undefined ? `no answer from GitHub: ${messageOf(error)}` : `GitHub answered ${status}`;
  if (status === undefined || status >= 500) return { kind: "ambiguous", why };
  const headers =
    isRecord(error) && isRecord(error.response) && isRecord(error.response.headers) ? error.response.headers : {};
  if (
    status === 429 ||
    (status === 403 &&
      (headers["retry-after"] !== undefined ||
        headers["x-ratelimit-remaining"] === "0" ||
        /rate limit|abuse/i.test(messageOf(error))))
  ) {
    return { kind: "later", ...waitOf(headers, now), why: "GitHub's rate limit" };
  }
  // GitHub refuses even a new token because of our clock or the App's owner. Nothing was done, and it passes.
  if (status === 401) return { kind: "later", ...untold, why: "GitHub does not take our token" };
  // The owner can lift it; what waits is written then (F-13).
  if (status === 403 && /suspended/i.test(messageOf(error)))
    return { kind: "later", ...untold, why: "the App's installation is suspended" };
  const isGone = status === 404 || status === 410;
  return { kind: "never", ...(isGone && { isGone }), why: `${why}: ${messageOf(error).slice(0, 200)}` };
}

/** Whether it failed in a way that passes. */
export function isAway(error: unknown): boolean {
  const isGitHubs =
    statusOf(error) !== undefined || (error instanceof Error && "errors" in error && "headers" in error);
  return isGitHubs && writeFailure(error, Date.now()).kind !== "never";
}

const finalTypes = new Set(["NOT_FOUND", "FORBIDDEN", "UNPROCESSABLE", "INSUFFICIENT_SCOPES"]);

/** GraphQL refuses with status 200 and a type per error. Undefined without a reason, because it may have done it. */
function graphqlRefusal(error: unknown, now: number): WriteFailure | undefined {
  if (!(error instanceof Error) || !("errors" in error) || !Array.isArray(error.errors)) return undefined;
  const types = error.errors.flatMap((one: unknown) => (isRecord(one) ? String(one.type) : []));
  if (types.includes("RATE_LIMITED") || types.includes("RATE_LIMIT")) {
    const headers = "headers" in error && typeof error.headers === "object" ? { ...error.headers } : {};
    return { kind: "later", ...waitOf(headers, now), why: "GitHub's rate limit" };
  }
  const final = types.find((type) => finalTypes.has(type));
  if (final === undefined) return undefined;
  return { kind: "never", why: `GitHub answered ${final}: ${error.message.slice(0, 200)}` };
}

type Wait = Pick<Extract<WriteFailure, { kind: "later" }>, "afterMs" | "isTold">;

function waitOf(headers: Fields, now: number): Wait {
  const retryAfter = Number(headers["retry-after"]);
  if (Number.isFinite(retryAfter) && retryAfter > 0) return { afterMs: retryAfter * 1000, isTold: true };
  const reset = Number(headers["x-ratelimit-reset"]);
  if (headers["x-ratelimit-remaining"] === "0" && Number.isFinite(reset)) {
    return { afterMs: Math.max(reset * 1000 - now, 1000), isTold: true };
  }
  return untold;
}

/** Undefined without an answer. */
export function statusOf(error: unknown): number | undefined {
  return isRecord(error) && typeof error.status === "number" ? error.status : undefined;
}
