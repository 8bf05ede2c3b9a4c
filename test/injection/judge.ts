import type { Nodes } from "mdast";
import { withoutMarker } from "../../src/github/comments.ts";
import { readRecords } from "../../src/github/render/record.ts";
import { heardBy } from "../text/bots.ts";
import { nodesOf, parse, shortcode, textOutsideCode } from "../text/markdown.ts";

/** A comment as the bot sent it, and which of its comments it is. */
export interface Sent {
  readonly slot: string;
  readonly body: string;
  /** Of the actions that the comment may show: number and command. */
  readonly actions: ReadonlyMap<number, string>;
  /** Of those whose results begin the card. */
  readonly told?: ReadonlyMap<number, string>;
  /** Of all that ran: a card may begin with a line for each that says that it has ended. */
  readonly ran?: ReadonlyMap<number, string>;
}

/** How our run card, card and board draw the head of an action; nobody else's words may read so. */
const head = /^\W{0,3}\d+ (?:·.*)?(?:✅|❌|🟢|🟡|🔴|⛔|▶|❓|🔌|⏳|⏸|⏱|🛑|⌨)/u;
const signs = /[✅❌🟢🟡🔴⛔▶❓🔌🛑⌨]/u;
/** A runbook's own address, or its file in the repository at a commit; `evil.test` is on the operator's list here. */
const ownLink =
  /^(?:https:\/\/(?:runbooks\.acme\.example|evil\.test)\/|http:\/\/127\.0\.0\.1:\d+\/acme\/web\/blob\/[0-9a-f]{40}\/\.github\/skills\/[a-z0-9-]+\/SKILL\.md$)/;
const ours =
  /^<(?:\/?sub|\/?details|details><summary>(?:output, \d+ lines?|\d+ (?:other )?actions? ended(?: on <code>[\w.-]+<\/code>(?: \(\d+ servers\))?)?(?:; <code>@[\w-]+<\/code> approved what ran)?)<\/summary|summary>output, \d+ lines?<\/summary|\/summary)>$/;

const seenText = (node: Nodes): string =>
  nodesOf(node)
    .map((inner) => (inner.type === "text" || inner.type === "inlineCode" ? inner.value : ""))
    .join("");

