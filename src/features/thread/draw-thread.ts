import { isDeepStrictEqual } from "node:util";
import { pagerOf } from "../../alert/pagers.ts";
import { isUndecided, isUnfinished } from "../../base/action.ts";
import { wentWell } from "../../base/run.ts";
import { loadTemplate } from "../../base/template.ts";
import { isAway } from "../../github/outcome.ts";
import { type BatchView, renderBatch, renderProbe } from "../../github/render/batch.ts";
import { boardRow, renderBoard, sameBoard } from "../../github/render/board.ts";
import { type ApprovalHint, renderCard, renderOwnCard } from "../../github/render/card.ts";
import { clock, name } from "../../github/render/ink.ts";
import { renderProposalRecords, renderRunRecords, withRecords } from "../../github/render/record.ts";
import type { ActionView } from "../../github/render/state.ts";
import { commentUrl, issueUrl } from "../../github/web.ts";
import { fromRunbook } from "../../runbooks/offline.ts";
import { type Action, type Approval, isFinal } from "../../store/actions.ts";
import type { AlertRow, PagerAnswer } from "../../store/alerts.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import { isStanding, isWhole } from "../../store/holds.ts";
import { type RowsWith, type UndrawnRows, undrawnRows } from "../../store/incident-rows.ts";
import { lockIncident } from "../../store/incidents.ts";
import type { Lease } from "../../store/leases.ts";
import type { Escalation } from "../../store/outbox/escalations.ts";
import { type Slot, slots } from "../../store/outbox/thread-comments.ts";
import type { Limit } from "../../store/outbox/urgency.ts";
import {
  type FoldedComment,
  isAsKnown,
  type KnownComment,
  type Pace,
  type SettledRows,
  storeDrawing,
  type WantedComment,
} from "../../store/outbox/wanted.ts";
import { perHourOf } from "../../store/outbox/write-budget.ts";
import { type Question, questionId } from "../../store/questions.ts";
import type { Batch, Run } from "../../store/runs.ts";
import { modelSteps, type Turn } from "../../store/turns.ts";
import { type Deps, loadRepoContext, type RepoContext, rulesAlone } from "../context.ts";
import { liftOf } from "../incident/hold.ts";
import { calledWords } from "../oncall/call.ts";
import { whyLeftToPeople } from "../proposal/in-force.ts";
import { leaseCostOf, leasedBehind, leaseStandingOf, offerLease } from "../proposal/lease.ts";
import { probeOf } from "../proposal/propose.ts";
import { doneAct, whyAlready } from "../proposal/same-action.ts";
import { filesAt } from "./links.ts";
import { labelsOf, type ThreadPlace, threadOf } from "./post.ts";
import { isProbeBatch } from "./tell-end.ts";
import { type DrawnAction, hintOf, joinViews } from "./views.ts";

/** After so many overtaken drawings the incident is locked. */
const mostOvertaken = 3;

/**
 * Draws an incident's changed comments, labels and folds (AR-13, RR-08). Only the poster draws, so several changes are drawn once. Throws
 * if GitHub is away: the comments follow the operator's rules alone until drawn again.
 */
export async function drawThread(deps: Deps, thread: ThreadPlace): Promise<void> {
  const draw = async (db: Db | Tx, rows: UndrawnRows, drawnWith: string): Promise<boolean> => {
    const { away, drawing, ...drawn } = await drawRows(deps, db, rows);
    const { incident, late, comments: known } = rows;
    const settled = settledIn(drawing, drawn.comments);
    const drawnAs = { incident, counts: away === undefined, late, drawnWith, settled };
    const kept = await storeDrawing(db, { thread: threadOf(incident), known, drawnAs }, drawn);
    if (away !== undefined) throw away;
    return kept;
  };
  for (let tries = 0; tries < mostOvertaken; tries++) {
    // Before the rows are read: a secret that is learned meanwhile has all drawn again.
    const drawnWith = deps.drawnWith();
    const rows = await undrawnRows(deps.store.db, { ...thread, drawnWith });
    if (!rows || (await draw(deps.store.db, rows, drawnWith))) return;
  }
  await deps.store.transaction(async (tx) => {
    const drawnWith = deps.drawnWith();
    const found = await undrawnRows(tx, { ...thread, drawnWith });
    if (!found) return;
    await lockIncident(tx, found.incident.id);
    const rows = await undrawnRows(tx, { ...thread, drawnWith });
    if (rows) await draw(tx, rows, drawnWith);
  });
}

