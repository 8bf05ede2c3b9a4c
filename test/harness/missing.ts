import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(new URL("../../node_modules/.cache/countersign/missing", import.meta.url));

/** Says aloud that tests could not run because a tool is not installed; the lines are printed at the end of the run. */
export function missing(tool: string, why: string): void {
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, `${tool}: ${why}\n`);
}

/** What was said so far, each line once. */
export function missingSoFar(): readonly string[] {
  if (!existsSync(file)) return [];
  return [...new Set(readFileSync(file, "utf8").split("\n"))].filter((line) => line !== "").sort();
}

/** A new run begins. */
export function forgetMissing(): void {
  rmSync(file, { force: true });
}
