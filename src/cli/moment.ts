import { OperatorError } from "../base/errors.ts";

/** Reads a day or an RFC 3339 time that was given as `place`. Throws an `OperatorError` where it is none. */
export function momentIn(place: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const at = new Date(text);
  if (!Number.isNaN(at.getTime())) return at;
  const remedy = `write ${place} 2026-03-01 or ${place} 2026-03-01T14:00:00Z`;
  throw new OperatorError([{ place, message: `${text} is no time`, remedy }]);
}