/** Of holds and lease only those in force. */
interface ThreadDrawing extends UndrawnRows {
  readonly deps: Deps;
  readonly views: readonly DrawnAction[];
  readonly at: PlacedRows;
  readonly hint: ApprovalHint;
  readonly notes: readonly string[];
}

/** The rows by where they stand, so that a drawing takes as long as it has rows. */
interface PlacedRows {
  /** Whether this drawing draws the comment of a slot; others stand as they are. */
  readonly isDrawn: (slot: string) => boolean;
  readonly views: ReadonlyMap<string, readonly DrawnAction[]>;
  readonly viewOf: ReadonlyMap<number, DrawnAction>;
  readonly comments: ReadonlyMap<string, KnownComment>;
  readonly told: ReadonlyMap<number | null, readonly Batch[]>;
  readonly questions: ReadonlyMap<number, readonly Question[]>;
  /** By the number of the action that they rehearse. */
  readonly probes: ReadonlyMap<number | undefined, readonly DrawnAction[]>;
  /** Of probes alone. */
  readonly probeBatches: ReadonlySet<Batch>;
  readonly inProbeBatch: ReadonlySet<number>;
  /** A run of theirs has ended. */
  readonly begunToEnd: ReadonlySet<string>;
}

function placed({ comments, batches, questions, runs, slots }: UndrawnRows, views: readonly DrawnAction[]): PlacedRows {
  const viewOf = new Map(views.map((view) => [view.number, view]));
  const probeBatches = new Set(batches.filter((batch) => isProbeBatch({ actions: within(batch, viewOf) }, batch)));
  const drawn = new Set(slots.map(({ slot }) => slot));
  return {
    isDrawn: (slot) => drawn.has(slot),
    views: Map.groupBy(views, ({ card }) => card),
    viewOf,
    comments: new Map(comments.map((comment) => [comment.slot, comment])),
    told: Map.groupBy(batches, ({ toldOn }) => toldOn),
    questions: Map.groupBy(questions, ({ step }) => step),
    probes: Map.groupBy(views, ({ spec }) => spec.probes),
    probeBatches,
    inProbeBatch: new Set([...probeBatches].flatMap(({ numbers }) => numbers)),
    begunToEnd: new Set(runs.filter(({ endedAt }) => endedAt !== null).map(({ batchId }) => batchId)),
  };
}

const within = ({ numbers }: Pick<Batch, "numbers">, viewOf: PlacedRows["viewOf"]): readonly DrawnAction[] =>
  numbers.flatMap((number) => viewOf.get(number) ?? []);

