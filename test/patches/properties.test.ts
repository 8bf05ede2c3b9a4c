import fc from "fast-check";
import { expect, it } from "vitest";
import { matchesPath } from "../../src/base/glob.ts";
import { judgePaths } from "../../src/patches/judge.ts";
import { parsePatch } from "../../src/patches/parse.ts";
import { applyPatch, type ChangedFile, writePatch } from "../../src/patches/patch.ts";
import { commit, fileOf, place, readOf, tryPatch } from "./tree.ts";

/** Lines that a diff may take for its own, and lines that repeat. */
const line = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "a",
    "b",
    "  image: web:1.4.2",
    "-- x",
    "++ y",
    "- z",
    "+ z",
    "@@ -1 +1 @@",
    "\\ No newline",
  ),
  fc.constantFrom("-- a/k8s/x.yaml", "++ b/k8s/x.yaml", "diff --git a/k8s/x b/k8s/x", "commit 1", "```", "é\t✓"),
  fc.string({ maxLength: 12 }).map((text) => text.replace(/[\n\0]/g, "")),
);
const ended = fc.tuple(fc.constantFrom("\n", "\n", "\r\n"), fc.boolean());
const textOf = (lines: readonly string[], [eol, isEnded]: readonly [string, boolean]): string =>
  lines.length === 0 ? "" : lines.join(eol) + (isEnded ? eol : "");
const text = fc.tuple(fc.array(line, { maxLength: 30 }), ended).map(([lines, end]) => textOf(lines, end));
/** A text and what becomes of it: some of its lines replaced. */
const edit = fc
  .tuple(
    fc.array(line, { maxLength: 30 }),
    fc.array(fc.tuple(fc.nat(30), fc.nat(3), fc.array(line, { maxLength: 3 })), { maxLength: 4 }),
    ended,
    fc.boolean(),
  )
  .map(([lines, splices, one, isEnded]) => {
    const after = [...lines];
    for (const [at, count, more] of splices) after.splice(at, count, ...more);
    return [textOf(lines, one), textOf(after, [one[0], isEnded])] as const;
  });
const path = fc.constantFrom("k8s/x.yaml", "k8s/a/b c.yaml", "k8s/é.yaml", "ansible/a/site.yml", "k8s/b/a/x");

const changeOf = (at: string, before: string | undefined, after: string | undefined): ChangedFile => ({
  path: at,
  mode: "100644",
  before: before === undefined ? undefined : fileOf(before),
  after,
});

it("a patch that was written is read and applied to the same files, and written the same again", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(path, fc.option(text, { nil: undefined }), edit), {
        selector: ([at]) => at,
        minLength: 1,
      }),
      fc.constantFrom("change", "create", "delete"),
      (files, act) => {
        const changed = files.flatMap(([at, , [before, after]]) => {
          if (act === "create") return [changeOf(at, undefined, after)];
          if (act === "delete") return [changeOf(at, before, undefined)];
          return before === after ? [] : [changeOf(at, before, after)];
        });
        fc.pre(changed.length > 0);
        const written = writePatch(commit, changed);
        const parsed = parsePatch(written);
        if (!parsed.ok) throw new Error(`${parsed.reason}\n${written}`);
        expect(parsed.commit).toBe(commit);
        const tree = Object.fromEntries(changed.flatMap(({ path, before }) => (before ? [[path, before]] : [])));
        const applied = applyPatch(parsed.files, readOf(tree, parsed.files));
        if (!applied.ok) throw new Error(`${applied.reason}\n${written}`);
        expect(applied.files).toEqual(changed.toSorted((one, other) => (one.path < other.path ? -1 : 1)));
        expect(writePatch(commit, applied.files)).toBe(written);
      },
    ),
    { numRuns: 500 },
  );
});

