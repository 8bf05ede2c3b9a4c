import type { RecordedRun } from "./claims.ts";
import { type Holds, holdsVerbatim } from "./holds.ts";

interface Part {
  readonly number: number;
  /** No other word than `run` stands before the number, so it is meant as a citation, whatever comes of it. */
  readonly isMeant: boolean;
  readonly quote: string;
}

/** Behind a sentence the words of an output that bear it, in whatever language the sentence is: `(run 3: "No space left")`. */
export interface Citation {
  readonly from: number;
  readonly to: number;
  readonly quotes: readonly string[];
  /** Why it is none: its run has not run, or does not say this. */
  readonly fault: string | undefined;
}

const opening = '["“”„«`「『]';
const label = String.raw`(?<label>\p{L}{0,12}\s?#?)(?<number>\d{1,5})\s?[:：]\s?`;
const start = new RegExp(String.raw`[(\[（]\s*${label}(?=${opening})`, "gu");
const next = String.raw`(?=\s*(?:[)\]）]|[,;、；]\s*(?:${opening}|\p{L}{0,12}\s?#?\d{1,5}\s?[:：])))`;
const part = new RegExp(
  String.raw`\s*(?:[,;、；]\s*)?(?:${label})?(?:(?<ticks>\x60{1,3})(?<code>[^\n]{1,300}?)\k<ticks>|${opening}(?<text>[^\n]{1,300}?)["”“»\x60」』])${next}`,
  "uy",
);
const end = /\s*[)\]）]/uy;
/** More than people read. */
const [mostCitations, mostParts] = [60, 8];

/**
 * Finds the citations that stand in the record, and the false ones (AR-15, PA-4). A bracket that may be something else, such as
 * `(line 12: "…")`, is one only if it stands. Linear in the text.
 */
export function findCitations(prose: string, runs: readonly RecordedRun[], isGiven: Holds): readonly Citation[] {
  const found: Citation[] = [];
  for (const { index } of prose.matchAll(start)) {
    if (found.length === mostCitations) break;
    if (index < (found.at(-1)?.to ?? 0)) continue;
    const parts: Part[] = [];
    let at = index + 1;
    while (parts.length < mostParts) {
      part.lastIndex = at;
      const groups = part.exec(prose)?.groups;
      const before = parts.at(-1);
      const number = groups?.number === undefined ? before?.number : Number(groups.number);
      if (!groups || number === undefined) break;
      const isMeant = groups.label === undefined ? before?.isMeant === true : /^(?:run\s?#?)?$/i.test(groups.label);
      parts.push({ number, isMeant, quote: (groups.code ?? groups.text ?? "").trim() });
      at = part.lastIndex;
    }
    end.lastIndex = at;
    if (parts.length === 0 || !end.test(prose)) continue;
    const fault = parts.map((one) => faultOf(one, runs, isGiven)).find((why) => why !== undefined);
    if (fault === undefined || parts.some(({ isMeant }) => isMeant))
      found.push({ from: index, to: end.lastIndex, quotes: parts.map(({ quote }) => quote), fault });
  }
  return found;
}

function faultOf({ number, quote }: Part, runs: readonly RecordedRun[], isGiven: Holds): string | undefined {
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
export function hideCitations(prose: string, citations: readonly Citation[]): string {
  const ends = [0, ...citations.map(({ to }) => to)];
  const kept = [...citations, { from: prose.length, to: prose.length }].map(
    ({ from, to }, at) => prose.slice(ends[at], from) + "\uE001".repeat(to - from),
  );
  return kept.join("");
}
