import { isAway } from "../../github/outcome.ts";
import { renderBatch } from "../../github/render/batch.ts";
import { renderBoard, sameBoard } from "../../github/render/board.ts";
import { renderCard, renderOwnCard } from "../../github/render/card.ts";
import { renderProposalRecords, renderRunRecords, withRecords } from "../../github/render/record.ts";
import type { ActionView } from "../../github/render/state.ts";
import { issueUrl } from "../../github/web.ts";
import type { Tx } from "../../store/database/open.ts";
import { isStanding, isWhole } from "../../store/holds.ts";
import { rowsOf } from "../../store/incident-rows.ts";
import { type Incident, lockIncident } from "../../store/incidents.ts";
import { findUndrawn, markDrawn } from "../../store/outbox/changes.ts";
import { wantFolded } from "../../store/outbox/fold.ts";
import { wantLabels } from "../../store/outbox/labels.ts";
import { slots } from "../../store/outbox/slots.ts";
import { type Pace, type Thread, wantComments } from "../../store/outbox/wanted.ts";
import { type Question, questionId } from "../../store/questions.ts";
import type { Turn } from "../../store/turns.ts";
import { type Deps, loadRepoContext, type RepoContext, rulesAlone } from "../context.ts";
import { autoStandingOf } from "../proposal/agent-mode.ts";
import { whyAttendedNow } from "../proposal/draft.ts";
import { renderQuestion } from "../turn/question.ts";
import { filesAt } from "./file-links.ts";
import { foldedOf } from "./fold.ts";
import { labelsOf } from "./labels.ts";
import { postedComments } from "./links.ts";
import { threadOf } from "./show.ts";
import { type DrawnAction, hintOf, joinViews } from "./views.ts";

/**
 * Draws an incident's comments from its rows, if they have changed since: board, cards and run cards, and with them its labels and
 * what is to be folded. A comment is a function of the rows, and bodies that come out as they were cost nothing. Only the poster
 * draws, just before it writes, so what changes meanwhile is drawn once.
 */
export async function drawThread(deps: Deps, thread: Pick<Thread, "repo" | "issue">): Promise<void> {
  const undrawn = await findUndrawn(deps.store.db, thread);
  if (!undrawn) return;
  const repoContext = await loadRepoContext(deps, undrawn).catch((error) => {
    if (isAway(error)) throw error;
    return rulesAlone(deps, undrawn.repo);
  });
  await deps.store.transaction(async (tx) => {
    const incident = await lockIncident(tx, undrawn.id);
    await draw(tx, deps, repoContext, incident);
    await markDrawn(tx, incident);
  });
}

async function draw(tx: Tx, deps: Deps, repoContext: Pick<RepoContext, "rules">, incident: Incident): Promise<void> {
  const { session, turns, questions, batches, ...rows } = await rowsOf(tx, incident);
  const hint = hintOf(deps, repoContext);
  const { markdown } = deps;
  const checkpoint = { size: rows.head.seq, head: rows.head.hash };
  const auto = rows.autoMode && (await autoStandingOf(deps, tx, repoContext, incident));
  const found = joinViews(rows);
  const views =
    auto?.kind === "on" ? found.map((view) => ({ ...view, attended: whyLeft(deps, repoContext, view) })) : found;
  const holds = rows.holds.filter(isStanding);
  const board = renderBoard(
    {
      ...incident,
      holds: holds.map((hold) => ({ ...hold, whole: isWhole(hold) })),
      holder: session.userLogin,
      auto: auto?.kind === "on" ? auto.mode.login : undefined,
      steps: session.steps,
      stepLimit: session.stepLimit,
      sessionId: session.id,
      actions: views,
      doing: incident.doing || (incident.state === "open" ? waitingFor(questions) : ""),
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
      pace: holds.length === 0 && (incident.doing !== "" || views.some(isMoving)) ? paces.board : undefined,
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
      return { slot, body, pace: actions.some(isMoving) ? paces.card : undefined };
    }),
    ...views
      .filter((view) => view.card === slots.ownCard(view.number))
      .map(({ number }) => {
        const slot = slots.ownCard(number);
        const actions = views.filter((view) => view.card === slot);
        const body = withRecords(renderOwnCard(actions, hint, markdown), renderProposalRecords(actions));
        return { slot, body, pace: actions.some(isMoving) ? paces.card : undefined };
      }),
    ...batches.map((batch) => {
      const actions = batch.numbers.flatMap((number) => views.find((view) => view.number === number) ?? []);
      const records = renderRunRecords(actions, incident.public);
      const body = renderBatch({ ...batch, actions, records }, markdown);
      return { slot: slots.batch(batch.id), body, pace: batch.endedAt === null ? paces.run : undefined };
    }),
  ];
  await wantComments(tx, threadOf(incident), drawn);
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

/** How the edits of a comment are kept apart while a command of it is under way or the agent is at work (RR-08). */
const paces = {
  board: { holdMs: 2_000, apartMs: 5_000 },
  card: { holdMs: 5_000, apartMs: 5_000 },
  run: { holdMs: 0, apartMs: 1_000 },
} as const satisfies Record<string, Pace>;

const isMoving = ({ state }: Pick<ActionView, "state">): boolean =>
  ["approved", "dispatching", "running"].includes(state);

const isOpen = ({ answeredAt }: Question): boolean => answeredAt === null;

/** AR-13: the agent waits for people. */
function waitingFor(questions: readonly Question[]): string {
  const open = questions.filter(isOpen).map(questionId);
  return open.length === 0 ? "" : `waiting for an answer to ${open.join(", ")}`;
}
