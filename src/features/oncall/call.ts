import { countsTowards } from "../../approval/authorize.ts";
import { escalateAfterMs, nextCall, nextCallAt } from "../../approval/escalate.ts";
import { isInForce, needsPasskey } from "../../approval/passkey.ts";
import { every } from "../../base/every.ts";
import { renderSummons } from "../../github/render/card.ts";
import { mention, name } from "../../github/render/ink.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import { partsOf } from "../../store/incident-rows.ts";
import { type Incident, incidentOf, lockIncident, openIncidents } from "../../store/incidents.ts";
import { addEscalation, type Escalation, escalationsOf, waitingActions } from "../../store/outbox/escalations.ts";
import { slots } from "../../store/outbox/slots.ts";
import { wantComments } from "../../store/outbox/wanted.ts";
import { passkeysOf } from "../../store/passkeys.ts";
import { type Deps, loadRepoContext, type RepoContext } from "../context.ts";
import { mayRun } from "../incident/hold.ts";
import { tenancyOf } from "../intake/tenancy.ts";
import { approvable } from "../proposal/approvable.ts";
import { inListOrder, isDecidable } from "../proposal/list-order.ts";
import { show, threadOf } from "../thread/show.ts";
import { type DrawnAction, hintOf, joinViews } from "../thread/views.ts";
import { type Callee, calleesOf, silentOf } from "./callees.ts";
import { deliverCalls } from "./deliver.ts";
import { calledWords } from "./notes.ts";
import { type OnCallNow, onCallNow } from "./roster.ts";
import { waitOf } from "./waits.ts";

const everyMs = 30_000;

/** Calls people to what waits for an approval, for as long as the bot runs. */
export function keepCalling(deps: Deps): { readonly stop: () => Promise<void> } {
  const failed = (error: unknown) => deps.log.warn({ module: "oncall", event: "call_late", err: error });
  return every(everyMs, () => callWaiting(deps), failed, { first: "later" });
}

/** One look at all that waits; what fails for one incident keeps no other waiting. */
export async function callWaiting(deps: Deps): Promise<void> {
  if (deps.config.execution.enabled) {
    const { db } = deps.store;
    const waiting = Map.groupBy(await waitingActions(db, deps.now()), ({ incidentId }) => incidentId);
    const calls = await escalationsOf(db, [...waiting.keys()]);
    for (const [incidentId, actions] of waiting) {
      const late = (error: unknown) => deps.log.warn({ module: "oncall", event: "call_late", incidentId, err: error });
      const own = calls.filter((call) => call.incidentId === incidentId);
      await callFor(deps, incidentId, { actions, calls: own }).catch(late);
    }
  }
  for (const incident of await openIncidents(deps.store.db)) {
    const about = { incidentId: incident.id };
    await callForIncident(deps, incident).catch((error) =>
      deps.log.warn({ module: "oncall", event: "call_late", ...about, err: error }),
    );
  }
  await deliverCalls(deps);
}

async function callFor(
  deps: Deps,
  incidentId: string,
  waiting: Pick<Known, "calls"> & { readonly actions: readonly Waiting[] },
): Promise<void> {
  const incident = await incidentOf(deps.store.db, incidentId);
  const tenancy = await tenancyOf(deps, deps.store.db, { ...incident, private: !incident.public });
  // Where the bot does not work any more nobody could approve.
  if (tenancy.kind === "refused") return;
  const repoContext = await loadRepoContext(deps, incident);
  const { hook } = deps.config.oncall;
  const isSet = deps.calendar !== undefined || repoContext.context.oncall !== undefined;
  if (!isSet && !hook) return;
  const known = { repoContext, calls: waiting.calls, isSet, now: deps.now() };
  if (!waiting.actions.some((action) => isDue(action, known))) return;
  // GitHub is asked nothing for what waits for something else.
  if ((await dueNow(deps.store.db, deps, incident, known)).length === 0) return;
  const onCall = await onCallNow(deps, repoContext);
  const named = onCall.kind === "known" ? await calleesOf(deps, incident, repoContext, onCall.roster) : [];
  await deps.store.transaction(async (tx) => {
    const locked = await lockIncident(tx, incidentId);
    const calls = await escalationsOf(tx, [incidentId]);
    const due = await dueNow(tx, deps, locked, { ...known, calls });
    const keyHolders = (await passkeysOf(tx)).filter(isInForce).map(({ personId }) => personId);
    const made = due.map((view) => {
      const callees = withPasskeys(named, view, { repoContext, keyHolders });
      return decide(deps, { view, calls, callees, onCall, known, incidentId });
    });
    await record(tx, deps, locked, { made, calls, repoContext });
  });
}

