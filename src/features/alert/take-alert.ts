import * as z from "zod";
import { type Alert, alertSchema, decideAlert } from "../../alert/alert.ts";
import { pagerOf } from "../../alert/pagers.ts";
import { isOlderThan } from "../../base/clock.ts";
import { reached } from "../../base/crash-point.ts";
import { RetryLater } from "../../base/errors.ts";
import type { AlertSource } from "../../config/values.ts";
import { renderResolved } from "../../github/render/alert.ts";
import { type Markdown, utcMinute } from "../../github/render/ink.ts";
import { issueUrl } from "../../github/web.ts";
import { tellPager } from "../../pager/tell.ts";
import {
  type AlertRow,
  type AlertStatement,
  addPagerAnswer,
  alertOf,
  alertsSince,
  beginAlert,
  claimPagerAnswer,
  currentAlert,
  openPagerAnswers,
  type PagerAnswer,
  setAlert,
  settlePagerAnswer,
} from "../../store/alerts.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import { appendRefusal } from "../../store/audit/denials.ts";
import type { Tx } from "../../store/database/open.ts";
import {
  type Incident,
  incidentOf,
  keepValues,
  lockIncident,
  openIncident,
  reopenIncident,
} from "../../store/incidents.ts";
import { slots } from "../../store/outbox/thread-comments.ts";
import { wantComments } from "../../store/outbox/wanted.ts";
import { alertEvent, alertKey } from "../../store/queue/arrival.ts";
import type { Job } from "../../store/queue/queue.ts";
import { redactText } from "../../text/bare.ts";
import { visible } from "../../text/read/visible.ts";
import type { Redact } from "../../text/redact.ts";
import { truncate } from "../../text/truncate.ts";
import { type Deps, loadRepoContext } from "../context.ts";
import { admitRepository, type RepositoryOrigin } from "../intake/tenancy.ts";
import { show, threadOf } from "../thread/post.ts";
import { hintOf } from "../thread/views.ts";
import { enqueueTurn } from "../turn/turn.ts";

const payloadSchema = z.object({ source: z.string(), alert: alertSchema });

interface AlertJob extends Job {
  readonly receivedAt: Date;
}

interface AlertMessage {
  readonly name: string;
  readonly source: AlertSource;
  readonly group: Pick<AlertRow, "source" | "key">;
  readonly alert: Alert;
  readonly said: AlertStatement;
}

interface AlertIncident {
  readonly row: AlertRow;
  readonly incident: Incident;
}

/** Takes one message of an alert source (RR-05, SR-07, SR-29, SR-61). The queue serves a group's messages in order. */
export async function takeAlert(deps: Deps, job: AlertJob, payload: unknown): Promise<void> {
  const { source: name, alert } = payloadSchema.parse(payload);
  const source = deps.config.alerts.sources[name];
  if (!source) return deps.log.warn({ module: "alert", event: "alert_source_gone", source: name });
  const group = { source: name, key: alertKey(alert.key) };
  const row = await currentAlert(deps.store.db, group);
  const incident = row?.incidentId ? await incidentOf(deps.store.db, row.incidentId) : undefined;
  const seenAt = job.receivedAt;
  const decision = decideAlert(alert, {
    ...(row && { known: { ...row, issue: incident } }),
    now: seenAt,
    reopenWithinMs: source.reopenWithinMs,
  });
  deps.log.info({ module: "alert", event: "alert_taken", source: name, decision: decision.kind });
  const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));
  const at = dateOf(alert.at);
  const said = {
    state: alert.state,
    pagerKey: alert.pagerKey,
    severity: alert.severity === null ? null : redactText(deps.redact, alert.severity).slice(0, 100),
    startedAt: dateOf(alert.startedAt),
    seenDigest: alert.digest,
    seenAt,
    // A source's fast clock must not make its later messages look old.
    eventAt: at !== null && at > seenAt ? seenAt : at,
  };
  const message: AlertMessage = { name, source, group, alert, said };
  if (decision.kind === "open") return openAlert(deps, message, { before: decision.another ? row : undefined, ...job });
  if (decision.kind === "nothing" || !row || !incident) return;
  if (decision.kind === "count")
    return deps.store.transaction(async (tx) => {
      const locked = await lockIncident(tx, incident.id);
      // If the issue was closed meanwhile, a count would reach no one.
      if (locked.state !== incident.state) throw new RetryLater("the issue has changed; deciding again");
      await noteFire(tx, deps, message, row);
      await show(tx, deps, locked, locked.doing);
      await job.settle(tx);
    });
  return (decision.kind === "reopen" ? reopenIssue : resolve)(deps, job, message, { row, incident });
}

