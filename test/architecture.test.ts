import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { laws } from "./architecture/laws.ts";
import { readTree } from "./architecture/source-tree.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folders = ["src", "test"];
const tree = readTree(root, folders);

/** Where today's code breaks a law: each with its reason, and to be taken out with it. */
const exceptions: Readonly<Record<string, string>> = {
  "src/text/redact.ts has process.threadCpuUsage": "a watch on its own time: a text that takes too long is withheld",
  "src/runbooks/workflows.ts reaches node:os":
    "its problems are told by config-problems.ts, whose unwrap stands beside the config's `~` in config-shape.ts",
};

describe("the laws of the house (ARCHITECTURE.md, STYLE.md)", () => {
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
      const file = join(copy, planted.path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, planted.text);
      const after = broken(readTree(copy, folders));
      rmSync(file);
      const original = join(root, planted.path);
      if (existsSync(original)) cpSync(original, file);
      expect(after.filter((line) => !before.includes(line))).toContainEqual(expect.stringContaining(planted.path));
    });
  }

  it("no exception outlives its reason", () => {
    const lines = laws.flatMap(({ broken }) => broken(tree));
    expect(Object.keys(exceptions).filter((line) => !lines.includes(line))).toEqual([]);
  });
});
