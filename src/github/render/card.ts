import { type Confidence, type Phase, phases, type RunbookLink } from "../../base/agent.ts";
import { loadTemplate } from "../../base/template.ts";
import { saidOnce } from "./confidence.ts";
import { renderAction, renderHead } from "./entry.ts";
import { clock, count, type Markdown, paragraphs, renderNote } from "./ink.ts";
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
  const first = isFirst ? prose : (news ?? "");
  return card({
    status: `${phase}${sure === "" ? "" : ` — ${sure}`}${first === "" ? "" : ` · ${first}`}`,
    prose: isFirst ? "" : prose,
    question: view.question,
    similar: view.similar ? renderSimilar(view.similar, markdown) : "",
    actions: view.actions.map((action) => renderAction(action, markdown, view.actions)).join("\n"),
    how: paragraphs(renderHow(view.actions, hint, markdown), renderElsewhere(view.elsewhere ?? [], hint, markdown)),
    footer: view.actions.length === 0 || view.offline ? "" : "*Explanations are the model's, not verified.*",
    suggestions: renderSuggestions(view.suggestions, markdown),
    runbooks: renderRunbooks(view.runbooks, markdown),
    notes: otherNotes.join("\n\n"),
  });
}

/** A card without a turn: what a person wrote with `/run`, or what is proposed anew. No prose stands above it. */
export function renderOwnCard(actions: readonly ActionView[], hint: ApprovalHint, markdown: Markdown): string {
  const entries = actions.map((action) => renderAction(action, markdown)).join("\n");
  return paragraphs(entries, renderHow(actions, hint, markdown));
}

/** How to decide on the open ones: how many people, who, until when. An incident's first card calls the team, no other does. */
export function renderHow(actions: readonly ActionView[], hint: ApprovalHint, markdown: Markdown): string {
  const open = actions.filter((action) => action.state === "proposed");
  if (open.length === 0) return "";
  if (!hint.executes) return "This bot only proposes here (`execution.enabled: false`): nothing can be run.";
  if (hint.who === undefined) return "Nobody may approve: `policy.approvers` is empty.";
  const plainly = open.filter((action) => action.spec.risk !== "high");
  const high = open.filter((action) => action.spec.risk === "high");
  const first = open[0]?.number;
  const lines: string[] = [];
  if (plainly.length > 0) {
    const needed = Math.max(...plainly.map((a) => hint.needed[a.spec.risk === "low" ? "low" : "medium"]));
    lines.push(
      `\`/approve ${plainly.map((a) => a.number).join(" ")}\` · ${count(needed, "approver")}, ${hint.who} · ${deadlines(plainly)} · \`/reject ${first} why\` · \`/help\``,
    );
  }
  for (const action of high) {
    const restated = hint.restate ? ` ${action.spec.place.replaceAll(", ", ",")} <why>` : "";
    lines.push(
      `${markdown.code(`/approve ${action.number}${restated}`)} · ${count(hint.needed.high, "approver")}, ${hint.who} · until ${clock(action.expiresAt)} · high risk: one comment for this alone, with server and reason`,
    );
  }
  if (hint.call !== "" && actions.some(({ number }) => number === 1)) lines.push(`📣 ${hint.call}`);
  return lines.join("\n\n");
}

/** `until 14:02Z`, and by number where they differ: `1 2 until 14:02Z, 3 until 14:40Z`. */
function deadlines(actions: readonly ActionView[]): string {
  const together = Map.groupBy(actions, ({ expiresAt }) => `until ${clock(expiresAt)}`);
  if (together.size === 1) return [...together.keys()].join("");
  return [...together].map(([until, same]) => `${same.map(({ number }) => number).join(" ")} ${until}`).join(", ");
}

/** What was proposed before and still waits: the command is read on its own card, so that is linked. */
function renderElsewhere(actions: NonNullable<CardView["elsewhere"]>, hint: ApprovalHint, markdown: Markdown): string {
  if (actions.length === 0) return "";
  const items = actions.map(
    ({ number, url }) => `**${number}**${url === undefined ? "" : ` (${markdown.link("card", url)})`}`,
  );
  return `Still open: ${items.join(" · ")}\n\n${renderHow(actions, { ...hint, call: "" }, markdown)}`;
}

/** Calls the team to what nobody has decided on; what exactly would run stands on the card alone. `at` is when it expires. */
export const renderReminder = (
  actions: readonly ActionView[],
  at: Date,
  hint: ApprovalHint,
  markdown: Markdown,
): string =>
  [
    `⏰ **Nobody has decided, and it expires at ${clock(at)}.** ${hint.call}`.trimEnd(),
    actions.map((action) => `- ${renderHead(action, markdown)}`).join("\n"),
    renderHow(actions, { ...hint, call: "" }, markdown),
  ].join("\n\n");

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
