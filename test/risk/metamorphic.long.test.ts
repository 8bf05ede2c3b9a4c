import { describe, expect, test } from "vitest";
import { type Risk, risks } from "../../src/base/risk.ts";
import { createEvaluator } from "../../src/risk/evaluate.ts";
import { type Labelled, labelled, labelledHosts } from "./labelled.ts";
import {
  bashTexts,
  bashWords,
  cmdTexts,
  harmless,
  harmlessCmd,
  harmlessPowershell,
  harmlessWords,
  isSimple,
  keeps,
  powershellTexts,
  type Rewrites,
  sameQuestions,
} from "./rewrites.ts";

const evaluate = createEvaluator({ egress: labelledHosts });
const linux = { os: "linux", shell: "bash" } as const;
const riskOf = (command: string, where: Pick<Labelled, "os" | "shell"> = linux): Risk => evaluate(command, where).risk;
const rank = (risk: Risk): number => risks.indexOf(risk);

const rowsOf = (shell: Labelled["shell"], expected: Risk): readonly Labelled[] =>
  labelled.filter((row) => row.shell === shell && row.expected === expected);
const each = (rewrites: Rewrites) => Object.entries(rewrites);

/** Languages whose string escapes (`\n`, `\x72`) are not undone before the text in `system(…)` is read: high, not block. */
const stringsOfOthers = ["python", "perl", "awk", "ruby", "node", "php", "lua", "subprocess"];
const mayBeHigh = (name: string, command: string): boolean => stringsOfOthers.includes(name) && /[\n\\]/.test(command);

/** The rewritten commands that come out below what they should, with their risk. */
function below(commands: readonly Labelled[], name: string, rewrite: (command: string) => string): readonly string[] {
  return commands
    .filter(({ command }) => keeps(name, command))
    .map(
      (row) =>
        ({ text: rewrite(row.command), least: mayBeHigh(name, row.command) ? "high" : row.expected, row }) as const,
    )
    .map(({ text, least, row }) => ({ text, least, risk: riskOf(text, row) }))
    .filter(({ risk, least }) => rank(risk) < rank(least))
    .map(({ text, risk }) => `${risk}: ${text}`);
}

/** The rewritten commands that are no longer low. */
const notLow = (commands: readonly Labelled[], rewrite: (command: string) => string): readonly string[] =>
  commands
    .map((row) => ({ text: rewrite(row.command), row }))
    .map(({ text, row }) => ({ text, risk: riskOf(text, row) }))
    .filter(({ risk }) => risk !== "low")
    .map(({ text, risk }) => `${risk}: ${text}`);

const blocked = rowsOf("bash", "block");
const benign = rowsOf("bash", "low");

describe("a blocked command stays blocked", () => {
  test.each(each(bashTexts))("AR-01 in bash: %s", (name, rewrite) => {
    expect(below(blocked, name, rewrite)).toEqual([]);
  });

  test.each(each(bashWords))("AR-01 in bash, word by word: %s", (name, rewrite) => {
    const simple = blocked.filter(({ command }) => isSimple(command));
    expect(simple.length).toBeGreaterThan(15);
    expect(below(simple, name, rewrite)).toEqual([]);
  });

  test.each(each(powershellTexts))("AR-01 in PowerShell: %s", (name, rewrite) => {
    expect(below(rowsOf("powershell", "block"), name, rewrite)).toEqual([]);
  });

  test.each(each(cmdTexts))("AR-01 in cmd: %s", (name, rewrite) => {
    expect(below(rowsOf("cmd", "block"), name, rewrite)).toEqual([]);
  });

  test.each(each(bashTexts))("PA-7 a risky command is never low in bash: %s", (name, rewrite) => {
    const risky = [...rowsOf("bash", "medium"), ...rowsOf("bash", "high")];
    const kept = risky.filter(({ command }) => keeps(name, command));
    expect(kept.map(({ command }) => rewrite(command)).filter((text) => riskOf(text) === "low")).toEqual([]);
  });
});

describe("a harmless command stays low", () => {
  test("PA-7 under at least thirty changes, as a blocked one stays blocked under at least thirty", () => {
    const counts = [{ ...harmless, ...harmlessWords }, bashTexts].map((rewrites) => Object.keys(rewrites).length);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(30);
  });

  test.each(each(harmless))("PA-7 in bash: %s", (_name, rewrite) => {
    expect(notLow(benign, rewrite)).toEqual([]);
  });

  test.each(each(harmlessWords))("PA-7 in bash, word by word: %s", (_name, rewrite) => {
    const simple = benign.filter(({ command }) => isSimple(command));
    expect(simple.length).toBeGreaterThan(30);
    expect(notLow(simple, rewrite)).toEqual([]);
  });

  test.each(each(harmlessPowershell))("PA-7 in PowerShell: %s", (_name, rewrite) => {
    expect(notLow(rowsOf("powershell", "low"), rewrite)).toEqual([]);
  });

  test.each(each(harmlessCmd))("PA-7 in cmd: %s", (_name, rewrite) => {
    expect(notLow(rowsOf("cmd", "low"), rewrite)).toEqual([]);
  });

  test.each(sameQuestions.map((forms) => [forms[0], forms] as const))(
    "PA-7 the order and form of options do not matter: %s",
    (_name, forms) => {
      expect(forms.filter((form) => riskOf(form) !== "low")).toEqual([]);
    },
  );
});

describe("two commands", () => {
  /** Every eleventh beside every seventh: a thousand pairs of all risks, for each joint. */
  const firsts = labelled.filter((row, i) => row.shell === "bash" && i % 11 === 0);
  const seconds = labelled.filter((row, i) => row.shell === "bash" && i % 7 === 0);

  test.each([" ; ", "\n", " && ", " || ", " | "])(
    "PA-7 are at least as risky as the riskier one, joined by %j",
    (joint) => {
      const wrong: string[] = [];
      for (const { command: a } of firsts.filter(({ command }) => !/&$|<</.test(command))) {
        for (const { command: b } of seconds) {
          const text = `${a}${joint}${b}`;
          if (rank(riskOf(text)) < Math.max(rank(riskOf(a)), rank(riskOf(b)))) wrong.push(`${riskOf(text)}: ${text}`);
        }
      }
      expect(wrong).toEqual([]);
    },
  );

  test.each(["; ", " | ", "\n"])(
    "PA-7 in PowerShell are at least as risky as the riskier one, joined by %j",
    (joint) => {
      const rows = labelled.filter((row) => row.shell === "powershell");
      const where = { os: "windows", shell: "powershell" } as const;
      const wrong = rows
        .flatMap((a) => rows.map((b) => [a.command, b.command] as const))
        .filter(
          ([a, b]) => rank(riskOf(a + joint + b, where)) < Math.max(rank(riskOf(a, where)), rank(riskOf(b, where))),
        )
        .map(([a, b]) => a + joint + b);
      expect(wrong).toEqual([]);
    },
  );
});
