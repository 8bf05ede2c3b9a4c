import { type CompactedConversation, compact, compactAll } from "../compact.ts";
import { createTokenCounter, type TokenCounter } from "../tokens.ts";
import { type Endpoint, learnQuirks, type Quirks, quirksOf } from "./endpoints.ts";
import type { ModelFailure } from "./failure.ts";
import type { createModelClient, ModelRequest } from "./request.ts";

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

export interface EndpointLine {
  readonly endpoint: Endpoint;
  readonly provider: string;
  readonly breaker: Breaker;
  readonly tokens: TokenCounter;
  readonly log: (event: ModelEvent) => void;
  quirks: Quirks;
  /** Created for the first request. */
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

/** Shortens old outputs before the endpoint's window is full. */
export function fitRequest(line: EndpointLine, request: ModelRequest): ModelRequest {
  const { contextWindow } = line.endpoint;
  if (contextWindow === undefined) return request;
  const tools = line.tokens.countRequest([], request.tools ?? []);
  const count = (message: ModelRequest["messages"][number]) => line.tokens.countRequest([message], []);
  return shortened(line, request, compact(request.messages, contextWindow - tools, count));
}

/** Returns another request to try at once after this failure; undefined if there is none. */
export function adjustRequest(line: EndpointLine, request: ModelRequest, why: ModelFailure): ModelRequest | undefined {
  const teaches = why.why === "refused" || why.statusCode === 501;
  const learned = teaches ? learnQuirks(line.quirks, why.message) : undefined;
  if (learned) {
    line.quirks = learned;
    line.log({ level: "info", event: "provider_quirk", provider: line.provider, quirks: learned });
    return request;
  }
  if (why.why !== "context-overflow") return undefined;
  const shorter = shortened(line, request, compactAll(request.messages));
  return shorter === request ? undefined : shorter;
}

function shortened(
  line: EndpointLine,
  request: ModelRequest,
  { messages, removed }: CompactedConversation,
): ModelRequest {
  if (removed === 0) return request;
  const summaryTokens = line.tokens.countRequest(messages, request.tools ?? []);
  const { log, provider } = line;
  log({ level: "info", event: "session_compacted", provider, removedMessages: removed, summaryTokens });
  return { ...request, messages };
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
 * Opens for 60 s after 3 failures in a row (RR-09), then one request decides. A failure includes all retries, so one bad minute of the
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
