import { afterEach, describe, expect, it } from "vitest";
import { baseOf, costOf, learnQuirks, quirksOf } from "../../../src/agent/wire/endpoints.ts";
import { createModel } from "../../../src/agent/wire/model.ts";
import { endWire, fakeWire } from "../../harness/wire.ts";

const endpoint = (url: string) => ({ url, model: "gpt-5", apiKey: "azure-key-0123456789" });

describe("S15 Azure", () => {
  afterEach(() => expect(endWire()).toEqual([]));

  const completion = { choices: [{ message: { role: "assistant", content: "hi" }, finish_reason: "stop" }] };

  it.each([
    ["its v1 address", "https://acme.openai.azure.com/openai/v1/", "/openai/v1/chat/completions", {}],
    ["its host alone", "https://acme.openai.azure.com", "/openai/v1/chat/completions", {}],
    [
      "a deployment with an API version",
      "https://acme.openai.azure.com/openai/deployments/gpt-5?api-version=2024-10-21",
      "/openai/deployments/gpt-5/chat/completions",
      { "api-version": "2024-10-21" },
    ],
  ])("is asked at %s, the key in its own header", async (_what, url, path, query) => {
    const headers = { reqheaders: { "api-key": "azure-key-0123456789" }, badheaders: ["authorization"] };
    fakeWire()("https://acme.openai.azure.com", headers).post(path).query(query).reply(200, completion);
    const ask = createModel({
      endpoints: [endpoint(url)],
      deadlineMs: 5_000,
      atOnce: 32,
      retry: { maxRetries: 0, baseDelayMs: 1, maxDelayMs: 1, retryableStatuses: [] },
      log: () => undefined,
    });
    const watch = { signal: new AbortController().signal, onStatus: () => undefined };
    expect(await ask({ messages: [{ role: "user", content: "x" }] }, watch)).toMatchObject({ text: "hi" });
  });
});

describe("the quirks of an endpoint", () => {
  const plain = quirksOf("https://api.openai.com/v1");

  it("are none unless its host is known, and a host that only ends alike is not", () => {
    expect(quirksOf("http://127.0.0.1:11434/v1")).toEqual(plain);
    expect(quirksOf("https://evilopenai.azure.com.example.org/v1")).toEqual(plain);
    expect(quirksOf("https://acme.openai.azure.com")).toMatchObject({ key: "api-key" });
    expect(baseOf(endpoint("http://127.0.0.1:11434/"))).toBe("http://127.0.0.1:11434");
    expect(baseOf(endpoint("http://127.0.0.1:11434/v1/?a=b"))).toBe("http://127.0.0.1:11434/v1");
  });

  it.each([
    ["Ollama", "HTTP 400: registry.ollama.ai/library/gemma3:latest does not support tools", { tools: false }],
    [
      "vLLM",
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      { tools: false },
    ],
    ["Cohere", "invalid tool: function.description is required", { described: true }],
    ["Gemma", "System role not supported", { system: "user", alternates: true }],
    ["Mistral", "Conversation roles must alternate user/assistant/user/assistant/...", { alternates: true }],
  ])("%s teaches its own", (_who, said, quirks) => {
    const learnt = learnQuirks(plain, said);
    expect(learnt).toEqual({ ...plain, ...quirks });
    if (learnt) expect(learnQuirks(learnt, said)).toBeUndefined();
  });

  it("any other refusal teaches nothing", () => expect(learnQuirks(plain, "HTTP 400: unknown field")).toBeUndefined());
});

describe("SR-58 what an ask costs", () => {
  const usage = { inputTokens: 1_000_000, cachedTokens: 400_000, outputTokens: 100_000 };

  it("is by the million, cached input by its own price where there is one", () => {
    expect(costOf(usage, { input: 2, cachedInput: 0.5, output: 10 })).toBeCloseTo(1.2 + 0.2 + 1);
    expect(costOf(usage, { input: 2, output: 10 })).toBeCloseTo(3);
    expect(costOf(usage, undefined)).toBe(0);
  });
});
