import { decidePlace } from "../../approval/lease.ts";
import { rightsOf } from "../../approval/rights.ts";
import { type Clock, every } from "../../base/clock.ts";
import { hasLabel, type Person } from "../../base/github.ts";
import type { Actor, IssueEvent } from "../../github/events.ts";
import { renderReminder } from "../../github/render/card.ts";
import { formValues } from "../../runbooks/values.ts";
import { approvalsOfAction, moveAction, openProposals, overdueActions } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import { appendDenial } from "../../store/audit/denials.ts";
import type { Tx } from "../../store/database/open.ts";
import { removeOld } from "../../store/database/retention.ts";
import { partsOf } from "../../store/incident-rows.ts";
import {
  becomePublic,
  findIncident,
  type Incident,
  incidentOf,
  keepLabels,
  keepValues,
  lockIncident,
  openIncident,
  type Pillar,
  pillars,
  reopenIncident,
  sessionOf,
  setIncident,
  setSession,
} from "../../store/incidents.ts";
import { giveLease } from "../../store/leases.ts";
import { releaseResults } from "../../store/outbox/results.ts";
import { commentIn, slots } from "../../store/outbox/thread-comments.ts";
import { wantComments, wantReaction } from "../../store/outbox/wanted.ts";
import { isClosingHeard } from "../../store/queue/arrival.ts";
import type { Job } from "../../store/queue/queue.ts";
import { redactText } from "../../text/bare.ts";
import { visible } from "../../text/read/visible.ts";
import { type Deps, loadRepoContext, type RepoContext } from "../context.ts";
import { policyInForce } from "../proposal/in-force.ts";
import { endLease, endLeasesOver, leasePlaceOf } from "../proposal/lease.ts";
import { show, threadOf, wakePoster, wakeUndrawn } from "../thread/post.ts";
import { hintOf, viewsOf } from "../thread/views.ts";
import { readThumbs } from "../turn/conversation.ts";
import { enqueueTurn } from "../turn/turn.ts";
import { helpedIn } from "./cause.ts";
import { mayRun, standingOf } from "./hold.ts";
import { isOpen, reopen, voidOpen } from "./withdraw.ts";

/**
 * Handles an issue's event (SR-29, SR-59, SR-61, F-03, F-04). Label or type opens an incident; closing, moving or unlabeling voids pending
 * actions; reopening continues the session.
 */
export async function issueChanged(deps: Deps, job: Job, event: IssueEvent): Promise<void> {
  if (!event.private) await becomePublic(deps.store.db, [event.issue.repoId]);
  // Any label may name the incident's component.
  const known = await keepLabels(deps.store.db, event.issue, event.labels);
  await pillarByLabel(deps, event);
  switch (event.action) {
    case "opened":
    case "labeled":
    case "reopened":
      return whenOpened(deps, job, event, known);
    case "typed":
      return (isTyped(deps, event) ? whenOpened : whenClosed)(deps, job, event, known);
    case "unlabeled":
    case "untyped":
    case "closed":
    case "deleted":
    case "transferred":
      return whenClosed(deps, job, event, known);
    default:
      return;
  }
}

/** Follows a pillar label. Safe, because GitHub requires triage rights, and only the prompt changes. */
async function pillarByLabel(deps: Pick<Deps, "store" | "config">, event: IssueEvent): Promise<void> {
  const { action, issue, label, labels, sender } = event;
  const prefix = deps.config.incident.pillarLabel;
  const named = label === undefined ? undefined : pillarNamed(label, prefix);
  if (label === undefined || named === undefined || (action !== "labeled" && action !== "unlabeled")) return;
  const to = action === "labeled" ? named : pillarOf(labels, prefix);
  await deps.store.transaction(async (tx) => {
    const incident = await findIncident(tx, issue.repoId, issue.number);
    if (!incident) return;
    await changePillar(tx, await lockIncident(tx, incident.id), to, { person: sender, means: { label } });
  });
}

