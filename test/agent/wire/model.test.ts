import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createModel, type ModelEvent, type ModelOptions } from "../../../src/agent/wire/model.ts";
import { delimit } from "../../../src/text/read/visible.ts";
import { type FakeModel, startFakeModel } from "../fake-model.ts";

const key = "sk-test-0123456789";
const retry = { maxRetries: 3, baseDelayMs: 1_000, maxDelayMs: 30_000, retryableStatuses: [429, 500, 502, 503, 529] };
const request = { messages: [{ role: "user", content: "hello" }] } as const;

let first: FakeModel;
let second: FakeModel;

beforeEach(async () => {
  first = await startFakeModel();
  second = await startFakeModel();
});
afterEach(async () => {
  await Promise.all([first.close(), second.close()]);
  first.verify();
});

/** A model on the first fake (or both), whose waits are noted instead of waited for. */
function setUp(change: Partial<ModelOptions> & { both?: boolean } = {}) {
  const { both = false, ...options } = change;
  const slept: number[] = [];
  const events: ModelEvent[] = [];
  const statuses: string[] = [];
  let clock = 0;
  const ask = createModel({
    endpoints: [
      { url: first.url, model: "m-1", apiKey: key },
      ...(both ? [{ url: second.url, model: "m-2", apiKey: "sk-second" }] : []),
    ],
    deadlineMs: 300_000,
    atOnce: 32,
    retry,
    log: (event) => events.push(event),
    random: () => 1,
    sleep: (ms) => {
      slept.push(ms);
      clock += ms;
      return Promise.resolve();
    },
    now: () => clock + performance.now(),
    ...options,
  });
  const watch = { signal: new AbortController().signal, onStatus: (text: string) => statuses.push(text) };
  return {
    ask: () => ask(request, watch),
    model: ask,
    slept,
    events,
    statuses,
    pass: (ms: number) => {
      clock += ms;
    },
  };
}

const limited = (headers: Record<string, string> = {}) => ({
  status: 429,
  headers,
  body: { error: { message: "slow down" } },
});

describe("a request that is answered", () => {
  it("returns text, tool calls, finish, usage and model", async () => {
    first.play({
      text: "hi",
      toolCalls: [{ id: "c1", name: "list_servers", arguments: {} }],
      usage: { prompt_tokens: 12, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 8 } },
    });
    expect(await setUp().ask()).toEqual({
      kind: "reply",
      text: "hi",
      toolCalls: [{ id: "c1", name: "list_servers", arguments: "{}" }],
      finish: "tool_calls",
      usage: { inputTokens: 12, outputTokens: 3, cachedTokens: 8, estimated: false },
      model: "m-1",
      cost: 0,
    });
  });

  it("sends messages, tool calls, their results and tools in the shape of the wire", async () => {
    first.play({ text: "ok" });
    const { model } = setUp();
    await model(
      {
        messages: [
          { role: "system", content: "s" },
          { role: "user", content: "u" },
          { role: "assistant", content: "", toolCalls: [{ id: "c1", name: "read_output", arguments: '{"action":2}' }] },
          { role: "tool", toolCallId: "c1", content: "out" },
        ],
        tools: [{ name: "read_output", description: "Reads.", parameters: { type: "object" } }],
      },
      { signal: new AbortController().signal, onStatus: () => undefined },
    );
    expect(first.requests[0]?.path).toBe("/v1/chat/completions");
    expect(first.requests[0]?.authorization).toBe(`Bearer ${key}`);
    expect(first.requests[0]?.body).toEqual({
      model: "m-1",
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: "system", content: "s" },
        { role: "user", content: "u" },
        {
          role: "assistant",
          content: "",
          tool_calls: [{ id: "c1", type: "function", function: { name: "read_output", arguments: '{"action":2}' } }],
        },
        { role: "tool", tool_call_id: "c1", content: "out" },
      ],
      // The system prompt describes it.
      tools: [{ type: "function", function: { name: "read_output", parameters: { type: "object" } } }],
    });
  });

  it("takes nothing from the environment that the operator did not configure", async () => {
    vi.stubEnv("OPENAI_BASE_URL", second.url);
    vi.stubEnv("OPENAI_API_KEY", "sk-stray");
    vi.stubEnv("OPENAI_ORG_ID", "org-stray");
    vi.stubEnv("OPENAI_PROJECT_ID", "proj-stray");
    first.play({ text: "ok" });
    await setUp().ask();
    vi.unstubAllEnvs();
    expect(JSON.stringify(first.requests[0]?.headers)).not.toContain("stray");
    expect(second.requests).toEqual([]);
  });

  it("estimates the usage where the endpoint tells none", async () => {
    first.play({ text: "some words of an answer", usage: null });
    const answer = await setUp().ask();
    expect(answer).toMatchObject({ usage: { estimated: true, cachedTokens: 0 } });
    if (answer.kind === "reply") expect(answer.usage.inputTokens).toBeGreaterThan(0);
  });

  it("takes content that comes in parts", async () => {
    first.play({
      status: 200,
      body: { choices: [{ message: { content: [{ type: "text", text: "a" }, { text: "b" }] } }] },
    });
    expect(await setUp().ask()).toMatchObject({ kind: "reply", text: "ab", finish: "stop" });
  });
});

