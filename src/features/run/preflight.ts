import { countsTowards } from "../../approval/authorize.ts";
import { expiryOf, isOver, peopleNeeded } from "../../approval/need.ts";
import { needsPasskey } from "../../approval/passkey.ts";
import { type DispatchDecision, type DispatchQuestion, decideDispatch, endDispatch } from "../../approval/preflight.ts";
import { rightsOf } from "../../approval/rights.ts";
import type { Server } from "../../base/server.ts";
import { repositoryIn } from "../../config/load.ts";
import type { Facts } from "../../github/facts.ts";
import { type Action, type Approval, approvalsOfAction, digestOf } from "../../store/actions.ts";
import { partsOf } from "../../store/incident-rows.ts";
import type { Incident } from "../../store/incidents.ts";
import type { OutboxComment } from "../../store/outbox/wanted.ts";
import type { Batch } from "../../store/runs.ts";
import { type Deps, type RepoContext, repoContextAt, withRulesNow } from "../context.ts";
import { isSaidSince, type Standing, standingIn } from "../incident/hold.ts";
import { tenancyOf } from "../intake/tenancy.ts";
import { presenceOf } from "../passkey/passkey.ts";
import { approvable } from "../proposal/approvable.ts";
import { isJudgedAsThen, serversNow } from "../proposal/draft.ts";
import { type LeaseUse, leaseDecisionOn, leasedBy } from "../proposal/lease.ts";
import { orderOf } from "../proposal/list-order.ts";
import { isBehindIssue, setBackAt, voidIfRestored } from "../verify/restored.ts";
import { countersignedIn } from "./approval-comment.ts";
import { type CardState, checkApprovalComment } from "./comment-check.ts";
import { isOnItsWay, isPosted, lookAtIssue, noFacts } from "./issue-look.ts";
import { waitForConfig } from "./stale.ts";

export type Dispatch =
  /** `lookedAt`: as `Facts.askedAt`. */
  | { readonly kind: "go"; readonly servers: readonly Server[]; readonly lookedAt: number }
  | Exclude<DispatchDecision, { kind: "go" }>
  /** GitHub does not say, so nobody may: the approvals wait (RR-11). */
  | { readonly kind: "ask-later"; readonly reason: string };

/** Reads everything an approval rests on again, from the store, the inventory and GitHub, and decides (SR-24). */
export async function checkDispatch(
  deps: Deps,
  begun: RepoContext,
  { action, batch }: { readonly action: Action; readonly batch: Batch },
): Promise<Dispatch> {
  const { db } = deps.store;
  await waitForConfig(deps);
  const { incident, ...known } = await partsOf(db, action.incidentId, "approvals");
  const approvals = approvalsOfAction(known.approvals, action);
  // Before GitHub is asked, since the token is for what the name means now; whether it is public is asked apart.
  const tenancy = await tenancyOf(deps, db, { ...incident, private: true });
  if (tenancy.kind === "refused") return endDispatch("not-served", tenancy.reason);
  /** Without an end the batch would ask for ever: of an issue that is gone, or a card that nobody takes. */
  const later = (reason: string): Dispatch =>
    isOver(expiryNow(withRulesNow(deps, begun, incident.repo), action), deps.now().getTime())
      ? endDispatch("unanswered", reason)
      : { kind: "ask-later", reason };
  const standing = approvals.some(({ via }) => via === "agent-mode");
  // Nobody has pressed a key after reading it, so it is at least there to be read before it runs (AR-08).
  const isUnread = standing || action.origin === "person" || action.spec.again !== undefined;
  const isPending = isUnread && !(await isPosted(db, incident, action));
  const looked = { incident, action, approvals };
  const { facts, card, shown, unread, board } = await lookAtIssue(deps, looked, deps.factsCache.take(batch.id));
  if (!facts) return later("GitHub cannot be asked whether the approval holds");
  const isOlder = await isStoreOlder(deps, incident, { facts, board });
  if (typeof isOlder !== "boolean") return later(isOlder.unknown);

  // Operator and repository may have changed what holds since the batch began (CFG-1): what holds now decides.
  const now = withRulesNow(deps, begun, incident.repo);
  const repoContext = facts.repository ? await repoContextAt(deps, now, incident, facts.repository.commit) : now;
  if (!repoContext) return later("the repository's files have changed and cannot be read");
  const servers = serversNow(repoContext, action.spec);
  const leased = standing ? await leasedBy(db, action) : undefined;
  const lease = standing ? await leaseDecisionOn(deps, db, repoContext, { incident, action, leased }) : undefined;
  const proved = await provedOnes(deps, repoContext, { action, approvals });
  if (!deps.isConfigCurrent()) return later("the operator's files have changed and are being read");
  // Last of all that is read, since it must hold at once.
  const rows = await partsOf(db, incident.id, "actions", "approvals", "runs", "halts", "holds");
  const before = orderOf(deps, repoContext, rows, { action, batch });
  const stop = await standingIn(deps, incident, rows);
  const decision = decideDispatch({
    action: actionNow(deps, repoContext, { action, servers }),
    before: before ?? "none",
    incident: { open: incident.state === "open" },
    stopped: stop.kind === "stopped" ? stop.words : undefined,
    issue: issueNow(deps, facts, { incident, action }),
    storeIsCurrent: !isOlder,
    executes: deps.config.execution.enabled,
    needed: peopleNeeded(approvable(action), repoContext.rules.policy),
    approvals: approvals.map(approvalNow(deps, repoContext, { action, facts, shown, unread, stop, leased, proved })),
    passkey: proved !== undefined,
    lease,
    // Where the issue or its repository is gone no card will ever be there, so that is asked all the same.
    card: card?.nodeId && unread.has(card.nodeId) ? "unread" : (shown ?? (isPending ? "not-posted" : undefined)),
    now: deps.now(),
  });
  if (decision.kind !== "go") return decision;
  // decideDispatch has seen that the servers are unchanged.
  return servers ? { kind: "go", servers, lookedAt: facts.askedAt } : endDispatch("server-gone");
}

