import { countsTowards } from "../../approval/authorize.ts";
import { escalateAfterMs, nextCall, nextCallAt } from "../../approval/escalate.ts";
import { isInForce, needsPasskey } from "../../approval/passkey.ts";
import { teamsOf } from "../../approval/place.ts";
import { type ApproverList, listsOf, type PersonStanding, rightsOf } from "../../approval/rights.ts";
import { isUndecided, isUnfinished, type RunbookDemand } from "../../base/action.ts";
import { every } from "../../base/clock.ts";
import { capital, messageOf } from "../../base/errors.ts";
import type { Person } from "../../base/github.ts";
import { parseRepoOnCall } from "../../config/oncall.ts";
import { renderSummons } from "../../github/render/card.ts";
import { mention, name, utcMinute } from "../../github/render/ink.ts";
import { issueUrl } from "../../github/web.ts";
import { shiftsOf } from "../../pager/calendar.ts";
import { callHook, type HookOutcome } from "../../pager/hook.ts";
import { type OnCallRoster, rosterAt, rotationShifts } from "../../pager/roster.ts";
import { type Action, type Approval, openProposals } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import { partsOf, type RowsWith } from "../../store/incident-rows.ts";
import { type Incident, idleIncidents, incidentOf, lockIncident, openIncidents } from "../../store/incidents.ts";
import {
  addEscalation,
  claimEscalations,
  type Escalation,
  escalationsOf,
  openEscalations,
  settleEscalation,
} from "../../store/outbox/escalations.ts";
import { slots } from "../../store/outbox/thread-comments.ts";
import { wantComments } from "../../store/outbox/wanted.ts";
import { passkeysOf } from "../../store/passkeys.ts";
import { type Deps, loadRepoContext, type RepoContext } from "../context.ts";
import { mayRun } from "../incident/hold.ts";
import { tenancyOf } from "../intake/tenancy.ts";
import { approvable, policyInForce } from "../proposal/in-force.ts";
import { inListOrder, type ListRows, openBefore } from "../proposal/list-order.ts";
import { postedComments } from "../thread/links.ts";
import { show, threadOf } from "../thread/post.ts";
import { type DrawnAction, hintOf, joinViews } from "../thread/views.ts";

const everyMs = 30_000;

/** Keeps calling people to what waits for them (PK-01). */
export function keepCalling(deps: Deps): { readonly stop: () => Promise<void> } {
  const failed = (error: unknown) => deps.log.warn({ module: "oncall", event: "call_late", err: error });
  return every(everyMs, () => callWaiting(deps), failed, { first: "later" });
}

/**
 * Calls once for everything that waits. Of a repository without a rotation, calendar or hook nothing is read. Logs an incident's error and
 * continues.
 */
export async function callWaiting(deps: Deps): Promise<void> {
  const { db } = deps.store;
  const late = (incidentId: string) => (error: unknown) =>
    deps.log.warn({ module: "oncall", event: "call_late", incidentId, err: error });
  const open = Map.groupBy(await openIncidents(db), ({ installationId, repoId, repo, public: isPublic }) =>
    JSON.stringify([installationId, repoId, repo, isPublic]),
  );
  const proposals = deps.config.execution.enabled ? await openProposals(db, { after: deps.now() }) : [];
  const waiting = Map.groupBy(proposals, ({ incidentId }) => incidentId);
  const calls = await escalationsOf(db, [...waiting.keys()]);
  const idle = await idleIncidents(db);
  for (const incidents of open.values()) {
    const [first] = incidents;
    const basis = first && (await callBasis(deps, first).catch(late(first.id)));
    if (!basis) continue;
    for (const incident of incidents) {
      const { id } = incident;
      const actions = waiting.get(id) ?? [];
      const known = { ...basis, calls: calls.filter(({ incidentId }) => incidentId === id) };
      if (actions.some((action) => isDue(action, known))) await callForActions(deps, incident, known).catch(late(id));
      if (idle.has(id)) await callForIncident(deps, incident, basis).catch(late(id));
    }
  }
  await deliverCalls(deps);
}

type WaitingAction = Pick<DrawnAction, "id" | "createdAt" | "spec">;

interface RepositoryCalls {
  readonly repoContext: RepoContext;
  /** By a rotation or a calendar. */
  readonly isSet: boolean;
  readonly now: Date;
}

