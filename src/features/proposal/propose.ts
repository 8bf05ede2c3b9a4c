import { isUndecided } from "../../base/action.ts";
import type { Reading } from "../../base/agent.ts";
import { type Action, type ActionDraft, type Approval, moveAction } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import type { RowsWith } from "../../store/incident-rows.ts";
import type { Incident } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/slots.ts";
import { setTurnNotes, type Turn } from "../../store/turns.ts";
import type { Deps, RepoContext } from "../context.ts";
import { reopen } from "../incident/withdraw.ts";
import { addProposal } from "./add-proposal.ts";
import { type DraftedProposal, mayBeOwnCheck } from "./draft-proposals.ts";
import { startLeased } from "./lease.ts";
import { endLeaseAloud, endLeaseIfOver } from "./lease-ended.ts";
import { effectOf, isLiveAction, placeDrafts, repeatedBy } from "./same-action.ts";
import type { ToldNumbers } from "./told-numbers.ts";

/** What a reading proposes, and beside what. */
interface Proposing {
  readonly incident: Incident;
  /** As they are in this transaction. */
  readonly rows: RowsWith<"actions" | "approvals" | "lease">;
  readonly turn: Turn;
  readonly reading: Reading;
  readonly origin: "model" | "offline";
  /** Its proposals, as `draftProposals` has judged them before this transaction began. */
  readonly drafts: readonly DraftedProposal[];
  /** The numbers of which it was told what came out. */
  readonly told: ReadonlySet<number>;
  /** What stands open stays, but for what is named: it was put there for this very reply. */
  readonly adds?: boolean;
  /** The numbers that the model was told of them. */
  readonly numbers?: Pick<ToldNumbers, "take"> | undefined;
}

/**
 * Makes a reading's proposals into numbered actions; what is open already keeps its number and its card. They replace what else
 * the agent proposed before and nobody has approved, and what they name; without any, all stays but what is taken back. What a person
 * wrote stays in any case (PA-6). What cannot be an action is said on the card (PA-4).
 */
export async function propose(tx: Tx, deps: Deps, repoContext: RepoContext, given: Proposing): Promise<void> {
  const { incident, turn, reading } = given;
  const { actions, approvals, lease } = given.rows;
  const open = actions.filter((action) => isLiveAction(deps, repoContext, action));
  const { made, kept, refused } = await addNew(tx, deps, repoContext, { ...given, actions, open });
  const own = open.filter((action) => action.origin !== "person");
  const rest = own.filter((action) => !kept.has(action));
  const gone = await replaceOld(tx, given, { rest, approvals, made, inTheirPlace: made.length + kept.size > 0 });
  const { replaces = [], withdraws = [] } = reading;
  const underWay = rest
    .filter((action) => !gone.includes(action))
    .filter(({ number }) => withdraws.includes(number) || replaces.includes(number))
    .map(({ number }) => `${number} is approved and under way, so it is not taken back.`);
  const still = own.filter((action) => !gone.includes(action));
  if (lease) {
    if (given.drafts.some(({ isRaised }) => isRaised))
      await endLeaseAloud(tx, deps, incident, "policy finds more risk in a proposal than the agent did");
    await endLeaseIfOver(tx, deps, repoContext, incident);
    await startLeased(tx, deps, repoContext, { incident, actions: [...still, ...made] });
  }
  const again = made.flatMap(({ number, spec }) => {
    const same = open.find((one) => !gone.includes(one) && effectOf(one.spec) === effectOf(spec));
    return same
      ? [`${number} is a step of its workflow and the same command as ${same.number}, which stays as it is.`]
      : [];
  });
  const notes = [...refused, ...underWay, ...again];
  if (notes.length > 0) await setTurnNotes(tx, turn.id, [...reading.notes, ...notes]);
}