/** `away`: GitHub's fault, if it did not show the repository's rules. */
export async function drawRows(deps: Deps, db: Db | Tx, rows: UndrawnRows) {
  const { incident, turns, questions, batches } = rows;
  const thread = threadOf(incident);
  let away: unknown;
  const repoContext = await loadRepoContext(deps, incident).catch((error) => {
    if (isAway(error)) away = error;
    return rulesAlone(deps, incident.repo);
  });
  const { rules } = repoContext;
  const holds = rows.holds.filter(isStanding);
  const standing = rows.lease && (await leaseStandingOf(deps, db, repoContext, { incident }));
  const lease = standing?.kind === "on" ? standing.lease : null;
  const joined = joinViews(rows);
  const behind = lease === null ? [] : leasedBehind(deps, repoContext, lease, rows);
  const probes = Map.groupBy(
    joined.filter(({ runs }) => runs.length > 0),
    ({ spec }) => spec.probes,
  );
  const toldElsewhere = new Set(batches.filter((batch) => !isProbeBatch(rows, batch)).map(({ id }) => id));
  const acts = rows.acts.flatMap(({ act }) => act ?? []);
  const views = joined.map((view) => ({
    ...view,
    ...(lease === null ? {} : { attended: whyLeft(deps, rules, lease, view) }),
    pullRequest: rows.pullRequests.find(({ actionId }) => actionId === view.id),
    probe: probeBelow(deps, rules, view, { probes: probes.get(view.number) ?? [], toldElsewhere }),
    already: whyAlready({ ...rows, acts }, view),
    isLeasedBehind: behind.some(({ id }) => id === view.id),
  }));
  const drawing: ThreadDrawing = {
    ...rows,
    deps,
    views,
    at: placed(rows, views),
    holds,
    lease,
    hint: { ...hintOf(deps, repoContext), lifts: holds.map(liftOf) },
    notes: [
      ...escalationNotes(views, rows.escalations),
      ...rules.notes,
      ...leaseEndNotes(rows, repoContext),
      ...(rows.late === null ? [] : [lateNote(deps, rows.late)]),
    ],
  };

  const comments: WantedComment[] = [];
  // An undrawable comment stays as it is, or says so if new, and stops no other.
  const add = (slot: Slot, draw: () => WantedComment): void => {
    try {
      comments.push(draw());
    } catch (error) {
      const { repo, issue } = thread;
      deps.log.error({ module: "outbox", event: "comment_not_drawn", slot, repo, issue, err: error });
      comments.push({ slot, body: undrawable, sameAs: (body) => body !== "" });
    }
  };
  add(slots.board, () => drawBoard(drawing));
  const carried = carriedIn(drawing);
  for (const turn of turns) if (turn !== carried) add(slots.card(turn.step), () => drawTurn(drawing, turn));
  for (const view of views)
    if (view.card === slots.ownCard(view.number) && drawing.at.isDrawn(view.card))
      add(view.card, () => drawOwnCard(drawing, view));
  for (const batch of batches) {
    const slot = slots.batch(batch.id);
    if (!hasOwnComment(drawing, batch) || !drawing.at.isDrawn(slot)) continue;
    add(slot, () => {
      const body = renderBatch(resultOf(drawing, batch), deps.markdown);
      const hasEnd = drawing.at.begunToEnd.has(batch.id);
      const pace = batch.endedAt === null ? paces.run : undefined;
      return { slot, body, pace, awaited: hasEnd || batch.endedAt !== null };
    });
  }

  const unanswered = new Set<string>(questions.filter(isUnanswered).map(({ step }) => slots.card(step)));
  return {
    away,
    drawing,
    comments,
    folded: foldedOf(views, batches).filter(({ slot }) => drawing.at.isDrawn(slot) && !unanswered.has(slot)),
    labels: labelsOf(
      { state: incident.state, held: holds.length > 0, actions: views },
      { prefix: deps.config.incident.stateLabel, incidentLabel: rules.incidentLabel },
    ),
  };
}

/**
 * What later drawings leave out: comments that stand as drawn, if all that they show has ended. A change of such a row takes the mark
 * back (triggers `action_guard`, `turn_unsettled`, `batch_unsettled`). Drawn each time is what depends on more: probes and what they
 * probe, patches, and runs whose end is unknown.
 */
function settledIn(drawing: ThreadDrawing, comments: readonly WantedComment[]): SettledRows {
  const { at, deps, views, turns, batches } = drawing;
  const standing = new Set<string>(
    comments.flatMap((comment) =>
      comment.body !== undrawable && isAsKnown(comment, at.comments.get(comment.slot)) ? comment.slot : [],
    ),
  );
  const isOver = (view: DrawnAction): boolean =>
    !isUnfinished(view) &&
    view.spec.probes === undefined &&
    !at.probes.has(view.number) &&
    view.pullRequest === undefined &&
    !view.spec.targets.some(({ patches }) => patches) &&
    view.runs.every(({ ending }) => ending !== null && ending.kind !== "unknown");
  const newest = batches.findLast(({ endedAt }) => endedAt !== null);
  const isRead = ({ id, readAt }: Batch): boolean =>
    readAt !== null || !views.some(({ runs }) => runs.some(({ batchId }) => batchId === id));
  const overBatches = batches.filter(
    (batch) =>
      batch.endedAt !== null &&
      batch !== newest &&
      isRead(batch) &&
      batch.numbers.every((number) => {
        const view = at.viewOf.get(number);
        return view !== undefined && isFinal(view) && isOver(view);
      }),
  );
  const isOverBatch = new Set(overBatches);
  return {
    actions: views.flatMap((view) => {
      if (view.kept === null && !(isOver(view) && standing.has(view.card))) return [];
      const act = doneAct(view, view.runs);
      const kept = { row: boardRow(view, deps.markdown), ...(act && { act }) };
      return isDeepStrictEqual(kept, view.kept) ? [] : [{ ...view, kept }];
    }),
    turns: turns.flatMap((turn, index) => {
      const slot = slots.card(turn.step);
      const isOverTurn =
        index > 1 &&
        turn !== turns.at(-1) &&
        standing.has(slot) &&
        (at.views.get(slot) ?? []).every(isOver) &&
        (at.told.get(turn.step) ?? []).every((batch) => isOverBatch.has(batch)) &&
        !(at.questions.get(turn.step) ?? []).some(isUnanswered);
      return isOverTurn ? turn.id : [];
    }),
    batches: overBatches.flatMap((batch) => {
      const own = hasOwnComment(drawing, batch) ? [slots.batch(batch.id)] : [];
      const told = batch.toldOn === null ? [] : [slots.card(batch.toldOn)];
      return [...own, ...told].every((slot) => standing.has(slot)) ? batch.id : [];
    }),
  };
}