interface CallBasis extends RepositoryCalls {
  readonly calls: readonly Escalation[];
}

/** Undefined if nobody can be called, or the bot no longer serves the repository, where no approval counts. */
async function callBasis(deps: Deps, incident: Incident): Promise<RepositoryCalls | undefined> {
  const tenancy = await tenancyOf(deps, deps.store.db, { ...incident, private: !incident.public });
  if (tenancy.kind === "refused") return undefined;
  const repoContext = await loadRepoContext(deps, incident);
  const isSet = deps.calendar !== undefined || repoContext.context.oncall !== undefined;
  return isSet || deps.config.oncall.hook ? { repoContext, isSet, now: deps.now() } : undefined;
}

const noPasskey = "has no passkey";

async function callForActions(deps: Deps, incident: Incident, known: CallBasis): Promise<void> {
  const { id: incidentId } = incident;
  const { repoContext } = known;
  // Asks GitHub only if a call is due.
  const waiting = await dueNow(deps.store.db, deps, incident, known);
  if (waiting.length === 0) return;
  const demands = waiting.flatMap(({ spec }) => spec.demands ?? []);
  const onCall = await onCallNow(deps, repoContext);
  const named = onCall.kind === "known" ? await calleesOf(deps, incident, repoContext, onCall.roster, demands) : [];
  await deps.store.transaction(async (tx) => {
    const locked = await lockIncident(tx, incidentId);
    const calls = await escalationsOf(tx, [incidentId]);
    const due = await dueNow(tx, deps, locked, { ...known, calls });
    const keyHolders = (await passkeysOf(tx)).filter(isInForce).map(({ personId }) => personId);
    const made = due.map((view): DecidedCall => {
      // Without a passkey a person cannot give such an approval.
      const policy = policyInForce(repoContext, view, known.now);
      const needsKey = needsPasskey(approvable(view), policy);
      const callees = named.map((one) => {
        const missing = one.standing ? rightsOf(policy.approvers, one.standing).missing : one.missing;
        return { ...one, missing: needsKey && missing === "" && !keyHolders.includes(one.id) ? noPasskey : missing };
      });
      const may = ({ id, missing }: Callee): boolean =>
        missing === "" &&
        countsTowards(id, approvable(view), repoContext.rules.policy) &&
        !view.verdicts.some(({ personId, verdict }) => personId === id && verdict === "approve");
      const chain = callees.filter(may).map(({ login }) => login);
      const before = callsFor(calls, view);
      const next = nextCall(before, { chain, hook: deps.config.oncall.hook?.kind });
      const skipped = callees.filter((one) => one.isNow && one.missing !== "" && next.who !== one.login);
      const why = before.length === 0 && known.isSet ? whyOther(onCall, skipped) : "";
      return { actionId: view.id, incidentId, step: before.length + 1, ...next, why, at: known.now, view };
    });
    for (const [, same] of Map.groupBy(made, ({ kind, who }) => `${kind} ${who}`)) {
      const added: DecidedCall[] = [];
      for (const call of same) {
        const { view, ...row } = call;
        if (!(await addEscalation(tx, row))) continue;
        added.push(call);
        const { kind, who, why, step } = call;
        const body = { number: view.number, digest: view.digest, step, kind, who, why };
        await appendAudit(tx, { kind: "approver_called", incidentId: locked.id, body });
      }
      const [first, ...others] = added;
      if (!first) continue;
      const { kind, who, at } = first;
      const numbers = added.map(({ view }) => view.number);
      deps.log.info({ module: "oncall", event: "approver_called", incidentId: locked.id, kind, who, numbers });
      // A person on call who was called before is the assignee, and the card itself has reached them.
      const isToldByCard =
        added.every(({ step }) => step === 1) && calls.some((call) => call.kind === kind && call.who === who);
      if (kind === "hook" || (kind === "person" && isToldByCard)) continue;
      const views = added.map(({ view }) => view);
      const body = renderSummons(
        summonsLine([first, ...others], repoContext, deps, calls),
        views,
        hintOf(deps, repoContext),
        deps.markdown,
      );
      await wantComments(tx, threadOf(locked), [{ slot: slots.call({ who, at }), body }]);
    }
    if (made.length > 0) await show(tx, deps, locked);
  });
}

