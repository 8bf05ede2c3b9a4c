import { outputPlace } from "../../base/action.ts";
import type { ActionView, RunView } from "./state.ts";

/** An action with each output cut to so many characters, head and tail, and a line that says how to read it whole. */
export function shortened(action: ActionView, limit: number): ActionView {
  return { ...action, runs: action.runs.map((run) => shortenedRun(action, run, limit)) };
}

function shortenedRun({ number, spec }: ActionView, run: RunView, limit: number): RunView {
  if (!run.excerpt || run.excerpt.length <= limit) return run;
  const half = Math.floor(limit / 2);
  const how = `/output ${number} ${outputPlace(spec.targets, { ...run, server: "<server>" })}`.trimEnd();
  const mark = `  ⋯ shortened, since this comment is full · ${how} ⋯`;
  const excerpt = [run.excerpt.slice(0, half), mark, limit === 0 ? "" : run.excerpt.slice(-half)].join("\n").trim();
  return { ...run, excerpt };
}
