import { messageOf } from "../../base/errors.ts";
import { issueUrl } from "../../github/web.ts";
import { callHook, type HookOutcome } from "../../pager/hook.ts";
import { partsOf } from "../../store/incident-rows.ts";
import { type Incident, incidentOf } from "../../store/incidents.ts";
import {
  claimEscalations,
  type Escalation,
  endAbandoned,
  openEscalations,
  settleEscalation,
} from "../../store/outbox/escalations.ts";
import { slots } from "../../store/outbox/slots.ts";
import type { Deps } from "../context.ts";
import { postedComments } from "../thread/links.ts";
import { show } from "../thread/show.ts";
import { silentOf } from "./callees.ts";
import { waitOf } from "./waits.ts";

/**
 * Does outside the store what was decided in it: assigns people, calls the hook. Each is claimed before and settled after, so that two
 * processes do none of it twice; where one ends in between, a hook stays as it is, since it may have been called.
 */
export async function deliverCalls(deps: Deps): Promise<void> {
  const { store, log } = deps;
  await endAbandoned(store.db, deps.now());
  for (const open of await openEscalations(store.db)) {
    const { incidentId, kind, who } = open;
    const incident = await incidentOf(store.db, incidentId);
    const rows = await claimEscalations(store.db, { ...open, now: deps.now() });
    if (rows.length === 0) continue;
    const calling = kind === "person" ? assign(deps, incident, who) : alarm(deps, incident, rows);
    // Whatever throws did so before it called anybody: it is called with the next look, and not taken for called.
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

async function assign(deps: Deps, incident: Incident, login: string): Promise<HookOutcome> {
  const { installationId, repo, number: issue } = incident;
  const isAssigned = await deps.issues.assign({ installationId, repo, issue }, login);
  return isAssigned ? { kind: "done" } : { kind: "failed", fault: "GitHub does not assign them" };
}

async function alarm(deps: Deps, incident: Incident, rows: readonly Escalation[]): Promise<HookOutcome> {
  const { db } = deps.store;
  const { hook } = deps.config.oncall;
  if (!hook) return { kind: "failed", fault: "no hook is configured any more" };
  const waiting = rows.map(({ actionId }) => actionId);
  const now = await partsOf(db, incident.id, "actions", "approvals", "questions", "turns", "escalations", "posted");
  const actions = now.actions.filter(({ id }) => waiting.includes(id));
  // Somebody decided meanwhile.
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