describe("a request that is repeated", () => {
  it("S15.1 a 429 is repeated with exponential backoff and jitter", async () => {
    first.play(limited(), limited(), limited(), { text: "at last" });
    const { ask, slept } = setUp({ random: () => 0 });
    expect(await ask()).toMatchObject({ kind: "reply", text: "at last" });
    expect(slept).toEqual([500, 1_000, 2_000]);
  });

  it("S15.1 the delay never passes the cap", async () => {
    first.play(limited(), limited(), limited(), { text: "ok" });
    const { ask, slept } = setUp({ retry: { ...retry, baseDelayMs: 20_000 } });
    await ask();
    expect(slept).toEqual([20_000, 30_000, 30_000]);
  });

  it.each([
    ["seconds", { "retry-after": "12" }, 12_000],
    ["more than the SDK would honour", { "retry-after": "90" }, 90_000],
    ["milliseconds", { "retry-after-ms": "250", "retry-after": "9" }, 250],
  ])("S15.2 retry-after in %s is the delay", async (_form, headers, delay) => {
    first.play(limited(headers), { text: "ok" });
    const { ask, slept } = setUp();
    await ask();
    expect(slept).toEqual([delay]);
  });

  it("S15.2 retry-after as a date is the delay", async () => {
    first.play(limited({ "retry-after": new Date(Date.now() + 20_000).toUTCString() }), { text: "ok" });
    const { ask, slept } = setUp();
    await ask();
    expect(slept[0]).toBeGreaterThan(15_000);
    expect(slept[0]).toBeLessThanOrEqual(20_000);
  });

  it("S15.4 after the last retry the ask fails with a message for people", async () => {
    first.play(limited(), limited(), limited(), limited());
    const answer = await setUp().ask();
    expect(answer).toMatchObject({ kind: "failed", why: "unreachable" });
    if (answer.kind === "failed") expect(answer.message).toMatch(/^127\.0\.0\.1:\d+ \(m-1\): rate limited$/);
  });

  it("S15.5 each retry is logged with its number and delay", async () => {
    first.play(limited({ "retry-after": "3" }), { status: 503 }, { text: "ok" });
    const { ask, events } = setUp();
    await ask();
    expect(events).toMatchObject([
      {
        level: "warn",
        event: "provider_rate_limit",
        statusCode: 429,
        retryAttempt: 1,
        delayMs: 3_000,
        retryAfterMs: 3_000,
      },
      { level: "error", event: "provider_error", statusCode: 503, retryAttempt: 2, delayMs: 2_000 },
      { level: "info", event: "provider_reply", inputTokens: 100, outputTokens: 10, durationMs: expect.any(Number) },
    ]);
  });

  it("S15.6 says what it waits for and how long", async () => {
    first.play(limited({ "retry-after": "12" }), { text: "ok" });
    const { ask, statuses } = setUp();
    await ask();
    expect(statuses).toEqual(["rate limited, again in 12 s"]);
  });

  it.each(["hang", "headers-only"] as const)("S15.9 no answer in time (%s) is repeated", async (fault) => {
    first.play({ fault }, { text: "ok" });
    const { ask } = setUp({ deadlineMs: 1_000, retry: { ...retry, baseDelayMs: 10 } });
    expect(await ask()).toMatchObject({ kind: "reply", text: "ok" });
  });

  it.each([
    ["HTML", { status: 200, body: "<html>Bad gateway</html>" }],
    ["no choices", { status: 200, body: { choices: [] } }],
    ["an error body", { status: 200, body: { error: { message: "upstream" } } }],
    ["half a body", { fault: "half-body" }],
    ["an endless body", { fault: "endless" }],
    ["a reset", { fault: "reset" }],
    ["502", { status: 502, body: "<html></html>" }],
  ] as const)("F-17 %s is a fault of the gateway and is repeated", async (_what, step) => {
    first.play(step, { text: "ok" });
    const { ask, slept } = setUp();
    expect(await ask()).toMatchObject({ kind: "reply", text: "ok" });
    expect(slept).toHaveLength(1);
  });
});

