import type { Ending, Expectation, Outcome } from "../base/run.ts";

export interface EndedRun {
  readonly ending: Ending;
  readonly durationMs: number | null;
  /** Undefined if a part of the output is missing. */
  readonly has: (pattern: string) => boolean | undefined;
}

/** Compares a run with its expectation; one that cannot be checked is not met. */
export function outcomeOf(expect: Expectation, { ending, durationMs, has }: EndedRun): Outcome {
  const surprise = (why: string): Outcome => ({ kind: "surprise", why });
  const { exit, contains, lacks, withinMs } = expect;
  if (ending.kind !== "exited") return surprise(`it did not exit by itself (${ending.kind})`);
  if (ending.of !== undefined) return surprise(`${ending.of} itself failed, with ${ending.code}`);
  if (ending.code !== exit) return surprise(`it exited with ${ending.code}, not ${exit}`);
  if (contains !== undefined && has(contains) !== true)
    return surprise(
      has(contains) === false
        ? `its output lacks "${contains}"`
        : `not all of its output is there to look for "${contains}"`,
    );
  if (lacks !== undefined && has(lacks) !== false)
    return surprise(
      has(lacks) === true ? `its output has "${lacks}"` : `not all of its output is there to look for "${lacks}"`,
    );
  if (withinMs !== undefined && !(durationMs !== null && durationMs <= withinMs))
    return surprise(`it took ${seconds(durationMs)}, not at most ${seconds(withinMs)}`);
  return { kind: "as-expected" };
}

const seconds = (ms: number | null): string => (ms === null ? "a time nobody knows" : `${ms / 1_000} s`);
