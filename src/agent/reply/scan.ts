import { dropThoughts } from "../wire/thoughts.ts";
import { type CitedLine, markCited } from "./cited.ts";
import { findMarker, type Marker, opensBlock } from "./markers.ts";
import { readSuggestions, readSuggestionsHeader } from "./suggestions.ts";

/** What stands between a start marker and its end, or between it and the end of the reply. */
export interface Block {
  readonly body: string;
  readonly complete: boolean;
}

/** A reply taken apart; nothing in it is validated yet. */
export interface ReplyScan {
  /** What people read. */
  readonly prose: readonly CitedLine[];
  readonly blocks: readonly Block[];
  readonly suggestions: readonly string[];
  readonly wrongCase: boolean;
  /** An end marker without its start. */
  readonly strayEnd: boolean;
}

/** Takes a reply apart in one pass over its lines (PA-3, PA-4, AR-21). Never throws. */
export function scanReply(text: string): ReplyScan {
  const lines = markCited(dropThoughts(text.split(/\r\n|\r|\n/)));
  const texts = lines.map((line) => line.text);
  const prose: CitedLine[] = [];
  const blocks: Block[] = [];
  let suggestions: readonly string[] = [];
  let wrongCase = false;
  let strayEnd = false;
  /** The lines of the block that is open. */
  let body: string[] | undefined;

  const closeBlock = (complete: boolean) => {
    if (body) blocks.push({ body: body.join("\n"), complete });
    body = undefined;
  };

  /** Reads up to the next marker: of a block its end, or the next start where it has none. Returns what is left to read. */
  const readOn = (rest: string): string | undefined => {
    const marker = body ? findMarker(rest, "json") : markerInText(rest);
    const before = rest.slice(0, marker?.from);
    if (body) body.push(before);
    else if (!marker || before !== "") prose.push({ text: before, cited: false });
    if (!marker) return undefined;
    wrongCase ||= marker.wrongCase;
    if (marker.kind === "start" && body) {
      closeBlock(false);
      return rest.slice(marker.from);
    }
    if (marker.kind === "start") body = [];
    else if (body) closeBlock(true);
    else strayEnd = true;
    return rest.slice(marker.to) || undefined;
  };

  for (let i = 0; i < lines.length; ) {
    const { text: line = "", cited = false } = lines[i] ?? {};
    const header = cited ? undefined : readSuggestionsHeader(line);
    if (header) {
      closeBlock(false);
      wrongCase ||= header.wrongCase;
      if (header.rest) texts[i] = header.rest;
      const { items, before, next } = readSuggestions(texts, header.rest ? i : i + 1);
      // The last list counts; an earlier one is read as it stands.
      const replaced = items.length > 0 ? suggestions.map((item) => `- ${item}`) : [];
      prose.push(...[...before, ...replaced].map((text) => ({ text, cited: false })));
      if (items.length > 0) suggestions = items;
      // What stands behind the header and is no suggestion, such as a block that begins there, is read as any text.
      if (!header.rest || next > i) {
        i = Math.max(next, i + 1);
        continue;
      }
    }
    if (cited && !body) prose.push({ text: line, cited });
    let rest: string | undefined = cited && !body ? undefined : (header?.rest ?? line);
    while (rest !== undefined) rest = readOn(rest);
    i += 1;
  }
  closeBlock(false);
  return { prose, blocks, suggestions, wrongCase, strayEnd };
}

/** A start that opens no block is text like any other. */
function markerInText(text: string): Marker | undefined {
  const marker = findMarker(text, "text");
  return marker?.kind === "start" && !opensBlock(text, marker) ? undefined : marker;
}
