import { randomUUID } from "node:crypto";
import OpenAI, { APIConnectionTimeoutError, APIError } from "openai";
import { Stream } from "openai/streaming";
import type { ChatMessage, TokenUsage, ToolCall } from "../../base/agent.ts";
import { messageOf, type Problem } from "../../base/errors.ts";
import { type Fields, isRecord } from "../../base/json.ts";
import { counted } from "../../base/words.ts";
import { estimateTokens, type TokenCounter } from "../tokens.ts";
import { baseOf, costOf, type Endpoint, type Quirks, quirksOf } from "./endpoints.ts";
import { classifyRefusal, cleanMessage, failure, type ModelFailure } from "./failure.ts";
import { isKeptBack, readError, type ToolSpec, wireTools } from "./shapes.ts";

export interface Reply {
  readonly kind: "reply";
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly finish: string;
  /** As in `Completion`. */
  readonly refused?: boolean;
  readonly lostCalls?: number;
  readonly usage: TokenUsage;
  readonly model: string;
  /** 0 without a price. */
  readonly cost: number;
}

export interface ModelRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolSpec[];
  /** `none`: no tool may be called; the list is only for the provider's cache. */
  readonly toolChoice?: "none";
}

/** Creates a client; sets every option that the SDK would take from the environment. */
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
    // A redirect would send key and prompt elsewhere.
    fetchOptions: { redirect: "manual" },
  });
}

interface RequestTarget {
  readonly endpoint: Endpoint;
  readonly client: OpenAI;
  readonly quirks: Quirks;
  readonly tokens: TokenCounter;
  readonly retryableStatuses: readonly number[];
}

/** With their names for errors. */
export interface RequestLimits {
  /** Until the answer is complete. */
  readonly wholeMs: number;
  readonly whole: string;
  /** Without any data, before or during the answer. */
  readonly silentMs: number;
  readonly silent: string;
}