/**
 * The comments to fold. A card with only superseded, undecided proposals is outdated; a run card that went well is resolved once a later
 * batch has ended. A card that carries results waits for both. Failures stay visible.
 */
function foldedOf(
  views: readonly (Pick<Action, "card" | "state"> & {
    readonly verdicts: readonly Approval[];
    readonly runs: readonly Run[];
  })[],
  batches: readonly Batch[],
): readonly FoldedComment[] {
  const runsOfBatch = Map.groupBy(
    views.flatMap((view) => view.runs),
    ({ batchId }) => batchId,
  );
  const over = batches
    .filter(({ endedAt }) => endedAt !== null)
    .slice(0, -1)
    .filter(({ id, note, numbers }) => {
      const own = runsOfBatch.get(id) ?? [];
      return note === null && own.length >= numbers.length && own.every((run) => wentWell(run) && run.trouble === null);
    });
  const isOver = new Set(over);
  const withNews = new Set<string>(
    batches.flatMap((batch) => (batch.toldOn === null || isOver.has(batch) ? [] : [slots.card(batch.toldOn)])),
  );
  const cards = [...Map.groupBy(views, ({ card }) => card)]
    .filter(([, actions]) => actions.every(({ state, verdicts }) => state === "superseded" && verdicts.length === 0))
    .filter(([slot]) => !withNews.has(slot))
    .map(([slot]) => ({ slot, as: "OUTDATED" }) as const);
  const runs = over.map(({ id }) => ({ slot: slots.batch(id), as: "RESOLVED" }) as const);
  return [...cards, ...runs];
}

/** The board says that a lease has ended. */
function leaseEndNotes(
  { incident, lease }: RowsWith<"lease">,
  repoContext: Pick<RepoContext, "rules">,
): readonly string[] {
  // Without a lease, a word against one leaves an empty row.
  if (incident.state === "closed" || !lease?.offWhy || lease.maxCommands === 0) return [];
  const { offWhy, used, maxCommands } = lease;
  const offer = offerLease(repoContext);
  const again = offer === undefined ? "" : ` A new lease: \`${offer}\`.`;
  return [
    `ℹ️ The lease has ended: ${offWhy}; ${used} of ${maxCommands} commands ran. Every command waits for approval again.${again}`,
  ];
}

type NotedAction = Pick<ActionView, "number" | "state"> & {
  readonly id: string;
  readonly createdAt: Date;
  readonly verdicts: readonly { readonly login: string; readonly verdict: string }[];
};