async function whenOpened(deps: Deps, job: Job, event: IssueEvent, known: Incident | undefined): Promise<void> {
  const repoContext = await loadRepoContext(deps, event.issue);
  if (event.action === "labeled" && !hasLabel([event.label], repoContext.rules.incidentLabel)) return;
  const { repoId, number } = event.issue;
  const wasClosed = known ? known.state === "closed" : await isClosingHeard(deps.store.db, `issue:${repoId}:${number}`);
  const opensAgain = event.action === "reopened" || wasClosed;
  if (opensAgain && (await isIncidentNow(deps, repoContext, event, known?.byHand)) === false) return;
  await openFrom(deps, repoContext, event, { known, settle: job.settle });
}

/** Opens an incident if label and starter permit. Called for comments too, because the event that opened the issue can be late or lost. */
export async function openFrom(
  deps: Deps,
  repoContext: RepoContext,
  event: IssueEvent,
  { known, settle }: { readonly known: Incident | undefined; readonly settle: (tx: Tx) => Promise<void> },
): Promise<Incident | undefined> {
  const { action, labels } = event;
  const starter = action === "labeled" || action === "typed" ? event.sender : event.opener;
  if (!event.open || !starter) return undefined;
  // A person may reopen an incident that an alert or a schedule opened.
  const goesOn = known !== undefined && action === "reopened" && mayStart(deps, event.sender);
  if (!mayStart(deps, starter) && !goesOn) return undefined;
  const byHand = action === "reopened" && known?.byHand === true;
  if (!hasLabel(labels, repoContext.rules.incidentLabel) && !isTyped(deps, event) && !byHand) return undefined;
  if (!known && !event.private) {
    // An issue form lets anyone set the label, so on a public repository the starter needs write access.
    const { installationId, repo, repoId, number } = event.issue;
    const question = { installationId, repo, issue: number, people: [starter], comments: [], teams: [] };
    // Throws if GitHub does not answer; the delivery is tried again.
    const role = (await deps.facts(question)).people.get(starter.id)?.role ?? "none";
    const standing = { person: starter, type: starter.type, role, teams: [], viaApp: false };
    const isListed = deps.config.incident.bots.includes(starter.id);
    if (!isListed && !rightsOf(repoContext.rules.policy.approvers, standing).act) {
      await deps.store.transaction(async (tx) => {
        const by = { id: starter.id, login: starter.login };
        const body = { by, role, repo, repoId, issue: number, action };
        await appendDenial(tx, { kind: "incident_refused", body }, deps.now());
        await settle(tx);
      });
      return undefined;
    }
  }
  // On a public repository the lock may be gone.
  if (known?.state === "open" && event.private) return known;
  return openForIssue(deps, repoContext, event, { settle });
}

/** Opens or reopens an issue's incident, `by` hand for `/investigate`, whose caller starts the turn. */
export async function openForIssue(
  deps: Deps,
  repoContext: RepoContext,
  event: IssueEvent,
  { by, settle }: { readonly by?: Person; readonly settle: (tx: Tx) => Promise<void> },
): Promise<Incident> {
  // On a public repository only collaborators may write. If the lock fails, the delivery is tried again.
  if (!event.private) await deps.issues.lock({ ...event.issue, issue: event.issue.number });
  return deps.store.transaction(async (tx) => {
    const { incident, opened, sessionId } = await openIncident(tx, {
      issue: event.issue,
      title: redactText(deps.redact, event.title),
      // Redacted twice: Markdown marks identify some secrets, and hide others.
      body: redactText(deps.redact, visible(redactText(deps.redact, event.body))),
      public: !event.private,
      labels: event.labels,
      pillar: pillarOf(event.labels, deps.config.incident.pillarLabel),
      opener: event.opener ?? event.sender,
      ...(by && { user: by, byHand: !hasLabel(event.labels, repoContext.rules.incidentLabel) }),
      stepLimit: deps.config.agent.maxSteps,
    });
    if (opened) {
      const values = formValues(incident.body);
      if (Object.keys(values).length > 0) await keepValues(tx, incident.id, "form", values);
      const source = by ? "investigate" : event.action;
      deps.log.info({ module: "agent", event: "session_created", sessionId, incidentId: incident.id, source });
      await appendAudit(tx, { kind: "incident_opened", incidentId: incident.id, body: changeOf(event) });
      await giveOpeningLease(tx, deps, repoContext, incident);
      await wantReaction(tx, threadOf(incident), { commentId: 0, content: "eyes" });
      if (!by) await enqueueTurn(tx, deps, incident, { kind: "opened", fresh: event.action === "opened" });
      await show(tx, deps, incident, "reading the incident");
    } else if (incident.state === "closed" && ["reopened", "labeled", "typed"].includes(event.action)) {
      await reopenIncident(tx, incident.id);
      await appendAudit(tx, { kind: "incident_reopened", incidentId: incident.id, body: changeOf(event) });
      await show(tx, deps, incident);
    }
    await settle(tx);
    return incident;
  });
}

