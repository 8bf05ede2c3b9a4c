import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createRedactor } from "../../../../src/text/redact.ts";
import { fc } from "../../../harness/chance.ts";
import { classes, lines } from "../made/classes.ts";
import { createDraw } from "../made/draw.ts";
import type { Made } from "../made/secrets.ts";

const redact = createRedactor();

function redacted(text: string): string {
  const result = redact(text);
  if (!result.ok) throw new Error(result.reason);
  return result.text;
}

const each = 8;

describe.each(Object.entries(classes))("SR-45 %s, made anew", (_, makes) => {
  const made = Object.entries(makes).flatMap(([how, make], index) =>
    Array.from({ length: each }, (__, nth): Made & { how: string; out: string } => {
      const one = make(createDraw(index * 1000 + nth + 1));
      return { ...one, how, out: redacted(one.text) };
    }),
  );

  test("at least 98 % lose their secrets, and 98 % keep all else", () => {
    const missed = made.filter(({ secrets, out }) => secrets.some((secret) => out.includes(secret)));
    const lost = made.filter(({ keep, out }) => keep.some((kept) => !out.includes(kept)));
    expect(made.filter(({ out }) => redacted(out) !== out)).toEqual([]);
    const named = (of: typeof made): string => of.map(({ how, out }) => `${how}:\n${out}`).join("\n");
    expect(missed.length / made.length, named(missed)).toBeLessThanOrEqual(0.02);
    expect(lost.length / made.length, named(lost)).toBeLessThanOrEqual(0.02);
  });
});

test.each(lines.odd)("SR-45 %j loses its secrets", (text, secrets) => {
  const out = redacted(text);
  expect(secrets.filter((secret) => out.includes(secret))).toEqual([]);
  expect(redacted(out)).toBe(out);
});

test.each(lines.harmless)("SR-45 %j stays as it is", (text) => {
  expect(redacted(text)).toBe(text);
});

/** What stands before a secret on its line, in each of the labelled records. */
const heads = [1, 2, 3, 4, 5, 6, 7, 8]
  .map((round) => (round === 1 ? "redaction.jsonl" : `redaction-${round}.jsonl`))
  .flatMap((file) =>
    readFileSync(new URL(`../../../data/${file}`, import.meta.url), "utf8")
      .replaceAll("\u2042", "")
      .trim()
      .split("\n"),
  )
  .map((line): { text: string; secrets?: readonly string[] } => JSON.parse(line))
  .flatMap(({ text, secrets = [] }) => secrets.map((secret) => ({ text, secret, at: text.indexOf(secret) })))
  .filter(({ secret, at }) => at > 0 && !secret.includes("\n"))
  .map(({ text, secret, at }) => ({ head: text.slice(text.lastIndexOf("\n", at) + 1, at).trimEnd(), secret }))
  // Strings between three quotes have several lines; so have keys, blocks of YAML, tables and words that stand alone.
  .filter(({ head }) => head !== "" && !/["']{3}$|PRIVATE KEY/.test(head));

test("SR-45 a value never stands on the line below its name, but in forms of several lines", () => {
  const next = fc.constantFrom(
    (secret: string) => `${secret} and more words`,
    () => "Reader1-x9 is up again",
    () => "Port1/2 | up | 17",
    () => "2\tsmtp_port\t587",
    () => "(1 row)",
  );
  fc.assert(
    fc.property(fc.constantFrom(...heads), next, fc.constantFrom("\n", "\r\n"), ({ head, secret }, below, end) => {
      const line = below(secret);
      expect(redacted(head + end + line)).toBe(redacted(head) + end + redacted(line));
    }),
    { numRuns: 1500 },
  );
});
