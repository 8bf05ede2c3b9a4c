import { describe, expect, test } from "vitest";
import { firstBlock, talkLines } from "../../src/slash/talk.ts";

const talkOf = (body: string): string[] => [...talkLines(body.split("\n"))].map(({ text }) => text);

describe("the lines that somebody said", () => {
  test("SR-22 are what quotes, blocks of code and comments leave", () => {
    const body = "> quoted\nsaid\n    still said\n\n    code\n```\nfence\n```\n<!-- hidden\nhidden --> seen\n~~~\nopen";
    expect(talkOf(body)).toEqual(["said", "    still said", " seen"]);
  });

  test("SR-22 SR-30 what a quote or inline code leaves open hides nothing below it", () => {
    expect(talkOf("> <!--\nsaid")).toEqual(["said"]);
    expect(talkOf("`<!--` is how it begins\nsaid")).toEqual(["`<!--` is how it begins", "said"]);
    expect(talkOf("it begins with <!-- somewhere\nsaid")).toEqual(["it begins with <!-- somewhere", "said"]);
    expect(talkOf("<!-- a --!> seen\nsaid")).toEqual(["<!-- a --!> seen", "said"]);
  });

  test("SR-22 a line of nothing but inline code is marked as one", () => {
    const onlyCode = (line: string) => [...talkLines([line])].map((talk) => talk.onlyCode);
    for (const line of ["`a`", "``a ` b`` `c`", "  `a` <!-- b -->", "`\\`"])
      expect(onlyCode(line), line).toEqual([true]);
    for (const line of ["`a", "`a``", "\\`a`", "`a` b", "a", "<!-- a --!> `b`"])
      expect(onlyCode(line), line).toEqual([false]);
  });
});

describe("the first fenced block", () => {
  test.each([
    ["<!--\n```\nreboot\n```\n-->\n```\nuptime\n```", "uptime"],
    ["> ```\n> reboot\n> ```\n```\nuptime\n```", "uptime"],
    ["because\n\n    ```\n    reboot\n    ```\n~~~sh\nuptime\n~~~", "uptime"],
    ["<!-- ```\nreboot", undefined],
  ])("SR-22 is one that everybody sees: %j → %j", (body, block) =>
    expect(firstBlock(body.split("\n"))?.join("\n")).toBe(block),
  );
});
