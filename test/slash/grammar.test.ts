import { describe, expect, test } from "vitest";
import { type Hint, noteOf, parseSlashCommand, type SlashCommand } from "../../src/slash/grammar.ts";
import { fc } from "../harness/chance.ts";
import { nodesOf, parse, pieces } from "../text/markdown.ts";

const read = (body: string): SlashCommand | Hint | undefined => parseSlashCommand(body, ["ops"]);

/** A slash command in one line: `approve 1 2@1a2b3c4d --keep-going | the note`; `talk`, or `hint: approve`. */
function said(body: string): string {
  const slash = read(body);
  if (slash === undefined) return "talk";
  if (slash.kind === "hint") return `hint: ${slash.verb}`;
  const ids =
    slash.ids === "all" ? ["all"] : slash.ids.map(({ number, pin }) => (pin ? `${number}@${pin}` : `${number}`));
  const flags = [...slash.flags].flatMap(([flag, value]) => (value === "" ? [flag] : [flag, value]));
  const note = noteOf(slash);
  return [slash.verb, ...ids, ...flags, ...(note === "" ? [] : ["|", note])].join(" ");
}

const given = (comment: string, is: string) => ({ comment, is });

const commands = [
  given("/approve 1", "approve 1"),
  given("/approve 1 2 3", "approve 1 2 3"),
  given("/approve 1,2,3", "approve 1 2 3"),
  given("/approve 1, 2 ,3", "approve 1 2 3"),
  given("/approve\t1\t2", "approve 1 2"),
  given("/APPROVE 1", "approve 1"),
  given("/Approve ALL", "approve all"),
  given("/approve", "approve"),
  given("/approve 3@1A2B3C4D", "approve 3@1a2b3c4d"),
  given("/approve 3@1a2b3c4d,4", "approve 3@1a2b3c4d 4"),
  given(`/approve 3@${"ab".repeat(32)}`, `approve 3@${"ab".repeat(32)}`),
  given("/approve 3@1a2b", "approve | 3@1a2b"),
  given(`/approve 3@${"a".repeat(65)}`, `approve | 3@${"a".repeat(65)}`),
  given("/approve 3x", "approve | 3x"),
  given("/approve -3", "approve | -3"),
  given("/approve 1.5", "approve | 1.5"),
  given("/approve 1234567", "approve | 1234567"),
  given("/approve 1 --keep-going", "approve 1 --keep-going"),
  given("/approve --keep-going 1 2", "approve 1 2 --keep-going"),
  given("/approve --timeout 10m 1", "approve 1 --timeout 10m"),
  given("/approve 1 --timeout 10m 2", "approve 1 --timeout 10m | 2"),
  given("/approve 1 --timeout", "approve 1 --timeout"),
  given("/approve 4 web-1 log volume full", "approve 4 | web-1 log volume full"),
  given("/approve 4\nthe db team agrees", "approve 4 | the db team agrees"),
  given("/reject 2 too risky\n\nsee #12", "reject 2 | too risky\nsee #12"),
  given("/reject 2 schönes Обоснование 🙂", "reject 2 | schönes Обоснование 🙂"),
  given("/ops approve 3", "approve 3"),
  given("/OPS Approve 3", "approve 3"),
  given("/ops /approve 3", "approve 3"),
  given("/ops", "talk"),
  given("/run web-1\n```sh\ndf -h\n```", "run | web-1\n```sh\ndf -h\n```"),
  given("/deploy now", "deploy | now"),
];

const places = [
  given("\n\n/approve 1", "approve 1"),
  given(" /approve 1", "approve 1"),
  given("   /approve 1   ", "approve 1"),
  given("    /approve 1", "talk"),
  given("\t/approve 1", "talk"),
  given("  \t/approve 1", "talk"),
  given("    /approve 1\n\n/approve 2", "approve 2"),
  given("/approve 1\r\n", "approve 1"),
  given("\r\n/approve 1\r\nbecause", "approve 1 | because"),
  given("/approve 1\rbecause", "approve 1 | because"),
  given("> /approve 1", "talk"),
  given(">/approve 1", "talk"),
  given("   > /approve 1", "talk"),
  given("> > /approve 1", "talk"),
  given("> propose\n\n/approve 1", "approve 1"),
  given("> propose\n/approve 1", "approve 1"),
  given("> /approve 1\n> /approve 2\n\nthanks", "talk"),
  given("> ```\n/approve 1\n> ```", "approve 1 | > ```"),
  given("```\n/approve 1\n```", "talk"),
  given("```\n/approve 1", "talk"),
  given("```sh\n/approve 1\n```\n/approve 2", "approve 2"),
  given("````\n```\n/approve 1\n````", "talk"),
  given("````\n```\n````\n/approve 2", "approve 2"),
  given("~~~\n/approve 1\n~~~", "talk"),
  given("~~~\n```\n/approve 1\n~~~\n/approve 2", "approve 2"),
  given("~~~ `x`\n/approve 1", "talk"),
  given("   ```\n/approve 1\n   ```", "talk"),
  given("```\n/approve 1\n``` still open\n/approve 2", "talk"),
  given("<!-- /approve 1 -->", "talk"),
  given("<!--\n/approve 1\n-->", "talk"),
  given("<!--\n/approve 1\n-->\n/approve 2", "approve 2"),
  given("<!-- a --> <!-- b -->\n/approve 2", "approve 2"),
  given("<!-- never closed\n/approve 1", "talk"),
  given("<!-- --!>\n/approve 1", "talk"),
  given("<!--\n```\n-->\n/approve 2", "approve 2"),
  given("`/approve 1`", "hint: approve"),
  given("``/approve 1``", "hint: approve"),
  given("` /approve 1 `", "hint: approve"),
  given("`/APPROVE` please", "hint: approve"),
  given("`df -h` looks odd", "talk"),
  given("please /approve 1", "talk"),
  given("thanks!\n/approve 1", "talk"),
  given("- /approve 1", "talk"),
  given("1. /approve 1", "talk"),
  given("# /approve 1", "talk"),
  given("**/approve 1**", "talk"),
  given("| /approve 1 |", "talk"),
  given("<details>\n/approve 1\n</details>", "talk"),
  given("&#47;approve 1", "talk"),
  given("\\/approve 1", "talk"),
  given("", "talk"),
  given("   \n\t\n", "talk"),
  given("yes", "talk"),
  given("ok", "talk"),
  given("👍", "talk"),
  given("LGTM", "talk"),
  given("approve 1", "talk"),
  given("1", "talk"),
];

