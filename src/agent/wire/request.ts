import OpenAI, { APIConnectionTimeoutError, APIError } from "openai";
import { Stream } from "openai/streaming";
import type { ChatMessage, TokenUsage, ToolCall } from "../../base/agent.ts";
import { messageOf } from "../../base/errors.ts";
import { estimateTokens, type TokenCounter } from "../tokens.ts";
import { cappedFetch, isOverlong } from "./capped-fetch.ts";
import { baseOf, costOf, type Endpoint, type Quirks, quirksOf, suitMessages } from "./endpoints.ts";
import { classifyRefusal, cleanMessage, failure, type ModelFailure } from "./failure.ts";
import { readCompletion, readError, readModels, type ToolSpec, wireMessages, wireTools } from "./shapes.ts";
import { BrokenOff, readAnswer } from "./stream.ts";

export interface Reply {
  readonly kind: "reply";
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly finish: string;
  /** As `Completion` has them; no and none where absent. */
  readonly refused?: boolean;
  readonly lostCalls?: number;
  readonly usage: TokenUsage;
  readonly model: string;
  /** By the endpoint's price; 0 where it has none. */
  readonly cost: number;
}

export interface ModelRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolSpec[];
  /** `none`: the tools stand there for the provider's cache alone, and none may be called. */
  readonly toolChoice?: "none";
}

