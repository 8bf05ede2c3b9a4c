import type { TokenUsage } from "../../base/agent.ts";

/** Per million tokens; all endpoints use one currency (SR-58). */
export interface Price {
  readonly input: number;
  /** If absent, `input` applies. */
  readonly cachedInput?: number | undefined;
  readonly output: number;
}

/** The key is empty if the server wants none. */
export interface Endpoint {
  /** Its query (Azure's `api-version`) goes with every request. */
  readonly url: string;
  readonly model: string;
  readonly apiKey: string;
  /** In tokens; limits requests and times repeated rules (INJ-3). */
  readonly contextWindow?: number | undefined;
  readonly price?: Price | undefined;
}

export interface Quirks {
  readonly key: "authorization" | "api-key";
  /** Used if the address is only a host. */
  readonly path: string;
  /** The text protocol needs none. */
  readonly tools: boolean;
  /** Takes no tool without a description. */
  readonly described: boolean;
  readonly system: "system" | "user";
  /** Refuses two messages of one role in a row. */
  readonly alternates: boolean;
  readonly streams: boolean;
  /** If false, usage is estimated. */
  readonly streamUsage: boolean;
  /** If false, a turn's last request has no tools. */
  readonly toolChoice: boolean;
}

const none: Quirks = {
  key: "authorization",
  path: "",
  tools: true,
  described: false,
  system: "system",
  alternates: false,
  streams: true,
  streamUsage: true,
  toolChoice: true,
};

const known: readonly { readonly host: RegExp; readonly quirks: Partial<Quirks> }[] = [
  {
    host: /\.(?:openai\.azure\.com|cognitiveservices\.azure\.com|services\.ai\.azure\.com)$/,
    quirks: { key: "api-key", path: "/openai/v1" },
  },
];

/** Learned from refusals, because an address does not say what serves there. */
const lessons: readonly { readonly says: RegExp; readonly quirks: Partial<Quirks> }[] = [
  // Ollama for many of its models; vLLM without a tool parser.
  {
    says: /does not support (?:tools|tool|function)|tools? (?:use|calling|calls?) (?:is|are) not supported|tool[ _]choice requires/i,
    quirks: { tools: false },
  },
  // Bedrock and Cohere require one of each function.
  { says: /\bdescriptions?\b/i, quirks: { described: true } },
  // Chat templates of Gemma and Mistral.
  { says: /system role (?:is )?not supported/i, quirks: { system: "user", alternates: true } },
  { says: /roles must alternate|must alternate between/i, quirks: { alternates: true } },
  { says: /stream_options|include_usage/i, quirks: { streamUsage: false } },
  // OpenAI for organizations that it has not verified; gateways that buffer.
  { says: /\bstream(?:ing|ed)?\b/i, quirks: { streams: false } },
  { says: /tool[ _]choice(?! requires)/i, quirks: { toolChoice: false } },
];

/** Returns the quirks that an address shows. */
export function quirksOf(url: string): Quirks {
  const { hostname } = new URL(url);
  return Object.assign({}, none, ...known.filter(({ host }) => host.test(hostname)).map(({ quirks }) => quirks));
}

/** Returns the quirks after a refusal; undefined if it teaches nothing new. */
export function learnQuirks(quirks: Quirks, said: string): Quirks | undefined {
  const taught = lessons.filter(({ says }) => says.test(said)).map((lesson) => lesson.quirks);
  const learned: Quirks = Object.assign({}, quirks, ...taught);
  return JSON.stringify(learned) === JSON.stringify(quirks) ? undefined : learned;
}

/** Returns the address without its query; a host alone gets the usual path. */
export function baseOf({ url }: Endpoint): string {
  const { origin, pathname } = new URL(url);
  return origin + (pathname === "/" ? quirksOf(url).path : pathname.replace(/\/+$/, ""));
}

/** Returns the cost of a usage; 0 without a price. */
export function costOf(usage: Omit<TokenUsage, "estimated">, price: Price | undefined): number {
  if (!price) return 0;
  const cached = Math.min(usage.cachedTokens, usage.inputTokens);
  const { input, cachedInput = input, output } = price;
  return ((usage.inputTokens - cached) * input + cached * cachedInput + usage.outputTokens * output) / 1_000_000;
}
