import { backoffMs, sleep as sleepFor } from "../../base/clock.ts";
import { createLine, type WaitingLine } from "../../base/line.ts";
import { inSpan } from "../../telemetry/trace.ts";
import { type CompactedConversation, compact, compactAll } from "../compact.ts";
import { createTokenCounter, type TokenCounter } from "../tokens.ts";
import { type Endpoint, learnQuirks, type Quirks, quirksOf } from "./endpoints.ts";
import { type FailureKind, failure, type ModelFailure, worst } from "./failure.ts";
import type { createModelClient, ModelRequest, Reply, RequestLimits } from "./request.ts";

/** Per endpoint; delays in milliseconds. */
interface Retry {
  readonly maxRetries: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  readonly retryableStatuses: readonly number[];
}

interface AskWatch {
  readonly signal: AbortSignal;
  /** If the request waits or goes to another endpoint. */
  readonly onStatus: (text: string) => void;
  /** The words so far. */
  readonly onText?: (text: string) => void;
}

export interface ModelOptions {
  /** In order of preference. */
  readonly endpoints: readonly Endpoint[];
  /** Requests to an endpoint at once; fewer while it answers 429. */
  readonly atOnce: number;
  /** For all endpoints, retries and waits. */
  readonly deadlineMs: number;
  readonly retry: Retry;
  readonly log: (event: ModelEvent) => void;
  readonly random?: () => number;
  /** Returns early if the signal aborts; never rejects. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Monotonic, in milliseconds. */
  readonly now?: () => number;
}

/** `message` is for people and has no key. */
type ModelReply = Reply | { readonly kind: "failed"; readonly why: FailureKind; readonly message: string };

/** Asks the model, with retries and fallback. Never throws: a failure is a reply of kind `failed`. */
export type AskModel = (request: ModelRequest, watch: AskWatch) => Promise<ModelReply>;

/** Creates the only way to the model: endpoints in order, each with retries, breaker and a share of the deadline (RR-09, S15). */
export function createModel(options: ModelOptions): AskModel {
  const { deadlineMs, atOnce, retry, log } = options;
  const { random = Math.random, sleep = sleepFor, now = () => performance.now() } = options;
  const lines = options.endpoints.map(
    (endpoint): EndpointLine => ({
      endpoint,
      provider: URL.canParse(endpoint.url) ? new URL(endpoint.url).host : "the model's endpoint",
      breaker: createBreaker(now),
      places: createLine(atOnce),
      tokens: createTokenCounter(),
      log,
      quirks: quirksOf(endpoint.url),
    }),
  );
  const limits = {
    whole: lines.length > 1 ? "its part of model.deadline" : "model.deadline",
    // A hanging request must leave time for another; a coming answer may use all of it.
    silentMs: deadlineMs / 2,
    silent: "half of model.deadline",
  };
  return async (request, watch) => {
    let end = now() + deadlineMs;
    const failures: (ModelFailure & { readonly name: string })[] = [];
    for (const [index, line] of lines.entries()) {
      const left = end - now();
      if (left <= 0 || watch.signal.aborted) break;
      const name = `${line.provider} (${line.endpoint.model})`;
      if (index > 0) watch.onStatus(`asking ${name} instead`);
      const arrivedAt = now();
      if (line.places.isFull()) watch.onStatus(`${name} is busy with other requests`);
      const isIn = await line.places.enter(AbortSignal.any([watch.signal, AbortSignal.timeout(deadlineMs)]));
      // The deadline is the endpoint's, not that of the requests before this one.
      end += now() - arrivedAt;
      if (!isIn) {
        failures.push({ ...failure("unreachable", "busy with other requests", true), name });
        continue;
      }
      try {
        const until = now() + left / (lines.length - index);
        const outcome = await askEndpoint(line, request, watch, { until, limits, retry, random, sleep, now });
        if ("kind" in outcome) return outcome;
        failures.push({ ...outcome, name });
      } finally {
        line.places.leave();
      }
    }
    if (failures.length === 0) return { kind: "failed", why: "unreachable", message: "no model could be asked" };
    const message = failures.map(({ name, message: said }) => `${name}: ${said}`).join("; ");
    return { kind: "failed", why: worst(failures), message };
  };
}

