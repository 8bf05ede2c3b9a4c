/** Why there is no answer; `budget`: no request was sent (SR-58). */
export type FailureKind = "unreachable" | "refused" | "deadline" | "context-overflow" | "quota" | "junk" | "budget";

export interface ModelFailure {
  readonly why: FailureKind;
  /** For people: no key, and only a short, cleaned sentence of the provider's. */
  readonly message: string;
  readonly retryable: boolean;
  readonly statusCode?: number | undefined;
  readonly retryAfterMs?: number | undefined;
}

export const failure = (why: FailureKind, message: string, retryable: boolean): ModelFailure => ({
  why,
  message,
  retryable,
});

/** An answer without a success status. */
export interface ModelRefusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers: Headers | undefined;
}

const quotaCodes = new Set(["insufficient_quota", "billing_hard_limit_reached", "billing_not_active"]);
/** Endpoints agree on neither code nor words for this. */
const contextWords =
  /context[ _](?:length|window|size)|prompt is too long|too many (?:input )?tokens|maximum.{0,40}tokens/i;
const requestStatuses = new Set([400, 413, 422]);

const refusedWords: Readonly<Record<number, string>> = {
  401: "it does not accept the API key",
  403: "the API key may not use this model",
  404: "it does not know this address or model",
};

/** In milliseconds; `retry-after` is seconds or an HTTP date. */
function parseRetryAfter(headers: Headers | undefined, now: number): number | undefined {
  const millis = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (millis >= 0) return millis;
  const value = headers?.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Shortens the provider's sentence and removes our key. */
export function cleanMessage(message: string, apiKey: string): string {
  const oneLine = message.slice(0, 2_000).replace(/\s+/g, " ").trim();
  const safe = apiKey.length >= 4 ? oneLine.replaceAll(apiKey, "[REDACTED]") : oneLine;
  return safe.length > 200 ? `${safe.slice(0, 200)}…` : safe;
}

/** Classifies a refusal. Never repeated: 401, 400, quota, context length; repeated: configured statuses (S15). */
export function classifyRefusal(
  refusal: ModelRefusal,
  retryableStatuses: readonly number[],
  now: number,
): ModelFailure {
  const { status, code, headers } = refusal;
  const said = refusal.message ? `: ${refusal.message}` : "";
  if (quotaCodes.has(code) || status === 402) {
    return { ...failure("quota", "its quota is used up", false), statusCode: status };
  }
  const isTooLong = requestStatuses.has(status) && contextWords.test(refusal.message);
  if (code === "context_length_exceeded" || isTooLong) {
    const message = "the conversation is longer than its context window";
    return { ...failure("context-overflow", message, false), statusCode: status };
  }
  if (retryableStatuses.includes(status)) {
    const message = status === 429 ? "rate limited" : `HTTP ${status}${said}`;
    const retryAfterMs = parseRetryAfter(headers, now);
    return { ...failure("unreachable", message, true), statusCode: status, retryAfterMs };
  }
  const words = refusedWords[status] ?? (status >= 300 && status < 400 ? "it redirects, which is not followed" : "");
  const message = words ? `${words} (HTTP ${status})` : `HTTP ${status}${said}`;
  return { ...failure(status >= 500 ? "unreachable" : "refused", message, false), statusCode: status };
}

/** First what people can fix, then what only time can. */
const byUse: readonly FailureKind[] = [
  "budget",
  "context-overflow",
  "quota",
  "refused",
  "junk",
  "deadline",
  "unreachable",
];

/** Returns the most useful kind. */
export const worst = (failures: readonly ModelFailure[]): FailureKind =>
  byUse.find((kind) => failures.some((one) => one.why === kind)) ?? "unreachable";
