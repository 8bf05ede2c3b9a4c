import { describe, expect, test } from "vitest";
import { admit } from "../../src/policy/admit.ts";

const hidden: readonly (readonly [name: string, char: string, code: string])[] = [
  ["NUL", "\u0000", "U+0000"],
  ["escape", "\u001b", "U+001B"],
  ["lone carriage return", "\r", "U+000D"],
  ["C1 control", "\u009b", "U+009B"],
  ["no-break space", "\u00a0", "U+00A0"],
  ["soft hyphen", "\u00ad", "U+00AD"],
  ["zero-width space", "\u200b", "U+200B"],
  ["right-to-left override", "\u202e", "U+202E"],
  ["line separator", "\u2028", "U+2028"],
  ["word joiner", "\u2060", "U+2060"],
  ["byte order mark", "\ufeff", "U+FEFF"],
  ["variation selector", "\ufe0f", "U+FE0F"],
  ["tag character", "\u{e0041}", "U+E0041"],
  ["private use", "\ue000", "U+E000"],
  ["unassigned", "\u{1fffe}", "U+1FFFE"],
];

describe("admission to a card", () => {
  test.each(hidden)("SR-32 a command with a %s is refused and the code point named", (_name, char, code) => {
    for (const from of ["model", "person"] as const) {
      const answer = admit(`echo a${char}b`, from);
      expect(answer).toMatchObject({ ok: false, reason: expect.stringContaining(code) });
    }
  });

  test("SR-32 a newline is refused from the model and allowed from a person", () => {
    expect(admit("uptime\ndf -h", "model")).toMatchObject({ ok: false, reason: expect.stringContaining("U+000A") });
    expect(admit("uptime\ndf -h", "person")).toEqual({ ok: true });
  });

  test("SR-32 a command name in mixed scripts is refused, other scripts as quoted data are fine", () => {
    expect(admit("r\u043c -rf /srv", "person")).toMatchObject({ ok: false, reason: expect.stringContaining("U+043C") });
    expect(admit("uptime; l\u0455", "person")).toMatchObject({ ok: false });
    expect(admit("grep 'Ошибка входа' /var/log/app.log", "model")).toEqual({ ok: true });
  });

  test("SR-34 a command of 2,000 bytes is admitted, one more is not, and bytes are counted as UTF-8", () => {
    expect(admit(`echo ${"a".repeat(1995)}`, "model")).toEqual({ ok: true });
    expect(admit(`echo ${"a".repeat(1996)}`, "model")).toMatchObject({ ok: false });
    expect(admit(`echo '${"ж".repeat(1000)}'`, "model")).toMatchObject({ ok: false });
  });
});