const waitParts = ["actions", "questions", "turns", "escalations"] as const;

async function callForIncident(
  deps: Deps,
  incident: Incident,
  { repoContext, isSet, now }: RepositoryCalls,
): Promise<void> {
  const { store, config } = deps;
  const { id } = incident;
  const seen = waitOf(await partsOf(store.db, id, ...waitParts));
  if (!seen) return;
  const { policy } = repoContext.rules;
  const hook = config.oncall.hook?.kind;
  const afterMs = escalateAfterMs(policy.escalate.after, "medium");
  const firstAt = isSet ? new Date(0) : new Date(seen.since.getTime() + afterMs);
  const dueIn = async (db: Db | Tx) => {
    const rows = await partsOf(db, id, ...waitParts);
    const calls = rows.escalations.filter(({ actionId, round }) => actionId === null && round === seen.round);
    const at = nextCallAt(calls, { firstAt, afterMs });
    const isDue = waitOf(rows)?.round === seen.round && at !== undefined && at <= now;
    return isDue && (await mayRun(deps, db, incident)).kind === "yes" ? calls : undefined;
  };
  if (!(await dueIn(store.db))) return;
  const onCall = await onCallNow(deps, repoContext);
  const named = onCall.kind === "known" ? await calleesOf(deps, incident, repoContext, onCall.roster) : [];
  const chain = named.filter(({ missing }) => missing === "").map(({ login }) => login);
  await store.transaction(async (tx) => {
    const locked = await lockIncident(tx, id);
    const calls = await dueIn(tx);
    if (!calls) return;
    const next = nextCall(calls, { chain, hook });
    const step = calls.length + 1;
    const skipped = named.filter((one) => one.isNow && one.missing !== "");
    const why = step === 1 && isSet ? whyOther(onCall, skipped) : "";
    const call = { ...next, why, at: now, step, round: seen.round };
    if (!(await addEscalation(tx, { ...call, actionId: null, incidentId: id }))) return;
    await appendAudit(tx, { kind: "incident_called", incidentId: id, body: { ...next, why, step, round: seen.round } });
    deps.log.info({ module: "oncall", event: "approver_called", incidentId: id, ...next, numbers: [] });
    if (next.kind !== "hook") {
      const whom = next.kind === "team" ? everybodyIn(listsOf(repoContext.rules.policy.approvers)) : mention(next.who);
      const because = why === "" ? "" : ` ${deps.markdown.note(capital(why))}.`;
      const body = `📟 ${whom} **This incident waits for people.** ${seen.words}${because}`;
      await wantComments(tx, threadOf(locked), [{ slot: slots.call({ who: next.who, at: now }), body }]);
    }
    await show(tx, deps, locked);
  });
}

/** None while the incident is held, because no approval counts then. */
async function dueNow(db: Db | Tx, deps: Deps, incident: Incident, known: CallBasis): Promise<readonly DrawnAction[]> {
  if (incident.state !== "open" || (await mayRun(deps, db, incident)).kind !== "yes") return [];
  const rows = await partsOf(db, incident.id, "actions", "approvals", "runs");
  const listed = inListOrder(deps, known.repoContext, rows);
  return joinViews(rows).filter(
    (view) =>
      view.state === "proposed" &&
      view.expiresAt > known.now &&
      isDue(view, known) &&
      // Outside its hours no one can decide.
      !policyInForce(known.repoContext, view, known.now).shut &&
      isDecidable(view.number, listed),
  );
}

const callsFor = (calls: readonly Escalation[], { id }: Pick<WaitingAction, "id">): readonly Escalation[] =>
  calls.filter(({ actionId }) => actionId === id);

/** Without a rotation or calendar the card has called the team, and the hook follows after the usual time. */
function isDue(action: WaitingAction, { repoContext, calls, isSet, now }: CallBasis): boolean {
  const afterMs = escalateAfterMs(repoContext.rules.policy.escalate.after, action.spec.risk);
  const firstAt = isSet ? new Date(0) : new Date(action.createdAt.getTime() + afterMs);
  const at = nextCallAt(callsFor(calls, action), { firstAt, afterMs });
  return at !== undefined && at <= now;
}

type DecidedCall = Pick<Escalation, "actionId" | "incidentId" | "step" | "kind" | "who" | "why" | "at"> & {
  readonly view: DrawnAction;
};

