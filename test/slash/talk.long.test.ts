import { describe, expect, test } from "vitest";
import { parseSlashCommand } from "../../src/slash/grammar.ts";
import { talkLines } from "../../src/slash/talk.ts";

/** How many characters the expressions of a reading look at: from where each begins to where it has its match, or to the end. */
function charactersRead(body: string): number {
  let read = 0;
  const exec = RegExp.prototype.exec;
  const counting = function (this: RegExp, text: string): RegExpExecArray | null {
    // `split` asks at each place for a match just there.
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    read += 1 + (match ? match.index + match[0].length : this.sticky ? from : text.length) - from;
    return match;
  };
  Object.defineProperty(RegExp.prototype, "exec", { value: counting, configurable: true, writable: true });
  try {
    parseSlashCommand(body, ["ops"]);
    for (const _ of talkLines(body.split("\n")));
  } finally {
    Object.defineProperty(RegExp.prototype, "exec", { value: exec, configurable: true, writable: true });
  }
  return read;
}

/** Runs of backticks of every length: none closes another. */
const staircase = Array.from({ length: 360 }, (_, ticks) => "`".repeat(ticks + 1)).join(" ");
const filled = (filler: string, length: number): string =>
  filler.repeat(Math.ceil(length / filler.length)).slice(0, length);

const hostile = [
  ">",
  "`",
  "<!--",
  "[",
  "-->",
  "--!>",
  "<!-- --!>",
  "<!-->",
  "`<!--",
  "` `` ",
  staircase,
  "\\`",
  "~",
  "<",
  "--",
];

describe("a hostile comment", () => {
  test.each([
    ...hostile,
    ...hostile.map((filler) => `${filler}\n`),
    ...[
      "> ",
      "\t",
      " ",
      "1,",
      "1 ",
      ", ",
      "--a ",
      "\r",
      "/",
      "`a`\n",
      "<!--\n-->\n",
      "```\n",
      "```\n``\n",
      ">`\n",
      "`a` ",
    ],
  ])("SR-22 of %j is read in time that grows with its length and no faster", (filler) => {
    for (const head of ["", "/reject 1 ", "/reject 1\n", "`a` ", "<!-- ", "```\n"]) {
      const [half, whole] = [32_768, 65_536].map((length) => charactersRead(head + filled(filler, length))) as [
        number,
        number,
      ];
      expect(whole / half, head).toBeLessThan(2.5);
      expect(whole / 65_536, head).toBeLessThan(40);
    }
  });
});