/** Who gives the opening lease. */
const operator = { id: 0, login: "the operator's file" };

/** Gives a new incident the lease of the operator's file, if that names servers of this repository. */
async function giveOpeningLease(tx: Tx, deps: Deps, repoContext: RepoContext, incident: Incident): Promise<void> {
  const caps = repoContext.rules.opening;
  if (caps.servers.length === 0) return;
  const standing = await standingOf(deps, tx, incident);
  if (
    standing.kind === "stopped" ||
    decidePlace(leasePlaceOf(deps, repoContext, { incident, standing, caps })).kind === "no"
  )
    return;
  const { servers, maxTimeMs, maxCommands } = caps;
  const now = deps.now();
  const endsAt = new Date(now.getTime() + maxTimeMs);
  const sha256 = deps.config.fileSha256;
  await giveLease(tx, {
    incidentId: incident.id,
    via: "opening",
    person: operator,
    role: "operator",
    comment: { id: 0, nodeId: "", sha256 },
    lastComment: standing.lastWord.comment,
    servers,
    endsAt,
    maxCommands,
    now,
  });
  await appendAudit(tx, {
    kind: "lease_given",
    incidentId: incident.id,
    body: {
      by: { ...operator, role: "operator" },
      operatorFile: sha256,
      servers,
      endsAt: endsAt.toISOString(),
      maxCommands,
    },
  });
}

const mayStart = ({ config }: Deps, { id, type }: Actor): boolean =>
  type === "User" || config.incident.bots.includes(id);

async function whenClosed(deps: Deps, job: Job, event: IssueEvent, incident: Incident | undefined): Promise<void> {
  if (!incident || incident.state === "closed") return;
  const repoContext = await loadRepoContext(deps, event.issue);
  if (event.action === "closed" && event.open) return;
  if (event.action === "unlabeled" && !hasLabel([event.label], repoContext.rules.incidentLabel)) return;
  if (event.action === "unlabeled" && isTyped(deps, event)) return;
  const isLabeled = incident.byHand || hasLabel(event.labels, repoContext.rules.incidentLabel);
  if ((event.action === "typed" || event.action === "untyped") && isLabeled) return;
  const isGone = event.action === "deleted" || event.action === "transferred";
  // Removing the label also ends an incident opened by hand.
  const byHand = incident.byHand && event.action !== "unlabeled";
  if (!isGone && (await isIncidentNow(deps, repoContext, event, byHand))) {
    if (event.action !== "closed") return;
    // The closing was undone meanwhile, so only approvals given before it are withdrawn.
    const { closedAt = deps.now() } = event;
    // GitHub's times are whole seconds.
    const isBefore = (at: Date): boolean => at.getTime() < closedAt.getTime() + 1_000;
    await deps.store.transaction(async (tx) => {
      const locked = await lockIncident(tx, incident.id);
      const { actions, approvals, lease } = await partsOf(tx, incident.id, "actions", "approvals", "lease");
      const reason = "the issue was closed after it was approved";
      const before = actions.filter(
        (action) => isOpen(action) && approvalsOfAction(approvals, action).some(({ createdAt }) => isBefore(createdAt)),
      );
      const reopened = await reopen(tx, before, reason);
      const isLeaseOver =
        lease !== null && isBefore(lease.onAt) && (await endLease(tx, locked, "the issue was closed"));
      if (reopened.length > 0 || isLeaseOver) await show(tx, deps, locked);
      await job.settle(tx);
    });
    return;
  }
  if (event.action === "closed") await readThumbs(deps, incident);
  await deps.store.transaction(async (tx) => {
    await endIncident(tx, await lockIncident(tx, incident.id), `the issue was ${event.action}`);
    // Removing the label also ends an incident that began without it.
    if (event.action === "unlabeled") await setIncident(tx, incident.id, { byHand: false });
    await appendAudit(tx, { kind: "incident_ended", incidentId: incident.id, body: changeOf(event) });
    await show(tx, deps, incident);
    await job.settle(tx);
  });
}

