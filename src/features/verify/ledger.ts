import { placeOfRun } from "../../base/action.ts";
import type { Risk } from "../../base/risk.ts";
import { wentWell } from "../../base/run.ts";
import type { IssueComment } from "../../github/conversation.ts";
import { renderAction } from "../../github/render/card.ts";
import { type GoneState, readCard, sameCard } from "../../github/render/read-card.ts";
import { endOf, proposerOf, readRecords } from "../../github/render/record.ts";
import type { Action } from "../../store/actions.ts";
import { type AuditRow, auditRows } from "../../store/audit/chain.ts";
import { type AuditKind, factsOf, type ReadEvent, readEvent } from "../../store/audit/events.ts";
import type { Tx } from "../../store/database/open.ts";
import { partsOf } from "../../store/incident-rows.ts";
import type { Incident } from "../../store/incidents.ts";
import { commentsOf, slots } from "../../store/outbox/thread-comments.ts";
import { isUndrawn, type OutboxComment } from "../../store/outbox/wanted.ts";
import type { Batch, Run } from "../../store/runs.ts";
import type { Deps } from "../context.ts";

/** One action's record, from the issue or the store (DC-6). */
export interface LedgerEntry {
  readonly number: number;
  readonly digest: string;
  /** `model`, `runbook`, or a person's `@login`. */
  readonly by: string;
  readonly risk: Risk;
  readonly place: string;
  /** As a card shows it. */
  readonly command: string;
  readonly gone: GoneState | undefined;
  /** Only by comments that are still there. */
  readonly approvals: readonly { readonly login: string; readonly commentId: number }[];
  readonly runs: readonly {
    readonly server: string;
    /** The exit code, or a word for another end. */
    readonly end: number | string;
    /** SHA-256 of the redacted output, hex; null if the output stays off the issue. */
    readonly outputSha256: string | null;
  }[];
  /** Runs without room on the issue. */
  readonly unlisted: number;
}

/** `body` is empty if the comment is not ours; ours stands without our hidden marker. */
export interface SeenComment extends Omit<IssueComment, "editedAt"> {
  readonly mark: string | undefined;
  /** Hex, as an approval stores it. */
  readonly sha256: string;
  readonly edited: boolean;
  /** The numbers in another account's look-alike of our card (SR-30). */
  readonly imitates: readonly number[] | undefined;
}

export interface PostedComment {
  readonly mark: string;
  readonly slot: string;
  /** Every body that GitHub may show. */
  readonly bodies: readonly string[];
  readonly githubId: number | null;
  /** On the issue before the issue was read, and unchanged since. */
  readonly settled: boolean;
  readonly firstPostedAt: Date | null;
  readonly parked: string | null;
  readonly numbers: readonly number[];
  readonly failed: boolean;
}

/** A person's comment that caused audit events. */
export interface LedgerWord {
  readonly commentId: number;
  readonly login: string;
  readonly kinds: readonly string[];
  readonly numbers: readonly number[];
  /** Undefined if the audit does not hold it. */
  readonly sha256: string | undefined;
  /** Withdrawn before a command ran because of it. */
  readonly withdrawn: boolean;
}

export interface StoredLedger {
  readonly posted: readonly PostedComment[];
  readonly words: readonly LedgerWord[];
  readonly entries: readonly LedgerEntry[];
  /** Actions that run now; their cards lag behind. */
  readonly moving: readonly number[];
  /** Slots whose deleted comment was posted again, further down. */
  readonly reposted: ReadonlySet<string>;
}

export type Discrepancy =
  | { readonly kind: "edited" | "hidden"; readonly at: SeenComment; readonly posted: PostedComment }
  | { readonly kind: "deleted" | "unposted"; readonly posted: PostedComment }
  /** `posted` was here, `reads` is here now. */
  | {
      readonly kind: "reordered";
      readonly at: SeenComment;
      readonly posted: PostedComment;
      readonly reads: PostedComment;
    }
  | { readonly kind: "displaced"; readonly at: SeenComment; readonly posted: PostedComment }
  /** Another account's look-alike, our account's comment unknown to the store, or a second copy. */
  | { readonly kind: "forged" | "unknown" | "copied"; readonly at: SeenComment }
  | { readonly kind: "word-deleted"; readonly word: LedgerWord }
  /** The issue's own text, if the bot opened the issue. */
  | { readonly kind: "text-edited" }
  | { readonly kind: "word-edited" | "word-hidden"; readonly at: SeenComment; readonly word: LedgerWord }
  | {
      readonly kind: "differs";
      readonly number: number;
      readonly what: string;
      readonly issue: string;
      readonly store: string;
    };

