import { memberOf, outputPlace, serversIn } from "../../base/action.ts";
import { capital } from "../../base/errors.ts";
import { addressedIn, type Expectation, hasParts, partsOfPattern, wentWell } from "../../base/run.ts";
import type { Batch } from "../../store/runs.ts";
import { maxCommentCharacters } from "../comments.ts";
import { endingNote, type MarkedWords, markEnds, markResult, resultWords, runsWords, withMark } from "./ending.ts";
import { cell, clock, duration, type Markdown, name, paragraphs } from "./ink.ts";
import { withRecords } from "./record.ts";
import { type ActionView, approversOf, isAsking, type RunView, renderPlace } from "./state.ts";

export interface BatchView extends Pick<Batch, "login" | "note" | "waitsFor"> {
  /** In the order of running; those not begun have no run. */
  readonly actions: readonly ActionView[];
  /** Null while it runs. */
  readonly endedAt?: Date | null;
  /** Those that a later batch ran, because this approval was withdrawn. */
  readonly moved?: readonly number[];
  /** Hidden; they count towards the length. */
  readonly records?: string;
}

/** One comment per batch, one section per action, edited while output comes in (DC-5). */
export function renderBatch(view: BatchView, markdown: Markdown): string {
  const draw = (excerptLimit: number): string =>
    withRecords(drawBatch(view, excerptLimit, markdown), view.records ?? "");
  return draw(fittingLimit(draw, maxBodyCharacters) ?? 0);
}

/** Results ahead of a card of `taken` characters, which they never push out: they are cut, and at last only their ends are said. */
export function renderResults(views: readonly BatchView[], taken: number, markdown: Markdown): string {
  const draw = (excerptLimit: number): string =>
    paragraphs(...views.map((view) => drawBatch(view, excerptLimit, markdown)));
  const limit = fittingLimit(draw, maxBodyCharacters - taken);
  if (limit !== undefined) return draw(limit);
  const ends = views.flatMap(({ actions }) => actions.filter(({ runs }) => runs.length > 0));
  return paragraphs(...ends.map((action) => `${renderEnd(action, markdown)} · \`/output ${action.number}\``));
}

const fittingLimit = (draw: (excerptLimit: number) => string, room: number): number | undefined =>
  excerptLimits.find((candidate) => draw(candidate).length <= room);

function drawBatch(
  { actions, moved = [], note, waitsFor, endedAt = null }: BatchView,
  excerptLimit: number,
  markdown: Markdown,
): string {
  // From the rows, because the reading that follows may have superseded one.
  const reopened = actions.filter(({ state, runs }) => state === "proposed" && runs.length === 0);
  const again =
    note !== null && reopened.length > 0
      ? `Needs approval again: ${reopened.map(({ number }) => number).join(", ")}.`
      : "";
  // All of it may have run in a later batch, whose result has it.
  const elsewhere =
    actions.length === 0 && moved.length > 0
      ? `Not run by this approval: ${moved.join(", ")}. What was approved again has its own result.`
      : "";
  const hasStopped = note !== null && endedAt !== null;
  const isSaid = ({ number }: ActionView): boolean => new RegExp(`\\b${number}\\b`).test(`${note} ${again}`);
  const idle = actions.filter((action) => action.runs.length === 0 && !isSaid(action));
  const left = hasStopped && idle.length > 0 ? `Not run: ${idle.map(({ number }) => number).join(", ")}.` : "";
  const notes = [note, waitsFor && `Waiting: ${waitsFor}.`, again, left, elsewhere].filter(Boolean).join(" ");
  // Once it is over, the note below names what it left out, and their cards have the commands.
  const shown = hasStopped ? actions.filter(({ runs }) => runs.length > 0) : actions;
  const { line, above } = endedAt === null ? { line: "", above: [] } : headOf(shown, markdown);
  return paragraphs(
    line,
    ...shown.map((action) => renderRuns({ ...shortened(action, excerptLimit), above }, markdown)),
    notes && `⚠️ ${markdown.note(notes)}`,
  );
}

