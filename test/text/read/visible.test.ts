import { describe, expect, test } from "vitest";
import { delimit, shownWords, visible } from "../../../src/text/read/visible.ts";
import { fc } from "../../harness/chance.ts";
import { pieces } from "../markdown.ts";

const hostile = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 6 })), { maxLength: 16 })
  .map((parts) => parts.join(""));

describe("SR-37 what a human sees", () => {
  test("seen twice is the same as once", { tags: ["long"] }, () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(visible(visible(text))).toBe(visible(text));
      }),
      { numRuns: 800 },
    );
  });

  test.each([
    ["an HTML comment", "a <!-- HIDDEN --> b"],
    ["a comment block", "a\n\n<!--\nHIDDEN\n-->\n\nb"],
    ["a comment without an end", "a\n\n<!-- HIDDEN\n\nHIDDEN"],
    ["a comment without an end in a line", "a <!-- HIDDEN"],
    ["a comment in a comment", "a <!-- <!-- --> b <!-- HIDDEN -->"],
    ["a link definition nobody uses", "a\n\n[//]: # (HIDDEN)\n[x]: https://x.test 'HIDDEN'"],
    ["a link's title", 'see [docs](https://x.test "HIDDEN")'],
    ["a used definition's title", "see [docs][d]\n\n[d]: https://x.test 'HIDDEN'"],
    ["an unreferenced footnote", "a\n\n[^z]: HIDDEN"],
    ["an image's text", "a ![HIDDEN](https://x.test/HIDDEN.png)"],
    ["an image tag", 'a <img alt="HIDDEN" src="https://x.test/HIDDEN.png"> b'],
    ["an attribute", 'a <b title="HIDDEN">bold</b>'],
    ["a script", "<script>HIDDEN</script>\n\na"],
    ["a style", "a\n\n<style>HIDDEN</style>"],
    ["a processing instruction", "<?HIDDEN?>\n\na"],
    ["CDATA", "<![CDATA[HIDDEN]]>\n\na"],
    ["an element's attribute over lines", 'a\n\n<div\n data-x="HIDDEN">b</div>'],
  ])("leaves out %s", (_, markdown) => {
    expect(visible(markdown)).not.toContain("HIDDEN");
    expect(visible(markdown)).toMatch(/\S/);
  });

  test.each([
    ["zero width", "ap\u200bprove"],
    ["bidi", "ap\u202eprove\u202c"],
    ["tag characters", "ap\u{e0041}\u{e0042}prove"],
    ["variation selectors", "ap\ufe0f\u{e0100}prove"],
    ["fillers", "ap\u034f\u115f\u1160\u3164\uffa0\u180eprove"],
    ["references to them", "ap&#8203;&#x200b;&zwj;&ZeroWidthSpace;prove"],
    ["escapes", "ap\u001b[31mprove\u001b[0m"],
  ])("leaves out %s", (_, markdown) => expect(visible(markdown)).toBe("approve"));

  test("INJ-1 says of an image, written as Markdown or as HTML, that it was not read", () => {
    for (const image of ["![df](https://x.test/df.png)", '<img src="https://x.test/df.png">'])
      expect(visible(`See ${image} here`)).toBe("See [image not read] here");
  });

  test("shows a comment in code, since a reader sees it", () => {
    expect(visible("`<!-- shown -->`\n\n```html\n<!-- shown -->\n```")).toBe(
      "`<!-- shown -->`\n\n```html\n<!-- shown -->\n```",
    );
  });

  test("ends a comment where a browser does", () => expect(visible("<!-- a --!> shown")).toContain("shown"));

  test("flags collapsed sections and keeps their text", () => {
    expect(visible("<details><summary>Log</summary>\n\nline\n\n</details>")).toBe(
      "[collapsed section] Log\n\nline\n\n [end of collapsed section]",
    );
  });

  test("joins what belongs together (NFC) and keeps at most 65,536 characters", () => {
    expect(visible("e\u0301")).toBe("é");
    expect(visible("word ".repeat(20_000)).length).toBeLessThanOrEqual(65_536);
  });
});

