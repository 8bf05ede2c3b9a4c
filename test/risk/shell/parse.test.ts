import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { forEachChild, forEachSubstitution, parseShell, type SyntaxNode } from "../../../src/risk/shell/parse.ts";
import { missing } from "../../harness/missing.ts";
import { labelled } from "../labelled.ts";

/** The first word of every command of a text, substitutions included, in the tree's order. */
function programsIn(text: string): readonly string[] {
  const names: string[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Command" && node.name) names.push(node.name.value);
    if (/^(CommandExpansion|ProcessSubstitution|ArithmeticCommandExpansion)$/.test(node.type)) {
      forEachSubstitution(node, visit);
    } else forEachChild(node, visit);
  };
  visit(parseShell(text));
  return names;
}

const errorsOf = (text: string): number => parseShell(text).errors?.length ?? 0;

/** Where a command can hide, and the programs that must be found there. */
const wellFormed: readonly (readonly [text: string, programs: string])[] = [
  ["a", "a"],
  ["a; b & c", "a b c"],
  ["a && b || c", "a b c"],
  ["a | b |& c", "a b c"],
  ["! a | b", "a b"],
  ["time -p a", "a"],
  ["X=1 Y=$(b) a", "a b"],
  ["X=$(a)", "a"],
  ["X+=$(a)", "a"],
  ["X=(1 $(a) [3]=$(b))", "a b"],
  ["X[$(a)]=1", "a"],
  ["declare -x X=$(a)", "declare a"],
  ["a $(b $(c))", "a b c"],
  ["a `b \\`c\\``", "a b c"],
  ['a "$(b "$(c)")"', "a b c"],
  ["a '$(b)'", "a"],
  ["a \\$\\(b\\)", "a"],
  ["a $'$(b)'", "a"],
  ['a $"$(b)"', "a b"],
  ["a <(b) >(c)", "a b c"],
  ["a < <(b)", "a b"],
  ["a > $(b)", "a b"],
  ["a 2>&1 >/dev/null 3< x", "a"],
  ["> x a", "a"],
  ["a <<< $(b)", "a b"],
  ["a <<E\n$(b)\nE", "a b"],
  ["a <<'E'\n$(b)\nE", "a"],
  ["a <<-E\n\t$(b)\n\tE\nc", "a b c"],
  ["a <<A <<B\n$(b)\nA\n$(c)\nB\nd", "a b c d"],
  ["a <<E | b\nx\nE\nc", "a b c"],
  ["( a; b )", "a b"],
  ["{ a; b; }", "a b"],
  ["{ a; } > $(b)", "a b"],
  ["if a; then b; elif c; then d; else e; fi", "a b c d e"],
  ["while a; do b; done < <(c)", "a b c"],
  ["until a; do b; done", "a b"],
  ["for i in $(a) b; do c; done", "a c"],
  ["for ((i=0; i<$(a); i++)); do b; done", "a b"],
  ["select x in a; do b; done", "b"],
  ["case $(a) in b) c ;; $(d)) e ;& *) f ;;& esac", "a c d e f"],
  ["f() { a; }; f", "a f"],
  ["function f { a; } > x", "a"],
  ["f() ( a )", "a"],
  ["coproc a b", "a"],
  ["coproc N { a; }", "a"],
  ["[[ -n $(a) && ! ( x == $(b) ) ]]", "a b"],
  ["(( x = $(a) + 1 ))", "a"],
  ["a $(( $(b) + `c` ))", "a b c"],
  [`a \${x:-$(b)} \${y//$(c)/$(d)} \${z:$(e):1}`, "a b c d e"],
  [`a \${x[$(b)]}`, "a b"],
  [`a \${#x} \${!x} \${x@Q}`, "a"],
  ["a {b,$(c)}", "a c"],
  ["a # $(b)\nc", "a c"],
  ["a#b", "a#b"],
  ["a \\\n b\nc", "a c"],
  ["a\\\nb", "ab"],
  ["'a'\"b\"$'\\x63'", "abc"],
  ["\\a", "a"],
  ["a $(case x in (y) b;; esac)", "a b"],
  ["a $(b # )\n)", "a b"],
  ["a $(b <<E\n)\nE\n)", "a b"],
  ["if a\nthen b\nfi | c && d", "a b c d"],
  ["a&b", "a b"],
  ["a;b", "a b"],
  ["a|b", "a b"],
  ["a\n\n\nb", "a b"],
  ["exec 3<>/dev/tcp/h/1; a <&3", "exec a"],
  ["a > >(b)", "a b"],
  ["é ü", "é"],
];

const malformed: readonly string[] = [
  "a |",
  "| a",
  "a &&",
  "&& a",
  "a &&& b",
  "a ;; b",
  "(a",
  "a)",
  "{ a",
  "{ a; } }",
  "'a",
  '"a',
  "a `b",
  "a $(b",
  "a ${b",
  "a $((1)",
  "a <(b",
  "if a; then b",
  "if a; fi",
  "then a",
  "while a; done",
  "for i in a; b; done",
  "do a; done",
  "case x in a) b",
  "esac",
  "f() {",
  "[[ a",
  "a <",
  "a >",
  "a ( b )",
  "a $(b; (c)",
];

describe("the tree of a shell text", () => {
  test.each(wellFormed)("SR-33 every command of %j is found", (text, programs) => {
    expect([...programsIn(text)].sort()).toEqual(programs.split(" ").sort());
    expect(errorsOf(text)).toBe(0);
  });

  test.each(malformed)("SR-33 %j is an error, whatever tree it has", (text) => {
    expect(errorsOf(text)).toBeGreaterThan(0);
  });

  test("SR-33 what stands before an error is still in the tree", () => {
    for (const text of ["rm -rf /; (", "rm -rf / && ", "rm -rf /\nif x"]) expect(programsIn(text)).toContain("rm");
  });

  test.each([
    ["10,000 open parentheses", "(".repeat(10_000)],
    ["10,000 open substitutions", "$(".repeat(10_000)],
    ["10,000 quotes", "'\"".repeat(5_000)],
    ["a NUL", "a\u0000b"],
    ["lone surrogates", "\ud800\udfff\udc00"],
    ["a megabyte", "a ".repeat(1 << 19)],
    ["nothing", ""],
  ])("SR-33 %s gives a tree, never an exception", (_name, text) => {
    expect(parseShell(text).type).toBe("Script");
  });

  test("SR-33 a place in the tree is a place in the text", () => {
    const text = "é; ls  -l '/a b'";
    const [, second] = parseShell(text).commands;
    expect(second && text.slice(second.pos, second.end)).toBe("ls  -l '/a b'");
  });
});

/** The reference: `bash -n` reads and does not run. */
const bash = (text: string): boolean => spawnSync("bash", ["--norc", "-n", "-c", text]).status === 0;

describe("beside bash itself", () => {
  test("SR-33 no text that bash refuses is without errors", { tags: ["long"] }, () => {
    if (spawnSync("bash", ["--version"]).status !== 0) {
      missing("bash", "the parser is not compared with it");
      return;
    }
    const refused = malformed.filter((text) => !bash(text));
    expect(refused).toEqual(malformed);
    const readable = [...wellFormed.map(([text]) => text), ...labelled.filter(isPlainBash).map((row) => row.command)];
    expect(readable.filter((text) => bash(text) !== (errorsOf(text) === 0))).toEqual([]);
  });
});

/** Every fourth of them: each starts a process. */
const isPlainBash = ({ shell }: { readonly shell: string }, i: number): boolean => shell === "bash" && i % 4 === 0;
