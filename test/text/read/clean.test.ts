import { expect, test } from "vitest";
import { clean, cleanBytes } from "../../../src/text/read/clean.ts";
import { fc } from "../../harness/chance.ts";

const esc = "\u001b";

test.each([
  ["colours", `${esc}[1;31mred${esc}[0m`, "red"],
  ["a title", `${esc}]0;title\u0007text`, "text"],
  ["a link", `${esc}]8;;https://x.test${esc}\\label${esc}]8;;${esc}\\`, "label"],
  ["a device string", `a${esc}Pq#0;2${esc}\\b`, "ab"],
  ["a string without an end", `a${esc}]0;x\nb`, "a\nb"],
  ["8-bit controls", "a\u009b31mb\u0085c", "ab\nc"],
  ["character sets", `${esc}(Ba`, "a"],
  ["a progress bar", "10 %\r50 %\r100 %", "100 %"],
  ["a shorter line over a longer", "12345\rab", "ab345"],
  ["an erased line", `12345\r${esc}[Kab`, "ab"],
  ["backspaces", "abc\b\bX", "aXc"],
  ["Windows line ends", "a\r\nb\r\n", "a\nb\n"],
  ["cursor addressing", `${esc}[2Ja${esc}[2;1Hb`, "a\nb"],
  ["a far column", `a${esc}[999999999Gb`, "a b"],
  ["NUL, bell, delete", "a\u0000\u0007\u007fb", "ab"],
  ["bidi and zero width", "a\u202e\u200b\u2066b", "ab"],
  ["a tab", "a\tb", "a\tb"],
  ["a lone surrogate", "a\ud800b", "a\ufffdb"],
  ["CSI with private parameters and intermediates", `a${esc}[?25l${esc}[>0;1c${esc}[1 q${esc}[!pb`, "ab"],
  ["colours with colons", `a${esc}[38:2::1:2:3mb`, "ab"],
  ["OSC ended by 8-bit ST", `a${esc}]0;title\u009cb`, "ab"],
  ["8-bit OSC, DCS, APC, PM and SOS", "a\u009d0;x\u0007\u0090x\u009c\u009fx\u009c\u009ex\u009c\u0098x\u009cb", "ab"],
  ["APC, PM and SOS", `a${esc}_x${esc}\\${esc}^x${esc}\\${esc}Xx${esc}\\b`, "ab"],
  ["sequences of two and three bytes", `a${esc}7${esc}8${esc}c${esc}=${esc}#8${esc}%G${esc}(0b`, "ab"],
  ["shifts of character sets", `a\u000e\u000f${esc}n${esc}o${esc}|b`, "ab"],
  ["a bar drawn by cursor moves", `[    ]${esc}[5D#${esc}[1C#`, "[# # ]"],
  ["a bar whose line is erased", `50 %${esc}[2K\r${esc}[1G100 %`, "100 %"],
  ["a sequence without an end", `a${esc}[31`, "a"],
])("AR-09 SR-44 %s", (_, text, shown) => expect(clean(text)).toBe(shown));

test("SR-44 bytes that are not UTF-8 become U+FFFD, a raw 8-bit escape goes", () => {
  expect(cleanBytes(Uint8Array.of(0x61, 0xff, 0x62))).toBe("a\ufffdb");
  expect(cleanBytes(Uint8Array.of(0x9b, 0x33, 0x31, 0x6d, 0x61, 0xc3, 0xa9, 0xe2, 0x82, 0xac))).toBe("aé€");
});

const noise = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        esc,
        `${esc}[`,
        `${esc}]`,
        "\r",
        "\b",
        "\n",
        "K",
        "5G",
        "\u009b",
        "\u{e0041}",
        "\ud83d",
        "\ude00",
      ),
      fc.string({ unit: "binary", maxLength: 4 }),
    ),
  )
  .map((parts) => parts.join(""));

test("SR-44 cleaned twice is the same as once, and only newline and tab are left of all controls", () => {
  fc.assert(
    fc.property(noise, (text) => {
      const once = clean(text);
      expect(clean(once)).toBe(once);
      expect(once.replace(/[\n\t]/g, "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
    }),
    { numRuns: 800 },
  );
});

test("SR-44 any bytes can be cleaned", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      expect(clean(cleanBytes(bytes))).toBe(cleanBytes(bytes));
    }),
  );
});

test.each([esc, `${esc}[`, `${esc}]`, "\r", "\b", "\r\r\n", `${esc}[9999C`, `a${esc}[P`, `a\r${esc}[2K`, "\u009b1"])(
  "SR-44 a megabyte of %j ends",
  (unit) => expect(clean(unit.repeat(1_000_000 / unit.length)).length).toBeLessThanOrEqual(1_000_000),
);

test.each([`${esc}[P`, `${esc}[1K`, `${esc}[2K`, `x${esc}[999999C${esc}[1K`, `${esc}[K`])(
  "SR-44 half a megabyte, then %j again and again, ends",
  (unit) => {
    const text = `${"a".repeat(500_000)}\r${unit.repeat(500_000 / unit.length)}`;
    expect(clean(text).length).toBeLessThanOrEqual(1_000_000);
  },
);
