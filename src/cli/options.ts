/** Parsers of command-line options. Each throws an `OperatorError` for an invalid value. */

import * as z from "zod";
import { OperatorError } from "../base/errors.ts";
import { type ProcessRole, parseRoles, processRoles } from "../base/roles.ts";

export function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw wrong("--port", `\`${text}\` is not a port`, "write a number from 1 to 65535, or 0 for any that is free");
}

/** Reads the web address of the option `place`. */
export const addressIn =
  (place: string) =>
  (text: string): string => {
    const url = URL.parse(text);
    if (url && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash) return text;
    throw wrong(place, `\`${text}\` is not a web address`, `write ${place} https://HOST`);
  };

/** The roles in `--role`, by commas; all of them by default. */
export function rolesOf(text: string | undefined): readonly ProcessRole[] {
  const parsed = text === undefined ? processRoles : parseRoles(text);
  if (!("unknown" in parsed)) return parsed;
  throw wrong("--role", `there is no role \`${parsed.unknown}\``, `roles are ${processRoles.join(", ")}, by commas`);
}

const momentSchema = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/** Reads the day or RFC 3339 time of the option `place`. */
export function momentIn(place: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  // JavaScript takes `14` for a day of 2001, the 31st of February for the 3rd of March, and a time without a zone for its own.
  if (momentSchema.safeParse(text).success) return new Date(text);
  throw wrong(place, `${text} is no time`, `write ${place} 2026-03-01 or ${place} 2026-03-01T14:00:00Z`);
}

/** Reads the number of the option `place`, with or without a `#`. */
export const numberIn =
  (place: string) =>
  (text: string): number => {
    if (/^#?\d{1,9}$/.test(text)) return Number(text.replace("#", ""));
    throw wrong(place, `\`${text}\` is not a number`, "write it in digits, e.g. 42");
  };

const wrong = (place: string, message: string, remedy: string): OperatorError =>
  new OperatorError({ place, message, remedy });
