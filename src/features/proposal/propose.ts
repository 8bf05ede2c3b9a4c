import { type Guard, isUndecided, serversIn } from "../../base/action.ts";
import type { Reading } from "../../base/agent.ts";
import type { Risk } from "../../base/risk.ts";
import { type Action, type ActionDraft, addAction, moveAction } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { AuditEvent } from "../../store/audit/events.ts";
import type { Tx } from "../../store/database/open.ts";
import type { RowsWith } from "../../store/incident-rows.ts";
import type { Incident } from "../../store/incidents.ts";
import { countRaised } from "../../store/leases.ts";
import { slots } from "../../store/outbox/slots.ts";
import type { Batch } from "../../store/runs.ts";
import { setTurnNotes, type Turn } from "../../store/turns.ts";
import type { Deps, RepoContext } from "../context.ts";
import { reopen } from "../incident/withdraw.ts";
import { type DraftedProposal, draftAgain, mayBeOwnCheck } from "./draft.ts";
import { readEarlier, withNumbers } from "./earlier.ts";
import { endLeaseAloud, endLeaseIfOver, openingMark, startLeased } from "./lease.ts";
import {
  type AskedTurn,
  didWords,
  doneBefore,
  effectOf,
  isBehindChange,
  isLiveAction,
  isPointless,
  placeDrafts,
  repeatedBy,
} from "./same-action.ts";

interface ReplyProposals {
  readonly incident: Incident;
  readonly rows: RowsWith<"actions" | "approvals" | "lease" | "runs">;
  /** Undefined while the reply is being made: then they get a card of their own. */
  readonly turn?: Turn;
  readonly reading: Pick<Reading, "replaces" | "withdraws" | "notes">;
  readonly origin: "model" | "offline";
  /** Judged before this transaction. */
  readonly drafts: readonly DraftedProposal[];
  /** The actions with results that the model knows. */
  readonly told: ReadonlySet<number>;
  /** Open actions stay, except those that the reply names: they were posted for it, or it answers a person's question. */
  readonly adds?: boolean;
  readonly asked?: AskedTurn;
  /** What `effectOf` says of riskier proposals that count against the lease already. */
  readonly counted?: ReadonlySet<string>;
  /** Open actions of this turn that the model was told wait for people. */
  readonly keeps?: ReadonlySet<number>;
}

interface ProposedList {
  /** By the drafts' nonces; also of what stands there already. */
  readonly numbers: ReadonlyMap<string, number>;
  /** What a lease runs now. */
  readonly leased: Batch | undefined;
}

/**
 * Makes proposals actions; open ones keep number and card. They replace what they name and the agent's unapproved ones; without new ones
 * only withdrawn ones go. A person's always stay (PA-6). The card names what cannot be an action (PA-4).
 */
