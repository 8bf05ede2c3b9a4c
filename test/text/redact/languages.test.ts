import { expect, test } from "vitest";
import { foreignNames, keyContents } from "../../../src/text/redact/languages.ts";
import { createRedactor } from "../../../src/text/redact.ts";

const redact = createRedactor();
const secret = ["Zq7", "mR2xK", "9v!"].join("");

const shows = (text: string): boolean => {
  const redacted = redact(text);
  return !redacted.ok || redacted.text.includes(secret);
};

test("SR-45 a secret is hidden under its name in every language", () => {
  expect(foreignNames.filter((name) => shows(`${name}: ${secret}`))).toEqual([]);
});

test("SR-45 the key of a wireless network is hidden in every language of Windows", () => {
  expect(keyContents.filter((label) => shows(`    ${label}            : ${secret}`))).toEqual([]);
});

test("SR-45 the table of languages has each word once, in small letters", () => {
  for (const words of [foreignNames, keyContents]) {
    expect(words.filter((word, at) => word !== word.toLowerCase() || words.indexOf(word) !== at)).toEqual([]);
  }
});
