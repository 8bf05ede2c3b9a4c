import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import type { Shell } from "../../src/base/server.ts";
import { parsePowerShell } from "../../src/risk/windows/powershell.ts";
import { quoteRunbook } from "../../src/runbooks/quote.ts";
import { fc } from "../harness/chance.ts";

/** Everything that any of the shells has a meaning for, and words that would do something. */
const piece = fc.oneof(
  fc.constantFrom(..."'\"\\ \t;&|<>(){}[]*?!#~=%^,@+-/:.aZ0é‘’‚‛“”„–\u00a0"),
  fc.constantFrom(
    "$(id)",
    "`id`",
    "$x",
    "a b",
    " -rf ",
    "; id",
    "&& id",
    "\n",
    "\r",
    "EOF",
    "''",
    '""',
    "\\'",
    "%PATH%",
    "!x!",
  ),
);
const hostile = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));

/** The template with the value in its place, or nothing where it is refused. */
function fill(template: string, value: string, shell: Shell): string | undefined {
  const [before = "", after = ""] = template.split("{{}}");
  const quoted = quoteRunbook(value, { before, after }, shell);
  return quoted.ok ? before + quoted.text + after : undefined;
}

const templates: readonly (readonly [template: string, word: (value: string) => string])[] = [
  ["{{}}", (value) => value],
  ["pre-{{}}-post", (value) => `pre-${value}-post`],
  ['"a {{}} b"', (value) => `a ${value} b`],
  ["'a {{}} b'", (value) => `a ${value} b`],
  ["x\\ {{}}", (value) => `x ${value}`],
  ["'it'\\''s {{}}'", (value) => `it's ${value}`],
  ['"\\"{{}}\\""', (value) => `"${value}"`],
  ["$HOME{{}}", (value) => `/h${value}`],
  ["a#{{}}", (value) => `a#${value}`],
  ["--reason={{}}", (value) => `--reason=${value}`],
];

describe("WF-1 a value is never more than a part of one word", () => {
  test.each(["sh", "bash", "dash"])("WF-1 for %s itself, in every place of a command", (shell) => {
    let taken = 0;
    fc.assert(
      fc.property(hostile, fc.constantFrom(...templates), (value, [template, word]) => {
        const command = fill(`printf '%s\\0' first ${template} last`, value, "bash");
        if (command === undefined) return;
        taken += 1;
        const { stdout, stderr } = spawnSync(shell, ["-c", command], {
          encoding: "utf8",
          env: { HOME: "/h", PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8" },
        });
        expect({ stderr, words: stdout.split("\0") }, command).toEqual({
          stderr: "",
          words: ["first", word(value), "last", ""],
        });
      }),
      { numRuns: 400 },
    );
    expect(taken).toBeGreaterThan(50);
  });

  test("WF-1 for PowerShell, as its parser reads it", () => {
    let taken = 0;
    fc.assert(
      fc.property(hostile, (value) => {
        const command = fill("Write-Output first {{}} last", value, "powershell");
        if (command === undefined) return;
        taken += 1;
        const { script, broken } = parsePowerShell(command);
        expect(broken, command).toBe(false);
        const [stages = []] = script;
        expect(script, command).toHaveLength(1);
        expect(
          stages.map((stage) => stage.filter(({ gap }) => gap).length),
          command,
        ).toEqual([4]);
      }),
      { numRuns: 3_000 },
    );
    expect(taken).toBeGreaterThan(200);
  });

  test("WF-1 for cmd, nothing goes in that ends its quotes or is replaced inside of them", () => {
    let taken = 0;
    fc.assert(
      fc.property(hostile, (value) => {
        const command = fill("echo first {{}} last", value, "cmd");
        if (command === undefined) return;
        taken += 1;
        expect(command).toMatch(/^echo first (?:[\w.:/\\-]+|"[^"%!^\r\n]+") last$/);
      }),
      { numRuns: 3_000 },
    );
    expect(taken).toBeGreaterThan(200);
  });
});