const hourMs = 3_600_000;

/**
 * Stores the row first and its id in the issue, so that a retry after a lost answer finds the issue. Our own issue brings no webhook.
 * Throws `RetryLater` beyond the source's hourly issues.
 */
async function openAlert(
  deps: Deps,
  message: AlertMessage,
  { before, settle, fence }: { readonly before: AlertRow | undefined } & Pick<Job, "settle" | "fence">,
): Promise<void> {
  const { name, source, group, alert, said } = message;
  const origin = await servedOrigin(deps, message, settle);
  if (!origin) return;
  const { installationId, repoId, repo } = origin;
  const { row, isNew: isFirst } = await deps.store.transaction(async (tx) => {
    const waiting = before ? undefined : await currentAlert(tx, group);
    if (waiting) return { row: waiting, isNew: false };
    const count = await alertsSince(tx, name, new Date(said.seenAt.getTime() - hourMs));
    if (count < source.issuesPerHour) return beginAlert(tx, group, { said, before });
    deps.log.warn({ module: "alert", event: "alert_held_back", source: name, opened: count });
    throw new RetryLater(
      `${name} has had ${count} issues opened within an hour (alerts.sources.${name}.issues_per_hour)`,
    );
  });
  const repoContext = await loadRepoContext(deps, origin);
  const bare = bareAlert(deps.redact, alert);
  const previous = row.previousId === null ? undefined : await incidentOf(deps.store.db, row.previousId);
  const about = { source: name, previous: previous?.repoId === repoId ? previous.number : undefined };
  // A sign tells it from a person's title.
  const issue = {
    title: `🔔 ${bare.title === "" ? "Alert firing" : bare.title}`,
    body: alertBody(bare, about, deps.markdown),
    labels: [repoContext.rules.incidentLabel],
  };
  // A process that lost the job asks GitHub for nothing.
  await deps.store.transaction(fence);
  const opened = await deps.issues.open(origin, { ...issue, marker: row.id, since: row.createdAt, isFirst });
  // On a public repository only collaborators may write into an incident.
  if (!origin.private) await deps.issues.lock({ ...origin, issue: opened.number });
  const { number, nodeId, opener } = opened;
  await deps.store.transaction(async (tx) => {
    const { incident, opened: isNew } = await openIncident(tx, {
      issue: { installationId, repoId, repo, number, nodeId },
      title: issue.title,
      body: redactText(deps.redact, visible(issue.body)),
      public: !origin.private,
      labels: issue.labels,
      opener,
      stepLimit: deps.config.agent.maxSteps,
    });
    await setAlert(tx, row.id, { ...said, incidentId: incident.id });
    await keepValues(tx, incident.id, "alert", valuesIn(deps.redact, alert));
    if (isNew) {
      deps.log.info({ module: "agent", event: "session_created", incidentId: incident.id, source: "alert" });
      const body = { repo, repoId, issue: number, alert: name };
      await appendAudit(tx, { kind: "incident_opened", incidentId: incident.id, body });
      await enqueueTurn(tx, deps, incident, { kind: "opened", fresh: true });
    }
    await show(tx, deps, incident, isNew ? "reading the incident" : "");
    await settle(tx);
  });
}

