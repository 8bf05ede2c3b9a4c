import { RetryLater } from "../../base/errors.ts";
import { isRecord, parseJson } from "../../base/json.ts";
import { wentWell } from "../../base/run.ts";
import { loadTemplate } from "../../base/template.ts";
import { askPager } from "../../features/alert/take-alert.ts";
import { foreignTexts } from "../../features/incident/cause.ts";
import { endIncident } from "../../features/incident/open-close.ts";
import { enqueueDraft, renderLessons, renderPostmortem, renderTimeline } from "../../features/incident/postmortem.ts";
import { shownNote } from "../../features/intake/note.ts";
import { answer } from "../../features/thread/answer.ts";
import { postedComments } from "../../features/thread/links.ts";
import { show } from "../../features/thread/post.ts";
import { readThumbs } from "../../features/turn/conversation.ts";
import { readRunbooks } from "../../features/turn/runbooks.ts";
import { resultWords } from "../../github/render/ending.ts";
import { count, duration, name } from "../../github/render/ink.ts";
import { giverOf } from "../../github/render/state.ts";
import type { Action } from "../../store/actions.ts";
import { alertOf } from "../../store/alerts.ts";
import { appendAudit, auditOf, lastAuditOf } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { partsOf } from "../../store/incident-rows.ts";
import { type Incident, setIncident } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/thread-comments.ts";
import { messagesOf } from "../../store/turns.ts";
import { writeLink } from "../../text/links.ts";
import type { Call, Handler } from "../command.ts";

const closed = loadTemplate("comments/closed.md");

/** Closes the issue with a draft postmortem, lessons and a timeline; pending actions become void. */
export const close: Handler = async (call) => {
  const { deps, event } = call;
  const first = await deps.store.transaction((tx) => whyNotYet(tx, call, call.incident));
  if (first.length > 0)
    return call.commit(async (tx, incident) => {
      const questions = await whyNotYet(tx, call, incident);
      if (questions.length === 0) throw new RetryLater("what spoke against closing is gone; trying again");
      await askFirst(tx, call, incident, questions);
    });
  // Closing twice is harmless, a summary of an open issue would be untrue.
  const place = { ...event.issue, issue: event.issue.number };
  await deps.issues.close(place);
  await readThumbs(deps, call.incident);
  const questions = await call.commit(async (tx, incident) => {
    const found = await whyNotYet(tx, call, incident);
    await (found.length > 0 ? askFirst(tx, call, incident, found) : conclude(tx, call, incident));
    return found;
  });
  if (questions.length > 0) await deps.issues.reopen(place);
};

/** What speaks against closing: `is` tells one state from the next, `says` is a clause. */
interface CloseQuestion {
  readonly is: string;
  readonly says: string;
}

/** Returns what speaks against closing, if the last `/close` was not told all of it. */
async function whyNotYet(tx: Tx, { slash, deps }: Call, incident: Incident): Promise<readonly CloseQuestion[]> {
  if (incident.state === "closed" || slash.flags.has("--anyway")) return [];
  const alert = await alertOf(tx, incident.id);
  const { actions, runs } = await partsOf(tx, incident.id, "actions", "runs");
  const numbersIn = (...states: readonly Action["state"][]): readonly number[] =>
    actions.flatMap(({ state, number }) => (states.includes(state) ? [number] : []));
  const open = numbersIn("proposed", "incomplete");
  const underWay = numbersIn("approved", "dispatching", "running");
  const isRead = (id: string): boolean => actions.some((one) => one.id === id && one.spec.risk === "low");
  const last = runs
    .filter(({ actionId, endedAt }) => endedAt !== null && isRead(actionId))
    .toSorted((a, b) => Number(a.endedAt) - Number(b.endedAt))
    .at(-1);
  const check = last && !wentWell(last) ? actions.find(({ id }) => id === last.actionId) : undefined;
  const questions: CloseQuestion[] = [];
  const ask = (is: string, says: string): number => questions.push({ is, says });
  if (alert?.state === "firing")
    ask(`firing ${alert.resolves}`, `the alert from ${deps.markdown.code(alert.source)} is still firing`);
  if (underWay.length > 0)
    ask(`runs ${underWay}`, `${underWay.join(", ")} still ${underWay.length === 1 ? "runs" : "run"}`);
  if (open.length > 0) ask(`open ${open}`, `${open.join(", ")} ${open.length === 1 ? "waits" : "wait"} for a decision`);
  if (check && last)
    ask(`check ${check.number}`, `the last check, ${check.number}, ended so: ${resultWords(last, deps.markdown)}`);
  const before = await lastAuditOf(tx, incident.id, "incident_opened", "incident_reopened", "close_questioned");
  const told = before?.kind === "close_questioned" ? before.body.why : [];
  return questions.some(({ is }) => !told.includes(is)) ? questions : [];
}

