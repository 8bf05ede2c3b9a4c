import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createModel, type ModelEvent } from "../../../src/agent/wire/model.ts";
import { event, type FakeModel, type Step, startFakeModel } from "../fake-model.ts";

let fake: FakeModel;
beforeEach(async () => {
  fake = await startFakeModel();
});
afterEach(() => fake.close());

/** Asks once, without retries unless said otherwise, and what was heard of the words on the way. */
async function ask(given: { deadlineMs?: number; maxRetries?: number; url?: string; signal?: AbortSignal } = {}) {
  const { deadlineMs = 10_000, maxRetries = 0, url = fake.url, signal = new AbortController().signal } = given;
  const texts: string[] = [];
  const events: ModelEvent[] = [];
  const model = createModel({
    endpoints: [{ url, model: "m", apiKey: "sk-test-0123456789" }],
    deadlineMs,
    atOnce: 32,
    retry: { maxRetries, baseDelayMs: 1, maxDelayMs: 1, retryableStatuses: [500] },
    log: (one) => events.push(one),
  });
  const watch = { signal, onStatus: () => undefined, onText: (text: string) => texts.push(text) };
  const answer = await model({ messages: [{ role: "user", content: "hello" }] }, watch);
  return { answer, texts, events };
}

const delta = (content: string, finish: string | null = null) =>
  event({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] });
const calling = (...tool_calls: unknown[]) => event({ choices: [{ index: 0, delta: { tool_calls } }] });
/** A piece of a call. */
const part = (args: unknown, index?: number, id?: string, name?: string) => ({
  index,
  id,
  function: { name, arguments: args },
});
const one = { id: "c1", name: "one", arguments: "{}" };
const two = { id: "c2", name: "two", arguments: "{}" };
const ended = (finish = "stop") => event({ choices: [{ index: 0, delta: {}, finish_reason: finish }] });
const done = "data: [DONE]\n\n";
/** As many pieces of calls, a thousand to an event. */
const many = (most: number, piece: (index: number) => unknown): readonly string[] =>
  Array.from({ length: Math.ceil(most / 1_000) }, (_, at) =>
    calling(...Array.from({ length: Math.min(1_000, most - at * 1_000) }, (_, index) => piece(at * 1_000 + index))),
  );
const counted = event({ choices: [], usage: { prompt_tokens: 12, completion_tokens: 3 } });

const json = { "content-type": "application/json" };
const whole = (content: string) => JSON.stringify({ choices: [{ message: { content }, finish_reason: "stop" }] });
const reply = (text: string) => ({ kind: "reply", text, toolCalls: [], finish: "stop" });

/** The pieces one byte at a time. */
const bytes = (text: string) => [...new TextEncoder().encode(text)].map((byte) => Uint8Array.of(byte));