describe("a request that is refused", () => {
  it.each([
    [401, { message: `Incorrect API key provided: ${key}`, code: "invalid_api_key" }, "refused"],
    [400, { message: "unknown field", code: null }, "refused"],
    [403, { message: "no" }, "refused"],
    [404, { message: "no such model", code: "model_not_found" }, "refused"],
    [429, { message: "You exceeded your current quota", code: "insufficient_quota" }, "quota"],
    [
      400,
      { message: "This model's maximum context length is 8192 tokens", code: "context_length_exceeded" },
      "context-overflow",
    ],
    [400, { message: "the request exceeds the available context size" }, "context-overflow"],
  ] as const)("S15.3 %i %j fails at once", async (status, error, why) => {
    first.play({ status, body: { error } });
    const { ask, slept } = setUp();
    expect(await ask()).toMatchObject({ kind: "failed", why });
    expect(slept).toEqual([]);
  });

  it("SR-45 no message, status or log line holds the key, even where the provider repeats it", async () => {
    first.play({ status: 400, body: { error: { message: `bad key ${key} here` } } });
    const { ask, events, statuses } = setUp();
    expect(JSON.stringify([await ask(), events, statuses])).not.toContain(key);
  });

  it("a redirect is not followed, and the key goes nowhere else", async () => {
    first.play({ status: 307, headers: { location: `${second.url}/chat/completions` } });
    expect(await setUp().ask()).toMatchObject({ kind: "failed", why: "refused" });
    expect(second.requests).toEqual([]);
  });

  it("S15.7 the next ask after a failure works", async () => {
    first.play(limited(), limited(), limited(), limited(), { text: "back" });
    const { ask } = setUp();
    expect(await ask()).toMatchObject({ kind: "failed" });
    expect(await ask()).toMatchObject({ kind: "reply", text: "back" });
  });
});

