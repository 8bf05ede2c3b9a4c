import { duration, name } from "../github/render/ink.ts";
import { endingWords } from "../github/render/state.ts";
import { endIncident } from "../jobs/investigate.ts";
import { show } from "../jobs/show.ts";
import { type Action, actionsOf, approvalsOf } from "../store/actions.ts";
import { appendAudit } from "../store/audit.ts";
import { type Run, runsOf } from "../store/runs.ts";
import { answer } from "./answer.ts";
import type { Call, Command } from "./command.ts";
import { noteOf } from "./grammar.ts";

/** Closes the issue with a summary and a timeline in UTC; what was still pending becomes void. */
export const close: Command = {
  verb: "close",
  usage: "/close [what it was]",
  summary: "closes the incident with a summary and a timeline",
  may: "act",
  run: async (call) => {
    const { world, event, caller } = call;
    // GitHub first: closing twice is closing once, while a summary of an issue that stayed open would be untrue.
    await world.issues.close({ ...event.issue, issue: event.issue.number });
    await call.commit(async (tx, incident) => {
      const reason = `closed by ${caller.login}`;
      await endIncident(tx, incident, reason);
      await appendAudit(tx, {
        kind: "incident_closed",
        incidentId: incident.id,
        body: { by: { id: caller.id, login: caller.login }, commentId: event.comment.id },
      });
      const actions = await actionsOf(tx, incident.id);
      const runs = await runsOf(tx, incident.id);
      const approvers = new Set((await approvalsOf(tx, incident.id)).map((approval) => approval.login));
      await show(tx, world, call.ground, { incident: { ...incident, state: "closed" } });
      const body = summary(call, { actions, runs, approvers: [...approvers], openedAt: incident.createdAt });
      await answer(tx, call, incident, { outcome: "done", body });
    });
  },
};

interface Record {
  readonly actions: readonly Action[];
  readonly runs: readonly Run[];
  readonly approvers: readonly string[];
  readonly openedAt: Date;
}

function summary(call: Call, { actions, runs, approvers, openedAt }: Record): string {
  const { world, incident, caller, slash } = call;
  const { plain, code } = world.ink;
  const now = world.now();
  const note = noteOf(slash);
  const lines = runs.map((run) => {
    const action = actions.find((candidate) => candidate.id === run.actionId);
    const ended = run.ending ? endingWords(run.ending) : "▶️ still running, reported below when it ends";
    return `- ${run.startedAt ? utc(run.startedAt) : "not started"} · **${action?.number ?? "?"}** ${code(action?.spec.command ?? "")} on ${code(run.server)} · ${ended}`;
  });
  return [
    `**Closed by ${name(caller.login)}** after ${duration(now.getTime() - openedAt.getTime())}${note === "" ? "" : ` — ${plain(note)}`}`,
    "",
    `${actions.length} proposed, ${runs.length} run, approved by ${approvers.map(name).join(" and ") || "nobody"}.`,
    "",
    "**Timeline, UTC**",
    "",
    `- ${utc(openedAt)} · opened by ${name(incident.openerLogin)}`,
    ...lines,
    `- ${utc(now)} · closed by ${name(caller.login)}`,
  ].join("\n");
}

const utc = (at: Date): string => at.toISOString().slice(0, 19).replace("T", " ");
