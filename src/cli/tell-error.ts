import { fileProblem, messageOf, OperatorError, type Problem } from "../base/errors.ts";

/** Says on the terminal why a command could not be done, a line for each problem, and returns the exit code. */
export function tellError(error: unknown): 1 | 2 {
  const problem = fileProblem(error);
  if (error instanceof OperatorError) for (const one of error.problems) tell(one);
  else if (problem?.place) tell(problem);
  else console.error(`countersign: ${messageOf(error)}`);
  return error instanceof OperatorError ? 2 : 1;
}

const tell = ({ place, message, remedy }: Problem): void =>
  console.error(`✗ ${place}: ${message}${remedy ? ` — ${remedy}` : ""}`);

/** Throws the error, but not that nobody reads any more: whoever has had enough, as `head` has, ends no bot and nothing that is half done. */
export function throwUnlessUnread(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "EPIPE")) throw error;
}
