import { expiryOf, isOver } from "../../approval/need.ts";
import { runsSame } from "../../base/action.ts";
import { isOpen } from "../../features/incident/withdraw.ts";
import { approvable } from "../../features/proposal/approvable.ts";
import { draftAgain } from "../../features/proposal/draft.ts";
import { addProposal } from "../../features/proposal/propose.ts";
import { answer } from "../../features/thread/answer.ts";
import { type Links, linked, linksOf } from "../../features/thread/links.ts";
import { show } from "../../features/thread/show.ts";
import { markEnding } from "../../github/render/ending.ts";
import { type Action, actionsOf, moveAction } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { partsOf } from "../../store/incident-rows.ts";
import type { Incident } from "../../store/incidents.ts";
import { runsOfAction } from "../../store/runs.ts";
import {
  alone,
  type CommandRefusal,
  closedText,
  missingNumber,
  nothingRun,
  retriable,
  retriableOnes,
  sentencesOf,
  stateRefusal,
  unknownNumber,
} from "../answer/refusals.ts";
import type { Call, Handler } from "../command.ts";
import { commitAndHandOn, sendOwn } from "./approve.ts";

/** Proposes commands again under new numbers: what has run never runs again by itself (RR-06). */
export const retry: Handler = (call) => commitAndHandOn(call, (tx, incident) => proposeAgain(tx, call, incident));

async function proposeAgain(tx: Tx, call: Call, incident: Incident): Promise<string | undefined> {
  const { deps, slash } = call;
  const mistake = async (body: string): Promise<undefined> => {
    await answer(tx, call, incident, { outcome: "mistake", body });
  };
  const rows = await partsOf(tx, incident.id, "actions", "batches", "posted");
  const before = rows.actions;
  const ids = slash.ids === "all" ? [] : slash.ids;
  if (ids.length === 0) return mistake(nothingRun(missingNumber("retry", before, retriableOnes(before))));
  if (incident.state === "closed") return mistake(nothingRun(closedText));
  const added: Action[] = [];
  const said: { readonly action: Action; readonly body: string }[] = [];
  const refusals: CommandRefusal[] = [];
  const links = linksOf(deps, rows);
  for (const number of new Set(ids.map((id) => id.number))) {
    const found = before.find((one) => one.number === number);
    const again = found && (await proposeOne(tx, call, incident, { found, added, links }));
    if (again?.kind === "added") {
      added.push(again.action);
      said.push({ action: again.action, body: again.body });
    } else refusals.push(again?.refusal ?? unknownNumber(number));
  }
  const batch = await sendOwn(tx, call, incident, added);
  await show(tx, deps, incident);
  const actions = await actionsOf(tx, incident.id);
  if (added.length === 0) {
    const [only, ...more] = refusals;
    const several = nothingRun(sentencesOf(refusals, actions).join("\n\n"));
    await mistake(only && more.length === 0 ? alone(only, actions) : several);
    return batch;
  }
  const waits = (id: string): boolean => actions.some((one) => one.id === id && one.state === "proposed");
  const lines = said.map(({ action, body }) => (waits(action.id) ? `${body} It needs its own approval.` : body));
  const others = refusals.length > 0 ? sentencesOf(refusals, actions) : [];
  const isBlocked = added.every(({ state }) => state === "blocked");
  const outcome = isBlocked ? "denied" : batch === undefined ? "done" : "seen";
  await answer(tx, call, incident, { outcome, body: [...others, ...lines].join("\n\n") });
  return batch;
}

type RetryOutcome =
  | { readonly kind: "added"; readonly action: Action; readonly body: string }
  | { readonly kind: "refused"; readonly refusal: CommandRefusal };

async function proposeOne(
  tx: Tx,
  call: Call,
  incident: Incident,
  given: { readonly found: Action; readonly added: readonly Action[]; readonly links: Links },
): Promise<RetryOutcome> {
  const { deps, repoContext, caller, event } = call;
  const { found, added, links } = given;
  const { number, spec, digest } = found;
  let { state } = found;
  // The sweep of expired actions may not have run yet.
  const isLate = isOver(expiryOf(approvable(found), repoContext.rules.policy), deps.now().getTime());
  if (state === "proposed" && isLate && (await moveAction(tx, found, { from: "proposed", to: "expired" }))) {
    await appendAudit(tx, { kind: "command_expired", incidentId: incident.id, body: { number, digest } });
    state = "expired";
  }
  const action = { ...found, state };
  if (!retriable.includes(state)) return { kind: "refused", refusal: stateRefusal({ incident, action, links }) };
  const same = (await actionsOf(tx, incident.id)).find(
    (other) => isOpen(other) && runsSame(other.spec, spec) && other.spec.place === spec.place,
  );
  if (same) {
    const what = `${linked(links, same.number)} is the same command and still open: \`/approve ${same.number}\``;
    return { kind: "refused", refusal: { what } };
  }
  const before = await lastTime(tx, action);
  // Together they are one list again, in the comment's order.
  const description = `${number} again: ${before}`;
  const drafted = draftAgain(deps, repoContext, action, { description, card: added[0]?.card });
  if (drafted.kind === "refused") return { kind: "refused", refusal: { what: deps.markdown.note(drafted.why) } };
  const draft = { ...drafted.draft, spec: { ...drafted.draft.spec, again: number } };
  const again = await addProposal(tx, incident, draft, {
    insteadOf: number,
    by: { id: caller.id, login: caller.login },
    commentId: event.comment.id,
  });
  const body =
    again.state === "blocked"
      ? alone(stateRefusal({ incident, action: again }), [])
      : `${linked(links, number)} again as **${again.number}**: ${before}.`;
  return { kind: "added", action: again, body };
}

/** A run with an unknown outcome may have happened. */
async function lastTime(tx: Tx, { id, state }: Action): Promise<string> {
  if (state !== "done") return `it ${state === "expired" ? "expired" : `was ${state}`} and did not run`;
  const runs = await runsOfAction(tx, id);
  const endings = runs.flatMap(({ ending, outcome }) => (ending ? [{ ending, outcome }] : []));
  // Only results carry the mark itself.
  const words = [...new Set(endings.map(({ ending, outcome }) => markEnding(ending, outcome).words))].join(", ");
  const isUnknown = endings.length === 0 || endings.some(({ ending }) => ending.kind === "unknown");
  return `last time ${words || "unknown"}${isUnknown ? "; it may have run, so check the server first" : ""}`;
}
