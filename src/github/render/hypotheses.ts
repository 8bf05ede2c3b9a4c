import { type Hypothesis, hypothesisStatuses } from "../../base/agent.ts";
import type { Markdown } from "./ink.ts";

/** Sorts by what tells most: confirmed, likely, open, refuted; of each the newest first. */
export const inTellingOrder = <One extends Hypothesis>(oldestFirst: readonly One[]): readonly One[] =>
  oldestFirst.toReversed().sort((a, b) => hypothesisStatuses.indexOf(a.status) - hypothesisStatuses.indexOf(b.status));

/** `- refuted · not the deploy: 5xx began 12 min before it (run 5)` */
export function renderHypothesis(
  { says, status, forRuns, againstRuns }: Omit<Hypothesis, "id">,
  markdown: Pick<Markdown, "plain">,
  word: string = status,
): string {
  const named = (runs: readonly number[]): string => `${runs.length > 1 ? "runs" : "run"} ${runs.join(", ")}`;
  const [own, other] = status === "refuted" ? [againstRuns, forRuns] : [forRuns, againstRuns];
  const sides = [
    ...(own.length > 0 ? [named(own)] : []),
    ...(other.length > 0 ? [`${status === "refuted" ? "for" : "against"} it: ${named(other)}`] : []),
  ];
  return `- **${word}** · ${markdown.plain(says)}${sides.length > 0 ? ` (${sides.join("; ")})` : ""}`;
}