const waitParts = ["actions", "questions", "turns", "escalations"] as const;

/** Calls the next one to an incident that waits for people although no command does. */
async function callForIncident(deps: Deps, incident: Incident): Promise<void> {
  const { store, config } = deps;
  const { id } = incident;
  const seen = waitOf(await partsOf(store.db, id, ...waitParts));
  if (!seen) return;
  if ((await tenancyOf(deps, store.db, { ...incident, private: !incident.public })).kind === "refused") return;
  const repoContext = await loadRepoContext(deps, incident);
  const { policy } = repoContext.rules;
  const hook = config.oncall.hook?.kind;
  const isSet = deps.calendar !== undefined || repoContext.context.oncall !== undefined;
  if (!isSet && hook === undefined) return;
  const now = deps.now();
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
      const whom = next.kind === "team" ? everybodyIn(repoContext) : mention(next.who);
      const because = why === "" ? "" : ` ${deps.markdown.note(`${why.charAt(0).toUpperCase()}${why.slice(1)}`)}.`;
      const body = `📟 ${whom} **This incident waits for people.** ${seen.words}${because}`;
      await wantComments(tx, threadOf(locked), [{ slot: slots.call({ who: next.who, at: now }), body }]);
    }
    await show(tx, deps, locked);
  });
}

/** What somebody is to be called to now; nothing while it is held, since nobody can approve then. */
async function dueNow(db: Db | Tx, deps: Deps, incident: Incident, known: Known): Promise<readonly DrawnAction[]> {
  if (incident.state !== "open" || (await mayRun(deps, db, incident)).kind !== "yes") return [];
  const rows = await partsOf(db, incident.id, "actions", "approvals", "runs");
  const listed = inListOrder(deps, known.repoContext, rows);
  return joinViews(rows).filter(
    (view) =>
      view.state === "proposed" && view.expiresAt > known.now && isDue(view, known) && isDecidable(view.number, listed),
  );
}

type Waiting = Pick<DrawnAction, "id" | "createdAt" | "spec">;

interface Known {
  readonly repoContext: RepoContext;
  /** Who was called on this incident so far. */
  readonly calls: readonly Escalation[];
  /** Somebody has said who is on call. */
  readonly isSet: boolean;
  readonly now: Date;
}

const callsFor = (calls: readonly Escalation[], { id }: Pick<Waiting, "id">): readonly Escalation[] =>
  calls.filter(({ actionId }) => actionId === id);

/** Where nobody has said who is on call, the card has called the team, and the hook comes after that. */
function isDue(action: Waiting, { repoContext, calls, isSet, now }: Known): boolean {
  const afterMs = escalateAfterMs(repoContext.rules.policy.escalate.after, action.spec.risk);
  const firstAt = isSet ? new Date(0) : new Date(action.createdAt.getTime() + afterMs);
  const at = nextCallAt(callsFor(calls, action), { firstAt, afterMs });
  return at !== undefined && at <= now;
}

const noPasskey = "has no passkey";

/** Where an approval takes a passkey, nobody without one can give it (PK-01). */
function withPasskeys(
  callees: readonly Callee[],
  view: DrawnAction,
  { repoContext, keyHolders }: { readonly repoContext: RepoContext; readonly keyHolders: readonly number[] },
): readonly Callee[] {
  if (!needsPasskey(approvable(view), repoContext.rules.policy)) return callees;
  return callees.map((one) =>
    one.missing === "" && !keyHolders.includes(one.id) ? { ...one, missing: noPasskey } : one,
  );
}

