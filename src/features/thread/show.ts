import { renderBatch } from "../../github/render/batch.ts";
import { renderBoard, sameBoard } from "../../github/render/board.ts";
import { type ApprovalHint, renderCard, renderOwnCard } from "../../github/render/card.ts";
import { mention } from "../../github/render/ink.ts";
import { renderProposalRecords, renderRunRecords, withRecords } from "../../github/render/record.ts";
import type { ActionView } from "../../github/render/state.ts";
import { issueUrl } from "../../github/web.ts";
import { type Action, type Approval, actionsOf, approvalsOf } from "../../store/actions.ts";
import { readHead } from "../../store/audit/checkpoint.ts";
import type { Tx } from "../../store/database/open.ts";
import { holdsOn, isStanding, isWhole } from "../../store/holds.ts";
import { type Incident, sessionOf } from "../../store/incidents.ts";
import { wantFolded } from "../../store/outbox/fold.ts";
import { wantLabels } from "../../store/outbox/labels.ts";
import { slots } from "../../store/outbox/slots.ts";
import { type Thread, threadKey, wantComments } from "../../store/outbox/wanted.ts";
import { type Question, questionId, questionsOf } from "../../store/questions.ts";
import { batchesOf, type Run, runsOf } from "../../store/runs.ts";
import { type Turn, turnsOf } from "../../store/turns.ts";
import type { Deps, RepoContext } from "../context.ts";
import { autoStandingOf } from "../proposal/agent-mode.ts";
import { whyAttendedNow } from "../proposal/draft.ts";
import { renderQuestion } from "../turn/question.ts";
import { filesAt } from "./file-links.ts";
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
  const { incident } = given;
  const session = await sessionOf(tx, incident.id);
  const rows = await viewsOf(tx, incident.id);
  const turns = await turnsOf(tx, incident.id);
  const questions = await questionsOf(tx, incident.id);
  const batches = await batchesOf(tx, incident.id);
  const hint = hintOf(deps, repoContext);
  const { markdown } = deps;
  const checkpoint = await readHead(tx);
  const auto = await autoStandingOf(deps, tx, repoContext, incident);
  const views =
    auto.kind === "on" ? rows.map((view) => ({ ...view, attended: whyLeft(deps, repoContext, view) })) : rows;
  const holds = (await holdsOn(tx, incident)).filter(isStanding);
  const board = renderBoard(
    {
      ...incident,
      holds: holds.map((hold) => ({ ...hold, whole: isWhole(hold) })),
      holder: session.userLogin,
      auto: auto.kind === "on" ? auto.mode.login : undefined,
      steps: session.steps,
      stepLimit: session.stepLimit,
      sessionId: session.id,
      actions: views,
      doing: given.doing ?? (incident.state === "open" ? waitingFor(questions) : ""),
      notes: repoContext.rules.notes,
      checkpoint: { ...checkpoint, note: deps.notary?.sign(checkpoint) },
    },
    markdown,
  );
  const newest = turns.at(-1);
  const elsewhere = newest ? await openBefore(tx, deps, incident, { turn: newest, views }) : [];
  const drawn = [
    {
      slot: slots.board,
      body: board,
      sameAs: (other: string) => sameBoard(other, board),
      // That nothing goes on is told at once.
      ...(holds.length > 0 ? {} : whileMoving("board", views, given.dueAt)),
    },
    ...turns.map((turn) => {
      const slot = slots.card(turn.step);
      const actions = views.filter((view) => view.card === slot);
      const isNewest = turn === newest && incident.state === "open";
      const blobUrl = filesAt(deps, incident.repo, turn.contextCommit);
      const asked = questions.filter(({ step }) => step === turn.step);
      const question = asked.map((one) => renderQuestion(one, incident, markdown)).join("\n\n");
      // `/ask a` takes what the newest reply suggests: an older card must not offer another.
      const similar = turn.similarIncident && {
        ...turn.similarIncident,
        url: issueUrl(deps.config.github.apiUrl, { repo: incident.repo, issue: turn.similarIncident.number }),
      };
      const view = {
        ...turn,
        similar: similar ?? undefined,
        blobUrl,
        question,
        actions,
        ...(isNewest ? { elsewhere } : { suggestions: [] }),
      };
      const body = withRecords(renderCard(view, hint, markdown), renderProposalRecords(actions));
      return { slot, body, ...whileMoving("card", actions, given.dueAt) };
    }),
    ...views
      .filter((view) => view.card === slots.ownCard(view.number))
      .map(({ number }) => {
        const slot = slots.ownCard(number);
        const actions = views.filter((view) => view.card === slot);
        const body = withRecords(renderOwnCard(actions, hint, markdown), renderProposalRecords(actions));
        return { slot, body, ...whileMoving("card", actions, given.dueAt) };
      }),
    ...batches.map((batch) => {
      const actions = batch.numbers.flatMap((number) => views.find((view) => view.number === number) ?? []);
      const records = renderRunRecords(actions, incident.public);
      return { slot: slots.batch(batch.id), body: renderBatch({ ...batch, actions, records }, markdown) };
    }),
  ];
  await wantComments(
    tx,
    threadOf(incident),
    drawn.map((comment) => (given.dueAt ? { dueAt: given.dueAt, ...comment } : comment)),
  );
  const unanswered = new Set<string>(questions.filter(isOpen).map(({ step }) => slots.card(step)));
  const folded = foldedOf(views, batches).filter(({ slot }) => !unanswered.has(slot));
  await wantFolded(tx, threadOf(incident), folded);
  const { incidentLabel } = repoContext.rules;
  const standing = { state: incident.state, held: holds.length > 0, actions: views };
  await wantLabels(
    tx,
    threadOf(incident),
    labelsOf(standing, { prefix: deps.config.incident.stateLabel, incidentLabel }),
  );
  await wakePoster(tx, deps, incident, given.dueAt);
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

/** How long the edits of board and cards wait while a command of theirs is under way: the run card tells of it at once. */
const movingMs = { board: 2_000, card: 5_000 } as const;

/** Holds such an edit back, so that those of a whole batch are one (RR-08). */
function whileMoving(
  what: keyof typeof movingMs,
  actions: readonly ActionView[],
  dueAt: Date | undefined,
): { readonly dueAt?: Date } {
  const moves = actions.some(({ state }) => ["approved", "dispatching", "running"].includes(state));
  return moves && dueAt === undefined ? { dueAt: new Date(Date.now() + movingMs[what]) } : {};
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

/** An action as the cards look at it, with the rows of its verdicts and runs. */
type DrawnAction = Omit<ActionView, "verdicts" | "runs"> &
  Pick<Action, "card" | "digest" | "createdAt"> & {
    readonly verdicts: readonly Approval[];
    readonly runs: readonly Run[];
  };

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