/** The bot minimizes only finished cards, never failures and approvals. */
const tidying = ["outdated", "resolved"];

/** Compares an issue's comments with the store. Pure. Redrawn or unposted cards, ticked boxes and GitHub's line ends are no finding. */
export function compare(seen: readonly SeenComment[], held: StoredLedger): readonly Discrepancy[] {
  const inOrder = seen.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.id - b.id);
  const there = new Map(inOrder.map((comment) => [comment.id, comment]));
  const found = [
    ...inOrder.flatMap((comment): readonly Discrepancy[] => {
      if (comment.ours) return ofOurs(comment, held);
      return comment.imitates === undefined ? [] : [{ kind: "forged", at: comment }];
    }),
    ...held.posted.flatMap((posted): readonly Discrepancy[] => {
      const { githubId, parked, settled } = posted;
      return [
        ...(settled && githubId !== null && !there.has(githubId) ? [{ kind: "deleted", posted } as const] : []),
        ...(parked === null ? [] : [{ kind: "unposted", posted } as const]),
      ];
    }),
    ...held.words.flatMap((word): readonly Discrepancy[] => {
      // Audit and board show its withdrawal.
      if (word.withdrawn) return [];
      const at = there.get(word.commentId);
      if (!at) return [{ kind: "word-deleted", word }];
      const edited = word.sha256 === undefined ? at.edited : at.sha256 !== word.sha256;
      return [
        ...(edited ? [{ kind: "word-edited", at, word } as const] : []),
        ...(at.hidden === undefined ? [] : [{ kind: "word-hidden", at, word } as const]),
      ];
    }),
  ];
  const named = new Set(found.flatMap(numbersOf));
  const moving = new Set([...held.moving, ...held.posted.flatMap((posted) => (posted.settled ? [] : posted.numbers))]);
  const atRest = (entries: readonly LedgerEntry[]) => entries.filter(({ number }) => !moving.has(number));
  return [...found, ...differencesOf(atRest(rebuild(inOrder)), atRest(held.entries), named)];
}

function ofOurs(comment: SeenComment, held: StoredLedger): readonly Discrepancy[] {
  const posted = held.posted.find(({ githubId }) => githubId === comment.id);
  const marked = held.posted.find(({ mark }) => mark === comment.mark);
  if (!posted) {
    // GitHub's answer to its creation is under way; the outbox will recognize its mark (RR-07).
    if (marked && marked.githubId === null) return [];
    return [{ kind: marked ? "copied" : "unknown", at: comment }];
  }
  const found: Discrepancy[] = [];
  if (posted.mark === comment.mark && reads(comment, posted)) {
    const shiftMs = Math.abs(comment.createdAt.getTime() - (posted.firstPostedAt ?? comment.createdAt).getTime());
    // GitHub's times are whole seconds.
    if (posted.settled && shiftMs >= 1_000 && !held.reposted.has(posted.slot))
      found.push({ kind: "displaced", at: comment, posted });
  } else if (marked && marked !== posted && reads(comment, marked))
    found.push({ kind: "reordered", at: comment, posted, reads: marked });
  else found.push({ kind: "edited", at: comment, posted });
  const tidied = tidying.includes(comment.hidden?.toLowerCase() ?? "") && !posted.failed;
  if (comment.hidden !== undefined && !tidied) found.push({ kind: "hidden", at: comment, posted });
  return found;
}

const reads = (seen: SeenComment, { bodies }: PostedComment): boolean =>
  bodies.some((body) => sameCard(body, seen.body));

