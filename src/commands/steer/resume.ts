import { loadTemplate } from "../../base/template.ts";
import { standingOf } from "../../features/incident/hold.ts";
import { afterLift, liftRepository } from "../../features/incident/hold-lift.ts";
import { approvalComment, approvalReason } from "../../features/run/approval-comment.ts";
import { answer } from "../../features/thread/answer.ts";
import { name } from "../../github/render/ink.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { holdPlaceOf, holdsOn, isStanding, liftHold, wholeRepository } from "../../store/holds.ts";
import { grantSteps, type Incident } from "../../store/incidents.ts";
import type { Call, Handler } from "../command.ts";

const resumed = loadTemplate("comments/resumed.md");

/** Lifts a hold (SR-68) and grants more steps if they are used up (AR-17). Runs nothing: earlier approvals are gone. */
export const resume: Handler = async (call) => {
  const { deps, incident } = call;
  // The answer ends the delivery: after a crash in between, other issues would stay held.
  if (call.slash.ids === "all" && (await deps.store.transaction((tx) => liftRecorded(tx, call, incident))))
    await liftRepository(deps, incident);
  await call.commit((tx, locked) => lift(tx, call, locked));
};

/** Once for each comment. */
async function liftRecorded(tx: Tx, call: Call, incident: Incident, granted = false): Promise<boolean> {
  const whole = call.slash.ids === "all";
  const place = whole ? { repoId: incident.repoId, issue: wholeRepository } : holdPlaceOf(incident);
  const { lifted, changed } = await liftHold(tx, place, call.event.comment.id);
  if (changed || granted)
    await appendAudit(tx, {
      kind: whole ? "repository_resumed" : "incident_resumed",
      incidentId: incident.id,
      body: {
        repo: incident.repo,
        repoId: incident.repoId,
        issue: incident.number,
        by: { id: call.caller.id, login: call.caller.login, role: call.caller.role, teams: call.caller.teams },
        comment: { ...approvalComment(call.event), writtenAt: call.event.comment.createdAt.toISOString() },
        reason: approvalReason(call),
        lifted,
        granted,
      },
    });
  return lifted;
}

async function lift(tx: Tx, call: Call, incident: Incident): Promise<void> {
  const { deps, slash } = call;
  const whole = slash.ids === "all";
  const granted =
    !whole && incident.state === "open" ? await grantSteps(tx, incident.id, deps.config.agent.maxSteps) : false;
  const lifted = await liftRecorded(tx, call, incident, granted);
  const still = await stillText(tx, call, incident);
  if (!lifted && !granted) {
    const body = still === "" ? "Nothing is on hold." : `Nothing was lifted. ${still}`;
    await answer(tx, call, incident, { outcome: "mistake", body });
    return;
  }
  const reopened = await afterLift(tx, deps, incident);
  const steps = `${deps.config.agent.maxSteps} more steps for the agent`;
  const what = [
    ...(lifted ? [whole ? "The whole repository is resumed" : "Resumed"] : []),
    ...(granted ? [steps] : []),
  ].join(", with ");
  const body = resumed({
    what: what.replace(/^./, (first) => first.toUpperCase()),
    who: name(call.caller.login),
    reopened: reopened.length === 0 ? "" : `Needs approval again: ${reopened.join(", ")}.`,
    still,
  });
  await answer(tx, call, incident, { outcome: "done", body });
}

async function stillText(tx: Tx, { deps, event }: Call, incident: Incident): Promise<string> {
  const standing = await standingOf(deps, tx, incident);
  if (standing.kind === "free") return "";
  const sentence = deps.markdown.plain(standing.words).replace(/^./, (first) => first.toUpperCase());
  if (standing.lift === undefined) return `${sentence}; only the operator lifts that.`;
  const younger = (await holdsOn(tx, incident)).some((hold) => isStanding(hold) && hold.commentId > event.comment.id);
  return `${sentence}${younger ? ", after you wrote this" : ""}: \`${standing.lift}\` lifts that.`;
}
