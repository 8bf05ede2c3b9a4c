import { randomUUID } from "node:crypto";
import type { TokenUsage, ToolCall } from "../../base/agent.ts";
import { type Fields, isRecord } from "../../base/json.ts";

/** `parameters` is a JSON Schema object. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Read field by field, because "compatible" endpoints differ in all of them. */
export interface Completion {
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

/** With any status. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
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

const keptBack: ReadonlySet<string | undefined> = new Set(["content_filter", "refusal", "safety"]);
/** Returns whether a provider kept its model's answer back. */
export const isKeptBack = (finish: string | undefined): boolean => keptBack.has(finish);

/** Reads a body's completion; undefined if it has none (HTML, `choices: []`, an error). */
export function readCompletion(body: unknown): Completion | undefined {
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

/** Reads `{error: {code, type, message}}` or `{error: "…"}`; undefined if there is none. */
export function readError(body: unknown): ErrorBody | undefined {
  if (!isRecord(body)) return undefined;
  const { error } = body;
  if (typeof error === "string") return { code: "", message: error };
  if (!isRecord(error)) return undefined;
  const code = [error.code, error.type].find((value) => typeof value === "string" && value !== "");
  return {
    code: typeof code === "string" ? code : "",
    message: typeof error.message === "string" ? error.message : "",
  };
}

/** Converts tools to Chat Completions. The system prompt describes each, so that a request says it once. */
export const wireTools = (tools: readonly ToolSpec[], { described = false }: { readonly described?: boolean } = {}) =>
  tools.map(({ name, description, parameters }) => ({
    type: "function" as const,
    function: { name, ...(described && { description }), parameters: { ...parameters } },
  }));