/** Makes one HTTP request, streamed if possible. Never throws. Uses our signals, because the SDK's timeout covers no body. */
export async function requestOnce(
  to: RequestTarget,
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
    // Converts messages to Chat Completions.
    const response = await client.chat.completions
      .create(
        {
          model,
          messages: suitMessages(request.messages, quirks, request.tools).map((message) => {
            if (message.role === "tool") {
              return { role: "tool" as const, tool_call_id: message.toolCallId, content: message.content };
            }
            if (message.role !== "assistant" || !message.toolCalls?.length) {
              return { role: message.role, content: message.content };
            }
            return {
              role: "assistant" as const,
              content: message.content,
              tool_calls: message.toolCalls.map((call) => ({
                id: call.id,
                type: "function" as const,
                function: { name: call.name, arguments: call.arguments },
              })),
            };
          }),
          ...(tools.length > 0 && { tools: wireTools(tools, quirks) }),
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

/** Adapts messages to these quirks. An endpoint that takes no tools is told in words what each takes. */
function suitMessages(
  messages: readonly ChatMessage[],
  quirks: Quirks,
  tools: readonly ToolSpec[] = [],
): readonly ChatMessage[] {
  let suited = messages;
  if (!quirks.tools)
    suited = suited.map((message) => {
      if (message.role === "system" && tools.length > 0)
        return { ...message, content: `${message.content}\n\n${parametersOf(tools)}` };
      if (message.role === "tool") return { role: "user", content: `Result of the call:\n${message.content}` };
      if (message.role !== "assistant" || !message.toolCalls) return message;
      const calls = message.toolCalls.map((call) => `(calls ${call.name} with ${call.arguments})`);
      return { role: "assistant", content: [message.content, ...calls].filter((line) => line !== "").join("\n") };
    });
  if (quirks.system === "user")
    suited = suited.map((message) => (message.role === "system" ? { ...message, role: "user" } : message));
  return quirks.alternates ? merge(suited) : suited;
}

function parametersOf(tools: readonly ToolSpec[]): string {
  const lines = tools.map(({ name, parameters: { properties, required } }) => {
    const needed = Array.isArray(required) ? required : [];
    const given = Object.keys(properties ?? {}).map((one) => `${one}${needed.includes(one) ? "" : "?"}`);
    return `- \`${name}\` (${given.join(", ") || "nothing"})`;
  });
  return ["What each tool takes:", ...lines].join("\n");
}

function merge(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const merged: ChatMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    const joins = last?.role === message.role && message.role !== "tool" && !hasCalls(last) && !hasCalls(message);
    if (last && joins) merged[merged.length - 1] = { ...last, content: `${last.content}\n\n${message.content}` };
    else merged.push(message);
  }
  return merged;
}

const hasCalls = (message: ChatMessage): boolean => message.role === "assistant" && message.toolCalls !== undefined;

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

function lateWords(
  limits: RequestLimits,
  { isSilent, isLate, begun }: { readonly isSilent: boolean; readonly isLate: boolean; readonly begun: boolean },
): string | undefined {
  if (isSilent)
    return `${begun ? "its answer stopped, and nothing more came" : "no answer"} within ${inSeconds(limits.silentMs)} (${limits.silent})`;
  if (isLate) return `${begun ? "no whole answer" : "no answer"} within ${inSeconds(limits.wholeMs)} (${limits.whole})`;
  return undefined;
}

/** Reads an endpoint's list of models, at no cost. Never throws. */
async function fetchModels(
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

/** Reads the `id`s of a list of models; undefined if the body is no list. */
function readModels(body: unknown): readonly string[] | undefined {
  if (!isRecord(body) || !Array.isArray(body.data)) return undefined;
  return body.data.flatMap((one: unknown) => (isRecord(one) && typeof one.id === "string" ? [one.id] : []));
}

function failureOf(
  thrown: unknown,
  to: Pick<RequestTarget, "endpoint" | "retryableStatuses"> & {
    readonly late: string | undefined;
    readonly begun: boolean;
  },
): ModelFailure {
  const { apiKey } = to.endpoint;
  if (to.late !== undefined) return failure("deadline", to.late, true);
  if (thrown instanceof APIConnectionTimeoutError) return failure("deadline", "no connection in time", true);
  if (thrown instanceof OverlongAnswer || (thrown instanceof Error && thrown.cause instanceof OverlongAnswer))
    return failure("junk", "its answer is too long to be one", true);
  if (thrown instanceof SyntaxError) return failure("junk", "its answer is not JSON", true);
  const error = thrown instanceof APIError ? readError({ error: thrown.error }) : undefined;
  if (!(thrown instanceof APIError) || (thrown.status === undefined && !error)) {
    const why = cleanMessage(causeOf(thrown), apiKey);
    const broke = to.begun || thrown instanceof BrokenOff;
    return failure("unreachable", `${broke ? "its answer broke off" : "no connection"} (${why})`, true);
  }
  const said = cleanMessage(error?.message ?? "", apiKey);
  // An error inside or instead of a stream has the stream's status.
  const { status = 200, headers } = thrown;
  const refusal = { status, code: error?.code ?? "", message: said, headers };
  return classifyRefusal(refusal, [...to.retryableStatuses, ...(status === 200 ? [200] : [])], Date.now());
}

/** Gateways send HTML and errors with a 200 too. */
function readBody(
  { endpoint, tokens }: RequestTarget,
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

/** "connect ECONNREFUSED …" instead of "Connection error.". */
function causeOf(thrown: unknown): string {
  let inner = thrown;
  for (let depth = 0; depth < 5 && inner instanceof Error && inner.cause !== undefined; depth += 1) inner = inner.cause;
  return messageOf(inner);
}

/** An endless answer must not fill the memory (F-17). */
const maxAnswerBytes = 2 * 1024 * 1024;
/** A stream wraps each word in a few hundred bytes; `checkLength` caps its words. */
const maxStreamBytes = 32 * 1024 * 1024;

class OverlongAnswer extends Error {
  override readonly name = "OverlongAnswer";
}

function checkLength(characters: number): void {
  if (characters > maxAnswerBytes) throw new OverlongAnswer(`more than ${maxAnswerBytes} characters`);
}

type Dispatcher = NonNullable<RequestInit["dispatcher"]>;

/** Fails if the decompressed body exceeds the cap. */
async function cappedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  // The process's dispatcher, with its proxies but without undici's limits of 300 s on headers and pauses:
  // `model.deadline` limits an answer, and an error must name the limit that was hit.
  const own: Dispatcher | undefined = Reflect.get(globalThis, Symbol.for("undici.globalDispatcher.1"));
  const dispatch: Dispatcher["dispatch"] = (options, handler) =>
    own?.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler) ?? false;
  const dispatcher = own && Object.create(own, { dispatch: { value: dispatch } });
  const response = await fetch(input, { ...init, ...(dispatcher && { dispatcher }) });
  if (!response.body) return response;
  const maxBytes =
    (response.headers.get("content-type")?.toLowerCase().startsWith("text/event-stream") ?? false)
      ? maxStreamBytes
      : maxAnswerBytes;
  let bytes = 0;
  const cap = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) controller.error(new OverlongAnswer(`more than ${maxBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(cap), { status, statusText, headers });
}

class BrokenOff extends Error {
  override readonly name = "BrokenOff";
}

interface Listener {
  /** At each sign of life, comments included. */
  readonly heard: () => void;
  readonly onText: (text: string) => void;
}

type ReadEvents = (response: Response) => AsyncIterable<unknown>;

/**
 * The body's beginning decides whether it is a stream: endpoints that cannot stream answer whole, and some give no type. Throws `BrokenOff`
 * if a stream ends early.
 */
async function readAnswer(response: Response, readEvents: ReadEvents, listener: Listener): Promise<unknown> {
  const { begin, rest, isDone } = await peek(response, listener.heard);
  const { status, headers } = response;
  const body = new Response(rest, { status: status === 204 ? 200 : status, headers });
  if (/^[:deir]/.test(begin)) return gather(readEvents(body), { onText: listener.onText, isDone });
  const text = await body.text();
  // So far a stream's larger cap applied.
  checkLength(text.length);
  try {
    return JSON.parse(text);
  } catch (error) {
    if (text.trim() !== "" && /\bjson\b/i.test(headers.get("content-type") ?? "")) throw error;
    return text;
  }
}

const doneMark = /^data: ?\[DONE\]/m;

/** `isDone`: what was read ends like a stream. */
async function peek(response: Response, heard: () => void) {
  const reader = response.body?.getReader();
  let tail = "";
  const read = async (): Promise<Uint8Array | undefined> => {
    const chunk = await reader?.read();
    if (!chunk?.value) return undefined;
    heard();
    tail = (tail + Buffer.from(chunk.value.subarray(-64)).toString("latin1")).slice(-64);
    return chunk.value;
  };
  const decoder = new TextDecoder();
  const first: Uint8Array[] = [];
  let begin = "";
  while (begin === "") {
    const chunk = await read();
    if (!chunk) break;
    first.push(chunk);
    begin = decoder.decode(chunk, { stream: true }).trimStart();
  }
  const rest = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const chunk = first.shift() ?? (await read());
      if (chunk) controller.enqueue(chunk);
      else controller.close();
    },
    cancel: (reason) => reader?.cancel(reason),
  });
  return { begin, rest, isDone: () => doneMark.test(tail) };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Most endpoints send text, some a list of parts. */
const contentOf = (value: unknown): string =>
  Array.isArray(value) ? value.map((part) => (isRecord(part) ? textOf(part.text) : "")).join("") : textOf(value);

interface StreamedCall {
  readonly index: unknown;
  id: string;
  name: string;
  arguments: string;
}

/** Appends text and arguments; of everything else the last counts. */
async function gather(
  events: AsyncIterable<unknown>,
  { onText, isDone }: Pick<Listener, "onText"> & { readonly isDone: () => boolean },
): Promise<unknown> {
  const calls: StreamedCall[] = [];
  let content = "";
  let refusal = "";
  let finish: string | undefined;
  let usage: unknown;
  let begun = false;
  let length = 0;
  for await (const event of events) {
    if (!isRecord(event)) continue;
    usage = isRecord(event.usage) ? event.usage : usage;
    const choice: unknown = Array.isArray(event.choices) ? event.choices[0] : undefined;
    if (!isRecord(choice)) continue;
    begun = true;
    finish = textOf(choice.finish_reason) || finish;
    // Some send the whole message as one event.
    const delta = isRecord(choice.delta) ? choice.delta : choice.message;
    if (!isRecord(delta)) continue;
    const said = contentOf(delta.content);
    content += said;
    refusal += textOf(delta.refusal);
    const pieces = Array.isArray(delta.tool_calls) ? delta.tool_calls.filter(isRecord) : [];
    for (const piece of pieces) length += addPiece(calls, piece);
    checkLength(content.length + refusal.length + length);
    if (said !== "") onText(content);
  }
  if (!begun) return { usage };
  // A body can end normally though its source did not finish.
  if (finish === undefined && !isDone()) throw new BrokenOff("the stream ended without its end");
  const tool_calls = calls.map(({ id, name, arguments: args }) => ({ id, function: { name, arguments: args } }));
  return { choices: [{ finish_reason: finish, message: { content, refusal, tool_calls } }], usage };
}

/** Many calls are as long as many words. */
const callCharacters = 512;
const sizeOf = ({ id, name, arguments: args }: StreamedCall): number =>
  callCharacters + id.length + name.length + args.length;

/** Returns by how many characters the calls grew. */
function addPiece(calls: StreamedCall[], piece: Fields): number {
  const { index } = piece;
  const id = textOf(piece.id);
  const given = isRecord(piece.function) ? piece.function : {};
  const name = textOf(given.name);
  const args = isRecord(given.arguments) ? JSON.stringify(given.arguments) : textOf(given.arguments);
  const known = index === undefined ? calls.at(-1) : calls.findLast((call) => call.index === index);
  // Some endpoints number no calls, or all the same: then the id distinguishes them.
  if (known && (id === "" || id === known.id || known.id === "")) {
    const before = sizeOf(known);
    known.id ||= id;
    known.name ||= name;
    known.arguments += args;
    return sizeOf(known) - before;
  }
  const begun = { index, id, name, arguments: args };
  calls.push(begun);
  return sizeOf(begun);
}

const timeoutMs = 15_000;

type LookProblem = Pick<Problem, "message" | "remedy">;

/** A doubt is a fact that it could not confirm. */
interface ModelLook {
  readonly said: string;
  readonly fault?: LookProblem;
  readonly doubt?: LookProblem;
}

/** These mean that an endpoint has no list; others, that it does not serve. */
const noList: readonly (number | undefined)[] = [404, 405, 501];

/** Checks address, key and model by the endpoint's list of models, at no cost. Never throws. */
export async function lookAtModel(endpoint: Endpoint): Promise<ModelLook> {
  const { model, url } = endpoint;
  const { host } = new URL(url);
  const answer = await fetchModels(endpoint, timeoutMs);
  if (!("kind" in answer)) return failed(host, answer);
  const said = `${model} at ${host}`;
  if (answer.names.includes(model)) return { said };
  const message = `${host} names ${counted(answer.names.length, "model")}, and ${model} is not among them`;
  return { said, doubt: { message, remedy: "correct `model`, unless it stands for one that is not listed" } };
}

function failed(host: string, { message: why, statusCode }: ModelFailure): ModelLook {
  if (noList.includes(statusCode)) {
    const message = `${host} has no list of models below this address: neither key nor model were tried`;
    return {
      said: "not tried",
      doubt: { message, remedy: "compare `url` with what its maker says; it often ends in /v1" },
    };
  }
  const remedy =
    statusCode === 401 || statusCode === 403
      ? "put a valid key in its place"
      : "correct `url`, or look whether it is up";
  return {
    said: `${host}: ${why}`,
    fault: { message: `${host}: ${why}`, remedy },
  };
}

/** Read field by field, because "compatible" endpoints differ in all of them. */
interface Completion {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** The endpoint's word: `stop`, `length`, `tool_calls`, `content_filter` … */
  readonly finish: string;
  /** By the model in its own field, or by its provider. */
  readonly refused: boolean;
  /** Unreadable calls. */
  readonly lostCalls: number;
  /** Absent if the endpoint counted nothing. */
  readonly usage?: TokenUsage;
}

const count = (value: unknown): number => (typeof value === "number" && value > 0 ? Math.floor(value) : 0);

/** Some gateways send a list of parts. A refusal is text too. */
function readText(message: Fields): string {
  const { content, refusal } = message;
  if (typeof content === "string" && content !== "") return content;
  if (Array.isArray(content)) {
    return content.map((part: unknown) => (isRecord(part) && typeof part.text === "string" ? part.text : "")).join("");
  }
  return typeof refusal === "string" ? refusal : "";
}

/** Some endpoints' ids contain a signature. Other ids could not be stored, or would make later requests fail. */
const callId = /^[\x21-\x7e]{1,512}$/;

/** JSON can name numbers that the store has no room for. */
const mostTokens = 1_000_000_000;

function readUsage(value: unknown): TokenUsage | undefined {
  if (!isRecord(value) || typeof value.prompt_tokens !== "number") return undefined;
  const details = isRecord(value.prompt_tokens_details) ? value.prompt_tokens_details : {};
  const inputTokens = count(value.prompt_tokens);
  const outputTokens = count(value.completion_tokens);
  const cachedTokens = count(details.cached_tokens);
  if (Math.max(inputTokens, outputTokens, cachedTokens) > mostTokens) return undefined;
  return { inputTokens, outputTokens, cachedTokens, estimated: false };
}

/** Reads a body's completion; undefined if it has none (HTML, `choices: []`, an error). */
function readCompletion(body: unknown): Completion | undefined {
  if (!isRecord(body) || !Array.isArray(body.choices)) return undefined;
  const choice: unknown = body.choices[0];
  if (!isRecord(choice) || !isRecord(choice.message)) return undefined;
  const calls = Array.isArray(choice.message.tool_calls) ? choice.message.tool_calls : [];
  const ids = new Set<string>();
  const toolCalls = calls
    .map((call: unknown) => {
      // Adds the id to `taken`, because each result names its call by it.
      if (!isRecord(call) || !isRecord(call.function)) return undefined;
      const { name, arguments: args } = call.function;
      if (typeof name !== "string" || name === "") return undefined;
      const { id: given } = call;
      const id = typeof given === "string" && callId.test(given) && !ids.has(given) ? given : `call_${randomUUID()}`;
      ids.add(id);
      return { id, name, arguments: typeof args === "string" ? args : JSON.stringify(args ?? {}) };
    })
    .filter((call) => call !== undefined);
  const usage = readUsage(body.usage);
  const finish = typeof choice.finish_reason === "string" ? choice.finish_reason : "stop";
  const meant = finish === "tool_calls" ? Math.max(1, calls.length) : calls.length;
  const { refusal } = choice.message;
  return {
    text: readText(choice.message),
    toolCalls,
    finish,
    refused: isKeptBack(finish) || (typeof refusal === "string" && refusal !== ""),
    lostCalls: meant - toolCalls.length,
    ...(usage && { usage }),
  };
}