/** Undefined if not served. Asks GitHub each time, because the name may mean another repository by now, or one that became public. */
async function servedOrigin(
  deps: Deps,
  { name, source }: AlertMessage,
  settle: (tx: Tx) => Promise<void>,
): Promise<RepositoryOrigin | undefined> {
  const installationId = await deps.issues.installationOf(source.repository);
  const found = await deps.issues.repositoryOf({ installationId, repo: source.repository });
  const origin = { installationId, ...found };
  const tenancy = await admitRepository(deps, origin);
  if (tenancy.kind === "served") return origin;
  const { repo, repoId } = origin;
  const { reason } = tenancy;
  deps.log.error({ module: "alert", event: "alert_not_opened", source: name, repo, reason });
  await deps.store.transaction(async (tx) => {
    const by = { id: 0, login: `alerts of ${name}` };
    const body = { repo, repoId, installationId, event: alertEvent, by, reason };
    await appendRefusal(tx, { listed: true, now: deps.now(), body });
    await settle(tx);
  });
  return undefined;
}

async function noteFire(tx: Tx, deps: Deps, { alert, said }: AlertMessage, row: AlertRow): Promise<void> {
  if (row.incidentId === null) return;
  const fired = { fires: row.fires + 1, firedAt: said.seenAt };
  await setAlert(tx, row.id, { ...said, ...fired });
  await keepValues(tx, row.incidentId, "alert", valuesIn(deps.redact, alert));
}

/** Reopens on GitHub first, because doing that twice does no harm. */
async function reopenIssue(
  deps: Deps,
  job: AlertJob,
  message: AlertMessage,
  { incident: closed, row }: AlertIncident,
): Promise<void> {
  const { number } = closed;
  const origin = await servedOrigin(deps, message, job.settle);
  if (!origin) return;
  const { installationId, repo, repoId } = origin;
  const isThere = repoId === closed.repoId && (await deps.issues.reopen({ installationId, repo, issue: number }));
  if (!isThere) return openAlert(deps, message, { before: row, ...job });
  // The lock may be gone, or the repository may have become public.
  if (!origin.private) await deps.issues.lock({ ...origin, issue: number });
  // The audit names the App, which has no id as a person.
  const by = { id: 0, login: await deps.ownName().catch(() => "countersign") };
  const { call } = hintOf(deps, await loadRepoContext(deps, origin));
  await deps.store.transaction(async (tx) => {
    const incident = await lockIncident(tx, closed.id);
    await noteFire(tx, deps, message, row);
    if (incident.state === "closed") {
      await reopenIncident(tx, incident.id);
      const body = { repo, repoId, issue: number, action: `alert of ${message.name}`, by };
      await appendAudit(tx, { kind: "incident_reopened", incidentId: incident.id, body });
      // Calls people to an issue that is open again.
      const again = `${call === "" ? "" : `${call} `}**The alert fires again**, so this issue is open again. ${deps.markdown.code(message.name)} reported it after the incident was closed.`;
      await wantComments(tx, threadOf(incident), [{ slot: slots.firesAgain(row.fires + 1), body: again }]);
      // As for a new issue, the turn's result calls people.
      await enqueueTurn(tx, deps, incident, { kind: "opened", fresh: false });
    }
    await show(tx, deps, incident, incident.state === "closed" ? "reading the incident" : "");
    await job.settle(tx);
  });
}

/** One comment reports all resolutions within this time, because alerts flap. */
const oneCommentMs = 10 * 60_000;
const flapping = { holdMs: 5_000, apartMs: 15_000 } as const;

