import { describe, expect, test } from "vitest";
import { excerpt, presentCapture } from "../../src/text/output.ts";
import { createRedactor } from "../../src/text/redact.ts";
import { createTruncation, truncate } from "../../src/text/truncate.ts";
import { fc } from "../harness/chance.ts";

const redact = createRedactor();
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const capture = (head: string, tail = "", dropped = 0) => ({
  head: bytes(head),
  tail: bytes(tail),
  bytes: head.length + tail.length + dropped,
  dropped,
  sha256: "",
});

describe("AR-14 truncate", () => {
  test("keeps a text that fits", () => {
    expect(truncate("abc", { limit: 3, more: "/output 2" })).toEqual({ text: "abc", cut: 0, total: 3 });
  });

  test("keeps head and tail at line ends and says what it cut", () => {
    const text = Array.from({ length: 1000 }, (_, line) => `line ${String(line).padStart(3, "0")}`).join("\n");
    expect(truncate(text, { limit: 200, more: "/output 2" }).text).toBe(
      [
        ...Array.from({ length: 6 }, (_, line) => `line 00${line}`),
        "  ⋯ 8,865 of 8,999 characters left out · /output 2 ⋯",
        ...Array.from({ length: 9 }, (_, line) => `line ${991 + line}`),
      ].join("\n"),
    );
  });

  test("AR-15 lines that tell of trouble survive the cut, with their numbers; those that are shown are not said twice", () => {
    const lines = Array.from({ length: 1000 }, (_, line) => `line ${String(line).padStart(3, "0")}`);
    lines[900] = "fatal: boom";
    const truncation = createTruncation({ limit: 300, more: "/output 2" });
    truncation.push(lines.join("\n"));
    const { text } = truncation.finish([
      { line: 901, text: "fatal: boom" },
      { line: 1, text: "line 000" },
    ]);
    expect(text).toMatch(/\n {2}⋯ 8,\d{3} of 9,002 characters left out; line 901: fatal: boom · \/output 2 ⋯\n/);
    expect(text.length).toBeLessThanOrEqual(300);
  });

  test("counts aloud exactly what is missing, never parts a character, keeps the limit", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "🙂", "\n"), minLength: 300 }),
        fc.integer({ min: 120, max: 250 }),
        (text, limit) => {
          const short = truncate(text, { limit, more: "more" });
          const [head = "", tail = ""] = short.text.split(/\n? {2}⋯ .* ⋯\n?/);
          expect(short.text.isWellFormed()).toBe(true);
          expect(short.text.length).toBeLessThanOrEqual(limit);
          expect(short.cut).toBeGreaterThan(0);
          expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        },
      ),
    );
  });
});

test("SR-46 a secret is gone at every cut position, in head and tail", () => {
  const secret = `ghp_${"A1b2C3d4E5f6".repeat(3)}`;
  for (let at = 0; at < 600; at += 7) {
    const stored = presentCapture(capture(`${"x ".repeat(at)}using ${secret} now ${"y ".repeat(600 - at)}`), redact);
    const shown = stored.ok ? excerpt(stored.text, { limit: 300, more: "m", redact }) : { withheld: stored.reason };
    expect(JSON.stringify([stored, shown])).not.toMatch(/ghp_|C3d4/);
  }
});

test("SR-46 half a secret at the gap of a capture is dropped with its line and counted", () => {
  const present = presentCapture(capture("first\nTOKEN IS A1b2C3", "d4E5f6 end\nlast\n", 100), redact);
  expect(present).toEqual({ ok: true, text: "first\n  ⋯ 126 bytes in the middle were not kept ⋯\nlast\n" });
});

test("SR-46 a capture read in pieces gives what it gives as a whole, wherever a piece ends", () => {
  const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
  const line = `größe → using TOKEN=${secret} \u001b[1mnow\u001b[0m\n`;
  const all = Buffer.from(line.repeat(2_000));
  const [head, tail] = [all.subarray(0, 100_001), all.subarray(100_050)];
  const whole = presentCapture({ head, tail, bytes: all.length, dropped: 49, sha256: "" }, redact);
  expect(whole.ok && whole.text).toContain("now");
  for (const size of [65_536, 65_535, 9_999, 101]) {
    const cut = (bytes: Uint8Array) =>
      Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
    const pieces = { head: cut(head), tail: cut(tail) };
    const inPieces = presentCapture({ head, tail, pieces, bytes: all.length, dropped: 49, sha256: "" }, redact);
    expect(inPieces).toEqual(whole);
    expect(inPieces.ok && inPieces.text).not.toContain(secret.slice(0, 12));
  }
});

test("SR-48 an output the redactor fails on is withheld", () => {
  const failing = () => ({ ok: false, reason: "took too long" }) as const;
  expect(presentCapture(capture("x"), failing)).toEqual({ ok: false, reason: "took too long" });
  expect(excerpt("x", { limit: 10, more: "m", redact: failing })).toEqual({ withheld: "took too long" });
});
