import { isOpen } from "../../features/incident/withdraw.ts";
import { draftProbe } from "../../features/proposal/probe.ts";
import { addProposal } from "../../features/proposal/propose.ts";
import { answer } from "../../features/thread/answer.ts";
import { linked, linksOf } from "../../features/thread/links.ts";
import { show } from "../../features/thread/show.ts";
import type { Tx } from "../../store/database/open.ts";
import { partsOf } from "../../store/incident-rows.ts";
import type { Incident } from "../../store/incidents.ts";
import { alone, closedText, nothingRun, oneNamed, stateRefusal } from "../answer/refusals.ts";
import type { Call, Handler } from "../command.ts";
import { commitAndHandOn, sendOwn } from "./approve.ts";

/** Proposes a change's dry run, from the policy's table, as a read of its own. */
export const probeChange: Handler = (call) => commitAndHandOn(call, (tx, incident) => proposeProbe(tx, call, incident));

async function proposeProbe(tx: Tx, call: Call, incident: Incident): Promise<string | undefined> {
  const { deps, repoContext, caller, event } = call;
  const mistake = async (body: string): Promise<undefined> => {
    await answer(tx, call, incident, { outcome: "mistake", body });
  };
  const rows = await partsOf(tx, incident.id, "actions", "batches", "posted");
  const { actions } = rows;
  const named = oneNamed(call.slash, actions);
  if (named.kind === "mistake") return mistake(named.body);
  if (incident.state === "closed") return mistake(nothingRun(closedText));
  const { action } = named;
  const links = linksOf(deps, rows);
  if (!isOpen(action)) return mistake(alone(stateRefusal({ incident, action, links }), actions));
  const drafted = draftProbe(deps, repoContext, action, caller);
  if (drafted.kind === "none")
    return mistake(nothingRun(`There is no probe of **${action.number}**: ${drafted.why.replace(/\.?$/, ".")}`));
  const same = actions.find((one) => isOpen(one) && one.spec.probes === action.number);
  if (same) {
    const what = `${linked(links, same.number)} is its probe and still open: \`/approve ${same.number}\``;
    return mistake(nothingRun(what));
  }
  const added = await addProposal(tx, incident, drafted.draft, {
    probes: action.number,
    by: { id: caller.id, login: caller.login },
    commentId: event.comment.id,
  });
  const batch = await sendOwn(tx, call, incident, [added]);
  await show(tx, deps, incident);
  // A batch marks the comment when it ends.
  await answer(tx, call, incident, { outcome: batch === undefined ? "done" : "seen" });
  return batch;
}
