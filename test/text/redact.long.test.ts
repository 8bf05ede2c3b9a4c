import { expect, test } from "vitest";
import { createRedactor } from "../../src/text/redact.ts";
import { hostile } from "./redact/hostile.ts";

const redact = createRedactor();

test.each(Object.entries(hostile))("SR-48 a megabyte of %s ends as text, not as a withheld output", (_, text) => {
  expect(redact(text).ok).toBe(true);
});
