import * as z from "zod";
import { alertSchema } from "../../alert/alert.ts";
import { decideAlert } from "../../alert/decide.ts";
import { isOlderThan } from "../../base/clock.ts";
import { RetryLater } from "../../base/errors.ts";
import { renderFiresAgain, renderResolved } from "../../github/render/alert.ts";
import { type AlertRow, currentAlert, setAlert } from "../../store/alerts.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { type Incident, incidentOf, keepValues, lockIncident, reopenIncident } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/slots.ts";
import { wantComments } from "../../store/outbox/wanted.ts";
import { alertKey } from "../../store/queue/arrival.ts";
import type { Job } from "../../store/queue/queue.ts";
import { redactText } from "../../text/bare.ts";
import { type Deps, loadRepoContext } from "../context.ts";
import { show, threadOf } from "../thread/show.ts";
import { hintOf } from "../thread/views.ts";
import { enqueueTurn } from "../turn/turn.ts";
import { valuesIn } from "./bare-alert.ts";
import { type AlertMessage, openAlert, servedOrigin } from "./open-alert.ts";

const payloadSchema = z.object({ source: z.string(), alert: alertSchema });

/** The job of a message. */
interface Arrived extends Job {
  readonly receivedAt: Date;
}

/** A message that the row of its group is there for, with the incident of its issue. */
interface Standing {
  readonly row: AlertRow;
  readonly incident: Incident;
}

/** Takes one message of a source of alerts; those of one group come one after another. */
export async function takeAlert(deps: Deps, job: Arrived, payload: unknown): Promise<void> {
  const { source: name, alert } = payloadSchema.parse(payload);
  const source = deps.config.alerts.sources[name];
  // The operator has taken the source out since.
  if (!source) return deps.log.warn({ module: "alert", event: "alert_source_gone", source: name });
  const group = { source: name, key: alertKey(alert.key) };
  const row = await currentAlert(deps.store.db, group);
  const incident = row?.incidentId ? await incidentOf(deps.store.db, row.incidentId) : undefined;
  const decision = decideAlert(alert, {
    ...(row && { known: { ...row, issue: incident } }),
    now: job.receivedAt,
    reopenWithinMs: source.reopenWithinMs,
  });
  const message: AlertMessage = { name, source, group, alert, said: saidOf(deps, alert, job.receivedAt) };
  deps.log.info({ module: "alert", event: "alert_taken", source: name, decision: decision.kind });
  const standing = row && incident && { row, incident };
  if (decision.kind === "open" || !standing) {
    if (decision.kind === "open") await openAlert(deps, message, { before: decision.anew ? row : undefined, ...job });
    return;
  }
  switch (decision.kind) {
    case "nothing":
      return;
    case "count":
      return fireAgain(deps, job, message, standing);
    case "reopen":
      return reopenIssue(deps, job, message, standing);
    case "resolve":
      return resolve(deps, job, message, standing);
  }
}

const saidOf = (deps: Deps, alert: AlertMessage["alert"], seenAt: Date): AlertMessage["said"] => ({
  state: alert.state,
  severity: alert.severity === null ? null : redactText(deps.redact, alert.severity).slice(0, 100),
  startedAt: dateOf(alert.startedAt),
  seenDigest: alert.digest,
  seenAt,
  // A source whose clock is ahead must not make all that it says later look old.
  eventAt: earlier(dateOf(alert.at), seenAt),
});

const earlier = (one: Date | null, other: Date): Date | null => (one !== null && one > other ? other : one);

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** A count and a time on the board. */
async function fireAgain(deps: Deps, job: Arrived, message: AlertMessage, standing: Standing): Promise<void> {
  await deps.store.transaction(async (tx) => {
    const incident = await lockIncident(tx, standing.incident.id);
    // Counted on an issue that was closed meanwhile it would wake nobody.
    if (incident.state !== standing.incident.state) throw new RetryLater("the issue has changed; deciding anew");
    await noteFire(tx, deps, message, standing.row);
    await show(tx, deps, incident, incident.doing);
    await job.settle(tx);
  });
}