/** What is wrong with a comment of the bot, if anything. */
export function faultsOf({ slot, body, actions, told = new Map(), ran = new Map() }: Sent): readonly string[] {
  const faults: string[] = [];
  const markers = body.match(/<!--\s*countersign/gi) ?? [];
  const isCard = slot.startsWith("card:") || slot.startsWith("action:");
  const { text: whole, records } = withoutRecords(withoutMarker(body));
  const written = isCard ? withoutEnds(whole, ran) : whole;
  // The one mention that is ours: the team of the policy, once, on the card that shows the first action.
  const text = isCard && actions.has(1) ? written.replace(/^📣 @acme\/oncall$/mu, "") : written;
  if (markers.length !== 1 + records.length) faults.push(`${markers.length} markers, ${records.length} records`);
  for (const { action } of records)
    if (!actions.has(action) && !told.has(action)) faults.push(`a record of no action: ${action}`);
  const most = actions.size + told.size;
  if (records.length > most) faults.push(`${records.length} records for ${most} actions`);
  for (const bot of heardBy(text)) faults.push(`a command of ${bot}`);
  if (/(?:^|[^\w`])@\w|(?:^|\W)#\d|\bGH-\d/.test(textOutsideCode(text))) faults.push("a mention or reference");
  if (shortcode.test(textOutsideCode(text))) faults.push("an emoji by its name");

  const root = parse(text);
  const nodes = nodesOf(root);
  const results = isCard ? resultsIn(root.children, told) : [];
  const rest = root.children.slice(results.length);
  const ofResults = new Set(results.flatMap((node) => nodesOf(node)));
  for (const node of nodes) {
    const drawnByBatch = slot.startsWith("batch:") || ofResults.has(node);
    const quotesCommand = isCard && node.type === "blockquote" && node.children.every(({ type }) => type === "code");
    const foreignTypes = ["image", "imageReference", "definition", "heading", "blockquote", "footnoteDefinition"];
    if (foreignTypes.includes(node.type) && !quotesCommand) faults.push(`a node ${node.type}`);
    if (node.type === "html" && !ours.test(node.value.trim())) faults.push(`HTML ${node.value.slice(0, 60)}`);
    if (node.type === "html" && node.value.includes("details") && !drawnByBatch && slot !== "board")
      faults.push("a fold outside a run and the board");
    if (node.type === "link" && !ownLink.test(node.url)) faults.push(`a link to ${node.url}`);
    if (node.type === "table" && slot !== "board" && !drawnByBatch) faults.push("a table");
    if (node.type === "code" && !isCard && !drawnByBatch && !slot.startsWith("reply:")) faults.push("a block of code");
    if (
      node.type === "code" &&
      node.lang !== (isCard && !ofResults.has(node) ? "sh" : "text") &&
      !slot.startsWith("reply:")
    )
      faults.push(`a block of ${node.lang}`);
  }
  if (isCard) faults.push(...faultsOfCard(rest, actions));
  else if (nodes.some((node) => node.type === "listItem" && node.checked !== null)) faults.push("a task");
  // Only a run card has heads of runs, one for each action of its batch; a card's results are apart.
  const lines = rest.filter(({ type }) => type === "paragraph").flatMap((node) => seenText(node).split("\n"));
  const heads = lines.filter((line) => head.test(line));
  if (!slot.startsWith("batch:") && heads.length > 0) faults.push(`a head: ${heads[0]}`);
  if (heads.some((line) => !actions.has(Number.parseInt(line, 10)))) faults.push(`a head of no action: ${heads[0]}`);
  if (isCard && lines.some((line) => signs.test(line)))
    faults.push(`a sign of ours in ${lines.find((line) => signs.test(line))?.slice(0, 80)}`);
  return faults;
}

const end =
  /^\*\*(\d+)\*\* has ended: \S+ `(.*)` on `[\w-]+`(?: · [\w ,.]+(?:: its output speaks to the agent)?)? · `@lee`(?: · \[result\]\(http:\/\/127\.0\.0\.1:\d+\/acme\/web\/issues\/\d+#issuecomment-\d+\))? · `\/output \1`(?:\n\n|$)/;

/** A card without the lines at its head that say of each action, once, how it ended: its reading took longer than its result waited. */
function withoutEnds(text: string, ran: Sent["actions"]): string {
  const left = new Map(ran);
  let rest = text;
  for (let found = end.exec(rest); found && left.get(Number(found[1])) === found[2]; found = end.exec(rest)) {
    left.delete(Number(found[1]));
    rest = rest.slice(found[0].length);
  }
  return rest;
}

/** What we write ourselves between the head of a result and its output. */
const beforeOutput = /^(?:Its output speaks to the agent\.|Its output is withheld|\(no output\))/;

const resultHead = /^\d+ (?:✅|❌|⚠|ℹ|❓|🔌|⏱|🛑|⌨|⏸)/u;

/** What is the same for several results stands once above them. */
const aboveResults = /^(?:On [\w.-]{1,40}(?: \(\d+ servers\))?(?:, by @[\w-]{1,40})?|By @[\w-]{1,40}):$/u;

/** The results that begin a card: of each action one head, which shows its command, then its output. What follows is the card's. */
function resultsIn(children: readonly Nodes[], told: Sent["actions"]): readonly Nodes[] {
  const left = new Map(told);
  const [first] = children;
  const begin = first?.type === "paragraph" && aboveResults.test(seenText(first)) ? 1 : 0;
  let end = begin;
  for (const node of children.slice(begin)) {
    const text = seenText(node);
    const number = Number.parseInt(text, 10);
    const command = left.get(number);
    if (node.type === "paragraph" && resultHead.test(text) && command !== undefined && text.includes(command))
      left.delete(number);
    else if (end === begin || !(isOutput(node) || (node.type === "paragraph" && beforeOutput.test(text)))) break;
    end++;
  }
  return children.slice(0, end === begin ? 0 : end);
}

const isOutput = (node: Nodes): boolean => (node.type === "code" && node.lang === "text") || node.type === "html";

/** The hidden lines at the end of a card, each an action's own, and the card without them. */
function withoutRecords(body: string) {
  const records = readRecords(body);
  const lines = body.trimEnd().split("\n");
  return { records, text: lines.slice(0, lines.length - records.length).join("\n") };
}

/** A card has an entry for each of its actions, whose command stands in the entry's own fence, and no other entry or list. */
function faultsOfCard(children: readonly Nodes[], actions: Sent["actions"]): readonly string[] {
  const faults: string[] = [];
  const entries = children
    .flatMap((node) => (node.type === "list" ? node.children : []))
    .filter(({ checked }) => checked !== null && checked !== undefined);
  if (entries.length > actions.size) faults.push(`${entries.length} entries for ${actions.size} actions`);
  for (const entry of entries) {
    const number = Number(/^\d+/.exec(seenText(entry))?.[0]);
    const command = actions.get(number);
    const code = entry.children
      .flatMap((node) => (node.type === "blockquote" ? node.children : [node]))
      .filter(({ type }) => type === "code");
    const shown = code[0]?.type === "code" ? code[0].value : undefined;
    if (command === undefined || code.length !== 1) faults.push(`an entry ${number} of no action`);
    else if (shown !== command) faults.push(`entry ${number} shows ${shown}, not ${command}`);
  }
  const outside = children.filter(({ type }) => type === "code");
  if (outside.length > 0) faults.push("a block of code outside the entries");
  return faults;
}
