import type { RecordedRun } from "./claims.ts";

interface Place {
  readonly from: number;
  readonly to: number;
}
/** A quotation of the output that proves a sentence, behind it and in any language: `(run 3: "No space left")`. */
export interface Citation extends Place {
  readonly quotes: readonly string[];
  /** Why it is none: its run has not run, or does not say this. */
  readonly fault: string | undefined;
}
interface WrittenCitation extends Place {
  readonly parts: readonly { readonly number: number; readonly quote: string }[];
  /** No other word than `run` stands before its numbers. */
  readonly isMeant: boolean;
}

const opening = '["“”„«`「『]';
const label = String.raw`(?<label>\p{L}{0,12}\s?#?)(?<number>\d{1,5})\s?[:：]\s?`;
const citationStart = new RegExp(String.raw`[(\[（]\s*${label}(?=${opening})`, "gu");
const citationNext = String.raw`(?=\s*(?:[)\]）]|[,;、；]\s*(?:${opening}|\p{L}{0,12}\s?#?\d{1,5}\s?[:：])))`;
const citationPart = new RegExp(
  String.raw`\s*(?:[,;、；]\s*)?(?:${label})?(?:(?<ticks>\x60{1,3})(?<code>[^\n]{1,300}?)\k<ticks>|${opening}(?<text>[^\n]{1,300}?)["”“»\x60」』])${citationNext}`,
  "uy",
);
const citationEnd = /\s*[)\]）]/uy;
/** More than people read. */
const [mostCitations, mostParts] = [60, 8];