async function noteFire(tx: Tx, deps: Deps, { alert, said }: AlertMessage, row: AlertRow): Promise<void> {
  if (row.incidentId === null) return;
  const fired = { fires: row.fires + 1, firedAt: said.seenAt };
  const asked = row.state === "firing" ? {} : { closeAskedAt: null };
  await setAlert(tx, row.id, { ...said, ...fired, ...asked });
  await keepValues(tx, row.incidentId, "alert", valuesIn(deps.redact, alert));
}

/** GitHub first: reopening twice is reopening once. An issue that is no more makes room for a new one. */
async function reopenIssue(deps: Deps, job: Arrived, message: AlertMessage, standing: Standing): Promise<void> {
  const { incident: closed, row } = standing;
  const { number } = closed;
  const origin = await servedOrigin(deps, message, job.settle);
  if (!origin) return;
  const { installationId, repo, repoId } = origin;
  const isThere = repoId === closed.repoId && (await deps.issues.reopen({ installationId, repo, issue: number }));
  if (!isThere) return openAlert(deps, message, { before: row, ...job });
  // Its lock may have been taken off since, or the repository have become public (SR-29).
  if (!origin.private) await deps.issues.lock({ ...origin, issue: number });
  const by = await ownNameOf(deps);
  const { call } = hintOf(deps, await loadRepoContext(deps, origin));
  await deps.store.transaction(async (tx) => {
    const incident = await lockIncident(tx, closed.id);
    await noteFire(tx, deps, message, row);
    if (incident.state === "closed") {
      await reopenIncident(tx, incident.id);
      const body = { repo, repoId, issue: number, action: `alert of ${message.name}`, by };
      await appendAudit(tx, { kind: "incident_reopened", incidentId: incident.id, body });
      const again = renderFiresAgain(message.name, call, deps.markdown);
      await wantComments(tx, threadOf(incident), [{ slot: slots.firesAgain(row.fires + 1), body: again }]);
      // As for a new one: what is proposed, or that nothing can be, has people called.
      await enqueueTurn(tx, deps, incident, { kind: "opened", fresh: false });
    }
    await show(tx, deps, incident, incident.state === "closed" ? "reading the incident" : "");
    await job.settle(tx);
  });
}

/** Whose doing it is, for the audit: the App's own, which has no id as a person. */
const ownNameOf = async (deps: Deps) => ({ id: 0, login: await deps.ownName().catch(() => "countersign") });

/** Within so long one comment tells all: of an alert that comes and goes people want to know, and not each time. */
const oneCommentMs = 10 * 60_000;
const flapping = { holdMs: 5_000, apartMs: 15_000 } as const;

/** A state on the board, and one line. The issue stays as it is: whether all is well again, people say. */
async function resolve(deps: Deps, job: Arrived, message: AlertMessage, standing: Standing): Promise<void> {
  const { row } = standing;
  const { said, name } = message;
  const isSame = row.toldSince !== null && !isOlderThan(oneCommentMs, row.toldSince.getTime(), said.seenAt.getTime());
  const since = isSame && row.toldSince ? row.toldSince : said.seenAt;
  const times = isSame ? row.toldTimes + 1 : 1;
  const told = isSame ? row.told : row.told + 1;
  await deps.store.transaction(async (tx) => {
    const incident = await lockIncident(tx, standing.incident.id);
    const { severity: _, startedAt: __, ...rest } = said;
    await setAlert(tx, row.id, {
      ...rest,
      resolves: row.resolves + 1,
      resolvedAt: said.seenAt,
      closeAskedAt: null,
      told,
      toldSince: since,
      toldTimes: times,
    });
    const body = renderResolved({ source: name, at: said.seenAt, since, times, issue: incident.state }, deps.markdown);
    await wantComments(tx, threadOf(incident), [
      { slot: slots.resolved(told), body, pace: times > 3 ? flapping : undefined },
    ]);
    await show(tx, deps, incident, incident.doing);
    await job.settle(tx);
  });
}
