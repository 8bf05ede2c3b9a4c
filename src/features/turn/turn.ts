import * as z from "zod";
import { noUsage, type Took } from "../../agent/turn.ts";
import { checksIn } from "../../base/action.ts";
import type { Reading } from "../../base/agent.ts";
import { reached } from "../../base/crash-point.ts";
import { topUp } from "../../runbooks/follow-ups.ts";
import type { Reason } from "../../runbooks/offline.ts";
import { reserveNumbers } from "../../store/actions.ts";
import type { Tx } from "../../store/database/open.ts";
import { holdsOn, isStanding } from "../../store/holds.ts";
import { partsOf, rowsOf } from "../../store/incident-rows.ts";
import { type Incident, lockIncident } from "../../store/incidents.ts";
import type { Job } from "../../store/queue/queue.ts";
import type { Batch } from "../../store/runs.ts";
import { logAlso } from "../../telemetry/log.ts";
import { bareReading } from "../../text/bare.ts";
import { enqueueChangesLook, untoldChanges } from "../changes/read-changes.ts";
import { type Deps, loadRepoContext, type RepoContext } from "../context.ts";
import { similarTo } from "../incident/similar.ts";
import { createToldNumbers } from "../proposal/same-action.ts";
import { recordsFor } from "../proposal/track-record.ts";
import { createStatusLine, show } from "../thread/show.ts";
import { conclude, draftsOf, type Taken } from "./conclude.ts";
import { postChecks } from "./known-runbook.ts";
import { askModel } from "./model-turn.ts";
import { isSaidAlready, readOffline, readWithoutModel } from "./offline-turn.ts";
import { type Runbooks, runbooksOf } from "./runbooks.ts";
import { logSession } from "./session-usage.ts";
import type { TurnInput } from "./turn-input.ts";
import { type Cause, causeSchema, pastRuns } from "./turn-message.ts";

const jobSchema = z.object({ incidentId: z.string(), cause: causeSchema, askedAt: z.coerce.date() });

/** Lets the agent take a turn when the transaction commits; an incident's turns are taken one after another. */
export async function enqueueTurn(
  tx: Tx,
  deps: Pick<Deps, "store" | "now" | "config">,
  incident: Incident,
  cause: Cause,
): Promise<void> {
  if (cause.kind === "opened" || cause.kind === "investigated") await enqueueChangesLook(tx, deps, incident);
  const { id: incidentId, repoId } = incident;
  const data = { incidentId, cause, askedAt: deps.now() };
  await deps.store.queue.enqueue(tx, "turn", incidentId, data, { share: String(repoId) });
}

/**
 * One turn of the agent: it reads what happened, and what it says becomes a card with proposals. The model is asked outside
 * of any transaction; what it proposes is checked against the incident as it stands when the answer is there.
 */
export async function turn(deps: Deps, job: Job): Promise<void> {
  const { incidentId, cause, askedAt } = jobSchema.parse(job.data);
  const { db } = deps.store;
  // A halt ends commands, not the reading of what they said; a hold stops everything here, and /resume makes up for it.
  const rows = await rowsOf(db, incidentId);
  const { incident, session, values } = rows;
  logAlso({ sessionId: session.id });
  if (incident.state === "closed") return;
  if (rows.holds.some(isStanding)) return waitForLift(deps, job, incident, { cause, askedAt });
  const repoContext = await loadRepoContext(deps, incident);
  if (session.steps >= session.stepLimit) return sayLimit(deps, job, incidentId);

  const runbooks = readRunbooks(deps, repoContext);
  const records = await recordsFor(deps, incident, session);
  const runs = await pastRuns(deps, incident, rows);
  const personId = startedBy(incident, rows.batches, cause);
  const similar = await similarTo(deps, { incident, turns: rows.turns }, repoContext);
  const repoChanges = untoldChanges(await partsOf(db, incidentId, "repoChanges"));
  const status = createStatusLine(deps, incidentId);
  const given = {
    incident,
    session,
    rows,
    values,
    repoContext,
    runbooks,
    records,
    runs,
    similar,
    repoChanges,
    cause,
    askedAt,
    personId,
    toldNumbers: createToldNumbers((count) => reserveNumbers(db, incidentId, count)),
  };
  const input = { ...given, signal: job.signal, onStatus: status.say };
  const adds = await postChecks(deps, input);
  const taken = await take(deps, adds ? { ...input, rows: await rowsOf(db, incidentId) } : input);
  const isSilent = !deps.ask && isSaidAlready(input, bareReading(deps.redact, taken.reading));
  await status.settled();
  reached("CP05");
  const drafts = draftsOf(deps, given, taken);
  const after = await deps.store.transaction(async (tx) => {
    const locked = await lockIncident(tx, incidentId);
    const says = locked.state === "open" && !isSilent;
    const told = says ? await conclude(tx, deps, { ...given, incident: locked, taken, drafts, adds }) : session;
    if (isSilent) await show(tx, deps, locked);
    await job.settle(tx);
    return told;
  });
  reached("CP06");
  logSession(deps, after);
}