/** Rebuilds the record from comments alone. Pure. Leaves out actions without card or hidden record, and approvals whose comment is gone. */
export function rebuild(comments: readonly Pick<IssueComment, "id" | "ours" | "body">[]): readonly LedgerEntry[] {
  const ours = comments.filter((comment) => comment.ours);
  const there = new Set(comments.filter((comment) => !comment.ours).map(({ id }) => id));
  const shown = firstByNumber(
    ours.flatMap(({ body }) => readCard(body)),
    ({ number }) => number,
  );
  const lines = ours.flatMap(({ body }) => readRecords(body));
  const proposals = firstByNumber(
    lines.flatMap((line) => ("digest" in line ? [line] : [])),
    ({ action }) => action,
  );
  const results = firstByNumber(
    lines.flatMap((line) => ("runs" in line ? [line] : [])),
    ({ action }) => action,
  );
  return [...shown.values()]
    .toSorted((a, b) => a.number - b.number)
    .flatMap((action): readonly LedgerEntry[] => {
      const proposal = proposals.get(action.number);
      if (!proposal) return [];
      const { approvals = [], runs = [], more: unlisted = 0 } = results.get(action.number) ?? {};
      const standing = approvals.map(([login, commentId]) => ({ login, commentId }));
      return [
        {
          ...action,
          digest: proposal.digest,
          by: proposal.by,
          approvals: standing.filter(({ commentId }) => there.has(commentId)),
          runs: runs
            .map(([server, end, outputSha256]) => ({ server, end, outputSha256 }))
            .toSorted((a, b) => (a.server < b.server ? -1 : 1)),
          unlisted,
        },
      ];
    });
}

/** Later ones are copies. */
function firstByNumber<T>(items: readonly T[], keyOf: (item: T) => number): ReadonlyMap<number, T> {
  const found = new Map<number, T>();
  for (const item of items) if (!found.has(keyOf(item))) found.set(keyOf(item), item);
  return found;
}

type Difference = Extract<Discrepancy, { kind: "differs" }>;

const comparedFields: readonly { readonly what: string; readonly of: (entry: LedgerEntry) => string }[] = [
  { what: "its digest", of: ({ digest }) => digest.slice(0, 16) },
  { what: "who proposed it", of: ({ by }) => by },
  { what: "its risk", of: ({ risk }) => risk },
  { what: "where it runs", of: ({ place }) => place },
  { what: "the command", of: ({ command }) => command },
  { what: "what became of it", of: ({ gone }) => gone ?? "open, or run" },
  {
    what: "who approved it",
    of: ({ approvals }) => approvals.map(({ login }) => `@${login}`).join(" and ") || "nobody",
  },
];

/** Names a missing action only if no other finding (`named`) explains it. */
function differencesOf(
  rebuilt: readonly LedgerEntry[],
  recorded: readonly LedgerEntry[],
  named: ReadonlySet<number>,
): readonly Difference[] {
  const onIssue = new Map(rebuilt.map((entry) => [entry.number, entry]));
  const missing = new Set(recorded.map(({ number }) => number));
  const found = recorded.flatMap((entry): readonly Difference[] => {
    const { number } = entry;
    const shown = onIssue.get(number);
    const differs = (what: string, issue: string, store: string): Difference => ({
      kind: "differs",
      number,
      what,
      issue,
      store,
    });
    if (!shown) return named.has(number) ? [] : [differs("its card", "not there", "posted")];
    return [
      ...comparedFields.flatMap(({ what, of }) =>
        of(shown) === of(entry) ? [] : [differs(what, of(shown), of(entry))],
      ),
      ...runsOf(shown, entry).map(({ what, issue, store }) => differs(what, issue, store)),
    ];
  });
  const unknown = rebuilt.filter(({ number }) => !missing.has(number) && !named.has(number));
  return [
    ...found,
    ...unknown.map(
      ({ number }): Difference => ({
        kind: "differs",
        number,
        what: "its card",
        issue: "there",
        store: "no such action",
      }),
    ),
  ];
}

