import { readFileSync } from "node:fs";
import type { Risk } from "../../src/base/risk.ts";

/** One line of `test/data/commands.jsonl`; `accept` holds other right answers. */
export interface Labelled {
  readonly id: string;
  readonly command: string;
  readonly os: "linux" | "windows";
  readonly shell: "bash" | "powershell" | "cmd";
  readonly expected: Risk;
  readonly accept?: readonly Risk[];
}

export const labelled: readonly Labelled[] = readFileSync(new URL("../data/commands.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => {
    // Where a row is from is nothing that it runs on, as `source` is there.
    const { source: _, ...row } = JSON.parse(line) as Labelled & { readonly source: string };
    return row;
  });

/** Hosts that the labelled commands take for the operator's own, and buckets. */
export const labelledHosts = ["*.example.com", "example.com", "a.example", "github.com", "docker.io", "b"] as const;

export const isRight = (row: Labelled, risk: Risk): boolean =>
  risk === row.expected || row.accept?.includes(risk) === true;
