import { fromMarkdown } from "mdast-util-from-markdown";
import { markIn, withoutMarker } from "../../src/github/comments.ts";
import { readCard } from "../../src/github/render/read-card.ts";
import { parseSlashCommand } from "../../src/slash/grammar.ts";
import { slots } from "../../src/store/outbox/thread-comments.ts";
import { nodesOf, parse } from "../text/markdown.ts";
import type { History, Remark, Written } from "./history.ts";

type Issue = History["issues"][number];

/** What holds of the issues as somebody reads them, once everything is posted. */
export const issueInvariants = [
  { id: "I5", says: "each comment of the store stands on its issue once", check: onIssues(checkComments) },
  { id: "RR-22", says: "each comment reads as the store has it", check: onIssues(checkBodies) },
  { id: "PRODUCT", says: "the board is the first comment of an issue", check: onIssues(checkBoard) },
  { id: "PRODUCT", says: "each proposal has one card", check: onIssues(checkCards) },
  { id: "PRODUCT", says: "each comment reads well", check: onIssues(checkWords) },
  {
    id: "I6",
    says: "what ended is told once, on its run card or with what was read in it",
    check: onIssues(checkResults),
  },
  {
    id: "I5",
    says: "a person's command is answered once; talk, or what a bot says, not at all",
    check: onIssues(checkAnswers),
  },
] as const;

function onIssues(check: (view: IssueView, history: History) => readonly string[]) {
  return (history: History): readonly string[] =>
    history.issues.flatMap((issue) =>
      issue.isGone ? [] : check(viewIssue(history, issue), history).map((fault) => `issue ${issue.number}: ${fault}`),
    );
}

interface IssueView extends Issue {
  readonly ours: readonly Written[];
  /** The rows of the store that are to be comments here, and the comments that say to be each. */
  readonly kept: History["comments"];
  readonly bySlot: ReadonlyMap<string, readonly Written[]>;
  readonly incidentIds: readonly (string | null)[];
  readonly isLate: (slot: string) => boolean;
}

function viewIssue({ comments, incidents, late }: History, issue: Issue): IssueView {
  const isHere = (one: { readonly repo: string }, number: number) => one.repo === issue.repo && number === issue.number;
  const ours = issue.comments.filter(({ login }) => login.endsWith("[bot]"));
  const kept = comments.filter((row) => isHere(row, row.issue));
  const slotOf = new Map(kept.map(({ id, slot }) => [id, slot]));
  return {
    ...issue,
    ours,
    kept,
    bySlot: Map.groupBy(ours, ({ body }) => slotOf.get(markIn(body) ?? "") ?? "of nobody"),
    incidentIds: incidents.filter((row) => isHere(row, row.number)).map(({ id }) => id),
    isLate: (slot) => late.has(`${issue.number} ${slot}`),
  };
}

function checkComments({ ours, bySlot, isLate }: IssueView): readonly string[] {
  const boards = ours.filter(isBoard).length;
  return [
    ...(boards === 1 ? [] : [`${boards} boards`]),
    ...[...bySlot]
      .filter(([slot, all]) => slot === "of nobody" || (all.length !== 1 && !isLate(slot)))
      .map(([slot, all]) => `${all.length} comments ${slot}`),
  ];
}

const isBoard = ({ body }: Pick<Written, "body">): boolean => body.includes("Board of this incident");

function checkBoard({ ours: [first], kept }: IssueView): readonly string[] {
  const isAnew = kept.some(({ gone }) => gone > 0);
  return isAnew || (first && isBoard(first)) ? [] : ["the first comment is not the board"];
}

function checkBodies({ kept, bySlot }: IssueView): readonly string[] {
  return kept
    .filter(({ version, postedVersion, parked }) => version === postedVersion && parked === null)
    .filter(({ slot, body }) => !bySlot.get(slot)?.some((shown) => shown.body.startsWith(body)))
    .map(({ slot }) => `${slot} does not read as the store has it`);
}

