import { describe, expect, it } from "vitest";
import { createTokenCounter, estimateTokens } from "../../src/agent/tokens.ts";

describe("the estimate", () => {
  // The figures are what the o200k tokenizer says (gpt-tokenizer, run once outside the project).
  it.each([
    ["The disk of web-1 is full, so the new release cannot write its log.", 18],
    ["systemctl status checkout-api --no-pager", 9],
    ["2026-11-21T14:02:11Z ERROR write /var/lib/checkout/wal: no space left on device", 28],
    ['{"actions":[{"id":"a1","api":"ssh.execute"}]}', 15],
  ])("of %j is within a quarter of %i", (text, tokens) => {
    expect(estimateTokens(text)).toBeGreaterThan(tokens * 0.75);
    expect(estimateTokens(text)).toBeLessThan(tokens * 1.25);
  });

  it.each([0, 7, 27, 32, 33, 127, 128, 0xd800, 0xfeff])("takes character %i", (code) => {
    expect(estimateTokens(String.fromCharCode(code).repeat(100))).toBeLessThanOrEqual(100);
  });

  it("of nothing is nothing", () => expect(estimateTokens("")).toBe(0));

  it("takes one pass over a comment of one letter", () => {
    expect(estimateTokens("a".repeat(65_536))).toBeGreaterThan(5_000);
  });
});

describe("the counter", () => {
  const messages = [{ role: "user", content: "The disk of web-1 is full. ".repeat(100) }] as const;
  const usage = { inputTokens: 2_000, outputTokens: 1, cachedTokens: 0, estimated: false };

  it("comes closer to what the endpoint counts with each reply", () => {
    const counter = createTokenCounter();
    const distance = () => Math.abs(counter.countRequest(messages, []) - usage.inputTokens);
    const before = distance();
    counter.learn(messages, [], usage);
    const after = distance();
    counter.learn(messages, [], usage);
    expect(after).toBeLessThan(before);
    expect(distance()).toBeLessThan(after);
  });

  it("learns nothing from its own estimates", () => {
    const counter = createTokenCounter();
    const before = counter.countRequest(messages, []);
    counter.learn(messages, [], { ...usage, estimated: true });
    expect(counter.countRequest(messages, [])).toBe(before);
  });

  it("one odd reply does not spoil it", () => {
    const counter = createTokenCounter();
    const before = counter.countRequest(messages, []);
    counter.learn(messages, [], { ...usage, inputTokens: 10_000_000 });
    expect(counter.countRequest(messages, [])).toBeLessThanOrEqual(2 * before + 1);
  });

  it("counts tools and tool calls too", () => {
    const counter = createTokenCounter();
    const plain = counter.countRequest(messages, []);
    const tool = { name: "read_output", description: "Reads more.", parameters: { type: "object" } };
    const called = [
      ...messages,
      { role: "assistant", content: "", toolCalls: [{ id: "c", name: "read_output", arguments: '{"action":2}' }] },
    ] as const;
    expect(counter.countRequest(messages, [tool])).toBeGreaterThan(plain);
    expect(counter.countRequest(called, [])).toBeGreaterThan(plain + 4);
  });
});