/** Empty if the first call goes to the person on call. */
function whyOther(onCall: OnCallNow, skipped: readonly Callee[]): string {
  if (onCall.kind === "unreadable") return onCall.why;
  if (onCall.kind === "unset") return "nobody is on call: neither `oncall.yml` nor a calendar says who";
  const { now, unknown } = onCall.roster;
  const strangers = unknown.map(
    (one) => `the calendar's \`${one.replaceAll("`", "").slice(0, 60)}\` is nobody's name here`,
  );
  const barred = skipped.map(({ login, missing }) =>
    missing === noPasskey
      ? `${name(login)} is on call and has no passkey`
      : `${name(login)} is on call and may not approve here`,
  );
  const reasons = [...strangers, ...barred];
  return reasons.length === 0 && now.length === 0 ? "nobody is on call now" : reasons.join("; ");
}

const everybodyIn = (lists: readonly ApproverList[]): string =>
  [...new Set(lists.flatMap(({ teams, users }) => [...teams, ...users.map(({ login }) => login)]))]
    .map(mention)
    .join(" ");

function summonsLine(
  [first, ...others]: readonly [DecidedCall, ...DecidedCall[]],
  repoContext: RepoContext,
  { markdown, now }: Pick<Deps, "markdown" | "now">,
  calls: readonly Escalation[],
): string {
  const { kind, who, why } = first;
  const all = [first, ...others];
  const earlier = calls.filter(({ actionId }) => all.some((one) => one.actionId === actionId));
  const people = earlier.filter((call) => call.kind === "person").map((call) => call.who);
  const hook = earlier.findLast((call) => call.kind === "hook");
  const silent = silentOf(
    people,
    all.map(({ view }) => view.verdicts),
  );
  // One summons may be for several places.
  const lists = all.flatMap(({ view }) => listsOf(policyInForce(repoContext, view, now()).approvers));
  const reason = why === "" && kind === "person" ? "you are on call" : why;
  const answers =
    silent.length > 0
      ? `No answer from ${silent.map(name).join(", ")}`
      : people.length > 0
        ? `${[...new Set(people)].map(name).join(", ")} has approved, and it takes more`
        : reason;
  const because = [answers, hook ? calledWords(hook) : ""].filter((one) => one !== "").join("; ");
  const sentence = because === "" ? "" : ` ${markdown.note(capital(because))}.`;
  return `📟 ${kind === "team" ? everybodyIn(lists) : mention(who)} **A decision is needed.**${sentence}`;
}

interface IncidentWait {
  /** Each wait has its own calls. */
  readonly round: string;
  readonly since: Date;
  readonly words: string;
}

/** Pure. An open incident waits if the agent is idle and there is a question, a missing value, or no command to propose. */
function waitOf({
  incident,
  actions,
  questions,
  turns,
}: RowsWith<"actions" | "questions" | "turns">): IncidentWait | undefined {
  if (incident.state !== "open" || incident.doing !== "") return undefined;
  if (actions.some((action) => isUnfinished(action) && action.state !== "incomplete")) return undefined;
  const question = questions.findLast(({ answeredAt }) => answeredAt === null);
  if (question)
    return { round: `question:${question.number}`, since: question.askedAt, words: "The agent has asked a question." };
  const form = actions.findLast(({ state }) => state === "incomplete");
  if (form)
    return { round: `values:${form.number}`, since: form.createdAt, words: `Command ${form.number} needs a value.` };
  const last = turns.at(-1);
  if (last?.cause !== "opened" || actions.some(({ card }) => card === slots.card(last.step))) return undefined;
  return { round: `turn:${last.step}`, since: last.createdAt, words: "No command could be proposed for it." };
}

