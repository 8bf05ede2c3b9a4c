import { describe, expect, test } from "vitest";
import { parseSlashCommand } from "../../src/slash/grammar.ts";
import { seed } from "../harness/chance.ts";
import { compare, said } from "./grammar-fuzz.ts";
import { type Reference, refer } from "./reference-grammar.ts";

/** `approve 1 2 --keep-going | note`, `hint: approve` or `talk`. */
function inWords(read: Reference | { readonly hint: string } | undefined): string {
  if (!read) return "talk";
  if ("hint" in read) return `hint: ${read.hint}`;
  const ids = read.ids === "all" ? ["all"] : read.ids;
  return [read.verb, ...ids, ...read.flags, ...(read.note === "" ? [] : ["|", read.note])].join(" ");
}

const given = (comment: string, is: string) => ({ comment, is });

/** What the fuzz found the words of the documents to leave open or the parser to have wrong, and what was decided. */
const decided = [
  // Typed below a quote counts, also where Markdown draws the line as part of the quote; so does what the quote left open.
  given("> propose\n/approve 1", "approve 1"),
  given("> > nested\n/approve 1", "approve 1"),
  given("> - a\n  /approve 1", "approve 1"),
  given("> <!--\n/approve 1", "approve 1"),
  given("> a <!-- b\n/approve 1", "approve 1"),
  given("> ```\n/approve 1", "approve 1"),
  given("> a `b\n/approve 1", "approve 1"),
  given("> /approve 1\n> /approve 2\nok", "talk"),
  given("> a\n    /approve 1", "talk"),
  given("- > a\n\n/approve 1", "talk"),
  // A line of nothing but code is taken out; code and text on one line are talk.
  given("`df -h`\n/approve 1", "approve 1"),
  given("`a` ``b`c``\n\n/approve 1", "approve 1"),
  given("`a` /approve 1", "talk"),
  given("`a\nb`\n/approve 1", "talk"),
  given("`a\n/approve 1`", "talk"),
  given("`/approve 1`\n/approve 2", "approve 2"),
  given("`df -h`\n`/approve 1`", "hint: approve"),
  given("`/approve 1`\nI would say", "hint: approve"),
  given("`a`\n    /approve 1", "talk"),
  // Numbers and flags in code are words.
  given("/approve `1`", "approve | `1`"),
  given("/approve 1 `--keep-going`", "approve 1 | `--keep-going`"),
  given("/approve 1 --timeout `10m`", "approve 1 --timeout | `10m`"),
  given("/approve `<!--` 1 -->", "approve | `<!--` 1 -->"),
  given("/approve \\<!-- 2 --> 1", "approve | \\<!-- 2 --> 1"),
  // A comment is what everybody sees nothing of.
  given("<!-- a --> /approve 1", "approve 1"),
  given("<!--\na\n--> /approve 1", "approve 1"),
  given("/approve <!-- 2 --> 1", "approve 1"),
  given("/approve 1<!-- -->2", "approve 12"),
  given("  <!--\na\n--> /approve 1", "approve 1"),
  given("<!-->\n/approve 1", "approve 1"),
  given("<!--->\n/approve 1", "approve 1"),
  given("<!-->\ntext -->\n/approve 1", "talk"),
  given("    <!--\n/approve 1", "approve 1"),
  given("```\n<!--\n```\n/approve 1", "approve 1"),
  given("<!-- a -->     /approve 1", "talk"),
  given("<!-- a -->```\n/approve 1\n```", "talk"),
  given("<!-- a --> > b\n/approve 1", "talk"),
  // Where Markdown and HTML end a comment at different places, nothing is run.
  given("<!-- a --!>\n/approve 1", "talk"),
  given("<!--\n--!>\n/approve 1\n-->\n/approve 2", "talk"),
  given("<!--\n/approve 1 --!> -->\n/approve 2", "talk"),
  given("<!-- a --> <!-- b\n/approve 1 -->\n/approve 2", "talk"),
  given("/approve 1 <!-- a --!> 2 <!----> 3", "approve 1 | <!-- a --!> 2 <!----> 3"),
  given("/approve 1 <!-- a --!> `b <!-- c --> d` <!-- e -->", "approve 1 | <!-- a --!> `b <!-- c --> d`"),
  given("/approve 1 <!-- 2\n3 -->", "approve 1 | <!-- 2\n3 -->"),
  // What ends a fence is Markdown's to say; a no-break space does not.
  given("```\na\n```\u00a0\n/approve 1", "talk"),
  given("```\u2028\n/approve 1\n```", "talk"),
  given("```\na\n``` \t\n/approve 1", "approve 1"),
  // A line that only looks empty is none.
  given("\u00a0\n/approve 1", "talk"),
  given("\ufeff\n/approve 1", "talk"),
  given("\u200b\n/approve 1", "talk"),
  given("\f\n/approve 1", "talk"),
  // Numbers.
  given("/approve 1 , 2", "approve 1 2"),
  given("/approve 1 , why", "approve 1 | , why"),
  given("/approve , 1", "approve | , 1"),
  given("/approve 1,2x", "approve | 1,2x"),
  given("/approve 007", "approve 7"),
  given("/approve 99999999999999999999", "approve | 99999999999999999999"),
  given("/approve #1", "approve | #1"),
  // Flags stand beside the numbers; in the reason they are words of it.
  given("/approve 1 do not use --keep-going", "approve 1 | do not use --keep-going"),
  given("/reject 2 ls --color is odd", "reject 2 | ls --color is odd"),
  given("/approve 1 --timeout --keep-going", "approve 1 --timeout --keep-going"),
  // Below the line all is the note, a signature, a rule and a heading's line among it.
  given("/approve 1\n--\nmona", "approve 1 | --\nmona"),
  given("/approve 1\n===", "approve 1 | ==="),
  given("On Monday mona wrote:\n> a\n\n/approve 1", "talk"),
  given("/approve 1\n\nOn Monday mona wrote:\n> /approve 2", "approve 1 | On Monday mona wrote:\n> /approve 2"),
  given("[a]: /x\n/approve 1", "talk"),
  given("---\n/approve 1", "talk"),
];

describe("the grammar beside the reference", () => {
  test.each(decided)("SR-22 decided: $comment → $is", ({ comment, is }) => {
    expect(inWords(refer(comment, ["ops"]))).toBe(is);
    expect(inWords(said(parseSlashCommand(comment, ["ops"])))).toBe(is);
  });

  test("SR-22 5,000 comments are read as the reference grammar reads them", { tags: ["long"] }, () => {
    const { differences, commands, hints, linesPerSecond } = compare(5_000, seed);
    console.info(`SR-22 grammar: 5000 bodies from seed ${seed}, ${Math.round(linesPerSecond)} lines/s`);
    expect(differences, `seed ${seed}`).toEqual([]);
    expect([commands > 500, hints > 25]).toEqual([true, true]);
  });
});