/** The issue stays open, because people decide whether all is well. */
async function resolve(deps: Deps, job: AlertJob, { said, name }: AlertMessage, of: AlertIncident): Promise<void> {
  const { row } = of;
  const isSame = row.toldSince !== null && !isOlderThan(oneCommentMs, row.toldSince.getTime(), said.seenAt.getTime());
  const since = isSame && row.toldSince ? row.toldSince : said.seenAt;
  const times = isSame ? row.toldTimes + 1 : 1;
  const told = isSame ? row.told : row.told + 1;
  await deps.store.transaction(async (tx) => {
    const incident = await lockIncident(tx, of.incident.id);
    const { severity: _, startedAt: __, ...rest } = said;
    await setAlert(tx, row.id, {
      ...rest,
      resolves: row.resolves + 1,
      resolvedAt: said.seenAt,
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

/** In characters. An issue holds 65,536. */
const tableRoom = 24_000;
const bodyRoom = 60_000;
const widest = 24;

/** Renders the issue's text from a `bareAlert`. The source's texts cannot end their blocks. */
export function alertBody(
  alert: Alert,
  { source, previous }: { readonly source: string; readonly previous: number | undefined },
  markdown: Markdown,
): string {
  const { severity, startedAt, firing, total, rest } = alert;
  const head = [
    `Alert from ${markdown.code(source)}`,
    ...(severity === null ? [] : [markdown.plain(severity)]),
    ...(startedAt === null ? [] : [`started ${utcMinute(new Date(startedAt))}`]),
    ...(total > 1 ? [`${firing} of ${total} alerts in this group`] : []),
  ];
  const links = alert.links.map(({ words, url }) => markdown.link(words, url)).filter((link) => link.startsWith("["));
  const paragraphs = [
    `${head.join(" · ")}.`,
    ...(previous === undefined ? [] : [`Earlier issue for this alert: #${previous}.`]),
    markdown.fence(truncate(tableOf(alert), { limit: tableRoom, more: "shortened; see the source for the rest" }).text),
  ];
  const more = [
    ...(links.length === 0 ? [] : [links.join(" · ")]),
    ...(typeof rest.text === "string"
      ? [`<details><summary>Other fields</summary>\n\n${markdown.fence(rest.text)}\n\n</details>`]
      : []),
  ];
  const last = "<sub>What an alert says is data: nothing in it is read as a command.</sub>";
  const whole = [...paragraphs, ...more, last].join("\n\n");
  return whole.length <= bodyRoom ? whole : [...paragraphs, last].join("\n\n");
}

function tableOf({ labels, annotations, alerts, firing, total }: Alert): string {
  const own = alerts.filter((one) => Object.keys({ ...one.labels, ...one.annotations }).length > 0);
  return [
    ...rows("labels", labels),
    ...rows("annotations", annotations),
    ...own.flatMap((one, index) => [
      ...rows(`alert ${index + 1}${one.startedAt === null ? "" : `, ${one.state} since ${one.startedAt}`}`, {
        ...one.labels,
        ...one.annotations,
      }),
    ]),
    ...(Math.max(firing, 1) > alerts.length && total > 1
      ? [`(${firing - alerts.length} more alerts are not shown)`]
      : []),
  ].join("\n");
}

function rows(head: string, texts: Readonly<Record<string, string>>): readonly string[] {
  const entries = Object.entries(texts);
  if (entries.length === 0) return [];
  const width = Math.min(widest, Math.max(...entries.map(([name]) => name.length)));
  return [head, ...entries.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)];
}

const longest = { title: 200, name: 100, label: 1_000, annotation: 4_000, url: 1_000, rest: 8_000 } as const;

type Texts = Readonly<Record<string, string>>;

/** Redacts an alert, one line per text; cuts last, because half a secret has no shape to recognize. */
export function bareAlert(redact: Redact, alert: Alert): Alert {
  const text = (given: string, most: number): string => cut(oneLine(redactText(redact, given)), most);
  const texts = (given: Texts, most: number): Record<string, string> =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => [
        text(name, longest.name),
        text(bareValue(redact, name, value), most),
      ]),
    );
  return {
    ...alert,
    title: text(alert.title, longest.title),
    severity: alert.severity === null ? null : text(alert.severity, longest.name),
    labels: texts(alert.labels, longest.label),
    annotations: texts(alert.annotations, longest.annotation),
    alerts: alert.alerts.map((one) => ({
      ...one,
      labels: texts(one.labels, longest.label),
      annotations: texts(one.annotations, longest.annotation),
    })),
    links: alert.links.filter(({ url }) => url.length <= longest.url && isBareUrl(redact, url)),
    rest: Object.keys(alert.rest).length === 0 ? {} : restOf(redact, alert),
  };
}

/** Decodes it several times; false if it cannot be decoded. */
function isBareUrl(redact: Redact, url: string): boolean {
  let read = url;
  for (let round = 0; round < 4; round++) {
    if (redactText(redact, read) !== read) return false;
    let decoded: string;
    try {
      decoded = decodeURIComponent(read);
    } catch {
      return false;
    }
    if (decoded === read) return true;
    read = decoded;
  }
  return false;
}

/** Leaves out long labels, because a cut value is a wrong one. */
function valuesIn(redact: Redact, { labels }: Pick<Alert, "labels">): Record<string, string> {
  const whole = ([name, value]: [string, string]): boolean =>
    /^[A-Za-z][\w.:/-]{0,99}$/.test(name) && value.length <= longest.label && bareValue(redact, name, value) === value;
  return Object.fromEntries(Object.entries(labels).filter(whole));
}

/** Redacts by name too: a `password` is a secret in any form. */
function bareValue(redact: Redact, name: string, value: string): string {
  const bare = redactText(redact, `${name}=${value}`);
  return bare.startsWith(`${name}=`) ? bare.slice(name.length + 1) : redactText(redact, value);
}

const restOf = (redact: Redact, { rest }: Alert): Alert["rest"] => ({
  text: cut(redactText(redact, JSON.stringify(rest, null, 2)), longest.rest),
});

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, " ⏎ ").trim();

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()} …` : text;

export type PagerAsk = "asked" | "told before" | "no pager" | "not firing";

/**
 * Has the alert's pager told, once for each time that the alert fires (AL-8). The transaction that stores what people did stores this too,
 * so a crash loses neither.
 */
export async function askPager(
  tx: Tx,
  deps: Deps,
  incident: Pick<Incident, "id">,
  { told, login }: { readonly told: PagerAnswer["event"]; readonly login: string },
): Promise<PagerAsk> {
  if (Object.values(deps.config.alerts.sources).every(({ answer }) => answer === undefined)) return "no pager";
  const alert = await alertOf(tx, incident.id);
  const answer = alert && deps.config.alerts.sources[alert.source]?.answer;
  if (!answer) return "no pager";
  if (alert.state !== "firing") return "not firing";
  if (told === "resolve" && !answer.resolve) return "no pager";
  const { title, longestKey } = pagerOf(answer.pager);
  const added = await addPagerAnswer(tx, {
    alertId: alert.id,
    incidentId: incident.id,
    round: alert.resolves,
    event: told,
    pager: title,
    login,
    at: deps.now(),
    fault:
      alert.pagerKey === null
        ? "the alert came without its key there"
        : alert.pagerKey.length > longestKey
          ? `the alert's key is longer than ${longestKey} characters`
          : null,
  });
  if (!added) return "told before";
  await deps.store.queue.enqueue(tx, "post", queueKey, { pagers: true });
  return "asked";
}

