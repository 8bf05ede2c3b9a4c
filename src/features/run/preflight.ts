import { countsTowards } from "../../approval/authorize.ts";
import { expiryOf, isOver, peopleNeeded } from "../../approval/need.ts";
import { type DispatchDecision, decideDispatch, endDispatch } from "../../approval/preflight.ts";
import { rightsOf } from "../../approval/rights.ts";
import type { Server } from "../../base/server.ts";
import { sleep } from "../../base/sleep.ts";
import { repositoryIn } from "../../config/load.ts";
import type { Facts } from "../../github/facts.ts";
import { type Action, type Approval, approvalsOfAction, digestOf } from "../../store/actions.ts";
import type { Db } from "../../store/database/open.ts";
import { type Incident, incidentOf } from "../../store/incidents.ts";
import { boardOf, cardsShowing, ticksOn } from "../../store/outbox/thread-comments.ts";
import type { OutboxComment } from "../../store/outbox/wanted.ts";
import type { Batch } from "../../store/runs.ts";
import { type Deps, type RepoContext, repoContextAt, withRulesNow } from "../context.ts";
import { isSaidSince, standingOf } from "../incident/hold.ts";
import { tenancyOf } from "../intake/tenancy.ts";
import { autoDecisionOn } from "../proposal/agent-mode.ts";
import { approvable } from "../proposal/approvable.ts";
import { isJudgedAsThen, serversNow } from "../proposal/draft.ts";
import { orderOf } from "../proposal/order-now.ts";
import { isBehindIssue, voidIfRestored } from "../verify/restored.ts";
import { cardState, checkApprovalComment } from "./comment-check.ts";

export type Dispatch =
  /** `lookedAt`: as `Facts.askedAt`. */
  | { readonly kind: "go"; readonly servers: readonly Server[]; readonly lookedAt: number }
  | Exclude<DispatchDecision, { kind: "go" }>
  /** GitHub does not say, so nobody may: the approvals wait (RR-11). */
  | { readonly kind: "ask-later"; readonly reason: string };

/** How often, and how long apart, a card is looked at again while an edit of ours is on its way. */
const maxLooks = 10;
const lookAgainMs = 300;

/** Reads everything an approval rests on again, from the store, the inventory and GitHub, and decides (SR-24). */
export async function checkDispatch(
  deps: Deps,
  begun: RepoContext,
  given: { readonly action: Action; readonly batch: Batch },
): Promise<Dispatch> {
  const { action, batch } = given;
  const { db } = deps.store;
  const incident = await incidentOf(db, action.incidentId);
  // Before GitHub is asked, since the token is for what the name means now; whether it is public is asked apart.
  const tenancy = await tenancyOf(deps, db, { ...incident, private: true });
  if (tenancy.kind === "refused") return endDispatch("not-served", tenancy.reason);
  for (let looks = 0; !deps.isConfigCurrent() && looks < maxLooks; looks++) await sleep(lookAgainMs);
  const approvals = await approvalsOfAction(db, action.id);
  /** Without an end the batch would ask for ever: of an issue that is gone, or a card that nobody takes. */
  const later = (reason: string): Dispatch =>
    isOver(expiryNow(withRulesNow(deps, begun, incident.repo), action), deps.now().getTime())
      ? endDispatch("unanswered", reason)
      : { kind: "ask-later", reason };
  const read = async (handed: Facts | undefined) => {
    const [before] = await cardsShowing(db, incident, { actionId: action.id });
    const question = { incident, approvals, card: before, board: await boardOf(db, incident) };
    const facts = covers(handed, question) ? handed : await factsFor(deps, question);
    // Read after GitHub's answer: an edit of ours may have gone out meanwhile.
    const [card] = await cardsShowing(db, incident, { actionId: action.id });
    const ticks = card ? await ticksOn(db, card) : [];
    return { facts, card, board: question.board, shown: facts && cardState(deps, action, card, { facts, ticks }) };
  };
  const standing = approvals.some(({ via }) => via === "agent-mode");
  // Nobody has pressed a key after reading it, so it is at least there to be read before it runs (AR-08).
  const isUnread = standing || action.origin === "person" || action.spec.again !== undefined;
  const isPending = isUnread && !(await isPosted(db, incident, action));
  const handed = deps.factsCache.take(batch.id);
  let seen = await read(handed);
  // What was read can be older than an edit of ours, or newer by one that is on its way: look again before calling it
  // tampering.
  for (let looks = 0; seen.shown?.asWeWroteIt === false && looks < maxLooks; looks++) {
    if (looks > 0 && !isOnItsWay(seen.card)) break;
    if (looks > 0) await sleep(lookAgainMs);
    seen = await read(undefined);
  }
  const { facts, shown, board } = seen;
  if (!facts) return later("GitHub cannot be asked whether the approval holds");
  const shownBoard = board?.nodeId ? facts.comments.get(board.nodeId)?.body : undefined;
  const isFileNewer = await voidIfRestored(deps).catch((error) =>
    deps.log.error({ module: "audit", event: "checkpoint_failed", err: error }),
  );
  if (isFileNewer === undefined) return later("the audit's checkpoint file cannot be read");
  const isOlder = isFileNewer || (await isBehindIssue(deps, incident, shownBoard).catch(noFacts(deps, incident)));
  if (isOlder === undefined) return later("GitHub cannot be asked whether the store is up to date");
  // Right after a copy was put back the board still shows what was before; then what people approve anew is not yet told apart.
  if (isOlder && isOnItsWay(board)) return later("the board on the issue is not up to date");

  // Operator and repository may have changed what holds since the batch began (CFG-1): what holds now decides.
  const known = withRulesNow(deps, begun, incident.repo);
  const repoContext = facts.repository ? await repoContextAt(deps, known, incident, facts.repository.commit) : known;
  if (!repoContext) return later("the repository's files have changed and cannot be read");
  const { policy } = repoContext.rules;
  const servers = serversNow(repoContext, action.spec);
  const auto = standing ? await autoDecisionOn(deps, db, repoContext, { incident, action }) : undefined;
  const before = await orderOf(db, deps, repoContext, { action, batch });
  if (!deps.isConfigCurrent()) return later("the operator's files have changed and are being read");
  // Last of all that is read, since it must hold at once.
  const stop = await standingOf(deps, db, incident);
  const decision = decideDispatch({
    action: {
      ...action,
      expiresAt: new Date(expiryNow(repoContext, action)),
      digestNow: digestOf(action.spec),
      serverUnchanged: servers !== undefined,
      rulesUnchanged: servers !== undefined && isJudgedAsThen(deps, servers, action.spec),
    },
    before: before ?? "none",
    incident: { open: incident.state === "open" },
    stopped: stop.kind === "stopped" ? stop.words : undefined,
    issue: {
      sameName: facts.repository?.name.toLowerCase() === incident.repo.toLowerCase(),
      installed: facts.installed,
      open: facts.issue?.open === true,
      sameRepository: facts.repository?.id === action.spec.repoId,
      sameIssue: facts.issue?.nodeId === action.spec.issueNodeId,
      asPrivate:
        facts.repository?.private === true ||
        (incident.public && repositoryIn(deps.config, incident.repo)?.allowPublic === true),
    },
    storeIsCurrent: !isOlder,
    executes: deps.config.execution.enabled,
    needed: peopleNeeded(approvable(action), policy),
    approvals: approvals.map((approval) => ({
      personId: approval.personId,
      digest: approval.digest,
      byAgentMode: approval.via === "agent-mode",
      counts: countsTowards(approval.personId, approvable(action), policy),
      comment: checkApprovalComment(deps, repoContext, action, {
        approval,
        card: shown,
        fact: facts.comments.get(approval.commentNodeId),
      }),
      mayApprove: mayApprove(repoContext, facts, approval),
      fresh:
        stop.kind === "stopped" || isSaidSince(stop, { commentId: approval.commentId, keptAt: approval.createdAt }),
    })),
    agentMode: auto,
    // Where the issue or its repository is gone no card will ever be there, so that is asked all the same.
    card: shown ?? (isPending ? "not-posted" : undefined),
    now: deps.now(),
  });
  if (decision.kind !== "go") return decision;
  // decideDispatch has seen that the servers are unchanged.
  return servers ? { kind: "go", servers, lookedAt: facts.askedAt } : endDispatch("server-gone");
}