/** Assigns people and calls the hook. Claims each call first, so that no process repeats it; an interrupted hook may have been called. */
export async function deliverCalls(deps: Deps): Promise<void> {
  const { store, log } = deps;
  for (const open of await openEscalations(store.db, deps.now())) {
    const { incidentId, kind, who } = open;
    const incident = await incidentOf(store.db, incidentId);
    const rows = await claimEscalations(store.db, { ...open, now: deps.now() });
    if (rows.length === 0) continue;
    const { installationId, repo, number: issue } = incident;
    const assign = async (): Promise<HookOutcome> =>
      (await deps.issues.assign({ installationId, repo, issue }, who))
        ? { kind: "done" }
        : { kind: "failed", fault: "GitHub does not assign them" };
    const calling = kind === "person" ? assign() : alarmHook(deps, incident, rows);
    // The error comes from before the call, so the next look repeats it.
    const outcome = await calling.catch(
      (error): HookOutcome => ({ kind: "failed", fault: messageOf(error).slice(0, 200) }),
    );
    const isDone = outcome.kind === "done";
    const fault = isDone ? undefined : outcome.fault;
    log[isDone ? "info" : "warn"]({
      module: "oncall",
      event: "call_delivered",
      incidentId,
      kind,
      who,
      outcome: outcome.kind,
      reason: fault,
    });
    await store.transaction(async (tx) => {
      for (const row of rows) await settleEscalation(tx, row, outcome);
      await show(tx, deps, incident);
    });
  }
}

async function alarmHook(deps: Deps, incident: Incident, rows: readonly Escalation[]): Promise<HookOutcome> {
  const { db } = deps.store;
  const { hook } = deps.config.oncall;
  if (!hook) return { kind: "failed", fault: "no hook is configured any more" };
  const waiting = rows.map(({ actionId }) => actionId);
  const now = await partsOf(db, incident.id, "actions", "approvals", "questions", "turns", "escalations", "posted");
  const actions = now.actions.filter(({ id }) => waiting.includes(id));
  // People may have decided meanwhile.
  const open = actions.filter(({ state }) => state === "proposed");
  const [first] = open;
  const isForIncident = rows.some(({ actionId }) => actionId === null) && waitOf(now) !== undefined;
  if (!first && !isForIncident) return { kind: "done" };
  const posted = postedComments(deps, now);
  const place = { repo: incident.repo, issue: incident.number };
  const called = now.escalations.filter(({ kind, actionId }) => kind === "person" && waiting.includes(actionId));
  return callHook(
    hook,
    {
      ...place,
      link: posted.get(first?.card ?? slots.board) ?? issueUrl(deps.config.github.apiUrl, place),
      actions: open.map(({ number, spec, expiresAt }) => ({ number, server: spec.place, risk: spec.risk, expiresAt })),
      called: silentOf(
        called.map(({ who }) => who),
        open.map(({ id }) => now.approvals.filter(({ actionId }) => actionId === id)),
      ),
    },
    deps.now(),
  );
}

/** `verdicts` has one list for each action. */
const silentOf = (
  called: readonly string[],
  verdicts: readonly (readonly Pick<Approval, "login" | "verdict">[])[],
): readonly string[] =>
  [...new Set(called)].filter((who) =>
    verdicts.some((own) => !own.some(({ login, verdict }) => login === who && verdict === "approve")),
  );

export type OnCallNow =
  | { readonly kind: "unset" }
  | { readonly kind: "unreadable"; readonly why: string }
  | {
      readonly kind: "known";
      readonly roster: OnCallRoster;
      readonly source: "rotation" | "calendar";
      readonly readAt?: Date;
      /** Events of the calendar that cannot be read and do not matter now. */
      readonly leftOut?: readonly string[];
    };

/** Reads the repository's rotation, or the operator's calendar. Never throws. */
export async function onCallNow(
  { calendar, config, now }: Pick<Deps, "calendar" | "config" | "now">,
  { context: { oncall } }: { readonly context: Pick<RepoContext["context"], "oncall"> },
): Promise<OnCallNow> {
  const at = now();
  const parsed = oncall && parseRepoOnCall(oncall.text, oncall.path);
  if (parsed && !parsed.ok) {
    const why = parsed.problems.map(({ place, message }) => `${place}: ${message}`).join("; ");
    return { kind: "unreadable", why: why.slice(0, 300) };
  }
  const own = parsed?.value;
  if (own && own.people.length > 0 && own.from !== undefined) {
    const overrides = own.overrides.map(({ from, until, who }) => ({ fromWall: from, untilWall: until, login: who }));
    const rotation = { ...own, timeZone: own.time_zone, fromWall: own.from, everyMs: own.every, overrides };
    return { kind: "known", roster: rosterAt(rotationShifts(rotation, at), at), source: "rotation" };
  }
  if (!calendar) return { kind: "unset" };
  const read = await calendar(at);
  if (read.kind === "unreadable") return { kind: "unreadable", why: `the calendar cannot be read: ${read.why}` };
  const shifts = shiftsOf(read.occurrences, { ...config.oncall.calendar?.names, ...own?.names });
  return {
    kind: "known",
    roster: rosterAt(shifts, at),
    source: "calendar",
    readAt: read.readAt,
    leftOut: read.leftOut,
  };
}

