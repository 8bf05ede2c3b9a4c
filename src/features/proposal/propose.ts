import type { Reading } from "../../base/agent.ts";
import { type Action, type ActionDraft, actionsOf, approvalsOf, moveAction } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/slots.ts";
import { setTurnNotes, type Turn } from "../../store/turns.ts";
import type { Deps, RepoContext } from "../context.ts";
import { reopen } from "../incident/reopen.ts";
import { addProposal } from "./add-proposal.ts";
import { startAuto } from "./agent-mode.ts";
import { endAutoIfOver } from "./agent-mode-ended.ts";
import type { DraftedProposal } from "./draft-proposals.ts";
import { isLiveAction, repeatedBy } from "./same-action.ts";

/**
 * Makes a reading's proposals into numbered actions; what is open already keeps its number and its card. They replace what else
 * the agent proposed before and nobody has approved, and what they name; without any, all stays but what is taken back. What a person
 * wrote stays in any case (PA-6). What cannot be an action is said on the card (PA-4).
 */
export async function propose(
  tx: Tx,
  deps: Deps,
  repoContext: RepoContext,
  given: {
    readonly incident: Incident;
    readonly turn: Turn;
    readonly reading: Reading;
    readonly origin: "model" | "offline";
    /** Its proposals, as `draftProposals` has judged them before this transaction began. */
    readonly drafts: readonly DraftedProposal[];
    /** The numbers of which it was told what came out. */
    readonly told: ReadonlySet<number>;
    /** What stands open stays, but for what is named: it was put there for this very reply. */
    readonly adds?: boolean;
  },
): Promise<void> {
  const { incident, turn, reading, origin } = given;
  const actions = await actionsOf(tx, incident.id);
  const open = actions.filter((action) => isLiveAction(deps, repoContext, action));
  // What ended while the reply was written could not be known in it: the next turn is told what came out.
  const unheard = actions.filter(({ state, number }) => state === "done" && !given.told.has(number));
  const refused: string[] = [];
  const made: Action[] = [];
  const kept = new Set<Action>();
  for (const { alone, check } of given.drafts) {
    if (alone.kind === "refused") {
      refused.push(alone.why);
      continue;
    }
    if (check?.kind === "refused") refused.push(check.why);
    const ended = repeatedBy(repoContext, unheard, alone.draft);
    if (ended) {
      refused.push(`${ended.number} is the same command and ended meanwhile, so it is not proposed again.`);
      continue;
    }
    const repeated = repeatedBy(repoContext, [...open, ...made], alone.draft);
    if (repeated) {
      for (const one of open.filter(({ spec }) => spec.checks === repeated.number)) kept.add(one);
      kept.add(repeated);
      if (repeated.state !== "proposed" && repeated.state !== "blocked")
        refused.push(`${repeated.number} is the same command and under way, so it is not proposed again.`);
      continue;
    }
    const add = async (draft: ActionDraft): Promise<Action> => {
      const action = await addProposal(
        tx,
        incident,
        { ...draft, card: slots.card(turn.step) },
        { origin, rulesVersion: draft.spec.rulesVersion },
      );
      made.push(action);
      logProposal(deps, incident, action);
      return action;
    };
    const { number, state, spec } = await add(alone.draft);
    if (check?.kind !== "draft" || state === "blocked") continue;
    const description = `Runs behind ${number}, under the same approval.`;
    const isOwn = spec.ownCheck !== undefined;
    await add(isOwn ? { ...check.draft, description, spec: { ...check.draft.spec, checks: number } } : check.draft);
  }
  const own = open.filter((action) => action.origin !== "person" && !kept.has(action));
  const { replaces = [], withdraws = [] } = reading;
  const isApproved = await approvedOnes(tx, incident);
  const inTheirPlace = made.length + kept.size > 0;
  const gone = own.filter(
    (action) =>
      action.state === "proposed" &&
      (withdraws.includes(action.number) ||
        (inTheirPlace && (replaces.includes(action.number) || !(given.adds || isApproved(action))))),
  );
  for (const action of gone) {
    const isTakenBack = withdraws.includes(action.number);
    await supersede(
      tx,
      action,
      isTakenBack ? { reason: "taken back by the agent" } : { supersededBy: made[0]?.number },
    );
  }
  for (const { number } of own.filter((action) => !gone.includes(action)))
    if (withdraws.includes(number) || replaces.includes(number))
      refused.push(`${number} is approved and under way, so it is not taken back.`);
  const still = open.filter((action) => action.origin !== "person" && !gone.includes(action));
  await endAutoIfOver(tx, deps, repoContext, incident);
  await startAuto(tx, deps, repoContext, { incident, actions: [...still, ...made] });
  if (refused.length === 0) return;
  await setTurnNotes(tx, turn.id, [...reading.notes, ...refused]);
}

/** S14.8 for what is blocked; for the rest how long people waited for it. */
function logProposal(deps: Deps, { createdAt }: Incident, { number, state, origin, spec, findings }: Action): void {
  const line = { module: "agent", number, risk: spec.risk, origin, place: spec.place };
  if (state === "blocked") {
    const reason = findings[0]?.text;
    deps.log.warn({ ...line, event: "tool_blocked", tool: "propose_actions", command: spec.command, reason });
    return;
  }
  const sinceOpenedMs = deps.now().getTime() - createdAt.getTime();
  deps.log.info({ ...line, event: "command_proposed", sinceOpenedMs });
}

/** Whoever approved it approved what does not stand any more. */
async function supersede(
  tx: Tx,
  action: Action,
  why: { readonly reason?: string; readonly supersededBy?: number | undefined },
): Promise<void> {
  const { incidentId, number, digest } = action;
  const { reason, supersededBy } = why;
  await reopen(tx, [action], reason ?? "the agent proposes something else");
  const step = { ...(reason && { reason }), ...(supersededBy !== undefined && { supersededBy }) };
  if (!(await moveAction(tx, action, { from: "proposed", to: "superseded", ...step }))) return;
  await appendAudit(tx, {
    kind: "command_superseded",
    incidentId,
    body: { number, digest, by: supersededBy ?? null, ...(reason && { reason }) },
  });
}

/** Whether somebody has approved it already, though more may have to. */
async function approvedOnes(tx: Tx, { id }: Incident): Promise<(action: Action) => boolean> {
  const approved = new Set((await approvalsOf(tx, id)).map(({ actionId }) => actionId));
  return (action) => approved.has(action.id);
}