/** One job for all: pagers are told one after another, so that neither a storm of alerts nor a slow pager takes the outbox's slots. */
const queueKey = "pagers";
const jobSchema = z.object({ pagers: z.literal(true) });

export const isPagerJob = ({ data }: Pick<Job, "data">): boolean => jobSchema.safeParse(data).success;

/** Waits between tries. */
const waitsMs = [30_000, 120_000, 480_000] as const;
/** A pager has no use for a later answer. */
const longestWaitMs = 15 * 60_000;

/** Tells the pagers what is due. What a dead process had begun may have arrived, so it is never sent again. */
export async function answerPagers(deps: Deps, job: Job): Promise<void> {
  const { store } = deps;
  const waiting = new Map<string, number>();
  for (const answer of await openPagerAnswers(store.db)) {
    job.signal.throwIfAborted();
    const incident = await incidentOf(store.db, answer.incidentId);
    const dueInMs = answer.dueAt.getTime() - deps.now().getTime();
    if (answer.state === "sending")
      await settle(deps, incident, answer, { kind: "unsure", fault: "the bot ended while it asked" });
    else if (dueInMs > 0 || waiting.has(answer.pager))
      waiting.set(answer.pager, Math.min(Math.max(dueInMs, 0), waiting.get(answer.pager) ?? Number.POSITIVE_INFINITY));
    else {
      const againMs = await answerOne(deps, job, { incident, answer });
      // What follows for this pager waits with it.
      if (againMs !== undefined) waiting.set(answer.pager, againMs);
    }
  }
  if (waiting.size > 0) job.comeBack(Math.max(1_000, Math.min(...waiting.values())));
}

