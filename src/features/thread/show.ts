import type { ApprovalHint } from "../../github/render/card.ts";
import { mention } from "../../github/render/ink.ts";
import { actionsOf, approvalsOf } from "../../store/actions.ts";
import { readHead } from "../../store/audit/checkpoint.ts";
import type { Tx } from "../../store/database/open.ts";
import { holdsOn, isStanding } from "../../store/holds.ts";
import { type Incident, sessionOf } from "../../store/incidents.ts";
import { wantFolded } from "../../store/outbox/fold.ts";
import { wantLabels } from "../../store/outbox/labels.ts";
import { slots } from "../../store/outbox/slots.ts";
import { type Thread, threadKey, wantComments } from "../../store/outbox/wanted.ts";
import { type Question, questionId, questionsOf } from "../../store/questions.ts";
import { batchesOf, runsOf } from "../../store/runs.ts";
import { type Turn, turnsOf } from "../../store/turns.ts";
import type { Deps, RepoContext } from "../context.ts";
import { autoStandingOf } from "../proposal/agent-mode.ts";
import { whyAttendedNow } from "../proposal/draft.ts";
import { type DrawnAction, drawBatch, drawBoard, drawOwnCard, drawTurn } from "./draw.ts";
import { foldedOf } from "./fold.ts";
import { labelsOf } from "./labels.ts";
import { postedComments } from "./links.ts";

export const threadOf = (incident: Incident): Thread => ({
  installationId: incident.installationId,
  repo: incident.repo,
  issue: incident.number,
  incidentId: incident.id,
});

/**
 * Draws the incident's comments from the store: board, proposal cards, run cards. A comment is a function of the rows, so
 * whoever changes rows calls this in the same transaction and nothing on the issue can differ from what the store holds.
 * Bodies that come out as they were cost nothing.
 */
export async function show(
  tx: Tx,
  deps: Deps,
  repoContext: Pick<RepoContext, "rules">,
  given: { readonly incident: Incident; readonly doing?: string; readonly dueAt?: Date },
): Promise<void> {
  const { incident, dueAt } = given;
  const session = await sessionOf(tx, incident.id);
  const rows = await viewsOf(tx, incident.id);
  const turns = await turnsOf(tx, incident.id);
  const questions = await questionsOf(tx, incident.id);
  const batches = await batchesOf(tx, incident.id);
  const checkpoint = await readHead(tx);
  const auto = await autoStandingOf(deps, tx, repoContext, incident);
  const views =
    auto.kind === "on" ? rows.map((view) => ({ ...view, attended: whyLeft(deps, repoContext, view) })) : rows;
  const holds = (await holdsOn(tx, incident)).filter(isStanding);
  const newest = turns.at(-1);
  const elsewhere = newest ? await openBefore(tx, deps, incident, { turn: newest, views }) : [];
  const drawing = { deps, incident, views, hint: hintOf(deps, repoContext), dueAt };
  const { notes, incidentLabel } = repoContext.rules;
  const autoBy = auto.kind === "on" ? auto.mode.login : undefined;
  const doing = given.doing ?? (incident.state === "open" ? waitingFor(questions) : "");
  const comments = [
    drawBoard(drawing, { session, holds, autoBy, doing, notes, checkpoint }),
    ...turns.map((turn) => {
      const asked = questions.filter(({ step }) => step === turn.step);
      return drawTurn(drawing, turn, { asked, elsewhere: turn === newest ? elsewhere : undefined });
    }),
    ...views.filter((view) => view.card === slots.ownCard(view.number)).map((view) => drawOwnCard(drawing, view)),
    ...batches.map((batch) => drawBatch(drawing, batch)),
  ];
  const thread = threadOf(incident);
  await wantComments(
    tx,
    thread,
    comments.map((comment) => (dueAt ? { dueAt, ...comment } : comment)),
  );
  const unanswered = new Set<string>(questions.filter(isOpen).map(({ step }) => slots.card(step)));
  const folded = foldedOf(views, batches).filter(({ slot }) => !unanswered.has(slot));
  await wantFolded(tx, thread, folded);
  const standing = { state: incident.state, held: holds.length > 0, actions: views };
  const labels = labelsOf(standing, { prefix: deps.config.incident.stateLabel, incidentLabel });
  await wantLabels(tx, thread, labels);
  await wakePoster(tx, deps, incident, dueAt);
}

/** Why agent mode leaves a proposal of low risk to people. */
function whyLeft(
  deps: Deps,
  { rules }: Pick<RepoContext, "rules">,
  { state, origin, spec }: DrawnAction,
): string | undefined {
  if (state !== "proposed" || origin === "person" || spec.risk !== "low") return undefined;
  const names = spec.targets.map(({ server }) => server);
  return whyAttendedNow(
    deps,
    rules.servers.filter(({ name }) => names.includes(name)),
    spec.command,
  );
}

/** What was proposed before a turn, stands on other cards and still waits for a decision. */
async function openBefore(
  tx: Tx,
  { config }: Deps,
  incident: Incident,
  { turn, views }: { readonly turn: Turn; readonly views: readonly DrawnAction[] },
) {
  const card = slots.card(turn.step);
  const open = views.filter(
    (view) => view.state === "proposed" && view.card !== card && view.createdAt < turn.createdAt,
  );
  const posted = open.length > 0 ? await postedComments(tx, config.github.apiUrl, incident) : new Map();
  return open.map((view) => ({ ...view, url: posted.get(view.card) }));
}

const isOpen = ({ answeredAt }: Question): boolean => answeredAt === null;

/** AR-13: the agent waits for people. */
function waitingFor(questions: readonly Question[]): string {
  const open = questions.filter(isOpen).map(questionId);
  return open.length === 0 ? "" : `waiting for an answer to ${open.join(", ")}`;
}

/** Tells the poster that an issue has something to post. */
export async function wakePoster(
  tx: Tx,
  deps: Pick<Deps, "store">,
  place: { readonly repo: string; readonly number: number },
  startAfter?: Date,
): Promise<void> {
  const thread = { repo: place.repo, issue: place.number };
  const when = startAfter ? { startAfter } : {};
  await deps.store.queue.enqueue(tx, "post", threadKey(thread), thread, { share: place.repo, ...when });
}

/** An incident's actions as the cards look at them: with their verdicts and runs. */
export async function viewsOf(tx: Tx, incidentId: string): Promise<readonly DrawnAction[]> {
  const actions = await actionsOf(tx, incidentId);
  if (actions.length === 0) return [];
  const approvals = await approvalsOf(tx, incidentId);
  const runs = await runsOf(tx, incidentId);
  return actions.map((action) => ({
    ...action,
    verdicts: approvals.filter((approval) => approval.actionId === action.id),
    runs: runs.filter((run) => run.actionId === action.id),
  }));
}

/** What a card says of how to approve: the policy in force, in words. */
export function hintOf(deps: Deps, { rules }: Pick<RepoContext, "rules">): ApprovalHint {
  const { approvers, low, medium, high } = rules.policy;
  const who = [
    ...approvers.teams.map(deps.markdown.code),
    ...approvers.users.map((user) => deps.markdown.code(`@${user.login}`)),
  ];
  return {
    who: who.length === 0 ? undefined : `anyone in ${who.join(", ")}`,
    call: approvers.teams.map(mention).join(" "),
    needed: { low: low.approvals, medium: medium.approvals, high: high.approvals },
    restate: high.restateServer || high.reason === "required",
    executes: deps.config.execution.enabled,
  };
}