/** What models do to a diff: each leaves its meaning. */
const habits: Readonly<Record<string, (diff: string) => string>> = {
  "no commit": (diff) => diff.replace(/^commit .*\n/, ""),
  "no git lines": (diff) => diff.replace(/^(commit|diff|index) .*\n/gm, ""),
  "short ids": (diff) => diff.replace(/^index (\w{7})\w*\.\.(\w{7})\w*/gm, "index $1..$2"),
  "in a fence": (diff) => `\`\`\`diff\n${diff}\`\`\`\n`,
  "no end": (diff) => diff.replace(/\n$/, ""),
  "CRLF on the way": (diff) => diff.replaceAll("\n", "\r\n"),
  "empty context lines": (diff) => diff.replace(/^ $/gm, ""),
  "counts missing": (diff) => diff.replace(/^@@ -(\d+)\S* \+(\d+)\S* @@/gm, "@@ -$1 +$2 @@"),
  "counts wrong": (diff) => diff.replace(/^@@ -(\d+)\S* \+(\d+)\S* @@/gm, "@@ -$1,99 +$2,98 @@"),
};

it.each(Object.entries(habits))("a change of a file whose lines differ is applied: %s", (_, write) => {
  const plain = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z: ]{2,9}[a-z]$/), { minLength: 3, maxLength: 30 });
  fc.assert(
    fc.property(
      plain,
      fc.nat(29),
      fc.nat(2),
      fc.array(fc.constantFrom("", "  new: 1", "x"), { maxLength: 3 }),
      (lines, at, count, more) => {
        const before = `${lines.join("\n\n")}\n`;
        const split = before.split("\n").slice(0, -1);
        split.splice(at % split.length, count, ...more);
        const after = split.map((one) => `${one}\n`).join("");
        fc.pre(after !== before && after !== "");
        const diff = writePatch(commit, [changeOf("k8s/x.yaml", before, after)]);
        const tried = tryPatch(write(diff), { "k8s/x.yaml": before });
        expect(tried).toEqual({ files: [changeOf("k8s/x.yaml", before, after)] });
      },
    ),
    { numRuns: 100 },
  );
});

it("whatever a patch says, it changes no file outside the globs", () => {
  const part = fc.constantFrom(
    ..."k8s ansible .. . .github workflows CODEOWNERS x.yaml .git a b K8S \u202e docs".split(" "),
    "",
    "k8s\\..",
    "x ",
  );
  const name = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("/"));
  const marks = fc.constantFrom(["a/", "b/"], ["a/", "b/"], ["", ""], ["a/", ""], ["b/", "a/"], ["/", "/"]);
  const header = fc.tuple(marks, name, name, fc.integer({ max: 9, min: 0 }));
  const glob = fc.constantFrom(
    "k8s/**",
    "**",
    "ansible/*/x.yaml",
    "*",
    "**/x.yaml",
    "k8s/.github/**",
    "docs/CODEOWNERS",
  );
  let allowed = 0;
  fc.assert(
    fc.property(
      fc.array(header, { minLength: 1, maxLength: 2 }),
      fc.array(glob, { minLength: 1, maxLength: 2 }),
      (headers, paths) => {
        const diff = headers
          .map(
            ([[a, b], old, now, chance]) => `--- ${a}${old}\n+++ ${b}${chance > 0 ? old : now}\n@@ -1 +1 @@\n-x\n+y\n`,
          )
          .join("");
        const parsed = parsePatch(diff);
        if (!parsed.ok || judgePaths(parsed.files, { ...place, paths })) return;
        allowed++;
        for (const file of parsed.files) {
          expect(paths.some((one) => matchesPath(one, file.path))).toBe(true);
          expect(file.path).not.toMatch(/(^|\/)(\.{0,2}|\.git)(\/|$)|[\\\u202e]/);
          if (/\.github|CODEOWNERS/.test(file.path)) expect(paths.join()).toMatch(/\.github|CODEOWNERS/);
        }
      },
    ),
    { numRuns: 20_000 },
  );
  expect(allowed).toBeGreaterThan(100);
});
