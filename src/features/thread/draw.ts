import { renderBatch } from "../../github/render/batch.ts";
import { type BoardView, renderBoard, sameBoard } from "../../github/render/board.ts";
import { type ApprovalHint, type CardView, renderCard, renderOwnCard } from "../../github/render/card.ts";
import { renderProposalRecords, renderRunRecords, withRecords } from "../../github/render/record.ts";
import type { ActionView } from "../../github/render/state.ts";
import { issueUrl } from "../../github/web.ts";
import type { Action, Approval } from "../../store/actions.ts";
import { type Hold, isWhole } from "../../store/holds.ts";
import type { Incident, Session } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/slots.ts";
import type { WantedComment } from "../../store/outbox/wanted.ts";
import type { Question } from "../../store/questions.ts";
import type { Batch, Run } from "../../store/runs.ts";
import type { Turn } from "../../store/turns.ts";
import type { Deps } from "../context.ts";
import { renderQuestion } from "../turn/question.ts";
import { filesAt } from "./file-links.ts";

/** An action as the cards look at it, with the rows of its verdicts and runs. */
export type DrawnAction = Omit<ActionView, "verdicts" | "runs"> &
  Pick<Action, "card" | "digest" | "createdAt"> & {
    readonly verdicts: readonly Approval[];
    readonly runs: readonly Run[];
  };

/** What all comments of an incident are drawn with. */
interface Drawing {
  readonly deps: Deps;
  readonly incident: Incident;
  readonly views: readonly DrawnAction[];
  readonly hint: ApprovalHint;
  /** Before which none of them is to be posted; undefined unless somebody said so. */
  readonly dueAt: Date | undefined;
}

export function drawBoard(
  { deps, incident, views, dueAt }: Drawing,
  given: Pick<BoardView, "doing" | "notes"> & {
    readonly session: Session;
    readonly holds: readonly Hold[];
    /** Who has switched agent mode on. */
    readonly autoBy: string | undefined;
    readonly checkpoint: Omit<BoardView["checkpoint"], "note">;
  },
): WantedComment {
  const { session, holds, autoBy, doing, notes, checkpoint } = given;
  const view = {
    ...incident,
    holds: holds.map((hold) => ({ ...hold, whole: isWhole(hold) })),
    holder: session.userLogin,
    auto: autoBy,
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
  const pause = holds.length > 0 ? {} : whileMoving("board", views, dueAt);
  return { slot: slots.board, body, sameAs: (other) => sameBoard(other, body), ...pause };
}

/** The card of one turn; `elsewhere` stands on the newest alone. */
export function drawTurn(
  { deps, incident, views, hint, dueAt }: Drawing,
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
  return { slot, body, ...whileMoving("card", actions, dueAt) };
}

/** The card of what a person proposed. */
export function drawOwnCard({ deps, views, hint, dueAt }: Drawing, { number }: DrawnAction): WantedComment {
  const slot = slots.ownCard(number);
  const actions = views.filter((view) => view.card === slot);
  const body = withRecords(renderOwnCard(actions, hint, deps.markdown), renderProposalRecords(actions));
  return { slot, body, ...whileMoving("card", actions, dueAt) };
}

export function drawBatch({ deps, incident, views }: Drawing, batch: Batch): WantedComment {
  const actions = batch.numbers.flatMap((number) => views.find((view) => view.number === number) ?? []);
  const records = renderRunRecords(actions, incident.public);
  return { slot: slots.batch(batch.id), body: renderBatch({ ...batch, actions, records }, deps.markdown) };
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
