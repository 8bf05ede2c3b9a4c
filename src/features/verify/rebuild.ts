import type { Risk } from "../../base/risk.ts";
import { type GoneState, readCard } from "../../github/render/read-card.ts";
import { readRecords } from "../../github/render/record.ts";

/** What the issue, or the store, says of one action: who proposed it, who approved it, what ran where, what came out (DC-6). */
export interface Entry {
  readonly number: number;
  readonly digest: string;
  /** `model`, `runbook`, or a person's `@login`. */
  readonly by: string;
  readonly risk: Risk;
  /** The server, or the name that stands for several. */
  readonly place: string;
  /** As a card shows it. */
  readonly command: string;
  /** How it ended without having run. */
  readonly gone: GoneState | undefined;
  /** Who approved it, each by a comment of theirs that is there. */
  readonly approvals: readonly { readonly login: string; readonly commentId: number }[];
  readonly runs: readonly {
    readonly server: string;
    /** Exit code, or in a word how else it ended. */
    readonly end: number | string;
    /** SHA-256 of the redacted output, hex; null where it stays off the issue. */
    readonly outputSha256: string | null;
  }[];
  /** So many further runs had no room on the issue. */
  readonly unlisted: number;
}

/** A comment as the record is rebuilt from it; of other people's the text is not needed. */
export interface Remark {
  readonly id: number;
  /** Written by the bot: nobody else's comment tells what ran. */
  readonly ours: boolean;
  /** Without our hidden marker. */
  readonly body: string;
}

/**
 * The record of an incident from its comments alone, by number: what the cards show, with the hidden records at their ends. An
 * action of which either is missing is not in it; an approval counts where its comment is still there. Pure.
 */
export function rebuild(comments: readonly Remark[]): readonly Entry[] {
  const ours = comments.filter((comment) => comment.ours);
  const there = new Set(comments.filter((comment) => !comment.ours).map(({ id }) => id));
  const shown = first(
    ours.flatMap(({ body }) => readCard(body)),
    ({ number }) => number,
  );
  const lines = ours.flatMap(({ body }) => readRecords(body));
  const proposals = first(
    lines.flatMap((line) => ("digest" in line ? [line] : [])),
    ({ action }) => action,
  );
  const results = first(
    lines.flatMap((line) => ("runs" in line ? [line] : [])),
    ({ action }) => action,
  );
  return [...shown.values()]
    .toSorted((a, b) => a.number - b.number)
    .flatMap((action): readonly Entry[] => {
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

/** The first of each key: what comes later under the same one is a copy. */
function first<T>(items: readonly T[], keyOf: (item: T) => number): ReadonlyMap<number, T> {
  const found = new Map<number, T>();
  for (const item of items) if (!found.has(keyOf(item))) found.set(keyOf(item), item);
  return found;
}