export async function propose(
  tx: Tx,
  deps: Deps,
  repoContext: RepoContext,
  given: ReplyProposals,
): Promise<ProposedList> {
  const { incident, rows, turn, reading, origin, counted, asked = { isAsked: false, askedAt: deps.now() } } = given;
  const { replaces = [], withdraws = [] } = reading;
  const open = rows.actions.filter((action) => isLiveAction(deps, repoContext, action));
  const refused: string[] = [];
  const mark = openingMark(rows.lease);
  const made: Action[] = [];
  const kept = new Set<Action>();
  const numbers = new Map<string, number>();
  const add = async (draft: ActionDraft): Promise<Action> => {
    const isMarked = mark !== undefined && draft.spec.risk === "low";
    const marked = isMarked ? { ...draft.spec, opening: mark } : draft.spec;
    const card = turn ? slots.card(turn.step) : made[0]?.card;
    const onCard = withNumbers({ ...draft, spec: marked, card }, numbers);
    const cause = { origin, rulesVersion: draft.spec.rulesVersion };
    const action = await addProposal(tx, incident, onCard, cause);
    made.push(action);
    numbers.set(draft.spec.nonce, action.number);
    const { number, state, spec } = action;
    const line = { module: "agent", number, risk: spec.risk, origin: action.origin, place: spec.place };
    if (state === "blocked") {
      const reason = action.findings[0]?.text;
      deps.log.warn({ ...line, event: "tool_blocked", tool: "propose_actions", command: spec.command, reason });
    } else {
      const sinceOpenedMs = deps.now().getTime() - incident.createdAt.getTime();
      deps.log.info({ ...line, event: "command_proposed", sinceOpenedMs });
    }
    return action;
  };

  const drafts = given.drafts.flatMap((one) => {
    if (one.alone.kind === "draft") return [{ ...one, draft: one.alone.draft }];
    refused.push(one.alone.why);
    return [];
  });
  // Ended while the reply was written; the next turn reads the results.
  const unheard = rows.actions.filter(({ state, number }) => state === "done" && !given.told.has(number));
  const placements = placeDrafts(repoContext, open, drafts);
  const placed: (Action | undefined)[] = [];
  const raised: { readonly action: Action; readonly from: Risk }[] = [];
  /** A change's guard with the number of its read, which stands before it in the list; undefined if that is not proposed. */
  const bindGuard = ({ guard, targets }: ActionDraft["spec"]): Guard | undefined => {
    if (!guard) return undefined;
    const servers = guard.on ?? serversIn(targets);
    const memberOfSet = ({ set = [] }: ActionDraft["spec"]): number =>
      set.findIndex(({ command }) => command === guard.command);
    const isCheck = ({ spec }: Pick<ActionDraft, "spec">): boolean => {
      const step = spec.set ? memberOfSet(spec) : undefined;
      const own = spec.targets.filter((target) => (target.step ?? undefined) === step).map(({ server }) => server);
      return (
        (spec.set ? step !== -1 : spec.command === guard.command) && servers.every((server) => own.includes(server))
      );
    };
    const before = drafts.findLast(
      ({ draft }) => numbers.has(draft.spec.nonce) && draft.state !== "blocked" && isCheck(draft),
    )?.draft;
    // A lease may have run it while the reply was written.
    const ran = rows.actions.findLast(
      (action) => action.state === "done" && given.told.has(action.number) && isCheck(action),
    );
    const check = before ? numbers.get(before.spec.nonce) : ran?.number;
    // Under its number may stand a set that has it, such as a runbook's checks.
    const spec = (rows.actions.find(({ number }) => number === check) ?? before)?.spec;
    if (check === undefined || spec === undefined) return undefined;
    // The set's bytes stand in the change's digest, because one approval is for both.
    const member = memberOfSet(spec) + 1;
    return { ...guard, check, ...(member > 0 && { set: { command: spec.command, member } }) };
  };
  for (const [index, { draft: judged, checks = [], isStep, raisedFrom }] of drafts.entries()) {
    const { guard } = judged.spec;
    const bound = bindGuard(judged.spec);
    if (guard && !bound) {
      refused.push(`${judged.title}: its check is not proposed, so neither is it.`);
      continue;
    }
    const draft = bound ? { ...judged, spec: { ...judged.spec, guard: bound } } : judged;
    refused.push(...checks.flatMap((check) => (check.kind === "refused" ? [check.why] : [])));
    const [ended] = isStep ? [] : repeatedBy(repoContext, unheard, draft);
    if (ended) {
      numbers.set(draft.spec.nonce, ended.number);
      refused.push(`${ended.number} is the same command and ended meanwhile, so it is not proposed again.`);
      continue;
    }
    const mayRepeat = isStep || origin !== "model" || draft.state === "blocked";
    const before = mayRepeat ? undefined : doneBefore(rows, draft.spec);
    if (before && !isBehindChange(drafts, index) && isPointless(before, draft.spec, asked, deps.now())) {
      numbers.set(draft.spec.nonce, before.number);
      refused.push(
        `${didWords(before)}. Nothing has changed since, so it is not offered again: \`/retry ${before.number}\` runs it.`,
      );
      continue;
    }
    const placement = placements[index] ?? { kind: "new" };
    if (placement.kind === "open") {
      const [first] = placement.same;
      if (first) numbers.set(draft.spec.nonce, first.number);
      for (const same of placement.same) {
        for (const one of open)
          if (one.spec.checks === same.number || one.number === same.spec.guard?.check) kept.add(one);
        kept.add(same);
        if (!isUndecided(same) && same.state !== "blocked")
          refused.push(`${same.number} is the same command and under way, so it is not proposed again.`);
      }
      continue;
    }
    const twin = placement.kind === "twice" ? placed[placement.at] : undefined;
    if (twin) {
      placed[index] = twin;
      numbers.set(draft.spec.nonce, twin.number);
      refused.push(`${twin.number} stands twice in the reply, so it is listed once.`);
      continue;
    }
    const action = await add(draft);
    placed[index] = action;
    if (raisedFrom !== undefined) raised.push({ action, from: raisedFrom });
    if (before && action.spec.risk !== "low")
      refused.push(`${action.number} is the same command again: ${didWords(before)}.`);
    for (const check of checks) {
      if (check.kind === "refused") continue;
      if (action.state === "blocked") {
        refused.push(`${check.draft.title} is not proposed, because ${action.number} is blocked.`);
        continue;
      }
      // Only the proposal's own check runs under its approval.
      const isOwn = action.state === "proposed" && mayBeOwnCheck(check.draft);
      const description = `Only reads; runs after ${action.number}, under the same approval.`;
      const spec = { ...check.draft.spec, checks: action.number };
      await add(isOwn ? { ...check.draft, description, spec } : check.draft);
    }
  }
  const own = open.filter((action) => action.origin !== "person");
  const rest = own.filter((action) => !kept.has(action));
  const inTheirPlace = made.length + kept.size > 0;
  // Even one approval of several protects it.
  const isApproved = ({ id }: Action): boolean => rows.approvals.some(({ actionId }) => actionId === id);
  const restatedBy = ({ spec }: Action) => made.find((one) => effectOf(one.spec) === effectOf(spec));
  const givesWay = (action: Action): boolean =>
    replaces.includes(action.number) ||
    !(isApproved(action) || ((given.adds || given.keeps?.has(action.number)) && !restatedBy(action)));
  const gone = rest.filter(
    (action) => isUndecided(action) && (withdraws.includes(action.number) || (inTheirPlace && givesWay(action))),
  );
  for (const action of gone) {
    const { incidentId, number, digest } = action;
    const isWithdrawn = withdraws.includes(number);
    const reason = isWithdrawn ? "taken back by the agent" : undefined;
    const supersededBy = isWithdrawn ? undefined : (restatedBy(action) ?? made[0])?.number;
    // What was approved is no longer there.
    await reopen(tx, [action], reason ?? "the agent proposes something else");
    const step = { ...(reason && { reason }), ...(supersededBy !== undefined && { supersededBy }) };
    if (!(await moveAction(tx, action, { from: action.state, to: "superseded", ...step }))) continue;
    await appendAudit(tx, {
      kind: "command_superseded",
      incidentId,
      body: { number, digest, by: supersededBy ?? null, ...(reason && { reason }) },
    });
  }

  let leased: Batch | undefined;
  if (rows.lease) {
    const isOn = rows.lease.offAt === null;
    const uncounted = raised.filter(({ action: { spec } }) => !counted?.has(effectOf(spec) ?? ""));
    await countRaised(tx, incident.id, uncounted.length);
    const blocked = made.find(({ state }) => state === "blocked");
    if (blocked) await endLeaseAloud(tx, deps, repoContext, incident, `policy blocks ${blocked.number}`);
    await endLeaseIfOver(tx, deps, repoContext, incident);
    leased = await startLeased(tx, deps, repoContext, incident);
    if (isOn)
      for (const { action, from } of raised)
        refused.push(
          `${action.number} is left to people: it ${action.findings[0]?.text}, so policy finds it ${action.spec.risk} risk and not ${from}, as the agent said.`,
        );
  }

  const underWay = rest
    .filter((action) => !gone.includes(action))
    .filter(({ number }) => withdraws.includes(number) || replaces.includes(number))
    .map(({ number }) => `${number} is approved and under way, so it is not taken back.`);
  const again = made.flatMap(({ number, spec }) => {
    const same = open.find((one) => !gone.includes(one) && effectOf(one.spec) === effectOf(spec));
    return same
      ? [`${number} is a step of its workflow and the same command as ${same.number}, which stays as it is.`]
      : [];
  });
  const notes = [...refused, ...underWay, ...again];
  if (turn && notes.length > 0) await setTurnNotes(tx, turn.id, [...reading.notes, ...notes]);
  return { numbers, leased };
}

