import type { Confidence } from "../../base/agent.ts";

/** `LIKELY:`, `**CONFIRMED** by 4 and 6 —` at the beginning of a text, with what it is confirmed by. */
const opening =
  /^[*_]{0,2}(CONFIRMED|LIKELY|INCONCLUSIVE)[*_]{0,2}(?: (by [*_]{0,2}\d[\d*_, ]{0,40}(?:and [\d*_]{1,8})?))?(?:\s?[:.—–][*_]{0,2}(?:\s+|$)|[ \t]*\n\s*|$)/;

/**
 * How sure the agent is, said once: taken from the front of its words to stand above them. Where it is part of a sentence the sentence
 * keeps it, and nothing stands above.
 */
export function saidOnce(given: { readonly confidence: Confidence | null; readonly prose: string }): {
  readonly sure: string;
  readonly prose: string;
} {
  const { confidence, prose } = given;
  const [whole = "", word, by = ""] = opening.exec(prose) ?? [];
  if (confidence === null) return { sure: "", prose };
  if (word !== confidence)
    return { sure: new RegExp(`^[\\W_]{0,4}${confidence}\\b`).test(prose) ? "" : confidence, prose };
  const rest = prose.slice(whole.length);
  const sure = [word, by.replace(/[*_]/g, "").trim()].filter((part) => part !== "").join(" ");
  return { sure, prose: `${rest.charAt(0).toUpperCase()}${rest.slice(1)}` };
}
