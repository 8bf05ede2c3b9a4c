import type { Deps } from "../../features/context.ts";
import { type Discrepancy, type LedgerWord, numbersOf, type PostedComment } from "../../features/verify/ledger.ts";
import { name, utcMinute } from "../../github/render/ink.ts";
import { commentUrl } from "../../github/web.ts";
import type { Verification } from "../../store/audit/chain.ts";
import { writeLink } from "../../text/links.ts";
import type { RepairedTampering } from "../look/repaired-tampering.ts";

export interface VerifyVerdict {
  readonly findings: readonly Discrepancy[];
  /** What is wrong with the store's own audit. */
  readonly faults: readonly string[];
  readonly reversed: readonly RepairedTampering[];
  readonly comments: number;
  readonly events: number;
  readonly chain: Verification;
}

export interface Pen {
  readonly markdown: Deps["markdown"];
  readonly apiUrl: string;
  readonly place: { readonly repo: string; readonly issue: number };
}

/** More lines than this nobody reads on a phone. */
const mostLines = 20;

/** What /verify answers: that everything agrees, or a line for each thing that does not, with what to make of it. */
export function verdictText(verdict: VerifyVerdict, pen: Pen): string {
  const { findings, faults, reversed, comments, events, chain } = verdict;
  const counted = `${comments} comments and ${events} events`;
  const head = chain.ok ? `${chain.rows} entries, head ${pen.markdown.code(chain.head.slice(0, 16))}` : "";
  const wrong = [
    ...faults.map(
      (fault) =>
        `**The store itself** · ${pen.markdown.plain(fault)}. Run \`countersign audit verify\` and take a backup.`,
    ),
    ...findings.map((finding) => findingLine(finding, pen)),
  ];
  const first =
    wrong.length === 0
      ? `✅ **Nothing was altered**: ${counted} match the audit${head === "" ? "" : ` (${head})`}.`
      : `⚠️ **${wrong.length === 1 ? "One thing does" : `${wrong.length} things do`} not agree** between this issue and the store: ${[counted, head].filter((part) => part !== "").join(", ")}. ${faults.length === 0 ? "The store counts" : "Trust neither"}; nothing was changed by looking.`;
  const before =
    reversed.length === 0
      ? []
      : ["Earlier changes, already reversed:", listed(reversed.map((one) => reversedLine(one, pen)))];
  return [first, listed(wrong), ...before].filter((part) => part !== "").join("\n\n");
}

function listed(lines: readonly string[]): string {
  const rest = lines.length - mostLines;
  const shown = lines.slice(0, mostLines).map((line) => `- ${line}`);
  return [...shown, ...(rest > 0 ? [`- and ${rest} more; \`countersign audit export\` has all of them`] : [])].join(
    "\n",
  );
}

const list = (numbers: readonly number[]): string => numbers.join(", ");

/** A comment of ours in words: `the card of 1, 2`. */
function commentWords({ slot, numbers }: Pick<PostedComment, "slot" | "numbers">): string {
  const [kind = ""] = slot.split(":");
  const words: Readonly<Record<string, string>> = {
    board: "the board",
    plan: "the plan",
    card: numbers.length === 0 ? "a reading of the agent" : `the card of ${list(numbers)}`,
    action: `the card of ${list(numbers)}`,
    batch: `the run card of ${list(numbers)}`,
    reply: "an answer of mine",
    schedule: "the runs of a schedule",
  };
  return words[kind] ?? "a note of mine";
}

/** What a person's comment did, by the audit's word: `the approval of 2`. */
function wordWords({ kinds, numbers }: LedgerWord): string {
  const of = numbers.length === 0 ? "" : ` of ${list(numbers)}`;
  if (kinds.includes("command_approved")) return `the approval${of}`;
  if (kinds.includes("command_rejected")) return `the rejection${of}`;
  return `the comment for \`${kinds.join("`, `")}\`${of}`;
}

