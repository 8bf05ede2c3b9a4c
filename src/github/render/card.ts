import { isUndecided, serversIn } from "../../base/action.ts";
import { type Confidence, type Phase, phases, type RunbookLink } from "../../base/agent.ts";
import type { Expectation } from "../../base/run.ts";
import { loadTemplate } from "../../base/template.ts";
import {
  clock,
  count,
  duration,
  indent,
  type Markdown,
  paragraphs,
  renderCommand,
  renderNote,
  riskMark,
} from "./ink.ts";
import { type ActionView, approversOf, filledWords, isAuto, openWords, stateWords } from "./state.ts";

export interface CardView {
  readonly phase: Phase;
  readonly confidence: Confidence | null;
  readonly prose: string;
  /** What the repository's files that it links to stand behind, where any were read. */
  readonly blobUrl?: string | undefined;
  /** What the agent asks people in it, as it is to be read. */
  readonly question: string;
  readonly offline: boolean;
  readonly suggestions: readonly string[];
  /** With how each has done before, where that is known. */
  readonly runbooks: readonly (RunbookLink & { readonly record?: string })[];
  readonly notes: readonly string[];
  /** An incident of before that reads like this one. */
  readonly similar?: SimilarView | undefined;
  readonly actions: readonly ActionView[];
  /** What stands on other cards and waits for a decision, each with its card's address where that is known. */
  readonly elsewhere?: readonly (ActionView & { readonly url?: string | undefined })[];
}

interface SimilarView {
  readonly number: number;
  readonly url: string;
  /** `today`, `12 days ago` */
  readonly closed: string;
  readonly cause: string | null;
  readonly byAgent: boolean;
  readonly helped: readonly string[];
}

const card = loadTemplate("comments/card.md");

/** `**Phase 3 of 5 · Investigate**` */
export const phaseLine = (phase: Phase): string =>
  `**Phase ${phases.indexOf(phase) + 1} of ${phases.length} · ${phase.charAt(0).toUpperCase()}${phase.slice(1)}**`;

/** A proposal card: what the agent says, then one deterministic entry an action, then how to decide (SR-31, DC-3, DC-5). */
export function renderCard(view: CardView, hint: ApprovalHint, markdown: Markdown): string {
  const phase = phaseLine(view.phase);
  const { sure, prose: words } = view.offline ? { sure: "", prose: view.prose } : saidOnce(view);
  const prose = markdown.prose(words, view.blobUrl);
  // Without a model a card says what to do next, so that stands in its first line; a runbook that is followed claims nothing.
  const isFirst = view.offline && /^(?:\p{L}|`[^`])/u.test(prose);
  const notes = view.notes.map((note) => renderNote(note, markdown));
  // What has nothing else to say says its first note there.
  const [news, ...otherNotes] = prose === "" && view.question === "" ? notes : ["", ...notes];
  const elsewhere = view.elsewhere ?? [];
  const first = isFirst ? withCall(prose, openCall(view.actions, hint)) : (news ?? "");
  return card({
    status: `${phase}${sure === "" ? "" : ` — ${sure}`}${first === "" ? "" : ` · ${first}`}`,
    prose: isFirst ? "" : prose,
    question: view.question,
    similar: view.similar ? renderSimilar(view.similar, markdown) : "",
    actions: view.actions.map((action) => renderAction(action, markdown, view.actions)).join("\n"),
    how: paragraphs(
      renderHold([...view.actions, ...elsewhere], hint),
      renderHow(view.actions, hint, markdown),
      renderElsewhere(elsewhere, hint, markdown),
    ),
    footer: view.actions.length === 0 || view.offline ? "" : "*Explanations are the model's, not verified.*",
    suggestions: renderSuggestions(view.suggestions, markdown),
    runbooks: renderRunbooks(view.runbooks, markdown),
    notes: otherNotes.join("\n\n"),
  });
}

/** `Look first; these only read. To approve: `/approve 1``: the first line holds what to type, where that is one thing. */
const withCall = (prose: string, call: string | undefined): string => {
  const [first = "", ...rest] = prose.split("\n\n");
  return call === undefined ? prose : [`${first} To approve: \`${call}\``, ...rest].join("\n\n");
};

