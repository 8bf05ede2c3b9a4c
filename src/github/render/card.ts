import { isUndecided, type NamedValue, serversIn } from "../../base/action.ts";
import { type Confidence, type Phase, phases } from "../../base/agent.ts";
import { capitalOfOthers } from "../../base/errors.ts";
import type { Expectation } from "../../base/run.ts";
import { loadTemplate } from "../../base/template.ts";
import type { SimilarIncident } from "../../store/past-incidents.ts";
import type { Turn } from "../../store/turns.ts";
import { type BatchView, renderResults } from "./batch.ts";
import {
  clock,
  count,
  duration,
  indent,
  type Markdown,
  name,
  paragraphs,
  renderCommand,
  renderNote,
  riskMark,
} from "./ink.ts";
import { withRecords } from "./record.ts";
import { type ActionView, approversOf, fillUsage, isAuto, renderPlace, stateWords } from "./state.ts";

export interface CardView
  extends Pick<Turn, "phase" | "confidence" | "prose" | "offline" | "suggestions" | "runbooks" | "notes"> {
  /** Before the paths of the repository's files. */
  readonly blobUrl?: string | undefined;
  /** Not the incident's first, so the phase stands on the board alone. */
  readonly isLater?: boolean;
  readonly question: string;
  /** Ends that its reader has not been notified of, and results that stand nowhere else. */
  readonly news?: readonly string[];
  readonly results?: readonly BatchView[];
  /** Hidden; with those of the results. */
  readonly records?: string;
  readonly similar?: (SimilarIncident & { readonly url: string }) | undefined;
  readonly actions: readonly ActionView[];
  /** With their cards' addresses, if known. */
  readonly elsewhere?: readonly (ActionView & { readonly url?: string | undefined })[];
}

const card = loadTemplate("comments/card.md");

/** `**Phase 3 of 5 · Investigate**` */
export const phaseLine = (phase: Phase): string =>
  `**Phase ${phases.indexOf(phase) + 1} of ${phases.length} · ${phase.charAt(0).toUpperCase()}${phase.slice(1)}**`;

/** What ran, the agent's words, a deterministic entry per action, how to decide (SR-31, DC-3, DC-5). */
export function renderCard(view: CardView, hint: ApprovalHint, markdown: Markdown): string {
  const { results = [], news = [] } = view;
  const body = renderReading(view, hint, markdown);
  const records = [view.records ?? "", ...results.map((result) => result.records ?? "")].filter(Boolean).join("\n");
  const taken = paragraphs(...news, body, records).length;
  return withRecords(paragraphs(...news, renderResults(results, taken, markdown), body), records);
}

/** Nothing of the model's explains it any more. */
const isReadDone = ({ state, spec }: ActionView): boolean => state === "done" && spec.risk === "low";

