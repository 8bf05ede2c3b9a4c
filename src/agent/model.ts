import OpenAI, { APIConnectionTimeoutError, APIError } from "openai";
import { messageOf } from "../errors.ts";
import type { ChatMessage, TokenUsage, ToolCall } from "../types.ts";
import { backoffMs, type Retry, sleepUnlessAborted } from "./backoff.ts";
import { type Breaker, createBreaker } from "./breaker.ts";
import { cappedFetch, isOverlong } from "./capped-fetch.ts";
import { classifyRefusal, cleanMessage, type Failure, type FailureKind, worst } from "./failure.ts";
import { createTokenCounter, estimateTokens, type TokenCounter } from "./tokens.ts";
import { readCompletion, readError, type ToolSpec, wireMessages, wireTools } from "./wire.ts";

/** One Chat Completions endpoint. An empty key is for servers that want none. */
interface Endpoint {
  readonly url: string;
  readonly model: string;
  readonly apiKey: string;
  /** In tokens; INJ-3 uses it where it is known. */
  readonly contextWindow?: number | undefined;
}

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

/** S14.3 `provider_error` and `provider_rate_limit`; `delayMs` is there where the request is repeated after it. */
export interface ModelEvent {
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

export interface Reply {
  readonly kind: "reply";
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly finish: string;
  readonly usage: TokenUsage;
  readonly model: string;
}

/** `message` is for a person and holds no key. */
type Answer = Reply | { readonly kind: "failed"; readonly why: FailureKind; readonly message: string };

interface ModelRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolSpec[];
}

interface Watch {
  readonly signal: AbortSignal;
  /** Gets a short line whenever the ask has to wait or changes its endpoint (S15.6). */
  readonly onStatus: (text: string) => void;
}

/** Asks the model once, with retries and fallback. Never throws: whatever goes wrong is an answer of kind `failed`. */
export type AskModel = (request: ModelRequest, watch: Watch) => Promise<Answer>;

interface Line {
  readonly endpoint: Endpoint;
  readonly provider: string;
  readonly client: OpenAI;
  readonly breaker: Breaker;
  readonly tokens: TokenCounter;
}

const provider = (url: string): string => (URL.canParse(url) ? new URL(url).host : "the model's endpoint");

/** Every option that the SDK would otherwise take from the environment is given. */
const createClient = (endpoint: Endpoint): OpenAI =>
  new OpenAI({
    baseURL: endpoint.url,
    apiKey: endpoint.apiKey || "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: "off",
    maxRetries: 0,
    fetch: cappedFetch,
    // A redirect would carry key and prompt elsewhere. Not followed, it comes back as its status and can be named.
    fetchOptions: { redirect: "manual" },
  });

/**
 * The only door to the model (RR-09, S15): endpoints in order, each with its retries, breaker and share of the deadline.
 */
