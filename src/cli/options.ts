/** Each parser throws an `OperatorError` for an invalid value. */

import * as z from "zod";
import { OperatorError } from "../base/errors.ts";
import { type ProcessRole, parseRoles, processRoles } from "../base/roles.ts";

export function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw wrong("--port", `\`${text}\` is not a port`, "write a number from 1 to 65535, or 0 for any that is free");
}

/** `place` names the option. */
export const addressIn =
  (place: string) =>
  (text: string): string => {
    const url = URL.parse(text);
    if (url && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash) return text;
    throw wrong(place, `\`${text}\` is not a web address`, `write ${place} https://HOST`);
  };

/** Separated by commas; by default all. */
export function rolesOf(text: string | undefined): readonly ProcessRole[] {
  const parsed = text === undefined ? processRoles : parseRoles(text);
  if (!("unknown" in parsed)) return parsed;
  throw wrong("--role", `there is no role \`${parsed.unknown}\``, `roles are ${processRoles.join(", ")}, by commas`);
}

const momentSchema = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/** Reads a day or an RFC 3339 time. */
export function momentIn(place: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  // JavaScript reads `14` as a day of 2001, February 31st as March 3rd, and a time without a zone in its own.
  if (momentSchema.safeParse(text).success) return new Date(text);
  throw wrong(place, `${text} is no time`, `write ${place} 2026-03-01 or ${place} 2026-03-01T14:00:00Z`);
}

/** Reads a number, with or without `#`. */
export const numberIn =
  (place: string) =>
  (text: string): number => {
    if (/^#?\d{1,9}$/.test(text)) return Number(text.replace("#", ""));
    throw wrong(place, `\`${text}\` is not a number`, "write it in digits, e.g. 42");
  };

const wrong = (place: string, message: string, remedy: string): OperatorError =>
  new OperatorError({ place, message, remedy });