interface Bounds {
  /** By `now`. */
  readonly until: number;
  readonly limits: Omit<RequestLimits, "wholeMs">;
  readonly retry: Retry;
  readonly random: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
}

async function askEndpoint(
  line: EndpointLine,
  asked: ModelRequest,
  { signal: stop, onStatus, onText = () => undefined }: AskWatch,
  bounds: Bounds,
): Promise<Reply | ModelFailure> {
  const { until, limits, retry, random, sleep, now } = bounds;
  const { provider, breaker, places, tokens, log } = line;
  const { model, contextWindow } = line.endpoint;
  const rest = breaker.waitMs();
  if (rest > 0) {
    return failure("unreachable", `left alone for another ${seconds(rest)} after repeated failures`, false);
  }
  const giveUp = (outcome: ModelFailure): ModelFailure => {
    if (outcome.retryable && breaker.failed()) log({ level: "warn", event: "breaker_open", provider });
    const { message, retryAfterMs } = outcome;
    if (retryAfterMs === undefined) return outcome;
    // When another try is worthwhile.
    return { ...outcome, message: `${message} for another ${seconds(retryAfterMs)}` };
  };

  const shortened = ({ messages, removed }: CompactedConversation): ModelRequest => {
    if (removed === 0) return request;
    const summaryTokens = tokens.countRequest(messages, request.tools ?? []);
    log({ level: "info", event: "session_compacted", provider, removedMessages: removed, summaryTokens });
    return { ...request, messages };
  };

  let request = asked;
  // Old outputs are shortened before the endpoint's window is full.
  if (contextWindow !== undefined) {
    const left = contextWindow - tokens.countRequest([], request.tools ?? []);
    request = shortened(compact(request.messages, left, (message) => tokens.countRequest([message], [])));
  }
  for (let attempt = 0; ; ) {
    // The bot starts faster without the SDK's many files.
    const { createModelClient, requestOnce } = await import("./request.ts");
    line.client ??= createModelClient(line.endpoint);
    const started = now();
    const to = { ...line, client: line.client, retryableStatuses: retry.retryableStatuses };
    const watch = { stop, limits: { ...limits, wholeMs: Math.max(1, until - started) }, onText };
    const outcome = await inSpan("model request", { provider, model }, () => requestOnce(to, request, watch));
    if ("kind" in outcome) {
      if (breaker.succeeded()) log({ level: "info", event: "breaker_closed", provider });
      places.widen();
      const { cost, usage } = outcome;
      const { inputTokens, cachedTokens, outputTokens } = usage;
      const durationMs = Math.round(now() - started);
      const spent = { durationMs, inputTokens, cachedTokens, outputTokens, cost };
      log({ level: "info", event: "provider_reply", provider, model: outcome.model, ...spent });
      return outcome;
    }

    // Another request to try at once: as this endpoint wants it, or shorter.
    if (now() < until && !stop.aborted) {
      const teaches = outcome.why === "refused" || outcome.statusCode === 501;
      const learned = teaches ? learnQuirks(line.quirks, outcome.message) : undefined;
      if (learned) {
        line.quirks = learned;
        log({ level: "info", event: "provider_quirk", provider, quirks: learned });
        continue;
      }
      const shorter = outcome.why === "context-overflow" ? shortened(compactAll(request.messages)) : request;
      if (shorter !== request) {
        request = shorter;
        continue;
      }
    }
    // Before retry `attempt` (from 0): randomly half to all of the full delay.
    const delay =
      outcome.retryAfterMs ??
      Math.round(
        backoffMs(attempt, { baseMs: retry.baseDelayMs / 2, mostMs: retry.maxDelayMs / 2, spread: 1, random }),
      );
    if (outcome.statusCode === 429) places.narrow(Math.floor(places.inside() / 2));
    const again = outcome.retryable && attempt < retry.maxRetries && now() + delay < until;
    attempt += 1;
    const isLimited = outcome.statusCode === 429 && again;
    log({
      level: isLimited ? "warn" : "error",
      event: isLimited ? "provider_rate_limit" : "provider_error",
      provider,
      model,
      error: outcome.message,
      retryAttempt: again ? attempt : attempt - 1,
      statusCode: outcome.statusCode,
      delayMs: again ? delay : undefined,
      retryAfterMs: outcome.retryAfterMs,
    });
    if (!again) return giveUp(outcome);
    onStatus(`${outcome.message}, again in ${seconds(delay)}`);
    await sleep(delay, stop);
    if (stop.aborted) return failure("deadline", "stopped", false);
    // On a busy machine a timer wakes late.
    if (now() >= until) return giveUp(outcome);
  }
}

