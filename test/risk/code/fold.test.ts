import { describe, expect, test } from "vitest";
import { fold, printedBy } from "../../../src/risk/code/fold.ts";
import { render } from "../../../src/risk/code/tokens.ts";

const folded = (code: string, words: readonly string[] = []): string =>
  render(fold(code, { words }, { spend: () => true })).trim();

/** One expression of a language and the constant it is. */
const constants: readonly (readonly [code: string, text: string])[] = [
  [`'r' + 'm'`, "rm"],
  [`"rm" " -rf"`, "rm -rf"],
  [`'a' . 'b' . chr(99)`, "abc"],
  [`"os" .. ".execute"`, "os.execute"],
  [`chr(40 + 7)`, "/"],
  [`String.fromCharCode(114, 109)`, "rm"],
  [`''.join(map(chr, [114, 109]))`, "rm"],
  [`''.join([chr(x) for x in [114, 109]])`, "rm"],
  [`''.join(chr(x) for x in [114, 109])`, "rm"],
  [`[114, 109].map(&:chr).join`, "rm"],
  [`join q(), qw(r m)`, "rm"],
  [`chr(47).join q(), qw(e t c)`, "/etc"],
  [`["rm", "-rf", "/"].join(" ")`, "rm -rf /"],
  [`%w(rm -rf /).join(" ")`, "rm -rf /"],
  [`implode(" ", array("rm", "-rf"))`, "rm -rf"],
  [`'cte'[::-1]`, "etc"],
  [`"cte".reverse`, "etc"],
  [`strrev("cte")`, "etc"],
  [`"cte".split("").reverse().join("")`, "etc"],
  [`bytes.fromhex('726d').decode()`, "rm"],
  [`["726d"].pack("H*")`, "rm"],
  [`pack("H*", "726d")`, "rm"],
  [`base64.b64decode('cm0=').decode()`, "rm"],
  [`Buffer.from("cm0=", "base64").toString()`, "rm"],
  [`atob("cm0=")`, "rm"],
  [`str_rot13("ez")`, "rm"],
  [`codecs.decode('ez', 'rot13')`, "rm"],
  [`'%s -rf %s' % ('rm', '/')`, "rm -rf /"],
  [`'{} -rf {}'.format('rm', '/')`, "rm -rf /"],
  [`sprintf("%s-%s", "a", "b")`, "a-b"],
  [`os.path.join('/etc', 'passwd')`, "/etc/passwd"],
  [`Path('/') / 'etc'`, "/etc"],
  [`"ab" * 2`, "abab"],
  [`"\\x72\\155"`, "rm"],
];

/** Statements of which the last line or call is what matters. */
const programs: readonly (readonly [code: string, end: string])[] = [
  [`a = 'rm'; b = a + ' -rf'; run(b)`, `run("rm -rf")`],
  [`p = '/et'; p += 'c'; f(p)`, `f("/etc")`],
  [`$x = "sys" . "tem"; $x("id")`, `system("id")`],
  [`getattr(os, 'sys' + 'tem')('id')`, `os.system("id")`],
  [`require("child_process")["ex" + "ec"]("id")`, `.exec("id")`],
  [`__import__('o' + 's').system('id')`, `os.system("id")`],
  [`Kernel.send("system", "id")`, `Kernel.system( "id")`],
  [`from os import system as s; s('id')`, `system("id")`],
  [`a = 'x'; f(f'{a}y')`, `f("xy")`],
  [`a = 'x'; a = input(); f(a)`, "f(a)"],
];

describe("constants in program text", () => {
  test.each(constants)("AR-01 %s is a constant", (code, text) => {
    expect(folded(code)).toBe(JSON.stringify(text));
  });

  test.each(programs)("AR-01 %s ends in what it does", (code, end) => {
    expect(folded(code).endsWith(end)).toBe(true);
  });

  test("AR-01 arguments are what the command line gives", () => {
    expect(folded("f(sys.argv[1])", ["id"])).toBe('f("id")');
    expect(folded("f($ARGV[0])", ["id"])).toBe('f("id")');
  });

  test("AR-01 what is printed is known where all of it is constant", () => {
    const printed = (code: string): string | undefined => printedBy(fold(code, { words: [] }, { spend: () => true }));
    expect(printed(`print('r' + 'm')`)).toBe("rm\n");
    expect(printed(`print("a", "b")`)).toBe("a b\n");
    expect(printed(`print("a", x)`)).toBeUndefined();
    expect(printed("x = 1")).toBeUndefined();
  });

  test("SR-33 a text made to cost is left as it is once its budget is spent", () => {
    let left = 3;
    const scan = { spend: () => left-- > 0 };
    const code = `x = ${"'a' + ".repeat(2000)}'b'`;
    expect(fold(code, { words: [] }, scan).length).toBeGreaterThan(0);
  });
});
