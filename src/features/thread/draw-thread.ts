import { isUndecided, serversIn } from "../../base/action.ts";
import { isAway } from "../../github/outcome.ts";
import { renderProbe } from "../../github/render/batch.ts";
import { commentUrl } from "../../github/web.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import { isStanding } from "../../store/holds.ts";
import { type UndrawnRows, undrawnRows } from "../../store/incident-rows.ts";
import { lockIncident } from "../../store/incidents.ts";
import type { Lease } from "../../store/leases.ts";
import { type Slot, slots } from "../../store/outbox/slots.ts";
import type { Limit } from "../../store/outbox/urgency.ts";
import { storeDrawing, type Thread, type WantedComment } from "../../store/outbox/wanted.ts";
import { perHourOf } from "../../store/outbox/write-budget.ts";
import { type Question, questionId } from "../../store/questions.ts";
import type { Turn } from "../../store/turns.ts";
import { type Deps, loadRepoContext, type RepoContext, rulesAlone } from "../context.ts";
import { liftOf } from "../incident/hold.ts";
import { escalationNotes } from "../oncall/notes.ts";
import { whyAttendedNow } from "../proposal/draft.ts";
import { leaseCostOf, leaseStandingOf } from "../proposal/lease.ts";
import { probeOf } from "../proposal/probe.ts";
import { drawBatch, drawBoard, drawOwnCard, drawTurn } from "./draw.ts";
import { foldedOf } from "./fold.ts";
import { labelsOf } from "./labels.ts";
import { threadOf } from "./show.ts";
import { type DrawnAction, hintOf, joinViews } from "./views.ts";

/** How often a drawing may be overtaken by the next change before the incident is held for it. */
const mostOvertaken = 3;

/**
 * Draws an incident's comments from its rows, if they have changed since: board, cards and run cards, and with them its labels and
 * what is to be folded. A comment is a function of the rows, and bodies that come out as they were cost nothing. Only the poster
 * draws, just before it writes, so what changes meanwhile is drawn once. The rows are read in one statement and the drawing is kept in
 * another, if nothing has changed in between. Throws if GitHub was away when it was asked for the repository's rules: the comments are
 * drawn by the operator's alone then, and once more later.
 */
export async function drawThread(deps: Deps, thread: Pick<Thread, "repo" | "issue">): Promise<void> {
  for (let tries = 0; tries < mostOvertaken; tries++) {
    const rows = await undrawnRows(deps.store.db, thread);
    if (!rows || (await drawRows(deps, deps.store.db, rows))) return;
  }
  await deps.store.transaction(async (tx) => {
    const found = await undrawnRows(tx, thread);
    if (!found) return;
    await lockIncident(tx, found.incident.id);
    const rows = await undrawnRows(tx, thread);
    if (rows) await drawRows(deps, tx, rows);
  });
}

/** False where the incident has changed since these rows were read. */
async function drawRows(deps: Deps, db: Db | Tx, rows: UndrawnRows): Promise<boolean> {
  let away: unknown;
  const { incident, comments: known } = rows;
  const repoContext = await loadRepoContext(deps, incident).catch((error) => {
    if (isAway(error)) away = error;
    return rulesAlone(deps, incident.repo);
  });
  const drawing = await draw(db, deps, repoContext, rows);
  const drawnAs = { incident, counts: away === undefined, late: rows.late };
  const kept = await storeDrawing(db, { thread: threadOf(incident), known, drawnAs }, drawing);
  if (away !== undefined) throw away;
  return kept;
}

