import type { Problem } from "../../base/errors.ts";

/** One thing that `check` looked at: a row of its table, and what is wrong with it. */
export interface CheckLook {
  readonly name: string;
  /** What was seen, in a few words. */
  readonly said: string;
  readonly problems?: readonly Problem[];
  readonly warnings?: readonly Problem[];
  /** It was not looked at; `said` has why. */
  readonly skipped?: boolean;
}

/** `error`: something does not work; `warning`: it works, and is likely not meant so. */
export type CheckFinding = Problem & { readonly severity: "error" | "warning" };

/** A row of what is not looked at, since it rests on a part of the config that cannot be used. */
export const waitsFor = (name: string, lacking: readonly string[]): CheckLook => {
  const parts = lacking.map((part) => `\`${part}\``).join(", ");
  return { name, said: `not looked at before the config's ${parts} can be used`, skipped: true };
};

/** A look's row of the table. */
export function rowOf({ name, said, problems = [], warnings = [], skipped }: CheckLook): string {
  const sign = problems.length > 0 ? "✗" : warnings.length > 0 ? "!" : skipped ? "–" : "✓";
  return `${name.padEnd(12)} ${sign} ${said}`;
}

/** A look's findings, errors first. */
export const checkFindings = ({ problems = [], warnings = [] }: CheckLook): readonly CheckFinding[] => [
  ...problems.map((problem) => ({ ...problem, severity: "error" as const })),
  ...warnings.map((problem) => ({ ...problem, severity: "warning" as const })),
];
