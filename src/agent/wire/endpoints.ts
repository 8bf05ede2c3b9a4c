import type { ChatMessage, TokenUsage } from "../../base/agent.ts";

/** What an endpoint asks for its tokens, per million and in one currency for all (SR-58). */
export interface Price {
  readonly input: number;
  /** For input that it had in its cache; as other input where absent. */
  readonly cachedInput?: number | undefined;
  readonly output: number;
}

/** One Chat Completions endpoint. An empty key is for servers that want none. */
export interface Endpoint {
  /** Its query, if any (Azure's `api-version`), goes with every request. */
  readonly url: string;
  readonly model: string;
  readonly apiKey: string;
  /** In tokens; INJ-3 uses it where it is known, and old outputs are left out before it is full. */
  readonly contextWindow?: number | undefined;
  readonly price?: Price | undefined;
}

/** What an endpoint wants otherwise than the wire's description has it. */
export interface Quirks {
  /** The header that carries the key. */
  readonly key: "authorization" | "api-key";
  /** Where requests go when the address names the host alone. */
  readonly path: string;
  /** False where it refuses tools: the text protocol does without them. */
  readonly tools: boolean;
  /** The role under which it takes the system prompt. */
  readonly system: "system" | "user";
  /** True where it refuses two messages of one role in a row. */
  readonly alternates: boolean;
  /** False where it refuses to stream. */
  readonly streams: boolean;
  /** False where it refuses to be asked for the usage of a stream, which is then estimated. */
  readonly streamUsage: boolean;
  /** False where it refuses `tool_choice`: the last request of a turn then goes without tools. */
  readonly toolChoice: boolean;
}

const none: Quirks = {
  key: "authorization",
  path: "",
  tools: true,
  system: "system",
  alternates: false,
  streams: true,
  streamUsage: true,
  toolChoice: true,
};

/** Known by their host. */
const known: readonly { readonly host: RegExp; readonly quirks: Partial<Quirks> }[] = [
  {
    host: /\.(?:openai\.azure\.com|cognitiveservices\.azure\.com|services\.ai\.azure\.com)$/,
    quirks: { key: "api-key", path: "/openai/v1" },
  },
];

/** Learnt from the words with which a request was refused: what serves at an address is not told by the address. */
const lessons: readonly { readonly says: RegExp; readonly quirks: Partial<Quirks> }[] = [
  // Ollama for many of its models; vLLM that was started without a tool parser.
  {
    says: /does not support (?:tools|tool|function)|tools? (?:use|calling|calls?) (?:is|are) not supported|tool[ _]choice requires/i,
    quirks: { tools: false },
  },
  // Chat templates of Gemma and Mistral.
  { says: /system role (?:is )?not supported/i, quirks: { system: "user", alternates: true } },
  { says: /roles must alternate|must alternate between/i, quirks: { alternates: true } },
  { says: /stream_options|include_usage/i, quirks: { streamUsage: false } },
  // OpenAI for organizations that it has not verified; gateways that buffer.
  { says: /\bstream(?:ing|ed)?\b/i, quirks: { streams: false } },
  { says: /tool[ _]choice(?! requires)/i, quirks: { toolChoice: false } },
];

/** The quirks of the endpoint at an address, as far as the address tells. */
export function quirksOf(url: string): Quirks {
  const { hostname } = new URL(url);
  return Object.assign({}, none, ...known.filter(({ host }) => host.test(hostname)).map(({ quirks }) => quirks));
}

/** What a refusal's words teach of an endpoint; nothing where they teach nothing new. */
export function learnQuirks(quirks: Quirks, said: string): Quirks | undefined {
  const taught = lessons.filter(({ says }) => says.test(said)).map((lesson) => lesson.quirks);
  const learnt: Quirks = Object.assign({}, quirks, ...taught);
  return JSON.stringify(learnt) === JSON.stringify(quirks) ? undefined : learnt;
}

/** The messages as an endpoint with these quirks takes them; the same list where it has none. */
export function suitMessages(messages: readonly ChatMessage[], quirks: Quirks): readonly ChatMessage[] {
  let suited = messages;
  if (!quirks.tools) suited = suited.map(withoutTools);
  if (quirks.system === "user")
    suited = suited.map((message) => (message.role === "system" ? { ...message, role: "user" } : message));
  return quirks.alternates ? merge(suited) : suited;
}

/** A call and its result as words, for an endpoint that knows neither. */
function withoutTools(message: ChatMessage): ChatMessage {
  if (message.role === "tool") return { role: "user", content: `Result of the call:\n${message.content}` };
  if (message.role !== "assistant" || !message.toolCalls) return message;
  const calls = message.toolCalls.map((call) => `(calls ${call.name} with ${call.arguments})`);
  return { role: "assistant", content: [message.content, ...calls].filter((line) => line !== "").join("\n") };
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

/** The address without its query, with the path that belongs there where it names the host alone. */
export function baseOf({ url }: Endpoint): string {
  const { origin, pathname } = new URL(url);
  return origin + (pathname === "/" ? quirksOf(url).path : pathname.replace(/\/+$/, ""));
}

/** What an ask cost at this price; 0 where there is none. */
export function costOf(usage: Omit<TokenUsage, "estimated">, price: Price | undefined): number {
  if (!price) return 0;
  const cached = Math.min(usage.cachedTokens, usage.inputTokens);
  const { input, cachedInput = input, output } = price;
  return ((usage.inputTokens - cached) * input + cached * cachedInput + usage.outputTokens * output) / 1_000_000;
}
