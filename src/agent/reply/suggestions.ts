import { findMarker, isCited } from "./markers.ts";
import { findCallOpening } from "./written-calls.ts";

const maxSuggestions = 4;
const maxSuggestionCharacters = 200;

const header = /^ {0,3}[*_#` ]{0,8}\[(suggestions)\][*_:` ]{0,8}(?!\()(.*)$/i;
const closing = /^\s{0,8}\[\/suggestions\]/i;
const bullet = /^\s*(?:[*_]{0,2}(?:\d{1,2}[.):]|[-*+•])[*_]{0,2}\s+(.*)|(?:\d{1,2}[.):]|[-*+•]))$/;
const fence = /^\s*(?:`{3}|~{3})/;
const json = /^\s*(?:\{\s*"|\[\s*\{)/;
/** Cut, it would lose what it holds. */
const longJson = new RegExp(`^(?=[\\s\\S]{${maxSuggestionCharacters}}).*\\{\\s*"`);

/** Reads a suggestions header (AR-21), else returns undefined. */
export function readSuggestionsHeader(
  line: string,
): { readonly wrongCase: boolean; readonly rest: string } | undefined {
  const match = header.exec(line);
  return match ? { wrongCase: match[1] !== "SUGGESTIONS", rest: match[2]?.trim() ?? "" } : undefined;
}

const clean = (item: string): string => {
  const text = item
    .slice(0, 4 * maxSuggestionCharacters)
    .replace(/\s+/g, " ")
    .trim();
  return text.length > maxSuggestionCharacters ? `${text.slice(0, maxSuggestionCharacters)}…` : text;
};

const introduces = /:[*_\s]*$/;

/**
 * Reads a loose or tight list, or lines up to a blank one. `next` is the first line after; `before` are lines above a list that say more
 * than that it comes.
 */
export function readSuggestions(
  lines: readonly string[],
  start: number,
): { readonly items: readonly string[]; readonly before: readonly string[]; readonly next: number } {
  const items: string[] = [];
  let before: readonly string[] = [];
  let listed = false;
  let next = start;
  for (; next < lines.length; next += 1) {
    const line = lines[next] ?? "";
    if (closing.test(line)) return { items, before, next: next + 1 };
    if (line.trim() === "") {
      if (items.length > 0 && !listed) break;
      continue;
    }
    const isOther =
      fence.test(line) ||
      json.test(line) ||
      longJson.test(line) ||
      findCallOpening(line, lines[next + 1]) !== undefined;
    if (isOther || readSuggestionsHeader(line) || findMarker(line, "text")) break;
    const point = bullet.exec(line);
    if (point) {
      if (!listed) before = items.splice(0).filter((line) => !introduces.test(line));
      items.push(clean(point[1] ?? ""));
      listed = true;
    } else if (listed || isCited(line)) {
      const continues = items.length > 0 && /^\s+\S/.test(line) && lines[next - 1]?.trim() !== "";
      if (!continues) break;
      const begun = items.pop() ?? "";
      // A cut item stays as it is.
      items.push(begun.endsWith("…") ? begun : clean(`${begun} ${line}`));
    } else {
      items.push(clean(line));
    }
  }
  return { items: items.filter((item) => item !== ""), before, next };
}

/** Limits suggestions, with a warning about their number. */
export function limitSuggestions(items: readonly string[]) {
  const suggestions = items.slice(0, maxSuggestions);
  if (items.length === 0) return { suggestions, warning: "suggestions-missing" as const };
  if (items.length < 2) return { suggestions, warning: "too-few-suggestions" as const };
  if (items.length > maxSuggestions) return { suggestions, warning: "too-many-suggestions" as const };
  return { suggestions, warning: undefined };
}