describe("RR-09 several endpoints", () => {
  it("the second is asked where the first refuses", async () => {
    first.play({ status: 401 });
    second.play({ text: "from the second" });
    const { ask, statuses } = setUp({ both: true });
    expect(await ask()).toMatchObject({ kind: "reply", model: "m-2", text: "from the second" });
    expect(statuses).toEqual([expect.stringMatching(/^asking .*\(m-2\) instead$/)]);
    expect(second.requests[0]?.authorization).toBe("Bearer sk-second");
  });

  it("S15.2 a retry-after past the deadline goes straight to the next endpoint", async () => {
    first.play(limited({ "retry-after": "3600" }));
    second.play({ text: "ok" });
    const { ask, slept } = setUp({ both: true });
    expect(await ask()).toMatchObject({ kind: "reply", model: "m-2" });
    expect(slept).toEqual([]);
  });

  it("an endpoint that hangs leaves time for the next one", async () => {
    first.play({ fault: "hang" });
    second.play({ text: "ok" });
    const { ask } = setUp({ both: true, deadlineMs: 600 });
    expect(await ask()).toMatchObject({ kind: "reply", model: "m-2" });
  });

  it("when all fail, the message names each and the kind is the one a person can mend", async () => {
    first.play({ status: 429, body: { error: { code: "insufficient_quota" } } });
    second.play({ status: 503 }, { status: 503 }, { status: 503 }, { status: 503 });
    const answer = await setUp({ both: true }).ask();
    expect(answer).toMatchObject({ kind: "failed", why: "quota" });
    if (answer.kind === "failed") expect(answer.message).toMatch(/\(m-1\): its quota is used up; .*\(m-2\): HTTP 503/);
  });

  it("an ask ends with its deadline although every request hangs", async () => {
    first.play({ fault: "hang" }, { fault: "hang" });
    const { ask } = setUp({ deadlineMs: 400, retry: { ...retry, baseDelayMs: 1 } });
    expect(await ask()).toMatchObject({ kind: "failed", why: "deadline" });
  });

  it("a wait that ends after the deadline asks no more, and the ask fails with what it waited for", async () => {
    first.play(limited());
    let late = 0;
    const sleep = async (ms: number): Promise<void> => {
      late += ms + 300_000;
    };
    const { ask } = setUp({ sleep, now: () => late + performance.now() });
    expect(await ask()).toMatchObject({ kind: "failed", message: expect.stringContaining("rate limited") });
  });

  it("no endpoint at all is an answer too", async () => {
    expect(await setUp({ endpoints: [] }).ask()).toEqual({
      kind: "failed",
      why: "unreachable",
      message: "no model could be asked",
    });
  });

  it("after three failures an endpoint is left alone for a minute, then asked again", async () => {
    const once = { ...retry, maxRetries: 0 };
    first.play({ status: 500 }, { status: 500 }, { status: 500 }, { text: "recovered" });
    const { ask, pass } = setUp({ retry: once });
    for (let i = 0; i < 3; i += 1) await ask();
    const resting = await ask();
    expect(resting).toMatchObject({ kind: "failed" });
    if (resting.kind === "failed")
      expect(resting.message).toMatch(/left alone for another \d+ s after repeated failures$/);
    expect(first.requests).toHaveLength(3);
    pass(60_000);
    expect(await ask()).toMatchObject({ kind: "reply", text: "recovered" });
  });
});

describe("S15 an endpoint that wants it otherwise", () => {
  const refuses = (message: string) => ({ status: 400, body: { error: { message } } });
  const conversation = [
    { role: "system", content: "s" },
    { role: "user", content: "rules again" },
    { role: "user", content: "news" },
    { role: "assistant", content: "Looking.", toolCalls: [{ id: "c1", name: "read_output", arguments: "{}" }] },
    { role: "tool", toolCallId: "c1", content: "out" },
  ] as const;
  const parameters = { type: "object", properties: { action: {}, page: {} }, required: ["action"] };
  const tools = [{ name: "read_output", description: "Reads.", parameters }];
  const quietly = { signal: new AbortController().signal, onStatus: () => undefined };

  it("is asked at once as it wants it, and from then on", async () => {
    first.play(
      refuses("registry.ollama.ai/library/gemma3:latest does not support tools"),
      refuses("System role not supported"),
      { text: "ok" },
      { text: "again" },
    );
    const { model, slept, events } = setUp();
    expect(await model({ messages: conversation, tools }, quietly)).toMatchObject({ kind: "reply", text: "ok" });
    expect(await model({ messages: conversation, tools }, quietly)).toMatchObject({ kind: "reply", text: "again" });
    expect(slept).toEqual([]);
    const bodies = first.requests.map(({ body }) => body);
    expect(bodies[0]?.tools).toHaveLength(1);
    expect(bodies.slice(1).map((body) => body.tools)).toEqual([undefined, undefined, undefined]);
    expect(bodies[2]).toEqual(bodies[3]);
    expect(bodies[3]?.messages).toEqual([
      {
        role: "user",
        content: "s\n\nWhat each tool takes:\n- `read_output` (action, page?)\n\nrules again\n\nnews",
      },
      { role: "assistant", content: "Looking.\n(calls read_output with {})" },
      { role: "user", content: "Result of the call:\nout" },
    ]);
    expect(events.map(({ event }) => event)).toEqual([
      "provider_quirk",
      "provider_quirk",
      "provider_reply",
      "provider_reply",
    ]);
  });

  it("issue 18.9 and refuses `tool_choice` gets the last request of a turn without tools", async () => {
    first.play(refuses("Unsupported parameter: 'tool_choice'"), { text: "ok" }, { text: "more" });
    const { model } = setUp();
    await model({ messages: conversation, tools, toolChoice: "none" }, quietly);
    await model({ messages: conversation, tools }, quietly);
    expect(first.requests.map(({ body }) => [body.tools?.length, body.tool_choice])).toEqual([
      [1, "none"],
      [undefined, undefined],
      [1, undefined],
    ]);
  });

  it("and takes no tool without a description gets them, from then on", async () => {
    first.play(refuses("tools.0.function.description: Field required"), { text: "ok" }, { text: "more" });
    const { model } = setUp();
    await model({ messages: conversation, tools }, quietly);
    await model({ messages: conversation, tools }, quietly);
    const described = first.requests.map(({ body }) => JSON.stringify(body.tools).includes('"description":"Reads."'));
    expect(described).toEqual([false, true, true]);
  });

  it("that goes on refusing is refused, not asked for ever", async () => {
    const says = "Conversation roles must alternate user/assistant/user/assistant/...";
    first.play(refuses(says), refuses(says));
    expect(await setUp().ask()).toMatchObject({ kind: "failed", why: "refused" });
  });
});

