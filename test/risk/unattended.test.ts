import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { decideStep } from "../../src/approval/lease.ts";
import { createEvaluator, type ScanPlace } from "../../src/risk/evaluate.ts";
import { whyAttended } from "../../src/risk/unattended.ts";

interface Row {
  readonly command: string;
  readonly shell: "bash" | "powershell" | "cmd";
}

const evaluate = createEvaluator();
const reach = { allowed: ["web-1"], consented: ["web-1"] };

/** As a lease decides on what a model proposes for one of its servers. */
function runs({ command, shell }: Row): boolean {
  const place: ScanPlace = { os: shell === "bash" ? "linux" : "windows", shell };
  const verdict = evaluate(command, place);
  const { risk } = verdict;
  const attended = whyAttended(verdict);
  return decideStep({ origin: "model", risk, riskNow: risk, attended, servers: ["web-1"] }, reach).kind === "go";
}

const rowsOf = (name: string): readonly Row[] =>
  readFileSync(new URL(`../data/unattended/${name}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);

test("AR-03 nothing that writes, runs, sends, reveals or stays behind a read's name runs under a lease", () => {
  const ran = rowsOf("hostile").filter(runs);
  expect(ran.map(({ command }) => command)).toEqual([]);
});

test("AR-03 what people on call look at runs under a lease", () => {
  const waits = rowsOf("plain").filter((row) => !runs(row));
  expect(waits.map(({ command }) => command)).toEqual([]);
});