function checkCards({ ours, incidentIds }: IssueView, { actions }: History): readonly string[] {
  const wanted = actions.filter(({ incidentId }) => incidentIds.includes(incidentId)).map(({ number }) => number);
  const shown = ours.flatMap(({ body }) => readCard(withoutMarker(body)).map(({ number }) => number));
  return [
    ...wanted.filter((number) => shown.filter((one) => one === number).length !== 1).map((n) => `not one card of ${n}`),
    ...shown.filter((number) => !wanted.includes(number)).map((number) => `a card of ${number}, which is none`),
  ];
}

function checkResults({ bySlot, incidentIds }: IssueView, { batches, runs, actions }: History): readonly string[] {
  return batches
    .filter(({ incidentId }) => incidentIds.includes(incidentId))
    .flatMap(({ id, incidentId, numbers, toldOn }) => {
      const probed = actions.filter(({ number }) => numbers.includes(number)).flatMap(({ spec }) => spec.probes ?? []);
      const slotsOfResult = new Set<string>([
        slots.batch(id),
        ...(toldOn === null ? [] : [slots.card(toldOn)]),
        ...actions.filter(({ number }) => probed.includes(number)).map(({ card }) => card),
      ]);
      const cards = [...slotsOfResult].flatMap((slot) => bySlot.get(slot)?.slice(0, 1) ?? []);
      const ended = new Set(
        runs.flatMap((run) =>
          run.batchId === id && run.endedAt ? (actions.find((one) => one.id === run.actionId)?.number ?? []) : [],
        ),
      );
      const ranElsewhere = (number: number) =>
        !ended.has(number) &&
        runs.some(
          ({ actionId, batchId }) =>
            batchId !== id &&
            actions.some((one) => one.id === actionId && one.number === number && one.incidentId === incidentId),
        );
      const missing = numbers.filter(
        (number) => !ranElsewhere(number) && !cards.some(({ body }) => namesAction(body, number)),
      );
      const told = (number: number) => cards.filter(({ body }) => tellsEnd(body, number)).length;
      const untold = [...ended].filter((number) => told(number) === 0);
      return [
        ...[...new Set([...missing, ...untold])].map((number) => `no result of ${number}`),
        ...[...ended].filter((number) => told(number) > 1).map((number) => `the result of ${number} twice`),
      ];
    });
}

/** In a row of its own, or in the note on what a batch that stopped left out. */
const namesAction = (body: string, number: number): boolean =>
  body.includes(`**${number}** `) || new RegExp(String.raw`^⚠️ .*\b${number}\b`, "mu").test(body);

const tellsEnd = (body: string, number: number): boolean =>
  new RegExp(`\\*\\*${number}\\*\\* (?:✅|❌|⚠|⏱|🛑|⌨|🔌|❓|⏸)`, "u").test(body);

function checkWords({ ours }: IssueView): readonly string[] {
  return ours.flatMap(({ id, body }) => faultsOfWords(body).map((fault) => `comment ${id} ${fault}`));
}

const wordsJudged = new Map<string, readonly string[]>();

/** What no comment of ours may be. To read one as Markdown is most of what it costs to judge a life, and many stand in several. */
function faultsOfWords(body: string): readonly string[] {
  const faults = wordsJudged.get(body) ?? readWords(body);
  wordsJudged.set(body, faults);
  return faults;
}

