import { isUnfinished } from "../../base/action.ts";
import type { Hypothesis } from "../../base/agent.ts";
import { loadTemplate } from "../../base/template.ts";
import type { Hold } from "../../store/holds.ts";
import type { Incident, Session } from "../../store/incidents.ts";
import type { Lease } from "../../store/leases.ts";
import { type AlertView, renderAlertState } from "./alert.ts";
import { renderFacts } from "./batch.ts";
import { phaseLine } from "./card.ts";
import { renderChanges, type ShownChanges } from "./changes.ts";
import { markEnds } from "./ending.ts";
import { inTellingOrder, renderHypothesis } from "./hypotheses.ts";
import { clock, type Markdown, name, paragraphs, renderNote, riskMark, utcMinute } from "./ink.ts";
import { type ActionView, approversOf, giverOf, pullRequestWords, renderPlace, stateWords } from "./state.ts";

export interface BoardView {
  readonly incident: Pick<Incident, "state" | "phase" | "cause" | "openerLogin" | "plan">;
  readonly session: Pick<Session, "id" | "userLogin" | "steps" | "stepLimit">;
  readonly holds: readonly (Pick<Hold, "login" | "heldAt"> & { readonly whole: boolean })[];
  readonly lease: LeaseView | null;
  /** Of the services, before the incident; null if none are known. */
  readonly changes: ShownChanges | null;
  /** Null if people opened the issue. */
  readonly alert: AlertView | null;
  readonly actions: readonly ActionView[];
  /** Of the actions that are not among these: they have ended, and their rows stay as they are. */
  readonly kept?: readonly BoardRow[];
  /** The longest unchanged first. */
  readonly hypotheses: readonly Hypothesis[];
  /** E.g. `reading the incident`. */
  readonly doing: string;
  /** E.g. that the repository's rules cannot be read (INJ-2). */
  readonly notes: readonly string[];
  /** How far the audit had come: a witness outside the store (SR-64). */
  readonly checkpoint: { readonly size: number; readonly head: string; readonly note: string | undefined };
}

const board = loadTemplate("comments/board.md");

/** Enough to find it in the log; `/status` has it whole. */
const shownSession = 8;

/** Edited in place; of the model's words only its hypotheses, each one inert line. */
export function renderBoard(view: BoardView, markdown: Markdown): string {
  const { incident, session } = view;
  const held = view.holds.map(
    ({ login, heldAt, whole }) =>
      ` · ✋ ${whole ? "whole repository " : ""}held by ${name(login)} since ${utcMinute(heldAt)}, \`/resume${whole ? " all" : ""}\``,
  );
  const lease = view.lease ? ` · ${leaseLine(view.lease, markdown)}` : "";
  const holder = session.userLogin === incident.openerLogin ? "" : ` · with ${name(session.userLogin)}`;
  const { steps, stepLimit } = session;
  // Stays as long as it is so (AR-17).
  const isUsedUp = incident.state === "open" && steps >= stepLimit;
  const usedUp = `The agent has used all ${stepLimit} of its steps and proposes nothing more. \`/resume\` grants more; \`/run\` works without it.`;
  const isClosed = incident.state === "closed";
  const cause = incident.cause === null ? "no cause was given" : markdown.plain(incident.cause);
  const rows = [...(view.kept ?? []), ...view.actions.map((action) => boardRow(action, markdown, view.actions))].sort(
    (one, other) => one.number - other.number,
  );
  const outcome = isClosed ? renderOutcome(view.actions, rows, markdown) : undefined;
  const at = isClosed
    ? `**Closed** · ${cause}`
    : `${phaseLine(incident.phase)} · ${incident.state}${stepWords(session)}`;
  return board({
    status: `${at}${holder}${held.join("")}${lease}`,
    closed: outcome?.text ?? "",
    alert: view.alert ? renderAlertState(view.alert, markdown) : "",
    doing: view.doing === "" ? "" : `⏳ ${markdown.plain(view.doing)}`,
    hypotheses: renderHypotheses(view, markdown),
    plan: incident.state === "open" ? renderPlan(incident.plan, rows) : "",
    changes: view.changes ? renderChanges(view.changes, markdown) : "",
    actions: renderActions(rows, markdown, outcome?.shown),
    notes: [...view.notes, ...(isUsedUp ? [usedUp] : [])].map((note) => renderNote(note, markdown)).join("\n\n"),
    session: session.id.slice(-shownSession),
    opener: name(incident.openerLogin),
    checkpoint: `audit ${view.checkpoint.size}:${view.checkpoint.head.slice(0, 16)}${view.checkpoint.note === undefined ? "" : `<!-- ${view.checkpoint.note.trim().replaceAll("\n", " | ")} -->`}`,
  });
}

