import {
  type AutoDecision,
  type AutoPlace,
  decidePlace,
  decideProgress,
  decideStep,
} from "../../approval/agent-mode.ts";
import { type Action, addApproval, moveAction } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import { type AutoMode, autoModeOf, switchOff } from "../../store/auto-mode.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import { type Incident, sessionOf } from "../../store/incidents.ts";
import { addBatch, type Batch, failedSince } from "../../store/runs.ts";
import type { Deps, RepoContext } from "../context.ts";
import { isSaidSince, standingOf } from "../incident/hold.ts";
import { riskNowOf, whyAttendedNow } from "./draft.ts";
import { enqueueBatch } from "./enqueue-batch.ts";
import { standBefore } from "./list-order.ts";
import { listRowsOf } from "./order-now.ts";

/** Agent mode on an incident as it stands at this moment (AR-03). */
export type AutoStanding =
  | { readonly kind: "on"; readonly mode: AutoMode }
  /** `isOver`: it is not to be on again by itself, and nobody has recorded that yet. */
  | { readonly kind: "off"; readonly reason: string; readonly isOver?: boolean };

type Rules = Pick<RepoContext, "rules">;

/** How many turns it lasts: a session's steps, and never more than SR-61 lets pass without a person. */
export const autoStepsOf = ({ config }: Pick<Deps, "config">): number => Math.min(20, config.agent.maxSteps);

/** What the operator, the repository, holds and the issue say of agent mode here. */
export async function autoPlaceOf(deps: Deps, db: Db | Tx, { rules }: Rules, incident: Incident): Promise<AutoPlace> {
  const standing = await standingOf(deps, db, incident);
  return {
    servers: rules.autoServers,
    low: rules.policy.low,
    executes: deps.config.execution.enabled,
    incident: { open: incident.state === "open", public: incident.public },
    stopped: standing.kind === "stopped" ? standing.words : undefined,
  };
}

/** Reads all that agent mode rests on again; nothing of it is remembered from when it was switched on. */
export async function autoStandingOf(
  deps: Deps,
  db: Db | Tx,
  repoContext: Rules,
  incident: Incident,
): Promise<AutoStanding> {
  const mode = await autoModeOf(db, incident.id);
  if (!mode) return { kind: "off", reason: "nobody has switched it on" };
  const place = decidePlace(await autoPlaceOf(deps, db, repoContext, incident));
  if (place.kind === "no") return { kind: "off", reason: place.reason };
  const standing = await standingOf(deps, db, incident);
  const session = await sessionOf(db, incident.id);
  const progress = decideProgress({
    off: mode.offAt === null ? undefined : (mode.offWhy ?? "it was switched off"),
    fresh: standing.kind === "free" && isSaidSince(standing, { commentId: mode.commentId, keptAt: mode.onAt }),
    steps: session.steps - mode.fromStep,
    maxSteps: autoStepsOf(deps),
    failed: await failedSince(db, incident.id, mode.onAt),
  });
  return progress.kind === "no"
    ? { kind: "off", reason: progress.reason, isOver: mode.offAt === null }
    : { kind: "on", mode };
}

/** Whether agent mode lets this action go: on here and now, and the action low, judged again, on allowed servers alone. */
export async function autoDecisionOn(
  deps: Deps,
  db: Db | Tx,
  repoContext: Rules,
  { incident, action }: { readonly incident: Incident; readonly action: Action },
): Promise<AutoDecision> {
  const standing = await autoStandingOf(deps, db, repoContext, incident);
  return standing.kind === "off"
    ? { kind: "no", reason: standing.reason }
    : stepOf(deps, repoContext, standing.mode, action);
}

function stepOf(deps: Deps, { rules }: Rules, mode: AutoMode, { origin, spec }: Action): AutoDecision {
  const names = spec.targets.map(({ server }) => server);
  const servers = rules.servers.filter(({ name }) => names.includes(name));
  // A server that is no longer there judges nothing, so nothing runs on it.
  const riskNow = servers.length === names.length ? riskNowOf(deps, servers, spec.command) : "block";
  const attended = whyAttendedNow(deps, servers, spec.command);
  return decideStep(
    { origin, risk: spec.risk, riskNow, attended, servers: names },
    { allowed: rules.autoServers, consented: mode.servers },
  );
}

/**
 * Sends off those of these actions that agent mode lets go: each gets the standing approval of who switched it on, bound to its
 * digest and to that comment, and all of them one batch. They are checked again, as every approval is, before they are sent
 * (SR-24). Nothing where it is off. The caller holds the incident's lock and draws.
 */
export async function startAuto(
  tx: Tx,
  deps: Deps,
  repoContext: RepoContext,
  { incident, actions }: { readonly incident: Incident; readonly actions: readonly Action[] },
): Promise<Batch | undefined> {
  const standing = await autoStandingOf(deps, tx, repoContext, incident);
  if (standing.kind === "off") return undefined;
  const { mode } = standing;
  const person = { id: mode.personId, login: mode.login };
  const comment = { id: mode.commentId, nodeId: mode.commentNodeId, sha256: mode.commentSha256 };
  const going: number[] = [];
  const rows = await listRowsOf(tx, deps, repoContext, incident.id);
  for (const action of actions) {
    if (action.state !== "proposed" || stepOf(deps, repoContext, mode, action).kind === "no") continue;
    // What stands behind a change of its list waits until that is decided on.
    if (standBefore(action, rows).some(({ is }) => is === "open")) continue;
    if (!(await moveAction(tx, action, { from: "proposed", to: "approved" }))) continue;
    const reason = "agent mode";
    await addApproval(tx, action, { verdict: "approve", via: "agent-mode", person, role: mode.role, comment, reason });
    await appendAudit(tx, {
      kind: "command_approved",
      incidentId: incident.id,
      body: {
        number: action.number,
        digest: action.digest,
        via: "agent-mode",
        by: { ...person, role: mode.role },
        comment,
        reason,
        have: 1,
        need: 1,
      },
    });
    going.push(action.number);
  }
  if (going.length === 0) return undefined;
  const batch = await addBatch(tx, {
    incidentId: incident.id,
    commentId: null,
    person,
    numbers: going,
    keepGoing: false,
  });
  await enqueueBatch(tx, deps, incident, batch);
  return batch;
}

/** Ends agent mode on an incident, once, and records why. */
export async function endAuto(
  tx: Tx,
  incident: Pick<Incident, "id">,
  why: string,
  by?: { readonly id: number; readonly login: string; readonly commentId: number },
): Promise<boolean> {
  const ended = await switchOff(tx, incident.id, why);
  if (!ended) return false;
  const { personId, login, commentId } = ended;
  await appendAudit(tx, {
    kind: "agent_mode_off",
    incidentId: incident.id,
    body: { why, ...(by ? { by } : {}), switchedOnBy: { id: personId, login, commentId } },
  });
  return true;
}
