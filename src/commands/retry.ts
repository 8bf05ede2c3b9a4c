import { endingWords } from "../github/render/state.ts";
import { addProposal } from "../jobs/add-proposal.ts";
import { draftAgain } from "../jobs/draft.ts";
import { show } from "../jobs/show.ts";
import { isOpen } from "../jobs/void.ts";
import { expiryOf, isOver } from "../policy/authorize.ts";
import { type Action, actionsOf, moveAction } from "../store/actions.ts";
import { appendAudit } from "../store/audit.ts";
import type { Tx } from "../store/database.ts";
import type { Incident } from "../store/incidents.ts";
import { runsOfAction } from "../store/runs.ts";
import { answer } from "./answer.ts";
import { approvable } from "./approvable.ts";
import type { Call, Command } from "./command.ts";
import { linked, linksOf } from "./links.ts";
import { oneNamed } from "./named.ts";
import { alone, closedText, nothingRun, stateRefusal } from "./refusals.ts";

/** The same command once more, under a new number and with approvals of its own: what has run never runs by itself (RR-06). */
export const retry: Command = {
  verb: "retry",
  usage: "/retry 3",
  summary: "proposes the same command anew, after it has expired, failed or become void",
  examples: ["/retry 3"],
  may: "approve",
  run: (call) => call.commit((tx, incident) => proposeAgain(tx, call, incident)),
};

/** The states after which a command may be proposed once more. A rejection is final, and what is blocked stays so. */
const retried: readonly Action["state"][] = ["done", "expired", "void", "superseded"];

async function proposeAgain(tx: Tx, call: Call, incident: Incident): Promise<void> {
  const { world, ground, caller, slash } = call;
  const actions = await actionsOf(tx, incident.id);
  const mistake = (body: string) => answer(tx, call, incident, { outcome: "mistake", body });
  const named = oneNamed(slash, actions);
  if (named.kind === "mistake") return mistake(named.body);
  if (incident.state === "closed") return mistake(nothingRun(closedText));
  const action = await withItsTimeOver(tx, call, named.action);
  const { number, spec } = action;
  const links = await linksOf(tx, world, incident, actions);
  if (!retried.includes(action.state)) return mistake(alone(stateRefusal({ incident, action, links }), actions));
  const same = actions.find(
    (other) => isOpen(other) && other.spec.command === spec.command && other.spec.place === spec.place,
  );
  if (same)
    return mistake(
      nothingRun(`${linked(links, same.number)} is the same command and still open: \`/approve ${same.number}\``),
    );
  const before = await whatBefore(tx, action);
  const drafted = draftAgain(world, ground, action, { description: `${number} again: ${before}` });
  if (drafted.kind === "refused") return mistake(nothingRun(`${world.ink.note(drafted.why)}.`));
  const anew = await addProposal(tx, incident, drafted.draft, {
    insteadOf: number,
    by: { id: caller.id, login: caller.login },
    commentId: call.event.comment.id,
  });
  await show(tx, world, ground, { incident });
  if (anew.state === "blocked")
    return answer(tx, call, incident, { outcome: "denied", body: alone(stateRefusal({ incident, action: anew }), []) });
  const body = `${linked(links, number)} again as **${anew.number}**: ${before}. It needs approvals of its own.`;
  await answer(tx, call, incident, { outcome: "done", body });
}

/** What can no longer be approved is said to have expired, also where the sweep has not come by yet. */
async function withItsTimeOver(tx: Tx, { world, ground }: Call, action: Action): Promise<Action> {
  if (action.state !== "proposed" || !isOver(expiryOf(approvable(action), ground.rules.policy), world.now().getTime()))
    return action;
  if (!(await moveAction(tx, action, { from: "proposed", to: "expired" }))) return action;
  const { incidentId, number, digest } = action;
  await appendAudit(tx, { kind: "command_expired", incidentId, body: { number, digest } });
  return { ...action, state: "expired" };
}

/** What became of it the first time. An outcome that is not known may be one that happened. */
async function whatBefore(tx: Tx, { id, state }: Action): Promise<string> {
  if (state !== "done") return `it ${state === "expired" ? "expired" : `is ${state}`} and was not run`;
  const runs = await runsOfAction(tx, id);
  const endings = runs.flatMap(({ ending, outcome }) => (ending ? [{ ending, outcome }] : []));
  // Without its mark: those are for results alone.
  const words = [
    ...new Set(endings.map(({ ending, outcome }) => endingWords(ending, outcome).replace(/^[^\p{L}]+/u, ""))),
  ].join(", ");
  const isUnknown = endings.length === 0 || endings.some(({ ending }) => ending.kind === "unknown");
  return `it ended as ${words || "nothing known"}${isUnknown ? " and it may have run, so look at the server first" : ""}`;
}
