import { describe, expect, it } from "vitest";
import { createFold } from "../../../src/text/read/fold.ts";
import { fc } from "../../harness/chance.ts";

function folded(...pieces: readonly string[]): string {
  let text = "";
  const fold = createFold((more) => {
    text += more;
  });
  for (const piece of pieces) fold.push(piece);
  fold.finish();
  return text;
}

const second = (i: number): string => `2026-03-01T14:02:${String(i).padStart(2, "0")}Z app[${300 + i}]:`;

describe("AR-14 near-identical lines", () => {
  it("are one line, how often, and the last", () => {
    const text = Array.from({ length: 30 }, (_, i) => `${second(i)} request ${i} failed: no space left\n`).join("");
    expect(folded(`begin\n${text}end\n`)).toBe(
      `begin\n${second(0)} request 0 failed: no space left\n  ⋯ × 30 like it, the last: ⋯\n${second(29)} request 29 failed: no space left\nend\n`,
    );
  });

  it("that are the same to the letter stand once", () => {
    expect(folded("x\n".repeat(4_000))).toBe("x\n  ⋯ × 4,000: the same line each time ⋯\n");
  });

  it("four stay as they are, and so does what only looks alike: rows of a table, another code, another share", () => {
    for (const text of [
      "x\n".repeat(4),
      Array.from({ length: 9 }, (_, i) => `tmpfs  3.2G  1.${i}M  3.2G  ${i}% /run/user/${i}\n`).join(""),
      Array.from({ length: 9 }, (_, i) => `${second(i)} GET / ${i % 2 ? 200 : 500}\n`).join(""),
      Array.from({ length: 9 }, (_, i) => `${second(i)} volume at ${90 + i} %\n`).join(""),
    ])
      expect(folded(text)).toBe(text);
  });

  it("are found however the text is parted, and a text of lines that differ is handed on as it is", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a\n", "b\n", "a", "\n"), { maxLength: 60 }), (pieces) => {
        expect(folded(...pieces)).toBe(folded(pieces.join("")));
      }),
    );
    const text = Array.from({ length: 100 }, (_, i) => `line ${i}`).join("\n");
    expect(folded(...text.split(/(?<=7)/))).toBe(text);
  });
});