/** A card without a turn: what a person wrote with `/run`, or what is proposed anew. No prose stands above it. */
export function renderOwnCard(actions: readonly ActionView[], hint: ApprovalHint, markdown: Markdown): string {
  const entries = actions.map((action) => renderAction(action, markdown)).join("\n");
  return paragraphs(entries, renderHold(actions, hint), renderHow(actions, hint, markdown));
}

/** What was proposed before and still waits: the command is read on its own card, so that is linked. */
function renderElsewhere(actions: NonNullable<CardView["elsewhere"]>, hint: ApprovalHint, markdown: Markdown): string {
  if (actions.length === 0) return "";
  const items = actions.map(
    ({ number, url }) => `**${number}**${url === undefined ? "" : ` (${markdown.link("card", url)})`}`,
  );
  return `Still open: ${items.join(" · ")}\n\n${renderHow(actions, { ...hint, call: "" }, markdown)}`;
}

/** Calls people to what nobody has decided on; what exactly would run stands on the card alone. `at` is when it expires. */
export const renderReminder = (
  actions: readonly ActionView[],
  at: Date,
  hint: ApprovalHint,
  markdown: Markdown,
): string =>
  renderSummons(
    `⏰ **Nobody has decided, and it expires at ${clock(at)}.** ${hint.call}`.trimEnd(),
    actions,
    hint,
    markdown,
  );

/** The same behind another first line, which mentions whom it calls. */
export const renderSummons = (
  first: string,
  actions: readonly ActionView[],
  hint: ApprovalHint,
  markdown: Markdown,
): string =>
  paragraphs(
    first,
    actions.map((action) => `- ${renderHead(action, markdown)}`).join("\n"),
    renderHow(actions, { ...hint, call: "" }, markdown),
  );

/** By letters, which nobody takes for the numbers of commands; the newest reply's alone can be taken. */
export const suggestionLetters = "abcd";
export const suggestionLines = (suggestions: readonly string[], markdown: Pick<Markdown, "plain">): readonly string[] =>
  suggestions.map((text, index) => `\`/ask ${suggestionLetters[index] ?? index + 1}\` ${markdown.plain(text)}`);

function renderSuggestions(suggestions: readonly string[], markdown: Markdown): string {
  if (suggestions.length === 0) return "";
  return ["**Suggestions**", ...suggestionLines(suggestions, markdown).map((line) => `- ${line}`)].join("\n");
}

/** `🔁 **Similar incident** · #1, closed today: debug log level left on; helped: …` */
function renderSimilar({ number, url, closed, cause, byAgent, helped }: SimilarView, markdown: Markdown): string {
  const said = cause === null ? "" : `: ${markdown.plain(cause)}${byAgent ? " (the agent's words)" : ""}`;
  const commands = helped.length === 0 ? "" : `; helped: ${helped.map(markdown.brief).join(", ")}`;
  return `🔁 **Similar incident** · ${markdown.link(`#${number}`, url)}, closed ${closed}${said}${commands}`;
}

function renderRunbooks(links: CardView["runbooks"], markdown: Markdown): string {
  if (links.length === 0) return "";
  const items = links.map(
    ({ label, url, record }) => `${markdown.link(label, url)}${record === undefined ? "" : ` (${record})`}`,
  );
  return `📖 **Runbook links** · ${items.join(" · ")}`;
}

/** One proposal on a card: an entry of its checklist. */

/**
 * One entry of the checklist. Number, risk, server, findings and command come from the action alone; `beside` it stand the others
 * of its card, of which one may be its check.
 */
