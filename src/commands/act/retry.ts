import { expiryOf, isOver } from "../../approval/need.ts";
import { runsSame } from "../../base/action.ts";
import { isOpen } from "../../features/incident/withdraw.ts";
import { addProposal } from "../../features/proposal/add-proposal.ts";
import { approvable } from "../../features/proposal/approvable.ts";
import { draftAgain } from "../../features/proposal/draft-set.ts";
import { answer } from "../../features/thread/answer.ts";
import { type Links, linked, linksOf } from "../../features/thread/links.ts";
import { show } from "../../features/thread/show.ts";
import { markEnding } from "../../github/render/ending.ts";
import { verbs } from "../../slash/verbs.ts";
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
import type { Call, Command } from "../command.ts";
import { commitAndHandOn, sendOwn } from "./send-own.ts";

/** The same commands once more, under new numbers and with approvals of their own: what has run never runs by itself (RR-06). */
export const retry: Command = {
  ...verbs.retry,
  summary:
    "proposes the same commands again, after they have expired, failed or become void; what only reads runs at once",
  examples: ["/retry 3", "/retry 2 3"],
  may: "approve",
  takesSeveral: true,
  run: (call) => commitAndHandOn(call, (tx, incident) => proposeAgain(tx, call, incident)),
};

async function proposeAgain(tx: Tx, call: Call, incident: Incident): Promise<string | undefined> {
  const { deps, slash } = call;
  const rows = await partsOf(tx, incident.id, "actions", "batches", "posted");
  const before = rows.actions;
  const mistake = (body: string) => answer(tx, call, incident, { outcome: "mistake", body });
  const ids = slash.ids === "all" ? [] : slash.ids;
  if (ids.length === 0) await mistake(nothingRun(missingNumber("retry", before, retriableOnes(before))));
  else if (incident.state === "closed") await mistake(nothingRun(closedText));
  if (ids.length === 0 || incident.state === "closed") return undefined;
  const anew: Action[] = [];
  const said: { readonly action: Action; readonly body: string }[] = [];
  const refusals: CommandRefusal[] = [];
  const links = linksOf(deps, rows);
  for (const number of new Set(ids.map((id) => id.number))) {
    const found = before.find((one) => one.number === number);
    const again = found && (await proposeOne(tx, call, incident, { found, anew, links }));
    if (again?.kind === "anew") {
      anew.push(again.action);
      said.push({ action: again.action, body: again.body });
    } else refusals.push(again?.refusal ?? unknownNumber(number));
  }
  const isBlocked = anew.every(({ state }) => state === "blocked");
  const batch = await sendOwn(tx, call, incident, anew);
  await show(tx, deps, incident);
  const actions = await actionsOf(tx, incident.id);
  if (anew.length === 0) {
    const [only, ...more] = refusals;
    const several = nothingRun(sentencesOf(refusals, actions).join("\n\n"));
    await mistake(only && more.length === 0 ? alone(only, actions) : several);
  } else {
    const waits = (id: string): boolean => actions.some((one) => one.id === id && one.state === "proposed");
    const lines = said.map(({ action, body }) => (waits(action.id) ? `${body} It needs its own approval.` : body));
    const others = refusals.length > 0 ? sentencesOf(refusals, actions) : [];
    const outcome = isBlocked ? "denied" : batch === undefined ? "done" : "seen";
    await answer(tx, call, incident, { outcome, body: [...others, ...lines].join("\n\n") });
  }
  return batch;
}

type Again =
  | { readonly kind: "anew"; readonly action: Action; readonly body: string }
  | { readonly kind: "refused"; readonly refusal: CommandRefusal };

async function proposeOne(
  tx: Tx,
  call: Call,
  incident: Incident,
  given: { readonly found: Action; readonly anew: readonly Action[]; readonly links: Links },
): Promise<Again> {
  const { deps, repoContext, caller } = call;
  const { anew, links } = given;
  const action = await withItsTimeOver(tx, call, given.found);
  const { number, spec } = action;
  if (!retriable.includes(action.state)) return { kind: "refused", refusal: stateRefusal({ incident, action, links }) };
  const same = (await actionsOf(tx, incident.id)).find(
    (other) => isOpen(other) && runsSame(other.spec, spec) && other.spec.place === spec.place,
  );
  if (same) {
    const what = `${linked(links, same.number)} is the same command and still open: \`/approve ${same.number}\``;
    return { kind: "refused", refusal: { what } };
  }
  const before = await whatBefore(tx, action);
  // What is proposed again together is a list again, in the order in which it was named.
  const drafted = draftAgain(deps, repoContext, action, {
    description: `${number} again: ${before}`,
    card: anew[0]?.card,
  });
  if (drafted.kind === "refused") return { kind: "refused", refusal: { what: deps.markdown.note(drafted.why) } };
  const draft = { ...drafted.draft, spec: { ...drafted.draft.spec, again: number } };
  const added = await addProposal(tx, incident, draft, {
    insteadOf: number,
    by: { id: caller.id, login: caller.login },
    commentId: call.event.comment.id,
  });
  if (added.state === "blocked")
    return { kind: "anew", action: added, body: alone(stateRefusal({ incident, action: added }), []) };
  return { kind: "anew", action: added, body: `${linked(links, number)} again as **${added.number}**: ${before}.` };
}

/** What can no longer be approved is said to have expired, also where the sweep has not come by yet. */
async function withItsTimeOver(tx: Tx, { deps, repoContext }: Call, action: Action): Promise<Action> {
  if (
    action.state !== "proposed" ||
    !isOver(expiryOf(approvable(action), repoContext.rules.policy), deps.now().getTime())
  )
    return action;
  if (!(await moveAction(tx, action, { from: "proposed", to: "expired" }))) return action;
  const { incidentId, number, digest } = action;
  await appendAudit(tx, { kind: "command_expired", incidentId, body: { number, digest } });
  return { ...action, state: "expired" };
}

/** What became of it the first time. An outcome that is not known may be one that happened. */
async function whatBefore(tx: Tx, { id, state }: Action): Promise<string> {
  if (state !== "done") return `it ${state === "expired" ? "expired" : `was ${state}`} and did not run`;
  const runs = await runsOfAction(tx, id);
  const endings = runs.flatMap(({ ending, outcome }) => (ending ? [{ ending, outcome }] : []));
  // Without its mark: those are for results alone.
  const words = [...new Set(endings.map(({ ending, outcome }) => markEnding(ending, outcome).words))].join(", ");
  const isUnknown = endings.length === 0 || endings.some(({ ending }) => ending.kind === "unknown");
  return `last time ${words || "unknown"}${isUnknown ? "; it may have run, so check the server first" : ""}`;
}
