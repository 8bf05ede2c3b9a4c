import { describe, expect, test } from "vitest";
import { plain } from "../../src/text/fence.ts";
import { absoluteAddress, writeLink } from "../../src/text/links.ts";
import { prose } from "../../src/text/prose.ts";
import { fc } from "../harness/chance.ts";
import { heardBy } from "./bots.ts";
import { nodesOf, parse, pieces, shortcode, textOutsideCode } from "./markdown.ts";

const linkHosts = ["ok.test"];
const blobUrl = "https://github.test/acme/ops/blob/1a2b3c4";
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 6 })), { maxLength: 16 })
  .map((parts) => parts.join(""));
const allowed = new Set(["root", "paragraph", "text", "emphasis", "strong", "inlineCode", "link", "break"]);

describe("SR-31 the model's prose", () => {
  test("SR-42 holds nothing but paragraphs, emphasis, inline code and allowed links", { tags: ["long"] }, () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const nodes = nodesOf(parse(prose(text, { linkHosts })));
        expect(nodes.map(({ type }) => type).filter((type) => !allowed.has(type))).toEqual([]);
        for (const node of nodes) if (node.type === "link") expect(node.url).toMatch(/^https?:\/\/ok\.test\//);
      }),
      { numRuns: 1200 },
    );
  });

  test("SR-43 starts no command on any line", { tags: ["long"] }, () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(heardBy(prose(text))).toEqual([]);
      }),
      { numRuns: 1200 },
    );
  });

  test("SR-42 mentions nobody and refers to nothing", { tags: ["long"] }, () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(textOutsideCode(prose(text))).not.toMatch(/@\w|#\d|\bGH-\d|https?:\/\/|www\./);
      }),
      { numRuns: 1200 },
    );
  });

  test("AR-19 SR-31 draws no emoji by its name", { tags: ["long"] }, () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(textOutsideCode(prose(text))).not.toMatch(shortcode);
      }),
      { numRuns: 1200 },
    );
  });

  test.each([
    ["# Big\n\ntext", "**Big**\n\ntext"],
    ["- one\n- two\n  - three", "• one\n• two\n• three"],
    ["- [ ] **4** · 🟡 run it", "• **4** · ▫ run it"],
    ["**1** · ✅ exit 0 · `❌` · approved by @lee", "**1** · ▫ exit 0 · `▫` · approved by `@lee`"],
    [
      "**1** · :white_check_mark: exit 0 · `web-1` · approved by lee",
      "**1** · `:white_check_mark:` exit 0 · `web-1` · approved by lee",
    ],
    ["**1** · &colon;white\\_check_mark: exit 0", "**1** · `:white_check_mark:` exit 0"],
    // Issue 18: a plan's numbers are what people answer to: as Markdown's own list they would be counted anew.
    ["1. first\n2. second", "1.\u00a0first\n2.\u00a0second"],
    ["3. third\n5. fifth\n   - its part", "3.\u00a0third\n5.\u00a0fifth\n• its part"],
    ["1. one\n1. two", "1.\u00a0one\n2.\u00a0two"],
    ["12.5 GB are free\n10.0.0.7 answers", "12.5 GB are free\n10.0.0.7 answers"],
    [
      "At 14:02:11Z: a deploy; 2026-03-01T14:05:00+02:00: an alarm",
      "At 14:02:11Z: a deploy; 2026-03-01T14:05:00+02:00: an alarm",
    ],
    ["done :+1: and 14:02:+1: too", "done `:+1:` and `14:02:+1:` too"],
    ["> quoted", "quoted"],
    ["```text\nroot ok\nall fine\n```", "`root ok`\n`all fine`"],
    [
      "```sh\n\nfor f in *; do\n\techo  $f\n\n    ls `\ndone\n\n```",
      "`for f in *; do`\n`  echo  $f`\n\u00a0\n``     ls ` ``\n`done`",
    ],
    ["`multi\nline`", "`multi line`"],
    ["![alt](https://evil.test/p.png)", "alt"],
    ["<img src=x onerror=y>", "&lt;img src=x onerror=y&gt;"],
    ["before <!-- countersign:card --> after", "before  after"],
    [
      "[docs](https://ok.test/a) and [bad](https://evil.test/b)",
      "[docs](https://ok.test/a) and bad (`https://evil.test/b`)",
    ],
    [
      "[Open runbook](.github/skills/disk/SKILL.md)",
      "[Open runbook](https://github.test/acme/ops/blob/1a2b3c4/.github/skills/disk/SKILL.md)",
    ],
    ["[x](javascript:alert(1))", "x (`javascript:alert(1)`)"],
    ["*em* **strong** `code`", "*em* **strong** `code`"],
    ["| a | b |\n|---|---|\n| 1 | 2 |", "a · b\n1 · 2"],
    ["thanks @mona, fixes #12", "thanks `@mona`, fixes `#12`"],
    ["/approve 1", "│ /approve 1"],
  ])("writes %j as %j", (written, posted) => expect(prose(written, { linkHosts, blobUrl })).toBe(posted));

  test("SR-42 a very deep nesting ends as text", () => {
    const deep = `${">".repeat(30_000)} deep ${"[".repeat(2000)}${"*a ".repeat(2000)}`;
    expect(parse(prose(deep)).children.every(({ type }) => type === "paragraph")).toBe(true);
  });
});