/** Ends an incident; running commands go on. `cause` is a person's words. */
export async function endIncident(tx: Tx, incident: Incident, reason: string, cause = ""): Promise<void> {
  await voidOpen(tx, incident, reason);
  await endLease(tx, incident, reason);
  await releaseResults(tx, { repo: incident.repo, issue: incident.number });
  const helped = helpedIn(await partsOf(tx, incident.id, "actions", "runs")).map(({ number }) => number);
  const closed = { state: "closed", closedAt: new Date(), cause: cause === "" ? null : cause, helped } as const;
  await setIncident(tx, incident.id, closed);
}

const changeOf = ({ issue, action, sender }: IssueEvent) => ({
  repo: issue.repo,
  repoId: issue.repoId,
  issue: issue.number,
  action,
  by: { id: sender.id, login: sender.login },
});

/** An issue form can set the type. */
const isTyped = ({ config }: Deps, { type }: Pick<IssueEvent, "type">): boolean =>
  type !== undefined && type.toLowerCase() === config.incident.type.toLowerCase();

/** Asks GitHub, because events arrive out of order. If undefined, the event counts. */
async function isIncidentNow(
  deps: Deps,
  { rules }: RepoContext,
  { issue }: IssueEvent,
  byHand = false,
): Promise<boolean | undefined> {
  const { installationId, repo, number } = issue;
  try {
    const now = await deps.issues.read({ installationId, repo, issue: number });
    return now?.open && (byHand || hasLabel(now.labels, rules.incidentLabel) || isTyped(deps, now));
  } catch (error) {
    deps.log.warn({ module: "github", event: "issue_not_read", err: error, repo, issue: number });
    return undefined;
  }
}

const usual: Pillar = "troubleshoot";

/** Returns the pillar in a label, e.g. `pillar: revive`. Pure. */
export function pillarNamed(label: string, prefix: string): Pillar | undefined {
  const name = label.toLowerCase();
  const start = prefix.toLowerCase();
  return name.startsWith(start) ? pillars.find((pillar) => pillar === name.slice(start.length).trim()) : undefined;
}

/** Returns the pillar by labels; the default if none names one or two contradict. Pure. */
export function pillarOf(labels: readonly string[], prefix: string): Pillar {
  const named = new Set(labels.flatMap((label) => pillarNamed(label, prefix) ?? []));
  const [only = usual] = named;
  return named.size === 1 ? only : usual;
}

/** Sets the session's pillar and audits who did, if it changes (AR-16). */
export async function changePillar(
  tx: Tx,
  incident: Pick<Incident, "id">,
  to: Pillar,
  by: { readonly person: Person; readonly means: { readonly commentId: number } | { readonly label: string } },
): Promise<void> {
  const { pillar: from } = await sessionOf(tx, incident.id);
  if (from === to) return;
  const { id, login } = by.person;
  await setSession(tx, incident.id, { pillar: to });
  await appendAudit(tx, {
    kind: "pillar_changed",
    incidentId: incident.id,
    body: { from, to, by: { id, login }, ...by.means },
  });
}

const everyMs = 30_000;

/** Keeps expiring proposals and leases, and wakes the poster for undrawn threads. */
export function keepExpiring(deps: Deps): { readonly stop: () => Promise<void> } {
  const failed = (error: unknown) => deps.log.warn({ module: "store", event: "expiry_late", err: error });
  const sweep = async (): Promise<void> => {
    await wakeUndrawn(deps).catch(failed);
    await expireOverdue(deps);
    await endLeasesOver(deps);
    await remindOfExpiry(deps);
  };
  return every(everyMs, sweep, failed, { first: "later" });
}

/** Expires overdue proposals. Logs an incident's error and continues. */
export async function expireOverdue(deps: Deps): Promise<void> {
  const overdue = await overdueActions(deps.store.db, deps.now());
  for (const [incidentId, actions] of Map.groupBy(overdue, (action) => action.incidentId)) {
    const expired = deps.store.transaction(async (tx) => {
      const incident = await lockIncident(tx, incidentId);
      for (const action of actions) {
        if (!(await moveAction(tx, action, { from: "proposed", to: "expired" }))) continue;
        const body = { number: action.number, digest: action.digest };
        await appendAudit(tx, { kind: "command_expired", incidentId, body });
      }
      await show(tx, deps, incident);
    });
    await expired.catch((error) => deps.log.warn({ module: "store", event: "expiry_late", incidentId, err: error }));
  }
}