const disguises = [
  given("/аpprove 1", "talk"), // Cyrillic а
  given("/аррrove 1", "talk"),
  given("∕approve 1", "talk"), // U+2215
  given("／approve 1", "talk"), // fullwidth
  given("/ａpprove 1", "talk"),
  given("/app\u200brove 1", "talk"),
  given("/\u200bapprove 1", "talk"),
  given("\u200b/approve 1", "talk"),
  given("\ufeff/approve 1", "talk"),
  given("\u00a0/approve 1", "talk"),
  given("\u202e/approve 1", "talk"),
  given("/approve\u200b 1", "talk"),
  given("/approve\ufeff1", "talk"),
  given("/approve\u00a01", "talk"),
  given("/approve\u30001", "talk"),
  given("/ops\ufeffapprove 1", "talk"),
  given("/approve \u0661", "approve | \u0661"), // Arabic digit one
  given("/approve １", "approve | １"), // fullwidth one
  given("/approve 1\u200b2", "approve | 1\u200b2"),
  given("/approve 1\ufeff2", "approve | 1\ufeff2"),
  given("/approve 1\u00a02", "approve | 1\u00a02"),
  given("/approve 1\u20282", "approve | 1\u20282"),
  given("/approve 1\u000b2", "approve | 1\u000b2"),
  given("/approve 3@1a2b3c4\u0501", "approve | 3@1a2b3c4\u0501"),
  given("/approve аll", "approve | аll"),
];

const others = [
  given("/lgtm", "lgtm"),
  given("/etc/nginx/nginx.conf is gone", "talk"),
  given("/dev/vda1 98%", "talk"),
  given("/approve1", "talk"),
  given("/approve:1", "talk"),
  given("/approve/1", "talk"),
  given("//approve 1", "talk"),
  given("/ approve 1", "talk"),
  given("/-approve 1", "talk"),
  given(".deploy", "talk"),
  given("@countersign approve 1", "talk"),
  given("atlantis apply", "talk"),
  given("/ops/approve 1", "talk"),
  given("/ops approve/now 1", "talk"),
  given("/opsapprove 1", "opsapprove 1"),
];

describe("what a comment says", () => {
  test.each(commands)("SR-22 $comment → $is", ({ comment, is }) => expect(said(comment)).toBe(is));
  test.each(places)("SR-22 where it stands: $comment → $is", ({ comment, is }) => expect(said(comment)).toBe(is));
  test.each(disguises)("SR-22 ASCII only: $comment → $is", ({ comment, is }) => expect(said(comment)).toBe(is));
  test.each(others)("SR-22 no command of ours: $comment → $is", ({ comment, is }) => expect(said(comment)).toBe(is));
});

describe("what is said besides the verb", () => {
  test("SR-22 a hint keeps the numbers that were meant, and the first word of what is no command", () => {
    const hint = { kind: "hint", why: "code" };
    expect(read("`/approve 1 2`")).toEqual({ ...hint, verb: "approve", ids: [{ number: 1 }, { number: 2 }] });
    expect(read("`/Etc/nginx`")).toEqual({ ...hint, verb: "etc", ids: [] });
  });

  test("SR-22 a note begins behind the words that say something else", () => {
    const slash = parseSlashCommand("/run web-1 disk full", []);
    expect(slash?.kind === "command" && noteOf(slash, 1)).toBe("disk full");
  });

  test("SR-22 any of the prefixes, and no other, may stand before the verb", () => {
    const verbs = ["/ops approve 1", "/bot approve 1", "/app approve 1"].map(
      (body) => parseSlashCommand(body, ["ops", "bot"])?.verb,
    );
    expect(verbs).toEqual(["approve", "approve", "app"]);
  });
});

