import { rightsOf } from "../../approval/rights.ts";
import { hasLabel, type Person, type Role } from "../../base/github.ts";
import type { Actor, IssueEvent } from "../../github/events.ts";
import { formValues } from "../../runbooks/form-values.ts";
import { approvalsOfAction } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import { appendDenial } from "../../store/audit/denials.ts";
import type { Tx } from "../../store/database/open.ts";
import { partsOf } from "../../store/incident-rows.ts";
import { keepValues } from "../../store/incident-values.ts";
import {
  becomePublic,
  closeIncident,
  endByLabel,
  type Incident,
  keepLabels,
  lockIncident,
  openIncident,
  reopenIncident,
} from "../../store/incidents.ts";
import { wantReply } from "../../store/outbox/notices.ts";
import { type Asker, wantReaction } from "../../store/outbox/wanted.ts";
import { isClosingHeard } from "../../store/queue/deliveries.ts";
import type { Job } from "../../store/queue/queue.ts";
import { redactText } from "../../text/bare.ts";
import { visible } from "../../text/read/visible.ts";
import { type Deps, loadRepoContext, type RepoContext } from "../context.ts";
import { endLease } from "../proposal/lease.ts";
import { show, threadOf, wakePoster } from "../thread/show.ts";
import { readThumbs } from "../turn/conversation.ts";
import { enqueueTurn } from "../turn/turn.ts";
import { isIncidentNow, isTyped } from "./is-incident.ts";
import { pillarByLabel, pillarOf } from "./pillar.ts";
import { reopen } from "./reopen.ts";
import { isOpen, voidOpen } from "./void.ts";

/**
 * What happens to an issue: it becomes an incident when it carries the label, its pending actions are void when it is closed,
 * moved or loses the label (what runs goes on and is reported), and a reopened one goes on with the same session.
 */