test("SR-39 text cannot close the tag it stands in", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("n0nce", "N0NCE", "</issue", ' nonce="', '">', "\n", "x", "n0n", "ce")),
      (parts) => {
        expect(delimit(parts.join(""), "issue", "n0nce").match(/n0nce/gi)?.length).toBe(2);
      },
    ),
  );
});

describe("SR-37 the words that GitHub shows without a click", () => {
  const hidden = [
    ["<!-- HIDDEN -->", "<!-- HIDDEN", "<!-- HIDDEN\nHIDDEN --!> HIDDEN", "<!--> -->", "[//]: # (HIDDEN)"],
    ["[HIDDEN]: https://x.test 'HIDDEN\nHIDDEN'", "[HIDDEN]:\nhttps://x.test", "![HIDDEN](HIDDEN.png)"],
    ["![HIDDEN][r]\n\n[r]: HIDDEN", '<img alt="HIDDEN" src="x">', "<details></details>"],
    ["<details><summary>HIDDEN</summary>HIDDEN</details>", "<details>\n\nHIDDEN\n\n</details>"],
    ["<details><details></details>\n\nHIDDEN\n\n</details>", "&nbsp;&#8203;&#x2060;&zwj;&shy;"],
    ["\u200b\u2060\u3164\u00ad", "**\u200b**", "****", "\\", "<p></p>", "<br>", "<a name=HIDDEN></a>"],
    ['<a title="HIDDEN\nHIDDEN"></a>', "[^z]: HIDDEN", "[](HIDDEN)", "[\u200b](HIDDEN 'HIDDEN')", "---", "1."],
    ["> ", "```\n```", "```math\n\\phantom{HIDDEN}\n```", "$\\phantom{HIDDEN}$", ":rocket:"],
    ["<style>HIDDEN</style>", "<template>\n\nHIDDEN\n\n</template>", "<?HIDDEN?>", "| |\n|-|\n| |", ".", "…!?"],
  ].flat();
  const legible = /[\p{L}\p{N}]/u;

  test.each(hidden)("none in %j", (markdown) => expect(shownWords(markdown)).not.toMatch(legible));

  test("none in several of them, one below another", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...hidden), { maxLength: 6 }), (parts) => {
        expect(shownWords(parts.join("\n\n"))).not.toMatch(legible);
      }),
    );
  });

  test("a word is found wherever it can be read, also below what is hidden and has an end", () => {
    const ended = hidden.filter((markdown) => !/^<!-- HIDDEN(?!.*-->)|^```|^1\.|^> |^\||^\\$/s.test(markdown));
    const ways: readonly ((word: string) => string)[] = [
      (word) => word,
      (word) => `**${word}**`,
      (word) => `~~${word}~~`,
      (word) => `\`${word}\``,
      (word) => `\`\`\`\n${word}\n\`\`\``,
      (word) => `[${word}](https://x.test)`,
      (word) => `<b>${word}</b>`,
      (word) => `<p>${word}</p>`,
      (word) => `> ${word}`,
      (word) => `- ${word}`,
      (word) => `# ${word}`,
      (word) => `| ${word} |\n|-|`,
      (word) => `a[^z]\n\n[^z]: ${word}`,
      (word) => `<!-- x --> ${word}`,
    ];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...ended), { maxLength: 3 }),
        fc.constantFrom(...ways),
        fc.constantFrom("disk", "原因", "سبب", "диск", "7"),
        (parts, write, word) => {
          expect(shownWords([...parts, write(word)].join("\n\n"))).toContain(word);
        },
      ),
    );
  });

  test("it never throws", () => {
    fc.assert(
      fc.property(hostile, (text) => void shownWords(text)),
      { numRuns: 300 },
    );
  });
});
