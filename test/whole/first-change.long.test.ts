import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { useFolder } from "../harness/use-started.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = useFolder();

/** The lines of the guide's code blocks in a language, without the indentation of its list. */
const blocksOf = (text: string, language: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^   \`\`\`${language}\\n([\\s\\S]*?)^   \`\`\`$`, "gm"))].map(([, lines = ""]) =>
    lines.replace(/^ {3}/gm, ""),
  );

it("the first change in CONTRIBUTING.md works as it is written, in a copy of the tree", () => {
  for (const name of [
    "src",
    "test",
    "templates",
    "package.json",
    "check-node.mjs",
    "vitest.config.ts",
    "tsconfig.json",
  ])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const [, guide = ""] =
    /^## A first change\n([\s\S]*?)^## /m.exec(readFileSync(join(root, "CONTRIBUTING.md"), "utf8")) ?? [];
  const run = (line: string) => {
    const { status, stdout, stderr } = spawnSync("sh", ["-c", line], { cwd: folder, encoding: "utf8" });
    return { status, out: stdout, err: stderr };
  };
  const [explain = "", runTest = ""] = blocksOf(guide, "sh");
  const [row = ""] = blocksOf(guide, "ts");
  const [, file = ""] = /In `(src\/\S+)`/.exec(guide) ?? [];
  const riskOf = (line: string): unknown => {
    const { risk, unknown } = JSON.parse(run(line).out);
    return { risk, unknown };
  };
  expect(riskOf(explain)).toEqual({ risk: "medium", unknown: true });

  const before = readFileSync(join(folder, file), "utf8");
  const end = before.lastIndexOf("];");
  const changeTo = (lines: string): void =>
    writeFileSync(join(folder, file), `${before.slice(0, end)}${lines}${before.slice(end)}`);
  changeTo(row);
  expect(riskOf(explain)).toEqual({ risk: "low", unknown: false });
  const wipe = run(explain.replace("status", "wipe")).out;
  expect(JSON.parse(wipe)).toMatchObject({ risk: "high" });
  const [, why = ""] = /because it "(.*?)"/.exec(guide) ?? [];
  expect(wipe).toContain(why);
  const passed = run(runTest);
  expect({ status: passed.status, out: passed.out }).toEqual({ status: 0, out: expect.stringMatching(/1 passed/) });

  changeTo(row.replace('words: "wipe", level: "high"', 'words: "wipe", level: "low"'));
  const failed = run(runTest);
  expect(failed.status).toBe(1);
  expect(failed.out + failed.err).toContain("lampctl wipe");
});
