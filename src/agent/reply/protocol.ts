import { type Confidence, confidences, type Phase, phases, type RunbookLink } from "../../base/agent.ts";
import { type Fields, isRecord, parseJson } from "../../base/json.ts";
import { type ToolEntry, toolTable } from "../tools.ts";
import { dropThoughts } from "../wire/thoughts.ts";
import {
  type EarlierNumbers,
  type NamedHypotheses,
  noActions,
  type ParsedAction,
  type ReadActions,
  readActionList,
  readActions,
  singleTools,
  toListItem,
} from "./actions.ts";
import { findMarker, isCited, type Marker, opensBlock } from "./markers.ts";

const warnings = [
  "multiple-blocks",
  "marker-case",
  "duplicate-id",
  "invalid-action",
  "too-few-suggestions",
  "too-many-suggestions",
  "suggestions-missing",
] as const;
type Warning = (typeof warnings)[number];

/** Read by templates/prompt/protocol.md. */
export interface ParsedReply extends EarlierNumbers {
  /** Without blocks, markers, thoughts and tags. Untrusted Markdown. */
  readonly prose: string;
  readonly actions: readonly ParsedAction[];
  readonly hypotheses: NamedHypotheses;
  readonly suggestions: readonly string[];
  readonly runbooks: readonly RunbookLink[];
  readonly phase?: Phase;
  readonly confidence?: Confidence;
  /** At most six words. */
  readonly status?: string;
  readonly warnings: readonly Warning[];
  /** For a person. */
  readonly notes: readonly string[];
  /** There seem to be proposals without markers; they are not read. */
  readonly unmarked: boolean;
  /** Calls written as text of tools that propose nothing: to be made. */
  readonly calls: readonly WrittenCall[];
  /** A note for each part that was lost or is missing; the model is asked for these. */
  readonly lost: readonly string[];
  readonly error: null | "truncated" | "bad-json" | "bad-shape";
}

export interface ReplyOptions {
  /** `length`: the reply was cut. */
  readonly finish?: string | undefined;
  /** Absent allows any. */
  readonly servers?: readonly string[] | undefined;
  readonly maxActions?: number;
  /** What others wrote and the model was shown. */
  readonly shown?: string | undefined;
}

/** The default (PA-5). */
export const defaultMaxActions = 3;
const maxStatusWords = 6;
const maxStatusCharacters = 80;
/** Longer lines are sentences. */
const maxPhaseLine = 80;

const phaseLine = new RegExp(
  `^[\\s*_#]*\\[?phase\\b[^a-z\\n]{0,20}(?:\\d of \\d)?[^a-z\\n]{0,10}(${phases.join("|")})[\\s*_\\].]*$`,
  "i",
);
const confidenceWord = new RegExp(`^[\\s*_#\`]{0,10}(${confidences.join("|")})(?![A-Za-z0-9])`);
/** Not `not CONFIRMED`, nor in quotation marks. */
const confidenceInside = new RegExp(
  `(?<!\\b(?:not|never|until|be|becomes?|yet)\\s{1,3})(?<![\\w\`"'“„-])(${confidences.join("|")})(?![\\w\`"'”-])`,
);
/** Returns the sureness that words claim, at their start or else where they first do. */
const confidenceIn = (prose: string): Confidence | undefined => {
  const word = confidenceWord.exec(prose)?.[1] ?? confidenceInside.exec(prose)?.[1];
  return confidences.find((one) => one === word);
};
/** Returns CONFIRMED if the words claim it anywhere, else the word that they begin with. */
export const boldestWord = ({
  prose,
  confidence,
}: {
  readonly prose: string;
  readonly confidence?: Confidence | undefined;
}): Confidence | undefined =>
  confidenceIn(prose.replace(/LIKELY|INCONCLUSIVE/g, "")) === "CONFIRMED" ? "CONFIRMED" : confidence;
const statusTag = /<status>([^<]{1,200})<\/status>/gi;

/** What only a proposal has, in any notation: our api, or a server and a command for it. */
const isProposalLike = (text: string): boolean =>
  /"api"\s{0,9}:\s{0,9}"ssh\./.test(text) ||
  ["server", "command"].every((name) => new RegExp(`(?<![\\w-])["']?${name}["']?\\s{0,9}[:=]\\s{0,9}["'[]`).test(text));

const errorNotes = {
  truncated: "The agent's proposals broke off before their end, so none was taken.",
  "bad-json": "The agent's proposals are not valid JSON, so none was taken.",
  "bad-shape": "The agent's proposals do not have the agreed form, so none was taken.",
} as const;

