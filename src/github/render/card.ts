import { type Confidence, type Phase, phases, type RunbookLink } from "../../base/agent.ts";
import { loadTemplate } from "../../base/template.ts";
import { saidOnce } from "./confidence.ts";
import { renderAction, renderHead } from "./entry.ts";
import { type ApprovalHint, openCall, renderHold, renderHow } from "./how.ts";
import { clock, type Markdown, paragraphs, renderNote } from "./ink.ts";
import type { ActionView } from "./state.ts";

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