async function draw(db: Db | Tx, deps: Deps, repoContext: Pick<RepoContext, "rules">, given: UndrawnRows) {
  const { incident, session, turns, questions, batches, head, ...rows } = given;
  const standing = rows.lease && (await leaseStandingOf(deps, db, repoContext, { incident }));
  const lease = standing?.kind === "on" ? standing.lease : undefined;
  const joined = joinViews(rows);
  const probes = joined.filter(({ spec, runs }) => spec.probes !== undefined && runs.length > 0);
  const views = joined.map((view) => ({
    ...view,
    ...(lease === undefined ? {} : { attended: whyLeft(deps, repoContext, { lease, view }) }),
    probe: probeBelow(deps, repoContext, view, probes),
  }));
  const holds = rows.holds.filter(isStanding);
  const newest = turns.at(-1);
  const elsewhere = newest ? openBefore(deps, given, { turn: newest, views }) : [];
  const drawing = { deps, incident, views, hint: { ...hintOf(deps, repoContext), lifts: holds.map(liftOf) } };
  const { notes: ruleNotes, incidentLabel } = repoContext.rules;
  const notes = [...escalationNotes(views, rows.escalations), ...ruleNotes];
  const doing = incident.doing || (incident.state === "open" ? waitingFor(questions) : "");
  const checkpoint = { size: head.seq, head: head.hash };
  const oneByOne = oneDrawing(deps, threadOf(incident));
  const unanswered = new Set<string>(questions.filter(isOpen).map(({ step }) => slots.card(step)));
  const labelled = { state: incident.state, held: holds.length > 0, actions: views };
  return {
    comments: [
      oneByOne(slots.board, () =>
        drawBoard(drawing, {
          ...{ session, holds, alert: rows.alert, lease, doing, checkpoint },
          notes: rows.late === null ? notes : [...notes, late(deps, rows.late)],
        }),
      ),
      ...turns.map((turn) => {
        const asked = questions.filter(({ step }) => step === turn.step);
        const beside = { asked, elsewhere: turn === newest ? elsewhere : undefined };
        return oneByOne(slots.card(turn.step), () => drawTurn(drawing, turn, beside));
      }),
      ...views
        .filter((view) => view.card === slots.ownCard(view.number))
        .map((view) => oneByOne(slots.ownCard(view.number), () => drawOwnCard(drawing, view))),
      ...batches.map((batch) => oneByOne(slots.batch(batch.id), () => drawBatch(drawing, batch))),
    ],
    folded: foldedOf(views, batches).filter(({ slot }) => !unanswered.has(slot)),
    labels: labelsOf(labelled, { prefix: deps.config.incident.stateLabel, incidentLabel }),
  };
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

/** Names the limit that binds. */
function late({ config }: Deps, by: Limit): string {
  const { writesPerMinute } = config.github;
  const why = {
    minute: `I have reached GitHub's limit of ${writesPerMinute} writes a minute (\`github.writes_per_minute\`)`,
    hour: `I have reached GitHub's limit of ${Math.floor(perHourOf(writesPerMinute))} writes an hour, which follows \`github.writes_per_minute\``,
    pause: "GitHub has asked me to pause my writes",
  }[by];
  return `ℹ️ Comments and edits come late here: ${why}. Results come first, and commands do not wait for it.`;
}

/** What a change's last probe showed, or how to ask for one, while it can be decided on. */
function probeBelow(
  deps: Deps,
  { rules }: Pick<RepoContext, "rules">,
  action: DrawnAction,
  probes: readonly DrawnAction[],
): string | undefined {
  const probe = probes.findLast(({ spec }) => spec.probes === action.number);
  if (probe) return renderProbe(probe, deps.markdown);
  if (action.state !== "proposed") return undefined;
  const found = probeOf(deps, rules.servers, action);
  return found.kind === "probe" ? `\`/probe ${action.number}\` shows first: ${found.shows}` : undefined;
}

/** Why a lease leaves a proposal of low risk to people. */
function whyLeft(
  deps: Deps,
  { rules }: Pick<RepoContext, "rules">,
  { lease, view }: { readonly lease: Lease; readonly view: DrawnAction },
): string | undefined {
  const { state, origin, spec } = view;
  if (state !== "proposed" || origin === "person" || spec.risk !== "low") return undefined;
  const names = serversIn(spec.targets);
  const servers = rules.servers.filter(({ name }) => names.includes(name));
  const [takes, left] = [leaseCostOf(view), lease.maxCommands - lease.used];
  return (
    whyAttendedNow(deps, servers, spec) ??
    (takes > left ? `it takes ${takes} commands, and the lease has ${left} left` : undefined)
  );
}

/** What was proposed before a turn, stands on other cards and still waits for a decision. */
function openBefore(
  { config }: Deps,
  { incident, comments }: Pick<UndrawnRows, "incident" | "comments">,
  { turn, views }: { readonly turn: Turn; readonly views: readonly DrawnAction[] },
) {
  const { repo, number: issue } = incident;
  const card = slots.card(turn.step);
  const open = views.filter((view) => isUndecided(view) && view.card !== card && view.createdAt < turn.createdAt);
  return open.map((view) => {
    const id = comments.find(({ slot }) => slot === view.card)?.githubId ?? null;
    return { ...view, url: id === null ? undefined : commentUrl(config.github.apiUrl, { repo, issue }, id) };
  });
}

const isOpen = ({ answeredAt }: Question): boolean => answeredAt === null;

/** AR-13: the agent waits for people. */
function waitingFor(questions: readonly Question[]): string {
  const open = questions.filter(isOpen).map(questionId);
  return open.length === 0 ? "" : `waiting for an answer to ${open.join(", ")}`;
}