type HeadedAction = ActionView & { readonly above?: readonly ("place" | "approvers")[] };

/** What is the same for several, once above them; while it runs each row has it. */
function headOf(
  actions: readonly ActionView[],
  markdown: Markdown,
): { readonly line: string; readonly above: NonNullable<HeadedAction["above"]> } {
  const sameOf = (wordsOf: (action: ActionView) => string): string => {
    const [words = "", ...others] = new Set(actions.map(wordsOf));
    return actions.length > 1 && others.length === 0 ? words : "";
  };
  const place = sameOf(({ spec }) => renderPlace(spec, markdown));
  const approvers = sameOf(approversOf);
  const words = [place && `on ${place}`, approvers && `by ${approvers}`].filter(Boolean).join(", ");
  const above = [...(place ? (["place"] as const) : []), ...(approvers ? (["approvers"] as const) : [])];
  return { line: words === "" ? "" : `${capital(words)}:`, above };
}

/** What a probe showed, below its change. */
export const renderProbe = (probe: ActionView, markdown: Markdown): string =>
  `*probe:* ${renderRuns(shortened(probe, probeCharacters), markdown)}`;

const probeCharacters = 2_000;

/** A batch's outputs share 65,536 characters. `/output` shows each whole. */
const maxBodyCharacters = maxCommentCharacters - 5_000;
const excerptLimits = [Number.POSITIVE_INFINITY, 3_000, 1_000, 300];

function renderRuns(action: HeadedAction, markdown: Markdown): string {
  const [run, another] = action.runs;
  if (!run) {
    const waits = action.state === "approved" || action.state === "dispatching";
    return renderHead(action, waits ? { mark: "⏳", words: "next" } : { mark: "⏸️", words: "not run" }, markdown);
  }
  if (action.spec.set) {
    const { number, runs } = action;
    const ended = runs.filter(({ ending }) => ending !== null);
    const head =
      ended.length === runs.length
        ? // Each check below says how it ended.
          renderHead(action, { ...endOf(runs, markdown), isPlain: true, durationMs: longest(runs) }, markdown)
        : `${renderHead(action, { mark: "▶️", words: `${ended.length} of ${runs.length} done` }, markdown)}${stopOf(number, runs)}`;
    const checks = alikeOf(runs.toSorted((a, b) => (a.step ?? 0) - (b.step ?? 0)));
    return paragraphs(
      head,
      questionOf(number, runs, markdown),
      ...checks.map((group) => renderCheck(action, group, markdown)),
    );
  }
  return another ? renderMany(action, markdown) : renderOne(action, run, markdown);
}

/** Nobody needs to know how long less took. */
const briefMs = 10_000;

/** `**5** ✅ `df -h` on `web-1` · 42 s · `@lee`` */
function renderHead(
  action: HeadedAction,
  { mark, words, isPlain, durationMs = null }: MarkedWords & { readonly durationMs?: number | null },
  markdown: Markdown,
  verb = "",
): string {
  const { spec, above = [] } = action;
  const { command, set } = spec;
  const said = set ? `${set.length} checks` : markdown.brief(command);
  const on = above.includes("place") ? "" : ` on ${renderPlace(spec, markdown)}`;
  const what = `**${action.number}** ${verb}${mark} ${said}${on}`;
  const how = isPlain ? "" : words;
  const took = durationMs === null || durationMs < briefMs ? "" : duration(durationMs);
  const by = above.includes("approvers") ? "" : approversOf(action);
  return [what, how, took, by].filter((part) => part !== "").join(" · ");
}

/** `**5** has ended: ❌ `df -h` on `web-1` · exit 1 · 2 min` */
export const renderEnd = (action: ActionView, markdown: Markdown): string =>
  renderHead(action, { ...endOf(action.runs, markdown), durationMs: longest(action.runs) }, markdown, "has ended: ");

const longest = (runs: readonly RunView[]): number | null =>
  runs.reduce<number | null>(
    (most, { durationMs }) => (durationMs === null ? most : Math.max(most ?? 0, durationMs)),
    null,
  );

