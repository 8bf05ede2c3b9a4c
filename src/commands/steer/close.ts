import { RetryLater } from "../../base/errors.ts";
import { loadTemplate } from "../../base/template.ts";
import { endIncident } from "../../features/incident/open-close.ts";
import { enqueueDraft, renderPostmortem } from "../../features/incident/postmortem.ts";
import { renderTimeline } from "../../features/incident/timeline.ts";
import { shownNote } from "../../features/intake/read-comment.ts";
import { answer } from "../../features/thread/answer.ts";
import { postedComments } from "../../features/thread/links.ts";
import { show } from "../../features/thread/show.ts";
import { readThumbs } from "../../features/turn/conversation.ts";
import { readRunbooks } from "../../features/turn/runbooks.ts";
import { count, duration, name } from "../../github/render/ink.ts";
import { type AlertRow, alertOf, askBeforeClose } from "../../store/alerts.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import { auditOf, lastAuditOf } from "../../store/audit/rows.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import { partsOf } from "../../store/incident-rows.ts";
import type { Incident } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/slots.ts";
import { messagesOf } from "../../store/turns.ts";
import { writeLink } from "../../text/links.ts";
import type { Call, Handler } from "../command.ts";
import { renderLessons, skillsRead } from "./lessons.ts";

const closed = loadTemplate("comments/closed.md");

/** Closes the issue with a draft postmortem, lessons and a timeline; pending actions become void. */
export const close: Handler = async (call) => {
  const { deps, event } = call;
  const alert = await firingAlert(deps.store.db, call.incident);
  if (alert) return call.commit((tx, incident) => askFirst(tx, call, incident, alert));
  // Closing twice is harmless, a summary of an open issue would be untrue.
  const place = { ...event.issue, issue: event.issue.number };
  await deps.issues.close(place);
  await readThumbs(deps, call.incident);
  const fires = await call.commit(async (tx, incident) => {
    const firesNow = await firingAlert(tx, incident);
    await (firesNow ? askFirst(tx, call, incident, firesNow) : conclude(tx, call, incident));
    return firesNow !== undefined;
  });
  if (fires) await deps.issues.reopen(place);
};

/** Undefined if an earlier `/close` was warned. */
async function firingAlert(db: Db | Tx, { id, state }: Incident): Promise<AlertRow | undefined> {
  const alert = state === "open" ? await alertOf(db, id) : undefined;
  return alert?.state === "firing" && alert.closeAskedAt === null ? alert : undefined;
}

async function askFirst(tx: Tx, call: Call, incident: Incident, { source }: AlertRow): Promise<void> {
  const { deps } = call;
  // It has resolved meanwhile.
  if (!(await askBeforeClose(tx, incident.id, deps.now()))) throw new RetryLater("the alert has changed; trying again");
  const body = `Not closed: the alert from ${deps.markdown.code(source)} is still firing. To close anyway, send \`/close\` again with the cause.`;
  await answer(tx, call, incident, { outcome: "mistake", body });
}

const maxCauseCharacters = 2_000;

async function conclude(tx: Tx, call: Call, incident: Incident): Promise<void> {
  const { deps, event, caller } = call;
  const before = incident.state === "closed" ? await summaryBefore(tx, call, incident) : undefined;
  if (before !== undefined) return answer(tx, call, incident, { outcome: "mistake", body: before });
  const cause = shownNote(call).slice(0, maxCauseCharacters).toWellFormed();
  await endIncident(tx, incident, `closed by @${caller.login}`, cause);
  await appendAudit(tx, {
    kind: "incident_closed",
    incidentId: incident.id,
    body: { by: { id: caller.id, login: caller.login }, commentId: event.comment.id },
  });
  await show(tx, deps, incident);
  await answer(tx, call, incident, { outcome: "done", body: await summary(tx, call, incident) });
  await enqueueDraft(tx, deps, incident, { commentId: event.comment.id, personId: caller.id, cause });
}

async function summaryBefore(tx: Tx, { deps }: Call, incident: Incident): Promise<string | undefined> {
  const last = await lastAuditOf(tx, incident.id, "incident_closed", "incident_reopened");
  if (last?.kind !== "incident_closed") return undefined;
  const url = postedComments(deps, await partsOf(tx, incident.id, "posted")).get(slots.reply(last.body.commentId));
  return `This incident is closed already${url === undefined ? "" : `, ${writeLink("with its summary", url)}`}. Reopen the issue to go on.`;
}

async function summary(tx: Tx, call: Call, incident: Incident): Promise<string> {
  const { deps, repoContext, caller } = call;
  const { markdown } = deps;
  const now = deps.now();
  const parts = ["session", "actions", "approvals", "runs", "turns", "values"] as const;
  const { session, values, ...past } = await partsOf(tx, incident.id, ...parts);
  const { skills } = readRunbooks(deps, repoContext);
  const library = {
    skills,
    files: repoContext.context.skills,
    servers: repoContext.rules.servers.flatMap(({ name, groups }) => [name, ...groups]),
    read: skillsRead(await messagesOf(tx, session.id), skills),
    values,
  };
  const rows = await auditOf(tx, incident.id);
  const approvers = new Set(past.approvals.filter(({ verdict }) => verdict === "approve").map(({ login }) => login));
  const begun = past.runs.filter(({ ending }) => ending?.kind !== "unreachable");
  const ran = new Set(begun.map(({ actionId, step }) => `${actionId} ${step ?? 0}`)).size;
  const by = [...approvers].map(name).join(" and ");
  const end = `- ${now.toISOString().slice(0, 19).replace("T", " ")} · closed by ${name(caller.login)}`;
  return closed({
    head: `**Closed by ${name(caller.login)}** after ${duration(now.getTime() - incident.createdAt.getTime())} · ${ran === 0 ? "nothing was run" : `${count(ran, "command")} run, approved by ${by}`}`,
    postmortem: renderPostmortem(past, shownNote(call), markdown),
    lessons: renderLessons(past, library, markdown),
    timeline: [renderTimeline({ ...past, rows }, markdown), end].join("\n"),
  });
}
