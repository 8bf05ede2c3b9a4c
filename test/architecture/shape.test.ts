import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useFolder } from "../harness/use-started.ts";
import { measureShape } from "./shape.ts";
import { readTree } from "./source-tree.ts";

const root = useFolder();

it("counts functions that one place calls, files that one file imports, and types with three meanings", () => {
  mkdirSync(join(root, "src"), { recursive: true });
  const files = {
    "a.ts":
      'import { far, twice } from "./b.ts";\n// far far\ntype Row = 1;\nexport const a = () => [far(), twice(), twice()];\n',
    "b.ts":
      "type Row = 2;\nconst near = () => 1;\nexport function far() {\n  return near();\n}\nexport const twice = () => 2;\n",
    "c.ts":
      'import { a } from "./a.ts";\nimport type { Other } from "./d.ts";\ntype Row = 3;\nexport const c = { a, text: "c" };\n',
    "d.ts": 'import { a } from "./a.ts";\nexport type Other = 1;\na();\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, "src", name), text);
  expect(measureShape(readTree(root, ["src"]))).toEqual({
    lines: 4 + 6 + 4 + 3,
    files: 4,
    functions: 4,
    once: ["src/b.ts near", "src/b.ts far"],
    elsewhere: ["src/b.ts far"],
    single: ["src/b.ts", "src/d.ts"],
    manyMeanings: ["Row"],
  });
});