/** Whether the store is an older copy of itself (RR-24), or why that cannot be told now. */
async function isStoreOlder(
  deps: Deps,
  incident: Incident,
  { facts, board }: { readonly facts: Facts; readonly board: OutboxComment | undefined },
): Promise<boolean | { readonly unknown: string }> {
  const shownBoard = board?.nodeId ? facts.comments.get(board.nodeId)?.body : undefined;
  const isFileNewer = await voidIfRestored(deps).catch((error) =>
    deps.log.error({ module: "audit", event: "checkpoint_failed", err: error }),
  );
  if (isFileNewer === undefined) return { unknown: "the audit's checkpoint file cannot be read" };
  const isOlder = isFileNewer || (await isBehindIssue(deps, incident, shownBoard).catch(noFacts(deps, incident)));
  if (isOlder === undefined) return { unknown: "GitHub cannot be asked whether the store is up to date" };
  if (!isOlder) return false;
  // Right after a copy was put back the board still shows what was before; then what people approve anew is not yet told apart.
  const isUndrawn = incident.changed > incident.drawn && (await setBackAt(deps, incident.id)) > 0;
  return isOnItsWay(board) || isUndrawn ? { unknown: "the board on the issue is not up to date" } : true;
}

function actionNow(
  deps: Deps,
  repoContext: RepoContext,
  { action, servers }: { readonly action: Action; readonly servers: readonly Server[] | undefined },
): DispatchQuestion["action"] {
  return {
    ...action,
    expiresAt: new Date(expiryNow(repoContext, action)),
    digestNow: digestOf(action.spec),
    serverUnchanged: servers !== undefined,
    rulesUnchanged: servers !== undefined && isJudgedAsThen(deps, servers, action.spec),
  };
}

function issueNow(
  { config }: Deps,
  { repository, installed, issue }: Facts,
  { incident, action }: { readonly incident: Incident; readonly action: Action },
): DispatchQuestion["issue"] {
  return {
    sameName: repository?.name.toLowerCase() === incident.repo.toLowerCase(),
    installed,
    open: issue?.open === true,
    sameRepository: repository?.id === action.spec.repoId,
    sameIssue: issue?.nodeId === action.spec.issueNodeId,
    asPrivate:
      repository?.private === true || (incident.public && repositoryIn(config, incident.repo)?.allowPublic === true),
  };
}

function approvalNow(
  deps: Deps,
  repoContext: RepoContext,
  {
    action,
    facts,
    shown,
    unread,
    stop,
    leased,
    proved,
  }: {
    readonly action: Action;
    readonly facts: Facts;
    readonly shown: CardState | undefined;
    readonly unread: ReadonlySet<string>;
    readonly stop: Standing;
    readonly leased: LeaseUse | undefined;
    readonly proved: readonly Approval[] | undefined;
  },
): (approval: Approval) => DispatchQuestion["approvals"][number] {
  return (approval) => ({
    personId: approval.personId,
    digest: approval.digest,
    byLease: approval.via === "agent-mode",
    counts: countsTowards(approval.personId, approvable(action), repoContext.rules.policy),
    comment: unread.has(approval.commentNodeId)
      ? "unread"
      : checkApprovalComment(deps, repoContext, action, {
          approval,
          card: shown,
          fact: facts.comments.get(approval.commentNodeId),
          leased,
        }),
    sinceClosing: isSinceClosing(facts, approval),
    mayApprove: mayApprove(repoContext, facts, approval),
    proved: proved?.includes(approval) === true,
    fresh: stop.kind === "stopped" || isSaidSince(stop, { commentId: approval.commentId, keptAt: approval.createdAt }),
  });
}

/** Within a second GitHub's times do not tell, and then it is void. */
function isSinceClosing({ issue, comments }: Facts, { commentNodeId }: Approval): boolean {
  const written = comments.get(commentNodeId)?.createdAt;
  return issue?.closedAt === undefined || (written !== undefined && written > issue.closedAt);
}

/** Those that a passkey in force stands behind, each verified anew (PK-01). Returns undefined if policy asks for none. */
async function provedOnes(
  deps: Deps,
  { rules: { policy } }: RepoContext,
  { action, approvals }: { readonly action: Action; readonly approvals: readonly Approval[] },
): Promise<readonly Approval[] | undefined> {
  if (!needsPasskey(approvable(action), policy)) return undefined;
  const found = approvals.map(async (approval) => {
    const presence = await presenceOf(deps.store.db, deps, countersignedIn(approval));
    return presence.proved ? [approval] : [];
  });
  return (await Promise.all(found)).flat();
}

const expiryNow = ({ rules: { policy } }: RepoContext, action: Action): number => expiryOf(approvable(action), policy);

function mayApprove(repoContext: RepoContext, facts: Facts, approval: Approval): boolean {
  const standing = facts.people.get(approval.personId);
  if (!standing) return false;
  const person = { id: approval.personId, login: approval.login };
  return rightsOf(repoContext.rules.policy.approvers, { person, type: "User", viaApp: false, ...standing }).approve;
}
