import { sleep as sleepFor } from "../../base/sleep.ts";
import { type AskWatch, askEndpoint } from "./ask-endpoint.ts";
import type { Retry } from "./backoff.ts";
import { createEndpointLine, type ModelEvent } from "./endpoint-line.ts";
import type { Endpoint } from "./endpoints.ts";
import { type FailureKind, type ModelFailure, worst } from "./failure.ts";
import type { ModelRequest, Reply } from "./request.ts";

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

/** `message` is for a person and holds no key. */
type Answer = Reply | { readonly kind: "failed"; readonly why: FailureKind; readonly message: string };

/** Asks the model once, with retries and fallback. Never throws: whatever goes wrong is an answer of kind `failed`. */
export type AskModel = (request: ModelRequest, watch: AskWatch) => Promise<Answer>;

/**
 * The only door to the model (RR-09, S15): endpoints in order, each with its retries, breaker and share of the deadline.
 */
export function createModel(options: ModelOptions): AskModel {
  const { deadlineMs, retry, log, random = Math.random, sleep = sleepFor, now = () => performance.now() } = options;
  const lines = options.endpoints.map((endpoint) => createEndpointLine(endpoint, { log, now }));
  const limits = {
    whole: lines.length > 1 ? "its part of model.deadline" : "model.deadline",
    // A request that hangs must leave time for another one; an answer that comes has all of the time there is.
    silentMs: deadlineMs / 2,
    silent: "half of model.deadline",
  };
  return async (request, watch) => {
    const end = now() + deadlineMs;
    const failures: (ModelFailure & { readonly name: string })[] = [];
    for (const [index, line] of lines.entries()) {
      const left = end - now();
      if (left <= 0 || watch.signal.aborted) break;
      const name = `${line.provider} (${line.endpoint.model})`;
      if (index > 0) watch.onStatus(`asking ${name} instead`);
      const until = now() + left / (lines.length - index);
      const outcome = await askEndpoint(line, request, watch, { until, limits, retry, random, sleep, now });
      if ("kind" in outcome) return outcome;
      failures.push({ ...outcome, name });
    }
    if (failures.length === 0) return { kind: "failed", why: "unreachable", message: "no model could be asked" };
    const message = failures.map(({ name, message: said }) => `${name}: ${said}`).join("; ");
    return { kind: "failed", why: worst(failures), message };
  };
}
