import { describe, expect, test } from "vitest";
import { code, fence, htmlCode, note, plain } from "../../src/text/fence.ts";
import { fc } from "../harness/chance.ts";
import { heardBy } from "./bots.ts";
import { nodesOf, parse, pieces, shortcode, textOutsideCode } from "./markdown.ts";

const hostile = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 6 })), { maxLength: 14 })
  .map((parts) => parts.join(""));

test("SR-42 a fence is exactly one code block, whatever it holds", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(parse(fence(text)).children.map(({ type }) => type)).toEqual(["code"]);
    }),
    { numRuns: 800 },
  );
});

test("SR-43 no line of a fence starts like a bot's command", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(heardBy(fence(text))).toEqual([]);
    }),
    { numRuns: 800 },
  );
});

test("SR-43 a line that looks like a command gets a visible prefix, the others stay", () => {
  expect(fence("ok\n/approve 1\n  @mona hi\n.deploy prod\natlantis apply", "sh")).toBe(
    "```sh\nok\n│ /approve 1\n│   @mona hi\n│ .deploy prod\n│ atlantis apply\n```",
  );
});

test.each([
  "/dev/vda1  20G  18G  2G  90% /",
  "/usr/sbin/nginx -t",
  "/etc/hosts",
  ".bashrc:12",
  "./run.sh",
  "atlantis.log 20M",
  "!=",
])("SR-43 %j is no bot's command and is shown as it is", (line) => {
  expect(fence(line)).toBe(`\`\`\`text\n${line}\n\`\`\``);
  expect(heardBy(line)).toEqual([]);
});

test.each(["/approve 1", "/test all", "/label/x", "/home", ".deploy!", "bors: r+", "bros r+", "@mona", "!ping"])(
  "SR-43 %j could be one and is marked",
  (line) => expect(fence(line)).toBe(`\`\`\`text\n│ ${line}\n\`\`\``),
);

test("SR-42 an inline code span is exactly one code node on one line", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const [paragraph, ...more] = parse(`x ${code(text)} y`).children;
      expect(more).toEqual([]);
      expect(paragraph && nodesOf(paragraph).map(({ type }) => type)).toEqual([
        "paragraph",
        "text",
        "inlineCode",
        "text",
      ]);
    }),
    { numRuns: 800 },
  );
});

test.each([
  ["1. Look at the log", "1.\u00a0Look at the log"],
  ["2) Restart", "2)\u00a0Restart"],
  ["1.5 GB", "1.5 GB"],
  ["3.", "3\\."],
  ["14:02:11Z: it began", "14:02:11Z: it began"],
  [":white_check_mark:", "`:white_check_mark:`"],
])("AR-19 SR-42 %j begins no list, and its number and its time are read as written", (text, written) => {
  expect(plain(text)).toBe(written);
  expect(parse(written).children.map(({ type }) => type)).toEqual(["paragraph"]);
});

test("SR-42 code within HTML is one line that shows every character and holds no other tag", () => {
  const shown = htmlCode("grep a_b <x>\n\n&& echo @lee </code></summary>");
  expect(shown).toBe("<code>grep a_b &lt;x&gt; &amp;&amp; echo @lee &lt;/code&gt;&lt;/summary&gt;</code>");
});

describe("a note of ours", () => {
  test.each([
    ["The incident also names `web-2`, `db_1`.", "The incident also names `web-2`, `db_1`."],
    [
      "Left out: the runbook lists `rm *_old*` under *Verify*.",
      "Left out: the runbook lists `rm *_old*` under \\*Verify\\*.",
    ],
    ["Held by `@sam`; ask @sam.", "Held by `@sam`; ask `@sam`."],
    ["One ` alone, <b>", "One \\` alone, &lt;b&gt;"],
  ])("AR-20 DC-5 with a name in it is whole Markdown: %s", (text, written) => expect(note(text)).toBe(written));

  test("SR-42 is one paragraph of words and code spans only, whatever it names", { tags: ["long"] }, () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const written = note(`${text} \`${text}\` ${text}`);
        const types = nodesOf(parse(written)).map(({ type }) => type);
        expect(types.filter((type) => !["root", "paragraph", "text", "inlineCode"].includes(type))).toEqual([]);
        expect(types.filter((type) => type === "paragraph").length).toBeLessThanOrEqual(1);
        expect(textOutsideCode(written)).not.toMatch(/@\w|#\d|\bGH-\d|https?:\/\/|www\./);
        expect(heardBy(written)).toEqual([]);
      }),
      { numRuns: 800 },
    );
  });
});

describe("SR-42 plain text", () => {
  test("is one paragraph of words and code spans only", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const types = nodesOf(parse(plain(text))).map(({ type }) => type);
        expect(types.filter((type) => !["root", "paragraph", "text", "inlineCode"].includes(type))).toEqual([]);
        expect(types.filter((type) => type === "paragraph").length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 800 },
    );
  });

  test("mentions nobody, refers to nothing, starts no command", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const written = plain(text);
        expect(heardBy(written)).toEqual([]);
        expect(textOutsideCode(written)).not.toMatch(/@\w|#\d|\bGH-\d|https?:\/\/|www\./);
      }),
      { numRuns: 800 },
    );
  });

  test("AR-19 SR-31 draws no emoji by its name", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(textOutsideCode(plain(text))).not.toMatch(shortcode);
      }),
      { numRuns: 800 },
    );
  });

  test.each([
    ["ask @mona about #12", "ask `@mona` about `#12`"],
    ["fixes acme/shop#7, see https://x.test/a.", "fixes `acme/shop#7`, see `https://x.test/a`."],
    ["<b>*bold*</b>", "&lt;b&gt;\\*bold\\*&lt;/b&gt;"],
    ["- [ ] **1** task", "\\- \\[ \\] \\*\\*1\\*\\* task"],
    ["/approve 1", "│ /approve 1"],
    [":green_circle: low, read only", "`:green_circle:` low, read only"],
    ["done:+1: :x::x:.", "`done:+1:` `:x::x:`."],
    ["since 14:02:33Z on nginx:1.27, 10.0.0.1:443", "since 14:02:33Z on nginx:1.27, 10.0.0.1:443"],
    ["fe80::ab:1 and acme:web:live", "`fe80::ab:1` and `acme:web:live`"],
    ["two\nlines", "two lines"],
  ])("shows %j as %j", (text, shown) => expect(plain(text)).toBe(shown));
});