function renderReading(view: CardView, hint: ApprovalHint, markdown: Markdown): string {
  const { offline, question, similar, actions, elsewhere = [], suggestions, runbooks } = view;
  // What ran comes first, and the board has the phase.
  const hasRun = (view.results ?? []).length > 0 || (view.news ?? []).some((line) => line !== "");
  const phase = hasRun || view.isLater ? "" : phaseLine(view.phase);
  const { sure, prose: words } = offline ? { sure: "", prose: view.prose } : saidOnce(view);
  const prose = markdown.prose(words, view.blobUrl);
  const notes = view.notes.map((note) => renderNote(note, markdown));
  // If nothing else is said, the first note is the first line.
  const [news = "", ...otherNotes] = prose === "" && question === "" ? notes : ["", ...notes];

  // Without a model the first line says what to do next, and any one thing to type. A followed runbook claims nothing, so it has no
  // confidence.
  const isFirst = offline && /^(?:\p{L}|`[^`])/u.test(prose);
  const call = isFirst ? openCall(actions, hint) : undefined;
  const [line = "", ...rest] = prose.split("\n\n");
  const withCall = call === undefined ? prose : [`${line} To approve: \`${call}\``, ...rest].join("\n\n");
  const first = isFirst ? withCall : news;

  const links = elsewhere.map(
    ({ number, url }) => `**${number}**${url === undefined ? "" : ` (${markdown.link("card", url)})`}`,
  );
  const stillOpen =
    elsewhere.length === 0
      ? ""
      : `Still open: ${links.join(" · ")}\n\n${renderHow(elsewhere, { ...hint, call: "" }, markdown)}`;
  const runbookLinks = runbooks.map(
    ({ label, url, record }) => `${markdown.link(label, url)}${record === undefined ? "" : ` (${record})`}`,
  );
  // The agent's card may begin with the runbook's checks.
  const ofRunbook = offline ? [] : actions.filter(({ origin }) => origin === "offline");
  const numbers = ofRunbook.map(({ number }) => `**${number}**`).join(", ");
  const from = numbers === "" ? "" : `${numbers}: `;
  return card({
    status: [[phase, phase === "" && sure !== "" ? `**${sure}**` : sure].filter(Boolean).join(" — "), first]
      .filter(Boolean)
      .join(" · "),
    prose: isFirst ? "" : prose,
    question,
    similar: similar ? renderSimilar(similar, markdown) : "",
    actions: actions.map((action) => renderAction(action, markdown, actions)).join("\n"),
    how: paragraphs(renderHold([...actions, ...elsewhere], hint), renderHow(actions, hint, markdown), stillOpen),
    footer: actions.every(isReadDone) || offline ? "" : "*Explanations are the model's, not verified.*",
    suggestions:
      suggestions.length === 0
        ? ""
        : ["**Suggestions**", ...suggestionLines(suggestions, markdown).map((text) => `- ${text}`)].join("\n"),
    runbooks: runbookLinks.length === 0 ? "" : `📖 **Runbook links** · ${from}${runbookLinks.join(" · ")}`,
    notes: otherNotes.join("\n\n"),
  });
}

/** `**Similar incident** · #1, closed today: debug log level left on` */
function renderSimilar(
  { number, url, closed, cause, byAgent, helped }: NonNullable<CardView["similar"]>,
  markdown: Markdown,
): string {
  const why = cause === null ? "" : `: ${markdown.plain(cause)}${byAgent ? " (the agent's words)" : ""}`;
  const commands = helped.length === 0 ? "" : `; helped: ${helped.map(markdown.brief).join(", ")}`;
  return `**Similar incident** · ${markdown.link(`#${number}`, url)}, closed ${closed}${why}${commands}`;
}

/** No one takes letters for numbers of commands. Only the newest reply's can be taken. */
export const suggestionLetters = "abcd";
export const suggestionLines = (suggestions: readonly string[], markdown: Pick<Markdown, "plain">): readonly string[] =>
  suggestions.map((text, index) => `\`/ask ${suggestionLetters[index] ?? index + 1}\` ${markdown.plain(text)}`);

/** `LIKELY:`, `**CONFIRMED** by 4 and 6 —` at a text's start. */
const opening =
  /^(?:#{1,6}\s+)?([*_`]{0,3})(CONFIRMED|LIKELY|INCONCLUSIVE)[*_`]{0,3}(?: (by [*_]{0,2}\d[\d*_, ]{0,40}(?:and [\d*_]{1,8})?))?(?:\s?[:.—–][*_`]{0,3}(?:\s+|$)|[ \t]*\n\s*|$)/;

/** Takes the confidence from the front of the agent's words. As part of a sentence it stays there. */
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
  // Some models say it twice.
  if (begins(rest)) return saidOnce({ confidence, prose: rest });
  const sure = [word, by.replace(/[*_]/g, "").trim()].filter((part) => part !== "").join(" ");
  const isClosed = whole.slice(whole.indexOf(word)).includes(marks);
  return { sure, prose: `${isClosed ? "" : marks}${capitalOfOthers(rest)}` };
}

/** For `/run`, or for what is proposed again; without prose. */
export function renderOwnCard(actions: readonly ActionView[], hint: ApprovalHint, markdown: Markdown): string {
  const entries = actions.map((action) => renderAction(action, markdown)).join("\n");
  // Posted while the agent still thinks, so these are its only words so far.
  const isLook = actions.length > 0 && actions.every((action) => action.origin === "model" && isAuto(action));
  const look = isLook ? "**The agent looks first**, under the lease; its reading follows." : "";
  return paragraphs(look, entries, renderHold(actions, hint), renderHow(actions, hint, markdown));
}