export function renderAction(action: ActionView, markdown: Markdown, beside: readonly ActionView[] = []): string {
  const { spec } = action;
  const gone = ["superseded", "expired", "void", "rejected", "blocked"].includes(action.state);
  const line = `${renderHead(action, markdown)}${isAuto(action) ? " · 🤖 lease" : ""}`;
  const lines = [
    `- [${action.state === "done" ? "x" : " "}] ${gone ? `~~${line}~~ ${stateWords(action, markdown)}` : line}${
      action.description === "" || gone ? "" : ` — ${markdown.plain(action.description)}`
    }`,
  ];
  if (spec.risk !== "low") lines.push(`  ${riskReasons(action, markdown)}`);
  if (spec.set) lines.push(`  *${spec.set.length} checks, one approval:* each runs by itself, in a shell of its own`);
  for (const member of spec.set ?? [])
    if (member.expect)
      lines.push(`  *expects of* ${markdown.code(member.command)}*:* ${expectationWords(member.expect, markdown)}`);
  if (spec.expect) lines.push(`  *expects:* ${expectationWords(spec.expect, markdown)}`);
  const own = beside.find((other) => other.spec.command === spec.check && other.spec.place === spec.place);
  const carried = spec.ownCheck?.split("\n") ?? [];
  const advised = spec.check === undefined || carried.includes(spec.check) ? undefined : spec.check;
  if (own && advised !== undefined) lines.push(`  *check, by the runbook:* **${own.number}**`);
  else if (advised !== undefined) lines.push(`  *check, by the runbook:* ${markdown.code(advised)}`);
  if (spec.undo !== undefined)
    lines.push(
      `  *undo, by the runbook:* ${/^none\b/i.test(spec.undo) ? markdown.plain(spec.undo) : markdown.code(spec.undo)}`,
    );
  if (carried.length > 0) lines.push(`  *then, under the same approval:* ${carried.map(markdown.code).join(" · ")}`);
  if (spec.unbounded?.length && action.state === "proposed") lines.push(`  ${endWords(spec, markdown)}`);
  if (action.attended !== undefined) lines.push(`  *left to people:* ${markdown.plain(action.attended)}`);
  if (spec.tidied?.length)
    lines.push(`  *changed from what was written:* ${spec.tidied.map(markdown.plain).join("; ")}`);
  if (spec.filled?.length) lines.push(`  *filled in:* ${filledWords(spec.filled, markdown)}`);
  if (action.state === "incomplete")
    lines.push(`  *needs a value before it can be approved:* ${openWords(action, markdown)}`);
  lines.push(...renderServers(spec, markdown), indent(renderCommand(spec.command, markdown)));
  if (action.probe !== undefined) lines.push("", indent(action.probe));
  return lines.join("\n");
}

/** What of a command nothing ends by itself, and when it is ended. */
function endWords({ unbounded = [], targets }: ActionView["spec"], markdown: Markdown): string {
  const what = unbounded.map(
    ({ what, instead }) =>
      `${markdown.plain(what)}${instead === undefined ? "" : ` (bounded: ${markdown.code(instead)})`}`,
  );
  const limit = Math.max(...targets.map(({ hardTimeoutMs = 0 }) => hardTimeoutMs));
  return `*no end of its own:* ${what.join("; ")}${limit > 0 ? `; ended after ${duration(limit)}` : ""}`;
}

/** `**4** · 🟡 medium · `web-1` · **Rotate the log now**` */
const renderHead = ({ number, spec, title }: ActionView, markdown: Markdown): string =>
  `**${number}** · ${riskMark(spec.risk)} · ${renderPlace(spec, markdown)} · **${markdown.plain(title)}**`;

/** What a run must come to, or it counts as failed: `exit 0 · "active" in its output · within 30 s`. */
const expectationWords = ({ exit, contains, lacks, withinMs }: Expectation, markdown: Markdown): string =>
  [
    `exit ${exit}`,
    ...(contains === undefined ? [] : [`${markdown.code(contains)} in its output`]),
    ...(lacks === undefined ? [] : [`no ${markdown.code(lacks)} in its output`]),
    ...(withinMs === undefined ? [] : [`within ${duration(withinMs)}`]),
  ].join(" · ");

/** `web-1`, or `web` with the servers that it is. */
export const renderPlace = ({ place, targets }: ActionView["spec"], markdown: Markdown): string =>
  serversIn(targets).length === 1
    ? markdown.code(targets[0]?.server ?? place)
    : `${markdown.code(place)} (${serversIn(targets).length} servers)`;

/** The three strictest, and how many there are beside them: nobody may take three reasons for all. */
function riskReasons({ spec, findings }: ActionView, markdown: Markdown): string {
  const reasons = findings.filter(({ risk }) => risk !== "low").map(({ text }) => markdown.plain(text));
  const rest = reasons.length - 3;
  const more = rest > 0 ? ` and ${count(rest, "more reason")}` : "";
  return `*why ${spec.risk === "block" ? "blocked" : spec.risk}:* ${reasons.slice(0, 3).join("; ")}${more}`;
}

