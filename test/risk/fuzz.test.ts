import { describe, expect, test } from "vitest";
import { maxCommandBytes } from "../../src/risk/admit.ts";
import { maxExplainLength } from "../../src/risk/text.ts";
import { fuzz } from "./fuzz.ts";
import { decoys, floods, longReadings, shells } from "./heavy.ts";
import { judge, places, wrongWith } from "./judged.ts";

const [linux = { os: "linux", shell: "bash" }] = places;

describe("texts of every kind", () => {
  test("SR-33 5,000 of them give a verdict with a reason, none an exception, none low for a parse error", {
    tags: ["long"],
  }, () => {
    const { wrong, lines } = fuzz({ seed: 20_261_121, count: 5_000 });
    for (const line of lines) console.info(line);
    expect(wrong).toEqual([]);
  });
});

describe("texts made to cost much", () => {
  test.each(floods)("SR-33 %s is bounded and never low", { tags: ["long"] }, (name, text) => {
    for (const where of places.slice(0, 2)) {
      const judged = judge(text, where);
      console.info(`${name}, ${where.shell}: ${judged.verdict.risk}, ${judged.ms.toFixed(1)} ms`);
      expect(wrongWith(text, where, judged)).toBe("");
      expect(judged.verdict.risk).not.toBe("low");
    }
  });

  test.each(longReadings)("SR-33 %s is bounded", { tags: ["long"] }, (name, text) => {
    const judged = judge(text, linux);
    console.info(`${name}: ${judged.verdict.risk}, ${judged.ms.toFixed(1)} ms`);
    expect(wrongWith(text, linux, judged)).toBe("");
  });

  test("SR-33 shells in one another are read until their quoting is longer than can be explained", () => {
    const risks = Array.from({ length: 10 }, (_, depth) => judge(shells(depth, "rm -rf /"), linux).verdict.risk);
    expect(risks).toEqual(Array.from({ length: 10 }, () => "block"));
    expect(judge(shells(3, "uptime"), linux).verdict.risk).toBe("low");
  });

  test("SR-33 no set of letters in a glob makes the classifier fail", { tags: ["long"] }, () => {
    const signs = ["[", "]", "!", "^", "-", "\\", "*", "?", "a", "z", ".", "{", "}", "(", ")", ":", "=", "|", "$", "+"];
    let seed = 20_261_126;
    const next = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const wrong = Array.from({ length: 3000 }, () => {
      const set = Array.from({ length: 1 + next(8) }, () => signs[next(signs.length)]).join("");
      return `[${set}]`;
    })
      .flatMap((set) => [`ls /${set}`, `ls ${set}*`, `x=abc; echo \${x#${set}}`, `find / -name '${set}'`])
      .filter((text) => judge(text, linux).verdict.findings.some(({ ruleId }) => ruleId === "evaluate.failed"));
    expect(wrong).toEqual([]);
    for (const set of ["[z-a]", "[rds-primary]", "[!z-a]", "[\\z-a]"]) {
      expect(judge(`rm -rf ${set} /`, linux).verdict.risk, set).toBe("block");
      expect(judge(`df -h ${set}`, linux).verdict.risk, set).toBe("low");
    }
  });

  test("SR-34 nothing that fits before it in an action keeps a block from being seen", { tags: ["long"] }, () => {
    const last = "rm -rf /";
    const fillers = ["ls;", "ls|", "ls&&", "$(ls);", "x=1;", ":;", "if ls;then ls;fi;", "ls {a,b}{c,d};"];
    const texts = fillers.map(
      (filler) => filler.repeat(Math.floor((maxCommandBytes - last.length) / filler.length)) + last,
    );
    expect(texts.filter((text) => judge(text, linux).verdict.risk !== "block")).toEqual([]);
  });

  test.each(decoys)("AR-01 a block among %s is still seen", { tags: ["long"] }, (_name, text) => {
    const judged = judge(text, linux);
    expect(wrongWith(text, linux, judged)).toBe("");
    expect(judged.verdict.risk).toBe("block");
  });

  test("PA-7 what stands in quotes or in a comment is no command, however broken the rest is", () => {
    const texts = [
      "echo 'rm -rf /' (",
      'echo "(rm -rf /)"; (',
      "ls # rm -rf / ;rm -rf /\n(",
      "echo \\; rm\\ -rf\\ / (",
    ];
    // Each is refused because it cannot be read, and for nothing that would stand in it.
    const reasons = texts.map((text) => judge(text, linux).verdict.findings.filter(({ risk }) => risk === "block"));
    expect(reasons.map((found) => found.map(({ ruleId }) => ruleId))).toEqual(texts.map(() => ["shell.unreadable"]));
  });

  test("SR-33 what is longer than can be explained is refused, however harmless its beginning", () => {
    for (const where of places) {
      expect(judge(`ls ${"a".repeat(maxExplainLength)}`, where).verdict).toMatchObject({
        risk: "block",
        unknown: true,
      });
    }
  });
});
