/** A PA-3 marker found in a line. */
export interface Marker {
  readonly kind: "start" | "end";
  /** Where it starts in the line, decoration such as `**` included. */
  readonly from: number;
  /** Where the text after it starts. */
  readonly to: number;
  readonly wrongCase: boolean;
}

/** The markers as models are told to write them. */
export const startMarker = "---ACTIONS_JSON_START---";
export const endMarker = "---ACTIONS_JSON_END---";

/** Some models write `\_` for `_`, as Markdown has it. */
const core = /ACTIONS\\?_JSON\\?_(START|END)/gi;
const decoration = /[\s*_`#~+-]/;
/** Dashes of any kind: some models write "—" for "---". At most this far, so that a line of dashes costs nothing. */
const reach = 12;
const dashesBefore = /(?:-{2,}|[–—]+)[ \t]*$/;
const dashesAfter = /^[ \t]*(?:-{2,}|[–—]+)/;

/** True for a line that Markdown shows as a quote or as indented code: what stands there is cited, not meant. */
export const isCited = (line: string): boolean => /^ {0,3}(?:>|\t| {4})/.test(line);

/** Tells for rising offsets of one line whether they lie inside a JSON string. JSON strings never span lines. */
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

/** The first marker of a line; `json` leaves out those inside a JSON string. */
export function findMarker(line: string, within: "text" | "json"): Marker | undefined {
  const inString = within === "json" ? createStringTracker(line) : () => false;
  for (const match of line.matchAll(core)) {
    const marker = markerAt(line, match);
    if (marker && !inString(match.index)) return marker;
  }
  return undefined;
}

/**
 * Whether a start marker opens a block or is only talked about. It opens one where JSON follows, and where it stands at the
 * start or the end of its line; not within a sentence ("between ---ACTIONS_JSON_START--- and …") nor in quotation marks.
 */
export function opensBlock(line: string, marker: Marker): boolean {
  const before = line.slice(0, marker.from).trim();
  const after = line.slice(marker.to).replace(/^json\s*/i, "");
  if (/^[{[]/.test(after)) return true;
  if (before !== "" && after !== "") return false;
  const quoted = /["'“`]$/.test(before) || line.slice(marker.from, marker.from + 2).includes("`");
  return !quoted || (before === "" && after === "");
}