/** What a card says of how to approve; the operator's policy, in words. */
export interface ApprovalHint {
  /** `anyone in acme/oncall`, or nothing where nobody may approve. */
  readonly who: string | undefined;
  /** The mention of the teams that may approve; empty where there are none. */
  readonly call: string;
  readonly needed: Readonly<Record<"low" | "medium" | "high", number>>;
  /** High risk wants the server named and a reason. */
  readonly restate: boolean;
  /** False: the bot proposes only (`execution.enabled`). */
  readonly executes: boolean;
  /** What lifts the holds that stand, as `/resume`: until then nobody can approve. */
  readonly lifts?: readonly string[];
}

/** How to decide on the open ones: how many people, who, until when. An incident's first card calls the team, no other does. */
export function renderHow(actions: readonly ActionView[], hint: ApprovalHint, markdown: Markdown): string {
  const open = actions.filter((action) => action.state === "proposed");
  if (open.length === 0) return "";
  if (!hint.executes) return "This bot only proposes here (`execution.enabled: false`): nothing can be run.";
  if (hint.who === undefined) return "Nobody may approve: `policy.approvers` is empty.";
  const undecided = actions.filter(isUndecided);
  const later = open.filter((action) => action.spec.risk !== "high" && isLater(action, undecided));
  const plainly = open.filter((action) => action.spec.risk !== "high" && !later.includes(action));
  const high = open.filter((action) => action.spec.risk === "high");
  const first = open[0]?.number;
  // What has an approval already wants fewer than what stands beside it.
  const together = [plainly.filter((action) => !isBegun(action)), ...plainly.filter(isBegun).map((action) => [action])];
  const lines = together.flatMap((some) => {
    if (some.length === 0) return [];
    const needed = Math.max(...some.map((a) => hint.needed[a.spec.risk === "low" ? "low" : "medium"]));
    return `\`/approve ${some.map((a) => a.number).join(" ")}\` · ${approversLeft(some, needed)}, ${hint.who} · ${deadlines(some)} · \`/reject ${first} why\` · \`/help\``;
  });
  for (const action of high) {
    const restated = hint.restate ? ` ${action.spec.place.replaceAll(", ", ",")} <why>` : "";
    lines.push(
      `${markdown.code(`/approve ${action.number}${restated}`)} · ${approversLeft([action], hint.needed.high)}, ${hint.who} · until ${clock(action.expiresAt)} · high risk: one comment for this alone, with server and reason`,
    );
  }
  const behind = later.filter(({ spec }) => !undecided.some(({ number }) => number === spec.checks));
  if (behind.length > 0)
    lines.push(`Behind these, once they have run: ${behind.map(({ number }) => `**${number}**`).join(", ")}`);
  if (hint.call !== "" && actions.some(({ number }) => number === 1)) lines.push(`📣 ${hint.call}`);
  return lines.join("\n\n");
}

/** What comes before any approval while a hold stands; empty where nothing is open. */
function renderHold(actions: readonly ActionView[], { executes, who, lifts = [] }: ApprovalHint): string {
  const mayBeApproved = executes && who !== undefined && actions.some(({ state }) => state === "proposed");
  return mayBeApproved && lifts.length > 0
    ? `✋ On hold: ${lifts.map((lift) => `\`${lift}\``).join(" and ")} first.`
    : "";
}

/**
 * Whether an approval of it would be refused now, or comes by itself: it is the check of something undecided, or stands in its list
 * behind a change that needs a comment of its own.
 */
const isLater = ({ number, card, spec }: ActionView, undecided: readonly ActionView[]): boolean =>
  undecided.some(
    (one) =>
      one.number === spec.checks ||
      (one.card === card &&
        one.number < number &&
        one.spec.risk !== "low" &&
        (one.spec.risk === "high" || one.state === "incomplete" || isBegun(one))),
  );

/** What approves all that is open; undefined where that takes more than one number, or more words than that. */
function openCall(actions: readonly ActionView[], { executes, who, lifts = [] }: ApprovalHint): string | undefined {
  const [only, another] = actions.filter((action) => action.state === "proposed");
  const isPlain =
    executes && who !== undefined && lifts.length === 0 && another === undefined && only?.spec.risk !== "high";
  return isPlain && only ? `/approve ${only.number}` : undefined;
}

/** `until 14:02Z`, and by number where they differ: `1 2 until 14:02Z, 3 until 14:40Z`. */
function deadlines(actions: readonly ActionView[]): string {
  const together = Map.groupBy(actions, ({ expiresAt }) => `until ${clock(expiresAt)}`);
  if (together.size === 1) return [...together.keys()].join("");
  return [...together].map(([until, same]) => `${same.map(({ number }) => number).join(" ")} ${until}`).join(", ");
}

const isBegun = (action: ActionView): boolean => approversOf(action) !== "";

/** `two approvers`, or ``one more approver besides `@lee` `` where somebody has approved it already. */
function approversLeft([action]: readonly ActionView[], needed: number): string {
  if (!action || !isBegun(action)) return count(needed, "approver");
  const given = action.verdicts.filter(({ verdict }) => verdict === "approve").length;
  return `${count(Math.max(1, needed - given), "more approver")} besides ${approversOf(action)}`;
}

/** `LIKELY:`, `**CONFIRMED** by 4 and 6 —` at the beginning of a text, with the marks round it and what it is confirmed by. */
const opening =
  /^(?:#{1,6}\s+)?([*_`]{0,3})(CONFIRMED|LIKELY|INCONCLUSIVE)[*_`]{0,3}(?: (by [*_]{0,2}\d[\d*_, ]{0,40}(?:and [\d*_]{1,8})?))?(?:\s?[:.—–][*_`]{0,3}(?:\s+|$)|[ \t]*\n\s*|$)/;

