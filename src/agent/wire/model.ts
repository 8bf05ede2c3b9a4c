import { sleep as sleepFor } from "../../base/sleep.ts";
import { inSpan } from "../../telemetry/trace.ts";
import { type Compacted, compact, compactAll } from "../compact.ts";
import { createTokenCounter, type TokenCounter } from "../tokens.ts";
import { type Retry, retryDelayMs } from "./backoff.ts";
import { type Breaker, createBreaker } from "./breaker.ts";
import { type Endpoint, learnQuirks, type Quirks, quirksOf } from "./endpoints.ts";
import { type FailureKind, failure, type ModelFailure, worst } from "./failure.ts";
import { createModelClient, type ModelRequest, type Reply, type RequestLimits, requestOnce } from "./request.ts";

export interface ModelOptions {
  /** In order of preference; the next one is asked where one fails. */
  readonly endpoints: readonly Endpoint[];
  /** For one ask in all: every endpoint, retry and wait. */
  readonly deadlineMs: number;
  readonly retry: Retry;
  readonly log: (event: ModelEvent) => void;
  readonly random?: () => number;
  /** Waits; returns early when the signal aborts, and never rejects. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** S14.3. */
export type ModelEvent =
  /** `delayMs` is there where the request is repeated after it. */
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
  /** One request that was answered; `cost` is 0 where the endpoint has no price. */
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
  /** After repeated failures an endpoint is left alone for a while, until a request to it is answered. */
  | { readonly level: "warn" | "info"; readonly event: "breaker_open" | "breaker_closed"; readonly provider: string }
  /** What an endpoint wants otherwise, from now on. */
  | { readonly level: "info"; readonly event: "provider_quirk"; readonly provider: string; readonly quirks: Quirks }
  /** A request was sent with its old outputs shortened; what is stored stays whole. */
  | {
      readonly level: "info";
      readonly event: "session_compacted";
      readonly provider: string;
      readonly removedMessages: number;
      /** Of the request with its outputs shortened. */
      readonly summaryTokens: number;
    };

/** `message` is for a person and holds no key. */
type Answer = Reply | { readonly kind: "failed"; readonly why: FailureKind; readonly message: string };

interface Watch {
  readonly signal: AbortSignal;
  /** Gets a short line whenever the ask has to wait or changes its endpoint (S15.6). */
  readonly onStatus: (text: string) => void;
  /** Gets the words of an answer that is still coming, whenever there are more of them. */
  readonly onText?: (text: string) => void;
}

/** Asks the model once, with retries and fallback. Never throws: whatever goes wrong is an answer of kind `failed`. */
export type AskModel = (request: ModelRequest, watch: Watch) => Promise<Answer>;

interface Line {
  readonly endpoint: Endpoint;
  readonly provider: string;
  readonly client: ReturnType<typeof createModelClient>;
  readonly breaker: Breaker;
  readonly tokens: TokenCounter;
  quirks: Quirks;
}

const provider = (url: string): string => (URL.canParse(url) ? new URL(url).host : "the model's endpoint");

/**
 * The only door to the model (RR-09, S15): endpoints in order, each with its retries, breaker and share of the deadline.
 */
export function createModel(options: ModelOptions): AskModel {
  const { deadlineMs, retry, log } = options;
  const random = options.random ?? Math.random;
  const sleep = options.sleep ?? sleepFor;
  const now = options.now ?? (() => performance.now());
  const lines: readonly Line[] = options.endpoints.map((endpoint) => ({
    endpoint,
    provider: provider(endpoint.url),
    client: createModelClient(endpoint),
    breaker: createBreaker(now),
    tokens: createTokenCounter(),
    quirks: quirksOf(endpoint.url),
  }));

  /** The request as this endpoint can take it: before its window is full old outputs are shortened. */
  function fitted(line: Line, request: ModelRequest): ModelRequest {
    const { contextWindow } = line.endpoint;
    if (contextWindow === undefined) return request;
    const tools = line.tokens.countRequest([], request.tools ?? []);
    const count = (message: ModelRequest["messages"][number]) => line.tokens.countRequest([message], []);
    return tell(line, request, compact(request.messages, contextWindow - tools, count));
  }

  function tell(line: Line, request: ModelRequest, { messages, removed }: Compacted): ModelRequest {
    if (removed === 0) return request;
    const summaryTokens = line.tokens.countRequest(messages, request.tools ?? []);
    const { provider } = line;
    log({ level: "info", event: "session_compacted", provider, removedMessages: removed, summaryTokens });
    return { ...request, messages };
  }

  /** What may be tried at once after this failure, though a mere repetition would fail again; nothing where nothing may. */
  function mend(line: Line, request: ModelRequest, why: ModelFailure): ModelRequest | undefined {
    const teaches = why.why === "refused" || why.statusCode === 501;
    const learnt = teaches ? learnQuirks(line.quirks, why.message) : undefined;
    if (learnt) {
      line.quirks = learnt;
      log({ level: "info", event: "provider_quirk", provider: line.provider, quirks: learnt });
      return request;
    }
    if (why.why !== "context-overflow") return undefined;
    const shorter = tell(line, request, compactAll(request.messages));
    return shorter === request ? undefined : shorter;
  }

  /** Asks one endpoint until it answers, refuses for good, or may not be repeated before `until`. */
  async function askEndpoint(
    line: Line,
    asked: ModelRequest,
    watch: Watch,
    until: number,
  ): Promise<Reply | ModelFailure> {
    const rest = line.breaker.waitMs();
    if (rest > 0) {
      return failure("unreachable", `left alone for another ${seconds(rest)} after repeated failures`, false);
    }
    let request = fitted(line, asked);
    for (let attempt = 0; ; ) {
      const limits: RequestLimits = {
        wholeMs: until - now(),
        whole: lines.length > 1 ? "its part of model.deadline" : "model.deadline",
        // A request that hangs must leave time for another one; an answer that comes has all of the time there is.
        silentMs: deadlineMs / 2,
        silent: "half of model.deadline",
      };
      const to = { ...line, retryableStatuses: retry.retryableStatuses };
      const asking = request;
      const started = now();
      const outcome = await inSpan("model request", { provider: line.provider, model: line.endpoint.model }, () =>
        requestOnce(to, asking, { stop: watch.signal, limits, onText: watch.onText ?? (() => undefined) }),
      );
      if ("kind" in outcome) {
        const { provider } = line;
        if (line.breaker.succeeded()) log({ level: "info", event: "breaker_closed", provider });
        const { model, cost, usage } = outcome;
        const { inputTokens, cachedTokens, outputTokens } = usage;
        const durationMs = Math.round(now() - started);
        const spent = { durationMs, inputTokens, cachedTokens, outputTokens, cost };
        log({ level: "info", event: "provider_reply", provider, model, ...spent });
        return outcome;
      }
      const mended = now() < until && !watch.signal.aborted ? mend(line, request, outcome) : undefined;
      if (mended) {
        request = mended;
        continue;
      }
      const delay = outcome.retryAfterMs ?? retryDelayMs(attempt, retry, random);
      const again = outcome.retryable && attempt < retry.maxRetries && now() + delay < until;
      attempt += 1;
      logFailure(line, outcome, { attempt: again ? attempt : attempt - 1, delayMs: again ? delay : undefined });
      if (!again) {
        if (outcome.retryable && line.breaker.failed())
          log({ level: "warn", event: "breaker_open", provider: line.provider });
        // Whoever reads it learns when it is worth another try.
        const { retryAfterMs: rests } = outcome;
        return rests === undefined
          ? outcome
          : { ...outcome, message: `${outcome.message} for another ${seconds(rests)}` };
      }
      watch.onStatus(`${outcome.message}, again in ${seconds(delay)}`);
      await sleep(delay, watch.signal);
      if (watch.signal.aborted) return failure("deadline", "stopped", false);
    }
  }

  function logFailure(line: Line, outcome: ModelFailure, at: { attempt: number; delayMs: number | undefined }): void {
    const limited = outcome.statusCode === 429 && at.delayMs !== undefined;
    log({
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

  return async (request, watch) => {
    const end = now() + deadlineMs;
    const failures: (ModelFailure & { readonly name: string })[] = [];
    for (const [index, line] of lines.entries()) {
      const left = end - now();
      if (left <= 0 || watch.signal.aborted) break;
      const name = `${line.provider} (${line.endpoint.model})`;
      if (index > 0) watch.onStatus(`asking ${name} instead`);
      const outcome = await askEndpoint(line, request, watch, now() + left / (lines.length - index));
      if ("kind" in outcome) return outcome;
      failures.push({ ...outcome, name });
    }
    if (failures.length === 0) return { kind: "failed", why: "unreachable", message: "no model could be asked" };
    const message = failures.map(({ name, message: said }) => `${name}: ${said}`).join("; ");
    return { kind: "failed", why: worst(failures), message };
  };
}

const seconds = (ms: number): string => `${Math.max(1, Math.ceil(ms / 1000))} s`;