const seconds = (ms: number): string => `${Math.max(1, Math.ceil(ms / 1000))} s`;

/** A log line about an endpoint (S14.3). */
export type ModelEvent =
  /** With `delayMs`, it is repeated after that. */
  | {
      readonly level: "error" | "warn";
      readonly event: "provider_error" | "provider_rate_limit";
      readonly provider: string;
      readonly model: string;
      readonly error: string;
      readonly retryAttempt: number;
      readonly statusCode?: number | undefined;
      readonly delayMs?: number | undefined;
      readonly retryAfterMs?: number | undefined;
    }
  /** `cost` is 0 without a price. */
  | {
      readonly level: "info";
      readonly event: "provider_reply";
      readonly provider: string;
      readonly model: string;
      readonly durationMs: number;
      readonly inputTokens: number;
      readonly cachedTokens: number;
      readonly outputTokens: number;
      readonly cost: number;
    }
  | { readonly level: "warn" | "info"; readonly event: "breaker_open" | "breaker_closed"; readonly provider: string }
  | { readonly level: "info"; readonly event: "provider_quirk"; readonly provider: string; readonly quirks: Quirks }
  /** Stored outputs stay whole. */
  | {
      readonly level: "info";
      readonly event: "session_compacted";
      readonly provider: string;
      readonly removedMessages: number;
      /** Of the shortened request. */
      readonly summaryTokens: number;
    };

interface EndpointLine {
  readonly endpoint: Endpoint;
  readonly provider: string;
  readonly breaker: Breaker;
  /** Each request holds one from its first attempt to its last. */
  readonly places: WaitingLine;
  readonly tokens: TokenCounter;
  readonly log: (event: ModelEvent) => void;
  quirks: Quirks;
  /** Created for the first request. */
  client?: ReturnType<typeof createModelClient>;
}

const failuresToOpen = 3;
const openForMs = 60_000;

/** Spares incidents the wait for a failing endpoint. */
interface Breaker {
  /** 0 if a request is allowed now. */
  readonly waitMs: () => number;
  /** Whether this closed it. */
  readonly succeeded: () => boolean;
  /** Whether this opened or prolonged it. */
  readonly failed: () => boolean;
}

/**
 * Opens for 60 s after 3 failures in a row, then one request decides. A failure includes all retries, so one bad minute of the
 * provider does not lock out the next comment (S15.7). `now` is monotonic, in milliseconds.
 */
function createBreaker(now: () => number): Breaker {
  let failures = 0;
  let openUntil = 0;
  return {
    waitMs: () => Math.max(0, openUntil - now()),
    succeeded: () => {
      const wasOpen = failures >= failuresToOpen;
      failures = 0;
      return wasOpen;
    },
    failed: () => {
      failures += 1;
      const opens = failures >= failuresToOpen;
      if (opens) openUntil = now() + openForMs;
      return opens;
    },
  };
}