/** On call now or next. */
interface Callee extends Person {
  readonly isNow: boolean;
  /** Undefined if GitHub knows nobody of that login. */
  readonly standing?: PersonStanding;
  /** Why they may not approve; empty if they may. */
  readonly missing: string;
}

const mostAsked = 6;

/** Asks GitHub which people on call may approve now, in their order. Throws if GitHub does not answer. */
export async function calleesOf(
  deps: Deps,
  incident: Incident,
  { rules }: Pick<RepoContext, "rules">,
  { now, next }: OnCallRoster,
  demands: readonly RunbookDemand[] = [],
): Promise<readonly Callee[]> {
  const named = [...now, ...next].slice(0, mostAsked);
  const accounts = await Promise.all(named.map(({ login }) => deps.issues.accountOf(incident, login)));
  const { approvers } = rules.policy;
  const { installationId, repo, number: issue } = incident;
  const people = accounts.flatMap((account) => account ?? []);
  const asked = { installationId, repo, issue, people, comments: [], teams: teamsOf(rules.policy, demands) };
  const facts = people.length === 0 ? undefined : await deps.facts(asked);
  return named.map(({ login }, index): Callee => {
    const isNow = index < now.length;
    const account = accounts[index];
    if (!account) return { id: 0, login, isNow, missing: "nobody on GitHub has this login" };
    const known = facts?.people.get(account.id) ?? { role: "none" as const, teams: [] };
    const standing = { person: account, type: account.type, viaApp: false, ...known };
    return { ...account, isNow, standing, missing: rightsOf(approvers, standing).missing };
  });
}

export const hookNames = {
  slack: "Slack",
  teams: "Microsoft Teams",
  ntfy: "ntfy",
  pagerduty: "PagerDuty",
  webhook: "the webhook",
} as const;

const hookName = (kind: string): string => new Map<string, string>(Object.entries(hookNames)).get(kind) ?? "the hook";

/** `the webhook could not be called (HTTP 500)` */
export function calledWords({ kind, who, state, fault }: Escalation): string {
  if (kind === "team") return "everybody who may approve";
  const because = fault === null ? "" : ` (${fault})`;
  if (kind === "person") return `${name(who)}${state === "failed" ? `, not assigned${because}` : ""}`;
  const words = {
    open: `${hookName(who)} is being called${because}`,
    sending: `${hookName(who)} is being called`,
    done: `${hookName(who)} was called`,
    failed: `${hookName(who)} could not be called${because}`,
    unsure: `${hookName(who)} may not have been called${because}`,
  } as const;
  return words[state];
}

/** `on call: @lee until 2026-11-30 09:00Z; next: @mona from then` */
export function onCallLine(onCall: OnCallNow): string {
  if (onCall.kind === "unset") return "nobody has said who is on call";
  if (onCall.kind === "unreadable") return onCall.why;
  const { now, next, unknown } = onCall.roster;
  const people = now.map(({ login, at }) => `${name(login)} until ${utcMinute(at)}`);
  const strangers = unknown.map((one) => `\`${one.replaceAll("`", "").slice(0, 60)}\`, who is nobody's name here`);
  const first = next[0] ? `; next: ${name(next[0].login)} from ${utcMinute(next[0].at)}` : "";
  return `on call: ${[...people, ...strangers].join(", ") || "nobody now"}${first}`;
}

/**
 * Whether an approval of this number would be taken now, alone or with its predecessors in one comment, or while they wait for values. A
 * change's check is decided with it.
 */
function isDecidable(number: number, rows: ListRows): boolean {
  const { actions } = rows;
  const action = actions.find((one) => one.number === number);
  if (!action || actions.some((one) => one.number === action.spec.checks && isUndecided(one))) return false;
  const isAlone = ({ spec }: Action): boolean => spec.risk === "high";
  const together = actions.filter((one) => one.state === "incomplete" || !(isAlone(action) || isAlone(one)));
  return openBefore(action, rows, together).length === 0;
}
