/** Turns what ran on one incident into what a runbook would hold for the next. Pure. */

import type { NamedValue } from "../../base/action.ts";
import type { Shell } from "../../base/server.ts";
import { shows } from "../findings.ts";
import { isKnownName, nameOf } from "../places.ts";
import { createPrepare } from "../prepare.ts";
import { replaceVolatile } from "./volatile.ts";

/** A shorter value may stand in a command by chance. */
const leastCharacters = 3;

/**
 * Writes a place, `<namespace>`, for each known value in a command. A place is written only if the same values fill it so that the very
 * command comes out again; whatever does not stays as it ran.
 */
export function placesFor(command: string, values: readonly NamedValue[], shells: readonly Shell[]): string {
  const usable = values
    .filter(({ name, value }) => value.trim().length >= leastCharacters && isKnownName(nameOf(name)))
    .toSorted((a, b) => b.value.length - a.value.length);
  return usable.reduce((written, { name, value }) => {
    const open = written.replaceAll(wordOf(value), `<${nameOf(name).replaceAll("_", "-")}>`);
    const [filled] = createPrepare("", values, shells)(open);
    return filled?.command === command && filled.open.length === 0 ? open : written;
  }, command);
}

/** The text as a word of its own, or a part between punctuation. */
const wordOf = (text: string): RegExp => new RegExp(`(?<![\\w.-])${RegExp.escape(text)}(?![\\w-]|\\.\\w)`, "g");

const maxPattern = 80;
/** A time at the beginning of a line says nothing of the fault. */
const stamp = /^(?:\[?\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?\]?|[A-Z][a-z]{2} +\d{1,2} [\d:]{8})\s+/;

/** What `# expect:` says for the line of an output that told the fault: its words, with `*` for each number. Undefined where that is nothing. */
export function expectFor(line: string): string | undefined {
  const words = replaceVolatile(line.replace(stamp, ""), () => "*").trim();
  // Cut at the end of a word, which a pattern does not cut in two.
  const short = words.length <= maxPattern ? words : words.slice(0, maxPattern).replace(/\s*\S*$/, "");
  const pattern = short.replace(/\d+(?:[.,:]\d+)*/g, "*").replace(/\*(?:\s*\*)+/g, "*");
  return /\p{L}{3}/u.test(pattern) && !/[`\n]/.test(pattern) && shows(line, pattern) ? pattern : undefined;
}