/** ` · step 2 of 20`; empty before the model's first. */
export const stepWords = ({ steps, stepLimit }: Pick<Session, "steps" | "stepLimit">): string =>
  steps === 0 ? "" : ` · step ${steps} of ${stepLimit}`;

/** As `endIncident` gives its reason. */
const endedTheIncident = /^(?:closed by @|the issue was )/;

/** An incident of weeks can have hundreds; the rows below have more. */
const mostNamed = 10;

/** What changed, what each check of it showed, what was still open when the incident was closed, and the numbers of all these. */
function renderOutcome(
  actions: readonly ActionView[],
  rows: readonly BoardRow[],
  markdown: Markdown,
): { readonly text: string; readonly shown: ReadonlySet<number> } {
  const { whose, isOnes } = approverOfAll(rows);
  const wordsOf = (action: ActionView): string => {
    const { mark, words, isPlain } = markEnds(action.runs, markdown);
    const how = action.state !== "done" || isPlain ? "" : ` (${mark} ${words})`;
    const pull = action.pullRequest ? ` (${pullRequestWords(action.pullRequest, markdown)})` : "";
    const own = isOnes || action.state !== "done" ? "" : approversOf(action);
    const by = own === "" ? "" : `, by ${own}`;
    return `**${action.number}** ${command(action, markdown)} on ${renderPlace(action.spec, markdown)}${how}${pull}${by}`;
  };
  const changed = actions.filter(({ state, spec }) => state === "done" && spec.risk !== "low");
  const startsOf = ({ runs }: ActionView): readonly number[] => runs.map(({ startedAt }) => startedAt?.getTime() ?? 0);
  const endOf = ({ runs }: ActionView): number =>
    Math.max(...runs.map(({ startedAt, durationMs }) => (startedAt?.getTime() ?? 0) + (durationMs ?? 0)));
  const isBehind = (check: ActionView, change: ActionView): boolean =>
    check.spec.checks === change.number || Math.min(...startsOf(check)) > endOf(change);
  const checks = actions.filter(
    (action) =>
      action.state === "done" &&
      action.spec.risk === "low" &&
      action.runs.length > 0 &&
      changed.some((change) => isBehind(action, change)),
  );
  const isLast = (check: ActionView): boolean => changed.every((change) => isBehind(check, change));
  const undone = actions.filter(
    ({ state, stateReason }) => state === "expired" || (state === "void" && endedTheIncident.test(stateReason ?? "")),
  );
  const named = (some: readonly ActionView[]): string => {
    const before = some.length > mostNamed ? `${some.length - mostNamed} before and ` : "";
    return some.length === 0 ? "nothing" : `${before}${some.slice(-mostNamed).map(wordsOf).join(", ")}`;
  };
  const factsOf = (some: readonly ActionView[]): readonly string[] =>
    some.flatMap((action) => renderFacts(action, markdown));
  const listed = (title: string, some: readonly ActionView[]): string => {
    const lines = factsOf(some);
    const before = lines.length > mostNamed ? [`- ${lines.length - mostNamed} before`] : [];
    const list = [...before, ...lines.slice(-mostNamed).map((line) => `- ${line}`)].join("\n");
    return lines.length === 0 ? "" : paragraphs(title, list);
  };
  const between = checks.filter((check) => !isLast(check));
  const last = checks.filter(isLast);
  const text = [
    `**Changed**${isOnes && changed.length > 0 ? `, by ${whose}` : ""} · ${named(changed)}`,
    listed("**Checked between the changes**", between),
    changed.length === 0 ? "" : listed("**Checked after the last change**", last) || noneSince,
    undone.length === 0 ? "" : `**Not run** · ${named(undone)}`,
  ]
    .filter((line) => line !== "")
    .join("\n\n");
  const whole = [between, last].filter((some) => factsOf(some).length <= mostNamed).flat();
  const shown = [...changed.slice(-mostNamed), ...whole, ...undone.slice(-mostNamed)];
  return { text, shown: new Set(shown.map(({ number }) => number)) };
}