/** Finds what is written like citations. Linear in the text. */
function readCitations(prose: string): readonly WrittenCitation[] {
  const found: WrittenCitation[] = [];
  for (const { index } of prose.matchAll(citationStart)) {
    if (found.length === mostCitations) break;
    if (index < (found.at(-1)?.to ?? 0)) continue;
    const parts: { readonly number: number; readonly quote: string }[] = [];
    let [at, isMeant] = [index + 1, false];
    while (parts.length < mostParts) {
      citationPart.lastIndex = at;
      const groups = citationPart.exec(prose)?.groups;
      const number = groups?.number === undefined ? parts.at(-1)?.number : Number(groups.number);
      if (!groups || number === undefined) break;
      isMeant ||= groups.label !== undefined && /^(?:run\s?#?)?$/i.test(groups.label);
      parts.push({ number, quote: (groups.code ?? groups.text ?? "").trim() });
      at = citationPart.lastIndex;
    }
    citationEnd.lastIndex = at;
    if (parts.length > 0 && citationEnd.test(prose))
      found.push({ from: index, to: citationEnd.lastIndex, parts, isMeant });
  }
  return found;
}

/**
 * Finds the citations that stand in the record, and the false ones (AR-15, PA-4). A bracket that may be something else, such as
 * `(line 12: "…")`, is one only if it stands.
 */
export const findCitations = (prose: string, runs: readonly RecordedRun[], isGiven: Holds): readonly Citation[] =>
  readCitations(prose).flatMap(({ from, to, parts, isMeant }) => {
    const fault = parts.map((one) => faultOf(one, runs, isGiven)).find((why) => why !== undefined);
    return fault === undefined || isMeant ? [{ from, to, quotes: parts.map(({ quote }) => quote), fault }] : [];
  });

function faultOf(
  { number, quote }: WrittenCitation["parts"][number],
  runs: readonly RecordedRun[],
  isGiven: Holds,
): string | undefined {
  const own = runs.filter((run) => run.number === number);
  if (own.length === 0) return `${number} has not run`;
  const isHeld = (texts: readonly RecordedRun[]): boolean =>
    holdsVerbatim(
      texts.map(({ output }) => output),
      quote,
    );
  if (isHeld(own) || own.some((run) => isEnding(quote, run))) return undefined;
  // Of an output that was cut, a page that was read since may have it.
  const isCut = own.some(({ output }) => output.includes("⋯"));
  const isElsewhere = isHeld(runs.filter((run) => run.number !== number));
  return isCut && !isElsewhere && isGiven(quote) ? undefined : `${number} does not say what it is cited for`;
}

const isEnding = (quote: string, { command, ending }: RecordedRun): boolean =>
  quote === command ||
  (ending?.kind === "exited" && new RegExp(`^exit(?:ed)?(?: code)? ${ending.code}$`, "i").test(quote));

/** Hides each behind signs that are no letter, no quotation and no end of a sentence. Keeps places. */
export const hideCitations = (prose: string, citations: readonly Citation[]): string =>
  replaced(prose, citations, ({ from, to }) => "\uE001".repeat(to - from));

/** The agent's words alone. */
export const withoutCitations = (prose: string): string =>
  replaced(
    prose,
    readCitations(prose)
      .filter(({ isMeant }) => isMeant)
      .map(({ from, to }) => ({ from: prose.slice(0, from).replace(/[ \t]+$/, "").length, to })),
    () => "",
  );

function replaced(prose: string, places: readonly Place[], by: (place: Place) => string): string {
  const ends = [0, ...places.map(({ to }) => to)];
  return [...places.map((place, at) => prose.slice(ends[at], place.from) + by(place)), prose.slice(ends.at(-1))].join(
    "",
  );
}

const letters = /[\p{L}\p{N}%°]+/gu;

export type Holds = (quote: string) => boolean;

/** Whether a quotation stands in one of the texts: in any case and blanks, and cut with `…`. */
export function createHolds(texts: readonly string[]): Holds {
  const all = texts.join("\n\n").toLowerCase();
  const known = new Map<string, boolean>();
  return (quote) => {
    const before = known.get(quote);
    if (before !== undefined) return before;
    const result = partsStand(quote, all, /…|\.{3,}|⋯|\[\.{3}\]|\*+|<[^<>\s]{1,40}>/);
    known.set(quote, result);
    return result;
  };
}

/** Whether these very words stand in one of the texts, in any blanks, cut with `…` at most; not what has no word at all. */
const holdsVerbatim = (texts: readonly string[], quote: string): boolean =>
  /[\p{L}\p{N}]/u.test(quote) && partsStand(quote, texts.join("\n\n").toLowerCase(), /…|\.{3,}|⋯/);

const partsStand = (quote: string, all: string, cuts: RegExp): boolean =>
  quote
    .toLowerCase()
    .split(cuts)
    .every((part, index, every) => stands(part, all, { opens: index > 0, closes: index < every.length - 1 }));

/** `opens` and `closes`: cut there, perhaps within a word. */
function stands(
  part: string,
  all: string,
  { opens, closes }: { readonly opens: boolean; readonly closes: boolean },
): boolean {
  const words = [...part.matchAll(letters)].slice(0, 60);
  const [first] = words;
  if (!first) return true;
  const pattern = words
    .map((word, at) => {
      const next = words[at + 1];
      const sign = next ? part.slice(word.index + word[0].length, next.index) : "";
      // `9.8` is not `9 8`.
      const isNumber = /\d$/.test(word[0]) && next !== undefined && /^\d/.test(next[0]) && sign.trim() !== "";
      return (
        RegExp.escape(word[0]) +
        (next
          ? isNumber
            ? [...sign.replace(/\s+/g, " ")].map((c) => (c === " " ? "\\s*" : RegExp.escape(c))).join("\\s*")
            : "[^\\p{L}\\p{N}]{0,40}"
          : "")
      );
    })
    .join("");
  const rarest = words.map(([word]) => word).reduce((one, other) => (other.length > one.length ? other : one));
  if (!all.includes(rarest)) return false;
  const start = opens ? "" : /^\d/.test(first[0]) ? "(?<![\\p{L}\\p{N}]|\\d[.,])" : "(?<![\\p{L}\\p{N}])";
  // `03:41:12` of `03:41:12.22` is a clock.
  const end = closes ? "" : /\d:\d\d\W*$/.test(part) ? "(?![\\p{L}\\p{N}])" : "(?![\\p{L}\\p{N}]|[.,]\\d)";
  return new RegExp(start + pattern + end, "u").test(all);
}
