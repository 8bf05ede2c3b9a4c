import { type Confidence, confidences, type Phase, phases, type RunbookLink } from "../../base/agent.ts";
import {
  type EarlierNumbers,
  type NamedHypotheses,
  noActions,
  type ParsedAction,
  type ReadActions,
  readActionList,
  readActions,
  toListItem,
} from "./actions.ts";
import { createIsQuoted } from "./cited.ts";
import { takeRunbookLinks } from "./runbook-links.ts";
import { type ReplyScan, scanReply } from "./scan.ts";
import { limitSuggestions } from "./suggestions.ts";
import type { WrittenCall } from "./written-calls.ts";

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

const proposing: ReadonlySet<string> = new Set(["propose_actions", "suggest_ssh_command"]);

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
    const lists = called.map(({ name, args }) => (name === "propose_actions" ? args : { actions: [toListItem(args)] }));
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

function readProse(scan: ReplyScan) {
  const kept: string[] = [];
  const runbooks = new Map<string, RunbookLink>();
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
    for (const one of taken.links) runbooks.set(one.url, one);
    refused += taken.refused;
    const emptied = taken.rest !== line.text && /^[\s*_+\-·:📖]*(?:runbook links)?[\s*_·:]*$/iu.test(taken.rest);
    if (named === undefined && !emptied) kept.push(taken.text);
  }
  const prose = kept
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  const confidence = confidenceIn(prose);
  return { prose, runbooks: [...runbooks.values()], phase, status, confidence, refused };
}

/**
 * Reads a reply (PA-3, PA-4, AR-18, AR-20, AR-21). Never throws: `notes`, `warnings` and `error` report what is unreadable. Linear in the
 * text.
 */
export function parseReply(text: string, options: ReplyOptions): ParsedReply {
  const { shown = "" } = options;
  const scan = scanReply(text, shown);
  const read = readBlocks(scan, options);
  const { prose, runbooks, phase, status, confidence, refused } = readProse(scan);
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
    runbooks,
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
