import { dropThoughts } from "../wire/thoughts.ts";
import { type CitedLine, markCited } from "./cited.ts";
import { findMarker, type Marker, opensBlock } from "./markers.ts";
import { readSuggestions, readSuggestionsHeader } from "./suggestions.ts";

export interface Block {
  readonly body: string;
  readonly complete: boolean;
}

export interface ReplyScan {
  readonly prose: readonly CitedLine[];
  readonly blocks: readonly Block[];
  readonly suggestions: readonly string[];
  readonly wrongCase: boolean;
  readonly strayEnd: boolean;
}

/** Takes a reply apart in one pass (PA-3, PA-4, AR-21). Never throws. */
export function scanReply(text: string): ReplyScan {
  const lines = markCited(dropThoughts(text.split(/\r\n|\r|\n/)));
  const texts = lines.map((line) => line.text);
  const prose: CitedLine[] = [];
  const blocks: Block[] = [];
  let suggestions: readonly string[] = [];
  let wrongCase = false;
  let strayEnd = false;
  let body: string[] | undefined;

  const closeBlock = (complete: boolean) => {
    if (body) blocks.push({ body: body.join("\n"), complete });
    body = undefined;
  };

  /** Returns what follows the next marker; a start ends an open block too. */
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
      // The last list counts; earlier ones become prose.
      const replaced = items.length > 0 ? suggestions.map((item) => `- ${item}`) : [];
      prose.push(...[...before, ...replaced].map((text) => ({ text, cited: false })));
      if (items.length > 0) suggestions = items;
      // Text after the header that is no suggestion, such as a block, is read below.
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

/** A start that opens no block is plain text. */
function markerInText(text: string): Marker | undefined {
  const marker = findMarker(text, "text");
  return marker?.kind === "start" && !opensBlock(text, marker) ? undefined : marker;
}