describe("issue 18.6 a streamed answer", () => {
  it("is asked for with its usage, and its words are heard as they come", async () => {
    fake.play({ pieces: [delta("The disk "), wait(20), delta("is full."), ended(), counted, done] });
    const { answer, texts } = await ask();
    expect(fake.requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(answer).toMatchObject({
      ...reply("The disk is full."),
      usage: { inputTokens: 12, outputTokens: 3, estimated: false },
    });
    expect(texts).toEqual(["The disk ", "The disk is full."]);
  });

  it.each<[string, Step, string]>([
    ["comments and keep-alives", { pieces: [": hi\n\n", ":\n\n", delta("ok"), ": hi\n\n", ended(), done] }, "ok"],
    ["blank lines before it", { pieces: ["\n\n", delta("ok"), ended(), done] }, "ok"],
    ["CRLF", { pieces: [`${delta("ok")}${ended()}${done}`.replaceAll("\n", "\r\n")] }, "ok"],
    ["CRLF cut in its middle", { pieces: bytes(`${delta("ok")}${ended()}${done}`.replaceAll("\n", "\r\n")) }, "ok"],
    ["event and id lines", { pieces: [`event: chunk\nid: 1\n${delta("ok")}`, ended(), done] }, "ok"],
    ["no blank behind the colon", { pieces: [delta("ok").replace("data: ", "data:"), ended(), done] }, "ok"],
    ["no [DONE]", { pieces: [delta("ok"), ended()] }, "ok"],
    ["no finish reason", { pieces: [delta("ok"), done] }, "ok"],
    ["nothing behind its last line", { pieces: [delta("ok"), ended().trimEnd()] }, "ok"],
    ["characters of several bytes, cut", { pieces: bytes(`${delta("Größe 满 🔥")}${ended()}${done}`) }, "Größe 满 🔥"],
    [
      "content in parts",
      { pieces: [event({ choices: [{ delta: { content: [{ text: "o" }, { text: "k" }] } }] }), ended(), done] },
      "ok",
    ],
    [
      "the whole message as one event",
      { pieces: [event({ choices: [{ message: { content: "ok" }, finish_reason: "stop" }] }), done] },
      "ok",
    ],
    ["no content type", { pieces: [delta("ok"), ended(), done], headers: {} }, "ok"],
    ["JSON, since the endpoint ignores `stream`", { text: "ok", whole: true }, "ok"],
    ["JSON that calls itself a stream", { pieces: [whole("ok")] }, "ok"],
    ["JSON that calls itself text", { pieces: [whole("ok")], headers: { "content-type": "text/plain" } }, "ok"],
    ["JSON behind blanks that kept it alive", { pieces: ["\n", "\n", whole("ok")], headers: json }, "ok"],
  ])("is read with %s", async (_what, step, text) => {
    fake.play(step);
    expect((await ask()).answer).toMatchObject(reply(text));
  });

  it.each<[string, readonly (string | Uint8Array)[], readonly object[]]>([
    [
      "arguments in pieces, cut in the middle of a character",
      bytes(
        calling({ ...part("", 0, "c1", "propose"), type: "function" }) +
          calling(part('{"a":"Grö', 0)) +
          calling(part('ße"}', 0)),
      ),
      [{ id: "c1", name: "propose", arguments: '{"a":"Größe"}' }],
    ],
    [
      "several calls by their index, interleaved",
      [calling(part("{", 0, "c1", "one"), part('{"b"', 1, "c2", "two")), calling(part("}", 0), part(":1}", 1))],
      [one, { ...two, arguments: '{"b":1}' }],
    ],
    [
      "several whole calls under one index",
      [calling(part("{}", 0, "c1", "one")), calling(part("{}", 0, "c2", "two"))],
      [one, two],
    ],
    [
      "calls without an index, their arguments an object",
      [calling(part({ a: 1 }, undefined, "c1", "one")), calling(part("{", undefined, "c2", "two")), calling(part("}"))],
      [{ ...one, arguments: '{"a":1}' }, two],
    ],
    [
      "a name that comes with every piece",
      [calling(part("{", 0, "c1", "one")), calling(part("}", 0, "c1", "one"))],
      [one],
    ],
  ])("puts %s together", async (_what, pieces, toolCalls) => {
    fake.play({ pieces: [...pieces, ended("tool_calls"), done] });
    expect((await ask()).answer).toMatchObject({ kind: "reply", toolCalls, finish: "tool_calls" });
  });

  it("F-17 a call's id that is none, too long or another call's is one of ours: whatever keeps it or gets it back takes it", async () => {
    const ids = ["c1", "c1", "c\u0000", "Größe", "x".repeat(10_000), "c2"];
    fake.play({
      pieces: [calling(...ids.map((id, index) => ({ index, id, function: { name: "one" } }))), ended(), done],
    });
    const { answer } = await ask();
    const seen = answer.kind === "reply" ? answer.toolCalls.map(({ id }) => id) : [];
    const ours = expect.stringMatching(/^call_[\da-f-]{36}$/);
    expect(seen).toEqual(["c1", ours, ours, ours, ours, "c2"]);
    expect(new Set(seen).size).toBe(ids.length);
  });

  it.each([
    { prompt_tokens: 1e300, completion_tokens: 3 },
    { prompt_tokens: 12, completion_tokens: 1e20 },
  ])("F-17 a count of tokens that cannot be meant is none: %o", async (usage) => {
    fake.play({ pieces: [delta("ok"), ended(), event({ choices: [], usage }), done] });
    const { answer } = await ask();
    expect(answer).toMatchObject({ ...reply("ok"), usage: { estimated: true } });
  });

  it("estimates the usage where the stream tells none", async () => {
    fake.play({ pieces: [delta("some words"), ended(), done] });
    expect((await ask()).answer).toMatchObject({ usage: { estimated: true } });
  });

  it("says that it refuses, as an answer that came whole does", async () => {
    fake.play({ pieces: [event({ choices: [{ delta: { refusal: "I can't." }, finish_reason: "stop" }] }), done] });
    expect((await ask()).answer).toMatchObject({ kind: "reply", text: "I can't." });
  });

  it.each([
    ["stream", "Your organization must be verified to stream this model.", { stream: undefined }],
    ["stream_options", "Unrecognized request argument supplied: stream_options", { stream: true }],
  ])("an endpoint that refuses `%s` is asked without, at once and from then on", async (_what, message, expected) => {
    fake.play({ status: 400, body: { error: { message } } }, { text: "ok" });
    expect((await ask()).answer).toMatchObject(reply("ok"));
    expect(fake.requests).toHaveLength(2);
    const { stream, stream_options } = fake.requests[1]?.body ?? {};
    expect({ stream, stream_options }).toEqual({ stream_options: undefined, ...expected });
  });
});

describe("issue 18.6 a stream that fails", () => {
  it.each<[string, Step, RegExp]>([
    [
      "is cut off",
      { pieces: [delta("half "), wait(20)], ends: "reset" },
      /: its answer broke off \(other side closed\)$/,
    ],
    [
      "ends before its end",
      { pieces: [delta("half ")] },
      /: its answer broke off \(the stream ended without its end\)$/,
    ],
    [
      "ends in the middle of a call",
      { pieces: [calling({ index: 0, id: "c1", function: { name: "propose_actions", arguments: '{"act' } })] },
      /: its answer broke off/,
    ],
    ["is empty", { pieces: [] }, /: its answer holds no reply$/],
    ["holds [DONE] alone", { pieces: [done] }, /: its answer holds no reply$/],
    ["holds no choice", { pieces: [counted, done] }, /: its answer holds no reply$/],
    ["is no JSON", { pieces: ["data: {oops\n\n", ended(), done] }, /: its answer is not JSON$/],
    ["is HTML", { pieces: ["<html>busy</html>"] }, /: its answer holds no reply$/],
    ["is a 204", { status: 204 }, /: its answer holds no reply$/],
    [
      "turns into an error",
      { pieces: [delta("half "), event({ error: { message: "upstream is gone", code: 502 } })] },
      /: HTTP 200: upstream is gone$/,
    ],
    [
      "is an error event",
      { pieces: ['event: error\ndata: {"error":{"message":"overloaded"}}\n\n'] },
      /: HTTP 200: overloaded$/,
    ],
  ])("that %s is told as that, and repeated", async (_what, step, said) => {
    fake.play(step);
    const { answer } = await ask();
    expect(answer).toEqual({ kind: "failed", why: expect.any(String), message: expect.stringMatching(said) });
    fake.play(step, { text: "ok" });
    expect((await ask({ maxRetries: 1 })).answer).toMatchObject(reply("ok"));
    fake.verify();
  });

  it("that never ends in words is cut where no useful answer is that long", async () => {
    const long = delta("x".repeat(300_000));
    fake.play({ pieces: [...Array.from({ length: 8 }, () => long), ended(), done] });
    expect((await ask()).answer).toMatchObject({ why: "junk", message: /its answer is too long to be one/ });
  });

  it.each<[string, Step]>([
    ["calls without end", { pieces: [...many(300_000, (index) => ({ index })), ended(), done] }],
    ["the name of a call", { pieces: [calling({ function: { name: "x".repeat(3_000_000) } }), done] }],
    ["the id of a call", { pieces: [calling({ id: "x".repeat(3_000_000) }), done] }],
    ["an answer that only calls itself a stream", { pieces: [whole("x".repeat(3_000_000))] }],
  ])("F-17 that never ends in %s is cut as well", async (_what, step) => {
    fake.play(step);
    expect((await ask()).answer).toMatchObject({ why: "junk", message: /its answer is too long to be one/ });
  });

  it.each<[string, Step, string]>([
    ["nothing comes", { fault: "hang" }, "no answer within 1 s (half of model.deadline)"],
    [
      "only headers come",
      { fault: "headers-only" },
      "stopped, and nothing more came within 1 s (half of model.deadline)",
    ],
    [
      "it stops in the middle",
      { pieces: [delta("half ")], ends: "never" },
      "its answer stopped, and nothing more came within 1 s (half of model.deadline)",
    ],
  ])("where %s, the limit that struck is named", async (_what, step, said) => {
    fake.play(step);
    const { answer } = await ask({ deadlineMs: 1_000 });
    expect(answer).toMatchObject({ why: "deadline", message: expect.stringContaining(said) });
  });

  it("an answer that keeps coming has the whole deadline, and no more", { tags: ["long"] }, async () => {
    const drip = (ms: number): Step => {
      const alive = Array.from({ length: ms / 100 }, (_, at) => [wait(100 * (at + 1)), ": alive\n\n"]);
      return { pieces: [...alive.flat(), delta("ok"), ended(), done] };
    };
    // Longer than the half that it may be silent for.
    fake.play(drip(5_000));
    expect((await ask({ deadlineMs: 9_000 })).answer).toMatchObject(reply("ok"));
    fake.play(drip(30_000));
    const { answer } = await ask({ deadlineMs: 4_000 });
    expect(answer).toMatchObject({ why: "deadline", message: /: no whole answer within 4 s \(model.deadline\)$/ });
  });

  it("one that is stopped in its middle ends at once", async () => {
    const stop = new AbortController();
    fake.play({ pieces: [delta("half ")], ends: "never" });
    const asked = ask({ signal: stop.signal });
    setTimeout(() => stop.abort(), 50);
    expect((await asked).answer).toMatchObject({ kind: "failed", message: /: stopped$/ });
  });
});

describe("issue 18.6 the HTTP client's own limits", () => {
  const key = Symbol.for("undici.globalDispatcher.1");
  let server: Server;
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it("do not cut a request that the deadline lets wait, and the way out stays the process's own", {
    tags: ["long"],
  }, async () => {
    server = createServer((_request, response) => {
      setTimeout(() => response.writeHead(200, json).flushHeaders(), 2_200);
      setTimeout(() => response.end(whole("at last")), 4_400);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const own = Reflect.get(globalThis, key);
    let passed = 0;
    // As the client itself, but with a second where it has 300.
    Reflect.set(globalThis, key, {
      dispatch: (options: { headersTimeout?: number; bodyTimeout?: number }, handler: unknown) => {
        passed += 1;
        const { headersTimeout = 1_000, bodyTimeout = 1_000 } = options;
        return own.dispatch({ ...options, headersTimeout, bodyTimeout }, handler);
      },
    });
    try {
      await expect(fetch(url)).rejects.toMatchObject({ cause: { name: "HeadersTimeoutError" } });
      expect((await ask({ url, deadlineMs: 20_000 })).answer).toMatchObject(reply("at last"));
    } finally {
      Reflect.set(globalThis, key, own);
    }
    expect(passed).toBe(2);
  });
});