/** Waits a moment for the card of a step that was proposed just now. */
async function isPosted(db: Db, incident: Incident, action: Action): Promise<boolean> {
  for (let looks = 0; looks < maxLooks; looks++) {
    if (looks > 0) await sleep(lookAgainMs);
    const [card] = await cardsShowing(db, incident, { actionId: action.id });
    if (card?.nodeId) return true;
  }
  return false;
}

const isOnItsWay = (card: OutboxComment | undefined): boolean =>
  card !== undefined && card.version > card.postedVersion;

interface FactsNeeded {
  readonly incident: Incident;
  readonly approvals: readonly Approval[];
  readonly card: OutboxComment | undefined;
  readonly board: OutboxComment | undefined;
}

const commentsOf = ({ approvals, card, board }: FactsNeeded): readonly string[] => [
  ...approvals.map((approval) => approval.commentNodeId),
  ...[card, board].flatMap((comment) => comment?.nodeId ?? []),
];

/** Whether what `/approve` has just read answers for all approvals and the card. */
const covers = (facts: Facts | undefined, needed: FactsNeeded): facts is Facts =>
  facts !== undefined &&
  commentsOf(needed).every((nodeId) => facts.comments.has(nodeId)) &&
  needed.approvals.every((approval) => facts.people.has(approval.personId));

/** One GraphQL request; nothing where GitHub does not answer. */
async function factsFor(deps: Deps, needed: FactsNeeded): Promise<Facts | undefined> {
  const { incident, approvals } = needed;
  try {
    return await deps.facts({
      installationId: incident.installationId,
      repo: incident.repo,
      issue: incident.number,
      people: approvals.map((approval) => ({ id: approval.personId, login: approval.login })),
      comments: commentsOf(needed),
      teams: deps.config.policy.approvers.teams,
    });
  } catch (error) {
    return noFacts(deps, incident)(error);
  }
}

const noFacts =
  ({ log }: Deps, { repo, number: issue }: Incident) =>
  (error: unknown): undefined => {
    log.warn({ module: "github", event: "facts_failed", repo, issue, err: error });
  };

const expiryNow = ({ rules: { policy } }: RepoContext, action: Action): number => expiryOf(approvable(action), policy);

function mayApprove(repoContext: RepoContext, facts: Facts, approval: Approval): boolean {
  const standing = facts.people.get(approval.personId);
  if (!standing) return false;
  const person = { id: approval.personId, login: approval.login };
  return rightsOf(repoContext.rules.policy.approvers, { person, type: "User", viaApp: false, ...standing }).approve;
}
