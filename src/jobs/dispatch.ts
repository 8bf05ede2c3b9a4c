import { hashBody } from "../commands/approval-comment.ts";
import { approvable } from "../commands/approve.ts";
import { withoutMarker } from "../github/comments.ts";
import type { CommentFact, Facts } from "../github/facts.ts";
import { sameCard } from "../github/render/same-card.ts";
import { countsTowards, effectiveRisk, rightsOf } from "../policy/authorize.ts";
import { type DispatchDecision, decideDispatch } from "../policy/dispatch.ts";
import { pinnedKeys } from "../ssh/host-keys.ts";
import { type Action, type Approval, approvalsOfAction, digestOf } from "../store/actions.ts";
import { type Incident, incidentOf } from "../store/incidents.ts";
import { cardsShowing, type OutboxComment } from "../store/outbox.ts";
import type { Batch } from "../store/runs.ts";
import type { Server } from "../types.ts";
import { serverOf } from "./draft.ts";
import type { Ground, World } from "./world.ts";

export type Dispatch =
  | { readonly kind: "go"; readonly server: Server }
  | Exclude<DispatchDecision, { kind: "go" }>
  /** GitHub does not say, so nobody may: the approvals wait (RR-11). */
  | { readonly kind: "ask-later"; readonly reason: string };

/** Reads everything an approval rests on again, from the store, the inventory and GitHub, and decides (SR-24). */
export async function checkDispatch(
  world: World,
  ground: Ground,
  given: { readonly action: Action; readonly batch: Batch },
): Promise<Dispatch> {
  const { action, batch } = given;
  const { db } = world.store;
  const incident = await incidentOf(db, action.incidentId);
  const approvals = await approvalsOfAction(db, action.id);
  const [card] = await cardsShowing(db, incident, { actionId: action.id });
  const facts = await factsFor(world, ground, { incident, batch, approvals, card });
  if (!facts) return { kind: "ask-later", reason: "GitHub cannot be asked whether the approval still holds" };

  const { policy } = ground.rules;
  const server = serverNow(ground, action);
  const decision = decideDispatch({
    action: { ...action, digestNow: digestOf(action.spec), serverUnchanged: server !== undefined },
    incident: { open: incident.state === "open", held: incident.heldBy !== null },
    issue: {
      open: facts.issue?.open === true,
      sameRepository: facts.repository?.id === action.spec.repoId,
      sameIssue: facts.issue?.nodeId === action.spec.issueNodeId,
    },
    executes: world.config.execution.enabled,
    needed: neededFor(ground, action),
    approvals: approvals.map((approval) => ({
      personId: approval.personId,
      digest: approval.digest,
      counts: countsTowards(approval.personId, approvable(action), policy),
      comment: commentState(approval, facts.comments.get(approval.commentNodeId)),
      mayApprove: mayApprove(ground, facts, approval),
    })),
    card: cardState(card, facts),
    now: world.now(),
  });
  if (decision.kind !== "go") return decision;
  // decideDispatch has seen that the server is unchanged.
  return server ? { kind: "go", server } : { kind: "end", to: "void", reason: "the server is gone" };
}

/** What `/approve` has just read, where it covers this action; else one GraphQL request. */
async function factsFor(
  world: World,
  ground: Ground,
  given: {
    readonly incident: Incident;
    readonly batch: Batch;
    readonly approvals: readonly Approval[];
    readonly card: OutboxComment | undefined;
  },
): Promise<Facts | undefined> {
  const { incident, batch, approvals, card } = given;
  const comments = [...approvals.map((approval) => approval.commentNodeId), ...(card?.nodeId ? [card.nodeId] : [])];
  const fresh = world.handoff.take(batch.id);
  const covers =
    fresh !== undefined &&
    comments.every((nodeId) => fresh.comments.has(nodeId)) &&
    approvals.every((approval) => fresh.people.has(approval.personId));
  if (covers) return fresh;
  try {
    return await world.facts({
      installationId: incident.installationId,
      repo: incident.repo,
      issue: incident.number,
      people: approvals.map((approval) => ({ id: approval.personId, login: approval.login })),
      comments,
      teams: ground.rules.policy.approvers.teams,
    });
  } catch (error) {
    world.log.warn({
      module: "github",
      event: "facts_failed",
      repo: incident.repo,
      issue: incident.number,
      err: error,
    });
    return undefined;
  }
}

function neededFor({ rules: { policy } }: Ground, action: Action): number {
  const { risk, servers } = approvable(action);
  const level = effectiveRisk(risk, servers.length, policy.manyServers);
  return level === "block" ? Number.POSITIVE_INFINITY : policy[level].approvals;
}

/** The server's entry and pinned keys, where they are still what was approved. */
function serverNow(ground: Ground, action: Action): Server | undefined {
  const server = serverOf(ground.rules.servers, action.spec);
  if (!server) return undefined;
  const keys = pinnedKeys(server);
  const same = keys.ok && keys.fingerprints.join() === action.spec.hostKeys.join();
  return same ? server : undefined;
}

/** Only the comment as it was approved counts: same author, same words, never edited, not by e-mail (SR-23, SR-28). */
function commentState(approval: Approval, fact: CommentFact | undefined): { readonly unchanged: boolean } | undefined {
  if (!fact) return undefined;
  const unchanged =
    !fact.edited &&
    !fact.byEmail &&
    fact.authorId === approval.personId &&
    hashBody(fact.body) === approval.commentSha256;
  return { unchanged };
}

function mayApprove(ground: Ground, facts: Facts, approval: Approval): boolean {
  const standing = facts.people.get(approval.personId);
  if (!standing) return false;
  const person = { id: approval.personId, login: approval.login };
  return rightsOf(ground.rules.policy.approvers, { person, type: "User", viaApp: false, ...standing }).approve;
}

/** The card reads as we last wrote it, or as an edit of ours that is on its way will have it (SR-27). */
function cardState(card: OutboxComment | undefined, facts: Facts): { readonly asWeWroteIt: boolean } | undefined {
  const fact = card?.nodeId ? facts.comments.get(card.nodeId) : undefined;
  if (!card || !fact) return undefined;
  const seen = withoutMarker(fact.body);
  const ours = [card.postedBody, card.postingBody, card.body];
  return { asWeWroteIt: ours.some((body) => body !== null && sameCard(body, seen)) };
}
