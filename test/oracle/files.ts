import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { environment } from "../../src/config/load.ts";
import { root } from "../architecture/source-tree.ts";

/** Where a part writes, and the inputs that an earlier baseline was made from, if there are any. */
export interface Folders {
  readonly out: string;
  readonly baseline: string | undefined;
}

export const writeText = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

export const jsonLines = (records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

/** The inputs of the baseline, so that both trees answer the same; `collect` if there is no baseline. */
export function inputsFor({ out, baseline }: Folders, name: string, collect: () => string): string {
  const file = baseline && join(baseline, "inputs", name);
  const text = file && existsSync(file) ? readFileSync(file, "utf8") : collect();
  writeText(join(out, "inputs", name), text);
  return text;
}

/** Runs a program of this tree and returns its standard output; throws with its standard error if it fails. */
export async function runNode(
  args: readonly string[],
  input = "",
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(process.execPath, ["--import", "./check-node.mjs", ...args], {
    cwd: root,
    env: { ...environment(), ...env },
  });
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  if (code !== 0)
    throw new Error(`${args.join(" ")} ended with ${code}: ${Buffer.concat(stderr)}${Buffer.concat(stdout)}`);
  return Buffer.concat(stdout).toString("utf8");
}
