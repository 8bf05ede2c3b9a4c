import { type Confidence, confidences, type Phase, phases, type RunbookLink } from "../../base/agent.ts";
import { type EarlierNumbers, nothingEarlier, type ParsedAction, type ReadActions, readActions } from "./actions.ts";
import { findLoneFence } from "./lone-fence.ts";
import { takeRunbookLinks } from "./runbook-links.ts";
import { type Block, type ReplyScan, scanReply } from "./scan.ts";
import { limitSuggestions } from "./suggestions.ts";

/** What may be odd about a reply that can be read, in the order in which it is told. */
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

/** A reply of the model, read by the protocol of templates/prompt/protocol.md. */
export interface ParsedReply extends EarlierNumbers {
  /** What people read: without blocks, markers, thoughts and tags. Untrusted Markdown. */
  readonly prose: string;
  readonly actions: readonly ParsedAction[];
  readonly suggestions: readonly string[];
  readonly runbooks: readonly RunbookLink[];
  readonly phase?: Phase;
  readonly confidence?: Confidence;
  /** What the agent says it is doing, at most six words. */
  readonly status?: string;
  readonly warnings: readonly Warning[];
  /** Lines for a person: what was left out or could not be read, and why. */
  readonly notes: readonly string[];
  /** True where proposals seem to stand in the reply without their markers; they are not read. */
  readonly unmarked: boolean;
  /** Why the proposals could not be read at all: no end, not JSON, not the shape of the protocol. */
  readonly error: null | "truncated" | "bad-json" | "bad-shape";
}

export interface ReplyOptions {
  /** The endpoint's finish reason; `length` means that the reply was cut. */
  readonly finish?: string | undefined;
  /** Names of servers and groups that may be named; any is taken where this is absent. */
  readonly servers?: readonly string[] | undefined;
  readonly maxActions?: number;
}

/** PA-5, where the operator says nothing else. */
export const defaultMaxActions = 3;
const maxStatusWords = 6;
const maxStatusCharacters = 80;
/** A longer line is a sentence, not a phase line. */
const maxPhaseLine = 80;

const phaseLine = new RegExp(
  `^[\\s*_#]*\\[?phase\\b[^a-z\\n]{0,20}(?:\\d of \\d)?[^a-z\\n]{0,10}(${phases.join("|")})[\\s*_\\].]*$`,
  "i",
);
const confidenceWord = new RegExp(`^[\\s*_#\`]{0,10}(${confidences.join("|")})(?![A-Za-z0-9])`);
const statusTag = /<status>([^<]{1,200})<\/status>/gi;

const unmarkedAction = /"api"\s{0,9}:\s{0,9}"ssh\./;

const errorNotes = {
  truncated: "The agent's proposals broke off before their end, so none was taken.",
  "bad-json": "The agent's proposals are not valid JSON, so none was taken.",
  "bad-shape": "The agent's proposals do not have the agreed form, so none was taken.",
} as const;

/** What models put before JSON: a fence, whatever it says that it holds, or the name of the language alone. */
const jsonOpening = /^(?:(?:`{3,}(?!`)|~{3,}(?!~))(?:[^\n{[]*\n|[ \t]*(?:[\w+-]+\s*)?(?=[{[]))|json\s*(?=[{[]))/i;

/** The JSON of a block without the Markdown fence that models like to put round it. */
function unfence(body: string): string {
  let json = body.trim().replace(jsonOpening, "");
  while (json.endsWith("```") || json.endsWith("~~~")) json = json.slice(0, -3).trimEnd();
  return json;
}

/** Proposals in a fence of their own count as a block where there is no other. */
function withLoneFence(scan: ReplyScan): ReplyScan {
  const lone = scan.blocks.length === 0 && !scan.strayEnd ? findLoneFence(scan.prose) : undefined;
  return lone ? { ...scan, prose: lone.rest, blocks: [{ body: lone.body, complete: true }] } : scan;
}

type ReadBlock = Omit<ReadActions, "error"> & { readonly error: ParsedReply["error"] };

/** The last complete block decides; where none is complete, the reply was cut. */
function readBlocks(blocks: readonly Block[], options: ReplyOptions): ReadBlock {
  const none = { ...nothingEarlier, actions: [], notes: [], warnings: [] };
  const block = blocks.findLast((one) => one.complete);
  if (block) {
    const { servers, maxActions = defaultMaxActions } = options;
    return readActions(unfence(block.body), { servers, maxActions });
  }
  return { ...none, error: blocks.length > 0 || options.finish === "length" ? "truncated" : null };
}

/** What the lines that people read hold beside words: phase, status and runbook links are taken out of them. */
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
    // A line that held nothing else goes with what was taken out of it.
    const emptied = taken.rest !== line.text && /^[\s*_+\-·:📖]*(?:runbook links)?[\s*_·:]*$/iu.test(taken.rest);
    if (named === undefined && !emptied) kept.push(taken.text);
  }
  const prose = kept
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  const word = confidenceWord.exec(prose)?.[1];
  const confidence = confidences.find((one) => one === word);
  return { prose, runbooks: [...runbooks.values()], phase, status, confidence, refused };
}

/**
 * Reads a reply of the model (PA-3, PA-4, AR-18, AR-20, AR-21). Never throws and never repairs: what cannot be
 * read is left out and told in `notes`, `warnings` and `error`. Time is linear in the text.
 */
export function parseReply(text: string, options: ReplyOptions): ParsedReply {
  const scan = withLoneFence(scanReply(text));
  const read = readBlocks(scan.blocks, options);
  const { prose, runbooks, phase, status, confidence, refused } = readProse(scan);
  const unmarked = scan.blocks.length === 0 && (scan.strayEnd || unmarkedAction.test(prose));
  const { suggestions, warning } = limitSuggestions(scan.suggestions);
  const raised = new Set<Warning | undefined>([...read.warnings, warning]);
  if (scan.blocks.length > 1) raised.add("multiple-blocks");
  if (scan.wrongCase) raised.add("marker-case");
  const notes = [
    ...(read.error ? [errorNotes[read.error]] : []),
    ...(scan.blocks.length > 1 ? ["The agent sent several lists of proposals; the last whole one counts."] : []),
    ...(unmarked ? ["The agent wrote proposals without the markers round them, so none was taken."] : []),
    ...read.notes,
    ...(refused > 0
      ? [`Left out ${refused} runbook link${refused > 1 ? "s" : ""} with an address that is not safe.`]
      : []),
  ];
  return {
    prose,
    actions: read.actions,
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
    error: read.error,
  };
}

/** The line that `countersign reply --jsonl` prints for a reply. */
export const replyRecord = ({ actions, suggestions, runbooks, warnings, error }: ParsedReply) => ({
  actions,
  suggestions,
  runbooks,
  warnings,
  error,
});
