import { inSpan } from "../../telemetry/trace.ts";
import { type Retry, retryDelayMs } from "./backoff.ts";
import { adjustRequest, type EndpointLine, fitRequest } from "./endpoint-line.ts";
import { failure, type ModelFailure } from "./failure.ts";
import type { ModelRequest, Reply, RequestLimits } from "./request.ts";

export interface AskWatch {
  readonly signal: AbortSignal;
  /** Gets a short line whenever the ask has to wait or changes its endpoint (S15.6). */
  readonly onStatus: (text: string) => void;
  /** Gets the words of an answer that is still coming, whenever there are more of them. */
  readonly onText?: (text: string) => void;
}

interface Bounds {
  /** By the clock of `now`. */
  readonly until: number;
  readonly limits: Omit<RequestLimits, "wholeMs">;
  readonly retry: Retry;
  readonly random: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
}

/** Asks one endpoint until it answers, refuses for good, or may not be repeated before `until`. */
export async function askEndpoint(
  line: EndpointLine,
  asked: ModelRequest,
  watch: AskWatch,
  bounds: Bounds,
): Promise<Reply | ModelFailure> {
  const { until, retry, random, sleep, now } = bounds;
  const rest = line.breaker.waitMs();
  if (rest > 0) {
    return failure("unreachable", `left alone for another ${seconds(rest)} after repeated failures`, false);
  }
  let request = fitRequest(line, asked);
  for (let attempt = 0; ; ) {
    const outcome = await sendRequest(line, request, watch, bounds);
    if ("kind" in outcome) return outcome;
    const adjusted = now() < until && !watch.signal.aborted ? adjustRequest(line, request, outcome) : undefined;
    if (adjusted) {
      request = adjusted;
      continue;
    }
    const delay = outcome.retryAfterMs ?? retryDelayMs(attempt, retry, random);
    const again = outcome.retryable && attempt < retry.maxRetries && now() + delay < until;
    attempt += 1;
    logFailure(line, outcome, { attempt: again ? attempt : attempt - 1, delayMs: again ? delay : undefined });
    if (!again) return givenUp(line, outcome);
    watch.onStatus(`${outcome.message}, again in ${seconds(delay)}`);
    await sleep(delay, watch.signal);
    if (watch.signal.aborted) return failure("deadline", "stopped", false);
    // A timer that wakes late on a busy machine.
    if (now() >= until) return givenUp(line, outcome);
  }
}

/** Asks once, and logs what an answer took. */
async function sendRequest(
  line: EndpointLine,
  request: ModelRequest,
  { signal: stop, onText = () => undefined }: AskWatch,
  { until, limits, retry, now }: Bounds,
): Promise<Reply | ModelFailure> {
  const { provider, log } = line;
  // The SDK is many files, which a start has no need of.
  const { createModelClient, requestOnce } = await import("./request.ts");
  line.client ??= createModelClient(line.endpoint);
  const started = now();
  const to = { ...line, client: line.client, retryableStatuses: retry.retryableStatuses };
  const outcome = await inSpan("model request", { provider, model: line.endpoint.model }, () =>
    requestOnce(to, request, { stop, limits: { ...limits, wholeMs: Math.max(1, until - started) }, onText }),
  );
  if (!("kind" in outcome)) return outcome;
  if (line.breaker.succeeded()) log({ level: "info", event: "breaker_closed", provider });
  const { model, cost, usage } = outcome;
  const { inputTokens, cachedTokens, outputTokens } = usage;
  const durationMs = Math.round(now() - started);
  const spent = { durationMs, inputTokens, cachedTokens, outputTokens, cost };
  log({ level: "info", event: "provider_reply", provider, model, ...spent });
  return outcome;
}

function givenUp(line: EndpointLine, outcome: ModelFailure): ModelFailure {
  if (outcome.retryable && line.breaker.failed())
    line.log({ level: "warn", event: "breaker_open", provider: line.provider });
  // Whoever reads it learns when it is worth another try.
  const { message, retryAfterMs } = outcome;
  return retryAfterMs === undefined
    ? outcome
    : { ...outcome, message: `${message} for another ${seconds(retryAfterMs)}` };
}

function logFailure(
  line: EndpointLine,
  outcome: ModelFailure,
  at: { attempt: number; delayMs: number | undefined },
): void {
  const limited = outcome.statusCode === 429 && at.delayMs !== undefined;
  line.log({
    level: limited ? "warn" : "error",
    event: limited ? "provider_rate_limit" : "provider_error",
    provider: line.provider,
    model: line.endpoint.model,
    error: outcome.message,
    retryAttempt: at.attempt,
    statusCode: outcome.statusCode,
    delayMs: at.delayMs,
    retryAfterMs: outcome.retryAfterMs,
  });
}

const seconds = (ms: number): string => `${Math.max(1, Math.ceil(ms / 1000))} s`;