/** Models put a fence or the language's name before JSON. */
const jsonOpening = /^(?:(?:`{3,}(?!`)|~{3,}(?!~))(?:[^\n{[]*\n|[ \t]*(?:[\w+-]+\s*)?(?=[{[]))|json\s*(?=[{[]))/i;

function unfence(body: string): string {
  let json = body.trim().replace(jsonOpening, "");
  while (json.endsWith("```") || json.endsWith("~~~")) json = json.slice(0, -3).trimEnd();
  return json;
}

/** Without the words round it. */
const jsonOnly = (part: string): string =>
  part
    .split("\n")
    .filter((line) => /["{}[\]]/.test(line))
    .join("\n");
const startMarkerIn = /ACTIONS\\?_JSON\\?_START/i;

/** What others wrote is only quoted, and so is a block with its markers that was not taken. */
const holdsUnmarked = (prose: string, isQuoted: (text: string) => boolean): boolean =>
  isProposalLike(prose) &&
  prose
    .split(/\n\s*\n|^ {0,3}(?:`{3,}|~{3,})\s*\w*\s*$/m)
    .some((part) => isProposalLike(part) && !startMarkerIn.test(part) && !isQuoted(jsonOnly(part)));

type ReadBlock = Omit<ReadActions, "error"> & { readonly error: ParsedReply["error"] };

const proposing: ReadonlySet<string> = new Set(["propose_actions", ...singleTools]);

/** The last complete block decides, then the calls; if none is complete, the reply was cut. */
function readBlocks({ blocks, calls }: ReplyScan, options: ReplyOptions): ReadBlock {
  const { servers, maxActions = defaultMaxActions } = options;
  const whole = blocks.filter(({ complete }) => complete);
  const block = whole.findLast(({ wrapped }) => !wrapped) ?? whole.at(-1);
  const called = calls.filter(({ name }) => proposing.has(name));
  const written = block && readActions(unfence(block.body), { servers, maxActions });
  if (written && called.length === 0) return written;
  if (written && (written.error || written.actions.length > 0)) {
    const beside = "The agent wrote calls of tools as text beside its list of proposals; the list counts.";
    return { ...written, notes: [...written.notes, beside] };
  }
  if (called.length > 0) {
    const lists = called.map(({ name, args }) =>
      singleTools.has(name) ? { actions: [toListItem(name, args)] } : args,
    );
    const limits = { servers, maxActions };
    if (lists.some((list) => readActionList(list, limits).error)) return { ...noActions, error: "bad-shape" };
    const [actions, hypotheses] = [
      lists.flatMap((list) => list.actions ?? []),
      lists.flatMap((list) => list.hypotheses ?? []),
    ];
    const all = Object.fromEntries(lists.flatMap((list) => Object.entries(list)));
    return readActionList({ ...all, actions, hypotheses }, limits);
  }
  return { ...noActions, error: blocks.length > 0 || options.finish === "length" ? "truncated" : null };
}

/**
 * Reads a reply (PA-3, PA-4, AR-18, AR-20, AR-21). Never throws: `notes`, `warnings` and `error` report what is unreadable. Linear in the
 * text.
 */
export function parseReply(text: string, options: ReplyOptions): ParsedReply {
  const { shown = "" } = options;
  const scan = scanReply(text, shown);
  const read = readBlocks(scan, options);

  const kept: string[] = [];
  const links = new Map<string, RunbookLink>();
  let phase: Phase | undefined;
  let status: string | undefined;
  let refused = 0;
  for (const line of scan.prose) {
    if (line.cited || line.text === "") {
      kept.push(line.text);
      continue;
    }
    const text = line.text.replace(statusTag, (_whole: string, said: string) => {
      status = said.trim().split(/\s+/).slice(0, maxStatusWords).join(" ").slice(0, maxStatusCharacters);
      return "";
    });
    const named = text.length <= maxPhaseLine ? phaseLine.exec(text)?.[1]?.toLowerCase() : undefined;
    phase = phases.find((one) => one === named) ?? phase;
    const taken = takeRunbookLinks(text);
    for (const one of taken.links) links.set(one.url, one);
    refused += taken.refused;
    const emptied = taken.rest !== line.text && /^[\s*_+\-·:📖]*(?:runbook links)?[\s*_·:]*$/iu.test(taken.rest);
    if (named === undefined && !emptied) kept.push(taken.text);
  }
  const prose = kept
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  const confidence = confidenceIn(prose);

  const isWhole = scan.blocks.some(({ complete }) => complete);
  const unmarked = scan.strayEnd || (scan.blocks.length === 0 && holdsUnmarked(prose, createIsQuoted(shown)));
  const notMade = scan.lost.map((why) => `The agent wrote a call of a tool as text, and it was not made: ${why}.`);
  const lost = [
    ...(isWhole ? [] : notMade),
    ...(isWhole && scan.blocks.at(-1)?.complete === false
      ? ["The agent's last list of proposals broke off, so the one before it counts."]
      : []),
    ...read.undescribed.map((title) => `The agent does not describe "${title}": what it does, and why now.`),
  ];
  const { suggestions, warning } = limitSuggestions(scan.suggestions);
  const raised = new Set<Warning | undefined>([...read.warnings, warning]);
  if (scan.blocks.length > 1) raised.add("multiple-blocks");
  if (scan.wrongCase) raised.add("marker-case");
  const notes = [
    ...(read.error ? [errorNotes[read.error]] : []),
    ...(scan.blocks.length > 1 ? ["The agent sent several lists of proposals; the last whole one counts."] : []),
    ...(unmarked ? ["The agent wrote proposals without the markers round them, so none was taken."] : []),
    ...(scan.hasQuoted ? ["The agent quotes a list of proposals that others wrote; it proposes nothing."] : []),
    ...(isWhole ? notMade : []),
    ...lost,
    ...read.notes,
    ...(refused > 0
      ? [`Left out ${refused} runbook link${refused > 1 ? "s" : ""} with an address that is not safe.`]
      : []),
  ];
  return {
    prose,
    actions: read.actions,
    hypotheses: read.hypotheses,
    replaces: read.replaces,
    withdraw: read.withdraw,
    suggestions,
    runbooks: [...links.values()],
    ...(phase && { phase }),
    ...(confidence && { confidence }),
    ...(status && { status }),
    warnings: warnings.filter((one) => raised.has(one)),
    notes,
    unmarked,
    calls: scan.calls.filter(({ name }) => !proposing.has(name)),
    lost,
    error: read.error,
  };
}

/** Returns what `countersign reply --jsonl` prints for a reply. */
export const replyRecord = ({ actions, suggestions, runbooks, warnings, error }: ParsedReply) => ({
  actions,
  suggestions,
  runbooks,
  warnings,
  error,
});

interface Block {
  readonly body: string;
  readonly complete: boolean;
  /** In a fence that only wraps it: beside one that is in none, a quotation. */
  readonly wrapped: boolean;
}

interface ReplyScan {
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

/** Takes a reply apart in one pass, and decides which of its parts may propose. Never throws. */
function scanReply(text: string, shown: string): ReplyScan {
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
    else strayEnd ||= blocks.length === 0 || prose.some(({ text }) => /"(?:api|command)"\s{0,9}:/.test(text));
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

/** A start that opens no block is plain text. */
function markerInText(text: string): Marker | undefined {
  const marker = findMarker(text, "text");
  return marker?.kind === "start" && !opensBlock(text, marker) ? undefined : marker;
}

const link = /\[open runbook([^\]\n]{0,200})\]\(((?:[^()\s]|\([^()\s]{0,200}\)){1,1000})\)/gi;

/** http(s) without credentials, or a path inside the repository. */
function isSafe(url: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a control character in an address is what this looks for
  if (/[\x00-\x20\x7f<>"'`\\]/.test(url)) return false;
  if (/^https?:\/\/[^/]/i.test(url)) {
    if (!URL.canParse(url)) return false;
    const { username, password } = new URL(url);
    return username === "" && password === "";
  }
  const path = url.replace(/[?#].*$/, "");
  const first = path.split("/", 1)[0] ?? "";
  const climbs = path.split("/").some((part) => /^(?:\.|%2e){2}$/i.test(part));
  return path !== "" && !path.startsWith("//") && !/[:%]/.test(first) && !climbs;
}

/** The folder of a SKILL.md or README.md, else the file. */
function nameOf(url: string): string {
  const parts = url
    .replace(/[?#].*$/, "")
    .split("/")
    .filter((part) => part !== "");
  const last = parts.at(-1) ?? url;
  return /^(?:skill|readme|index)\.\w+$/i.test(last) ? (parts.at(-2) ?? last) : last;
}

interface UnlinkedLine {
  /** With each link's name instead. */
  readonly text: string;
  /** Without the links. */
  readonly rest: string;
  readonly links: readonly RunbookLink[];
  /** Unsafe addresses. */
  readonly refused: number;
}

/** Removes the `[Open runbook](…)` links from a line; counts unsafe ones. */
function takeRunbookLinks(line: string): UnlinkedLine {
  const links: RunbookLink[] = [];
  let refused = 0;
  let rest = "";
  let copied = 0;
  const text = line.replace(link, (whole: string, given: string, url: string, offset: number) => {
    if (line[offset - 1] === "`" || line[offset - 1] === "!") return whole;
    rest += line.slice(copied, offset);
    copied = offset + whole.length;
    const said = given.replace(/^[\s:·–—-]+/, "").trim();
    if (!isSafe(url)) {
      refused += 1;
      return said || "the runbook";
    }
    const label = said || nameOf(url);
    links.push({ label, url });
    return label;
  });
  return { text, rest: rest + line.slice(copied), links, refused };
}

/** Cited: in a quote, indented code or a fence, so no instruction to us. */
interface CitedLine {
  readonly text: string;
  readonly cited: boolean;
  /** In a fence that only wraps a block, suggestions or the reply. */
  readonly wrapped?: boolean;
  /** A comment of HTML hid a block here. */
  readonly hidesBlock?: boolean;
  /** Opens a fence of this many lines, both ends included. */
  readonly fence?: { readonly info: string; readonly lines: number };
}

interface Fence {
  readonly char: string;
  readonly length: number;
  readonly info: string;
}

const fenceLine = /^ {0,3}(`{3,}|~{3,})(.*)$/;

function readFence(line: string): Fence | undefined {
  const [, run = "", info = ""] = fenceLine.exec(line) ?? [];
  if (run === "" || (run.startsWith("`") && info.includes("`"))) return undefined;
  return { char: run.charAt(0), length: run.length, info: info.trim() };
}

/** One pass upwards keeps a thousand openings with one end linear. */
function findClosers(lines: readonly string[]): ReadonlyMap<number, Fence & { readonly closer: number | undefined }> {
  const found = new Map<number, Fence & { closer: number | undefined }>();
  const below: Record<string, { at: number; length: number }[]> = { "`": [], "~": [] };
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const fence = readFence(lines[at] ?? "");
    const stack = below[fence?.char ?? ""];
    if (!fence || !stack) continue;
    found.set(at, { ...fence, closer: stack.findLast((one) => one.length >= fence.length)?.at });
    if (fence.info !== "") continue;
    while ((stack.at(-1)?.length ?? Number.POSITIVE_INFINITY) <= fence.length) stack.pop();
    stack.push({ at, length: fence.length });
  }
  return found;
}

function solidBelow(lines: readonly string[], from: number): string {
  let at = from + 1;
  while (lines[at]?.trim() === "") at += 1;
  return lines[at] ?? "";
}

function isWrapping(open: Fence, first: string): boolean {
  const marker = findMarker(first, "text");
  const opens = marker?.kind === "start" && opensBlock(first, marker);
  return opens || readSuggestionsHeader(first) !== undefined || /^(?:markdown|md)$/i.test(open.info);
}

/** A comment of HTML: at a line's begin, or round a block's start. */
const commentStart = /^ {0,3}<!--|<!--\s{0,9}-{0,6}\s{0,3}(?=ACTIONS\\?_JSON\\?_START)/i;

const blockStart = /ACTIONS\\?_JSON\\?_START/i;

/** By line, where the next comment ends. */
function findCommentEnds(lines: readonly string[]): readonly (number | undefined)[] {
  let next: number | undefined;
  return lines
    .map((_, i) => lines.length - 1 - i)
    .map((at) => {
      if (lines[at]?.includes("-->")) next = at;
      return next;
    })
    .reverse();
}

/** Marks cited lines, and blanks comments, which show nothing. Blanks fences that only wrap a block, suggestions or the reply, because models add them. */
function markCited(source: readonly string[]): readonly CitedLine[] {
  const closers = findClosers(source);
  const commentEnds = findCommentEnds(source);
  const wrapping = new Set<number>();
  let citedUntil = -1;
  let commentUntil = -1;
  let wrappedUntil = -1;
  return source.map((text, i) => {
    if (i <= citedUntil) return { text, cited: true };
    if (i <= commentUntil) return { text: i === commentUntil ? text.slice(text.indexOf("-->") + 3) : "", cited: true };
    const comment = commentStart.exec(text);
    if (comment) {
      const end = text.indexOf("-->", comment.index);
      const hidesBlock = (from: readonly string[]): boolean => from.some((line) => blockStart.test(line));
      if (end >= 0) {
        const rest = `${text.slice(0, comment.index)}${text.slice(end + 3)}`;
        return { text: rest, cited: isCited(text), hidesBlock: hidesBlock([text.slice(comment.index, end)]) };
      }
      commentUntil = commentEnds[i + 1] ?? -1;
      if (commentUntil > i) {
        const within = source.slice(i, commentUntil + 1);
        return { text: text.slice(0, comment.index), cited: true, hidesBlock: hidesBlock(within) };
      }
    }
    if (wrapping.has(i)) return { text: "", cited: false };
    const fence = closers.get(i);
    if (!fence) return { text, cited: isCited(text), wrapped: i < wrappedUntil };
    if (isWrapping(fence, solidBelow(source, i))) {
      if (fence.closer !== undefined) wrapping.add(fence.closer);
      wrappedUntil = /^(?:markdown|md)$/i.test(fence.info) ? -1 : (fence.closer ?? -1);
      // A language's name, or words.
      return { text: /^[\w+-]*$/.test(fence.info) ? "" : fence.info, cited: false };
    }
    if (fence.closer === undefined) return { text, cited: false };
    citedUntil = fence.closer;
    return { text, cited: true, fence: { info: fence.info, lines: fence.closer - i + 1 } };
  });
}

/** Letters and digits alone, so that a quotation is known again in any form. */
const squeeze = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, "");

/** Returns what tells whether a text only repeats what was shown. */
function createIsQuoted(shown: string): (text: string) => boolean {
  const whole = squeeze(shown);
  return (text) => whole.includes(squeeze(text));
}

const maxSuggestions = 4;
const maxSuggestionCharacters = 200;

const header = /^ {0,3}[*_#` ]{0,8}\[(suggestions)\][*_:` ]{0,8}(?!\()(.*)$/i;
const closing = /^\s{0,8}\[\/suggestions\]/i;
const bullet = /^\s*(?:[*_]{0,2}(?:\d{1,2}[.):]|[-*+•])[*_]{0,2}\s+(.*)|(?:\d{1,2}[.):]|[-*+•]))$/;
const fence = /^\s*(?:`{3}|~{3})/;
const json = /^\s*(?:\{\s*"|\[\s*\{)/;
/** Cut, it would lose what it holds. */
const longJson = new RegExp(`^(?=[\\s\\S]{${maxSuggestionCharacters}}).*\\{\\s*"`);

/** Reads a suggestions header, else returns undefined. */
function readSuggestionsHeader(line: string): { readonly wrongCase: boolean; readonly rest: string } | undefined {
  const match = header.exec(line);
  return match ? { wrongCase: match[1] !== "SUGGESTIONS", rest: match[2]?.trim() ?? "" } : undefined;
}

const clean = (item: string): string => {
  const text = item
    .slice(0, 4 * maxSuggestionCharacters)
    .replace(/\s+/g, " ")
    .trim();
  return text.length > maxSuggestionCharacters ? `${text.slice(0, maxSuggestionCharacters)}…` : text;
};

const introduces = /:[*_\s]*$/;

/**
 * Reads a loose or tight list, or lines up to a blank one. `next` is the first line after; `before` are lines above a list that say more
 * than that it comes.
 */
function readSuggestions(
  lines: readonly string[],
  start: number,
): { readonly items: readonly string[]; readonly before: readonly string[]; readonly next: number } {
  const items: string[] = [];
  let before: readonly string[] = [];
  let listed = false;
  let next = start;
  for (; next < lines.length; next += 1) {
    const line = lines[next] ?? "";
    if (closing.test(line)) return { items, before, next: next + 1 };
    if (line.trim() === "") {
      if (items.length > 0 && !listed) break;
      continue;
    }
    const isOther =
      fence.test(line) || json.test(line) || longJson.test(line) || findCallOpening(line, lines[next + 1])?.sure;
    if (isOther || readSuggestionsHeader(line) || findMarker(line, "text")) break;
    const point = bullet.exec(line);
    if (point) {
      if (!listed) before = items.splice(0).filter((line) => !introduces.test(line));
      items.push(clean(point[1] ?? ""));
      listed = true;
    } else if (listed || isCited(line)) {
      const continues = items.length > 0 && /^\s+\S/.test(line) && lines[next - 1]?.trim() !== "";
      if (!continues) break;
      const begun = items.pop() ?? "";
      // A cut item stays as it is.
      items.push(begun.endsWith("…") ? begun : clean(`${begun} ${line}`));
    } else {
      items.push(clean(line));
    }
  }
  return { items: items.filter((item) => item !== ""), before, next };
}

/** Limits suggestions, with a warning about their number. */
function limitSuggestions(items: readonly string[]) {
  const suggestions = items.slice(0, maxSuggestions);
  if (items.length === 0) return { suggestions, warning: "suggestions-missing" as const };
  if (items.length < 2) return { suggestions, warning: "too-few-suggestions" as const };
  if (items.length > maxSuggestions) return { suggestions, warning: "too-many-suggestions" as const };
  return { suggestions, warning: undefined };
}

interface WrittenCall {
  readonly name: string;
  readonly args: Fields;
}

/** A stretch of text with calls in the form of a model's chat template. */
interface CallRegion {
  readonly calls: readonly WrittenCall[];
  /** A call that is none of ours, or that cannot be read; for people. */
  readonly lost?: string | undefined;
  /** It names a tool that is none of ours. */
  readonly unknown: boolean;
  /** Behind the last call and what closes it. */
  readonly end: number;
}

const properties = new Map<string, Fields>(
  toolTable.map((tool: ToolEntry) => {
    const { properties: named } = tool.parameters({ mayPropose: true, mayAsk: true });
    return [tool.name, isRecord(named) ? named : {}];
  }),
);
const names = [...properties.keys()].join("|");

/** What models write before a call. If it is not `sure`, it may be plain words, unless a call can be read from it. */
const openings: readonly { readonly sign: RegExp; readonly sure: boolean }[] = [
  // Hermes, Qwen, GLM, Granite, Phi, Kimi, DeepSeek, Llama, MiniMax, Seed, Gemma, Claude, Cohere, InternLM, MCP clients
  {
    sign: /<[|｜]{0,2}\s?(?:[\w-]{1,20}[:｜|]{1,2})?(?:start_)?(?:tool[_▁]?calls?|tool_use|tool_code|use_mcp_tool|tools_prefix|function[_▁]?calls?|function\s*=|(?:function|tool|call)\s+name\b|invoke\b|python_(?:tag|start)|action_start|start_action)[^<>\n]{0,120}>|<tool>/i,
    sure: true,
  },
  // Harmony
  {
    sign: new RegExp(`<\\|(?:channel|start)\\|>[^<\\n]{0,60}\\bto=|<\\|recipient\\|>|\\bto=functions\\.(?:${names})`),
    sure: true,
  },
  // Mistral, LM Studio, Firefunction, Qwen-Agent
  { sign: /\[(?:TOOL_CALLS?|TOOL_REQUEST|FUNCTION_CALLS?)\]|\bfunctools(?=\s*\[)|✿FUNCTION✿/, sure: true },
  // A tag of any name round our parameters, one of our name, and ReAct
  { sign: new RegExp(`<[\\w.-]{2,40}>(?=\\s*<(?:server|command)>)|<(?:${names})(?=[\\s>])`), sure: true },
  { sign: /^\s*[*_]{0,2}Action[*_]{0,2}:[^\n]{0,80}\n\s*[*_]{0,2}Action Input/, sure: true },
  { sign: /^\s*[*_]{0,2}Action[*_]{0,2}:(?=\s*`{3})/, sure: false },
  // Functionary, Python, the JSON alone, and words of a model's own
  { sign: new RegExp(`^\\s*>>>(?=${names})`), sure: false },
  {
    sign: new RegExp(
      `(?:\\[\\s{0,4}|print\\()?(?:\\b\\w{1,30}\\.){0,2}\\b(?:${names})(?=[\\s"'*:]{0,10}(?:\\b\\w{1,12}\\b)?[\\s"'*:]{0,10}[({])`,
    ),
    sure: false,
  },
  { sign: /^\s*\[?\s*(?=\{\s*")/, sure: false },
];

interface CallOpening {
  readonly from: number;
  readonly sure: boolean;
}

/** Finds a line's first opening, by the next line too; one in quotation marks or code is only spoken of. */
function findCallOpening(line: string, next = ""): CallOpening | undefined {
  const text = `${line}\n${next}`;
  const found = openings.flatMap(({ sign, sure }) => {
    const match = sign.exec(text);
    return match && match.index < line.length && !/["'`“]/.test(line.charAt(match.index - 1))
      ? [{ from: match.index, sure }]
      : [];
  });
  return found.sort((a, b) => a.from - b.from)[0];
}

/** A call's name with what wraps it, or the beginning of JSON. */
const heads = new RegExp(`(?<![\\w.-])(?:\\w{1,30}\\.){0,2}(${names})(?![\\w-])|[{[]`, "g");
const signs = /<[^<>\n]{1,120}>|\[\/?[A-Z_]{2,20}\]|[`~]{3,}\w*/g;
const closers =
  /(?:\s|<[/|｜][^<>\n]{1,60}>|<(?:end_|tool_)[^<>\n]{1,60}>|<\/s>|[`~]{3,}|[)\]}]|Observation:|✿RESULT✿:?)*/y;
/** Between two parts of a call stand signs, a type, an id; more are words. */
const mostBetween = 60;
const mostTries = 64;

/** Whose fence is a call: \`\`\`tool_code of Gemini and others, or a tool's own name. */
const toolFence = new RegExp(`^(?:tool\\w*|function\\w*|${names})$`, "i");

/** Reads the calls at the beginning of a text, in any notation: JSON, a name before JSON, Python, or a tag for each parameter. */
function readCallRegion(text: string): CallRegion {
  const calls: WrittenCall[] = [];
  const unknown = new Set<string>();
  let end = 0;
  let at = 0;
  for (let tries = 0; tries < mostTries; tries++) {
    heads.lastIndex = at;
    const head = heads.exec(text);
    if (!head) break;
    const gap = text.slice(end, head.index);
    if (gap.length > 600 || gap.replace(signs, "").trim().length > mostBetween || /\n\s*\n\s*\w[^\n]*\n/.test(gap))
      break;
    const [whole, name] = head;
    at = head.index + whole.length;
    if (name === undefined) {
      const literal = readLiteral(text, head.index, "json");
      const read = literal ? callsIn(literal.value) : [];
      for (const call of read) {
        if (properties.has(call.name)) calls.push(call);
        else unknown.add(call.name);
      }
      if (literal && read.length > 0) at = end = literal.end;
      continue;
    }
    const args = readArgumentsAt(text, at, name);
    if (!args) continue;
    calls.push({ name, args: args.value });
    at = end = args.end;
  }
  closers.lastIndex = end;
  closers.exec(text);
  const [other] = callKeys.test(text) || !/^\s*\[?\s*\{/.test(text) ? unknown : [];
  const none = calls.length === 0 ? "it names none of the tools, or has arguments that cannot be read" : undefined;
  const lost = other === undefined ? none : `there is no tool "${other.replace(/[^\w.-]/g, "").slice(0, 40)}"`;
  return { calls, lost, unknown: other !== undefined, end: Math.max(end, closers.lastIndex) };
}

/** `name` and `parameters` are in any JSON. */
const callKeys =
  /"(?:arguments|tool_calls|function_call|tool_name|tool_input|action_input|recipient_name)"\s*:|"tool_use"/;

interface ReadValue<T> {
  readonly value: T;
  readonly end: number;
}

/** Between a name and its JSON: signs, quotation marks, `:0`, `Action Input:`. */
const toJson =
  /(?:["'`>:=*_\])\s]|:\d+|<[|｜/]?[^<>\n]{1,120}>|\[\/?[A-Z_]{2,20}\](?:\w{1,40}(?=\[))?|[`~]{3,}\w*|\b(?:json|code|with|arguments|args|parameters|input|Action Input)\b|✿ARGS✿)*(?=\{)/iy;

function readArgumentsAt(text: string, at: number, name: string): ReadValue<Fields> | undefined {
  const python = text[at] === "(" ? readLiteral(text, at, "python") : undefined;
  if (python && isRecord(python.value)) return { value: python.value, end: python.end };
  const tags = readTags(text.slice(at), name);
  toJson.lastIndex = at;
  const json = toJson.exec(text);
  if (json && !tags) {
    const from = at + json[0].length;
    const literal = readLiteral(text, from, "json") ?? readLiteral(text, from, "python");
    const wrapped = literal && callsIn(literal.value).length > 0;
    if (literal && !wrapped && isRecord(literal.value)) return { value: literal.value, end: literal.end };
  }
  return tags && { value: tags.value, end: at + tags.end };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const firstOf = (value: Fields, keys: readonly string[]): unknown =>
  value[keys.find((key) => value[key] != null) ?? ""];

/** OpenAI's objects and their relatives: name and arguments by any of their keys, in lists and wrappers. */
function callsIn(value: unknown, depth = 0): readonly WrittenCall[] {
  if (depth > 4) return [];
  if (Array.isArray(value)) return value.flatMap((one) => callsIn(one, depth + 1));
  if (!isRecord(value)) return [];
  for (const key of ["tool_calls", "tool_call", "function_call", "calls", "function", "tool_uses"])
    if (typeof value[key] === "object") return callsIn(value[key], depth + 1);
  const [only = ""] = Object.keys(value);
  if (Object.keys(value).length === 1 && properties.has(only)) return callsIn({ name: only, arguments: value[only] });
  const given = firstOf(value, ["name", "tool_name", "tool", "recipient_name", "function", "action"]);
  const written = firstOf(value, ["arguments", "parameters", "args", "params", "input", "tool_input", "action_input"]);
  const args = typeof written === "string" ? parseJson(written) : (written ?? undefined);
  const name = textOf(given).replace(/^(?:\w{1,30}\.){1,2}/, "");
  if (name === "" || (written === undefined && !properties.has(name))) return [];
  return isRecord(args ?? {}) ? [{ name, args: isRecord(args) ? args : {} }] : [];
}

const parameter =
  /<[^<>\s]{0,30}parameter(?:\s+name\s*=\s*|=)["']?([\w.-]{1,40})["']?[^<>\n]{0,40}>([\s\S]*?)<\/[^<>\s]{0,30}parameter>|<arg_key>\s*([\w.-]{1,40})\s*<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>/g;
const callEnd =
  /<\/[^<>\s]{0,30}(?:invoke|function|tool_call|tool_use|use_mcp_tool)>|<[^<>\s]{0,30}(?:invoke|function)[\s=]/;

/** Reads a tag for each parameter, up to the end of the call. */
function readTags(text: string, name: string): ReadValue<Fields> | undefined {
  const known = properties.get(name) ?? {};
  const own = `</${name}>`;
  const stop = text.includes(own) ? text.indexOf(own) : text.search(callEnd);
  const part = stop === -1 ? text : text.slice(0, stop);
  const plain = new RegExp(`<(${Object.keys(known).join("|") || "-"})>([\\s\\S]*?)</\\1>`, "g");
  const value: [string, unknown][] = [];
  let end = 0;
  // `<name a="…" b="…"/>`
  const [attributes = ""] = /^\s[^<>{}]*\/?>/.exec(part) ?? [];
  for (const { index, 0: whole, 1: key = "", 2: given = "" } of attributes.matchAll(/([\w-]{1,40})\s*=\s*"([^"]*)"/g)) {
    value.push([key, typed(given, isRecord(known[key]) ? known[key].type : undefined)]);
    end = index + whole.length;
  }
  const pairs = [...part.matchAll(parameter)];
  for (const match of pairs.length > 0 ? pairs : part.matchAll(plain)) {
    const [whole, key = match[3] ?? "", given = match[4] ?? ""] = match;
    value.push([key, typed(given, isRecord(known[key]) ? known[key].type : undefined)]);
    end = match.index + whole.length;
  }
  return end === 0 ? undefined : { value: Object.fromEntries(value), end: stop === -1 ? end : stop };
}

/** By the type that the tool's schema has. XML's entities are undone only if all of it is escaped. */
function typed(given: string, type: unknown): unknown {
  const [, raw = given] = /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/.exec(given) ?? [];
  const text = raw.replace(/^\r?\n|\r?\n$/g, "");
  const parsed = type === "string" ? undefined : parseJson(text.trim());
  if (parsed !== undefined) return parsed;
  if (/[<>]|&(?!(?:amp|lt|gt|quot|apos|#39);)/.test(text)) return text;
  return text.replace(/&(amp|lt|gt|quot|apos|#39);/g, (whole, entity: string) => entities[entity] ?? whole);
}
const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", "#39": "'" };

const deepest = 32;
const quotes = ['"""', "'''", '"', "'", "<escape>", '<|"|>'] as const;
const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
  '"': '"',
  "'": "'",
  "\n": "",
};
const words: Readonly<Record<string, unknown>> = {
  True: true,
  False: false,
  None: null,
  true: true,
  false: false,
  null: null,
};
const word = /[A-Za-z_]\w{0,60}|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Reads the value that begins at a place: strict JSON, or Python's literals and Gemma's, where `(a=1)` is an object too. Undefined if it has
 * no whole one.
 */
function readLiteral(text: string, from: number, notation: "json" | "python"): ReadValue<unknown> | undefined {
  let at = from;
  const blank = (): void => {
    while (/\s/.test(text.charAt(at))) at++;
  };
  const fail = (): never => {
    throw new SyntaxError("no literal");
  };
  const string = (quote: string): string => {
    let value = "";
    for (at += quote.length; !text.startsWith(quote, at); at++) {
      const char = text.charAt(at);
      if (char === "" || (char === "\n" && quote.length === 1)) return fail();
      if (char !== "\\" || quote.startsWith("<")) value += char;
      else value += escapes[text.charAt(++at)] ?? `\\${text.charAt(at)}`;
    }
    at += quote.length;
    return value;
  };
  const bare = (): string => {
    word.lastIndex = at;
    const [found = ""] = word.exec(text) ?? [];
    at += found.length;
    return found === "" ? fail() : found;
  };
  const value = (depth: number): unknown => {
    blank();
    if (depth > deepest) return fail();
    const quote = quotes.find((one) => text.startsWith(one, at));
    if (quote) return string(quote);
    const close = { "{": "}", "(": ")", "[": "]" }[text.charAt(at)];
    if (close === undefined) {
      const found = bare();
      return Object.hasOwn(words, found) ? words[found] : Number.isNaN(Number(found)) ? fail() : Number(found);
    }
    at++;
    const fields: [string, unknown][] = [];
    const items: unknown[] = [];
    for (blank(); !text.startsWith(close, at); blank()) {
      if (close === "]") items.push(value(depth + 1));
      else {
        const key = quotes.find((one) => text.startsWith(one, at));
        const name = key ? string(key) : bare();
        blank();
        if (!/[:=]/.test(text.charAt(at++))) return fail();
        fields.push([name, value(depth + 1)]);
      }
      blank();
      if (text[at] === ",") at++;
      else if (!text.startsWith(close, at)) return fail();
    }
    at++;
    return close === "]" ? items : Object.fromEntries(fields);
  };
  try {
    const read = value(0);
    if (notation === "python") return { value: read, end: at };
    const parsed = parseJson(text.slice(from, at));
    return parsed === undefined ? undefined : { value: parsed, end: at };
  } catch {
    return undefined;
  }
}