/** How long what a person has asked for waits where nobody says that a hold is lifted: /resume makes it due at once. */
const heldMs = 60_000;

/** /resume makes up for the turn that reads results, and for the first; what a person wants of the agent waits for it. */
async function waitForLift(
  { store }: Deps,
  job: Job,
  { id: incidentId, repoId }: Incident,
  { cause, askedAt }: { readonly cause: Cause; readonly askedAt: Date },
): Promise<void> {
  if (cause.kind === "opened" || cause.kind === "batch-ended") return;
  await store.transaction(async (tx) => {
    const isHeld = (await holdsOn(tx, await lockIncident(tx, incidentId))).some(isStanding);
    await job.settle(tx);
    // Where it was lifted a moment ago, /resume did not see this wait.
    const when = { share: String(repoId), afterMs: isHeld ? heldMs : undefined };
    await store.queue.enqueue(tx, "turn", incidentId, { incidentId, cause, askedAt }, when);
  });
}

/** Who set the turn going: their rights to the model are what it costs (SR-58, SR-60). Nobody, where that is not known. */
function startedBy(incident: Incident, batches: readonly Batch[], cause: Cause): number | undefined {
  if (cause.kind === "opened") return incident.openerId;
  if (cause.kind !== "batch-ended") return cause.personId;
  return batches.findLast(({ numbers }) => numbers.some((number) => cause.numbers.includes(number)))?.personId;
}

async function take(deps: Deps, input: TurnInput): Promise<Taken> {
  if (!deps.ask) return offline(deps, input, "no-model");
  const { result, over, promptSha256, rulesSha256, heardComment } = await askModel(deps, deps.ask, input);
  const { usage, toolCallCount, durationMs } = result;
  // The model takes its time, and people go on meanwhile.
  const now = { ...input, rows: await rowsOf(deps.store.db, input.incident.id) };
  if (result.kind === "read") {
    return {
      reading: withFollowUps(deps, now, result.reading),
      offline: false,
      promptSha256,
      heardComment,
      question: result.question,
      messages: result.added,
      toldRules: rulesSha256,
      usage,
      toolCallCount,
      durationMs,
    };
  }
  // Not the model's failure: the bot ends, or another process has the turn, and whoever takes it next asks again (RR-14).
  input.signal.throwIfAborted();
  // S15, OFF-1: the model's failure is told, and the runbooks answer in its place.
  const answer = offline(deps, now, over ? "over-budget" : "model-down", promptSha256 !== "");
  const took = { usage, toolCallCount, durationMs: durationMs + answer.durationMs };
  if (over) return { ...answer, over, ...took };
  const reading = readWithoutModel(now, { reading: answer.reading, why: result.message });
  // What it was to hear it hears in its next turn, unless that is why it did not answer: then it never would.
  const spoilt = result.why === "refused" || result.why === "context-overflow";
  const heard = spoilt ? {} : { messages: result.added, heardComment, toldRules: rulesSha256 };
  return { ...answer, reading, ...heard, ...took };
}

/** AR-21: where the model suggests too little the runbooks do, but for what it proposes itself. */
function withFollowUps(deps: Deps, input: TurnInput, reading: Reading): Reading {
  if (reading.suggestions.length > 1) return reading;
  const ofModel = reading.proposals.flatMap(checksIn).map(({ command }) => command);
  const { suggestions } = readOffline(deps, input, "no-model", ofModel);
  return { ...reading, suggestions: topUp(reading.suggestions, suggestions) };
}

function offline(deps: Deps, input: TurnInput, reason: Reason, hadTurn = false): Taken {
  const started = performance.now();
  const line = { module: "agent", model: "offline" };
  // Where the model was asked in vain the turn has told of itself already (S14.1).
  if (!hadTurn) deps.log.info({ ...line, event: "turn_start", messageCount: 0 });
  const reading = readOffline(deps, input, reason);
  const cost = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
  const took: Took = { toolCallCount: 0, durationMs: Math.round(performance.now() - started) };
  if (!hadTurn) deps.log.info({ ...line, event: "turn_end", ...cost, ...took });
  return {
    reading,
    offline: true,
    promptSha256: null,
    messages: [],
    usage: noUsage,
    ...took,
  };
}

/** The repository's runbooks; what cannot be used is named in the log, once for each commit (OP-3, OP-8). */
export function readRunbooks(deps: Deps, repoContext: RepoContext): Runbooks {
  const runbooks = runbooksOf(repoContext.context, ({ problems }) => {
    if (problems.length === 0) return;
    const named = problems.slice(0, 20).map(({ place, message }) => `${place} ${message}`);
    deps.log.warn({ module: "runbooks", event: "runbooks_faulty", count: problems.length, problems: named });
  });
  return deps.config.features.skills ? runbooks : { ...runbooks, skills: [] };
}

/** AR-17: the limit is said once, on the card of the step that is not taken. */
async function sayLimit(deps: Deps, job: Job, incidentId: string): Promise<void> {
  await deps.store.transaction(async (tx) => {
    const incident = await lockIncident(tx, incidentId);
    await show(tx, deps, incident);
    await job.settle(tx);
  });
}
