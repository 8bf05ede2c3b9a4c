import { OperatorError } from "../base/errors.ts";

/** The port that `--port` names. Throws an `OperatorError` for what is none. */
export function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  const remedy = "write a number from 1 to 65535, or 0 for any that is free";
  throw new OperatorError([{ place: "--port", message: `\`${text}\` is not a port`, remedy }]);
}