/** A client for the endpoint. Every option that the SDK would otherwise take from the environment is given. */
export function createModelClient(endpoint: Endpoint): OpenAI {
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

/** How long a request may take, and the names of these limits for whoever reads that one has struck. */
export interface RequestLimits {
  /** Until the answer is whole. */
  readonly wholeMs: number;
  readonly whole: string;
  /** While nothing comes at all, be it before the answer or in the middle of it. */
  readonly silentMs: number;
  readonly silent: string;
}

/**
 * One HTTP request, its answer streamed where the endpoint can. Never throws. The limits are signals of our own: the SDK's
 * timeout covers neither the body of an answer nor that of an error.
 */
export async function requestOnce(
  to: To,
  request: ModelRequest,
  watch: { readonly stop: AbortSignal; readonly limits: RequestLimits; readonly onText: (text: string) => void },
): Promise<Reply | ModelFailure> {
  const { stop, limits, onText } = watch;
  const { client, quirks } = to;
  const { model } = to.endpoint;
  const tools = quirks.tools && (quirks.toolChoice || request.toolChoice === undefined) ? (request.tools ?? []) : [];
  const whole = AbortSignal.timeout(Math.ceil(limits.wholeMs));
  const silence = createSilence(limits.silentMs);
  const signal = AbortSignal.any([stop, whole, silence.signal]);
  try {
    const response = await client.chat.completions
      .create(
        {
          model,
          messages: wireMessages(suitMessages(request.messages, quirks)),
          ...(tools.length > 0 && { tools: wireTools(tools) }),
          ...(tools.length > 0 && request.toolChoice && { tool_choice: request.toolChoice }),
          ...(quirks.streams && { stream: true }),
          ...(quirks.streams && quirks.streamUsage && { stream_options: { include_usage: true } }),
        },
        { signal, timeout: Math.ceil(limits.wholeMs) + 1_000 },
      )
      .asResponse();
    silence.heard();
    const readEvents = (body: Response) => Stream.fromSSEResponse<unknown>(body, new AbortController(), client);
    const body = await readAnswer(response, readEvents, { heard: silence.heard, onText });
    return readBody(to, body, { ...request, tools });
  } catch (thrown) {
    if (stop.aborted) return failure("deadline", "stopped", false);
    const late = lateWords(limits, { isSilent: silence.signal.aborted, isLate: whole.aborted, begun: silence.begun() });
    return failureOf(thrown, { ...to, late, begun: silence.begun() });
  } finally {
    silence.end();
  }
}

/** A signal that aborts where nothing is heard for so long. */
function createSilence(ms: number) {
  const controller = new AbortController();
  let begun = false;
  const timer = setTimeout(() => controller.abort(), Math.ceil(ms));
  return {
    signal: controller.signal,
    begun: () => begun,
    heard: () => {
      begun = true;
      timer.refresh();
    },
    end: () => clearTimeout(timer),
  };
}

const inSeconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;

/** Which limit struck; nothing where none has. */
function lateWords(
  limits: RequestLimits,
  { isSilent, isLate, begun }: { readonly isSilent: boolean; readonly isLate: boolean; readonly begun: boolean },
): string | undefined {
  if (isSilent)
    return `${begun ? "its answer stopped, and nothing more came" : "no answer"} within ${inSeconds(limits.silentMs)} (${limits.silent})`;
  if (isLate) return `${begun ? "no whole answer" : "no answer"} within ${inSeconds(limits.wholeMs)} (${limits.whole})`;
  return undefined;
}

/** The models that an endpoint says it has, by a request that costs nothing. Never throws. */
export async function fetchModels(
  endpoint: Endpoint,
  timeoutMs: number,
): Promise<{ readonly kind: "models"; readonly names: readonly string[] } | ModelFailure> {
  const timer = AbortSignal.timeout(timeoutMs);
  try {
    const body: unknown = await createModelClient(endpoint).get("/models", {
      signal: timer,
      timeout: timeoutMs + 1_000,
    });
    const names = readModels(body);
    return names ? { kind: "models", names } : failure("junk", "its answer is no list of models", false);
  } catch (thrown) {
    const late = timer.aborted ? `no answer within ${inSeconds(timeoutMs)}` : undefined;
    return failureOf(thrown, { endpoint, retryableStatuses: [], late, begun: false });
  }
}

/** Why a request came to nothing. */
function failureOf(
  thrown: unknown,
  to: Pick<To, "endpoint" | "retryableStatuses"> & { readonly late: string | undefined; readonly begun: boolean },
): ModelFailure {
  const { apiKey } = to.endpoint;
  if (to.late !== undefined) return failure("deadline", to.late, true);
  if (thrown instanceof APIConnectionTimeoutError) return failure("deadline", "no connection in time", true);
  if (isOverlong(thrown)) return failure("junk", "its answer is too long to be one", true);
  if (thrown instanceof SyntaxError) return failure("junk", "its answer is not JSON", true);
  const error = thrown instanceof APIError ? readError({ error: thrown.error }) : undefined;
  if (!(thrown instanceof APIError) || (thrown.status === undefined && !error)) {
    const why = cleanMessage(causeOf(thrown), apiKey);
    const broke = to.begun || thrown instanceof BrokenOff;
    return failure("unreachable", `${broke ? "its answer broke off" : "no connection"} (${why})`, true);
  }
  const said = cleanMessage(error?.message ?? "", apiKey);
  // An error in the middle of a stream, or one that came in its place, has the status of the stream.
  const { status = 200, headers } = thrown;
  const refusal = { status, code: error?.code ?? "", message: said, headers };
  return classifyRefusal(refusal, [...to.retryableStatuses, ...(status === 200 ? [200] : [])], Date.now());
}

/** A 200 is an answer only with a choice in it; gateways send HTML and error bodies with it too. */
function readBody(
  { endpoint, tokens }: To,
  body: unknown,
  { messages, tools = [] }: ModelRequest,
): Reply | ModelFailure {
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
  const { text, toolCalls, finish, refused, lostCalls } = completion;
  const odd = { ...(refused && { refused }), ...(lostCalls > 0 && { lostCalls }) };
  const cost = costOf(usage, endpoint.price);
  return { kind: "reply", text, toolCalls, finish, ...odd, usage, model: endpoint.model, cost };
}

/** The innermost message of a chain of causes: "connect ECONNREFUSED …" rather than "Connection error.". */
function causeOf(thrown: unknown): string {
  let inner = thrown;
  for (let depth = 0; depth < 5 && inner instanceof Error && inner.cause !== undefined; depth += 1) inner = inner.cause;
  return messageOf(inner);
}
