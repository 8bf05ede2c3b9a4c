import { describe, expect, test } from "vitest";
import { risks } from "../../../src/base/risk.ts";
import { words } from "../../../src/risk/engine/options.ts";
import { createEvaluator } from "../../../src/risk/evaluate.ts";
import { findReads } from "../../../src/risk/reads.ts";
import { builtInRules } from "../../../src/risk/table.ts";

const evaluate = createEvaluator();
const rank = (command: string): number => risks.indexOf(evaluate(command, { os: "linux", shell: "bash" }).risk);

/** Every long option of the table with a program that has it, cut after each of its letters. */
const cut = builtInRules
  .filter(({ wraps }) => !wraps)
  .flatMap((rule) => {
    const [program = ""] = words(rule.names);
    const rows = (rule.rows ?? []).filter(({ level, is }) => level !== undefined || is === "rehearsal");
    const lists = [...rows.map((row) => row.words), rule.options?.flag];
    return (
      lists
        .flatMap((list) => words(list))
        .filter((word) => /^--[a-z][a-z-]+$/.test(word))
        .flatMap((word) => Array.from({ length: word.length - 3 }, (_, i) => word.slice(0, i + 3)))
        // A listed beginning (`--list-*`) speaks for all that begin so.
        .filter(
          (start) =>
            !lists.some((list) => words(list).some((w) => w.endsWith("*") && start.startsWith(w.slice(0, -1)))),
        )
        .map((start) => ({ program, start, rule }))
    );
  });

describe("an option that is cut short", () => {
  test("SR-33 is never less than the call without it, unless the rule knows it by that name", {
    tags: ["long"],
  }, () => {
    expect(cut.length).toBeGreaterThan(1000);
    const lowered = cut
      .filter(
        ({ start, rule }) =>
          !JSON.stringify(rule).includes(` ${start} `) && !JSON.stringify(rule).includes(`"${start}`),
      )
      .filter(({ program, start }) => !findReads(program, []).flags.has(start))
      .filter(
        ({ program, start }) =>
          !/^--(version|help)$/.test(start) && rank(`${program} ${start} /srv/x`) < rank(`${program} /srv/x`),
      )
      .map(({ program, start }) => `${program} ${start} /srv/x`);
    expect(lowered).toEqual([]);
  });

  test.each(["chmod --rec 777 /", "rsync --delete-a /empty/ /", "tar --cre --remove /etc", "rm --no-pres -r /srv"])(
    "AR-01 reaches its check: %s",
    (command) => {
      expect(rank(command)).toBeGreaterThanOrEqual(risks.indexOf("high"));
    },
  );

  test("PA-7 of sed edits in place", () => {
    expect(evaluate("sed --in-pl s/a/b/ /srv/x", { os: "linux", shell: "bash" }).risk).toBe("medium");
  });
});
