import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { anyProof } from "./table.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The test files that name a fault or a crash point, or import cases that do; the others need not be loaded. */
export function filesThatProve(): string[] {
  const files = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts"))
    .map((path) => join(root, "test", path));
  const textOf = (path: string): string => readFileSync(path, "utf8");
  return files
    .filter((path) => {
      const text = textOf(path);
      const cases = Array.from(text.matchAll(/from "(\.[^"]+\.ts)"/g), ([, target = ""]) =>
        join(dirname(path), target),
      );
      // A text that a test plants may import what is not there.
      const own = cases.filter((each) => each.startsWith(join(root, "test")) && existsSync(each));
      return [path, ...own].some((each) => anyProof.test(textOf(each)));
    })
    .map((path) => relative(root, path));
}