/** The worst mark comes first. */
function endOf(runs: readonly RunView[], markdown: Markdown): MarkedWords {
  const worst = runs.find((run) => !wentWell(run)) ?? runs.find((run) => !isFine(run));
  const isMixed = new Set(runs.map((run) => withMark(markResult(run, markdown)))).size > 1;
  if (!isMixed || !worst || typeof worst.step === "number") return markEnds(runs, markdown);
  return { mark: markResult(worst, markdown).mark, words: runsWords(runs, markdown) };
}

function renderOne(action: ActionView, run: RunView, markdown: Markdown): string {
  const { number } = action;
  if (run.ending)
    return paragraphs(
      renderHead(action, { ...markResult(run, markdown), durationMs: run.durationMs }, markdown),
      endingNote(run, markdown.note, action),
      folded(action, run, markdown),
    );
  const head = `${renderHead(action, progressOf(run), markdown)}${stopOf(number, [run])}`;
  return paragraphs(head, output(run.excerpt, markdown), questionOf(number, [run], markdown));
}

const stopOf = (number: number, runs: readonly RunView[]): string =>
  runs.some((run) => run.ending === null && run.cancelledBy === null) && !runs.some(isAsking)
    ? ` · \`/cancel ${number}\``
    : "";

/** `▶️ running since 14:02:11Z · 2 min 5 s`, as of the last look, because a card is a function of its rows. */
function progressOf({ startedAt, seenAt, cancelledBy }: RunView): MarkedWords {
  const ends = cancelledBy === null ? "" : ` · 🛑 being stopped by ${name(cancelledBy)}`;
  if (!startedAt) return { mark: "⏳", words: `waits${ends}` };
  const elapsed = seenAt ? ` · ${duration(seenAt.getTime() - startedAt.getTime())}` : "";
  return { mark: "▶️", words: `running since ${startedAt.toISOString().slice(11, 19)}Z${elapsed}${ends}` };
}

/** For runs at their soft limit (AR-12), or that ask again. */
function questionOf(number: number, runs: readonly RunView[], markdown: Markdown): string {
  const open = runs.filter(({ ending, cancelledBy }) => ending === null && cancelledBy === null);
  const asking = open.filter(isAsking);
  if (asking.length === 0) {
    const [next] = open.flatMap(({ waitUntil }) => waitUntil ?? []).toSorted((a, b) => a.getTime() - b.getTime());
    return next ? `⏳ still running; asks again at ${clock(next)}` : "";
  }
  const where = runs.length === 1 ? "" : ` on ${serversIn(asking).map(markdown.code).join(", ")}`;
  return `⏳ **Still running**${where}: \`/continue ${number}\` gives the agent its output so far · \`/wait ${number} 10m\` asks again later · \`/cancel ${number}\` ends it`;
}

const resultOf = (run: RunView, markdown: Markdown): string =>
  `${resultWords(run, markdown)}${run.durationMs === null ? "" : ` · ${duration(run.durationMs)}`}`;

const isFine = (run: RunView): boolean => wentWell(run) && run.trouble === null;

/** More lines hide what follows on a phone, whose lines hold about 80 characters. */
const openLines = 15;
const lineCharacters = 80;

/** A long output that went well is one tap away. */
function folded(action: ActionView, run: RunView, markdown: Markdown): string {
  const body = output(run.excerpt, markdown);
  if (body === "" && run.ending?.kind === "exited") {
    // A change that went well says nothing, and "no match" is said already. A read that shows nothing found nothing.
    const isExpected = run.outcome?.kind === "answer" || (action.spec.risk !== "low" && wentWell(run));
    return isExpected ? "" : "(no output)";
  }
  const lines = (run.excerpt ?? "").trimEnd().split("\n");
  const shown = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / lineCharacters)), 0);
  if (shown <= openLines || !isFine(run)) return body;
  return `<details><summary>output, ${lines.length} line${lines.length === 1 ? "" : "s"}</summary>\n\n${body}\n\n</details>`;
}