function findingLine(finding: Discrepancy, { markdown, apiUrl, place }: Pen): string {
  const link = (words: string, id: number): string => writeLink(words, commentUrl(apiUrl, place, id));
  const numbers = numbersOf(finding);
  const [number] = numbers;
  const readOn =
    number === undefined
      ? "`/status` says what holds"
      : `\`/explain ${number}\` and \`/output ${number}\` show what holds`;
  switch (finding.kind) {
    case "edited": {
      const { editor } = finding.at;
      const by = editor === undefined ? "" : `, last by ${name(editor)}`;
      return `**edited** · ${link(commentWords(finding.posted), finding.at.id)}${by}: it is not as I wrote it. Do not rely on it; ${readOn}.`;
    }
    case "hidden":
      return `**hidden** · ${link(commentWords(finding.posted), finding.at.id)} is minimized as ${markdown.code(finding.at.hidden ?? "")}, which I did not do. It reads as I wrote it.`;
    case "deleted":
      return `**deleted** · ${commentWords(finding.posted)} is gone from the issue. It is in the store; ${readOn}.`;
    case "unposted":
      return `**not posted** · ${commentWords(finding.posted)} could not be posted: ${markdown.plain(finding.posted.parked ?? "")}. In the meantime ${readOn}.`;
    case "reordered":
      return `**reordered** · where ${link(commentWords(finding.posted), finding.at.id)} stood there is now ${commentWords(finding.reads)}. Read them by their numbers, not by their places; ${readOn}.`;
    case "displaced":
      return `**reordered** · ${link(commentWords(finding.posted), finding.at.id)} stands at ${utcSecond(finding.at.createdAt)} and was posted at ${finding.posted.firstPostedAt ? utcSecond(finding.posted.firstPostedAt) : "another time"}. The store has the order.`;
    case "forged":
      return `**forged** · ${link("a look-alike of my cards", finding.at.id)} by ${name(finding.at.login ?? "ghost")}${numbers.length === 0 ? "" : ` shows ${list(numbers)}`}. It is not mine: nothing in it was proposed, approved or run.`;
    case "unknown":
      return `**forged** · ${link("a comment in my name", finding.at.id)} that the store has never seen: somebody posts with my key, or an older store was restored. Tell the operator.`;
    case "copied":
      return `**copied** · ${link("a second copy of a comment of mine", finding.at.id)}: GitHub stored it twice, or somebody posts with my key. The first one counts.`;
    case "text-edited":
      return "**edited** · the text of this issue, with what the schedule ran, is not as I wrote it. Do not rely on it; the issue of the schedule shows its runs.";
    case "word-deleted":
      return `**deleted** · ${wordWords(finding.word)} by ${name(finding.word.login)} is gone from the issue. It was given: the audit has who, when and its hash.`;
    case "word-edited":
      return `**edited** · ${link(wordWords(finding.word), finding.at.id)} by ${name(finding.word.login)} does not read as it did when it counted${finding.at.editor === undefined ? "" : `; last edited by ${name(finding.at.editor)}`}. The audit has its hash.`;
    case "word-hidden":
      return `**hidden** · ${link(wordWords(finding.word), finding.at.id)} by ${name(finding.word.login)} is minimized as ${markdown.code(finding.at.hidden ?? "")}. It still counts.`;
    case "differs":
      return `**differs** · **${finding.number}**, ${markdown.plain(finding.what)}: the issue says ${markdown.code(finding.issue)}, the store ${markdown.code(finding.store)}.`;
  }
}

const utcSecond = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`;

const consequences = {
  tampered: "put back",
  withdrawn: "withdrawn before anything ran",
  imitated: "told of",
} as const;

function reversedLine({ at, kind, login, action, numbers, slot }: RepairedTampering, { markdown }: Pen): string {
  const who = login === undefined ? "" : ` by ${name(login)}`;
  const what =
    kind === "tampered"
      ? `${commentWords({ slot: slot ?? "", numbers })} was ${markdown.plain(action)}${who}`
      : kind === "withdrawn"
        ? `the approval of ${list(numbers)} was ${markdown.plain(action)}`
        : `a look-alike of ${numbers.length === 0 ? "my cards" : list(numbers)} was posted${who}`;
  return `${utcMinute(new Date(at))} · ${what}, and ${consequences[kind]}`;
}
