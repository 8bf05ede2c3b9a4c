import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { longFunctions } from "./architecture/constructs.ts";
import { laws } from "./architecture/laws.ts";
import { readTree } from "./architecture/source-tree.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folders = ["src", "demo", "emulator", "test"];
const tree = readTree(root, folders);

/** Where today's code breaks a law: each with its reason, and to be taken out with it. */
const exceptions: Readonly<Record<string, string>> = {
  "src/text/redact.ts has process.threadCpuUsage": "a watch on its own time: a text that takes too long is withheld",
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

  it("a reason in its docstring lets a function be long", () => {
    const body = `() => {${"\n".repeat(60)}};\n`;
    const text = `/** Long because it is a table. */\nexport const one = ${body}\nexport const other = ${body}`;
    mkdirSync(join(copy, "alone"));
    writeFileSync(join(copy, "alone/planted.ts"), text);
    expect(readTree(copy, ["alone"]).flatMap((source) => longFunctions(source, 60))).toEqual(["other of 61 lines"]);
  });

  it("no exception outlives its reason", () => {
    const lines = laws.flatMap(({ broken }) => broken(tree));
    expect(Object.keys(exceptions).filter((line) => !lines.includes(line))).toEqual([]);
  });
});
