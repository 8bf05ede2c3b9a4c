import type { Confidence } from "../../base/agent.ts";

/** `LIKELY:`, `**CONFIRMED** by 4 and 6 —` at the beginning of a text, with the marks round it and what it is confirmed by. */
const opening =
  /^(?:#{1,6}\s+)?([*_`]{0,3})(CONFIRMED|LIKELY|INCONCLUSIVE)[*_`]{0,3}(?: (by [*_]{0,2}\d[\d*_, ]{0,40}(?:and [\d*_]{1,8})?))?(?:\s?[:.—–][*_`]{0,3}(?:\s+|$)|[ \t]*\n\s*|$)/;

/**
 * How sure the agent is, said once: taken from the front of its words to stand above them. Where it is part of a sentence the sentence
 * keeps it, and nothing stands above.
 */
export function saidOnce(given: { readonly confidence: Confidence | null; readonly prose: string }): {
  readonly sure: string;
  readonly prose: string;
} {
  const { confidence, prose } = given;
  const [whole = "", marks = "", word, by = ""] = opening.exec(prose) ?? [];
  if (confidence === null) return { sure: "", prose };
  const begins = (text: string): boolean => new RegExp(`^[\\W_]{0,9}${confidence}(?![A-Za-z0-9])`).test(text);
  if (word !== confidence) return { sure: begins(prose) ? "" : confidence, prose };
  const rest = prose.slice(whole.length);
  // Some say it twice.
  if (begins(rest)) return saidOnce({ confidence, prose: rest });
  const sure = [word, by.replace(/[*_]/g, "").trim()].filter((part) => part !== "").join(" ");
  const isClosed = whole.slice(whole.indexOf(word)).includes(marks);
  return { sure, prose: `${isClosed ? "" : marks}${rest.charAt(0).toUpperCase()}${rest.slice(1)}` };
}
