import { describe, expect, test } from "vitest";
import { admit } from "../../src/risk/admit.ts";
import { labelled } from "./labelled.ts";

const hidden: readonly (readonly [name: string, char: string, code: string])[] = [
  ["NUL", "\u0000", "U+0000"],
  ["escape", "\u001b", "U+001B"],
  ["tab", "\t", "U+0009"],
  ["lone carriage return", "\r", "U+000D"],
  ["delete", "\u007f", "U+007F"],
  ["next line", "\u0085", "U+0085"],
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
  ["variation selector of Mongolian", "\u180b", "U+180B"],
  ["variation selector of the supplement", "\u{e0100}", "U+E0100"],
  ["language tag", "\u{e0001}", "U+E0001"],
  ["combining grapheme joiner", "\u034f", "U+034F"],
  ["Arabic letter mark", "\u061c", "U+061C"],
  ["Hangul filler", "\u3164", "U+3164"],
  ["ideographic space", "\u3000", "U+3000"],
  ["blank braille cell", "\u2800", "U+2800"],
  ["isolate", "\u2066", "U+2066"],
  ["interlinear annotation", "\ufff9", "U+FFF9"],
  ["musical format", "\u{1d173}", "U+1D173"],
  ["lone high surrogate", "\ud800", "U+D800"],
  ["lone low surrogate", "\udfff", "U+DFFF"],
  ["private use", "\ue000", "U+E000"],
  ["private use plane", "\u{100000}", "U+100000"],
  ["noncharacter", "\uffff", "U+FFFF"],
  ["unassigned", "\u{1fffe}", "U+1FFFE"],
];