function runsOf(shown: LedgerEntry, entry: LedgerEntry) {
  const listed = new Map(shown.runs.map((run) => [run.server, run]));
  const absent = entry.runs.filter(({ server }) => !listed.has(server));
  return [
    ...entry.runs.flatMap((run) => {
      const other = listed.get(run.server);
      if (!other) return [];
      const on = `on ${run.server}`;
      return [
        ...(other.end === run.end ? [] : [{ what: `how it ended ${on}`, issue: `${other.end}`, store: `${run.end}` }]),
        ...(other.outputSha256 === run.outputSha256
          ? []
          : [{ what: `its output ${on}`, issue: `${other.outputSha256}`, store: `${run.outputSha256}` }]),
      ];
    }),
    ...(absent.length === shown.unlisted
      ? []
      : [
          {
            what: "where it ran",
            issue: shown.runs.map(({ server }) => server).join(", ") || "nowhere",
            store: entry.runs.map(({ server }) => server).join(", "),
          },
        ]),
  ];
}

/** Returns the numbers of a finding's actions. */
export function numbersOf(finding: Discrepancy): readonly number[] {
  switch (finding.kind) {
    case "edited":
    case "hidden":
    case "deleted":
    case "unposted":
    case "displaced":
      return finding.posted.numbers;
    case "reordered":
      return [...finding.posted.numbers, ...finding.reads.numbers];
    case "forged":
      return finding.at.imitates ?? [];
    case "unknown":
    case "copied":
      return readRecords(finding.at.body).map(({ action }) => action);
    case "word-deleted":
    case "word-edited":
    case "word-hidden":
      return finding.word.numbers;
    case "differs":
      return [finding.number];
    case "text-edited":
      return [];
  }
}

interface Snapshot {
  readonly comments: readonly OutboxComment[];
  readonly rows: readonly AuditRow[];
  readonly actions: readonly Action[];
  readonly batches: readonly Batch[];
  readonly runs: readonly Run[];
  readonly undrawn: boolean;
}

export async function snapshotOf(tx: Tx, incident: Incident): Promise<Snapshot> {
  const rows: AuditRow[] = [];
  for await (const some of auditRows(tx, { incidentId: incident.id })) rows.push(...some);
  return {
    comments: await commentsOf(tx, incident),
    rows,
    ...(await partsOf(tx, incident.id, "actions", "batches", "runs")),
    undrawn: await isUndrawn(tx, { repo: incident.repo, issue: incident.number }),
  };
}

/**
 * Builds the record to compare an issue with. Pure. Takes our comments from before and after reading GitHub, because one may change
 * meanwhile.
 */
export function storedLedgerFrom(
  before: Snapshot,
  after: Pick<Snapshot, "comments">,
  { isPublic, markdown }: { readonly isPublic: boolean; readonly markdown: Deps["markdown"] },
): StoredLedger {
  const draw = (action: Action) => renderAction({ ...action, verdicts: [], runs: [] }, markdown);
  const moving = before.actions.filter(({ state }) => state === "dispatching" || state === "running");
  return {
    posted: after.comments.map((comment) => {
      const { id, slot, githubId, firstPostedAt, parked } = comment;
      const earlier = before.comments.find((other) => other.id === id);
      const told = before.batches.filter(
        ({ id, toldOn }) => slots.batch(id) === slot || (toldOn !== null && slots.card(toldOn) === slot),
      );
      const bodies = [earlier, comment].flatMap((row) => (row ? [row.postedBody, row.postingBody, row.body] : []));
      return {
        mark: id,
        slot,
        bodies: [...new Set(bodies.filter((body) => body !== null))],
        githubId,
        settled:
          !before.undrawn &&
          earlier !== undefined &&
          isQuiet(earlier) &&
          isQuiet(comment) &&
          earlier.version === comment.version,
        firstPostedAt,
        parked,
        numbers: [
          ...told.flatMap(({ numbers }) => numbers),
          ...before.actions.filter(({ card }) => card === slot).map(({ number }) => number),
        ],
        failed: before.runs.some(
          (run) => told.some(({ id }) => id === run.batchId) && run.ending !== null && !wentWell(run),
        ),
      };
    }),
    words: wordsOf(before.rows),
    entries: storedEntries(before.rows, before.actions, { draw, isPublic }),
    moving: moving.map(({ number }) => number),
    reposted: new Set(
      before.rows.flatMap((row) => {
        const { kind, body } = readEvent(row);
        return kind === "card_tampered" && body.action === "deleted" ? [body.slot] : [];
      }),
    ),
  };
}

const isQuiet = ({ githubId, version, postedVersion, parked }: OutboxComment): boolean =>
  githubId !== null && (version === postedVersion || parked !== null);