describe("S15 a conversation that is too long", () => {
  const output = (n: number) => ({
    role: "user" as const,
    content: `Run of ${n}:\n${delimit(`head ${n} ${"x ".repeat(3_000)} tail ${n}`, `output of ${n}`, "n0nce")}`,
  });
  const long = [{ role: "system", content: "s" }, output(1), { role: "assistant", content: "ok" }, output(2)] as const;
  const overflow = { status: 400, body: { error: { message: "too long", code: "context_length_exceeded" } } };
  const quietly = { signal: new AbortController().signal, onStatus: () => undefined };

  it("is sent once more with its old outputs shortened", async () => {
    first.play(overflow, { text: "ok" });
    const { model, events, slept } = setUp();
    expect(await model({ messages: long }, quietly)).toMatchObject({ kind: "reply", text: "ok" });
    const [whole, shorter] = first.requests.map(({ body }) => body.messages.map(({ content }) => content));
    expect(whole).toEqual(long.map(({ content }) => content));
    expect(shorter?.[1]).toMatch(
      /head 1[\s\S]*5\d{3} characters left out to save room; read_output shows them ⋯[\s\S]*tail 1/,
    );
    expect(shorter?.slice(2)).toEqual(whole?.slice(2));
    expect(events).toMatchObject([{ event: "session_compacted", removedMessages: 1 }, { event: "provider_reply" }]);
    expect(slept).toEqual([]);
  });

  it("S15 is so also where a gateway says it in the place of a stream, with status 200", async () => {
    first.play({ ...overflow, status: 200 }, { text: "ok" });
    const { model, slept } = setUp();
    expect(await model({ messages: long }, quietly)).toMatchObject({ kind: "reply", text: "ok" });
    expect(first.requests[1]?.body.messages[1]?.content).toContain("left out to save room");
    expect(slept).toEqual([]);
  });

  it("fails where there is nothing left to shorten, and the next endpoint is asked", async () => {
    first.play(overflow, overflow);
    second.play({ text: "mine is larger" });
    const { model } = setUp({ both: true });
    expect(await model({ messages: long }, quietly)).toMatchObject({ kind: "reply", text: "mine is larger" });
    expect(second.requests[0]?.body.messages[1]?.content).toBe(long[1].content);
  });

  it("never gets there where the endpoint's window is known", async () => {
    first.play({ text: "ok" });
    const endpoints = [{ url: first.url, model: "m-1", apiKey: key, contextWindow: 4_500 }];
    await setUp({ endpoints }).model({ messages: long }, quietly);
    expect(first.requests[0]?.body.messages[1]?.content).toContain("left out to save room");
    expect(first.requests[0]?.body.messages[3]?.content).toBe(long[3].content);
  });
});

