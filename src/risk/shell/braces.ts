/** `{a,b}` and `{1..5}`: the texts a word becomes, bounded. */

const maxAlternatives = 100;

/** Splits the inside of a brace at commas that are not nested or quoted. */
function splitAlternatives(inside: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = "";
  let start = 0;
  for (let i = 0; i < inside.length; i++) {
    const char = inside[i];
    if (char === "\\") i++;
    else if (quote) quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === "{" || char === "(") depth++;
    else if (char === "}" || char === ")") depth--;
    else if (char === "," && depth === 0) {
      parts.push(inside.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(inside.slice(start));
  return parts;
}

function expandSequence(inside: string): string[] | undefined {
  const numbers = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.-?\d{1,9})?$/.exec(inside);
  const letters = /^([A-Za-z])\.\.([A-Za-z])$/.exec(inside);
  const [from, to] = numbers
    ? [Number(numbers[1]), Number(numbers[2])]
    : letters
      ? [(letters[1] ?? "").charCodeAt(0), (letters[2] ?? "").charCodeAt(0)]
      : [];
  if (from === undefined || to === undefined) return undefined;
  const step = from <= to ? 1 : -1;
  const out: string[] = [];
  for (let n = from; step > 0 ? n <= to : n >= to; n += step) {
    if (out.length === maxAlternatives) break;
    out.push(numbers ? String(n) : String.fromCharCode(n));
  }
  return out;
}

/** The texts of a word whose brace stands at `[start, end)`; undefined if it is none or has too many. */
export function expandBrace(word: string, start: number, end: number): string[] | undefined {
  const inside = word.slice(start + 1, end - 1);
  const alternatives = expandSequence(inside) ?? splitAlternatives(inside);
  if (alternatives.length < 2 || alternatives.length > maxAlternatives) return undefined;
  return alternatives.map((alternative) => word.slice(0, start) + alternative + word.slice(end));
}