/** No person's comment caused these, or they only report one without effect. */
const wordless: ReadonlySet<string> = new Set<AuditKind>([
  "command_denied",
  "command_ignored",
  "command_unverified",
  "approval_refused",
  "denials_muted",
  "card_imitated",
  "approval_withdrawn",
  "issue_verified",
]);

function wordsOf(rows: readonly AuditRow[]): readonly LedgerWord[] {
  const withdrawn = new Set(
    rows.flatMap((row) => {
      const { kind, body } = readEvent(row);
      return kind === "approval_withdrawn" ? [`${body.commentId}:${body.number}`] : [];
    }),
  );
  const said = rows.flatMap((row) => {
    const { by, comment, number, digest, ...facts } = factsOf(readEvent(row));
    const commentId = comment?.id ?? facts.commentId;
    if (wordless.has(row.kind) || by === undefined || commentId === undefined) return [];
    // A question has a number too; only an action has a digest.
    const action = digest === undefined ? undefined : number;
    return [{ kind: row.kind, login: by.login, commentId, sha256: comment?.sha256, number: action }];
  });
  return [...Map.groupBy(said, ({ commentId }) => commentId)].flatMap(([commentId, events]): readonly LedgerWord[] => {
    const [event] = events;
    if (!event) return [];
    return [
      {
        commentId,
        login: event.login,
        kinds: [...new Set(events.map(({ kind }) => kind))],
        numbers: [...new Set(events.flatMap(({ number }) => number ?? []))],
        sha256: events.find(({ sha256 }) => sha256 !== undefined)?.sha256,
        withdrawn: events.every(({ number }) => withdrawn.has(`${commentId}:${number}`)),
      },
    ];
  });
}

interface ShownRecord {
  /** As `card.ts` draws it. */
  readonly draw: (action: Action) => string;
  readonly isPublic: boolean;
}

/** Builds the store's record in the form of `rebuild`, from the chained audit and the actions, which its digests bind. Pure. */
export function storedEntries(
  rows: readonly AuditRow[],
  actions: readonly Action[],
  { draw, isPublic }: ShownRecord,
): readonly LedgerEntry[] {
  const facts = new Map<number, ActionFacts>();
  for (const row of rows) {
    const event = readEvent(row);
    const { number, digest } = factsOf(event);
    if (number === undefined || digest === undefined) continue;
    const known = facts.get(number);
    if (known) facts.set(number, { ...known, ...changedFacts(event, known) });
    else if (event.kind === "command_proposed" || event.kind === "command_blocked")
      facts.set(number, { digest, approvals: [], runs: [] });
  }
  return actions.flatMap((action): readonly LedgerEntry[] => {
    const known = facts.get(action.number);
    const [shown] = readCard(draw(action));
    if (!known || !shown) return [];
    const runs = known.runs.map((run) => (isPublic ? { ...run, outputSha256: null } : run));
    return [
      {
        ...shown,
        digest: known.digest,
        by: proposerOf(action),
        // Before a run, an approval is only in its own comment.
        approvals: runs.length === 0 ? [] : known.approvals,
        runs: runs.toSorted((a, b) => (a.server < b.server ? -1 : 1)),
        unlisted: 0,
      },
    ];
  });
}

interface ActionFacts {
  readonly digest: string;
  readonly approvals: LedgerEntry["approvals"];
  readonly runs: LedgerEntry["runs"];
}

function changedFacts({ kind, body }: ReadEvent, known: ActionFacts): Partial<ActionFacts> {
  switch (kind) {
    case "command_approved":
      return { approvals: [...known.approvals, { login: body.by.login, commentId: body.comment?.id ?? 0 }] };
    case "approval_withdrawn": {
      const stays = (approval: { readonly commentId: number }) =>
        body.commentId !== undefined && approval.commentId !== body.commentId;
      return { approvals: known.approvals.filter(stays) };
    }
    case "command_executed":
    case "command_unknown": {
      const { ending, redactedSha256 } = body;
      return { runs: [...known.runs, { server: placeOfRun(body), end: endOf(ending), outputSha256: redactedSha256 }] };
    }
    default:
      return {};
  }
}
