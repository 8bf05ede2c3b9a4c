import { decidePlace } from "../../approval/agent-mode.ts";
import { isOver } from "../../approval/need.ts";
import { loadTemplate } from "../../base/template.ts";
import { mayRun } from "../../features/incident/hold.ts";
import { reopen } from "../../features/incident/reopen.ts";
import { autoPlaceOf, autoStandingOf, autoStepsOf, endAuto, startAuto } from "../../features/proposal/agent-mode.ts";
import { approvalComment, saidIn } from "../../features/run/approval-comment.ts";
import { answer } from "../../features/thread/answer.ts";
import { show } from "../../features/thread/show.ts";
import { name, utcMinute } from "../../github/render/ink.ts";
import { switchIn } from "../../slash/arguments.ts";
import { verbs } from "../../slash/verbs.ts";
import { actionsOf, approvalsOf } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import { autoModeOf, hearOff, switchOn } from "../../store/auto-mode.ts";
import type { Tx } from "../../store/database/open.ts";
import { type Incident, sessionOf } from "../../store/incidents.ts";
import { firstShownOf } from "../../store/outbox/first-shown.ts";
import { runningOnes } from "../act/under-way.ts";
import { fromBefore, nothingRun } from "../answer/refusals.ts";
import { asSeen } from "../answer/seen.ts";
import type { Call, Command } from "../command.ts";

const agentMode = loadTemplate("comments/agent-mode.md");

/** Lets the agent's steps of low risk go without an approval each, where the operator allows that (AR-03). */
export const auto: Command = {
  ...verbs.auto,
  summary: "the agent's low-risk steps run by themselves, where the operator allows it; /auto off ends that",
  examples: ["/auto on", "/auto off"],
  may: "approve",
  line: "strict",
  run: (call) =>
    call.commit(async (tx, incident) => {
      switch (switchIn(call.slash)) {
        case "on":
          return turnOn(tx, call, incident);
        case "off":
          return turnOff(tx, call, incident);
        default:
          return mistake(tx, call, incident, await whatNow(tx, call, incident));
      }
    }),
};

const mistake = (tx: Tx, call: Call, incident: Incident, body: string): Promise<void> =>
  answer(tx, call, incident, { outcome: "mistake", body: nothingRun(body) });

async function whatNow(tx: Tx, { deps, repoContext }: Call, incident: Incident): Promise<string> {
  const standing = await autoStandingOf(deps, tx, repoContext, incident);
  const now =
    standing.kind === "on" ? `on, by ${name(standing.mode.login)}` : `off: ${deps.markdown.plain(standing.reason)}`;
  return `Write \`/auto on\` or \`/auto off\`. Agent mode is ${now}.`;
}

async function turnOn(tx: Tx, call: Call, incident: Incident): Promise<void> {
  const { deps, repoContext, caller, event } = call;
  const place = decidePlace(await autoPlaceOf(deps, tx, repoContext, incident));
  if (place.kind === "no")
    return mistake(tx, call, incident, `Agent mode stays off: ${deps.markdown.plain(place.reason)}.`);
  const may = await mayRun(deps, tx, incident, [saidIn(event)]);
  const last = await autoModeOf(tx, incident.id);
  if (may.kind === "said-before") return mistake(tx, call, incident, fromBefore);
  if (last !== undefined && event.comment.id < last.lastComment)
    return mistake(tx, call, incident, "Agent mode is unchanged: a newer comment decides. Write it again.");
  // As an approval: one that was typed long ago may not mean today.
  const { createdAt } = event.comment;
  if (isOver(createdAt.getTime() + repoContext.rules.policy.low.expiresMs, deps.now().getTime()))
    return mistake(
      tx,
      call,
      incident,
      `Agent mode stays off: you wrote this at ${utcMinute(createdAt)}. Write it again.`,
    );
  const before = await autoStandingOf(deps, tx, repoContext, incident);
  const servers = repoContext.rules.autoServers;
  // One that was added since is taken in by saying it again.
  if (before.kind === "on" && servers.every((server) => before.mode.servers.includes(server)))
    return mistake(
      tx,
      call,
      incident,
      `Agent mode is on already, by ${name(before.mode.login)}; \`/auto off\` ends it.`,
    );
  const { steps } = await sessionOf(tx, incident.id);
  const comment = approvalComment(event);
  const person = { id: caller.id, login: caller.login };
  await switchOn(tx, { incidentId: incident.id, person, role: caller.role, comment, fromStep: steps, servers });
  await appendAudit(tx, {
    kind: "agent_mode_on",
    incidentId: incident.id,
    body: {
      by: { ...person, role: caller.role, teams: caller.teams },
      comment: { ...comment, writtenAt: createdAt.toISOString() },
      servers,
      maxSteps: autoStepsOf(deps),
    },
  });
  const actions = await actionsOf(tx, incident.id);
  const seen = asSeen(actions, await firstShownOf(tx, incident), event.comment);
  const open = actions.filter(({ number }) => seen.get(number) === "open");
  const batch = await startAuto(tx, deps, repoContext, { incident, actions: open });
  await show(tx, deps, incident);
  const body = agentMode({
    who: name(caller.login),
    servers: servers.map(deps.markdown.code).join(", "),
    steps: `${autoStepsOf(deps)}`,
    now: batch
      ? `It begins with ${batch.numbers.join(", ")}.`
      : "Nothing waits that it could begin with; its next step will.",
  });
  await answer(tx, call, incident, { outcome: "done", body });
}

async function turnOff(tx: Tx, call: Call, incident: Incident): Promise<void> {
  const { deps, caller, event } = call;
  const by = { id: caller.id, login: caller.login, commentId: event.comment.id };
  const isEnded = await endAuto(tx, incident, `switched off by ${caller.login}`, by);
  // Kept where it was not on, too: an `/auto on` that was written before and comes late is not obeyed.
  await hearOff(tx, { incidentId: incident.id, person: by, role: caller.role, comment: approvalComment(event) });
  if (!isEnded) return mistake(tx, call, incident, "Agent mode is off already. `/auto on` switches it on.");
  const actions = await actionsOf(tx, incident.id);
  const standing = new Set(
    (await approvalsOf(tx, incident.id)).filter(({ via }) => via === "agent-mode").map(({ actionId }) => actionId),
  );
  // What it has approved and not sent is not sent.
  const waiting = actions.filter(({ id, state }) => state === "approved" && standing.has(id));
  const reopened = await reopen(tx, waiting, `agent mode was switched off by ${caller.login}`);
  await deps.store.queue.hasten(tx, "execute", incident.id);
  await show(tx, deps, incident);
  const open = reopened.length === 0 ? "" : ` Needs approval again: ${reopened.join(", ")}.`;
  const body = `🤖 **Agent mode is off**; every step waits for an \`/approve\`.${open} ${runningOnes(actions)}`;
  await answer(tx, call, incident, { outcome: "done", body });
}