describe("an ask that is stopped", () => {
  it("ends at once, in the request and in the wait", async () => {
    const stop = new AbortController();
    first.play({ fault: "hang" });
    const { model } = setUp();
    const pending = model(request, { signal: stop.signal, onStatus: () => undefined });
    while (first.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    expect(await pending).toMatchObject({ kind: "failed", message: expect.stringContaining("stopped") });
  });

  it("does not start where the signal is already aborted", async () => {
    const { model } = setUp();
    expect(await model(request, { signal: AbortSignal.abort(), onStatus: () => undefined })).toMatchObject({
      kind: "failed",
    });
    expect(first.requests).toEqual([]);
  });

  it("asks as many at once as the operator allows, half as many after a 429, and one more with each answer", async () => {
    const [allWait, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let waiting = 0;
    const { model } = setUp({
      atOnce: 4,
      sleep: () => {
        waiting++;
        if (waiting === 4) allWait.resolve();
        return goOn.promise;
      },
    });
    const statuses: string[] = [];
    const watch = { signal: new AbortController().signal, onStatus: (text: string) => void statuses.push(text) };
    first.play(...Array.from({ length: 4 }, () => limited()), ...Array.from({ length: 6 }, () => ({ text: "hi" })));
    const all = Array.from({ length: 6 }, () => model(request, watch));
    await allWait.promise;
    expect(first.requests).toHaveLength(4);
    expect(statuses.filter((text) => /is busy with other requests/.test(text))).toHaveLength(2);
    goOn.resolve();
    expect((await Promise.all(all)).map(({ kind }) => kind)).toEqual(Array.from({ length: 6 }, () => "reply"));
    expect(first.requests).toHaveLength(10);
  });

  it("counts the wait for other requests to no request's deadline", async () => {
    const [isWaiting, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { model, pass } = setUp({
      atOnce: 1,
      deadlineMs: 60_000,
      sleep: () => {
        isWaiting.resolve();
        return goOn.promise;
      },
    });
    const watch = { signal: new AbortController().signal, onStatus: () => undefined };
    first.play(limited(), { text: "hi" }, { text: "hi" });
    const [one, other] = [model(request, watch), model(request, watch)];
    await isWaiting.promise;
    pass(59_000);
    goOn.resolve();
    await one;
    expect(await other).toMatchObject({ text: "hi" });
  });

  it("asks the next endpoint if the one before it is busy for the whole deadline", { tags: ["long"] }, async () => {
    const [isWaiting, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { model } = setUp({
      both: true,
      atOnce: 1,
      deadlineMs: 1_000,
      retry: { ...retry, baseDelayMs: 1 },
      sleep: () => {
        isWaiting.resolve();
        return goOn.promise;
      },
    });
    const watch = { signal: new AbortController().signal, onStatus: () => undefined };
    const stop = new AbortController();
    first.play(limited());
    second.play({ text: "hi" });
    const one = model(request, { ...watch, signal: stop.signal });
    await isWaiting.promise;
    expect(await model(request, watch)).toMatchObject({ text: "hi" });
    expect(second.requests).toHaveLength(1);
    stop.abort();
    goOn.resolve();
    expect(await one).toMatchObject({ kind: "failed" });
  });

  it("waits for real where no sleep is given, and a stop ends the wait", async () => {
    const stop = new AbortController();
    first.play(limited({ "retry-after": "100" }));
    const ask = createModel({
      endpoints: [{ url: first.url, model: "m-1", apiKey: key }],
      deadlineMs: 300_000,
      atOnce: 32,
      retry,
      log: () => undefined,
    });
    const answer = await ask(request, { signal: stop.signal, onStatus: () => stop.abort() });
    expect(answer).toMatchObject({ kind: "failed", message: expect.stringContaining("stopped") });
  });
});