export async function issueChanged(deps: Deps, job: Job, event: IssueEvent): Promise<void> {
  if (!event.private) await becomePublic(deps.store.db, [event.issue.repoId]);
  // A label can name the incident's component, whichever label the event is about.
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

async function whenOpened(deps: Deps, job: Job, event: IssueEvent, known: Incident | undefined): Promise<void> {
  const repoContext = await loadRepoContext(deps, event.issue);
  // Of all labels put on an incident only the one that makes it an incident begins anything.
  if (event.action === "labeled" && !hasLabel([event.label], repoContext.rules.incidentLabel)) return;
  const { repoId, number } = event.issue;
  const wasClosed = known ? known.state === "closed" : await isClosingHeard(deps.store.db, `issue:${repoId}:${number}`);
  const opensAgain = event.action === "reopened" || wasClosed;
  if (opensAgain && (await isIncidentNow(deps, repoContext, event, known?.byHand)) === false) return;
  await openFrom(deps, repoContext, event, { known, settle: job.settle });
}

/**
 * Takes the issue of an event in, if it is an incident by its label and was begun by somebody who may. Called for comments too:
 * the one that was typed at once can arrive before the event that opened the issue, or that event can be lost (F-03, F-04).
 */
export async function openFrom(
  deps: Deps,
  repoContext: RepoContext,
  event: IssueEvent,
  { known, settle }: { readonly known: Incident | undefined; readonly settle: (tx: Tx) => Promise<void> },
): Promise<Incident | undefined> {
  const { action, labels } = event;
  const starter = action === "labeled" || action === "typed" ? event.sender : event.opener;
  if (!event.open || !starter) return undefined;
  // An incident that an alert or a schedule has opened is a person's to reopen.
  const goesOn = known !== undefined && action === "reopened" && mayStart(deps, event.sender);
  if (!mayStart(deps, starter) && !goesOn) return undefined;
  // Reopened, an issue that somebody once took in goes on as one that has the label does.
  const byHand = action === "reopened" && known?.byHand === true;
  if (!hasLabel(labels, repoContext.rules.incidentLabel) && !isTyped(deps, event) && !byHand) return undefined;
  if (!known && !event.private) {
    const role = await roleOf(deps, event, starter);
    if (!mayStartInPublic(deps, repoContext, starter, role)) return leaveAlone(deps, event, { starter, role, settle });
  }
  // Its lock on a public repository may have been taken off since.
  if (known?.state === "open" && event.private) return known;
  return open(deps, repoContext, event, { settle });
}

/** Takes an issue in for somebody who may, with or without the label; the turn is for the caller to begin (/investigate). */
export const openByHand = (deps: Deps, repoContext: RepoContext, event: IssueEvent, by: Person): Promise<Incident> =>
  open(deps, repoContext, event, { by, settle: async () => {} });

async function open(
  deps: Deps,
  repoContext: RepoContext,
  event: IssueEvent,
  { by, settle }: { readonly by?: Person; readonly settle: (tx: Tx) => Promise<void> },
): Promise<Incident> {
  // On a public repository anybody could write into the incident: only collaborators may, or there is none (SR-29). What
  // cannot be locked throws, and the delivery is tried again.
  if (!event.private) await deps.issues.lock({ ...event.issue, issue: event.issue.number });
  return deps.store.transaction(async (tx) => {
    const { incident, opened, sessionId } = await openIncident(tx, {
      issue: event.issue,
      title: redactText(deps.redact, event.title),
      // Before, for what its marks tell, and after, for what they hid.
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

/** People start incidents, and those bots whose ids the operator listed (SR-61). */
const mayStart = ({ config }: Deps, { id, type }: Actor): boolean =>
  type === "User" || config.incident.bots.includes(id);

/** In a public repository only people with write access: an issue form puts the label on for anybody (SR-59). */
function mayStartInPublic({ config }: Deps, { rules }: RepoContext, starter: Actor, role: Role): boolean {
  const { type } = starter;
  const standing = { person: starter, type, role, teams: [], viaApp: false };
  return config.incident.bots.includes(starter.id) || rightsOf(rules.policy.approvers, standing).act;
}

/** Throws where GitHub does not say: the delivery is tried again. */
async function roleOf(deps: Deps, { issue }: IssueEvent, person: Person): Promise<Role> {
  const { installationId, repo, number } = issue;
  const facts = await deps.facts({ installationId, repo, issue: number, people: [person], comments: [], teams: [] });
  return facts.people.get(person.id)?.role ?? "none";
}

/** Nothing is opened, locked or said until somebody with write access puts the label on, or says /investigate. */
async function leaveAlone(
  deps: Deps,
  { issue, action }: IssueEvent,
  given: { readonly starter: Actor; readonly role: Role; readonly settle: (tx: Tx) => Promise<void> },
): Promise<undefined> {
  const { id, login } = given.starter;
  const { repo, repoId, number } = issue;
  await deps.store.transaction(async (tx) => {
    const body = { by: { id, login }, role: given.role, repo, repoId, issue: number, action };
    await appendDenial(tx, { kind: "incident_refused", body }, deps.now());
    await given.settle(tx);
  });
}

async function whenClosed(deps: Deps, job: Job, event: IssueEvent, incident: Incident | undefined): Promise<void> {
  if (!incident || incident.state === "closed") return;
  const repoContext = await loadRepoContext(deps, event.issue);
  if (event.action === "closed" && event.open) return;
  if (event.action === "unlabeled" && !hasLabel([event.label], repoContext.rules.incidentLabel)) return;
  // Of label and type one is enough.
  if (event.action === "unlabeled" && isTyped(deps, event)) return;
  const isLabeled = incident.byHand || hasLabel(event.labels, repoContext.rules.incidentLabel);
  if ((event.action === "typed" || event.action === "untyped") && isLabeled) return;
  const isGone = event.action === "deleted" || event.action === "transferred";
  // Taken off, the label ends what somebody once took in without it, too.
  const byHand = incident.byHand && event.action !== "unlabeled";
  if (!isGone && (await isIncidentNow(deps, repoContext, event, byHand)))
    return event.action === "closed" ? openAgain(deps, job, event, incident) : undefined;
  if (event.action === "closed") await readThumbs(deps, incident);
  await deps.store.transaction(async (tx) => {
    await endIncident(tx, await lockIncident(tx, incident.id), `the issue was ${event.action}`);
    if (event.action === "unlabeled") await endByLabel(tx, incident.id);
    await appendAudit(tx, { kind: "incident_ended", incidentId: incident.id, body: changeOf(event) });
    await show(tx, deps, incident);
    await job.settle(tx);
  });
}

/** The issue was closed and is open again by the time that is heard: what was approved before is approved no more. */
async function openAgain(deps: Deps, job: Job, event: IssueEvent, incident: Incident): Promise<void> {
  const { closedAt = deps.now() } = event;
  // GitHub tells whole seconds.
  const isBefore = (at: Date): boolean => at.getTime() < closedAt.getTime() + 1_000;
  await deps.store.transaction(async (tx) => {
    const locked = await lockIncident(tx, incident.id);
    const { actions, approvals, lease } = await partsOf(tx, incident.id, "actions", "approvals", "lease");
    const reason = "the issue was closed after it was approved";
    const before = actions.filter(
      (action) => isOpen(action) && approvalsOfAction(approvals, action).some(({ createdAt }) => isBefore(createdAt)),
    );
    const reopened = await reopen(tx, before, reason);
    const isLeaseOver = lease !== null && isBefore(lease.onAt) && (await endLease(tx, locked, "the issue was closed"));
    if (reopened.length > 0 || isLeaseOver) await show(tx, deps, locked);
    await job.settle(tx);
  });
}

/** Ends an incident: whatever has not been sent to a server will not be. What runs goes on and is reported. `cause` is what somebody says it was. */
export async function endIncident(tx: Tx, incident: Incident, reason: string, cause = ""): Promise<void> {
  await voidOpen(tx, incident, reason);
  await endLease(tx, incident, reason);
  await closeIncident(tx, incident.id, cause === "" ? null : cause);
}

const changeOf = ({ issue, action, sender }: IssueEvent) => ({
  repo: issue.repo,
  repoId: issue.repoId,
  issue: issue.number,
  action,
  by: { id: sender.id, login: sender.login },
});

/** Answers in the thread of an issue that is no incident. */
export async function answerOutside(
  tx: Tx,
  deps: Deps,
  event: IssueEvent,
  answer: { readonly commentId: number; readonly body: string; readonly askedBy: Asker | undefined },
): Promise<void> {
  const { installationId, repo, number } = event.issue;
  const thread = { installationId, repo, issue: number, incidentId: null };
  await wantReply(tx, thread, answer);
  await wakePoster(tx, deps, { repo, number });
}
