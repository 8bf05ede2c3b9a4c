import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { laws } from "./architecture/laws.ts";
import { readTree } from "./architecture/source-tree.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folders = ["src", "demo", "emulator", "test"];
const tree = readTree(root, folders);

/** Where today's code breaks a law: each with its reason, and to be taken out with it. */
const exceptions: Readonly<Record<string, string>> = {
  "src/text/redact.ts has process.threadCpuUsage": "a watch on its own time: a text that takes too long is withheld",
  "Call is exported by src/commands/command.ts and src/risk/engine/apply.ts":
    "until the table of programs and the redactor's data files are one form (issue 20)",
  "Role is exported by src/base/repo-role.ts and src/risk/rule.ts":
    "until the table of programs and the redactor's data files are one form (issue 20)",
  "Rule is exported by src/risk/rule.ts and src/text/redact/rule.ts":
    "until the table of programs and the redactor's data files are one form (issue 20)",
  "Target is exported by src/risk/reach/targets.ts and src/store/database/action-tables.ts":
    "until the table of programs and the redactor's data files are one form (issue 20)",
  "Words is exported by src/risk/knowledge/verbs.ts and src/runbooks/match/words.ts":
    "until the table of programs and the redactor's data files are one form (issue 20)",
  "clean is exported by src/risk/text.ts and src/text/read/clean.ts":
    "until the table of programs and the redactor's data files are one form (issue 20)",
  "createNetworks is exported by src/base/networks.ts and src/risk/reach/addresses.ts":
    "until the table of programs and the redactor's data files are one form (issue 20)",
  "fileRules is exported by src/risk/knowledge/files.ts and src/text/redact/rules-files.ts":
    "until the table of programs and the redactor's data files are one form (issue 20)",
  "isHarmless is exported by src/risk/windows/expressions.ts and src/text/redact/names.ts":
    "until the table of programs and the redactor's data files are one form (issue 20)",
  "isRecord is exported by src/runbooks/frontmatter.ts and src/text/redact/cells.ts":
    "until the table of programs and the redactor's data files are one form (issue 20)",
  "networkRules is exported by src/risk/knowledge/network.ts and src/text/redact/rules-network.ts":
    "until the table of programs and the redactor's data files are one form (issue 20)",
  "outputOf is exported by src/risk/engine/output.ts and src/store/outputs.ts":
    "until the table of programs and the redactor's data files are one form (issue 20)",
  "plain is exported by src/runbooks/match/words.ts and src/text/fence.ts":
    "until the table of programs and the redactor's data files are one form (issue 20)",
  "readEscape is exported by src/risk/windows/reader.ts and src/text/read/escapes.ts":
    "until the table of programs and the redactor's data files are one form (issue 20)",
  "readValue is exported by src/risk/windows/parse-expression.ts and src/text/redact/read-value.ts":
    "until the table of programs and the redactor's data files are one form (issue 20)",
  "src/risk/knowledge has 34 files":
    "until the table of programs and the redactor's data files are one form (issue 20)",
  "src/risk/windows has 28 files": "until the table of programs and the redactor's data files are one form (issue 20)",
  "src/text/redact has 38 files": "until the table of programs and the redactor's data files are one form (issue 20)",
  "truncate is exported by src/risk/programs/files.ts and src/text/truncate.ts":
    "until the table of programs and the redactor's data files are one form (issue 20)",
  "verbs is exported by src/risk/knowledge/verbs.ts and src/risk/knowledge/windows.ts and src/slash/verbs.ts":
    "until the table of programs and the redactor's data files are one form (issue 20)",
  "wordsOf is exported by src/risk/knowledge/families.ts and src/runbooks/match/words.ts":
    "until the table of programs and the redactor's data files are one form (issue 20)",
};

describe("the laws of the house (docs/architecture.md, CONTRIBUTING.md)", () => {
  const copy = mkdtempSync(join(tmpdir(), "countersign-laws-"));
  beforeAll(() => {
    for (const folder of folders) cpSync(join(root, folder), join(copy, folder), { recursive: true });
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it("knows the whole tree", () => {
    const paths = tree.map(({ path }) => path);
    expect(paths).toContain("src/main.ts");
    expect(paths).toContain("test/architecture.test.ts");
  });

  for (const { title, broken, planted } of laws) {
    it(title, () => {
      expect(broken(tree).filter((line) => !(line in exceptions))).toEqual([]);
    });

    it(`a planted file is seen: ${title}`, () => {
      const before = broken(tree);
      const { path, text, times = 1 } = planted;
      const paths = Array.from({ length: times }, (_, at) => (at === 0 ? path : path.replace(".ts", `-${at}.ts`)));
      for (const one of paths) {
        mkdirSync(dirname(join(copy, one)), { recursive: true });
        writeFileSync(join(copy, one), text);
      }
      const after = broken(readTree(copy, folders));
      for (const one of paths) rmSync(join(copy, one));
      const original = join(root, path);
      if (existsSync(original)) cpSync(original, join(copy, path));
      expect(after.filter((line) => !before.includes(line))).toContainEqual(expect.stringContaining(dirname(path)));
    });
  }

  it("no exception outlives its reason", () => {
    const lines = laws.flatMap(({ broken }) => broken(tree));
    expect(Object.keys(exceptions).filter((line) => !lines.includes(line))).toEqual([]);
  });
});