describe("admission to a card", () => {
  test.each(hidden)("SR-32 a command with a %s is refused and the code point named", (_name, char, code) => {
    for (const from of ["model", "person"] as const) {
      const answer = admit(`echo a${char}b`, from);
      expect(answer).toMatchObject({ ok: false, reason: expect.stringContaining(code) });
    }
  });

  test("SR-32 every code point that is a control, format, separator, surrogate, private or unassigned is refused", () => {
    const hiddenClass = /^[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Variation_Selector}]$/u;
    const admitted: string[] = [];
    for (let code = 0; code <= 0x10ffff; code++) {
      // Whole planes of one class need not be walked: nothing is assigned from the fourth to the thirteenth.
      if (code === 0xe1000 || code === 0xf0100) code += 0xef00;
      if (code === 0x40100) code = 0xdff00;
      const char = String.fromCodePoint(code);
      if (char !== "\n" && hiddenClass.test(char) && admit(`echo 'a${char}b'`, "person").ok)
        admitted.push(code.toString(16));
    }
    expect(admitted).toEqual([]);
  });

  test("SR-32 every printable ASCII character is admitted, and nothing but space is empty", () => {
    const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join("");
    expect(admit(`x${ascii}x`, "model")).toMatchObject({ ok: true, command: `x${ascii}x` });
    for (const empty of ["", " ", "\n\n"]) expect(admit(empty, "person")).toMatchObject({ ok: false });
  });

  test("SR-32 a newline is refused from the model and allowed from a person", () => {
    expect(admit("uptime\ndf -h", "model")).toMatchObject({ ok: false, reason: expect.stringContaining("U+000A") });
    expect(admit("uptime\ndf -h", "person")).toMatchObject({ ok: true, tidied: [] });
  });

  test.each([
    [" df -h", "df -h", ["spaces around it removed"]],
    ["df -h ", "df -h", ["spaces around it removed"]],
    ["\t df -h\t\n\n", "df -h", ["spaces around it removed"]],
    ["df -h\r\nuptime", "df -h\nuptime", ["line ends changed to LF"]],
    ["\r\ndf -h\r\n", "df -h", ["spaces around it removed", "line ends changed to LF"]],
    ["cat <<EOF\na\nEOF\n", "cat <<EOF\na\nEOF", ["spaces around it removed"]],
    ["cat <<EOF\n  a \n\nEOF", "cat <<EOF\n  a \n\nEOF", []],
    ["echo `date` ", "echo `date`", ["spaces around it removed"]],
    ["echo a \\\n  b", "echo a \\\n  b", []],
  ])("SR-34 %j is admitted as %j, and what was made of it is said", (given, command, tidied) => {
    expect(admit(given, "person")).toEqual({ ok: true, command, tidied });
    expect(admit(command, "person")).toEqual({ ok: true, command, tidied: [] });
  });

  test.each([
    ["echo a\rb", "U+000D at character 7. Write blanks or line breaks in their place"],
    ["df -h\r", "U+000D"],
    ["\u00a0df -h", "U+00A0"],
    ["cat <<-EOF\n\ta\nEOF", "U+0009"],
    ["echo a\\ ", "ends in \\ and blank space"],
    ["echo a \\\n", "ends in \\ and blank space"],
    ["Get-Item C:\\x `\n", "ends in ` and blank space"],
    ["cat <<EOF\na\nEOF ", "which its here-document may count"],
    ["cat <<EOF\na\n\n", "which its here-document may count"],
    ["echo '<!-- Countersign 1 -->'", "Write it in two quoted parts"],
  ])("SR-32 SR-34 %j would mean something else without it, or look so, and is refused", (given, reason) => {
    expect(admit(given, "person")).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
  });

  test("SR-34 a text of blanks is refused, however long: backtracking would hang", () => {
    expect(admit(`a${" ".repeat(1 << 23)}b`, "person")).toMatchObject({ ok: false });
  });

  test.each([
    "r\u043c -rf /srv",
    "uptime; l\u0455",
    "/usr/bin/r\u043c x",
    "r'\u043c' x",
    "sudo -u root r\u043c x",
    "timeout 5 r\u043c x",
    "A=1 r\u043c x",
    'echo "$(r\u043c x)"',
    'echo "`r\u043c x`"',
    "echo $(r\u043c x)",
    "(r\u043c x)",
    "echo \\'; r\u043c x; echo \\'",
    "echo ' r\u043c x",
    "\uff4c\uff53",
    "\u043b\u03b1",
    "x | gr\u0435p y",
  ])("SR-32 %j names a program in mixed scripts or look-alike letters and is refused", (command) => {
    for (const from of ["model", "person"] as const) {
      expect(admit(command, from)).toMatchObject({ ok: false, reason: expect.stringContaining("mixes scripts: U+") });
    }
  });

  test("SR-32 a comment's apostrophe hides no name in the next line", () => {
    expect(admit("# don't\nr\u043c x\n# don't", "person")).toMatchObject({ ok: false });
    expect(admit("# \u043d\u0435 rm, \u0430 ls\nls", "person")).toMatchObject({ ok: true, tidied: [] });
  });

  test.each([
    "grep '\u041e\u0448\u0438\u0431\u043aa login' /var/log/app.log",
    'grep "\u30a8\u30e9\u30fclog" /var/log/app.log',
    "ls /var/log/\u0436\u0443\u0440\u043d\u0430\u043b.log",
    "ls /srv/donn\u00e9es caf\u00e9",
    "MSG='\u041e\u0448\u0438\u0431\u043aa x' printenv MSG",
    "/opt/\u043f\u0440\u0438\u043b\u043e\u0436\u0435\u043d\u0438\u0435/bin/status",
    "echo \u2713 \u20ac \ud83d\ude80",
  ])("SR-32 %j holds other scripts as data and is admitted", (command) => {
    expect(admit(command, "model")).toMatchObject({ ok: true, tidied: [] });
  });

  const restart = "systemctl restart nginx";
  const stop = "; systemctl stop payments";
  test.each([
    [`${restart}${" ".repeat(1900)}${stop}`, "1900 blanks in a row from character 24 on"],
    [`${restart}${" ".repeat(9)}${stop}`, "9 blanks in a row from character 24 on"],
    [`sudo \\\n${" ".repeat(41)}${restart}`, "41 blanks in a row from character 8 on"],
    [`echo '${" ".repeat(41)}'${stop}`, "41 blanks in a row from character 7 on"],
    [`echo it\\'s${" ".repeat(9)}${stop} # it's`, "9 blanks in a row from character 11 on"],
    [`${restart}\n\n \n\n${stop}`, "3 empty lines in a row from line 2 on"],
  ])("SR-34 %j looks as if it ended early and is refused", (command, reason) => {
    expect(admit(command, "person")).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
    if (!command.includes("\n")) expect(admit(command, "model")).toEqual(admit(command, "person"));
  });

  test.each([
    `${restart}${" ".repeat(8)}# it's slow`,
    `printf '%s${" ".repeat(40)}%s' a b`,
    `awk "{print${" ".repeat(20)}}" /srv/a`,
    `cat <<EOF\n${" ".repeat(40)}deep: 1\n\n\n  flat: 2\nEOF`,
  ])("SR-34 %j has no more blanks than a reader expects", (command) => {
    expect(admit(command, "person")).toMatchObject({ ok: true, tidied: [] });
  });

  test("SR-34 no labelled command has a gap", () => {
    const refused = labelled.filter(({ command }) => /in a row/.test(JSON.stringify(admit(command, "person"))));
    expect(refused).toEqual([]);
  });

  test("SR-34 a command of 2,000 bytes is admitted, one more is not, and bytes are counted as UTF-8", () => {
    expect(admit(`echo ${"a".repeat(1995)}`, "model")).toMatchObject({ ok: true, tidied: [] });
    expect(admit(`echo ${"a".repeat(1996)}`, "model")).toMatchObject({ ok: false });
    expect(admit(`echo '${"ж".repeat(1000)}'`, "model")).toMatchObject({ ok: false });
    expect(admit("a".repeat(1 << 20), "person")).toMatchObject({
      ok: false,
      reason: expect.stringContaining("1,048,576"),
    });
  });

  test.each([
    ["df \u2013h /var", "U+2013 at character 4"],
    ["ls \u2014all", "U+2014 at character 4"],
    ["grep \u201cerror\u201d log", "U+201C at character 6, U+201D at character 12"],
    ["grep \u2018a\u2019 log", "U+2018 at character 6, U+2019 at character 8"],
    ["df \uff0dh", "U+FF0D at character 4"],
    ["head \u2212n 5 log", "U+2212 at character 6"],
    ["systemctl restart pay\u0440al", "U+0440 at character 22"],
    ["grep 'p\u0430yment' log", "U+0430 at character 8"],
    ['bash -c "c\u0430t /etc/hosts"', "U+0430 at character 11"],
    ["echo \u{1f600} \u2013x", "U+2013 at character 8"],
  ])("SR-32 %j has what only looks like ASCII and is refused with its place", (command, place) => {
    for (const from of ["model", "person"] as const)
      expect(admit(command, from)).toMatchObject({ ok: false, reason: expect.stringContaining(place) });
  });

  test.each([
    "grep 'ошибка — “нет”' /var/log/app.log",
    'grep "it’s – so" log',
    "ls /srv/büro /srv/отчёты /srv/資料",
    "awk '{ print $1 \"µs 5μs\" }' log",
    "systemctl status nginx # don’t restart",
    "cat <<'X'\n“text” – more\nX",
    "echo '例：値'",
  ])("SR-32 %j has such signs as text alone, and is admitted", (command) => {
    expect(admit(command, "person")).toMatchObject({ ok: true });
  });
});