const output = (excerpt: string | null, markdown: Markdown): string =>
  excerpt === null || excerpt === "" ? "" : markdown.fence(excerpt, "text");

/** A row per server, then outputs, equal ones together, failures first. */
function renderMany(action: ActionView, markdown: Markdown): string {
  const { number, runs } = action;
  const ended = runs.filter(({ ending }) => ending !== null);
  const isOver = ended.length === runs.length;
  const head = isOver
    ? renderHead(action, endOf(runs, markdown), markdown)
    : `${renderHead(action, { mark: "▶️", words: `${ended.length} of ${runs.length} done` }, markdown)}${stopOf(number, runs)}`;
  const rows = runs.map(
    (run) =>
      `| ${markdown.code(run.server)} | ${run.ending ? cell(resultOf(run, markdown)) : withMark(progressOf(run))} |`,
  );
  const groups = alikeOf(ended).toSorted(
    ([a, ...others], [b, ...rest]) => Number(isFine(a)) - Number(isFine(b)) || rest.length - others.length,
  );
  return paragraphs(
    head,
    ["| server | result |", "|---|---|", ...rows].join("\n"),
    questionOf(number, runs, markdown),
    ...groups.map((group) => {
      const [run] = group;
      const note = endingNote(run, markdown.note, action);
      if (note === "" && !run.excerpt) return "";
      const names = group.map(({ server }) => markdown.code(server)).join(", ");
      const who = group.length === 1 ? names : `**${group.length} of ${runs.length} say the same:** ${names}`;
      return paragraphs(who, note, folded(action, run, markdown));
    }),
  );
}

const decidingCharacters = 100;
const wholeCharacters = 160;

/** Little longer than the line that decides and the fold below it. */ const briefCharacters = 120;

/** The line that decides or, if none is known, the last; what speaks to the agent shows none. */
function factOf({ spec }: Pick<ActionView, "spec">, run: RunView) {
  const { command, expect } = memberOf(spec, run);
  const deciding = decidingLine(run, expect);
  const whole = (deciding ?? tellingLines(run).at(-1) ?? "").trim();
  const line = whole.length > decidingCharacters ? `${whole.slice(0, decidingCharacters)}…` : whole;
  const isAddressed = addressedIn(run.trouble) !== undefined;
  return { command, deciding, whole, line, isAddressed, mark: deciding === undefined ? "last line:" : "→" };
}

/** A line per check of a read that has ended: what it was, how it ended, and the line that decides. */
export const renderFacts = (action: ActionView, markdown: Markdown): readonly string[] =>
  alikeOf(action.runs.toSorted((a, b) => (a.step ?? 0) - (b.step ?? 0))).map((group) => {
    const [run] = group;
    const { command, line, isAddressed, mark } = factOf(action, run);
    const result = markResult(isAddressed ? run : { ...run, trouble: null }, markdown);
    const place = group.length === serversIn(action.runs).length ? renderPlace(action.spec, markdown) : "";
    const where = place || group.map(({ server }) => markdown.code(server)).join(", ");
    // What a filter looks for stands at the end of its line.
    const isWhole = command.length <= wholeCharacters && !command.includes("\n");
    const what = `${markResult(run, markdown).mark} ${isWhole ? markdown.code(command) : markdown.brief(command)} on ${where}`;
    const fact = isAddressed || line === "" ? "" : `${mark === "→" ? mark : `· ${mark}`} ${markdown.code(line)}`;
    return [`**${action.number}** ${what}`, result.isPlain ? "" : `· ${result.words}`, fact].filter(Boolean).join(" ");
  });

