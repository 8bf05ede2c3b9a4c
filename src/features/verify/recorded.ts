import { placeOfRun } from "../../base/action.ts";
import { readCard } from "../../github/render/read-card.ts";
import { endOf, proposerOf } from "../../github/render/record.ts";
import type { Action } from "../../store/actions.ts";
import { factsOf, type ReadEvent, readEvent } from "../../store/audit/events.ts";
import type { AuditRow } from "../../store/audit/rows.ts";
import type { Entry } from "./rebuild.ts";

/** What the cards cannot say of it: how a command looks on one, and whether hashes of outputs stand there. */
export interface ShownRecord {
  /** A command's entry as `card.ts` draws it. */
  readonly draw: (action: Action) => string;
  readonly isPublic: boolean;
}

/**
 * The record of an incident as the store has it, in the form in which `rebuild` finds it on the issue: what happened from the
 * chained audit, what was to run from the action that the digest binds. Pure.
 */
export function recorded(
  rows: readonly AuditRow[],
  actions: readonly Action[],
  { draw, isPublic }: ShownRecord,
): readonly Entry[] {
  const facts = new Map<number, Facts>();
  for (const row of rows) note(readEvent(row), facts);
  return actions.flatMap((action): readonly Entry[] => {
    const known = facts.get(action.number);
    const [shown] = readCard(draw(action));
    if (!known || !shown) return [];
    const runs = known.runs.map((run) => (isPublic ? { ...run, outputSha256: null } : run));
    return [
      {
        ...shown,
        digest: known.digest,
        by: proposerOf(action),
        // Who approved what has not run stands in their comments alone.
        approvals: runs.length === 0 ? [] : known.approvals,
        runs: runs.toSorted((a, b) => (a.server < b.server ? -1 : 1)),
        unlisted: 0,
      },
    ];
  });
}

interface Facts {
  readonly digest: string;
  readonly approvals: Entry["approvals"];
  readonly runs: Entry["runs"];
}

function note(event: ReadEvent, facts: Map<number, Facts>): void {
  const { number, digest } = factsOf(event);
  if (number === undefined || digest === undefined) return;
  const known = facts.get(number);
  if (event.kind === "command_proposed" || event.kind === "command_blocked")
    facts.set(number, { digest, approvals: [], runs: [] });
  if (known) facts.set(number, { ...known, ...change(event, known) });
}

function change({ kind, body }: ReadEvent, known: Facts): Partial<Facts> {
  switch (kind) {
    case "command_approved":
      return { approvals: [...known.approvals, { login: body.by.login, commentId: body.comment.id }] };
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