export function createModel(options: ModelOptions): AskModel {
  const { deadlineMs, retry, log } = options;
  const random = options.random ?? Math.random;
  const sleep = options.sleep ?? sleepUnlessAborted;
  const now = options.now ?? (() => performance.now());
  const lines: readonly Line[] = options.endpoints.map((endpoint) => ({
    endpoint,
    provider: provider(endpoint.url),
    client: createClient(endpoint),
    breaker: createBreaker(now),
    tokens: createTokenCounter(),
  }));

  /** One HTTP request. The timeout is our own signal: the SDK's does not cover the body of an error. */
  async function requestOnce(line: Line, request: ModelRequest, stop: AbortSignal, timeoutMs: number) {
    const { model, apiKey } = line.endpoint;
    const tools = request.tools ?? [];
    const timer = AbortSignal.timeout(Math.ceil(timeoutMs));
    try {
      const body: unknown = await line.client.chat.completions.create(
        {
          model,
          messages: wireMessages(request.messages),
          ...(tools.length > 0 && { tools: wireTools(tools) }),
        },
        { signal: AbortSignal.any([stop, timer]), timeout: Math.ceil(timeoutMs) + 1_000 },
      );
      return readBody(line, body, request);
    } catch (thrown) {
      if (stop.aborted) return failure("deadline", "stopped", false);
      if (timer.aborted || thrown instanceof APIConnectionTimeoutError) {
        return failure("deadline", `no answer within ${Math.round(timeoutMs / 1000)} s`, true);
      }
      if (isOverlong(thrown)) return failure("junk", "its answer is too long to be one", true);
      if (thrown instanceof SyntaxError) return failure("junk", "its answer is not JSON", true);
      if (!(thrown instanceof APIError) || thrown.status === undefined) {
        return failure("unreachable", `no connection (${cleanMessage(causeOf(thrown), apiKey)})`, true);
      }
      const error = readError({ error: thrown.error });
      const said = cleanMessage(error?.message ?? "", apiKey);
      const refusal = { status: thrown.status, code: error?.code ?? "", message: said, headers: thrown.headers };
      return classifyRefusal(refusal, retry.retryableStatuses, Date.now());
    }
  }

  /** A 200 is an answer only with a choice in it; gateways send HTML and error bodies with it too. */
  function readBody(line: Line, body: unknown, request: ModelRequest): Reply | Failure {
    const completion = readCompletion(body);
    if (!completion) {
      const error = readError(body);
      if (!error) return failure("junk", "its answer holds no reply", true);
      const message = cleanMessage(error.message, line.endpoint.apiKey);
      return classifyRefusal({ status: 200, code: error.code, message, headers: undefined }, [200], Date.now());
    }
    const tools = request.tools ?? [];
    if (completion.usage) line.tokens.learn(request.messages, tools, completion.usage);
    const usage = completion.usage ?? {
      inputTokens: line.tokens.countRequest(request.messages, tools),
      outputTokens: estimateTokens(completion.text),
      cachedTokens: 0,
      estimated: true,
    };
    const { text, toolCalls, finish } = completion;
    return { kind: "reply", text, toolCalls, finish, usage, model: line.endpoint.model };
  }

  /** Asks one endpoint until it answers, refuses for good, or may not be repeated before `until`. */
  async function askEndpoint(line: Line, request: ModelRequest, watch: Watch, until: number): Promise<Reply | Failure> {
    const rest = line.breaker.waitMs();
    if (rest > 0) {
      return failure("unreachable", `left alone for another ${seconds(rest)} after repeated failures`, false);
    }
    for (let attempt = 0; ; attempt += 1) {
      // Half the deadline at most: a request that hangs must leave time for another one.
      const outcome = await requestOnce(line, request, watch.signal, Math.min(until - now(), deadlineMs / 2));
      if ("kind" in outcome) {
        line.breaker.succeeded();
        return outcome;
      }
      const delay = outcome.retryAfterMs ?? backoffMs(attempt, retry, random);
      const again = outcome.retryable && attempt < retry.maxRetries && now() + delay < until;
      logFailure(line, outcome, { attempt: again ? attempt + 1 : attempt, delayMs: again ? delay : undefined });
      if (!again) {
        if (outcome.retryable) line.breaker.failed();
        return outcome;
      }
      watch.onStatus(`${outcome.message}, again in ${seconds(delay)}`);
      await sleep(delay, watch.signal);
      if (watch.signal.aborted) return failure("deadline", "stopped", false);
    }
  }

  function logFailure(line: Line, outcome: Failure, at: { attempt: number; delayMs: number | undefined }): void {
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
    const failures: (Failure & { readonly name: string })[] = [];
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

const failure = (why: FailureKind, message: string, retryable: boolean): Failure => ({ why, message, retryable });

const seconds = (ms: number): string => `${Math.max(1, Math.ceil(ms / 1000))} s`;

/** The innermost message of a chain of causes: "connect ECONNREFUSED …" rather than "Connection error.". */
function causeOf(thrown: unknown): string {
  let inner = thrown;
  for (let depth = 0; depth < 5 && inner instanceof Error && inner.cause !== undefined; depth += 1) inner = inner.cause;
  return messageOf(inner);
}
