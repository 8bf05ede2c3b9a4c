import { decidePlace } from "../../approval/lease.ts";
import { isOver, whyLowWaits } from "../../approval/need.ts";
import { policyFor } from "../../approval/place.ts";
import { type PersonStanding, rightsOf } from "../../approval/rights.ts";
import { capital } from "../../base/errors.ts";
import { loadTemplate } from "../../base/template.ts";
import type { Deps, RepoContext } from "../../features/context.ts";
import { endHeld, liftOf, mayRun, mayRunOn, standingIn, standingOf } from "../../features/incident/hold.ts";
import { isOpen, reopen } from "../../features/incident/withdraw.ts";
import { placeOf, whySignerWaits } from "../../features/proposal/in-force.ts";
import {
  endLease,
  leasePlaceOf,
  leaseStandingOf,
  leaseTermsOf,
  offerLease,
  startLeased,
} from "../../features/proposal/lease.ts";
import { approvalComment, approvalReason, saidIn } from "../../features/run/approval-comment.ts";
import { answer } from "../../features/thread/answer.ts";
import { show } from "../../features/thread/post.ts";
import { enqueueTurn } from "../../features/turn/turn.ts";
import type { Cause } from "../../features/turn/turn-message.ts";
import { clock, name, utcMinute } from "../../github/render/ink.ts";
import { giverOf } from "../../github/render/state.ts";
import { type LeaseWord, leaseIn } from "../../slash/grammar.ts";
import { verbs } from "../../slash/verbs.ts";
import { type Action, actionsOf, approvalsOfAction, approvedOrSent, timesOf } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import {
  type Hold,
  holdPlaceOf,
  holdsOn,
  isStanding,
  isWhole,
  liftHold,
  placeHold,
  wholeRepository,
} from "../../store/holds.ts";
import { partsOf } from "../../store/incident-rows.ts";
import { grantSteps, type Incident, lockIncident, openIncidents } from "../../store/incidents.ts";
import { giveLease, hearOff, type Lease, leaseOf } from "../../store/leases.ts";
import { isTurnDue } from "../../store/queue/table.ts";
import { unreadIn } from "../../store/runs.ts";
import { runningOnes } from "../act/under-way.ts";
import { fromBefore, nothingRun } from "../answers.ts";
import type { Call, Handler } from "../command.ts";

const held = loadTemplate("comments/held.md");
const killFlag = "--kill";

