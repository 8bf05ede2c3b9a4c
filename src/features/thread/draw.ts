import { renderBatch } from "../../github/render/batch.ts";
import { type BoardView, renderBoard, sameBoard } from "../../github/render/board.ts";
import { type CardView, renderCard, renderOwnCard } from "../../github/render/card.ts";
import type { ApprovalHint } from "../../github/render/how.ts";
import { renderProposalRecords, renderRunRecords, withRecords } from "../../github/render/record.ts";
import type { ActionView } from "../../github/render/state.ts";
import { issueUrl } from "../../github/web.ts";
import type { AlertRow } from "../../store/alerts.ts";
import { type Hold, isWhole } from "../../store/holds.ts";
import type { Incident, Session } from "../../store/incidents.ts";
import type { Lease } from "../../store/leases.ts";
import { slots } from "../../store/outbox/slots.ts";
import type { Pace, WantedComment } from "../../store/outbox/wanted.ts";
import type { Question } from "../../store/questions.ts";
import type { Batch } from "../../store/runs.ts";
import type { Turn } from "../../store/turns.ts";
import type { Deps } from "../context.ts";
import { renderQuestion } from "../turn/question.ts";
import { filesAt } from "./file-links.ts";
import type { DrawnAction } from "./views.ts";

/** What all comments of an incident are drawn with. */
interface Drawing {
  readonly deps: Deps;
  readonly incident: Incident;
  readonly views: readonly DrawnAction[];
  readonly hint: ApprovalHint;
}

export function drawBoard(
  { deps, incident, views }: Drawing,
  given: Pick<BoardView, "doing" | "notes"> & {
    readonly session: Session;
    readonly holds: readonly Hold[];
    readonly alert: AlertRow | null;
    /** The lease that is on. */
    readonly lease: Lease | undefined;
    readonly checkpoint: Omit<BoardView["checkpoint"], "note">;
  },
): WantedComment {
  const { session, holds, alert, lease, doing, notes, checkpoint } = given;
  const view = {
    ...incident,
    holds: holds.map((hold) => ({ ...hold, whole: isWhole(hold) })),
    holder: session.userLogin,
    lease,
    alert: alert ?? undefined,
    steps: session.steps,
    stepLimit: session.stepLimit,
    sessionId: session.id,
    actions: views,
    doing,
    notes,
    checkpoint: { ...checkpoint, note: deps.notary?.sign(checkpoint) },
  };
  const body = renderBoard(view, deps.markdown);
  // That nothing goes on is told at once.
  const isAtWork = holds.length === 0 && (incident.doing !== "" || views.some(isMoving));
  const comesAndGoes = alert !== null && alert.fires + alert.resolves > manyMessages;
  const pace = isAtWork ? paces.board : comesAndGoes ? paces.alert : undefined;
  return { slot: slots.board, body, sameAs: (other) => sameBoard(other, body), pace };
}

/** The card of one turn; `elsewhere` stands on the newest alone. */
export function drawTurn(
  { deps, incident, views, hint }: Drawing,
  turn: Turn,
  { asked, elsewhere }: { readonly asked: readonly Question[]; readonly elsewhere: CardView["elsewhere"] },
): WantedComment {
  const { markdown, config } = deps;
  const slot = slots.card(turn.step);
  const actions = views.filter((view) => view.card === slot);
  const similar = turn.similarIncident && {
    ...turn.similarIncident,
    url: issueUrl(config.github.apiUrl, { repo: incident.repo, issue: turn.similarIncident.number }),
  };
  const view = {
    ...turn,
    similar: similar ?? undefined,
    blobUrl: filesAt(deps, incident.repo, turn.contextCommit),
    question: asked.map((one) => renderQuestion(one, incident, markdown)).join("\n\n"),
    actions,
    // `/ask a` takes what the newest reply suggests: an older card must not offer another.
    ...(elsewhere && incident.state === "open" ? { elsewhere } : { suggestions: [] }),
  };
  const body = withRecords(renderCard(view, hint, markdown), renderProposalRecords(actions));
  return { slot, body, pace: actions.some(isMoving) ? paces.card : undefined };
}

/** The card of what a person proposed. */
export function drawOwnCard({ deps, views, hint }: Drawing, { number, authorId }: DrawnAction): WantedComment {
  const slot = slots.ownCard(number);
  const actions = views.filter((view) => view.card === slot);
  const body = withRecords(renderOwnCard(actions, hint, deps.markdown), renderProposalRecords(actions));
  const askedBy = authorId === null ? undefined : { id: authorId, readsOnly: false };
  return { slot, body, pace: actions.some(isMoving) ? paces.card : undefined, askedBy };
}

export function drawBatch({ deps, incident, views }: Drawing, batch: Batch): WantedComment {
  const actions = batch.numbers.flatMap((number) => views.find((view) => view.number === number) ?? []);
  const records = renderRunRecords(actions, incident.public);
  const body = renderBatch({ ...batch, actions, records }, deps.markdown);
  const awaited = actions.some(({ runs }) => runs.some((run) => run.batchId === batch.id && run.endedAt !== null));
  const pace = batch.endedAt === null ? paces.run : undefined;
  return { slot: slots.batch(batch.id), body, pace, awaited: awaited || batch.endedAt !== null };
}

const manyMessages = 10;

/** How the edits of a comment are kept apart while a command of it is under way or the agent is at work (RR-08). */
const paces = {
  board: { holdMs: 2_000, apartMs: 5_000 },
  card: { holdMs: 5_000, apartMs: 5_000 },
  run: { holdMs: 0, apartMs: 1_000 },
  /** Of an alert that comes and goes every change but the first few. */
  alert: { holdMs: 5_000, apartMs: 15_000 },
} as const satisfies Record<string, Pace>;

const isMoving = ({ state }: Pick<ActionView, "state">): boolean =>
  ["approved", "dispatching", "running"].includes(state);
