import { loadTemplate } from "../../base/template.ts";
import { liftOf } from "../../features/incident/hold.ts";
import { redrawRepository } from "../../features/incident/hold-lift.ts";
import { endHeld } from "../../features/incident/hold-watch.ts";
import { approvalComment, approvalReason } from "../../features/run/approval-comment.ts";
import { answer } from "../../features/thread/answer.ts";
import { show } from "../../features/thread/show.ts";
import { name, utcMinute } from "../../github/render/ink.ts";
import { approvedOrSent } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { type Hold, holdPlaceOf, isWhole, placeHold, wholeRepository } from "../../store/holds.ts";
import type { Incident } from "../../store/incidents.ts";
import type { Call, Handler } from "../command.ts";

const held = loadTemplate("comments/held.md");
const killFlag = "--kill";

/** Stops an incident, or with `all` its repository, until an approver resumes it (SR-68). Nothing in its line delays it. */
export const hold: Handler = async (call) => {
  const { deps, incident, slash } = call;
  const whole = slash.ids === "all";
  // Boards and answer can wait.
  if (whole) await deps.store.transaction((tx) => put(tx, call, incident));
  await endHeld(deps);
  if (whole) await redrawRepository(deps, incident);
  await call.commit(async (tx, locked) => {
    const standing = await put(tx, call, locked);
    await show(tx, deps, locked);
    await answer(tx, call, locked, { outcome: "done", body: await heldText(tx, call, standing) });
  });
  await endHeld(deps);
};

/** Once for each comment. */
async function put(tx: Tx, call: Call, incident: Incident): Promise<Hold> {
  const { caller, event, slash } = call;
  const place = slash.ids === "all" ? { repoId: incident.repoId, issue: wholeRepository } : holdPlaceOf(incident);
  const comment = approvalComment(event);
  const kill = slash.flags.has(killFlag);
  const { hold: standing, changed } = await placeHold(tx, place, { person: caller, commentId: comment.id, kill });
  if (!changed) return standing;
  await appendAudit(tx, {
    kind: isWhole(place) ? "repository_held" : "incident_held",
    incidentId: incident.id,
    body: {
      repo: incident.repo,
      repoId: incident.repoId,
      issue: incident.number,
      by: { id: caller.id, login: caller.login, role: caller.role },
      comment: { ...comment, writtenAt: event.comment.createdAt.toISOString() },
      kill,
      reason: approvalReason(call),
      standing: { by: standing.personId, commentId: standing.commentId, kill: standing.kill },
    },
  });
  return standing;
}

async function heldText(tx: Tx, call: Call, standing: Hold): Promise<string> {
  const whole = isWhole(standing);
  const lift = liftOf(standing);
  const rows = await approvedOrSent(tx, standing);
  const list = (states: readonly string[]): string =>
    rows
      .filter(({ state }) => states.includes(state))
      .map(({ number, issue }) =>
        whole ? `**${number}** on ${call.deps.markdown.code(`#${issue}`)}` : `**${number}**`,
      )
      .join(", ");
  const running = list(["dispatching", "running"]);
  const approved = list(["approved"]);
  return held({
    what: whole ? "The whole repository" : "This incident",
    who: name(standing.login),
    since: utcMinute(standing.heldAt),
    lift,
    running: runningText(running, standing),
    approved:
      approved === "" ? "" : `Approved and not sent: ${approved}. After ${`\`${lift}\``} it takes a fresh approval.`,
    hints: hintsOf(call).join("\n\n"),
  });
}

function runningText(running: string, standing: Hold): string {
  if (running === "") return "Nothing is running.";
  if (standing.kill) return `Being ended: ${running}.`;
  return `Still running: ${running}; \`/hold ${isWhole(standing) ? "all " : ""}${killFlag}\` ends that too.`;
}

/** Names flags without effect, because people in a hurry may count on them. */
function hintsOf({ slash, deps }: Call): readonly string[] {
  const flags = [...slash.flags.keys()].filter((flag) => flag !== killFlag).map(deps.markdown.code);
  return [
    ...(flags.length === 0 ? [] : [`${flags.join(", ")} is not known here; \`${killFlag}\` also ends what runs.`]),
    ...(slash.ids !== "all" && slash.ids.length > 0 ? ["A hold covers all numbers, not just some."] : []),
  ];
}
