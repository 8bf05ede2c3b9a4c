import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { annotationOf, annotationSummary } from "../../../src/cli/check/check.ts";
import { useFolder } from "../../harness/use-started.ts";

const root = useFolder();
const odd = join(root, "skills/a,b:c");
mkdirSync(odd, { recursive: true });
writeFileSync(join(odd, "SKILL.md"), "");

it("OP-3 a finding stands at its file's line, by the repository's own path", () => {
  const place = `${join(root, "skills/a,b:c/SKILL.md")}:3:7`;
  const finding = { severity: "error", place, message: "is wrong", remedy: "mend it" } as const;
  expect(annotationOf(finding, root)).toBe(
    "::error file=skills/a%2Cb%3Ac/SKILL.md,line=3,col=7,title=Countersign::is wrong — mend it",
  );
});

it("OP-3 what is no file of the repository is named in the title", () => {
  const of = (place: string) => annotationOf({ severity: "warning", place, message: "m" }, root);
  expect(of("policy.high.approvals")).toBe("::warning title=policy.high.approvals::m");
  expect(of(root)).toBe(`::warning title=${root}::m`);
  expect(of("/etc/passwd:1")).toBe("::warning title=/etc/passwd%3A1::m");
});

it("SR-42 no text of a repository ends a command, begins one, or is more than text in the summary", () => {
  const message = "100 %\r\n::error::forged ##[add-mask]x | @everyone <img src=x> [a](https://evil.example)";
  const finding = { severity: "error", place: "a|b", message, remedy: "`x|y`" } as const;
  const line = annotationOf(finding, root);
  expect(line.split("\n")).toHaveLength(1);
  expect(line).toMatch(/^::error title=a\|b::100 %25%0D%0A::error::forged/);
  const table = annotationSummary([finding], root).split("\n");
  expect(table).toHaveLength(6);
  expect(table[4]?.match(/(?<!\\)\|/g)).toHaveLength(5);
  expect(table[4]).not.toMatch(/<img|[^`]@everyone|\[a\]\(/);
  expect(annotationSummary([], root)).toBe("### Countersign check\n\nNothing is wrong.\n");
  expect(
    annotationSummary(
      Array.from({ length: 300 }, () => finding),
      root,
    ),
  ).toContain("and 100 more, in the log");
});
