/**
 * Traces by OpenTelemetry's API alone (SR-45). Without an SDK calls are no-ops; `NODE_OPTIONS=--import=./their-sdk.mjs` adds one
 * (docs/operating.md).
 */

import { type Attributes, type Span, SpanStatusCode, trace } from "@opentelemetry/api";
import { queues } from "../base/queues.ts";

export const spanNames = [...queues, "model request", "approval", "run"] as const;
export type SpanName = (typeof spanNames)[number];

/** Does `work` in a span. Attributes are numbers and the bot's own names, never a person's text. */
export function inSpan<T>(
  name: SpanName,
  attributes: Attributes,
  work: (add: (more: Attributes) => void) => Promise<T>,
): Promise<T> {
  return trace.getTracer("countersign").startActiveSpan(name, { attributes }, async (span: Span) => {
    try {
      return await work((more) => void span.setAttributes(more));
    } catch (error) {
      // The message can hold anything.
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : "error" });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** The active span; undefined without an SDK. */
export function activeSpan(): { readonly traceId: string; readonly spanId: string } | undefined {
  const context = trace.getActiveSpan()?.spanContext();
  return context && { traceId: context.traceId, spanId: context.spanId };
}
