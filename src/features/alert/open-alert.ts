import type { Alert } from "../../alert/alert.ts";
import { RetryLater } from "../../base/errors.ts";
import type { AlertSource } from "../../config/load.ts";
import type { OpenedIssue } from "../../github/issues.ts";
import { type AlertRow, type AlertSaid, alertsSince, beginAlert, currentAlert, setAlert } from "../../store/alerts.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import { appendRefusal } from "../../store/audit/denials.ts";
import type { Tx } from "../../store/database/open.ts";
import { incidentOf, keepValues, openIncident } from "../../store/incidents.ts";
import { alertEvent } from "../../store/queue/arrival.ts";
import type { Job } from "../../store/queue/queue.ts";
import { redactText } from "../../text/bare.ts";
import { visible } from "../../text/read/visible.ts";
import { type Deps, loadRepoContext } from "../context.ts";
import { admitRepository, type RepositoryOrigin } from "../intake/tenancy.ts";
import { show } from "../thread/show.ts";
import { enqueueTurn } from "../turn/turn.ts";
import { alertBody, alertTitle } from "./alert-issue.ts";
import { bareAlert, valuesIn } from "./bare-alert.ts";

/** A message about a group of alerts, and the source that sent it. */
export interface AlertMessage {
  readonly name: string;
  readonly source: AlertSource;
  readonly group: Pick<AlertRow, "source" | "key">;
  readonly alert: Alert;
  readonly said: AlertSaid;
}

const hourMs = 3_600_000;

/**
 * Opens an issue for a group of alerts, and its incident (SR-61: an issue of our own is no webhook's to take in). The row comes first,
 * and the issue bears its id: whoever tries again after a lost answer finds the issue by it, so there is one of it. Throws
 * `RetryLater` while the source has had its issues of this hour; the group's messages wait then, in their order.
 */
export async function openAlert(
  deps: Deps,
  message: AlertMessage,
  given: { readonly before: AlertRow | undefined } & Pick<Job, "settle" | "fence">,
): Promise<void> {
  const { before, settle, fence } = given;
  const origin = await servedOrigin(deps, message, settle);
  if (!origin) return;
  const { row, isNew } = await rowFor(deps, message, before);
  const repoContext = await loadRepoContext(deps, origin);
  const bare = bareAlert(deps.redact, message.alert);
  const previous = row.previousId === null ? undefined : await incidentOf(deps.store.db, row.previousId);
  const isSameRepo = previous?.repoId === origin.repoId;
  const about = { source: message.name, previous: isSameRepo ? previous.number : undefined };
  const issue = {
    title: alertTitle(bare),
    body: alertBody(bare, about, deps.markdown),
    labels: [repoContext.rules.incidentLabel],
  };
  // Whoever has lost the message to another process asks for nothing (RR-05).
  await deps.store.transaction(fence);
  const opened = await deps.issues.open(origin, { ...issue, marker: row.id, since: row.createdAt, isFirst: isNew });
  // As for an issue that people open on a public repository: only collaborators may write into an incident (SR-29).
  if (!origin.private) await deps.issues.lock({ ...origin, issue: opened.number });
  await begin(deps, message, { row, origin, opened, issue, settle });
}

/**
 * Where the source's issues are opened, if the bot works there; else nothing is opened, and the message is done with. GitHub is asked
 * each time: a name may mean another repository by now, and a private one may have become public.
 */
export async function servedOrigin(
  deps: Deps,
  message: AlertMessage,
  settle: (tx: Tx) => Promise<void>,
): Promise<RepositoryOrigin | undefined> {
  const { repository: repo } = message.source;
  const installationId = await deps.issues.installationOf(repo);
  const origin = { installationId, ...(await deps.issues.repositoryOf({ installationId, repo })) };
  const tenancy = await admitRepository(deps, origin);
  if (tenancy.kind === "served") return origin;
  await refuse(deps, message, { origin, reason: tenancy.reason, settle });
  return undefined;
}

async function rowFor(
  deps: Deps,
  message: AlertMessage,
  before: AlertRow | undefined,
): Promise<{ readonly row: AlertRow; readonly isNew: boolean }> {
  const { name, source, group, said } = message;
  return deps.store.transaction(async (tx) => {
    const waiting = before ? undefined : await currentAlert(tx, group);
    if (waiting) return { row: waiting, isNew: false };
    const opened = await alertsSince(tx, name, new Date(said.seenAt.getTime() - hourMs));
    if (opened < source.issuesPerHour) return beginAlert(tx, group, { said, before });
    deps.log.warn({ module: "alert", event: "alert_held_back", source: name, opened });
    throw new RetryLater(
      `${name} has had ${opened} issues opened within an hour (alerts.sources.${name}.issues_per_hour)`,
    );
  });
}

async function begin(
  deps: Deps,
  message: AlertMessage,
  given: {
    readonly row: AlertRow;
    readonly origin: RepositoryOrigin;
    readonly opened: OpenedIssue;
    readonly issue: { readonly title: string; readonly body: string; readonly labels: readonly string[] };
    readonly settle: (tx: Tx) => Promise<void>;
  },
): Promise<void> {
  const { row, origin, opened, issue, settle } = given;
  const { installationId, repoId, repo } = origin;
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
    await setAlert(tx, row.id, { ...message.said, incidentId: incident.id });
    await keepValues(tx, incident.id, "alert", valuesIn(deps.redact, message.alert));
    if (isNew) {
      deps.log.info({ module: "agent", event: "session_created", incidentId: incident.id, source: "alert" });
      const about = { repo, repoId, issue: number, alert: message.name };
      await appendAudit(tx, { kind: "incident_opened", incidentId: incident.id, body: about });
      await enqueueTurn(tx, deps, incident, { kind: "opened", fresh: true });
    }
    await show(tx, deps, incident, isNew ? "reading the incident" : "");
    await settle(tx);
  });
}

/** The operator names a repository in which the bot does not work now: nothing is opened, and log and audit say why (SR-07). */
async function refuse(
  deps: Deps,
  { name }: AlertMessage,
  given: {
    readonly origin: RepositoryOrigin;
    readonly reason: string;
    readonly settle: (tx: Tx) => Promise<void>;
  },
): Promise<void> {
  const { repo, repoId, installationId } = given.origin;
  const { reason } = given;
  deps.log.error({ module: "alert", event: "alert_not_opened", source: name, repo, reason });
  await deps.store.transaction(async (tx) => {
    const by = { id: 0, login: `alerts of ${name}` };
    const body = { repo, repoId, installationId, event: alertEvent, by, reason };
    await appendRefusal(tx, { listed: true, now: deps.now(), body });
    await given.settle(tx);
  });
}
