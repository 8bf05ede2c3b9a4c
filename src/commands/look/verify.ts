import type { Deps } from "../../features/context.ts";
import { imitatedIn } from "../../features/intake/comment-changed.ts";
import { hashBody } from "../../features/run/approval-comment.ts";
import { answer } from "../../features/thread/answer.ts";
import {
  compare,
  type Discrepancy,
  type LedgerWord,
  numbersOf,
  type PostedComment,
  type SeenComment,
  snapshotOf,
  storedLedgerFrom,
} from "../../features/verify/ledger.ts";
import { markIn, withoutMarker } from "../../github/comments.ts";
import { readCheckpoint } from "../../github/render/board.ts";
import { name, utcMinute } from "../../github/render/ink.ts";
import { commentUrl } from "../../github/web.ts";
import { type AuditRow, appendAudit, changedRow } from "../../store/audit/chain.ts";
import { contradiction, type Notary } from "../../store/audit/checkpoint.ts";
import { readEvent } from "../../store/audit/events.ts";
import type { Incident } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/thread-comments.ts";
import { openerOf } from "../../store/schedules.ts";
import { redactText } from "../../text/bare.ts";
import { writeLink } from "../../text/links.ts";
import { visible } from "../../text/read/visible.ts";
import type { Call, Handler } from "../command.ts";

/** Compares comments with the store, and the store with its chain and the board's checkpoint (DC-6, SR-64, SR-66, WF-2). Fixes nothing. */
export const verify: Handler = async (call) => {
  const { deps, incident, caller, event } = call;
  const before = await deps.store.transaction((tx) => snapshotOf(tx, incident));
  const seen = await readIssue(call, incident).catch((error) => {
    const { repo, number: issue } = incident;
    deps.log.warn({ module: "github", event: "comments_failed", repo, issue, err: error });
    return undefined;
  });
  if (!seen) {
    const body = "I cannot read this issue's comments at GitHub right now, so I cannot check them. Please ask again.";
    await call.commit((tx, locked) => answer(tx, call, locked, { outcome: "mistake", body }));
    return;
  }
  const chain = await deps.store.chain();
  const changed = changedRow(before.rows);
  const isNamed = !chain.ok && chain.seq === changed?.seq;
  // The board is a witness outside of the store.
  const boardId = before.comments.find(({ slot }) => slot === slots.board)?.githubId;
  const board = seen.find(({ id }) => id === boardId)?.body;
  const shown = board === undefined ? undefined : readCheckpoint(board);
  const { notary } = deps;
  const ofBoard =
    board === undefined
      ? []
      : [shown && (await contradiction(deps.store.db, shown)), notary && faultOfNote(notary, shown)];
  const faults = [
    ...(chain.ok ? [] : [`row ${chain.seq} of the audit: ${chain.reason}`]),
    ...(changed && !isNamed ? [`row ${changed.seq} of the audit: was changed after it was written`] : []),
    ...ofBoard.flatMap((fault) => (fault === undefined ? [] : [`the board's checkpoint: ${fault}`])),
  ];
  await call.commit(async (tx, locked) => {
    const after = await snapshotOf(tx, locked);
    const held = storedLedgerFrom(before, after, { isPublic: locked.public, markdown: deps.markdown });
    // Only a schedule's issue text shows what was run.
    const text = withoutMarker(event.body).replace(/\r\n?/g, "\n");
    const isEdited =
      (await openerOf(tx, incident.id)) !== undefined &&
      redactText(deps.redact, visible(text)).trim() !== incident.body.trim();
    const findings: readonly Discrepancy[] = [
      ...(isEdited ? [{ kind: "text-edited" } as const] : []),
      ...compare(seen, held),
    ];
    const kinds = findings.map(({ kind }) => kind);
    await appendAudit(tx, {
      kind: "issue_verified",
      incidentId: locked.id,
      body: {
        by: { id: caller.id, login: caller.login },
        commentId: event.comment.id,
        comments: seen.length,
        head: chain.ok ? chain.head : null,
        findings: Object.fromEntries([...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => [kind, all.length])),
        faults,
      },
    });
    const pen = {
      markdown: deps.markdown,
      apiUrl: deps.config.github.apiUrl,
      place: { repo: locked.repo, issue: locked.number },
    };
    const reversed = before.rows.flatMap((row) => reversedLine(row, held.posted, pen));
    const counted = `${seen.length} comments and ${before.rows.length} events`;
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
    const undone = reversed.length === 0 ? [] : ["Earlier changes, already reversed:", listed(reversed)];
    const body = [first, listed(wrong), ...undone].filter((part) => part !== "").join("\n\n");
    await answer(tx, call, locked, { outcome: "done", body });
  });
};

