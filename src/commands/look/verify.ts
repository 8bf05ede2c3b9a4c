import type { Deps } from "../../features/context.ts";
import { imitatedIn } from "../../features/intake/forged-card.ts";
import { hashBody } from "../../features/run/approval-comment.ts";
import { answer } from "../../features/thread/answer.ts";
import { compare, type Discrepancy, type SeenComment } from "../../features/verify/ledger.ts";
import { heldFrom, snapshotOf } from "../../features/verify/snapshot.ts";
import { markIn, withoutMarker } from "../../github/comments.ts";
import type { IssueComment } from "../../github/issue-comments.ts";
import { readCheckpoint } from "../../github/render/board.ts";
import { verbs } from "../../slash/verbs.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import { contradiction, type Notary } from "../../store/audit/checkpoint.ts";
import { changedRow } from "../../store/audit/rows.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/slots.ts";
import { openerOf } from "../../store/schedules.ts";
import { redactText } from "../../text/bare.ts";
import { visible } from "../../text/read/visible.ts";
import { verdictText } from "../answer/verdict-text.ts";
import type { Call, Command } from "../command.ts";
import { repairedTampering } from "./repaired-tampering.ts";

/**
 * DC-6, SR-64: holds every comment of the issue against the store, and the store against its own chain and the board's
 * checkpoint, and names each thing that does not agree. It fixes nothing.
 */
export const verify: Command = {
  ...verbs.verify,
  summary: "checks this issue for what was edited, deleted, reordered, or forged",
  examples: ["/verify"],
  may: "see",
  run: async (call) => {
    const { deps, incident } = call;
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
    const board = before.comments.find(({ slot }) => slot === slots.board);
    const shown = seen.find(({ id }) => id === board?.githubId)?.body;
    const faults = [...faultsOfAudit(chain, changedRow(before.rows)), ...(await faultsOfCheckpoint(deps, shown))];
    await call.commit(async (tx, locked) => {
      const after = await snapshotOf(tx, locked);
      const held = heldFrom(before, after, { isPublic: locked.public, markdown: deps.markdown });
      const findings = [...(await textFindings(tx, call)), ...compare(seen, held)];
      const kinds = findings.map(({ kind }) => kind);
      await appendAudit(tx, {
        kind: "issue_verified",
        incidentId: locked.id,
        body: {
          by: { id: call.caller.id, login: call.caller.login },
          commentId: call.event.comment.id,
          comments: seen.length,
          head: chain.ok ? chain.head : null,
          findings: Object.fromEntries(
            [...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => [kind, all.length]),
          ),
          faults,
        },
      });
      const body = verdictText(
        {
          findings,
          faults,
          reversed: repairedTampering(before.rows, held.posted),
          comments: seen.length,
          events: before.rows.length,
          chain,
        },
        {
          markdown: deps.markdown,
          apiUrl: deps.config.github.apiUrl,
          place: { repo: locked.repo, issue: locked.number },
        },
      );
      await answer(tx, call, locked, { outcome: "done", body });
    });
  },
};

function faultsOfAudit(
  chain: Awaited<ReturnType<Deps["store"]["chain"]>>,
  changed: ReturnType<typeof changedRow>,
): readonly string[] {
  const isNamed = !chain.ok && chain.seq === changed?.seq;
  return [
    ...(chain.ok ? [] : [`row ${chain.seq} of the audit: ${chain.reason}`]),
    ...(changed && !isNamed ? [`row ${changed.seq} of the audit: was changed after it was written`] : []),
  ];
}

/** WF-2: where a schedule has opened the issue, its text shows what was run. Of other issues the text is people's own. */
async function textFindings(tx: Tx, { deps, event, incident }: Call): Promise<readonly Discrepancy[]> {
  if (!(await openerOf(tx, incident.id))) return [];
  const text = withoutMarker(event.body).replace(/\r\n?/g, "\n");
  const isOurs = redactText(deps.redact, visible(text)).trim() === incident.body.trim();
  return isOurs ? [] : [{ kind: "text-edited" }];
}

/** Every comment of the issue, of other people's without their text, so that a long thread takes little memory. */
async function readIssue({ deps }: Pick<Call, "deps">, incident: Incident): Promise<readonly SeenComment[]> {
  const { installationId, repo, number: issue } = incident;
  const seen: SeenComment[] = [];
  for await (const page of deps.readComments({ installationId, repo, issue })) seen.push(...page.map(seenFrom));
  return seen;
}

const seenFrom = (comment: IssueComment): SeenComment => ({
  ...comment,
  body: comment.ours ? withoutMarker(comment.body) : "",
  mark: comment.ours ? markIn(comment.body) : undefined,
  sha256: hashBody(comment.body),
  edited: comment.editedAt !== undefined,
  imitates: comment.ours ? undefined : imitatedIn(comment.body),
});

/**
 * The board is a witness outside of the store: what it saw of the audit must still be there (SR-64, SR-66). Where there is a key, only
 * what it has signed counts: whoever can change store and issue could write any other.
 */
async function faultsOfCheckpoint({ store, notary }: Deps, board: string | undefined): Promise<readonly string[]> {
  if (board === undefined) return [];
  const shown = readCheckpoint(board);
  const faults = [shown && (await contradiction(store.db, shown)), notary && faultOfNote(notary, shown)];
  return faults.flatMap((fault) => (fault === undefined ? [] : [`the board's checkpoint: ${fault}`]));
}

function faultOfNote(notary: Notary, shown: ReturnType<typeof readCheckpoint>): string | undefined {
  if (shown?.note === undefined)
    return "it is not signed; it is older than the bot's signing key, or somebody removed the signature";
  const signed = notary.read(shown.note);
  if (!signed) return "its signature does not match, or is of another key";
  const isSame = signed.size === shown.size && signed.head.startsWith(shown.head);
  return isSame ? undefined : `it shows ${shown.size} rows, and signed is another, of ${signed.size} rows`;
}