async function askFirst(tx: Tx, call: Call, incident: Incident, questions: readonly CloseQuestion[]): Promise<void> {
  const by = { id: call.caller.id, login: call.caller.login };
  const why = questions.map(({ is }) => is);
  const body = { by, commentId: call.event.comment.id, why };
  await appendAudit(tx, { kind: "close_questioned", incidentId: incident.id, body });
  const said = `Not closed: ${questions.map(({ says }) => says).join("; ")}. To close anyway, send \`/close\` again with the cause, or \`/close --anyway\`.`;
  await answer(tx, call, incident, { outcome: "mistake", body: said });
}

const maxCauseCharacters = 2_000;

async function conclude(tx: Tx, call: Call, incident: Incident): Promise<void> {
  const { deps, event, caller } = call;
  const said = { by: { id: caller.id, login: caller.login }, commentId: event.comment.id };
  const cause = shownNote(call).slice(0, maxCauseCharacters).toWellFormed();
  const last =
    incident.state === "closed"
      ? await lastAuditOf(tx, incident.id, "incident_closed", "incident_reopened")
      : undefined;
  if (last?.kind === "incident_closed" && cause !== "") {
    await setIncident(tx, incident.id, { cause });
    await appendAudit(tx, { kind: "cause_given", incidentId: incident.id, body: said });
    await show(tx, deps, incident);
    const body = `The cause is kept, and the board shows it: ${deps.markdown.plain(cause)}`;
    return answer(tx, call, incident, { outcome: "done", body });
  }
  if (last?.kind === "incident_closed") {
    const url = postedComments(deps, await partsOf(tx, incident.id, "posted")).get(slots.reply(last.body.commentId));
    const body = `This incident is already closed${url === undefined ? "" : ` (${writeLink("summary", url)})`}. To change the cause: \`/close <cause>\`. To go on, reopen the issue.`;
    return answer(tx, call, incident, { outcome: "mistake", body });
  }
  await askPager(tx, deps, incident, { told: "resolve", login: caller.login });
  await endIncident(tx, incident, `closed by @${caller.login}`, cause);
  await appendAudit(tx, { kind: "incident_closed", incidentId: incident.id, body: said });
  await show(tx, deps, incident);
  await answer(tx, call, incident, { outcome: "done", body: await summary(tx, call, incident) });
  await enqueueDraft(tx, deps, incident, { commentId: event.comment.id, personId: caller.id, cause });
}

async function summary(tx: Tx, call: Call, incident: Incident): Promise<string> {
  const { deps, repoContext, caller } = call;
  const { markdown } = deps;
  const now = deps.now();
  const parts = ["session", "actions", "approvals", "runs", "turns", "hypotheses", "values", "alert"] as const;
  const { session, values, ...rest } = await partsOf(tx, incident.id, ...parts);
  const past = { ...rest, foreign: await foreignTexts(tx, rest) };
  const { skills } = readRunbooks(deps, repoContext);
  const messages = await messagesOf(tx, session.id);
  const calls = messages.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []));
  const loaded = calls.flatMap((one) => (one.name === "use_skill" ? nameIn(one.arguments) : []));
  const { servers } = repoContext.rules;
  const library = {
    skills,
    files: repoContext.context.skills,
    servers,
    read: [...new Set(loaded)].filter((name) => skills.some((skill) => skill.name === name)),
    values,
  };
  const rows = await auditOf(tx, incident.id);
  const approvers = new Set(past.approvals.filter(({ verdict }) => verdict === "approve").map(giverOf));
  const begun = past.runs.filter(({ ending }) => ending?.kind !== "unreachable");
  const ran = new Set(begun.map(({ actionId, step }) => `${actionId} ${step ?? 0}`)).size;
  const by = [...approvers].join(" and ");
  const end = `- ${now.toISOString().slice(0, 19).replace("T", " ")} · closed by ${name(caller.login)}`;
  return closed({
    head: `**Closed by ${name(caller.login)}** after ${duration(now.getTime() - incident.createdAt.getTime())} · ${ran === 0 ? "nothing was run" : `${count(ran, "command")} run, approved by ${by}`}`,
    postmortem: renderPostmortem(past, shownNote(call), markdown),
    lessons: renderLessons(past, { ...library, cause: shownNote(call) }, markdown),
    timeline: [renderTimeline({ ...past, rows }, markdown), end].join("\n"),
  });
}

function nameIn(json: string): readonly string[] {
  const given = parseJson(json);
  // The call was refused.
  return isRecord(given) && typeof given.name === "string" ? [given.name] : [];
}
