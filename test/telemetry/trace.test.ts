import { type Span, type SpanOptions, trace } from "@opentelemetry/api";
import { afterEach, describe, expect, it } from "vitest";
import { activeSpan, inSpan } from "../../src/telemetry/trace.ts";

interface Told {
  readonly name: string;
  readonly attributes: object;
  status?: object;
  ended: boolean;
}

/** An SDK of a few lines: what it is told of spans. */
function startTracing(): readonly Told[] {
  const told: Told[] = [];
  const startActiveSpan = (name: string, options: SpanOptions, work: (span: Span) => unknown) => {
    const one: Told = { name, attributes: { ...options.attributes }, ended: false };
    told.push(one);
    const span = {
      setAttributes: (more: object) => Object.assign(one.attributes, more),
      setStatus: (status: object) => {
        one.status = status;
      },
      end: () => {
        one.ended = true;
      },
    };
    return work(span as unknown as Span);
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startActiveSpan }) } as never);
  return told;
}

describe("traces", () => {
  afterEach(() => trace.disable());

  it("S14 without an SDK work is done as it is, and a log line has no span", async () => {
    expect(await inSpan("turn", {}, async () => 7)).toBe(7);
    expect(activeSpan()).toBeUndefined();
  });

  it("S14 with one, a span has its name and attributes and ends with its work", async () => {
    const told = startTracing();
    await inSpan("run", { server: "web-1" }, async (add) => add({ ending: "exited" }));
    expect(told).toEqual([{ name: "run", attributes: { server: "web-1", ending: "exited" }, ended: true }]);
  });

  it("SR-45 work that throws is told as an error by its kind alone, and throws on", async () => {
    const told = startTracing();
    await expect(
      inSpan("post", {}, async () => {
        throw new TypeError("password=hunter2");
      }),
    ).rejects.toThrow("hunter2");
    expect(told).toEqual([{ name: "post", attributes: {}, ended: true, status: { code: 2, message: "TypeError" } }]);
  });
});