/** Calls people to what waits until `at`; only the card shows what would run. */
export const renderReminder = (
  actions: readonly ActionView[],
  at: Date,
  hint: ApprovalHint,
  markdown: Markdown,
): string =>
  renderSummons(
    `**Nobody has decided, and it expires at ${clock(at)}.** ${callFor(actions, hint)}`.trimEnd(),
    actions,
    hint,
    markdown,
  );

/** The reminder behind a first line with mentions. */
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

/** More are a wall on a phone. */
const namedServers = 30;

/**
 * From the action alone. `beside` are the card's actions, because one may be its check. What only helps to decide goes once that is over;
 * `/explain` has it.
 */
export function renderAction(action: ActionView, markdown: Markdown, beside: readonly ActionView[] = []): string {
  const { spec, findings } = action;
  const gone = ["superseded", "expired", "void", "rejected", "blocked"].includes(action.state);
  const isDone = action.state === "done";
  // Why something was changed is asked the next morning; what a look was for, its result tells.
  const isExplained = action.description !== "" && !gone && !isReadDone(action);
  const line = `${renderHead(action, markdown)}${isAuto(action) ? " · lease" : ""}`;
  const lines = [
    `- [${isDone ? "x" : " "}] ${gone ? `~~${line}~~ ${stateWords(action, markdown)}` : line}${
      isExplained ? ` — ${markdown.plain(action.description)}` : ""
    }`,
  ];
  const isOver = isDone || (gone && action.state !== "blocked");
  if (spec.risk !== "low" && !isOver) {
    // The three strictest, and how many more.
    const reasons = findings.filter(({ risk }) => risk !== "low").map(({ text }) => markdown.plain(text));
    const more = reasons.length > 3 ? ` and ${count(reasons.length - 3, "more reason")}` : "";
    lines.push(`  *why ${spec.risk === "block" ? "blocked" : spec.risk}:* ${reasons.slice(0, 3).join("; ")}${more}`);
  }
  if (spec.set && !isOver) lines.push(`  *${spec.set.length} checks, one approval*`);
  for (const member of spec.set ?? [])
    if (member.expect && !isOver)
      lines.push(`  *expects of* ${markdown.code(member.command)}*:* ${expectationWords(member.expect, markdown)}`);
  if (spec.expect && !isOver) lines.push(`  *expects:* ${expectationWords(spec.expect, markdown)}`);
  if (spec.guard && !isOver) {
    const { check, shows, set } = spec.guard;
    const [server, ...others] = spec.guard.on ?? serversIn(spec.targets);
    const named = spec.guard.on?.map(markdown.code).join(" and ");
    const on = named ?? (others.length > 0 || server === undefined ? "every server" : markdown.code(server));
    lines.push(
      `  **Runs only if check ${check}${set ? `.${set.member}` : ""} shows ${markdown.code(shows)}** on ${on}; the bot runs the check again right before: ${markdown.code(spec.guard.command)}`,
    );
  }
  const own = beside.find((other) => other.spec.command === spec.check && other.spec.place === spec.place);
  const carried = spec.ownCheck?.split("\n") ?? [];
  const isBeside = beside.some((other) => other.spec.checks === action.number);
  const advised = isOver || spec.check === undefined || carried.includes(spec.check) ? undefined : spec.check;
  if (own && advised !== undefined) lines.push(`  *check, by the runbook:* **${own.number}**`);
  else if (advised !== undefined) lines.push(`  *check, by the runbook:* ${markdown.code(advised)}`);
  if (spec.undo !== undefined && !gone)
    lines.push(
      `  *undo, by the runbook:* ${/^none\b/i.test(spec.undo) ? markdown.plain(spec.undo) : markdown.code(spec.undo)}`,
    );
  if (carried.length > 0 && !isBeside && !isOver)
    lines.push(`  *then, under the same approval:* ${carried.map(markdown.code).join(" · ")}`);
  if (spec.onMerge?.length && !gone) {
    const checks = spec.onMerge.map(({ place, command }) => `${markdown.code(command)} on ${markdown.code(place)}`);
    lines.push(`  *once it is merged, proposed as a check:* ${checks.join(" · ")}`);
  }
  if (spec.unbounded?.length && action.state === "proposed") {
    const parts = spec.unbounded.map(
      ({ what, instead }) =>
        `${markdown.plain(what)}${instead === undefined ? "" : ` (bounded: ${markdown.code(instead)})`}`,
    );
    const limit = Math.max(...spec.targets.map(({ hardTimeoutMs }) => hardTimeoutMs));
    lines.push(`  *no end of its own:* ${parts.join("; ")}; ended after ${duration(limit)}`);
  }
  if (action.already !== undefined) lines.push(`  *already:* ${markdown.plain(action.already)}`);
  if (action.attended !== undefined) lines.push(`  *left to people:* ${markdown.plain(action.attended)}`);
  if (spec.tidied?.length)
    lines.push(`  *changed from what was written:* ${spec.tidied.map(markdown.plain).join("; ")}`);
  if (spec.filled?.length) {
    // `` `pod` = `cart-7f9` (the alert) · `ns` = `shop` (the issue) ``
    const values = spec.filled.map(
      ({ name, value, source }) => `${markdown.code(name)} = ${markdown.code(value)} (${sayers[source]})`,
    );
    lines.push(`  *filled in:* ${values.join(" · ")}`);
  }
  if (action.state === "incomplete") {
    const kinds = (spec.open ?? []).map(
      ({ name, kind, why }) => `${markdown.code(name)} is ${kind}${why === undefined ? "" : ` (${why})`}`,
    );
    const usage = markdown.code(fillUsage({ number: action.number, spec }));
    lines.push(`  *needs a value before it can be approved:* ${usage} · ${kinds.join("; ")}`);
  }
  if (!isReadDone(action) && (serversIn(spec.targets).length > 1 || spec.targets[0]?.cluster)) {
    // A server is named once for a set, a cluster once per namespace.
    const targets = [
      ...new Map(spec.targets.map((one) => [`${one.server} ${one.cluster?.namespace ?? ""}`, one])).values(),
    ];
    const names = targets.slice(0, namedServers).map((target) => {
      // `prod-eu · namespace shop · as system:serviceaccount:ops:countersign`
      const { server, user, cluster } = target;
      if (!cluster) return markdown.code(server);
      const where = cluster.namespace === undefined ? "no namespace" : `namespace ${markdown.code(cluster.namespace)}`;
      return `${markdown.code(server)} · ${where} · as ${markdown.code(user)}`;
    });
    const rest = targets.length - names.length;
    lines.push(`  *on:* ${names.join(", ")}${rest > 0 ? ` and ${rest} more, each named by \`/explain\`` : ""}`);
  }
  lines.push(indent(renderCommand(spec.command, markdown, isPatch(spec) ? "diff" : undefined)));
  if (action.probe !== undefined) lines.push("", indent(action.probe));
  return lines.join("\n");
}

const sayers = { alert: "the alert", form: "the issue", person: "a person" } as const satisfies Record<
  NamedValue["source"],
  string
>;

const isPatch = ({ targets }: ActionView["spec"]): boolean => targets.some(({ patches }) => patches !== undefined);

/** `**4** · 🟡 medium · `web-1` · **Rotate the log now**` */
const renderHead = ({ number, spec, title }: ActionView, markdown: Markdown): string =>
  `**${number}** · ${riskMark(spec.risk)} · ${renderPlace(spec, markdown)} · **${markdown.plain(title)}**`;

/** `exit 0 · "active" in its output · within 30 s`; else it failed. */
const expectationWords = ({ exit, contains, lacks, withinMs }: Expectation, markdown: Markdown): string =>
  [
    `exit ${exit}`,
    ...(contains === undefined ? [] : [`${markdown.code(contains)} in its output`]),
    ...(lacks === undefined ? [] : [`no ${markdown.code(lacks)} in its output`]),
    ...(withinMs === undefined ? [] : [`within ${duration(withinMs)}`]),
  ].join(" · ");

/** What may differ from place to place (`policy.for`). */
interface PlacedHint {
  /** `anyone in acme/oncall`; undefined if no one may approve. */
  readonly who: string | undefined;
  /** All approvers; undefined if a team is among them. */
  readonly people?: readonly string[] | undefined;
  /** Where `people` stand. */
  readonly listed?: string | undefined;
  /** Mentions the teams that may approve. */
  readonly call: string;
  readonly needed: Readonly<Record<"low" | "medium" | "high", number>>;
  /** High risk takes the server's name and a reason. */
  readonly restate: boolean;
  /** The hours outside which it is not approved. */
  readonly within?: string | undefined;
}

export interface ApprovalHint extends PlacedHint {
  /** Where a rule or a runbook asks for more than the rest of the hint says. */
  readonly on?: (action: Pick<ActionView, "spec">) => PlacedHint | undefined;
  /** Whether an approval by its own author would count. */
  readonly countsAuthor: (action: Pick<ActionView, "origin" | "authorId" | "spec">) => boolean;
  /** False: the bot only proposes (`execution.enabled`). */
  readonly executes: boolean;
  /** E.g. `/resume`; until then no one can approve. */
  readonly lifts?: readonly string[];
}

/** The hint for one action. */
export const hintOn = (hint: ApprovalHint, action: Pick<ActionView, "spec">): ApprovalHint => ({
  ...hint,
  ...hint.on?.(action),
});

/** The teams that may decide on one of these. */
const callFor = (actions: readonly ActionView[], hint: ApprovalHint): string =>
  hint.call === ""
    ? ""
    : [...new Set(actions.flatMap((action) => hintOn(hint, action).call.split(" ")))].filter(Boolean).join(" ");

const isOffered = ({ already, isLeasedBehind = false }: ActionView): boolean =>
  already === undefined && !isLeasedBehind;

/** Only an incident's first card calls the team. */
export function renderHow(actions: readonly ActionView[], hint: ApprovalHint, markdown: Markdown): string {
  const waiting = actions.filter((action) => action.state === "proposed");
  if (waiting.length === 0) return "";
  const open = waiting.filter(isOffered);
  if (!hint.executes) return "This bot only proposes here (`execution.enabled: false`): nothing can be run.";
  if (hint.who === undefined) return `Nobody can approve: \`policy.approvers\` is empty. ${toAddApprovers}`;
  const undecided = actions.filter(isUndecided);
  // Whether an approval would be refused now, or comes by itself: it checks something undecided, or stands behind a
  // change that needs its own comment.
  const later = open.filter(
    (action) =>
      action.spec.risk !== "high" &&
      undecided.some(
        (one) =>
          one.number === action.spec.checks ||
          (one.card === action.card &&
            one.number < action.number &&
            one.spec.risk !== "low" &&
            (one.spec.risk === "high" || one.state === "incomplete" || isBegun(one))),
      ),
  );
  const plainly = open.filter((action) => action.spec.risk !== "high" && !later.includes(action));
  const high = open.filter((action) => action.spec.risk === "high");
  const first = open[0]?.number;
  // After a first approval an action needs fewer.
  const alike = Map.groupBy(
    plainly.filter((action) => !isBegun(action)),
    (action) => JSON.stringify(hint.on?.(action)),
  );
  const together = [...alike.values(), ...plainly.filter(isBegun).map((action) => [action])];
  const lines = together.flatMap((some) => {
    const [one] = some;
    if (!one) return [];
    const own = hintOn(hint, one);
    const needed = Math.max(...some.map((a) => own.needed[a.spec.risk === "low" ? "low" : "medium"]));
    const lacking = whyNoOne(some, needed, own);
    if (lacking !== undefined) return lacking;
    return `\`/approve ${some.map((a) => a.number).join(" ")}\` · ${approversLeft(some, needed)}, ${whoMay(some, own)} · ${withinWords(own)}${deadlines(some)} · \`/reject ${first} why\` · \`/help\``;
  });
  for (const action of high) {
    const own = hintOn(hint, action);
    const lacking = whyNoOne([action], own.needed.high, own);
    if (lacking !== undefined) {
      lines.push(lacking);
      continue;
    }
    const restated = own.restate ? ` ${action.spec.place.replaceAll(", ", ",")} <why>` : "";
    lines.push(
      `${markdown.code(`/approve ${action.number}${restated}`)} · ${approversLeft([action], own.needed.high)}, ${whoMay([action], own)} · ${withinWords(own)}until ${clock(action.expiresAt)} · high risk: one comment for this alone, with server and reason`,
    );
  }
  const again = waiting.filter(({ already }) => already !== undefined);
  if (again.length > 0)
    lines.push(
      `Not offered, because it was done or waits already: ${again.map(({ number }) => `**${number}**`).join(", ")}`,
    );
  const leased = waiting.filter(({ isLeasedBehind }) => isLeasedBehind);
  if (leased.length > 0)
    lines.push(
      `Under the lease, once what stands before it has run: ${leased.map(({ number }) => `**${number}**`).join(", ")}`,
    );
  const behind = later.filter(({ spec }) => !undecided.some(({ number }) => number === spec.checks));
  if (behind.length > 0)
    lines.push(`Behind these, once they have run: ${behind.map(({ number }) => `**${number}**`).join(", ")}`);
  const call = callFor(waiting, hint);
  if (call !== "" && actions.some(({ number }) => number === 1)) lines.push(`📣 ${call}`);
  return lines.join("\n\n");
}

const toAddApprovers = "Ask the operator to add people or a team there.";

/** Those whose approval would not count, because they wrote it. */
const authorsLeftOut = (
  actions: readonly ActionView[],
  { countsAuthor }: Pick<ApprovalHint, "countsAuthor">,
): readonly string[] => [
  ...new Set(
    actions.flatMap((action) => (action.authorLogin === null || countsAuthor(action) ? [] : [action.authorLogin])),
  ),
];

function whoMay(actions: readonly ActionView[], hint: ApprovalHint): string {
  const authors = authorsLeftOut(actions, hint);
  return authors.length === 0 ? (hint.who ?? "") : `${hint.who} but ${authors.map(name).join(" and ")}, who wrote it`;
}

const withinWords = ({ within }: ApprovalHint): string => (within === undefined ? "" : `within ${within} · `);

/** If fewer approvers exist than it takes; undefined if enough do, or a team's members are not known. */
function whyNoOne(actions: readonly ActionView[], needed: number, hint: ApprovalHint): string | undefined {
  if (!hint.people) return undefined;
  const authors = authorsLeftOut(actions, hint);
  const left = hint.people.filter((login) => !authors.includes(login));
  if (left.length >= needed) return undefined;
  const numbers = actions.map(({ number }) => `**${number}**`).join(", ");
  const there = left.length === 0 ? "has nobody else" : `has only ${left.map(name).join(" and ")}`;
  const wrote = authors.length === 0 ? "" : `, because ${authors.map(name).join(" and ")} wrote it`;
  return `${numbers} cannot be approved: it takes ${count(needed, "approver")}, and \`${hint.listed ?? "policy.approvers"}\` ${there}${wrote}. ${toAddApprovers}`;
}

function renderHold(actions: readonly ActionView[], { executes, who, lifts = [] }: ApprovalHint): string {
  const mayBeApproved = executes && who !== undefined && actions.some(({ state }) => state === "proposed");
  return mayBeApproved && lifts.length > 0 ? `On hold: ${lifts.map((lift) => `\`${lift}\``).join(" and ")} first.` : "";
}

/** Undefined if that takes several numbers or more words. */
function openCall(actions: readonly ActionView[], { executes, who, lifts = [] }: ApprovalHint): string | undefined {
  const [only, another] = actions.filter((action) => action.state === "proposed" && isOffered(action));
  const isPlain =
    executes && who !== undefined && lifts.length === 0 && another === undefined && only?.spec.risk !== "high";
  return isPlain && only ? `/approve ${only.number}` : undefined;
}

/** `until 14:02Z`, or `1 2 until 14:02Z, 3 until 14:40Z`. */
function deadlines(actions: readonly ActionView[]): string {
  const together = Map.groupBy(actions, ({ expiresAt }) => `until ${clock(expiresAt)}`);
  if (together.size === 1) return [...together.keys()].join("");
  return [...together].map(([until, same]) => `${same.map(({ number }) => number).join(" ")} ${until}`).join(", ");
}

const isBegun = (action: ActionView): boolean => approversOf(action) !== "";

/** `two approvers`, or ``one more approver besides `@lee` ``. */
function approversLeft([action]: readonly ActionView[], needed: number): string {
  if (!action || !isBegun(action)) return count(needed, "approver");
  const given = action.verdicts.filter(({ verdict }) => verdict === "approve").length;
  return `${count(Math.max(1, needed - given), "more approver")} besides ${approversOf(action)}`;
}