/** Adds a draft under its number; the audit has the cause (AR-02). */
export async function addProposal(
  tx: Tx,
  incident: Incident,
  draft: ActionDraft,
  cause: Omit<AuditEvent<"command_proposed">["body"], "number" | "digest" | "place" | "risk">,
): Promise<Action> {
  const action = await addAction(tx, incident, draft);
  const { number, digest, spec } = action;
  await appendAudit(tx, {
    kind: action.state === "blocked" ? "command_blocked" : "command_proposed",
    incidentId: incident.id,
    body: { number, digest, place: spec.place, risk: spec.risk, ...cause },
  });
  return action;
}

/** Proposes voided commands again on a new card, because the old one may have shown something else. */
export async function repost(
  tx: Tx,
  deps: Deps,
  repoContext: RepoContext,
  { incident, actions }: { readonly incident: Incident; readonly actions: readonly Action[] },
): Promise<readonly number[]> {
  const numbers: number[] = [];
  const renumbered = new Map<number, number>();
  let card: string | undefined;
  for (const action of actions) {
    const drafted = draftAgain(deps, repoContext, action, {
      card,
      earlier: await readEarlier(tx, incident.id),
    });
    // It stays void; its card says so.
    if (drafted.kind === "refused") continue;
    const { spec } = drafted.draft;
    const check = spec.guard && renumbered.get(spec.guard.check);
    const guard = spec.guard && check !== undefined ? { ...spec.guard, check } : spec.guard;
    const draft = { ...drafted.draft, spec: { ...spec, ...(guard && { guard }) } };
    const proposal = await addProposal(tx, incident, draft, { insteadOf: action.number });
    renumbered.set(action.number, proposal.number);
    card ??= proposal.card;
    numbers.push(proposal.number);
  }
  return numbers;
}

export const reproposedWords = (numbers: readonly number[]): string => `proposed it again as ${numbers.join(", ")}`;