/** What it came to and the line that decides, with the output one tap away: columns would not fit a phone. */
function renderCheck(action: ActionView, group: AlikeRuns, markdown: Markdown): string {
  const { runs } = action;
  const [run] = group;
  const { command, deciding, whole, line, isAddressed, mark: before } = factOf(action, run);
  const note = run.ending ? endingNote(run, markdown.note, action) : "";
  const text = output(run.excerpt, markdown);
  const { words, isPlain } = run.ending ? markResult({ ...run, trouble: null }, markdown) : progressOf(run);
  const { mark } = run.ending ? markResult(run, markdown) : progressOf(run);
  // The only line that says something stands once, unless a code span would change it.
  const isWhole = tellingLines(run).length === 1 && whole === line && !isAddressed && !/\s{2}|\t/.test(line);
  const isBare = text === "" || isWhole;
  // A few lines are shown whole, without a tap, and none of them twice.
  const lines = (run.excerpt ?? "").trimEnd().split("\n");
  const isBrief = lines.length <= 5 && lines.every(({ length }) => length <= briefCharacters);
  const isShort = run.ending !== null && !isAddressed && isBrief;
  const code = isBare || isShort ? markdown.code : markdown.htmlCode;
  const on = serversIn(runs).length > 1 ? ` on ${group.map(({ server }) => code(server)).join(", ")}` : "";
  const title = `${(run.step ?? 0) + 1} ${mark} ${code(command)}${on}${isPlain ? "" : ` · ${words}`}`;
  const fact = isAddressed || line === "" ? "" : `<br>${before} ${code(line)}`;
  if (isBare) return paragraphs(`${title}${fact}`, note);
  if (isShort) return paragraphs(title, note, text);
  const isOpen = run.ending !== null && !isFine(run) && deciding === undefined;
  return paragraphs(
    `<details${isOpen ? " open" : ""}><summary>${title}${fact}</summary>\n\n${text}\n\n</details>`,
    // Below its own check: above it, it would belong to the one before.
    note,
  );
}

/** `Active: inactive (dead)`, `"status": "ok"`, `SubState=running`, `HTTP/1.1 404 Not Found` */
const state =
  /^[\s"{]{0,20}(?:(?:active|status|(?:sub|active)?state|phase|health)"?\s{0,8}[:=]\s{0,8}\S|HTTP\/[\d.]{1,3} \d{3}\b)/i;

