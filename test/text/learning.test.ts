import { expect, it } from "vitest";
import { createLearningRedactor } from "../../src/text/learning.ts";

const textOf = (redacted: { ok: boolean; text?: string }) => redacted.text;

it("SR-45 a text that was clean is searched again once more secrets are known", () => {
  const { redact, redactAgain, learn } = createLearningRedactor(["first-value-4711"]);
  const text = "it says second-value-0815 and first-value-4711";
  for (const each of [redact, redactAgain, redactAgain])
    expect(textOf(each(text))).toBe("it says second-value-0815 and [REDACTED]");
  const other = "it says second-value-0815";
  expect(textOf(redactAgain(other))).toBe(other);
  expect(textOf(redactAgain(other))).toBe(other);
  learn(["second-value-0815"]);
  for (const each of [redact, redactAgain]) {
    expect(textOf(each(other))).toBe("it says [REDACTED]");
    expect(textOf(each(text))).toBe("it says [REDACTED] and [REDACTED]");
  }
});

it("SR-45 what was drawn before a secret was known is known as such", () => {
  const { learn, secretsSha256 } = createLearningRedactor(["first-value-4711"]);
  const before = secretsSha256();
  learn(["first-value-4711"]);
  expect(secretsSha256()).toBe(before);
  learn(["second-value-0815"]);
  expect(secretsSha256()).not.toBe(before);
});