/** Drops the text of other people's comments, to save memory. */
async function readIssue({ deps }: Pick<Call, "deps">, incident: Incident): Promise<readonly SeenComment[]> {
  const { installationId, repo, number: issue } = incident;
  const seen: SeenComment[] = [];
  for await (const page of deps.readComments({ installationId, repo, issue }))
    for (const comment of page)
      seen.push({
        ...comment,
        body: comment.ours ? withoutMarker(comment.body) : "",
        mark: comment.ours ? markIn(comment.body) : undefined,
        sha256: hashBody(comment.body),
        edited: comment.editedAt !== undefined,
        imitates: comment.ours ? undefined : imitatedIn(comment.body),
      });
  return seen;
}

/** With a signing key only a signed checkpoint counts, because who can change store and issue could write any other. */
function faultOfNote(notary: Notary, shown: ReturnType<typeof readCheckpoint>): string | undefined {
  if (shown?.note === undefined)
    return "it is not signed; it is older than the bot's signing key, or somebody removed the signature";
  const signed = notary.read(shown.note);
  if (!signed) return "its signature does not match, or is of another key";
  const isSame = signed.size === shown.size && signed.head.startsWith(shown.head);
  return isSame ? undefined : `it shows ${shown.size} rows, and signed is another, of ${signed.size} rows`;
}

interface Pen {
  readonly markdown: Deps["markdown"];
  readonly apiUrl: string;
  readonly place: { readonly repo: string; readonly issue: number };
}

/** As many as a person reads on a phone. */
const mostLines = 20;

function listed(lines: readonly string[]): string {
  const rest = lines.length - mostLines;
  const shown = lines.slice(0, mostLines).map((line) => `- ${line}`);
  return [...shown, ...(rest > 0 ? [`- and ${rest} more; \`countersign audit export\` has all of them`] : [])].join(
    "\n",
  );
}

const list = (numbers: readonly number[]): string => numbers.join(", ");

/** `the card of 1, 2`. */
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

/** `the approval of 2`. */
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

/** Noticed and reversed, from the audit row. */
function reversedLine(row: AuditRow, posted: readonly PostedComment[], { markdown }: Pen): readonly string[] {
  const { kind, body } = readEvent(row);
  const line = (what: string): readonly string[] => [`${utcMinute(new Date(row.at))} · ${what}`];
  switch (kind) {
    case "card_tampered": {
      const { slot, by, action } = body;
      const numbers = posted.find((comment) => comment.slot === slot)?.numbers ?? [];
      const who = by.login === undefined ? "" : ` by ${name(by.login)}`;
      return line(`${commentWords({ slot, numbers })} was ${markdown.plain(action)}${who}, and put back`);
    }
    case "card_imitated": {
      const { by, numbers } = body;
      const who = by.login === undefined ? "" : ` by ${name(by.login)}`;
      const cards = numbers.length === 0 ? "my cards" : list(numbers);
      return line(`a look-alike of ${cards} was posted${who}, and told of`);
    }
    case "approval_withdrawn": {
      const { number, commentId, how } = body;
      if (commentId === undefined) return [];
      const what = `the approval of ${number} was ${markdown.plain(how ?? "changed")}`;
      return line(`${what}, and withdrawn before anything ran`);
    }
    default:
      return [];
  }
}