test.each([
  ["https://wiki.test/x", "https://wiki.test/x"],
  ["docs/disk.md#clean", `${blobUrl}/docs/disk.md#clean`],
  ["./docs/a.md", `${blobUrl}/docs/a.md`],
  ["/docs/a.md", `${blobUrl}/docs/a.md`],
  ["./docs/a b.md", undefined],
  ["../../other", undefined],
  ["//evil.test/x", undefined],
  ["javascript:alert(1)", undefined],
  ["https://user:pw@evil.test/", undefined],
  ["data:text/html,x", undefined],
  ["https:/\\evil.test", undefined],
  ["#there", undefined],
])("AR-20 a link to %j leads to %j", (url, expected) => expect(absoluteAddress(url, blobUrl)).toBe(expected));

test("AR-20 a path with nothing to put it behind is no link: its words stay", () => {
  expect(absoluteAddress("docs/disk.md", undefined)).toBeUndefined();
  expect(writeLink("Disk", "docs/disk.md")).toBe("Disk");
  expect(prose("See [the disk page](docs/disk.md) first.")).toBe("See the disk page (`docs/disk.md`) first.");
});

test("AR-20 no prose has a link that is not absolute, whatever was written", () => {
  const address = fc.constantFrom(
    "docs/a.md",
    "/x",
    "./y#z",
    "?q",
    "#f",
    "../z",
    "//e.test",
    "https://ok.test/a",
    "a b",
  );
  const piece = fc.oneof(
    fc.constantFrom(...pieces),
    fc.tuple(fc.constantFrom(...pieces, "words"), address).map(([words, url]) => `[${words}](${url})`),
    address.map((url) => `[x][1]\n\n[1]: ${url}\n\n<${url}>`),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.constantFrom(blobUrl, undefined), (parts, behind) => {
      const links = nodesOf(parse(prose(parts.join(""), { linkHosts, blobUrl: behind }))).filter(
        ({ type }) => type === "link",
      );
      for (const link of links)
        expect(link).toHaveProperty("url", expect.stringMatching(/^https?:\/\/(ok|github)\.test\//));
    }),
  );
});

test("AR-20 a file whose name begins with www. is no address, in prose or in a path", () => {
  expect(prose("www.conf was changed, and www.acme.log grows.")).toBe(
    "`www.conf` was changed, and `www.acme.log` grows.",
  );
  expect(prose("See https://evil.test/x")).toBe("See `https://evil.test/x`");
  expect(plain("writes /etc/nginx/conf.d/www.conf, and www.conf.")).toBe(
    "writes `/etc/nginx/conf.d/www.conf`, and `www.conf`.",
  );
});
