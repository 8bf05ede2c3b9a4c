/** A PA-3 marker in a line. */
export interface Marker {
  readonly kind: "start" | "end";
  /** Decoration such as `**` included. */
  readonly from: number;
  readonly to: number;
  readonly wrongCase: boolean;
}

export const startMarker = "---ACTIONS_JSON_START---";
export const endMarker = "---ACTIONS_JSON_END---";

/** Some models write `\_`, as Markdown has it. */
const core = /ACTIONS\\?_JSON\\?_(START|END)/gi;
const decoration = /[\s*_`#~+-]/;
/** Some models write "—" for "---". Limited, so that a line of dashes costs nothing. */
const reach = 12;
const dashesBefore = /(?:-{2,}|[–—]+)[ \t]*$/;
const dashesAfter = /^[ \t]*(?:-{2,}|[–—]+)/;

/** Returns whether Markdown shows a quote or indented code; `>>>name` is a call of Functionary's. */
export const isCited = (line: string): boolean => /^ {0,3}(?:>(?!>>\w)|\t| {4})/.test(line);

/** For rising offsets. JSON strings never span lines. */
function createStringTracker(line: string): (offset: number) => boolean {
  let at = 0;
  let inside = false;
  return (offset) => {
    for (; at < offset; at += 1) {
      const c = line[at];
      if (c === "\\" && inside) at += 1;
      else if (c === '"') inside = !inside;
    }
    return inside;
  };
}

function markerAt(line: string, match: RegExpExecArray): Marker | undefined {
  const before = dashesBefore.exec(line.slice(Math.max(0, match.index - reach), match.index));
  const end = match.index + match[0].length;
  const after = dashesAfter.exec(line.slice(end, end + reach));
  if (!before || !after) return undefined;
  let from = match.index - before[0].length;
  let to = end + after[0].length;
  while (from > 0 && decoration.test(line.charAt(from - 1))) from -= 1;
  while (to < line.length && decoration.test(line.charAt(to))) to += 1;
  const kind = match[1]?.toUpperCase() === "START" ? "start" : "end";
  return { kind, from, to, wrongCase: match[0] !== match[0].toUpperCase() };
}

/** Finds a line's first marker; `json` skips those inside JSON strings. */
export function findMarker(line: string, within: "text" | "json"): Marker | undefined {
  const inString = within === "json" ? createStringTracker(line) : () => false;
  for (const match of line.matchAll(core)) {
    const marker = markerAt(line, match);
    if (marker && !inString(match.index)) return marker;
  }
  return undefined;
}

/**
 * Returns whether a start marker opens a block: JSON follows, or it is at its line's start or end, outside sentences and quotation marks.
 */
export function opensBlock(line: string, marker: Marker): boolean {
  const before = line.slice(0, marker.from).trim();
  const after = line.slice(marker.to).replace(/^json\s*/i, "");
  if (/^[{[]/.test(after)) return true;
  if (before !== "" && after !== "") return false;
  const quoted = /["'“`]$/.test(before) || line.slice(marker.from, marker.from + 2).includes("`");
  return !quoted || (before === "" && after === "");
}