type Made = Pick<Escalation, "actionId" | "incidentId" | "step" | "kind" | "who" | "why" | "at"> & {
  readonly view: DrawnAction;
};

function decide(
  { config }: Deps,
  given: {
    readonly view: DrawnAction;
    readonly calls: readonly Escalation[];
    readonly callees: readonly Callee[];
    readonly onCall: OnCallNow;
    readonly known: Known;
    readonly incidentId: string;
  },
): Made {
  const { view, callees, onCall, known, incidentId } = given;
  const calls = callsFor(given.calls, view);
  const { policy } = known.repoContext.rules;
  const may = ({ id, missing }: Callee): boolean =>
    missing === "" &&
    countsTowards(id, approvable(view), policy) &&
    !view.verdicts.some(({ personId, verdict }) => personId === id && verdict === "approve");
  const chain = callees.filter(may).map(({ login }) => login);
  const next = nextCall(calls, { chain, hook: config.oncall.hook?.kind });
  const skipped = callees.filter((one) => one.isNow && one.missing !== "" && next.who !== one.login);
  const why = calls.length === 0 && known.isSet ? whyOther(onCall, skipped) : "";
  return { actionId: view.id, incidentId, step: calls.length + 1, ...next, why, at: known.now, view };
}

/** Why the first who is called is not the one on call; empty where it is. */
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

/** Keeps whoever is called now as rows, and writes to them: one comment for each, whatever the number of commands. */
async function record(
  tx: Tx,
  deps: Deps,
  incident: Incident,
  { made, calls, repoContext }: Pick<Known, "calls" | "repoContext"> & { readonly made: readonly Made[] },
): Promise<void> {
  for (const [, same] of Map.groupBy(made, ({ kind, who }) => `${kind} ${who}`)) {
    const added: Made[] = [];
    for (const call of same) {
      const { view, ...row } = call;
      if (!(await addEscalation(tx, row))) continue;
      added.push(call);
      const { kind, who, why, step } = call;
      const body = { number: view.number, digest: view.digest, step, kind, who, why };
      await appendAudit(tx, { kind: "approver_called", incidentId: incident.id, body });
    }
    const [first, ...others] = added;
    if (!first) continue;
    const { kind, who, at } = first;
    const numbers = added.map(({ view }) => view.number);
    deps.log.info({ module: "oncall", event: "approver_called", incidentId: incident.id, kind, who, numbers });
    // Whoever is on call and was called on this incident before is assigned to it, and the card itself has told them.
    const isToldByCard =
      added.every(({ step }) => step === 1) && calls.some((call) => call.kind === kind && call.who === who);
    if (kind === "hook" || (kind === "person" && isToldByCard)) continue;
    const views = added.map(({ view }) => view);
    const body = renderSummons(
      firstLine([first, ...others], repoContext, deps, calls),
      views,
      hintOf(deps, repoContext),
      deps.markdown,
    );
    await wantComments(tx, threadOf(incident), [{ slot: slots.call({ who, at }), body }]);
  }
  if (made.length > 0) await show(tx, deps, incident);
}

function everybodyIn({ rules }: Pick<RepoContext, "rules">): string {
  const { teams, users } = rules.policy.approvers;
  return [...teams, ...users.map(({ login }) => login)].map(mention).join(" ");
}

function firstLine(
  [first, ...others]: readonly [Made, ...Made[]],
  { rules }: RepoContext,
  { markdown }: Pick<Deps, "markdown">,
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
  const reason = why === "" && kind === "person" ? "you are on call" : why;
  const answers =
    silent.length > 0
      ? `No answer from ${silent.map(name).join(", ")}`
      : people.length > 0
        ? `${[...new Set(people)].map(name).join(", ")} has approved, and it takes more`
        : reason;
  const because = [answers, hook ? calledWords(hook) : ""].filter((one) => one !== "").join("; ");
  const sentence = because === "" ? "" : ` ${markdown.note(`${because.charAt(0).toUpperCase()}${because.slice(1)}`)}.`;
  return `📟 ${kind === "team" ? everybodyIn({ rules }) : mention(who)} **A decision is needed.**${sentence}`;
}
