import { dropThoughts } from "../wire/thoughts.ts";
import { type CitedLine, markCited } from "./cited.ts";
import { findMarker, opensBlock } from "./markers.ts";
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

  /** Reads text up to its first marker, if any; returns what is left to read. */
  const readText = (rest: string): string | undefined => {
    const marker = findMarker(rest, "text");
    if (!marker || (marker.kind === "start" && !opensBlock(rest, marker))) {
      prose.push({ text: rest, cited: false });
      return undefined;
    }
    if (marker.from > 0) prose.push({ text: rest.slice(0, marker.from), cited: false });
    wrongCase ||= marker.wrongCase;
    strayEnd ||= marker.kind === "end";
    if (marker.kind === "start") body = [];
    return rest.slice(marker.to) || undefined;
  };

  /** Reads the block up to its end, or to the next start where it has none; returns what is left to read. */
  const readBlock = (rest: string, open: string[]): string | undefined => {
    const marker = findMarker(rest, "json");
    if (!marker) {
      open.push(rest);
      return undefined;
    }
    const ends = marker.kind === "end";
    open.push(rest.slice(0, marker.from));
    wrongCase ||= marker.wrongCase;
    closeBlock(ends);
    return rest.slice(ends ? marker.to : marker.from) || undefined;
  };

  for (let i = 0; i < lines.length; ) {
    const { text: line, cited } = lines[i] ?? { text: "", cited: false };
    const header = cited ? undefined : readSuggestionsHeader(line);
    if (header) {
      closeBlock(false);
      wrongCase ||= header.wrongCase;
      if (header.rest) texts[i] = header.rest;
      const { items, before, next } = readSuggestions(texts, header.rest ? i : i + 1);
      prose.push(...before.map((text) => ({ text, cited: false })));
      if (items.length > 0) {
        // The last list counts; an earlier one is read as it stands.
        prose.push(...suggestions.map((item) => ({ text: `- ${item}`, cited: false })));
        suggestions = items;
      }
      // What stands behind the header and is no suggestion, such as a block that begins there, is read as any text.
      if (!header.rest || next > i) {
        i = Math.max(next, i + 1);
        continue;
      }
    }
    if (cited && !body) prose.push({ text: line, cited });
    let rest: string | undefined = cited && !body ? undefined : (header?.rest ?? line);
    while (rest !== undefined) rest = body ? readBlock(rest, body) : readText(rest);
    i += 1;
  }
  closeBlock(false);
  return { prose, blocks, suggestions, wrongCase, strayEnd };
}
