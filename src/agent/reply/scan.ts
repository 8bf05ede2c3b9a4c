import { isRecord, parseJson } from "../../base/json.ts";
import { dropThoughts } from "../wire/thoughts.ts";
import { type CitedLine, createIsQuoted, markCited } from "./cited.ts";
import { findMarker, type Marker, opensBlock } from "./markers.ts";
import { readSuggestions, readSuggestionsHeader } from "./suggestions.ts";
import { type CallOpening, findCallOpening, readCallRegion, toolFence, type WrittenCall } from "./written-calls.ts";

export interface Block {
  readonly body: string;
  readonly complete: boolean;
  /** In a fence that only wraps it: beside one that is in none, a quotation. */
  readonly wrapped: boolean;
}

export interface ReplyScan {
  readonly prose: readonly CitedLine[];
  readonly blocks: readonly Block[];
  readonly suggestions: readonly string[];
  /** Calls written as text, in their order. */
  readonly calls: readonly WrittenCall[];
  /** Why calls written as text could not be read. */
  readonly lost: readonly string[];
  readonly wrongCase: boolean;
  /** An end marker behind what may be proposals. */
  readonly strayEnd: boolean;
  /** It quotes a list of proposals that others wrote. */
  readonly hasQuoted: boolean;
}

/** A reply has few calls, and each reads on for some while. */
const mostRegions = 32;
const mostRegionCharacters = 32_768;