/** Who approved what ran, if it was the same each time. */
function approverOfAll(rows: readonly BoardRow[]): { readonly whose: string; readonly isOnes: boolean } {
  const done = rows.filter(({ state }) => state === "done");
  const [whose = "", ...others] = new Set(done.map(({ by }) => by));
  return { whose, isOnes: done.length > 1 && whose !== "" && others.length === 0 };
}

const noneSince = "**Checked after the last change** · nothing";

const planLines = 12;
const planned = /^\s*(?:•|\d{1,3}[.)]) (done|to do):\s*(.*?)\s*$/;

/** What is to do and stands in no row below: a row knows better how far it is. `/plan` shows all. */
function renderPlan(plan: string, actions: readonly BoardRow[]): string {
  if (plan === "") return "";
  // A part of a block would leave it open, and so swallow the board.
  if (/^\s*(?:`{3}|~{3}|<)/m.test(plan)) return paragraphs("**Plan** · the agent's, not verified", plan);
  const rows = new Map(
    actions
      .filter((action) => action.state === "done" || isUnfinished(action))
      .map(({ title, state }) => [title, state]),
  );
  const lines = plan.split("\n").filter((line) => line.trim() !== "");
  const left = lines.filter((line) => {
    const [, mark, step = ""] = planned.exec(line) ?? [];
    return mark !== "done" && !rows.has(step);
  });
  if (left.length === 0) return "";
  const done = lines.filter((line) => {
    const [, mark, step = ""] = planned.exec(line) ?? [];
    return mark === "done" || rows.get(step) === "done";
  }).length;
  const rest = left.length > planLines ? " · all of it: `/plan`" : "";
  const head = `**Plan** · the agent's, not verified${done === 0 ? "" : ` · ${done} done`}${rest}`;
  return paragraphs(head, left.slice(0, planLines).join("\n"));
}

const shownHypotheses = 4;

/** Closed, it keeps what was settled. */
function renderHypotheses({ incident, hypotheses }: BoardView, markdown: Markdown): string {
  const kept = inTellingOrder(hypotheses).filter(
    ({ status }) => incident.state === "open" || status === "confirmed" || status === "refuted",
  );
  if (kept.length === 0) return "";
  const lines = kept.slice(0, shownHypotheses).map((one) => renderHypothesis(one, markdown));
  return ["**Hypotheses** · the agent's, with the runs they rest on", "", ...lines].join("\n");
}

type LeaseView = Pick<Lease, "via" | "login" | "servers" | "endsAt" | "used" | "maxCommands">;

const namedServers = 3;

/** `lease by @lee for web-1 until 12:40Z, 3 of 20 commands used, /lease off` */
export function leaseLine({ via, login, servers, endsAt, used, maxCommands }: LeaseView, markdown: Markdown): string {
  const place = servers.length > namedServers ? `${servers.length} servers` : servers.map(markdown.code).join(", ");
  return `lease by ${giverOf({ via, login })} for ${place} until ${clock(endsAt)}, ${used} of ${maxCommands} commands used, \`/lease off\``;
}

/** Rows, the beginning of the hash at their end, any signed note. */
export function readCheckpoint(
  board: string,
): { readonly size: number; readonly head: string; readonly note: string | undefined } | undefined {
  const [, size, head = "", note] = /audit (\d+):([0-9a-f]*)(?:<!-- ([^\n]*) -->)?<\/sub>\s*$/.exec(board) ?? [];
  if (size === undefined) return undefined;
  return { size: Number(size), head, note: note === undefined ? undefined : `${note.replaceAll(" | ", "\n")}\n` };
}

/** The checkpoint grows with every incident and is no reason for an edit. */
export const sameBoard = (a: string, b: string): boolean => withoutCheckpoint(a) === withoutCheckpoint(b);

const withoutCheckpoint = (board: string): string =>
  board.replace(/audit \d+:[0-9a-f]*(?:<!-- [^\n]* -->)?(?=<\/sub>$)/, "");

/** More ended actions stand one tap away. */
const endedRows = 3;
/** A comment has room for these and the checkpoint (RR-24). */
const foldedRows = 100;

/** An action as the board lists it, in its parts, because what all rows have in common is said above them. */
export interface BoardRow extends Pick<ActionView, "number" | "state"> {
  readonly title: string;
  /** Its state; of one that ran only the mark. */
  readonly mark: string;
  readonly what: string;
  readonly place: string;
  /** How it ended, unless the mark says it. */
  readonly words: string;
  readonly by: string;
  readonly pull: string;
}

/** `beside` has the change that it may be the check of. */
export function boardRow(action: ActionView, markdown: Markdown, beside: readonly ActionView[] = []): BoardRow {
  const { number, state, spec, runs, pullRequest } = action;
  const short = { code: (text: string) => markdown.code(cut(text)), note: markdown.note };
  const shared = {
    ...{ number, state, title: markdown.plain(action.title), what: command(action, markdown) },
    place: renderPlace(spec, markdown),
  };
  if (state !== "done") {
    const risk = state === "proposed" ? `${riskMark(spec.risk)} · ` : "";
    return { ...shared, mark: `${risk}${stateWords(action, short, beside)}`, words: "", by: "", pull: "" };
  }
  // As on its run card.
  const { mark, words, isPlain } = markEnds(runs, short);
  const pull = pullRequest ? pullRequestWords(pullRequest, markdown) : "";
  return { ...shared, mark, words: isPlain ? "" : words, by: approversOf(action), pull };
}

/** What stands above (`shown`) is not said again; the rest of a closed incident is one tap away. */
function renderActions(rows: readonly BoardRow[], markdown: Markdown, shown?: ReadonlySet<number>): string {
  const ended = rows.filter((row) => !isUnfinished(row) && !shown?.has(row.number));
  if (ended.length === 0 && shown) return "";
  if (ended.length <= endedRows && !shown?.size) return renderList(rows);
  const open = renderList(rows.filter((row) => isUnfinished(row)));
  const { whose, isOnes } = approverOfAll(rows);
  // A summary is HTML.
  const inSummary = (text: string): string => text.replace(/`([^`]*)`/g, (_, code) => markdown.htmlCode(code));
  const by = isOnes && !shown ? `; ${inSummary(whose)} approved what ran` : "";
  const [place = "", ...places] = new Set(ended.map((row) => row.place));
  const isOnePlace = places.length === 0;
  const on = isOnePlace ? ` on ${inSummary(place)}` : "";
  const what = `${shown?.size ? "other " : ""}action${ended.length === 1 ? "" : "s"}`;
  const earlier = ended.length > foldedRows ? `The newest ${foldedRows}. Older ones are on their cards.\n\n` : "";
  const list = renderList(ended.slice(-foldedRows), { isByOne: isOnes, isOnePlace });
  const folded = `<details><summary>${ended.length} ${what} ended${on}${by}</summary>\n\n${earlier}${list}\n\n</details>`;
  return open === "" ? folded : `${open}\n\n${folded}`;
}

/** A list, because four columns fit no phone. */
const renderList = (rows: readonly BoardRow[], { isByOne = false, isOnePlace = false } = {}): string =>
  rows
    .map(({ number, state, mark, what, place, words, by, pull }) => {
      const where = `${what}${isOnePlace ? "" : ` on ${place}`}`;
      const parts = state === "done" ? [`${mark} ${where}`, words, isByOne ? "" : by, pull] : [mark, where];
      return `- **${number}**: ${parts.filter((part) => part !== "").join(" · ")}`;
    })
    .join("\n");

/** It does not wrap on a phone; the run card has it whole. */
const cut = (line: string): string => (line.length > lineCharacters ? `${line.slice(0, lineCharacters)}…` : line);
const lineCharacters = 20;

const command = ({ spec }: ActionView, markdown: Markdown): string =>
  spec.set ? `${spec.set.length} checks` : markdown.brief(spec.command);
