import * as z from "zod";
import { count, duration, name } from "../../github/render/ink.ts";
import { endIncident } from "../../features/incident/open-close.ts";
import { enqueueDraft } from "../../features/incident/postmortem-draft.ts";
import { readThumbs } from "../../features/turn/reactions.ts";
import { show } from "../../features/thread/show.ts";
import { readRunbooks } from "../../features/turn/turn.ts";
import { actionsOf, approvalsOf } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import { auditOf, lastAuditOf } from "../../store/audit/look.ts";
import type { Tx } from "../../store/database/open.ts";
import { type Incident, sessionOf } from "../../store/incidents.ts";
import { runsOf } from "../../store/runs.ts";
import { slots } from "../../store/outbox/slots.ts";
import { messagesOf, turnsOf } from "../../store/turns.ts";
import { loadTemplate } from "../../base/template.ts";
import { bare } from "../../text/bare.ts";
import { writeLink } from "../../text/links.ts";
import { visible } from "../../text/read/visible.ts";
import { answer } from "../../features/thread/answer.ts";
import type { Call, Command } from "../command.ts";
import { noteOf } from "../../slash/grammar.ts";
import { renderLessons, skillsRead } from "./lessons.ts";
import { postedComments } from "../../features/thread/links.ts";
import { renderPostmortem } from "../../features/incident/postmortem.ts";
import { renderTimeline } from "../../features/incident/timeline.ts";

const closed = loadTemplate("comments/closed.md");

/** Closes the issue with a draft of a postmortem, what the skills should learn, and a timeline; what was pending is void. */
export const close: Command = {
  verb: "close",
  usage: "/close [cause]",
  summary: "closes the incident with the cause you give, a postmortem draft, and a timeline",
  examples: ["/close the log volume was full"],
  may: "act",
  run: async (call) => {
    const { world, event } = call;
    // GitHub first: closing twice is closing once, while a summary of an issue that stayed open would be untrue.
    await world.issues.close({ ...event.issue, issue: event.issue.number });
    await readThumbs(world, call.incident);
    await call.commit((tx, incident) => conclude(tx, call, incident));
  },
};

const maxCauseCharacters = 2_000;

async function conclude(tx: Tx, call: Call, incident: Incident): Promise<void> {
  const { world, event, caller } = call;
  const before = incident.state === "closed" ? await summaryBefore(tx, call, incident) : undefined;
  if (before !== undefined) return answer(tx, call, incident, { outcome: "mistake", body: before });
  const said = noteOf(call.slash);
  const cause = bare(world.redact, visible(bare(world.redact, said)))
    .trim()
    .slice(0, maxCauseCharacters);
  await endIncident(tx, incident, `closed by ${caller.login}`, cause);
  await appendAudit(tx, {
    kind: "incident_closed",
    incidentId: incident.id,
    body: { by: { id: caller.id, login: caller.login }, commentId: event.comment.id },
  });
  await show(tx, world, call.ground, { incident: { ...incident, state: "closed" } });
  await answer(tx, call, incident, { outcome: "done", body: await summary(tx, call, incident) });
  await enqueueDraft(tx, world, incident, { commentId: event.comment.id, personId: caller.id, cause });
}

const closedSchema = z.object({ commentId: z.number() });

/** Where the summary of this end stands already. */
async function summaryBefore(tx: Tx, { world }: Call, incident: Incident): Promise<string | undefined> {
  const last = await lastAuditOf(tx, incident.id, "incident_closed", "incident_reopened");
  if (last?.kind !== "incident_closed") return undefined;
  const { commentId } = closedSchema.parse(JSON.parse(last.body));
  const url = (await postedComments(tx, world.config.github.apiUrl, incident)).get(slots.reply(commentId));
  return `This incident is closed already${url === undefined ? "" : `, ${writeLink("with its summary", url)}`}. Reopen the issue to go on.`;
}

async function summary(tx: Tx, call: Call, incident: Incident): Promise<string> {
  const { world, ground, caller, slash } = call;
  const { ink } = world;
  const now = world.now();
  const past = {
    incident,
    actions: await actionsOf(tx, incident.id),
    approvals: await approvalsOf(tx, incident.id),
    runs: await runsOf(tx, incident.id),
    turns: await turnsOf(tx, incident.id),
  };
  const { skills } = readRunbooks(world, ground);
  const { id: sessionId } = await sessionOf(tx, incident.id);
  const library = {
    skills,
    files: ground.context.skills,
    servers: ground.rules.servers.flatMap(({ name, groups }) => [name, ...groups]),
    read: skillsRead(await messagesOf(tx, sessionId), skills),
  };
  const rows = await auditOf(tx, incident.id);
  const approvers = new Set(past.approvals.filter(({ verdict }) => verdict === "approve").map(({ login }) => login));
  const ran = new Set(past.runs.map(({ actionId }) => actionId)).size;
  const by = [...approvers].map(name).join(" and ");
  const end = `- ${now.toISOString().slice(0, 19).replace("T", " ")} · closed by ${name(caller.login)}`;
  return closed({
    head: `**Closed by ${name(caller.login)}** after ${duration(now.getTime() - incident.createdAt.getTime())} · ${ran === 0 ? "nothing was run" : `${count(ran, "command")} run, approved by ${by}`}`,
    postmortem: renderPostmortem(past, noteOf(slash), ink),
    lessons: renderLessons(past, library, ink),
    timeline: [renderTimeline({ ...past, rows }, ink), end].join("\n"),
  });
}
