import { describe, expect, test } from "vitest";
import { type Risk, risks } from "../../src/base/risk.ts";
import { createEvaluator, type ScanPlace } from "../../src/risk/evaluate.ts";
import { fc } from "../harness/chance.ts";

const evaluate = createEvaluator();
const linux: ScanPlace = { os: "linux", shell: "bash" };
const powershell: ScanPlace = { os: "windows", shell: "powershell" };
const cmd: ScanPlace = { os: "windows", shell: "cmd" };
const riskOf = (command: string, where = linux): Risk => evaluate(command, where).risk;
const rank = (risk: Risk): number => risks.indexOf(risk);

const blocked = [
  "rm -rf /",
  "mkfs.ext4 /dev/sdb",
  "cat /etc/shadow",
  "dd if=/dev/zero of=/dev/sda",
  "systemctl stop auditd",
];
const harmless = ["uptime", "df -h", "ps aux", "journalctl -u nginx -n 50", "grep -c x /var/log/app.log", "docker ps"];
const mixed = [...blocked, ...harmless, "systemctl restart nginx", "rm -rf /srv/x", "kill -9 42"];

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
type Wrap = (command: string) => string;
/** Wrappers of one simple command. */
const argvWraps: readonly Wrap[] = [
  (c) => c,
  (c) => `sudo ${c}`,
  (c) => `sudo -u root -- ${c}`,
  (c) => `nohup ${c}`,
  (c) => `timeout 5 ${c}`,
  (c) => `env A=1 ${c}`,
];
/** Wrappers of any shell text. */
const textWraps: readonly Wrap[] = [
  (c) => `( ${c} )`,
  (c) => `true && ${c}`,
  (c) => `if true; then ${c}; fi`,
  (c) => `for i in 1 2; do ${c}; done`,
  // The space keeps `$( (…) )` from being arithmetic, which runs nothing.
  (c) => `echo "$( ${c} )"`,
  (c) => `bash -c ${quoted(c)}`,
  (c) => `eval ${quoted(c)}`,
  (c) => `ssh web-1 ${quoted(c)}`,
  (c) => `echo ${Buffer.from(c).toString("base64")} | base64 -d | sh`,
  (c) => `f() { ${c}; }; f`,
];

describe("what holds for every command", () => {
  test("AR-01 a block stays a block inside three wrappers", () => {
    const parts = fc.tuple(
      fc.constantFrom(...blocked),
      fc.constantFrom(...argvWraps),
      fc.constantFrom(...textWraps),
      fc.constantFrom(...textWraps),
    );
    fc.assert(
      fc.property(parts, ([command, inner, middle, outer]) => {
        const text = outer(middle(inner(command)));
        expect(riskOf(text), text).toBe("block");
      }),
      { numRuns: 600 },
    );
  });

  test("PA-7 a low command stays low with its errors thrown away and only its head shown", () => {
    for (const command of harmless) expect(riskOf(`${command} 2>/dev/null | head`)).toBe("low");
  });

  test("PA-7 two commands are at least as risky as the riskier one", () => {
    fc.assert(
      fc.property(fc.constantFrom(...mixed), fc.constantFrom(...mixed), (a, b) => {
        expect(rank(riskOf(`${a}; ${b}`))).toBeGreaterThanOrEqual(Math.max(rank(riskOf(a)), rank(riskOf(b))));
      }),
    );
  });

  test("SR-33 any text gets a verdict with a reason, never an exception, in every shell", { tags: ["long"] }, () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 120 }), (text) => {
        for (const where of [linux, powershell, cmd]) expect(evaluate(text, where).findings.length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });
});

const floods: readonly (readonly [name: string, text: string])[] = [
  ["one megabyte of a letter", "a".repeat(1 << 20)],
  ["10,000 open parentheses", "(".repeat(10_000)],
  ["10,000 nested parentheses", `${"(".repeat(10_000)}ls${")".repeat(10_000)}`],
  ["500 nested substitutions", `echo ${"$(".repeat(500)}ls${")".repeat(500)}`],
  ["sixty brace expansions", `rm ${"{a,b}".repeat(60)}`],
  ["400 brace expansions", `rm ${"{a,b}".repeat(400)}`],
  ["a repetition in a filter", `echo ${"a".repeat(15_000)} | sed 's/a*a*b/x/g' | sh`],
  ["500 nested loops", `${"while :; do ".repeat(500)}ls${"; done".repeat(500)}`],
  ["a program nobody knows with 3,000 texts", `acme ${"'a b' ".repeat(3000)}`],
  ["a doubling variable", `a=xxxxxxxx;${"a=$a$a$a$a;".repeat(200)}$a`],
  ["thousands of sudo", `${"sudo ".repeat(3900)}ls`],
  ["thousands of eval", `${"eval ".repeat(3000)}ls`],
];

describe("input made to hurt", () => {
  test.each(floods)("SR-33 %s is bounded and never low", (_name, text) => {
    for (const where of [linux, powershell]) expect(riskOf(text, where)).not.toBe("low");
  });
});
