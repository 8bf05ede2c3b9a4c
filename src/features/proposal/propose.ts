import { type Action, type ActionDraft, actionsOf, approvalsOf, moveAction } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/slots.ts";
import { setTurnNotes, type Turn } from "../../store/turns.ts";
import type { Proposal, Reading } from "../../base/types.ts";
import { addProposal } from "./add-proposal.ts";
import { startAuto } from "./agent-mode.ts";
import { endAutoIfOver } from "./agent-mode-ended.ts";
import { type Drafted, draftAction, type Origin } from "./draft.ts";
import { reopen } from "../incident/reopen.ts";
import { isUnderWay, repeatedBy } from "./same-action.ts";
import type { Ground, World } from "../context.ts";

/**
 * Makes a reading's proposals into numbered actions; what is open already keeps its number and its card. They replace what else
 * the agent proposed before and nobody has approved, and what they name; without any, all stays but what is taken back. What a person
 * wrote stays in any case (PA-6). What cannot be an action is said on the card (PA-4).
 */
export async function propose(
  tx: Tx,
  world: World,
  ground: Ground,
  given: {
    readonly incident: Incident;
    readonly turn: Turn;
    readonly reading: Reading;
    readonly origin: "model" | "offline";
    readonly promptSha256: string | null;
    /** What stands open stays, but for what is named: it was put there for this very reply. */
    readonly adds?: boolean;
  },
): Promise<void> {
  const { incident, turn, reading, origin } = given;
  const open = (await actionsOf(tx, incident.id)).filter((action) => isUnderWay(world, ground, action));
  const refused: string[] = [];
  const made: Action[] = [];
  const kept = new Set<Action>();
  for (const proposal of reading.proposals) {
    const from = {
      origin,
      card: slots.card(turn.step),
      model: origin === "model" ? modelName(world) : null,
      promptSha256: given.promptSha256,
    };
    const alone = draftAction(world, ground, proposal, from);
    if (alone.kind === "refused") {
      refused.push(alone.why);
      continue;
    }
    const { drafted, check } = withCheck(world, ground, { drafted: alone, proposal, from });
    if (check?.kind === "refused") refused.push(check.why);
    const repeated = repeatedBy(ground, [...open, ...made], drafted.draft);
    if (repeated) {
      for (const one of open.filter(({ spec }) => spec.checks === repeated.number)) kept.add(one);
      kept.add(repeated);
      if (repeated.state !== "proposed" && repeated.state !== "blocked")
        refused.push(`${repeated.number} is the same command and under way, so it is not proposed again.`);
      continue;
    }
    const add = async (draft: ActionDraft): Promise<Action> => {
      const action = await addProposal(tx, incident, draft, { origin, rulesVersion: draft.spec.rulesVersion });
      made.push(action);
      logProposal(world, incident, action);
      return action;
    };
    const { number, state, spec } = await add(drafted.draft);
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
  await endAutoIfOver(tx, world, ground, incident);
  await startAuto(tx, world, ground, { incident, actions: [...still, ...made] });
  if (refused.length === 0) return;
  await setTurnNotes(tx, turn.id, [...reading.notes, ...refused]);
}

/** A proposal's check beside it: bound to it where it is no more than a read, an action like any other where it is. */
function withCheck(
  world: World,
  ground: Ground,
  given: {
    readonly drafted: Extract<Drafted, { kind: "draft" }>;
    readonly proposal: Proposal;
    readonly from: Origin;
  },
): { readonly drafted: Extract<Drafted, { kind: "draft" }>; readonly check?: Drafted } {
  const { drafted, proposal, from } = given;
  const { title, server, check: command } = proposal;
  if (command === undefined) return { drafted };
  const check = draftAction(world, ground, { title: `Check: ${title}`, description: "", server, command }, from);
  const isRead = check.kind === "draft" && check.draft.state === "proposed" && check.draft.spec.risk === "low";
  if (!isRead) return { drafted, check };
  const spec = { ...drafted.draft.spec, ownCheck: check.draft.spec.command };
  return { drafted: { ...drafted, draft: { ...drafted.draft, spec } }, check };
}

/** S14.8 for what is blocked; for the rest how long people waited for it. */
function logProposal(world: World, { createdAt }: Incident, { number, state, origin, spec, findings }: Action): void {
  const line = { module: "agent", number, risk: spec.risk, origin, place: spec.place };
  if (state === "blocked") {
    const reason = findings[0]?.text;
    world.log.warn({ ...line, event: "tool_blocked", tool: "propose_actions", command: spec.command, reason });
    return;
  }
  const sinceOpenedMs = world.now().getTime() - createdAt.getTime();
  world.log.info({ ...line, event: "command_proposed", sinceOpenedMs });
}

const modelName = (world: World): string | null => world.config.model.endpoints[0]?.model ?? null;

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