/** Takes a reply apart in one pass, and decides which of its parts may propose (PA-3, PA-4, AR-21). Never throws. */
export function scanReply(text: string, shown: string): ReplyScan {
  const isQuoted = createIsQuoted(shown);
  const lines = markCited(dropThoughts(text.split(/\r\n|\r|\n/)));
  const texts = lines.map((line) => line.text);
  const prose: CitedLine[] = [];
  const fences: number[] = [];
  const blocks: Block[] = [];
  let suggestions: readonly string[] = [];
  let wrongCase = false;
  let strayEnd = false;
  let body: string[] | undefined;
  const calls: WrittenCall[] = [];
  const lost = new Set<string>();
  let regions = 0;
  let wrapped = false;

  /** Returns the place behind a call's text, as line and rest; undefined if no call of ours could be read from it. */
  const readCalls = (at: number, rest: string, { from, sure }: CallOpening) => {
    if (regions++ >= mostRegions) return undefined;
    const text: string[] = [rest.slice(from)];
    for (let to = at + 1, length = 0; to < lines.length && length < mostRegionCharacters; to++) {
      const line = texts[to] ?? "";
      if (readSuggestionsHeader(line) || markerInText(line)) break;
      text.push(line);
      length += line.length;
    }
    const region = readCallRegion(text.join("\n").slice(0, mostRegionCharacters));
    const isOthers = region.calls.length > 0 && isQuoted(text.join("\n").slice(0, region.end));
    if (isOthers) return undefined;
    const isSpoken = /[<[]/.test(rest.charAt(from)) && !/[{(=]|>\s*</.test(text.join("\n").slice(0, 400));
    if (region.lost !== undefined && !isSpoken && (sure || region.unknown)) lost.add(region.lost);
    if (region.calls.length === 0) return undefined;
    calls.push(...region.calls);
    const read = text.join("\n").slice(0, region.end).split("\n");
    const line = at + read.length - 1;
    const column = (read.length === 1 ? from : 0) + (read.at(-1)?.length ?? 0);
    return { line, rest: (line === at ? rest : (texts[line] ?? "")).slice(column) };
  };

  let searches = 0;
  /** An opening by the characters from it to the line's end. */
  const openingFrom = (at: number, rest: string): { readonly left: number; readonly sure: boolean } | undefined => {
    if (regions >= mostRegions) return undefined;
    const found =
      rest.length < mostRegionCharacters || searches++ < mostRegions ? findCallOpening(rest, texts[at + 1]) : undefined;
    return found && { left: rest.length - found.from, sure: found.sure };
  };

  const closeBlock = (complete: boolean) => {
    if (body) blocks.push({ body: body.join("\n"), complete, wrapped });
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
    else strayEnd ||= blocks.length === 0 || holdsProposal(prose);
    return rest.slice(marker.to) || undefined;
  };

  for (let i = 0; i < lines.length; ) {
    const { text: line = "", cited = false, wrapped: isWrapped = false, fence } = lines[i] ?? {};
    if (!body) wrapped = isWrapped;
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
    if (cited && !body && fence) fences.push(prose.length);
    if (cited && !body) prose.push({ text: line, cited, ...(fence && { fence }) });
    let rest: string | undefined = cited && !body ? undefined : (header?.rest ?? line);
    let ahead = body ? undefined : openingFrom(i, rest ?? "");
    while (rest !== undefined) {
      // A line is searched again only behind what was found in it.
      if (ahead && ahead.left > rest.length) ahead = openingFrom(i, rest);
      const from = ahead ? rest.length - ahead.left : 0;
      const isFirst = !body && ahead && from <= (markerInText(rest)?.from ?? rest.length);
      const read = isFirst && ahead ? readCalls(i, rest, { from, sure: ahead.sure }) : undefined;
      if (read) {
        if (from > 0) prose.push({ text: rest.slice(0, from), cited: false });
        i = read.line;
        rest = read.rest || undefined;
        ahead = openingFrom(i, rest ?? "");
        continue;
      }
      if (isFirst) ahead = openingFrom(i, rest.slice(from + 1));
      if (isFirst && ahead) continue;
      const wasOpen: boolean = body !== undefined;
      rest = readOn(rest);
      if (wasOpen && !body) ahead = openingFrom(i, rest ?? "");
    }
    i += 1;
  }
  closeBlock(false);
  if (blocks.length === 0 && lines.some(({ hidesBlock }) => hidesBlock))
    lost.add("its proposals stand in an HTML comment, which shows nothing");
  const own = blocks.filter((one) => !(one.wrapped && one.complete && isQuoted(one.body)));
  const found = { suggestions, wrongCase, strayEnd, hasQuoted: own.length < blocks.length };
  const taken = own.length + calls.length === 0 && !strayEnd ? readFences(prose, fences, isQuoted) : [];
  const listed = taken.find(({ body }) => body !== undefined)?.body;
  return {
    ...found,
    prose: prose.filter((_, at) => !taken.some((one) => one.lost === undefined && one.from <= at && at < one.to)),
    blocks: listed === undefined ? own : [{ body: listed, complete: true, wrapped: true }],
    calls: [...calls, ...taken.flatMap((one) => one.calls)],
    lost: [...lost, ...taken.flatMap((one) => one.lost ?? [])],
  };
}

/** More is a flood. */
const mostFences = 16;

interface ProposingFence {
  readonly from: number;
  readonly to: number;
  readonly isTool: boolean;
  readonly body?: string;
  readonly calls: readonly WrittenCall[];
  readonly lost?: string;
}

/**
 * Reads the fences that propose, in a reply without markers, as weak models write it: those of tools, else the only one with JSON that has
 * `actions` or `hypotheses`, or with a call. One that only quotes what was shown proposes nothing.
 */
function readFences(
  prose: readonly CitedLine[],
  fences: readonly number[],
  isQuoted: (text: string) => boolean,
): readonly ProposingFence[] {
  const found: ProposingFence[] = [];
  let candidates = 0;
  for (const from of fences) {
    const { info = "", lines = 0 } = prose[from]?.fence ?? {};
    const isTool = toolFence.test(info);
    if (candidates >= mostFences || !(isTool || /^(?:json\w*|python|xml)?$/i.test(info))) continue;
    const inner = prose.slice(from + 1, from + lines - 1).map(({ text }) => text);
    const body = inner.join("\n");
    const isList = holdsList(body);
    const isCall = isTool || findCallOpening(inner.find((line) => line.trim() !== "") ?? "");
    if (!isList && !isCall) continue;
    candidates += 1;
    if (isQuoted(body)) continue;
    const at = { from, to: from + lines, isTool, calls: [] };
    const region = readCallRegion(isTool ? `${info}\n${body}` : body);
    if (isList) found.push({ ...at, body });
    else if (region.calls.length > 0) found.push({ ...at, calls: region.calls });
    else if (region.lost !== undefined && (isTool || region.unknown)) found.push({ ...at, lost: region.lost });
  }
  const tools = found.filter(({ isTool }) => isTool);
  return tools.length > 0 ? tools : found.length === 1 ? found : [];
}

const holdsList = (body: string): boolean => {
  const value = /"(?:actions|hypotheses)"/.test(body) ? parseJson(body) : undefined;
  return isRecord(value) && Array.isArray(value.actions ?? value.hypotheses);
};

const holdsProposal = (prose: readonly CitedLine[]): boolean =>
  prose.some(({ text }) => /"(?:api|command)"\s{0,9}:/.test(text));

/** A start that opens no block is plain text. */
function markerInText(text: string): Marker | undefined {
  const marker = findMarker(text, "text");
  return marker?.kind === "start" && !opensBlock(text, marker) ? undefined : marker;
}