/** `4 waits since 10:02Z · @lee has not answered → @mona, 10:12Z` */
function escalationNotes(actions: readonly NotedAction[], escalations: readonly Escalation[]): readonly string[] {
  const open = actions.flatMap((action) => {
    const calls = escalations.filter(({ actionId }) => actionId === action.id);
    if (action.state !== "proposed" || calls.length === 0) return [];
    const { createdAt, verdicts } = action;
    const steps = calls.map((call, index) => {
      const isLast = index === calls.length - 1;
      const approved = verdicts.some(({ login, verdict }) => login === call.who && verdict === "approve");
      const silent = isLast ? `, ${clock(call.at)}` : approved ? " approved" : " has not answered";
      return `${call.why === "" ? "" : `${call.why} → `}${calledWords(call)}${call.kind === "person" ? silent : `, ${clock(call.at)}`}`;
    });
    const line = `since ${clock(createdAt)} · ${steps.join(" → ")}`;
    return [{ action, line }];
  });
  return [...Map.groupBy(open, ({ line }) => line)].map(([line, same]) => {
    const numbers = same.map(({ action }) => action.number).join(", ");
    return `ℹ️ ${numbers} ${same.length === 1 ? "waits" : "wait"} ${line}`;
  });
}

const undrawable =
  "⚠️ I failed to write this comment; my operator finds the reason in the log. Nothing is lost: `/status` tells where things are, `/output` shows an output.";

function lateNote({ config }: Deps, by: Limit): string {
  const { writesPerMinute } = config.github;
  const why = {
    minute: `I have reached GitHub's limit of ${writesPerMinute} writes a minute (\`github.writes_per_minute\`)`,
    hour: `I have reached GitHub's limit of ${Math.floor(perHourOf(writesPerMinute))} writes an hour, which follows \`github.writes_per_minute\``,
    pause: "GitHub has asked me to pause my writes",
  }[by];
  return `ℹ️ Comments and edits come late here: ${why}. Results come first, and commands do not wait for it.`;
}

/** Not if an agent's card or, of a probe, the change's card has its result. */
const hasOwnComment = ({ at }: Pick<ThreadDrawing, "at">, batch: Batch): boolean =>
  !at.probeBatches.has(batch) && (batch.toldOn === null || at.comments.has(slots.batch(batch.id)));

function resultOf({ at, incident }: Pick<ThreadDrawing, "at" | "incident">, batch: Batch): BatchView {
  // Approved again, an action ran in a later batch, whose result has it.
  const isHere = ({ runs }: DrawnAction): boolean =>
    runs.length === 0 || runs.some(({ batchId }) => batchId === batch.id);
  const { true: actions = [], false: elsewhere = [] } = Object.groupBy(within(batch, at.viewOf), (view) =>
    isHere(view) ? "true" : "false",
  );
  const moved = elsewhere.map(({ number }) => number);
  return { ...batch, actions, moved, records: renderRunRecords(actions, incident.public) };
}

const isUnanswered = ({ answeredAt }: Question): boolean => answeredAt === null;

function probeBelow(
  deps: Deps,
  { servers }: Pick<RepoContext["rules"], "servers">,
  action: DrawnAction,
  { probes, toldElsewhere }: { readonly probes: readonly DrawnAction[]; readonly toldElsewhere: ReadonlySet<string> },
): string | undefined {
  // A probe that was approved with other commands has its result on their card.
  const isElsewhere = ({ runs }: DrawnAction): boolean => runs.some(({ batchId }) => toldElsewhere.has(batchId));
  const words = (probe: DrawnAction): string =>
    isElsewhere(probe)
      ? `*probe:* **${probe.number}**, with its result on the card of its run`
      : renderProbe(probe, deps.markdown);
  if (probes.length > 0) return probes.map(words).join("\n\n");
  if (action.state !== "proposed") return undefined;
  const found = probeOf(deps, servers, action);
  return found.kind === "probe"
    ? `\`/probe ${action.number}\` shows, without changing anything: ${found.shows}`
    : undefined;
}

function whyLeft(deps: Deps, rules: RepoContext["rules"], lease: Lease, view: DrawnAction): string | undefined {
  const { state, origin, spec } = view;
  if (state !== "proposed" || origin === "person" || spec.risk !== "low") return undefined;
  const [takes, left] = [leaseCostOf(view), lease.maxCommands - lease.used];
  return (
    whyLeftToPeople(deps, rules, spec) ??
    (takes > left ? `it takes ${takes} commands, and the lease has ${left} left` : undefined)
  );
}

/** Beyond this the board omits some of an alert's changes. */
const manyMessages = 10;

/** The runbook's checks wait for the agent's first card. */
const isHeld = ({ at, turns }: Pick<ThreadDrawing, "at" | "turns">): boolean =>
  turns.length === 1 && (at.comments.get(slots.checks)?.githubId ?? null) === null;

