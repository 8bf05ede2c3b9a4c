import { type Compacted, compact, compactAll } from "../compact.ts";
import { createTokenCounter, type TokenCounter } from "../tokens.ts";
import { type Breaker, createBreaker } from "./breaker.ts";
import { type Endpoint, learnQuirks, type Quirks, quirksOf } from "./endpoints.ts";
import type { ModelFailure } from "./failure.ts";
import type { createModelClient, ModelRequest } from "./request.ts";

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

/** An endpoint of the config, with what was learnt of it. */
export interface EndpointLine {
  readonly endpoint: Endpoint;
  readonly provider: string;
  readonly breaker: Breaker;
  readonly tokens: TokenCounter;
  readonly log: (event: ModelEvent) => void;
  quirks: Quirks;
  /** Made for the first request. */
  client?: ReturnType<typeof createModelClient>;
}

export const createEndpointLine = (
  endpoint: Endpoint,
  { log, now }: Pick<EndpointLine, "log"> & { now: () => number },
): EndpointLine => ({
  endpoint,
  provider: URL.canParse(endpoint.url) ? new URL(endpoint.url).host : "the model's endpoint",
  breaker: createBreaker(now),
  tokens: createTokenCounter(),
  log,
  quirks: quirksOf(endpoint.url),
});

/** The request as this endpoint can take it: before its window is full old outputs are shortened. */
export function fitRequest(line: EndpointLine, request: ModelRequest): ModelRequest {
  const { contextWindow } = line.endpoint;
  if (contextWindow === undefined) return request;
  const tools = line.tokens.countRequest([], request.tools ?? []);
  const count = (message: ModelRequest["messages"][number]) => line.tokens.countRequest([message], []);
  return shortened(line, request, compact(request.messages, contextWindow - tools, count));
}

/** What may be tried at once after this failure, though a mere repetition would fail again; nothing where nothing may. */
export function adjustRequest(line: EndpointLine, request: ModelRequest, why: ModelFailure): ModelRequest | undefined {
  const teaches = why.why === "refused" || why.statusCode === 501;
  const learnt = teaches ? learnQuirks(line.quirks, why.message) : undefined;
  if (learnt) {
    line.quirks = learnt;
    line.log({ level: "info", event: "provider_quirk", provider: line.provider, quirks: learnt });
    return request;
  }
  if (why.why !== "context-overflow") return undefined;
  const shorter = shortened(line, request, compactAll(request.messages));
  return shorter === request ? undefined : shorter;
}

function shortened(line: EndpointLine, request: ModelRequest, { messages, removed }: Compacted): ModelRequest {
  if (removed === 0) return request;
  const summaryTokens = line.tokens.countRequest(messages, request.tools ?? []);
  const { log, provider } = line;
  log({ level: "info", event: "session_compacted", provider, removedMessages: removed, summaryTokens });
  return { ...request, messages };
}