/** Closes a value or counts what stands above it. */
const saysNothing = /^[^\p{L}\p{N}]*$|^\(?\d+ (?:rows?|lines?|records?|entries|items?|results?)\b[^:]*$/iu;

/** The output's lines that say something; none while it runs. */
const tellingLines = ({ ending, excerpt }: Pick<RunView, "ending" | "excerpt">): readonly string[] =>
  ending ? (excerpt ?? "").split("\n").filter((line) => !saysNothing.test(line.trim())) : [];

/**
 * The line that bears the fact: it has the trouble, met or broke what was expected, says the state, is the only one, or is the largest of a
 * list. Undefined if none is known. A line that speaks to the agent decides nothing.
 */
function decidingLine(run: RunView, expect: Expectation | undefined): string | undefined {
  const lines = tellingLines(run);
  const withPattern = (pattern: string | undefined): string | undefined =>
    pattern === undefined ? undefined : lines.find((line) => hasParts(line, partsOfPattern(pattern)));
  return (
    withPattern(expect?.lacks) ??
    (addressedIn(run.trouble) === undefined ? run.trouble : undefined) ??
    withPattern(expect?.contains) ??
    lines.find((line) => state.test(line)) ??
    (lines.length === 1 ? lines[0] : largestOf(lines))
  );
}

const quantity =
  /^(?:count|size|used|total|mem|memory|rss|vsz|bytes|rows|messages|lag|num|avg|sum|max|cpu|pcpu|pmem|connections|sessions|n)$|%/i;
const withUnit = /^(\d{1,15}(?:[.,]\d{1,9})?)([KMGTP]i?B?|B|%)$/;
const scale = "BKMGTP";

/** In bytes or percent; a bare number as it is. Undefined if it is no amount. */
function amountIn(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  if (/^\d{1,15}(?:\.\d{1,9})?$/.test(word)) return Number(word);
  const [, number = "", unit = ""] = withUnit.exec(word) ?? [];
  return number === ""
    ? undefined
    : Number(number.replace(",", ".")) * 1_024 ** Math.max(0, scale.indexOf(unit.charAt(0)));
}

interface ListRow {
  readonly line: string;
  readonly cells: readonly string[];
}

/** The row with the largest amount, if a head names the amounts or they have units. A number alone may be an id. */
function largestOf(lines: readonly string[]): string | undefined {
  const isBarred = lines.some((line) => line.includes(" | "));
  const rows = lines.map((line): ListRow => {
    const cells = isBarred ? line.split("|").map((cell) => cell.trim()) : line.trim().split(/\s+/);
    return { line, cells };
  });
  const [head, ...below] = rows;
  if (!head) return undefined;
  const columns = [...head.cells.keys()].filter((at) => quantity.test(head.cells[at] ?? ""));
  const isHeaded = columns.length > 0 && head.cells.every((cell) => amountIn(cell) === undefined);
  if (!isHeaded)
    return largestBy(rows, ({ cells }) => (withUnit.test(cells[0] ?? "") ? amountIn(cells[0]) : undefined));
  if (below.some(({ cells }) => cells.length > head.cells.length)) return undefined;
  // A share says more than a size; else the column that the list is sorted by.
  const isSorted = (at: number): boolean => {
    const amounts = below.map(({ cells }) => amountIn(cells[at]) ?? Number.NaN);
    return amounts.every((amount, index) => index === 0 || (amounts[index - 1] ?? 0) >= amount);
  };
  const shares = columns.filter((at) => head.cells[at]?.includes("%"));
  const told = shares.length > 0 ? shares : columns;
  const column = told.find(isSorted) ?? told.at(-1);
  return column === undefined ? undefined : largestBy(below, ({ cells }) => amountIn(cells[column]));
}

/** Of two rows or more; totals and folders that hold all others are left out. */
function largestBy(rows: readonly ListRow[], amountOf: (row: ListRow) => number | undefined): string | undefined {
  const labels = rows.map(({ cells }) => cells.at(-1) ?? "");
  const isTotal = (label: string): boolean => /^(?:total|\.)$/i.test(label);
  const holdsAll = (label: string): boolean =>
    label.startsWith("/") && labels.every((other) => other.startsWith(label) || isTotal(other));
  const kept = rows.filter((_, at) => rows.length < 3 || !(isTotal(labels[at] ?? "") || holdsAll(labels[at] ?? "")));
  const amounts = kept.map(amountOf);
  if (kept.length < 2 || amounts.some((amount) => amount === undefined)) return undefined;
  const most = Math.max(...amounts.map(Number));
  // Two that are equally large decide nothing.
  return amounts.indexOf(most) === amounts.lastIndexOf(most) ? kept[amounts.indexOf(most)]?.line : undefined;
}

type AlikeRuns = readonly [RunView, ...RunView[]];

const alikeOf = (runs: readonly RunView[]): readonly AlikeRuns[] =>
  [
    ...Map.groupBy(runs, ({ step, ending, outcome, trouble, excerpt }) =>
      JSON.stringify([step, ending, outcome, trouble, excerpt]),
    ).values(),
  ].flatMap(([first, ...others]): readonly AlikeRuns[] => (first ? [[first, ...others]] : []));

/** Cuts outputs to head and tail, and says how to read them whole. */
function shortened(action: ActionView, limit: number): ActionView {
  const half = Math.floor(limit / 2);
  const runs = action.runs.map((run) => {
    if (!run.excerpt || run.excerpt.length <= limit) return run;
    const place = outputPlace(action.spec.targets, { ...run, server: "<server>" });
    const how = `/output ${action.number} ${place}`.trimEnd();
    const mark = `  ⋯ shortened, since this comment is full · ${how} ⋯`;
    const excerpt = [run.excerpt.slice(0, half), mark, limit === 0 ? "" : run.excerpt.slice(-half)].join("\n").trim();
    return { ...run, excerpt };
  });
  return { ...action, runs };
}