function drawBoard(drawing: ThreadDrawing): WantedComment {
  const {
    deps,
    incident,
    session,
    turns,
    holds,
    alert,
    lease,
    questions,
    hypotheses,
    repoChanges,
    pagerAnswers,
    views,
    notes,
    head,
    kept,
    freeTurns,
  } = drawing;
  const open = questions.filter(isUnanswered).map(questionId);
  const waiting = incident.state === "open" && open.length > 0 ? `waiting for an answer to ${open.join(", ")}` : "";
  const checkpoint = { size: head.seq, head: head.hash };
  const view = {
    incident,
    session: { ...session, ...modelSteps(session, turns, freeTurns) },
    lease,
    changes: repoChanges?.changes.length ? { ...repoChanges, openedAt: incident.createdAt } : null,
    alert: alert && { ...alert, ...toldPager(deps, drawing, { alert, pagerAnswers }) },
    // A number first stands where its command does.
    actions: views.filter(({ card, state }) => card !== slots.checks || state !== "proposed" || !isHeld(drawing)),
    kept: kept.map(({ row }) => row),
    hypotheses,
    holds: holds.map((hold) => ({ ...hold, whole: isWhole(hold) })),
    doing: incident.doing || waiting,
    notes,
    checkpoint: { ...checkpoint, note: deps.notary?.sign(checkpoint) },
  };
  const body = renderBoard(view, deps.markdown);
  const isAtWork = holds.length === 0 && (incident.doing !== "" || views.some(isMoving));
  const comesAndGoes = alert !== null && alert.fires + alert.resolves > manyMessages;
  const pace = isAtWork ? paces.board : comesAndGoes ? paces.alert : undefined;
  return { slot: slots.board, body, sameAs: (other) => sameBoard(other, body), pace };
}

/** What this firing's pager was told. */
function toldPager(
  { config }: Deps,
  { incident }: Pick<ThreadDrawing, "incident">,
  { alert, pagerAnswers }: { readonly alert: AlertRow; readonly pagerAnswers: readonly PagerAnswer[] },
) {
  const round = alert.state === "firing" ? alert.resolves : alert.resolves - 1;
  const answer = config.alerts.sources[alert.source]?.answer;
  const pager = answer && incident.state === "open" ? pagerOf(answer.pager).title : undefined;
  return { answers: pagerAnswers.filter((one) => one.round === round), pager };
}

/** The runbook's checks if the agent's first card has them, because it came before they were posted. */
function carriedIn({ turns, at }: Pick<ThreadDrawing, "turns" | "at">): Turn | undefined {
  const [first, ...later] = turns;
  return first?.step === 0 && later.length > 0 && !at.comments.has(slots.checks) ? first : undefined;
}

/** The agent's first card with what the runbook's would say. */
function withChecks(prose: string, turn: Turn, carried: Turn) {
  const own = turn.runbooks.filter(({ url }) => carried.runbooks.every((one) => one.url !== url));
  return {
    prose: [prose, carried.prose.replace(fromRunbook, "").trim()].filter(Boolean).join("\n\n"),
    runbooks: [...carried.runbooks, ...own],
    notes: [...new Set([...carried.notes, ...turn.notes])],
  };
}

