import { decidePlace, type LeaseTerms } from "../../approval/lease.ts";
import { isOver } from "../../approval/need.ts";
import { loadTemplate } from "../../base/template.ts";
import { mayRun, standingOf } from "../../features/incident/hold.ts";
import { reopen } from "../../features/incident/withdraw.ts";
import { endLease, leasePlaceOf, leaseStandingOf, leaseTermsOf, startLeased } from "../../features/proposal/lease.ts";
import { approvalComment, saidIn } from "../../features/run/approval-comment.ts";
import { answer } from "../../features/thread/answer.ts";
import { show } from "../../features/thread/show.ts";
import { clock, name, utcMinute } from "../../github/render/ink.ts";
import { type LeaseWord, leaseIn } from "../../slash/arguments.ts";
import { verbs } from "../../slash/verbs.ts";
import { actionsOf } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { partsOf } from "../../store/incident-rows.ts";
import type { Incident } from "../../store/incidents.ts";
import { giveLease, hearOff, type Lease, leaseOf } from "../../store/leases.ts";
import { firstShownOf } from "../../store/outbox/thread-comments.ts";
import { runningOnes } from "../act/under-way.ts";
import { fromBefore, nothingRun } from "../answer/refusals.ts";
import { asSeen } from "../answer/seen.ts";
import type { Call, Handler } from "../command.ts";

const leaseNote = loadTemplate("comments/lease.md");

/**
 * Lets the agent's reads run without single approvals on some servers, up to a time and count, within the operator's limits; `/auto` takes
 * those limits (AR-03).
 */
export const lease: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const word = leaseIn(call.slash);
    if (word?.kind === "on") return turnOn(tx, call, incident, word);
    return word ? turnOff(tx, call, incident) : mistake(tx, call, incident, await whatNow(tx, call, incident));
  });

const mistake = (tx: Tx, call: Call, incident: Incident, body: string): Promise<void> =>
  answer(tx, call, incident, { outcome: "mistake", body: nothingRun(body) });

const onWords = ({ login, endsAt, used, maxCommands }: Lease): string =>
  `on, by ${name(login)} until ${clock(endsAt)}, ${used} of ${maxCommands} commands used`;

async function whatNow(tx: Tx, { deps, repoContext, slash }: Call, incident: Incident): Promise<string> {
  const standing = await leaseStandingOf(deps, tx, repoContext, { incident });
  const now = standing.kind === "on" ? onWords(standing.lease) : `off: ${deps.markdown.plain(standing.reason)}`;
  const usage = slash.verb === verbs.auto.verb ? "`/auto on` or `/auto off`" : "`/lease 15m web-1` or `/lease off`";
  return `Write ${usage}. The lease is ${now}.`;
}

async function whyNot(
  tx: Tx,
  { deps, repoContext, event }: Call,
  incident: Incident,
  terms: LeaseTerms,
): Promise<string | undefined> {
  const may = await mayRun(deps, tx, incident, [saidIn(event)]);
  const last = await leaseOf(tx, incident.id);
  if (may.kind === "said-before") return fromBefore;
  if (last !== undefined && event.comment.id < last.lastComment)
    return "The lease stays as it is: something newer was said of it. Write it again.";
  // An old comment may not mean today.
  const { createdAt } = event.comment;
  if (isOver(createdAt.getTime() + terms.timeMs, deps.now().getTime()))
    return `No lease: you wrote this at ${utcMinute(createdAt)}. Write it again.`;
  const before = await leaseStandingOf(deps, tx, repoContext, { incident });
  // A lease for another server replaces the current one.
  if (before.kind === "on" && terms.servers.every((server) => before.lease.servers.includes(server)))
    return `A lease is ${onWords(before.lease)}; \`/lease off\` ends it.`;
  return undefined;
}

async function turnOn(tx: Tx, call: Call, incident: Incident, word: Extract<LeaseWord, { kind: "on" }>): Promise<void> {
  const { deps, repoContext, caller, event } = call;
  const { plain, code } = deps.markdown;
  const place = decidePlace(
    leasePlaceOf(deps, repoContext, { incident, standing: await standingOf(deps, tx, incident) }),
  );
  const asked = place.kind === "no" ? place : leaseTermsOf(repoContext, word);
  if (asked.kind !== "terms")
    return mistake(tx, call, incident, `No lease: ${plain("reason" in asked ? asked.reason : "")}.`);
  const { servers, timeMs, commands } = asked.terms;
  const not = await whyNot(tx, call, incident, asked.terms);
  if (not !== undefined) return mistake(tx, call, incident, not);
  const comment = approvalComment(event);
  const person = { id: caller.id, login: caller.login };
  const endsAt = new Date(event.comment.createdAt.getTime() + timeMs);
  const reopened = await reopenLeased(tx, incident, `${caller.login} gave another lease`);
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
  const rows = await partsOf(tx, incident.id, "actions", "posted");
  const seen = asSeen(rows.actions, firstShownOf(rows), event.comment);
  const open = rows.actions.filter(({ number }) => seen.get(number) === "open" || reopened.includes(number));
  const batch = await startLeased(tx, deps, repoContext, { incident, actions: open });
  await show(tx, deps, incident);
  const body = leaseNote({
    who: name(caller.login),
    servers: servers.map(code).join(", "),
    until: clock(endsAt),
    commands: `${commands}`,
    now: batch
      ? `It begins with ${batch.numbers.join(", ")}.`
      : "Nothing waits that it could begin with; the agent's next read will.",
  });
  await answer(tx, call, incident, { outcome: "done", body });
}

/** Reopens what a lease approved and did not send; returns the numbers. */
async function reopenLeased(tx: Tx, incident: Incident, why: string): Promise<readonly number[]> {
  const { actions, approvals } = await partsOf(tx, incident.id, "actions", "approvals");
  const leased = new Set(approvals.filter(({ via }) => via === "lease").map(({ actionId }) => actionId));
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
  if (!isEnded) return mistake(tx, call, incident, "No lease is on. `/lease 15m web-1` gives one.");
  const reopened = await reopenLeased(tx, incident, `the lease was ended by ${caller.login}`);
  await deps.store.queue.hasten(tx, "execute", incident.id);
  await show(tx, deps, incident);
  const open = reopened.length === 0 ? "" : ` Open again, to be approved: ${reopened.join(", ")}.`;
  const actions = await actionsOf(tx, incident.id);
  const body = `🤖 **The lease has ended**; every command waits for an \`/approve\`.${open} ${runningOnes(actions)}`;
  await answer(tx, call, incident, { outcome: "done", body });
}