/** Adds what is new. Tells what of the open ones is proposed again, and why the rest is no action. */
async function addNew(
  tx: Tx,
  deps: Deps,
  repoContext: RepoContext,
  given: Proposing & { readonly actions: readonly Action[]; readonly open: readonly Action[] },
) {
  const { open } = given;
  // What ended while the reply was written could not be known in it: the next turn is told what came out.
  const unheard = given.actions.filter(({ state, number }) => state === "done" && !given.told.has(number));
  const refused: string[] = [];
  const made: Action[] = [];
  const kept = new Set<Action>();
  const drafts = given.drafts.flatMap((one) => {
    if (one.alone.kind === "draft") return [{ ...one, draft: one.alone.draft }];
    refused.push(one.alone.why);
    return [];
  });
  const placements = placeDrafts(repoContext, open, drafts);
  const placed: (Action | undefined)[] = [];
  for (const [index, { draft, checks = [], isStep }] of drafts.entries()) {
    refused.push(...checks.flatMap((check) => (check.kind === "refused" ? [check.why] : [])));
    const [ended] = isStep ? [] : repeatedBy(repoContext, unheard, draft);
    if (ended) {
      refused.push(`${ended.number} is the same command and ended meanwhile, so it is not proposed again.`);
      continue;
    }
    const placement = placements[index] ?? { kind: "new" };
    if (placement.kind === "open") {
      for (const same of placement.same) {
        for (const one of open.filter(({ spec }) => spec.checks === same.number)) kept.add(one);
        kept.add(same);
        if (!isUndecided(same) && same.state !== "blocked")
          refused.push(`${same.number} is the same command and under way, so it is not proposed again.`);
      }
      continue;
    }
    const before = placement.kind === "twice" ? placed[placement.at] : undefined;
    if (before) {
      placed[index] = before;
      refused.push(`${before.number} stands twice in the reply, so it is listed once.`);
      continue;
    }
    const action = await addOne(tx, deps, given, draft);
    placed[index] = action;
    made.push(action);
    for (const check of checks) {
      if (check.kind === "refused") continue;
      if (action.state === "blocked")
        refused.push(`${check.draft.title} is not proposed, because ${action.number} is blocked.`);
      else
        made.push(
          await addOne(tx, deps, given, action.state === "proposed" ? checkBehind(action, check.draft) : check.draft),
        );
    }
  }
  // The numbers that the model was told are the order in which people decide.
  made.sort((one, other) => one.number - other.number);
  return { made, kept, refused };
}

async function addOne(tx: Tx, deps: Deps, given: Proposing, draft: ActionDraft): Promise<Action> {
  const { incident, turn, origin, numbers } = given;
  const onCard = { ...draft, card: slots.card(turn.step) };
  const told = { origin, rulesVersion: draft.spec.rulesVersion };
  const action = await addProposal(tx, incident, onCard, told, numbers?.take(draft));
  logProposal(deps, incident, action);
  return action;
}

/** Only a check of the proposal's own runs under the same approval. */
function checkBehind({ number }: Action, check: ActionDraft): ActionDraft {
  if (!mayBeOwnCheck(check)) return check;
  const description = `Runs behind ${number}, under the same approval.`;
  return { ...check, description, spec: { ...check.spec, checks: number } };
}

/** Supersedes what gives way of what the agent proposed before; returns it. */
async function replaceOld(
  tx: Tx,
  { reading, adds }: Proposing,
  {
    rest,
    approvals,
    made,
    inTheirPlace,
  }: {
    readonly rest: readonly Action[];
    readonly approvals: readonly Approval[];
    readonly made: readonly Action[];
    readonly inTheirPlace: boolean;
  },
): Promise<readonly Action[]> {
  const { replaces = [], withdraws = [] } = reading;
  // Somebody has approved it already, though more may have to.
  const isApproved = ({ id }: Action): boolean => approvals.some(({ actionId }) => actionId === id);
  // A step of a workflow stands in its own place.
  const restatedBy = ({ spec }: Action) => made.find((one) => effectOf(one.spec) === effectOf(spec));
  const givesWay = (action: Action): boolean =>
    replaces.includes(action.number) || !(isApproved(action) || (adds && !restatedBy(action)));
  const gone = rest.filter(
    (action) => isUndecided(action) && (withdraws.includes(action.number) || (inTheirPlace && givesWay(action))),
  );
  for (const action of gone) {
    const isTakenBack = withdraws.includes(action.number);
    await supersede(
      tx,
      action,
      isTakenBack ? { reason: "taken back by the agent" } : { supersededBy: (restatedBy(action) ?? made[0])?.number },
    );
  }
  return gone;
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
  if (!(await moveAction(tx, action, { from: action.state, to: "superseded", ...step }))) return;
  await appendAudit(tx, {
    kind: "command_superseded",
    incidentId,
    body: { number, digest, by: supersededBy ?? null, ...(reason && { reason }) },
  });
}
