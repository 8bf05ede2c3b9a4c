import { isUndecided } from "../../base/action.ts";
import { isAway } from "../../github/outcome.ts";
import type { Tx } from "../../store/database/open.ts";
import { isStanding } from "../../store/holds.ts";
import { rowsOf } from "../../store/incident-rows.ts";
import { type Incident, lockIncident } from "../../store/incidents.ts";
import { findUndrawn, markDrawn } from "../../store/outbox/changes.ts";
import { wantFolded } from "../../store/outbox/fold.ts";
import { wantLabels } from "../../store/outbox/labels.ts";
import { type Slot, slots } from "../../store/outbox/slots.ts";
import { type Thread, type WantedComment, wantComments } from "../../store/outbox/wanted.ts";
import { type Question, questionId } from "../../store/questions.ts";
import type { Turn } from "../../store/turns.ts";
import { type Deps, loadRepoContext, type RepoContext, rulesAlone } from "../context.ts";
import { autoStandingOf } from "../proposal/agent-mode.ts";
import { whyAttendedNow } from "../proposal/draft.ts";
import { drawBatch, drawBoard, drawOwnCard, drawTurn } from "./draw.ts";
import { foldedOf } from "./fold.ts";
import { labelsOf } from "./labels.ts";
import { postedComments } from "./links.ts";
import { threadOf } from "./show.ts";
import { type DrawnAction, hintOf, joinViews } from "./views.ts";

/**
 * Draws an incident's comments from its rows, if they have changed since: board, cards and run cards, and with them its labels and
 * what is to be folded. A comment is a function of the rows, and bodies that come out as they were cost nothing. Only the poster
 * draws, just before it writes, so what changes meanwhile is drawn once. Throws if GitHub was away when it was asked for the repository's
 * rules: the comments are drawn by the operator's alone then, and once more later.
 */
export async function drawThread(deps: Deps, thread: Pick<Thread, "repo" | "issue">): Promise<void> {
  const undrawn = await findUndrawn(deps.store.db, thread);
  if (!undrawn) return;
  let away: unknown;
  const repoContext = await loadRepoContext(deps, undrawn).catch((error) => {
    if (isAway(error)) away = error;
    return rulesAlone(deps, undrawn.repo);
  });
  await deps.store.transaction(async (tx) => {
    const incident = await lockIncident(tx, undrawn.id);
    await draw(tx, deps, repoContext, incident);
    if (away === undefined) await markDrawn(tx, incident);
  });
  if (away !== undefined) throw away;
}

async function draw(tx: Tx, deps: Deps, repoContext: Pick<RepoContext, "rules">, incident: Incident): Promise<void> {
  const { session, turns, questions, batches, head, ...rows } = await rowsOf(tx, incident);
  const auto = rows.autoMode && (await autoStandingOf(deps, tx, repoContext, incident));
  const autoBy = auto?.kind === "on" ? auto.mode.login : undefined;
  const joined = joinViews(rows);
  const views =
    autoBy === undefined ? joined : joined.map((view) => ({ ...view, attended: whyLeft(deps, repoContext, view) }));
  const holds = rows.holds.filter(isStanding);
  const newest = turns.at(-1);
  const elsewhere = newest ? await openBefore(tx, deps, incident, { turn: newest, views }) : [];
  const drawing = { deps, incident, views, hint: hintOf(deps, repoContext) };
  const { notes, incidentLabel } = repoContext.rules;
  const doing = incident.doing || (incident.state === "open" ? waitingFor(questions) : "");
  const checkpoint = { size: head.seq, head: head.hash };
  const thread = threadOf(incident);
  const oneByOne = oneDrawing(deps, thread);
  await wantComments(tx, thread, [
    oneByOne(slots.board, () =>
      drawBoard(drawing, { session, holds, alert: rows.alert, autoBy, doing, notes, checkpoint }),
    ),
    ...turns.map((turn) => {
      const asked = questions.filter(({ step }) => step === turn.step);
      const given = { asked, elsewhere: turn === newest ? elsewhere : undefined };
      return oneByOne(slots.card(turn.step), () => drawTurn(drawing, turn, given));
    }),
    ...views
      .filter((view) => view.card === slots.ownCard(view.number))
      .map((view) => oneByOne(slots.ownCard(view.number), () => drawOwnCard(drawing, view))),
    ...batches.map((batch) => oneByOne(slots.batch(batch.id), () => drawBatch(drawing, batch))),
  ]);
  const unanswered = new Set<string>(questions.filter(isOpen).map(({ step }) => slots.card(step)));
  await wantFolded(
    tx,
    thread,
    foldedOf(views, batches).filter(({ slot }) => !unanswered.has(slot)),
  );
  const standing = { state: incident.state, held: holds.length > 0, actions: views };
  await wantLabels(tx, thread, labelsOf(standing, { prefix: deps.config.incident.stateLabel, incidentLabel }));
}

/** One that cannot be drawn keeps no other from being drawn: it stays as it is on the issue, or says so where it is new. */
const oneDrawing =
  ({ log }: Deps, { repo, issue }: Pick<Thread, "repo" | "issue">) =>
  (slot: Slot, draw: () => WantedComment): WantedComment => {
    try {
      return draw();
    } catch (error) {
      log.error({ module: "outbox", event: "comment_not_drawn", slot, repo, issue, err: error });
      return { slot, body: undrawable, sameAs: (body) => body !== "" };
    }
  };

const undrawable =
  "⚠️ I failed to write this comment; my operator finds the reason in the log. Nothing is lost: `/status` tells where things are, `/output` shows an output.";

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
  const open = views.filter((view) => isUndecided(view) && view.card !== card && view.createdAt < turn.createdAt);
  const posted = open.length > 0 ? await postedComments(tx, config.github.apiUrl, incident) : new Map();
  return open.map((view) => ({ ...view, url: posted.get(view.card) }));
}

const isOpen = ({ answeredAt }: Question): boolean => answeredAt === null;

/** AR-13: the agent waits for people. */
function waitingFor(questions: readonly Question[]): string {
  const open = questions.filter(isOpen).map(questionId);
  return open.length === 0 ? "" : `waiting for an answer to ${open.join(", ")}`;
}