const restMs = 10 * 60_000;

/** Whatever was being told then is unsure by the next time. */
export const giveUpPagers = (tx: Tx, { store }: Pick<Deps, "store">): Promise<void> =>
  store.queue.enqueue(tx, "post", queueKey, { pagers: true }, { afterMs: restMs });

/** Returns when to try again. */
async function answerOne(
  deps: Deps,
  job: Job,
  { incident, answer }: { readonly incident: Incident; readonly answer: PagerAnswer },
): Promise<number | undefined> {
  const { store, config } = deps;
  const alert = await alertOf(store.db, answer.incidentId);
  const to = alert && config.alerts.sources[alert.source]?.answer;
  if (alert?.state !== "firing" || alert.resolves !== answer.round) {
    await settle(deps, incident, answer, { kind: "moot" });
    return undefined;
  }
  if (!to || alert.pagerKey === null) {
    await settle(deps, incident, answer, {
      kind: "failed",
      fault: "the operator's file names no pager for it any more",
    });
    return undefined;
  }
  const isClaimed = await store.transaction(async (tx) => {
    await job.fence(tx);
    return claimPagerAnswer(tx, answer.id);
  });
  if (!isClaimed) return undefined;
  const place = { repo: incident.repo, issue: incident.number };
  const link = { href: issueUrl(config.github.apiUrl, place), text: `${place.repo}#${place.issue}` };
  const word = { event: answer.event, pagerKey: alert.pagerKey, link };
  const { body, secret, isSecretRefused } = pagerOf(to.pager);
  const outcome = await tellPager(
    { url: to.url, body: body(word, to.secret), secretName: secret.name, isSecretRefused },
    deps.now(),
  );
  reached("CP21");
  const waitMs = outcome.kind === "later" ? Math.max(outcome.afterMs, waitsMs[answer.attempts] ?? 0) : 0;
  if (outcome.kind !== "later") await settle(deps, incident, answer, outcome);
  else if (answer.attempts >= waitsMs.length)
    await settle(deps, incident, answer, { kind: "failed", fault: `${outcome.fault}, ${waitsMs.length + 1} times` });
  else if (waitMs > longestWaitMs)
    await settle(deps, incident, answer, { kind: "failed", fault: `${outcome.fault}, and it asks to wait too long` });
  else {
    const dueAt = new Date(deps.now().getTime() + waitMs);
    await settle(deps, incident, answer, { kind: "open", fault: outcome.fault, dueAt });
    return waitMs;
  }
  return undefined;
}

type AnswerEnd =
  | { readonly kind: "done" | "moot"; readonly fault?: undefined; readonly dueAt?: undefined }
  | { readonly kind: "failed" | "unsure"; readonly fault: string; readonly dueAt?: undefined }
  | { readonly kind: "open"; readonly fault: string; readonly dueAt: Date };

async function settle(
  deps: Deps,
  incident: Incident,
  { id, event, pager, login }: PagerAnswer,
  { kind, fault, dueAt }: AnswerEnd,
): Promise<void> {
  deps.log[fault === undefined ? "info" : "warn"]({
    module: "alert",
    event: "pager_told",
    incidentId: incident.id,
    pager,
    told: event,
    outcome: kind,
    reason: fault,
  });
  await deps.store.transaction(async (tx) => {
    const toldAt = kind === "done" ? deps.now() : null;
    await settlePagerAnswer(tx, id, { state: kind, fault: fault ?? null, toldAt, ...(dueAt && { dueAt }) });
    if (kind !== "open") {
      const body = { pager, told: event, by: login, outcome: kind, reason: fault };
      await appendAudit(tx, { kind: "pager_told", incidentId: incident.id, body });
    }
    await show(tx, deps, incident);
  });
}
