import type { Find, Span } from "./span.ts";

/** A program's arguments as a list: auditd's `a0="…" a1="…"`, and the arrays of JSON, YAML and Dockerfiles. */
const lists: readonly { readonly start: RegExp; readonly next: RegExp }[] = [
  { start: /(?<!\w)a0="/g, next: / a\d{1,3}="/y },
  { start: /\[\s{0,40}"/g, next: /,\s{0,80}"/y },
];

const inside = /(?:[^"\\\n]|\\[^\n]){0,2000}/y;

/** More arguments than a command line has. */
const mostArguments = 200;

/** What `find` sees in command lines, also where a program's arguments are told as a list. Linear. */
export const createFindInArguments =
  (find: Find): Find =>
  (text, watch) =>
    lists.flatMap(({ start, next }) => {
      const spans: Span[] = [];
      let doneTo = 0;
      for (const { index, 0: head } of text.matchAll(start)) {
        if (index < doneTo) continue;
        watch?.();
        const told = readArguments(text, index + head.length, next);
        doneTo = told.at(-1)?.end ?? doneTo;
        if (told.length > 1 && isProgram(text, told[0]))
          spans.push(...secretsOf(text, told, (line) => find(line, watch)));
      }
      return spans;
    });

/** Lists of sentences are no command lines. */
const isProgram = (text: string, first: Span | undefined): boolean =>
  first !== undefined && /^[\w.@/:\\-]+$/.test(text.slice(first.start, first.end));

function readArguments(text: string, start: number, next: RegExp): Span[] {
  const told: Span[] = [];
  for (let at = start; told.length < mostArguments; ) {
    inside.lastIndex = at;
    const end = at + (inside.exec(text)?.[0].length ?? 0);
    if (text[end] !== '"') break;
    told.push({ start: at, end });
    next.lastIndex = end + 1;
    const gap = next.exec(text);
    if (!gap) break;
    at = end + 1 + gap[0].length;
  }
  return told;
}

/** Looks at the arguments as one line, each a word of it, and says where in the text what it finds there stands. */
function secretsOf(text: string, told: readonly Span[], find: Find): Span[] {
  let line = "";
  const words = told.map(({ start, end }) => {
    const word = text.slice(start, end);
    const quote = /\s/.test(word) ? "'" : "";
    const at = line.length + quote.length;
    line += `${quote}${word}${quote} `;
    return { start, end, shift: start - at };
  });
  const found = find(line);
  return words.flatMap(({ start, end, shift }) =>
    found
      .map((span) => ({ start: Math.max(start, span.start + shift), end: Math.min(end, span.end + shift) }))
      .filter((span) => span.start < span.end),
  );
}