function readWords(body: string): readonly string[] {
  const text = withoutMarker(body);
  const faults: string[] = [];
  if (text.trim() === "") return ["is empty"];
  if (body.length > 65_536) faults.push("is longer than GitHub takes");
  const root = parse(text);
  const lines = linesOf(root);
  const prose = lines.join("\n");
  for (const [, word] of prose.matchAll(/\b(undefined|NaN|null|Invalid Date|\[object)\b/g))
    faults.push(`says ${word}: ${prose.slice(0, 200)}`);
  for (const node of nodesOf(root))
    if (node.type === "inlineCode" && /^@?(undefined|NaN|null)$/.test(node.value))
      faults.push(`says ${node.value} in code`);
  if (/\{\{|\}\}/.test(prose)) faults.push("has a placeholder left");
  const html = nodesOf(root)
    .map((node) => (node.type === "html" ? node.value : ""))
    .join("\n");
  const count = (tag: string) => html.split(tag).length - 1;
  if (count("<details>") !== count("</details>")) faults.push("leaves a fold open");
  if (parseSlashCommand(text, ["ops"])?.kind === "command") faults.push("is itself a command");
  const gap = lines.find((one) =>
    /·\s*·|\(\s*\)|,\s*[,.]|[.:;]\s+[.;,]|\s,|^[·,.:;]|[·:;,]$/.test(one.replace(/:$/, "")),
  );
  if (gap !== undefined) faults.push(`has a gap in it: ${gap}`);
  // Without GitHub's additions the words are the same: nothing hangs on a table or a box.
  if (fromMarkdown(text).children.length === 0) faults.push("is nothing in Markdown");
  return faults;
}

/** What is read in a line, in a cell or in an item; what stands in code is its own matter. */
const linesOf = (root: ReturnType<typeof parse>): readonly string[] =>
  nodesOf(root)
    .filter(({ type }) => type === "paragraph" || type === "tableCell" || type === "heading")
    .flatMap((node) =>
      nodesOf(node)
        .map((inner) => (inner.type === "text" ? inner.value : inner.type === "inlineCode" ? "code" : ""))
        .join("")
        .split("\n"),
    )
    .filter((text) => text !== "");

function checkAnswers(view: IssueView, history: History): readonly string[] {
  return history.remarks
    .filter((remark) => remark.repo === view.repo && remark.issue === view.number)
    .flatMap((remark) => faultsOfAnswer(history, view, remark));
}

/** Whether a reaction was left out that may be (docs/operating.md, "What is written first"). */
export const isLeftOut = (
  { parked, content, readsOnly, commentId }: History["reactions"][number],
  batches: History["batches"],
): boolean =>
  parked === "too much was to be written" &&
  (content === "eyes" || readsOnly || batches.some((batch) => batch.commentId === commentId));

function faultsOfAnswer(
  { batches, remarks, reactions: rows }: History,
  { bySlot, isLate }: IssueView,
  remark: Remark,
): readonly string[] {
  const { id, repo, issue, by, body, wants, changed } = remark;
  const left = rows.filter((row) => row.commentId === id && isLeftOut(row, batches)).map(({ content }) => content);
  const reactions = [...remark.reactions, ...left];
  if (wants === undefined || changed === "deleted") return [];
  const slot = slots.reply(id);
  const [first, ...again] = bySlot.get(slot) ?? [];
  const own = first ? [first, ...(isLate(slot) ? [] : again)] : [];
  // An answer that still waited when its author asked again holds both (`wantReply`).
  const joined = remarks
    .filter((one) => one.repo === repo && one.issue === issue && one.by === by && one.id !== id)
    .flatMap((one) => bySlot.get(slots.reply(one.id)) ?? [])
    .filter((reply) => reply.id > id);
  const answers = own.length > 0 ? own : joined.slice(0, 1);
  const ran = batches.some(({ commentId }) => commentId === id);
  const fault = {
    silence: () => (reactions.length + own.length === 0 ? undefined : `was answered: ${reactions.join()}`),
    answer: () => (reactions.length + answers.length > 0 ? undefined : "was never answered"),
    outcome: () => faultOfOutcome(reactions, { answers: answers.length, ran }),
  }[wants]();
  return fault === undefined ? [] : [`${by} said ${JSON.stringify(body)} and ${fault}`];
}

function faultOfOutcome(
  reactions: readonly string[],
  { answers, ran }: { readonly answers: number; readonly ran: boolean },
): string | undefined {
  const outcomes = reactions.filter((one) => one !== "eyes");
  // An answer tells by itself that the comment was seen, and how it went.
  const mayLack = answers > 0;
  if (!mayLack && !reactions.includes("eyes")) return "was not seen";
  if (outcomes.length > 1 || (!mayLack && outcomes.length === 0))
    return `got ${outcomes.length} outcomes: ${outcomes.join()}`;
  // What became of a batch stands on its run card.
  if (outcomes[0] === "confused" && answers === 0 && !ran) return "was not told what is wrong";
  return answers <= 1 ? undefined : `was answered ${answers} times`;
}
