/**
 * The only classes of the code base. A *refusal* (a person can fix it) is a value of a union, not an error;
 * these are for what stops a process or a job.
 */

/** One thing wrong in a file or setting: where, what, and what to do about it. */
export interface Problem {
  /** File and place, e.g. `countersign.yml:12:5`, or the name of a setting. */
  readonly place: string;
  readonly message: string;
  readonly remedy?: string | undefined;
}

/** The operator's input cannot be used; carries every problem at once. Exit code 2 at the command line. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
  readonly problems: readonly Problem[];

  constructor(given: Problem | readonly Problem[]) {
    const problems = [given].flat();
    super(problems.map((p) => `${p.place}: ${p.message}${p.remedy ? ` — ${p.remedy}` : ""}`).join("\n"));
    this.problems = problems;
  }
}

/** A job cannot be done yet, through no fault of its own: it is tried again, and that counts as no failure. */
export class RetryLater extends Error {
  override readonly name = "RetryLater";
}

/** What to print of a thrown value: its message, never its stack (stacks go to the log). */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