describe("the block below /run", () => {
  const blockOf = (body: string) => {
    const slash = read(body);
    return slash?.kind === "command" ? slash.block : "no command";
  };
  test.each([
    given("/run web-1\n```sh\ndf -h\nuptime\n```\nbecause", "df -h\nuptime"),
    given("/run web-1\nbecause\n\n~~~\ndf -h\n~~~", "df -h"),
    given("/run web-1\n```\ndf -h", "df -h"),
    given("/run web-1\n````\necho '```'\n````", "echo '```'"),
    given("/run web-1\r\n```\r\ndf -h\r\n```", "df -h"),
    given("/run web-1\n```\na\n```\n```\nb\n```", "a"),
    given("/run web-1\n```\n df -h \n\n```", " df -h \n"),
    given("/run web-1\r\n```\r\ndf -h\r\nuptime\r\n```", "df -h\nuptime"),
    given("/run web-1\n```\ndf -h\r\nuptime\n```", "df -h\r\nuptime"),
    given("/run web-1\r\n```\r\ndf -h\r\nuptime\n```", "df -h\r\nuptime"),
    given("/run web-1\n```\n```", ""),
    given("/run web-1\n```\necho a\rb\n```", "echo a\rb"),
    given("/run web-1\n  ```\n  if true; then\n    df\n fi\n  ```", "if true; then\n  df\nfi"),
  ])("SR-22 SR-34 is the first fence below the line, as it was written: $comment", ({ comment, is }) =>
    expect(blockOf(comment)).toBe(is),
  );

  test("SR-22 a fence above the line is not the command of /run", () => {
    expect(blockOf("```\nreboot\n```\n/run web-1")).toBeUndefined();
  });
});

/** Lines of Markdown and of commands in any order. */
const comment = fc
  .array(fc.constantFrom(...pieces, "/approve 1", "/run web-1", "/reject 2 no", "\n", "    ", "> "), { maxLength: 25 })
  .map((parts) => parts.join(""));

describe("any comment", () => {
  test("SR-22 never throws, and a command is a line of the comment that begins with its verb", () => {
    fc.assert(
      fc.property(fc.oneof(comment, fc.string({ unit: "grapheme" })), (body) => {
        const slash = read(body);
        if (slash?.kind !== "command") return;
        const begins = new RegExp(`^ {0,3}/(?:ops[ \\t]+/?)?${slash.verb}(?:[ \\t]|$)`, "im");
        // It stands on one line: after the comments that are whole on it, or after the end of one from above.
        const lines = body.split(/\r\n?|\n/).map((line) => line.replace(/<!--(?:-?>|[^\n]*?-->)/g, ""));
        expect(lines.flatMap((line) => [line, line.replace(/^[^\n]*-->/, "")]).join("\n")).toMatch(begins);
      }),
      { numRuns: 3000 },
    );
  });

  test("SR-22 quoted, fenced or indented as a whole, it holds no command", () => {
    fc.assert(
      fc.property(comment, (body) => {
        const lines = body.split(/\r\n?|\n/);
        expect(read(lines.map((line) => `> ${line}`).join("\n"))).toBeUndefined();
        expect(read(lines.map((line) => `    ${line}`).join("\n"))).toBeUndefined();
        expect(read(["`".repeat(40), ...lines, "`".repeat(40)].join("\n"))).toBeUndefined();
        expect(read(["~".repeat(40), ...lines].join("\n"))).toBeUndefined();
      }),
      { numRuns: 1000 },
    );
  });

  test("SR-22 to a GFM parser, too, a command is read outside of code", () => {
    fc.assert(
      fc.property(comment, (body) => {
        const slash = read(body);
        if (slash?.kind !== "command" || !["approve", "run", "reject"].includes(slash.verb)) return;
        // After the end of a hidden comment, the rest of its line is HTML to Markdown and text to a reader.
        // What a quote left open does not hold what was typed below it, so the quotes are taken out first.
        const typed = body.replace(/\r\n?/g, "\n").replace(/^ {0,3}>.*$/gm, "");
        const outside = nodesOf(parse(typed)).filter((node) => node.type === "text" || node.type === "html");
        expect(outside.some((node) => "value" in node && node.value.includes(`/${slash.verb}`))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test("SR-22 the longest comment GitHub takes is read whole, whatever it is made of", () => {
    for (const filler of ["x", " ", "`", "<!--", "-->", "> \n", "```\n", "1 ", "/", "\r", "--a "]) {
      const head = "/reject 1 ";
      const rest = filler.repeat(65_536).slice(0, 65_536 - head.length);
      expect(said(head + rest)).toMatch(/^reject 1/);
      expect(said(`${head}${rest.slice(1)}!`)).toMatch(/^reject 1/);
      expect(() => read(rest)).not.toThrow();
    }
  });
});
