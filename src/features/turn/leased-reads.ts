import { type ActionDraft, actionsOf } from "../../store/actions.ts";
import { isStanding } from "../../store/holds.ts";
import { partsOf } from "../../store/incident-rows.ts";
import { lockIncident } from "../../store/incidents.ts";
import { countRaised } from "../../store/leases.ts";
import type { Batch } from "../../store/runs.ts";
import type { Deps } from "../context.ts";
import type { DraftedProposal } from "../proposal/draft.ts";
import { leaseStandingOf, takenByLease } from "../proposal/lease.ts";
import { propose } from "../proposal/propose.ts";
import { effectOf, type ListedDraft } from "../proposal/same-action.ts";
import { show } from "../thread/show.ts";
import { type AgentTurn, askedOf } from "./turn-message.ts";

/** How long the model waits for its reads. After that their end gives it a turn. */
const longestMs = 20_000;
/** For holds, and an end whose announcement was lost. */
const lookMs = 1_000;

export type ListedProposal = ListedDraft & Pick<DraftedProposal, "checks" | "raisedFrom">;

/**
 * Proposes what a lease takes of a list that the model is still writing, and waits for the end of its batch, which the queue `execute` runs
 * like every other. Returns what became of each; the rest of the list is untouched (AR-03).
 */
export async function runLeased(
  deps: Deps,
  turn: AgentTurn,
  list: readonly ListedProposal[],
): Promise<ReadonlyMap<ActionDraft, string>> {
  let counted: ReadonlySet<string> = new Set();
  const begun = await deps.store.transaction(async (tx) => {
    await turn.fence(tx);
    const incident = await lockIncident(tx, turn.incident.id);
    const rows = await partsOf(tx, incident.id, "actions", "approvals", "batches", "lease", "runs");
    // Behind what runs already, the model would wait in vain. A blocked command ends the lease with the turn.
    const isBusy = rows.batches.some(({ endedAt }) => endedAt === null);
    const isBlocked = list.some(({ draft }) => draft.state === "blocked");
    if (incident.state !== "open" || !rows.lease || isBusy || isBlocked) return undefined;
    const riskier = list.flatMap(({ draft, raisedFrom }) =>
      raisedFrom === undefined ? [] : [effectOf(draft.spec) ?? ""],
    );
    counted = new Set(riskier.filter((one) => !turn.raised.has(one)));
    if (counted.size > 0) await countRaised(tx, incident.id, counted.size);
    const standing = await leaseStandingOf(deps, tx, turn.repoContext, { incident });
    if (standing.kind === "off") return undefined;
    const change = list.findIndex(({ draft }) => draft.spec.risk !== "low");
    const reads = list.slice(0, change === -1 ? undefined : change).filter(({ isStep }) => !isStep);
    const drafts = takenByLease(
      deps,
      turn.repoContext,
      standing.lease,
      reads.map(({ draft }) => draft),
    );
    if (drafts.length === 0) return undefined;
    const { numbers, leased } = await propose(tx, deps, turn.repoContext, {
      incident,
      rows,
      reading: { notes: [] },
      origin: "model",
      drafts: drafts.map((draft) => ({ alone: { kind: "draft", draft } })),
      told: new Set(turn.runs.map(({ number }) => number)),
      adds: true,
      asked: askedOf(turn),
    });
    if (!leased) return undefined;
    await show(tx, deps, incident, `running ${leased.numbers.join(", ")} under the lease`);
    return { drafts, numbers, leased };
  });
  for (const one of counted) turn.raised.add(one);
  if (!begun) return new Map();
  const { drafts, numbers, leased } = begun;
  const ended = await untilEnded(deps, turn, leased);
  const actions = await actionsOf(deps.store.db, turn.incident.id);
  return new Map(
    drafts.flatMap((draft): [ActionDraft, string][] => {
      const number = numbers.get(draft.spec.nonce);
      const action = actions.find((one) => one.number === number);
      if (!action || !leased.numbers.includes(action.number)) return [];
      if (ended && action.state !== "done") turn.handedBack.add(action.number);
      const became =
        action.state === "done"
          ? "ran under the lease"
          : ended
            ? `was not run${action.stateReason === null ? "" : ` (${action.stateReason})`}, waits for people`
            : "has not ended yet: its output will be told to you";
      return [[draft, `${action.number}, ${draft.spec.risk}, ${became}`]];
    }),
  );
}

/** Returns false if the batch goes on: it takes too long, or a hold stops it. */
async function untilEnded(deps: Deps, { incident, signal }: AgentTurn, batch: Batch): Promise<boolean> {
  for (let waited = 0; waited < longestMs && !signal.aborted; waited += lookMs) {
    const heard = deps.store.queue.heard(batch.id, lookMs);
    const { batches, holds } = await partsOf(deps.store.db, incident.id, "batches", "holds");
    if (batches.some(({ id, endedAt }) => id === batch.id && endedAt !== null)) return true;
    if (holds.some(isStanding)) return false;
    await heard;
  }
  return false;
}