const aheadMs = 10 * 60_000;

/** Reminds the team once of medium- and high-risk actions that expire within ten minutes, unless that is their whole time. */
export async function remindOfExpiry(deps: Deps): Promise<void> {
  if (!deps.config.execution.enabled) return;
  const now = deps.now();
  const until = new Date(now.getTime() + aheadMs);
  const open = await openProposals(deps.store.db, { after: now, until });
  const urgent = open.filter(
    ({ spec, createdAt, expiresAt }) => spec.risk !== "low" && expiresAt.getTime() - createdAt.getTime() > aheadMs,
  );
  const together = Map.groupBy(urgent, ({ incidentId, expiresAt }) => `${incidentId} ${expiresAt.getTime()}`);
  for (const [{ incidentId, expiresAt }] of together.values() as Iterable<[(typeof urgent)[number]]>) {
    try {
      const slot = slots.reminder(expiresAt);
      const repoContext = await loadRepoContext(deps, await incidentOf(deps.store.db, incidentId));
      await deps.store.transaction(async (tx) => {
        const incident = await lockIncident(tx, incidentId);
        if (incident.state !== "open" || (await mayRun(deps, tx, incident)).kind !== "yes") return;
        if (await commentIn(tx, incidentId, slot)) return;
        const due = (await viewsOf(tx, incidentId)).filter(
          (view) =>
            view.state === "proposed" &&
            view.spec.risk !== "low" &&
            view.expiresAt.getTime() === expiresAt.getTime() &&
            // Outside its hours no one can decide.
            !policyInForce(repoContext, view, now).shut,
        );
        if (due.length === 0) return;
        const body = renderReminder(due, expiresAt, hintOf(deps, repoContext), deps.markdown);
        await wantComments(tx, threadOf(incident), [{ slot, body }]);
        await wakePoster(tx, deps, incident);
      });
    } catch (error) {
      deps.log.warn({ module: "store", event: "reminder_late", incidentId, err: error });
    }
  }
}

const sweepEveryMs = 24 * 3_600_000;
const lookMs = 60_000;
/** How long the inbox recognizes a repeated delivery (RR-02). GitHub redelivers for three days. */
const inboxMs = 30 * 24 * 3_600_000;

type RetentionDeps = Pick<Deps, "store" | "log" | "now"> & {
  readonly config: { readonly retention: Pick<Deps["config"]["retention"], "outputsMs"> };
};

/** Removes overdue rows at the start and daily, once GitHub has told the time: a clock a month ahead makes today's rows look old. */
export function keepRetention(deps: RetentionDeps & { readonly clock: Pick<Clock, "isTold"> }): {
  readonly stop: () => Promise<void>;
} {
  const failed = (error: unknown) => deps.log.warn({ module: "store", event: "retention_late", err: error });
  let nextAt = 0;
  const look = async (): Promise<void> => {
    if (!deps.clock.isTold() || performance.now() < nextAt) return;
    await removeOverdue(deps);
    nextAt = performance.now() + sweepEveryMs;
  };
  return every(lookMs, look, failed);
}

/** Removes overdue rows and audits how many. Never shortens the audit. */
export async function removeOverdue(deps: RetentionDeps): Promise<void> {
  const now = deps.now().getTime();
  const { outputsMs } = deps.config.retention;
  const days = Number((outputsMs / 86_400_000).toFixed(1));
  const removed = await removeOld(deps.store, {
    outputsBefore: new Date(now - outputsMs),
    deliveriesBefore: new Date(now - inboxMs),
    why: `it was kept for ${days} days and then removed (retention.outputs)`,
  });
  if (removed.outputs + removed.deliveries === 0) return;
  deps.log.info({ module: "store", event: "old_removed", ...removed });
  if (removed.outputs > 0)
    await deps.store.transaction((tx) => appendAudit(tx, { kind: "outputs_removed", body: { ...removed, days } }));
}