function drawTurn(drawing: ThreadDrawing, turn: Turn): WantedComment {
  const { deps, incident, turns, at, views, hint } = drawing;
  const { markdown, config } = deps;
  const { repo, number: issue } = incident;
  const { apiUrl } = config.github;
  const slot = slots.card(turn.step);
  const actions = at.views.get(slot) ?? [];
  const elsewhere = () =>
    views
      .filter((view) => isUndecided(view) && view.card !== slot && view.createdAt < turn.createdAt)
      .map((view) => {
        const id = at.comments.get(view.card)?.githubId ?? null;
        return { ...view, url: id === null ? undefined : commentUrl(apiUrl, { repo, issue }, id) };
      });
  const { similarIncident } = turn;
  const isOpen = incident.state === "open";
  const [, second] = turns;
  const carried = turn === second ? carriedIn(drawing) : undefined;
  const prose = turn.offline && !isOpen ? withoutCalls(turn.prose) : turn.prose;
  const view = {
    ...turn,
    prose,
    ...(carried && withChecks(prose, turn, carried)),
    isLater: turn !== turns[0] && !carried,
    similar: similarIncident
      ? { ...similarIncident, url: issueUrl(apiUrl, { repo, issue: similarIncident.number }) }
      : undefined,
    blobUrl: filesAt(deps, repo, turn.contextCommit),
    question: (at.questions.get(turn.step) ?? [])
      .map((question) => {
        // An agent's question with how to answer it, or its answer.
        const id = questionId(question);
        const choices = question.choices.length === 0 ? ["yes", "no"] : question.choices;
        const ways = [...choices, "skip"].map((choice) => markdown.code(`/answer ${id} ${choice}`));
        return template({
          id,
          text: markdown.plain(question.text),
          how: question.answeredAt
            ? ""
            : incident.state === "closed"
              ? "Not answered."
              : `${ways.join(" · ")} · or any text after ${markdown.code(`/answer ${id}`)} · anyone with write access. The agent is waiting.`,
          answer:
            question.answeredByLogin === null
              ? ""
              : `Answered by ${name(question.answeredByLogin)}: ${markdown.plain(question.answer ?? "")}`,
        });
      })
      .join("\n\n"),
    actions,
    // `/ask a` takes the newest reply's suggestion.
    ...(turn === turns.at(-1) && isOpen ? { elsewhere: elsewhere() } : { suggestions: [] }),
  };
  const told = at.told.get(turn.step) ?? [];
  const [there, here] = [true, false].map((isThere) =>
    told.filter((batch) => (hasOwnComment(drawing, batch) || at.probeBatches.has(batch)) === isThere),
  );
  const news = (there ?? []).map((batch) => batch.news ?? "");
  const results = (here ?? []).map((batch) => resultOf(drawing, batch));
  const isUnposted = (at.comments.get(slot)?.githubId ?? null) === null;
  const body = renderCard({ ...view, news, results, records: recordsOf(drawing, actions) }, hint, markdown);
  return {
    slot,
    body,
    pace: actions.some(isMoving) ? paces.card : undefined,
    awaited: told.length > 0 && isUnposted,
  };
}

/** A runbook's words without the sentences that say what to type next: a closed incident asks for nothing. */
const withoutCalls = (prose: string): string =>
  prose
    .split("\n\n")
    .map((part) =>
      part
        .split(/(?<=[.?!])\s+/)
        .filter((sentence) => !sentence.includes("`/"))
        .join(" "),
    )
    .filter((part) => part !== "")
    .join("\n\n");

/** Of what a card proposes, and of the probes whose results stand on it. */
function recordsOf({ at, incident }: ThreadDrawing, actions: readonly DrawnAction[]): string {
  const probes = actions
    .flatMap(({ number }) => at.probes.get(number) ?? [])
    .filter(({ number }) => at.inProbeBatch.has(number))
    .toSorted((a, b) => a.number - b.number);
  return [renderProposalRecords(actions), renderRunRecords(probes, incident.public)].filter(Boolean).join("\n");
}

function drawOwnCard(drawing: ThreadDrawing, { number, authorId }: DrawnAction): WantedComment {
  const { deps, at, hint } = drawing;
  const slot = slots.ownCard(number);
  const actions = at.views.get(slot) ?? [];
  const body = withRecords(renderOwnCard(actions, hint, deps.markdown), recordsOf(drawing, actions));
  const askedBy = authorId === null ? undefined : { id: authorId, readsOnly: false };
  return { slot, body, pace: actions.some(isMoving) ? paces.card : undefined, askedBy };
}

/** Between edits while a command runs or the agent works. */
const paces = {
  board: { holdMs: 2_000, apartMs: 5_000 },
  card: { holdMs: 5_000, apartMs: 5_000 },
  run: { holdMs: 0, apartMs: 1_000 },
  alert: { holdMs: 5_000, apartMs: 15_000 },
} as const satisfies Record<string, Pace>;

const isMoving = ({ state }: Pick<DrawnAction, "state">): boolean =>
  ["approved", "dispatching", "running"].includes(state);

const template = loadTemplate("comments/question.md");