/** Stops an incident, or with `all` its repository, until an approver resumes it (SR-68). Nothing in its line delays it. */
export const hold: Handler = async (call) => {
  const { deps, incident, slash } = call;
  const whole = slash.ids === "all";
  // Boards and answer can wait.
  if (whole) await deps.store.transaction((tx) => put(tx, call, incident));
  await endHeld(deps);
  if (whole) await changeOthers(deps, incident, (tx, other) => show(tx, deps, other));
  await call.commit(async (tx, locked) => {
    const standing = await put(tx, call, locked);
    await show(tx, deps, locked);
    const lift = liftOf(standing);
    const rows = await approvedOrSent(tx, standing);
    const list = (states: readonly string[]): string =>
      rows
        .filter(({ state }) => states.includes(state))
        .map(({ number, issue }) => (whole ? `**${number}** on ${deps.markdown.code(`#${issue}`)}` : `**${number}**`))
        .join(", ");
    const running = list(["dispatching", "running"]);
    const approved = list(["approved"]);
    const flags = [...slash.flags.keys()].filter((flag) => flag !== killFlag).map(deps.markdown.code);
    // People in a hurry may count on flags without effect.
    const hints = [
      ...(flags.length === 0 ? [] : [`${flags.join(", ")} is not known here; \`${killFlag}\` also ends what runs.`]),
      ...(slash.ids !== "all" && slash.ids.length > 0 ? ["A hold covers all numbers, not just some."] : []),
    ];
    const body = held({
      what: whole ? "The whole repository" : "This incident",
      who: name(standing.login),
      since: utcMinute(standing.heldAt),
      lift,
      running:
        running === ""
          ? "Nothing is running."
          : standing.kill
            ? `Stopping: ${running}.`
            : `Still running: ${running}; \`/hold ${whole ? "all " : ""}${killFlag}\` ends that too.`,
      approved:
        approved === "" ? "" : `Approved and not sent: ${approved}. After ${`\`${lift}\``} it takes a fresh approval.`,
      hints: hints.join("\n\n"),
    });
    await answer(tx, call, locked, { outcome: "done", body });
  });
  await endHeld(deps);
};

/**
 * Continues an incident unless another hold stands: withdraws earlier approvals (returns their actions' numbers), ends waiting batches,
 * starts the missed turn.
 */
export async function afterLift(tx: Tx, deps: Deps, incident: Incident): Promise<readonly number[]> {
  const rows = await partsOf(tx, incident.id, "actions", "approvals", "batches", "halts", "holds");
  if (rows.holds.some(isStanding)) {
    await show(tx, deps, incident);
    return [];
  }
  const standing = await standingIn(deps, incident, rows);
  // This repeats after an error on another incident; later approvals stay.
  const wasApprovedBefore = ({ id }: Action): boolean =>
    approvalsOfAction(rows.approvals, { id }).some(
      (approval) => mayRunOn(standing, [timesOf(approval)]).kind !== "yes",
    );
  const before = rows.actions.filter((action) => isOpen(action) && wasApprovedBefore(action));
  const reopened = await reopen(tx, before, "it was approved before a hold was lifted");
  if (rows.batches.some(({ endedAt }) => endedAt === null)) await deps.store.queue.hasten(tx, "execute", incident.id);
  if (incident.state === "open") {
    await deps.store.queue.hasten(tx, "turn", incident.id);
    const cause = await missedTurn(tx, incident);
    if (cause && !(await isTurnDue(tx, incident.id, cause))) await enqueueTurn(tx, deps, incident, cause);
  }
  await show(tx, deps, incident);
  return reopened;
}

async function missedTurn(tx: Tx, incident: Incident): Promise<Cause | undefined> {
  const rows = await partsOf(tx, incident.id, "batches", "runs", "turns", "session");
  // A batch that has not ended causes its turn itself.
  const numbers = unreadIn(rows).flatMap((batch) => batch.numbers);
  if (numbers.length > 0) return { kind: "batch-ended", numbers };
  if (rows.turns.length === 0) return { kind: "opened" };
  // The first turn left its place to a batch that was held.
  return rows.session.steps === 0 && rows.batches.some(({ commentId }) => commentId === null)
    ? { kind: "batch-ended", numbers }
    : undefined;
}

/** Changes the repository's other open incidents, in one transaction each, so that none waits for another's commands. */
export async function changeOthers(
  deps: Deps,
  { id: own, repoId }: Incident,
  work: (tx: Tx, incident: Incident) => Promise<unknown>,
): Promise<void> {
  const others = (await openIncidents(deps.store.db, { repoIds: [repoId] })).filter(({ id }) => id !== own);
  for (const { id } of others) await deps.store.transaction(async (tx) => work(tx, await lockIncident(tx, id)));
}

/** Once for each comment. */
async function put(tx: Tx, call: Call, incident: Incident): Promise<Hold> {
  const { caller, event, slash } = call;
  const place = slash.ids === "all" ? { repoId: incident.repoId, issue: wholeRepository } : holdPlaceOf(incident);
  const comment = approvalComment(event);
  const kill = slash.flags.has(killFlag);
  const { hold: standing, changed } = await placeHold(tx, place, { person: caller, commentId: comment.id, kill });
  if (!changed) return standing;
  await appendAudit(tx, {
    kind: isWhole(place) ? "repository_held" : "incident_held",
    incidentId: incident.id,
    body: {
      repo: incident.repo,
      repoId: incident.repoId,
      issue: incident.number,
      by: { id: caller.id, login: caller.login, role: caller.role },
      comment: { ...comment, writtenAt: event.comment.createdAt.toISOString() },
      kill,
      reason: approvalReason(call),
      standing: { by: standing.personId, commentId: standing.commentId, kill: standing.kill },
    },
  });
  return standing;
}

const resumed = loadTemplate("comments/resumed.md");

/** Lifts a hold and grants more steps if they are used up (AR-17). Runs nothing: earlier approvals are gone. */
export const resume: Handler = async (call) => {
  const { deps, incident } = call;
  // The answer ends the delivery: after a crash in between, other issues would stay held.
  if (call.slash.ids === "all" && (await deps.store.transaction((tx) => liftRecorded(tx, call, incident))))
    await changeOthers(deps, incident, (tx, other) => afterLift(tx, deps, other));
  await call.commit((tx, locked) => lift(tx, call, locked));
};

/** Once for each comment. */
async function liftRecorded(tx: Tx, call: Call, incident: Incident, granted = false): Promise<boolean> {
  const whole = call.slash.ids === "all";
  const place = whole ? { repoId: incident.repoId, issue: wholeRepository } : holdPlaceOf(incident);
  const { lifted, changed } = await liftHold(tx, place, call.event.comment.id);
  if (changed || granted)
    await appendAudit(tx, {
      kind: whole ? "repository_resumed" : "incident_resumed",
      incidentId: incident.id,
      body: {
        repo: incident.repo,
        repoId: incident.repoId,
        issue: incident.number,
        by: { id: call.caller.id, login: call.caller.login, role: call.caller.role, teams: call.caller.teams },
        comment: { ...approvalComment(call.event), writtenAt: call.event.comment.createdAt.toISOString() },
        reason: approvalReason(call),
        lifted,
        granted,
      },
    });
  return lifted;
}

async function lift(tx: Tx, call: Call, incident: Incident): Promise<void> {
  const { deps, slash, event } = call;
  const whole = slash.ids === "all";
  const granted =
    !whole && incident.state === "open" ? await grantSteps(tx, incident.id, deps.config.agent.maxSteps) : false;
  const lifted = await liftRecorded(tx, call, incident, granted);
  const standing = await standingOf(deps, tx, incident);
  const younger = (await holdsOn(tx, incident)).some((one) => isStanding(one) && one.commentId > event.comment.id);
  const by = standing.kind === "free" ? "" : capital(deps.markdown.plain(standing.words));
  const still =
    standing.kind === "free"
      ? ""
      : standing.lift === undefined
        ? `${by}; only the operator lifts that.`
        : `${by}${younger ? ", after you wrote this" : ""}: \`${standing.lift}\` lifts that.`;
  if (!lifted && !granted) {
    const body = still === "" ? "Nothing is on hold." : `Nothing was lifted. ${still}`;
    await answer(tx, call, incident, { outcome: "mistake", body });
    return;
  }
  const reopened = await afterLift(tx, deps, incident);
  const steps = `${deps.config.agent.maxSteps} more steps for the agent`;
  const what = [
    ...(lifted ? [whole ? "The whole repository is resumed" : "Resumed"] : []),
    ...(granted ? [steps] : []),
  ].join(", with ");
  const body = resumed({
    what: capital(what),
    who: name(call.caller.login),
    reopened: reopened.length === 0 ? "" : `Needs approval again: ${reopened.join(", ")}.`,
    still,
  });
  await answer(tx, call, incident, { outcome: "done", body });
}

const leaseNote = loadTemplate("comments/lease.md");

/**
 * Lets the agent's reads run without single approvals on some servers, up to a time and count, within the operator's limits; `/auto` takes
 * those limits (AR-03).
 */
export const lease: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const word = leaseIn(call.slash);
    if (word?.kind === "on") return turnOn(tx, call, incident, word);
    if (word) return turnOff(tx, call, incident);
    const { deps, repoContext, slash } = call;
    const standing = await leaseStandingOf(deps, tx, repoContext, { incident });
    const now = standing.kind === "on" ? onWords(standing.lease) : `off: ${deps.markdown.plain(standing.reason)}`;
    const usage =
      slash.verb === verbs.auto.verb
        ? "`/auto on` or `/auto off`"
        : `\`${offerLease(repoContext) ?? verbs.lease.usage}\` or \`/lease off\``;
    return mistake(tx, call, incident, `Write ${usage}. The lease is ${now}.`);
  });

const mistake = (tx: Tx, call: Call, incident: Incident, body: string): Promise<void> =>
  answer(tx, call, incident, { outcome: "mistake", body: nothingRun(body) });

const onWords = (lease: Lease): string => {
  const { endsAt, used, maxCommands } = lease;
  return `on, by ${giverOf(lease)} until ${clock(endsAt)}, ${used} of ${maxCommands} commands used`;
};

async function turnOn(tx: Tx, call: Call, incident: Incident, word: Extract<LeaseWord, { kind: "on" }>): Promise<void> {
  const { deps, repoContext, caller, event } = call;
  const { plain, code } = deps.markdown;
  const place = decidePlace(
    leasePlaceOf(deps, repoContext, { incident, standing: await standingOf(deps, tx, incident) }),
  );
  const asked = place.kind === "no" ? place : leaseTermsOf(repoContext, word);
  if (asked.kind !== "terms")
    return mistake(tx, call, incident, `No lease: ${plain("reason" in asked ? asked.reason : "")}.`);
  const { timeMs, commands } = asked.terms;
  const leasable = leasableBy(deps, repoContext, asked.terms.servers, { ...caller, person: caller });
  const { servers } = leasable;
  // Servers that the comment names are given whole or not at all.
  if (servers.length === 0 || (word.places !== undefined && leasable.why !== ""))
    return mistake(tx, call, incident, `No lease ${plain(leasable.why)}.`);
  const may = await mayRun(deps, tx, incident, [saidIn(event)]);
  if (may.kind === "said-before") return mistake(tx, call, incident, fromBefore);
  const last = await leaseOf(tx, incident.id);
  if (last !== undefined && event.comment.id < last.lastComment)
    return mistake(tx, call, incident, "The lease stays as it is: something newer was said of it. Write it again.");
  // An old comment may not mean today.
  const { createdAt } = event.comment;
  if (isOver(createdAt.getTime() + timeMs, deps.now().getTime()))
    return mistake(tx, call, incident, `No lease: you wrote this at ${utcMinute(createdAt)}. Write it again.`);
  const comment = approvalComment(event);
  const person = { id: caller.id, login: caller.login };
  const endsAt = new Date(createdAt.getTime() + timeMs);
  await reopenLeased(tx, incident, `${caller.login} gave another lease`);
  const about = { incidentId: incident.id, person, role: caller.role, comment, now: deps.now() };
  await giveLease(tx, { ...about, servers, endsAt, maxCommands: commands });
  await appendAudit(tx, {
    kind: "lease_given",
    incidentId: incident.id,
    body: {
      by: { ...person, role: caller.role, teams: caller.teams },
      comment: { ...comment, writtenAt: event.comment.createdAt.toISOString() },
      servers,
      endsAt: endsAt.toISOString(),
      maxCommands: commands,
    },
  });
  const batch = await startLeased(tx, deps, repoContext, incident);
  await show(tx, deps, incident);
  const body = leaseNote({
    who: name(caller.login),
    servers: servers.map(code).join(", "),
    until: clock(endsAt),
    commands: `${commands}`,
    now: batch
      ? `It starts with ${batch.numbers.join(", ")}.`
      : "No read is waiting; the agent's next one runs at once.",
  });
  await answer(tx, call, incident, { outcome: "done", body });
}

/** Reopens what a lease approved and did not send; returns the numbers. */
async function reopenLeased(tx: Tx, incident: Incident, why: string): Promise<readonly number[]> {
  const { actions, approvals } = await partsOf(tx, incident.id, "actions", "approvals");
  const leased = new Set(approvals.filter(({ via }) => via !== "comment").map(({ actionId }) => actionId));
  return reopen(
    tx,
    actions.filter(({ id, state }) => state === "approved" && leased.has(id)),
    why,
  );
}

async function turnOff(tx: Tx, call: Call, incident: Incident): Promise<void> {
  const { deps, caller, event } = call;
  const by = { id: caller.id, login: caller.login, commentId: event.comment.id };
  const isEnded = await endLease(tx, incident, `ended by ${caller.login}`, by);
  // Recorded even without a lease, because an older lease may come late.
  const comment = approvalComment(event);
  await hearOff(tx, { incidentId: incident.id, person: by, role: caller.role, comment, now: deps.now() });
  if (!isEnded) {
    const offer = offerLease(call.repoContext);
    return mistake(
      tx,
      call,
      incident,
      offer === undefined ? "No lease is on. Comment `/status`." : `No lease is on. Write \`${offer}\` to give one.`,
    );
  }
  const reopened = await reopenLeased(tx, incident, `the lease was ended by ${caller.login}`);
  await deps.store.queue.hasten(tx, "execute", incident.id);
  await show(tx, deps, incident);
  const open = reopened.length === 0 ? "" : ` Open again, to be approved: ${reopened.join(", ")}.`;
  const actions = await actionsOf(tx, incident.id);
  const body = `**The lease has ended**; every command waits for an \`/approve\`.${open} ${runningOnes(actions)}`;
  await answer(tx, call, incident, { outcome: "done", body });
}

/** The servers on which a person may give a lease now, and why not on another one. */
function leasableBy(
  deps: Pick<Deps, "now">,
  { rules }: Pick<RepoContext, "rules">,
  servers: readonly string[],
  giver: PersonStanding,
): { readonly servers: readonly string[]; readonly why: string } {
  const refused = servers.flatMap((name) => {
    const known = rules.servers.find((server) => server.name === name);
    const places = [known ? placeOf(known) : { name, groups: undefined, isCluster: false }];
    const policy = policyFor(rules.policy, { places }, deps.now());
    const { approve, missing } = rightsOf(policy.approvers, giver);
    const why = approve ? ((known && whySignerWaits([known])) ?? whyLowWaits(policy.low)) : missing;
    return why === undefined ? [] : [{ name, why }];
  });
  return {
    servers: servers.filter((server) => !refused.some(({ name }) => name === server)),
    why: refused.map(({ name, why }) => `on ${name}: ${why}`).join("; "),
  };
}
