import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** docs/requirements.md is held against the tests that it names. */

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(`${root}docs/requirements.md`, "utf8");

interface Row {
  readonly code: string;
  readonly file: string;
  readonly title: string;
}
const lines = page.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| code |"));
const rows = lines.map((line): Row | undefined => {
  const [, code, , file, title] =
    /^\| ([A-Z]{1,3}-?\d[\d.]*) \| (.+) \| `(test\/[\w./-]+\.test\.ts)` (.+) \|$/.exec(line) ?? [];
  return code === undefined || file === undefined || title === undefined ? undefined : { code, file, title };
});

/** A title as it may stand in the source. */
const isIn = (source: string, title: string): boolean =>
  [title, title.replaceAll('"', '\\"')].some((one) => ['"', "`"].some((quote) => source.includes(quote + one)));

describe("docs/requirements.md", () => {
  it("has a code, a demand and a test in each row", () => {
    expect(lines.filter((_, index) => rows[index] === undefined)).toEqual([]);
    expect(rows.length).toBeGreaterThan(25);
  });

  it("names tests that there are, by titles that bear the code", () => {
    const wrong = rows.flatMap((row) => {
      if (!row) return [];
      const { code, file, title } = row;
      if (!existsSync(root + file)) return [`${file} is not there`];
      if (!title.split(" ").includes(code)) return [`${code}: "${title}" does not bear it`];
      return isIn(readFileSync(root + file, "utf8"), title) ? [] : [`${file} has no test "${title}"`];
    });
    expect(wrong).toEqual([]);
  });
});
