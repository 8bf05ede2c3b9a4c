/**
 * The last look at a text that could not be followed to its end (too complex, too deep, unreadable): its pieces, each as if
 * it stood alone. It finds the block that stands plainly among ten thousand decoys; it never makes anything milder.
 */
import { findRule, judging, type Table } from "../table.ts";
import { isWrapper } from "./unwrap.ts";

/** Where a piece ends, outside quotes. */
const separators = new Set([";", "&", "|", "\n", "(", ")", "`"]);

/** The simple commands of a text, roughly: split at every operator and bracket outside quotes. One pass, no nesting. */
function looseCommands(text: string): readonly string[] {
  const pieces = new Set<string>();
  let start = 0;
  const cut = (end: number, next: number): void => {
    const piece = text
      .slice(start, end)
      .trim()
      .replace(/^(?:(?:if|then|elif|else|do|while|until|!|time|coproc|\{)\s+)+/, "")
      .replace(/(?:\s\}|\$|[<>])+$/, "");
    if (piece !== "") pieces.add(piece);
    start = next;
  };
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? "";
    if (char === "\\") i++;
    else if (char === "'") i = closing(text, i, "'");
    else if (char === '"') {
      const end = closing(text, i, '"');
      // What is substituted inside quotes runs as well.
      if (!/\$\(|`/.test(text.slice(i, end))) i = end;
    } else if (char === "#" && /^$|\s/.test(text[i - 1] ?? "")) {
      const end = text.indexOf("\n", i);
      cut(i, end < 0 ? text.length : end);
      if (end < 0) break;
      i = end;
    } else if (separators.has(char)) cut(i, i + 1);
  }
  cut(text.length, text.length);
  return [...pieces];
}

/** The closing quote's place; the opening one's own where it is never closed. */
function closing(text: string, from: number, quote: string): number {
  for (let i = from + 1; i < text.length; i++) {
    if (text[i] === quote) return i;
    if (text[i] === "\\" && quote === '"') i++;
  }
  return from;
}

const firstWord = (piece: string): string => /^\S*/.exec(piece)?.[0] ?? "";

/** Wrappers and shells one after the other, with their options: `sudo eval nice -n 5 rm` → `rm`. */
function withoutLaunchers(piece: string, table: Table): string {
  const words = piece.split(/\s+/);
  const first = words.findIndex(
    (word) =>
      !(
        /^[-\d]|=/.test(word) ||
        isWrapper(word, table) ||
        table.get(word)?.some((rule) => rule.id === "shell.run" || rule.id === "shell.xargs")
      ),
  );
  return first < 0 ? "" : words.slice(first).join(" ");
}

/**
 * The pieces of all texts, those first that a flood of decoys cannot be made of: programs the rules know, the rarest of them
 * first.
 */
export function looseReadings(texts: Iterable<string>, table: Table): readonly string[] {
  const pieces = [...new Set([...texts].flatMap(looseCommands))];
  const all = [...new Set(pieces.flatMap((piece) => [piece, withoutLaunchers(piece, table)]))].filter(Boolean);
  const counts = new Map<string, number>();
  for (const piece of all) counts.set(firstWord(piece), (counts.get(firstWord(piece)) ?? 0) + 1);
  const rank = (piece: string): number => {
    const name = firstWord(piece);
    return (counts.get(name) ?? 0) + (judging(findRule(name, { table })) && !isWrapper(name, table) ? 0 : all.length);
  };
  return all
    .map((piece) => ({ piece, rank: rank(piece) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ piece }) => piece);
}
