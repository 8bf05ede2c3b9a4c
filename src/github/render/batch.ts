import { wentWell } from "../../types.ts";
import { maxCommentCharacters } from "../comments.ts";
import { renderPlace } from "./card.ts";
import { cell, clock, duration, type Ink, name } from "./ink.ts";
import { withRecords } from "./record.ts";
import {
  type ActionView,
  approversOf,
  endingNote,
  isAsking,
  isAuto,
  type RunView,
  resultWords,
  runsWords,
} from "./state.ts";

export interface BatchView {
  readonly login: string;
  readonly note: string | null;
  /** The actions of the batch in the order in which they run; those not begun have no run. */
  readonly actions: readonly ActionView[];
  /** The hidden lines for whoever reads the issue alone; they count towards its length. */
  readonly records?: string;
}

/** The run card: one comment a batch, one section an action, edited while output comes in (DC-5, PRODUCT.md). */
export function renderBatch(view: BatchView, ink: Ink): string {
  const draw = (excerptLimit: number): string => {
    const parts = view.actions.map((action) => renderRuns(shortened(action, excerptLimit), ink));
    if (view.note) parts.push(`⚠️ ${ink.note(view.note)}`);
    return withRecords(parts.join("\n\n"), view.records ?? "");
  };
  const limit = excerptLimits.find((candidate) => draw(candidate).length <= maxBodyCharacters);
  return draw(limit ?? 0);
}

/** GitHub takes 65,536 characters; many long outputs in one batch share them, and each can be read whole by `/output`. */
const maxBodyCharacters = maxCommentCharacters - 5_000;
const excerptLimits = [Number.POSITIVE_INFINITY, 3_000, 1_000, 300];

function shortened(action: ActionView, limit: number): ActionView {
  return { ...action, runs: action.runs.map((run) => shortenedRun(action, run, limit)) };
}

function shortenedRun({ number, spec }: ActionView, run: RunView, limit: number): RunView {
  if (!run.excerpt || run.excerpt.length <= limit) return run;
  const half = Math.floor(limit / 2);
  const where = spec.targets.length === 1 ? "" : " <server>";
  const mark = `  ⋯ shortened, since this comment is full · /output ${number}${where} ⋯`;
  const excerpt = [run.excerpt.slice(0, half), mark, limit === 0 ? "" : run.excerpt.slice(-half)].join("\n").trim();
  return { ...run, excerpt };
}

function renderRuns(action: ActionView, ink: Ink): string {
  const [run, another] = action.runs;
  const approvers = approversOf(action);
  const by = approvers === "" ? "" : ` · ${isAuto(action) ? "🤖 " : ""}approved by ${approvers}`;
  const where = `${renderPlace(action.spec, ink)}${by}`;
  if (!run) {
    const waits = action.state === "approved" || action.state === "dispatching";
    return `**${action.number}** · ${waits ? "⏳ next" : "⏸️ not run"} · ${where}`;
  }
  const head = (words: string): string => `**${action.number}** · ${words} · ${where}`;
  return another ? renderMany(action, head, ink) : renderOne(action.number, run, head, ink);
}

const paragraphs = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n\n");

function renderOne(number: number, run: RunView, head: (words: string) => string, ink: Ink): string {
  const { ending } = run;
  if (!ending) return paragraphs(head(progressOf(run)), output(run.excerpt, ink), questionOf(number, [run], ink));
  return paragraphs(head(resultOf(run, ink)), endingNote(run, ink.note), folded(run, "output", ink));
}

/** `▶️ running since 14:02:11Z · 2 min 5 s`, as of the last look at it: a card is a function of its rows. */
function progressOf({ startedAt, seenAt, cancelledBy }: RunView): string {
  const ends = cancelledBy === null ? "" : ` · 🛑 being ended by ${name(cancelledBy)}`;
  if (!startedAt) return `⏳ waits${ends}`;
  const elapsed = seenAt ? ` · ${duration(seenAt.getTime() - startedAt.getTime())}` : "";
  return `▶️ running since ${startedAt.toISOString().slice(11, 19)}Z${elapsed}${ends}`;
}

/** What to do with runs that have reached their soft limit (AR-12), or when they ask again. */
function questionOf(number: number, runs: readonly RunView[], ink: Ink): string {
  const open = runs.filter(({ ending, cancelledBy }) => ending === null && cancelledBy === null);
  const asking = open.filter(isAsking);
  if (asking.length === 0) {
    const [next] = open.flatMap(({ waitUntil }) => waitUntil ?? []).toSorted((a, b) => a.getTime() - b.getTime());
    return next ? `⏳ goes on; asks again at ${clock(next)}` : "";
  }
  const where = runs.length === 1 ? "" : ` on ${asking.map(({ server }) => ink.code(server)).join(", ")}`;
  return `⏳ **It takes long**${where}: \`/continue ${number}\` gives the agent its output so far · \`/wait ${number} 10m\` asks again later · \`/cancel ${number}\` ends it`;
}

const resultOf = (run: RunView, ink: Ink): string =>
  `${resultWords(run, ink)}${run.durationMs === null ? "" : ` · ${duration(run.durationMs)}`}`;

/** It went well, and its output says nothing else. */
const isFine = (run: RunView): boolean => wentWell(run) && run.trouble === null;

/** What went well is one tap away; what did not stands open. */
function folded(run: RunView, summary: string, ink: Ink): string {
  const body = output(run.excerpt, ink);
  return body !== "" && isFine(run) ? `<details><summary>${summary}</summary>\n\n${body}\n\n</details>` : body;
}

const output = (excerpt: string | null, ink: Ink): string =>
  excerpt === null || excerpt === "" ? "" : ink.fence(excerpt, "text");

/** Several servers: a row each, and below what they said, those that said the same together, what failed first. */
function renderMany({ number, runs }: ActionView, head: (words: string) => string, ink: Ink): string {
  const ended = runs.filter(({ ending }) => ending !== null);
  const words = ended.length === runs.length ? runsWords(runs, ink) : `▶️ ${ended.length} of ${runs.length} done`;
  const rows = runs.map(
    (run) => `| ${ink.code(run.server)} | ${run.ending ? cell(resultOf(run, ink)) : progressOf(run)} |`,
  );
  const alike = [
    ...Map.groupBy(ended, ({ ending, outcome, trouble, excerpt }) =>
      JSON.stringify([ending, outcome, trouble, excerpt]),
    ).values(),
  ];
  const groups = alike.toSorted((a, b) => Number(a.every(isFine)) - Number(b.every(isFine)) || b.length - a.length);
  return paragraphs(
    head(words),
    ["| server | result |", "|---|---|", ...rows].join("\n"),
    questionOf(number, runs, ink),
    ...groups.map((group) => renderAlike(group, runs.length, ink)),
  );
}

function renderAlike(group: readonly RunView[], all: number, ink: Ink): string {
  const [run] = group;
  if (!run?.ending) return "";
  const note = endingNote(run, ink.note);
  if (note === "" && !run.excerpt) return "";
  const names = group.map(({ server }) => ink.code(server)).join(", ");
  const who = group.length === 1 ? names : `**${group.length} of ${all} say the same:** ${names}`;
  return paragraphs(who, note, folded(run, "output", ink));
}
