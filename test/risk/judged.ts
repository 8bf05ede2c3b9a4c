import { performance } from "node:perf_hooks";
import type { Verdict } from "../../src/base/risk.ts";
import { createEvaluator, type ScanPlace } from "../../src/risk/evaluate.ts";
import { parseShell } from "../../src/risk/shell/parse.ts";

const evaluate = createEvaluator();
export const places: readonly ScanPlace[] = [
  { os: "linux", shell: "bash" },
  { os: "windows", shell: "powershell" },
  { os: "windows", shell: "cmd" },
];

export interface Judged {
  readonly verdict: Verdict;
  readonly ms: number;
}

/** A text that took longer than this is judged again: a machine that paused does so once, a slow classification always. */
const slowMs = 20;

/** A classification and how long it takes, in milliseconds. */
export function judge(text: string, where: ScanPlace): Judged {
  const once = judgeOnce(text, where);
  if (once.ms < slowMs) return once;
  const again = [judgeOnce(text, where), judgeOnce(text, where)];
  return { verdict: once.verdict, ms: Math.min(once.ms, ...again.map(({ ms }) => ms)) };
}

function judgeOnce(text: string, where: ScanPlace): Judged {
  const begin = performance.now();
  const verdict = evaluate(text, where);
  return { verdict, ms: performance.now() - begin };
}

/** What is wrong with a verdict whatever the text is; empty where nothing is. */
export function wrongWith(text: string, where: ScanPlace, { verdict }: Judged): string {
  // What is to be filled in is said first, whatever the risk.
  const first = verdict.findings.find(({ ruleId }) => ruleId !== "text.placeholder") ?? verdict.findings[0];
  if (!first || first.text === "") return "it has no reason";
  if (first.risk !== verdict.risk && verdict.risk !== "low") return "its first reason is not its risk's";
  if (first.ruleId === "evaluate.failed") return `the classifier threw: ${first.text}`;
  // Work that grows with the text without end would show here: each finding is a piece of it.
  if (verdict.findings.length > 45) return `it has ${verdict.findings.length} findings`;
  if (where.shell === "bash" && verdict.risk === "low" && parseShell(text).errors?.length)
    return "a parse error is low";
  return "";
}

/** `p50 0.05 ms, p99 1.2 ms, max 9 ms`, and the slowest text. */
export function summary(times: readonly number[]): string {
  const sorted = Float64Array.from(times).sort();
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(3);
  return `${sorted.length} texts: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`;
}
