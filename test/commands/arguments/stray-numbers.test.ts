import { describe, expect, test } from "vitest";
import { maybeWrong, numberMistake } from "../../../src/commands/arguments.ts";
import { parseSlashCommand } from "../../../src/slash/grammar.ts";
import type { Action } from "../../../src/store/actions.ts";

const actions = ([1, 2, 3, 4] as const).map((number) => ({ number, state: "proposed" }) as Action);

/** What is said to the numbers of a line, with 1 to 4 open; nothing where they are as they should be. */
function said(line: string): string | undefined {
  const slash = parseSlashCommand(line, []);
  if (slash?.kind !== "command") throw new Error(`${line} is no command`);
  const mistake = numberMistake(slash, slash.verb, actions);
  // Only then are the actions looked up at all.
  if (mistake !== undefined) expect(maybeWrong(slash, true)).toBe(true);
  return mistake;
}

describe("the numbers of a command that takes several", () => {
  test.each([
    ["/approve 1 and 2", "1 2"],
    ["/approve 1, 2 and 3", "1 2 3"],
    ["/approve 1 & 2", "1 2"],
    ["/approve 1 und 2", "1 2"],
    ["/approve 1 + 2", "1 2"],
    ["/approve 2 - 4", "2 3 4"],
    ["/approve 2 – 4", "2 3 4"],
    ["/approve 2 to 4", "2 3 4"],
    ["/approve 1 2-4", "1 2 3 4"],
    ["/approve 1 2.", "1 2"],
    ["/approve 1, 2!", "1 2"],
    ["/approve 1 2?", "1 2"],
    ["/approve 1 #2", "1 2"],
    ["/approve 1 #2 #3", "1 2 3"],
    ["/approve 1 ２", "1 2"],
    ["/approve 1\u00a02 3.", undefined],
    ["/approve 1 2;3", "1 2 3"],
    ["/approve 1 2@1a", "1 2"],
    ["/approve 1 *2*", "1 2"],
    ["/reject 1, 2 and 4: wrong host", "1 2 4"],
  ])("SR-22 %s is never done by halves", (line, right) => {
    const verb = line.split(" ")[0];
    if (right === undefined) expect(said(line)).toBeUndefined();
    else expect(said(line)).toContain(`Write \`${verb} ${right}\``);
  });

  test.each([
    ["/approve #2", "/approve 2"],
    ["/approve 2.", "/approve 2"],
    ["/approve ２", "/approve 2"],
    ["/approve 1-3", "/approve 1 2 3"],
    ["/approve #1 and #2", "/approve 1 2"],
    ["/approve #4 web-1 the disk is full", "/approve 4 …"],
    ["/cancel 2!", "/cancel 2"],
    ["/output #2 tail 50", "/output 2 …"],
  ])("SR-22 %s is answered with the number as one is written", (line, right) =>
    expect(said(line)).toBe(`Nothing was run. Did you mean \`${right}\`? A number stands alone, in plain digits.`),
  );

  test.each(["/approve #9", "/approve the second", "/output tail 50"])("SR-22 in %s no number is guessed", (line) =>
    expect(said(line)).toBeUndefined(),
  );

  test.each(
    [
      ["/approve all but 3", "/approve all except 3", "/approve all - 3", "/approve all -3"],
      ["/approve all (not 3)", "/approve all without 3", "/approve all außer 3", "/approve all sauf 3"],
      ["/approve all but the last", "/approve all only if lee agrees", "/approve all\nexcept 3"],
      ["/approve all\nbut the last", "/approve all\nnot 3", "/approve all\n\nonly 1 and 2"],
      ["/approve all — except the last", "/approve all *except* 3", "/approve all other than 2"],
      ["/approve all 1-3", "/approve all looks good except 3", "/approve all good, skip 2."],
    ].flat(),
  )("SR-22 %j does not approve all", (line) =>
    expect(said(line)).toBe(
      "Nothing was run. `/approve all` means all of them. Name the numbers you want; a reason goes on the next line. Open right now: 1, 2, 3, 4.",
    ),
  );

  test.each([
    "/approve 1 2 3",
    "/approve all",
    "/approve all - looks good",
    "/approve all good, go",
    "/approve all of them",
    "/approve all nothing speaks against it",
    "/approve 2 web-1 log volume full",
    "/approve 2 #1432 says so",
    "/approve 1 and 7",
    "/approve 2 100% sure",
    "/approve 1 2nd attempt",
    "/approve 1 and then look at the log",
    "/approve 1 1.",
    "/reject 2 - 95 % is fine",
    "/reject 2 3x tried",
    "/reject 2 and restart it by hand",
    "/approve 1\nand 2 is for later",
    "/approve all\nonly reads",
    "/approve all\n\nnot during the sale, so go now",
    "/approve all\nwithout delay\nsee 3",
    "/approve all\n3 of 5 nodes are down",
  ])("SR-22 %j means what it says", (line) => expect(said(line)).toBeUndefined());
});
