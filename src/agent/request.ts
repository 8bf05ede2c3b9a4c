import OpenAI, { APIConnectionTimeoutError, APIError } from "openai";
import { messageOf } from "../errors.ts";
import type { ChatMessage, TokenUsage, ToolCall } from "../types.ts";
import { cappedFetch, isOverlong } from "./capped-fetch.ts";
import { baseOf, costOf, type Endpoint, type Quirks, quirksOf, suitMessages } from "./endpoints.ts";
import { classifyRefusal, cleanMessage, type Failure, failure } from "./failure.ts";
import { estimateTokens, type TokenCounter } from "./tokens.ts";
import { readCompletion, readError, readModels, type ToolSpec, wireMessages, wireTools } from "./wire.ts";

export interface Reply {
  readonly kind: "reply";
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly finish: string;
  readonly usage: TokenUsage;
  readonly model: string;
  /** By the endpoint's price; 0 where it has none. */
  readonly cost: number;
}

export interface ModelRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolSpec[];
}

/** A client for the endpoint. Every option that the SDK would otherwise take from the environment is given. */
export function createClient(endpoint: Endpoint): OpenAI {
  const apiKey = endpoint.apiKey || "none";
  return new OpenAI({
    baseURL: baseOf(endpoint),
    apiKey,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: "off",
    maxRetries: 0,
    fetch: cappedFetch,
    defaultQuery: Object.fromEntries(new URL(endpoint.url).searchParams),
    ...(quirksOf(endpoint.url).key === "api-key" && { defaultHeaders: { authorization: null, "api-key": apiKey } }),
    // A redirect would carry key and prompt elsewhere. Not followed, it comes back as its status and can be named.
    fetchOptions: { redirect: "manual" },
  });
}

interface To {
  readonly endpoint: Endpoint;
  readonly client: OpenAI;
  readonly quirks: Quirks;
  readonly tokens: TokenCounter;
  readonly retryableStatuses: readonly number[];
}

/**
 * One HTTP request. Never throws. The timeout is a signal of our own: the SDK's does not cover the body of an error.
 */
export async function requestOnce(
  to: To,
  request: ModelRequest,
  { stop, timeoutMs }: { readonly stop: AbortSignal; readonly timeoutMs: number },
): Promise<Reply | Failure> {
  const { model } = to.endpoint;
  const tools = to.quirks.tools ? (request.tools ?? []) : [];
  const timer = AbortSignal.timeout(Math.ceil(timeoutMs));
  try {
    const body: unknown = await to.client.chat.completions.create(
      {
        model,
        messages: wireMessages(suitMessages(request.messages, to.quirks)),
        ...(tools.length > 0 && { tools: wireTools(tools) }),
      },
      { signal: AbortSignal.any([stop, timer]), timeout: Math.ceil(timeoutMs) + 1_000 },
    );
    return readBody(to, body, { ...request, tools });
  } catch (thrown) {
    if (stop.aborted) return failure("deadline", "stopped", false);
    return failureOf(thrown, { ...to, timeoutMs, isLate: timer.aborted });
  }
}

/** The models that an endpoint says it has, by a request that costs nothing. Never throws. */
export async function fetchModels(
  endpoint: Endpoint,
  timeoutMs: number,
): Promise<{ readonly kind: "models"; readonly names: readonly string[] } | Failure> {
  const timer = AbortSignal.timeout(timeoutMs);
  try {
    const body: unknown = await createClient(endpoint).get("/models", { signal: timer, timeout: timeoutMs + 1_000 });
    const names = readModels(body);
    return names ? { kind: "models", names } : failure("junk", "its answer is no list of models", false);
  } catch (thrown) {
    return failureOf(thrown, { endpoint, retryableStatuses: [], timeoutMs, isLate: timer.aborted });
  }
}

/** Why a request came to nothing. */
function failureOf(
  thrown: unknown,
  to: Pick<To, "endpoint" | "retryableStatuses"> & { readonly timeoutMs: number; readonly isLate: boolean },
): Failure {
  const { apiKey } = to.endpoint;
  if (to.isLate || thrown instanceof APIConnectionTimeoutError) {
    return failure("deadline", `no answer within ${Math.round(to.timeoutMs / 1000)} s`, true);
  }
  if (isOverlong(thrown)) return failure("junk", "its answer is too long to be one", true);
  if (thrown instanceof SyntaxError) return failure("junk", "its answer is not JSON", true);
  if (!(thrown instanceof APIError) || thrown.status === undefined) {
    return failure("unreachable", `no connection (${cleanMessage(causeOf(thrown), apiKey)})`, true);
  }
  const error = readError({ error: thrown.error });
  const said = cleanMessage(error?.message ?? "", apiKey);
  const refusal = { status: thrown.status, code: error?.code ?? "", message: said, headers: thrown.headers };
  return classifyRefusal(refusal, to.retryableStatuses, Date.now());
}

/** A 200 is an answer only with a choice in it; gateways send HTML and error bodies with it too. */
function readBody({ endpoint, tokens }: To, body: unknown, { messages, tools = [] }: ModelRequest): Reply | Failure {
  const completion = readCompletion(body);
  if (!completion) {
    const error = readError(body);
    if (!error) return failure("junk", "its answer holds no reply", true);
    const message = cleanMessage(error.message, endpoint.apiKey);
    return classifyRefusal({ status: 200, code: error.code, message, headers: undefined }, [200], Date.now());
  }
  if (completion.usage) tokens.learn(messages, tools, completion.usage);
  const usage = completion.usage ?? {
    inputTokens: tokens.countRequest(messages, tools),
    outputTokens: estimateTokens(completion.text),
    cachedTokens: 0,
    estimated: true,
  };
  const { text, toolCalls, finish } = completion;
  const cost = costOf(usage, endpoint.price);
  return { kind: "reply", text, toolCalls, finish, usage, model: endpoint.model, cost };
}

/** The innermost message of a chain of causes: "connect ECONNREFUSED …" rather than "Connection error.". */
function causeOf(thrown: unknown): string {
  let inner = thrown;
  for (let depth = 0; depth < 5 && inner instanceof Error && inner.cause !== undefined; depth += 1) inner = inner.cause;
  return messageOf(inner);
}
