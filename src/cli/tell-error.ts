import { messageOf, OperatorError } from "../base/errors.ts";

/** Says on the terminal why a command could not be done, a line for each problem, and returns the exit code. */
export function tellError(error: unknown): 1 | 2 {
  if (!(error instanceof OperatorError)) {
    console.error(`countersign: ${messageOf(error)}`);
    return 1;
  }
  for (const { place, message, remedy } of error.problems)
    console.error(`✗ ${place}: ${message}${remedy ? ` — ${remedy}` : ""}`);
  return 2;
}