/**
 * How sure the agent is, said once: taken from the front of its words to stand above them. Where it is part of a sentence the sentence
 * keeps it, and nothing stands above.
 */
export function saidOnce(given: { readonly confidence: Confidence | null; readonly prose: string }): {
  readonly sure: string;
  readonly prose: string;
} {
  const { confidence, prose } = given;
  const [whole = "", marks = "", word, by = ""] = opening.exec(prose) ?? [];
  if (confidence === null) return { sure: "", prose };
  const begins = (text: string): boolean => new RegExp(`^[\\W_]{0,9}${confidence}(?![A-Za-z0-9])`).test(text);
  if (word !== confidence) return { sure: begins(prose) ? "" : confidence, prose };
  const rest = prose.slice(whole.length);
  // Some say it twice.
  if (begins(rest)) return saidOnce({ confidence, prose: rest });
  const sure = [word, by.replace(/[*_]/g, "").trim()].filter((part) => part !== "").join(" ");
  const isClosed = whole.slice(whole.indexOf(word)).includes(marks);
  return { sure, prose: `${isClosed ? "" : marks}${rest.charAt(0).toUpperCase()}${rest.slice(1)}` };
}

/** Where an action runs, on its card. */

/** Of a cluster also who the bot is there, and in which namespace it acts. */
export interface TargetView {
  readonly server: string;
  readonly hardTimeoutMs?: number;
  readonly user?: string;
  readonly cluster?: { readonly namespace?: string };
}

/** On several servers, or on a cluster, the card names each: who approves must know where it runs (SR-31). */
const renderServers = (
  { targets }: { readonly targets: readonly TargetView[] },
  markdown: Markdown,
): readonly string[] =>
  serversIn(targets).length === 1 && !targets[0]?.cluster
    ? []
    : [`  *on:* ${listServers(onceEach(targets), markdown)}`];

/** A server that runs several commands of a set is named once, and of a cluster each namespace of it. */
const onceEach = (targets: readonly TargetView[]): readonly TargetView[] => [
  ...new Map(targets.map((target) => [`${target.server} ${target.cluster?.namespace ?? ""}`, target])).values(),
];

/** `prod-eu · namespace shop · as system:serviceaccount:ops:countersign`: never the wrong cluster, nor the wrong one there. */
function renderTarget({ server, user = "", cluster }: TargetView, markdown: Markdown): string {
  if (!cluster) return markdown.code(server);
  const where = cluster.namespace === undefined ? "no namespace" : `namespace ${markdown.code(cluster.namespace)}`;
  return `${markdown.code(server)} · ${where} · as ${markdown.code(user)}`;
}

/** More names than this are a wall on a phone; all of them are in `/explain`. */
const namedServers = 30;

function listServers(targets: readonly TargetView[], markdown: Markdown): string {
  const names = targets.slice(0, namedServers).map((target) => renderTarget(target, markdown));
  const rest = targets.length - names.length;
  return `${names.join(", ")}${rest > 0 ? ` and ${rest} more, each named by \`/explain\`` : ""}`;
}
