import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { TurnRecord } from "../../agent/reply/claims.ts";
import type { Trouble } from "../../agent/reply/reading.ts";
import type { AskedQuestion } from "../../agent/tools.ts";
import { noUsage, runDelegate, runTurn, type TurnEffort, type TurnResult } from "../../agent/turn.ts";
import type { AskModel } from "../../agent/wire/model.ts";
import { checksIn, isUnfinished, memberOf } from "../../base/action.ts";
import type { ChatMessage, Reading, TokenUsage } from "../../base/agent.ts";
import { reached } from "../../base/crash-point.ts";
import { wentWell } from "../../base/run.ts";
import { endingWords } from "../../github/render/ending.ts";
import { type IncidentText, skillMatcher } from "../../runbooks/match/matcher.ts";
import { findSimilar } from "../../runbooks/match/similar.ts";
import {
  mostSuggestions,
  type OfflineInput,
  offlineReading,
  type Reason,
  rivalRunbooks,
  sureRunbook,
} from "../../runbooks/offline.ts";
import { serverNamedBy } from "../../runbooks/target.ts";
import { type Action, actionsOf } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { holdsOn, isStanding } from "../../store/holds.ts";
import { hypothesesOf, putHypothesis } from "../../store/hypotheses.ts";
import { openPartsOf, type PastAction, partsOf, type RowsWith, turnRowsOf } from "../../store/incident-rows.ts";
import { type Incident, type IncidentChanges, incidentOf, lockIncident, type Session } from "../../store/incidents.ts";
import { wantNotice } from "../../store/outbox/notices.ts";
import { carryToCard, releaseResults } from "../../store/outbox/results.ts";
import { pastIncidents, type SimilarIncident } from "../../store/past-incidents.ts";
import { addQuestion } from "../../store/questions.ts";
import type { Job } from "../../store/queue/queue.ts";
import { isReadingDue } from "../../store/queue/table.ts";
import { type Batch, markRead, runsOf, unreadIn } from "../../store/runs.ts";
import { trackRecords } from "../../store/track-record.ts";
import { addTurn, messagesOf, modelSteps, type Turn, turnsOf } from "../../store/turns.ts";
import { logAlso } from "../../telemetry/log.ts";
import { bareMessage, bareReading, redactMarkdown, redactText } from "../../text/bare.ts";
import { findTrouble } from "../../text/trouble.ts";
import { chooseServices, untoldChanges } from "../changes/read-changes.ts";
import { type Deps, loadRepoContext, type RepoContext } from "../context.ts";
import { agentsCause, foreignTexts, helpedIn } from "../incident/cause.ts";
import { isDraft } from "../incident/postmortem.ts";
import { onDebug } from "../payload.ts";
import { earlierIn } from "../proposal/in-force.ts";
import { type DraftedProposal, draftProposals, namesOf, preparePatches, propose } from "../proposal/propose.ts";
import { isLiveAction } from "../proposal/same-action.ts";
import { createAddressIn } from "../thread/links.ts";
import { show, threadOf } from "../thread/post.ts";
import { type AskRefusal, budgetModel, inFlood, refusalText, tooManyTurns } from "./budget.ts";
import { keepThumbs, noThumbs, readNewComments } from "./conversation.ts";
import { buildHelperRequest, prepareRequest, rulesDue } from "./prompt.ts";
import { daysAgo, knownLinks, type Records, readRunbooks } from "./runbooks.ts";
import {
  type AgentTurn,
  askedOf,
  type Cause,
  causeSchema,
  describeChangesSince,
  isTroubled,
  pastRuns,
  type RunResult,
  turnMessage,
} from "./turn-message.ts";

import { createTools, readSkill, toolSummary } from "./turn-tools.ts";

const jobSchema = z.object({ incidentId: z.string(), cause: causeSchema, askedAt: z.coerce.date() });

/** How long a request waits under a hold without a /resume. */
const heldMs = 60_000;

/** Enqueues an agent turn. An incident's turns run one after another. */
export async function enqueueTurn(
  tx: Tx,
  deps: Pick<Deps, "store" | "now" | "config">,
  incident: Incident,
  cause: Cause,
): Promise<void> {
  const { id: incidentId, repoId } = incident;
  const { queue } = deps.store;
  const share = String(repoId);
  const namesServices = Object.keys(deps.config.context.services).length > 0;
  // Reading changes is a job of its own, because the agent's turn does not wait for it.
  if ((cause.kind === "opened" || cause.kind === "investigated") && namesServices)
    await queue.enqueue(tx, "turn", `changes ${incidentId}`, { changesOf: incidentId }, { share });
  const data = { incidentId, cause, askedAt: deps.now() };
  await queue.enqueue(tx, "turn", incidentId, data, { share });
}

/**
 * Gives the agent a turn to read what has ended, once nothing of the incident that was approved is still to run. Returns `later` if another
 * batch's end gives it.
 */
export async function enqueueReading(
  tx: Tx,
  deps: Pick<Deps, "store" | "now" | "config">,
  { incident, batches, runs, session }: RowsWith<"batches" | "runs" | "session">,
  batch: Pick<Batch, "id">,
): Promise<"turn" | "later" | "none"> {
  if (batches.some(({ id, endedAt }) => id !== batch.id && endedAt === null)) return "later";
  const unread = unreadIn({
    batches: batches.map((one) => (one.id === batch.id ? { ...one, endedAt: deps.now() } : one)),
    runs,
  });
  // The first turn left its place to a batch, even if none of it ran.
  if (unread.length === 0 && !(session.steps === 0 && batches.some(isLeased))) return "none";
  await enqueueTurn(tx, deps, incident, { kind: "batch-ended", numbers: unread.flatMap(({ numbers }) => numbers) });
  return "turn";
}

const isLeased = ({ commentId }: Pick<Batch, "commentId">): boolean => commentId === null;

/**
 * Whether a turn that starts by itself leaves its place to the end of a batch: what was approved has not run, or the first look's reads
 * run under a lease and its end brings their results.
 */
async function leavesToBatch(
  { store }: Deps,
  job: Job,
  { incident, cause, session, rows }: AgentTurn,
): Promise<boolean> {
  const isFirst = session.steps === 0 && (cause.kind === "opened" || cause.kind === "investigated");
  if (!isFirst && cause.kind !== "batch-ended") return false;
  // What is approved after these rows were read comes after this turn.
  if (isFirst ? rows.batches.length === 0 : rows.batches.every(({ endedAt }) => endedAt !== null)) return false;
  return store.transaction(async (tx) => {
    const { id } = await lockIncident(tx, incident.id);
    const { batches } = await partsOf(tx, id, "batches");
    const underWay = batches.filter(({ endedAt }) => endedAt === null);
    // The end of a batch that is over has given its turn already, if any.
    const isLeft = isFirst ? underWay.some(isLeased) || (await isReadingDue(tx, id)) : underWay.length > 0;
    if (!isLeft) return false;
    await job.settle(tx);
    return true;
  });
}

/**
 * Runs an agent turn: asks the model outside any transaction, then stores and shows the outcome in one, against the incident as it is then.
 * Without a working model the runbooks answer (AR-13, AR-15, AR-17, AR-21, OFF-1, RR-14, S14.1, S15, SR-36, SR-58).
 */
export async function turn(given: Deps, job: Job): Promise<void> {
  const { incidentId, cause, askedAt } = jobSchema.parse(job.data);
  const { db } = given.store;
  const rows = await turnRowsOf(db, incidentId);
  const { incident, session, values } = rows;
  const prepared = given.ask ? undefined : given.prepared?.(incident);
  const deps = prepared ? { ...given, ask: prepared } : given;
  logAlso({ sessionId: session.id });
  if (incident.state === "closed") return;
  // After a halt the agent still reads results. A hold stops it; /resume makes up for it, but a person's request is kept here.
  if (rows.holds.some(isStanding)) {
    if (cause.kind === "opened" || cause.kind === "batch-ended") return;
    return deps.store.transaction(async (tx) => {
      const isHeld = (await holdsOn(tx, await lockIncident(tx, incidentId))).some(isStanding);
      await job.settle(tx);
      // A /resume a moment ago has not seen this wait.
      const when = { share: String(incident.repoId), afterMs: isHeld ? heldMs : undefined };
      await deps.store.queue.enqueue(tx, "turn", incidentId, { incidentId, cause, askedAt }, when);
    });
  }
  const repoContext = await loadRepoContext(deps, incident);
  const unread = unreadIn(rows);
  // Another turn has read what this one was given for.
  const isRead = cause.kind === "batch-ended" && session.steps > 0 && unread.length === 0;
  // Board and newest card name the limit.
  if (session.steps >= session.stepLimit || isRead)
    return deps.store.transaction(async (tx) => {
      await endWithoutCard(tx, deps, await lockIncident(tx, incidentId));
      await job.settle(tx);
    });

  const status = createStatusLine(deps, incidentId);
  const current: AgentTurn = {
    incident,
    session,
    rows,
    values,
    repoContext,
    runbooks: readRunbooks(deps, repoContext),
    records: await recordsFor(deps, incident, session),
    runs: await pastRuns(deps, incident, rows),
    told: unread,
    raised: new Set(),
    handedBack: new Set(),
    personId: starterOf(incident, rows.batches, firstCause(cause, session)),
    similar: await similarTo(deps, { incident, turns: rows.turns }, repoContext),
    repoChanges: untoldChanges(rows),
    alert: rows.alert ?? undefined,
    cause,
    askedAt,
    signal: job.signal,
    fence: job.fence,
    onStatus: status.say,
  };
  const adds = await postChecks(deps, current);
  // A lease runs what was posted.
  if (adds) current.rows = await turnRowsOf(db, incidentId);
  if (await leavesToBatch(deps, job, current)) return;
  if (isFirstLook(current) && deps.ask) current.repoChanges = await waitForChanges(deps, current);
  const answer = deps.ask ? await answerByModel(deps, deps.ask, current) : answerOffline(deps, current, "no-model");
  await status.settled();
  reached("CP05");

  const reading = bareReading(deps.redact, answer.reading);
  const isSilent = !deps.ask && isSaidAlready(current, reading);
  const proposals = await preparePatches(deps, repoContext, reading.proposals, incident);
  const drafts = draftProposals(deps, repoContext, proposals, {
    origin: answer.offline ? "offline" : "model",
    promptSha256: answer.promptSha256,
    values,
    earlier: earlierIn(current.rows),
    lease: current.rows.lease,
  });
  const after = await deps.store.transaction(async (tx) => {
    const locked = await lockIncident(tx, incidentId);
    const concludes = locked.state === "open" && !isSilent;
    const latest = concludes
      ? await conclude(tx, deps, { ...current, incident: locked }, { answer, reading, drafts, adds })
      : session;
    if (!concludes) await endWithoutCard(tx, deps, locked);
    // What a budget kept from the model is told by its next turn.
    const readBatchIds = answer.refusal ? [] : current.told.map(({ id }) => id);
    await markRead(tx, readBatchIds, deps.now());
    await job.settle(tx);
    return latest;
  });
  reached("CP06");

  const { steps: totalTurns, inputTokens, outputTokens } = after;
  deps.log.info({
    module: "agent",
    event: "session_usage",
    totalTurns,
    totalTokens: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
    totalToolCalls: after.toolCalls,
    totalDurationMs: after.durationMs,
  });
}

const mostSimilar = 3;

const mostFixes = 5;

const longestFix = 300;

/** Finds the repository's similar closed incidents with a known cause or fix (SR-11), until a turn has shown them. */
async function similarTo(
  deps: Pick<Deps, "config" | "log" | "store" | "redact" | "now" | "ask">,
  { incident, turns }: { readonly incident: Incident; readonly turns: readonly Turn[] },
  repoContext: Pick<RepoContext, "rules" | "context">,
): Promise<readonly SimilarIncident[]> {
  if (turns.some(({ offline }) => !offline || !deps.ask)) return [];
  const now = deps.now();
  const past = await pastIncidents(deps.store.db, { repoId: incident.repoId, asOf: now });
  const servers = repoContext.rules.servers.map(({ name }) => name);
  const { skills, workflows } = readRunbooks(deps, repoContext);
  const match = skillMatcher(skills, workflows);
  const runbookOf = (text: IncidentText): string | undefined => {
    const { ranked, band } = match(text);
    return band === "high" ? ranked[0]?.name : undefined;
  };
  const found = findSimilar(incident, past, { servers, most: mostSimilar, runbookOf, errorsIn });
  const { db } = deps.store;
  const line = (text: string): string =>
    redactText(deps.redact, text).replace(/\s+/g, " ").trim().replace(/\.$/, "").slice(0, longestFix);
  const similar = await Promise.all(
    found.map(async ({ id, number, cause, closedAt }): Promise<SimilarIncident> => {
      const history = {
        actions: await actionsOf(db, id),
        runs: await runsOf(db, id),
        turns: await turnsOf(db, id),
        hypotheses: await hypothesesOf(db, id),
      };
      // The hit has only the beginning of its text.
      const foreign = await foreignTexts(db, { ...history, incident: await incidentOf(db, id) });
      const agents = agentsCause({ ...history, foreign });
      // The agent quotes outputs, which a public issue must not show.
      const confirmed = agents?.isConfirmed && agents.words !== "" && !incident.public ? agents.words : null;
      const fixes = helpedIn(history).slice(-mostFixes);
      return {
        number,
        closed: daysAgo(closedAt, now),
        cause: cause === null ? confirmed && line(confirmed) : line(cause),
        byAgent: cause === null,
        helped: fixes.map(({ spec }) => line(spec.command)),
      };
    }),
  );
  return similar.filter(({ cause, helped }) => cause !== null || helped.length > 0);
}

const quoted = /```[^\n]*\n([\s\S]*?)```|`([^`\n]{12,300})`/g;

/** What programs said, in any language: all that is quoted, and what reads as trouble. */
function errorsIn({ title, body }: IncidentText): readonly string[] {
  const blocks = [...body.matchAll(quoted)].map(([, block, span]) => block ?? span ?? "");
  const troubleLines = findTrouble(`${title}\n${body}`).map(({ text }) => text);
  return [...blocks.flatMap((block) => block.split("\n")), ...troubleLines];
}

/** How long the first turn waits for what changed. */
const firstLookMs = 3_000;

const changesPollMs = 100;

/** Waits until the changes are read, if the incident names a service; for seconds at most, so that no card is kept back. */
async function waitForChanges(
  { store, config }: Deps,
  { incident, values, repoChanges, signal }: AgentTurn,
): Promise<IncidentChanges | undefined> {
  const named = chooseServices(config.context.services, {
    texts: [incident.title, incident.body],
    labels: [...incident.labels, ...values.filter(({ source }) => source !== "person").map(({ value }) => value)],
  });
  if (named.length === 0) return repoChanges;
  for (let waited = 0; waited < firstLookMs && !signal.aborted; waited += changesPollMs) {
    const rows = await partsOf(store.db, incident.id, "repoChanges");
    if (rows.repoChanges) return untoldChanges(rows);
    await setTimeout(changesPollMs);
  }
  return repoChanges;
}

interface StatusLine {
  /** A newer one replaces it. Never throws. */
  readonly say: (doing: string) => void;
  /** The final board must come last. */
  readonly settled: () => Promise<void>;
}

/** The board's status line (S15.6, OP-5). Its failures must not fail a turn. */
function createStatusLine(deps: Deps, incidentId: string): StatusLine {
  let next: string | undefined;
  let writing = Promise.resolve();

  const write = async (): Promise<void> => {
    const doing = next;
    if (doing === undefined) return;
    next = undefined;
    try {
      await deps.store.transaction(async (tx) => show(tx, deps, await lockIncident(tx, incidentId), doing));
    } catch (error) {
      deps.log.warn({ module: "agent", event: "status_lost", err: error });
    }
  };
  return {
    say: (doing) => {
      next = doing;
      writing = writing.then(write);
    },
    settled: () => writing,
  };
}

/**
 * As of the session's beginning, because the prompt must not change between turns (INJ-5). `src/store/track-record.ts` defines `worked`.
 */
async function recordsFor(
  deps: Pick<Deps, "store">,
  { repoId }: Pick<Incident, "repoId">,
  { createdAt: asOf }: Pick<Session, "createdAt">,
): Promise<Records> {
  const records = await trackRecords(deps.store.db, { repoId, asOf });
  return new Map(
    [...records].map(([name, { used, worked, lastAt }]) => [
      name,
      `worked ${worked} of ${used}, last ${daysAgo(lastAt, asOf)}`,
    ]),
  );
}

/** Ends a turn that posts no card: results that waited for its card are posted by themselves. */
async function endWithoutCard(tx: Tx, deps: Deps, incident: Incident): Promise<void> {
  await releaseResults(tx, threadOf(incident));
  await show(tx, deps, incident);
}

/** A first turn is the opener's, also if it left its place to the end of a batch. */
const firstCause = (cause: Cause, { steps }: Session): Cause =>
  cause.kind === "batch-ended" && steps === 0 ? { kind: "opened" } : cause;

/** Who pays for the turn, if known. */
function starterOf(incident: Incident, batches: readonly Batch[], cause: Cause): number | undefined {
  if (cause.kind === "opened") return incident.openerId;
  if (cause.kind !== "batch-ended") return cause.personId;
  return (
    batches.findLast(({ numbers }) => numbers.some((number) => cause.numbers.includes(number)))?.personId || undefined
  );
}

/** Also if it left its place to the end of a batch. */
const isFirstLook = ({ cause: { kind }, session }: Pick<AgentTurn, "cause" | "session">): boolean =>
  kind === "opened" || kind === "investigated" || (kind === "batch-ended" && session.steps === 0);

/**
 * Proposes a surely fitting runbook's checks in tens of milliseconds, so that people can approve them while a slow model thinks; a fast
 * one's card carries them. Returns whether that card only adds to them.
 */
async function postChecks(deps: Deps, turn: AgentTurn): Promise<boolean> {
  if (!deps.ask || !isFirstLook(turn)) return false;
  const { turns } = turn.rows;
  // An earlier attempt has posted them.
  if (turns.length > 0) return turns.every(({ step }) => step === 0);
  const { repoContext, runbooks, records, session, cause, personId, values } = turn;
  if (!sureRunbook(runbooks, turn.incident)) return false;
  const read = bareReading(deps.redact, readOffline(deps, turn, "model-reads"));
  if (read.proposals.length === 0) return false;
  const addressIn = createAddressIn(deps, repoContext, turn.incident.repo);
  const links = knownLinks(read.runbooks, { skills: runbooks.skills, records }, addressIn);
  const reading = { ...read, runbooks: links };
  const by = {
    origin: "offline",
    promptSha256: null,
    values,
    earlier: earlierIn(turn.rows),
    lease: turn.rows.lease,
  } as const;
  const proposals = await preparePatches(deps, repoContext, reading.proposals, turn.incident);
  const drafts = draftProposals(deps, repoContext, proposals, by);
  return deps.store.transaction(async (tx) => {
    const incident = await lockIncident(tx, turn.incident.id);
    if (incident.state !== "open") return false;
    const step = await addTurn(tx, session, {
      cause: cause.kind,
      offline: true,
      before: true,
      reading,
      messages: [],
      usage: noUsage,
      personId,
      contextCommit: repoContext.context.commit,
    });
    await propose(tx, deps, repoContext, {
      incident,
      rows: await partsOf(tx, incident.id, "actions", "approvals", "lease", "runs"),
      turn: step,
      reading,
      origin: by.origin,
      drafts,
      told: new Set(turn.runs.map(({ number }) => number)),
    });
    await show(tx, deps, incident, "reading the incident");
    return true;
  });
}

interface TurnAnswer extends TurnEffort {
  readonly reading: Reading;
  readonly offline: boolean;
  /** Null if the runbooks answered. */
  readonly promptSha256: string | null;
  readonly heardComment?: number | undefined;
  readonly question?: AskedQuestion | undefined;
  readonly refusal?: AskRefusal | undefined;
  readonly messages: readonly ChatMessage[];
  readonly usage: TokenUsage;
  /** As the model has read them. */
  readonly toldRules?: string | undefined;
}

/** Asks the model; if it fails, the runbooks answer and the card says so. */
async function answerByModel(deps: Deps, ask: AskModel, turn: AgentTurn): Promise<TurnAnswer> {
  const toldFirst = turn.told;
  const { result, refusal, promptSha256, rulesSha256, heardComment } = await askModel(deps, ask, turn);
  const { usage, toolCallCount, durationMs } = result;
  // What ran meanwhile has had no answer.
  if (result.kind === "failed" || result.lost !== undefined) turn.told = toldFirst;
  // People go on while the model thinks.
  turn.rows = await turnRowsOf(deps.store.db, turn.incident.id);
  if (result.kind === "read") {
    const { reading } = result;
    const ofModel = reading.proposals.flatMap(checksIn).map(({ command }) => command);
    // A runbook's next step would contradict an agent that says how to close the incident and proposes nothing.
    const saysOver = reading.proposals.length === 0 && /`\/close\b/.test(reading.prose);
    const suggestions =
      reading.suggestions.length > 1 || saysOver
        ? reading.suggestions
        : [...reading.suggestions, ...readOffline(deps, turn, "no-model", ofModel).suggestions].slice(
            0,
            mostSuggestions,
          );
    return {
      reading: { ...reading, suggestions },
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
  // If the bot stops or lost the turn, the model has not failed: the next process asks again.
  turn.signal.throwIfAborted();
  const answer = answerOffline(deps, turn, refusal ? "over-budget" : "model-down", promptSha256 !== "");
  const effort = { usage, toolCallCount, durationMs: durationMs + answer.durationMs };
  if (refusal) return { ...answer, refusal, ...effort };
  const reading = readWithoutModel(turn, { reading: answer.reading, why: result.message });
  // The next turn repeats the news, unless it made the model fail.
  const isSpoilt = result.why === "refused" || result.why === "context-overflow";
  const heard = isSpoilt ? {} : { messages: result.added, heardComment, toldRules: rulesSha256 };
  return { ...answer, reading, ...heard, ...effort };
}

/** `hadTurn`: the turn is logged already. */
function answerOffline(deps: Deps, turn: AgentTurn, reason: Reason, hadTurn = false): TurnAnswer {
  const started = performance.now();
  const line = { module: "agent", model: "offline" };
  if (!hadTurn) deps.log.info({ ...line, event: "turn_start", messageCount: 0 });
  const reading = readOffline(deps, turn, reason);
  const effort = { toolCallCount: 0, durationMs: Math.round(performance.now() - started) };
  if (!hadTurn)
    deps.log.info({ ...line, event: "turn_end", inputTokens: 0, outputTokens: 0, totalTokens: 0, ...effort });
  return { reading, offline: true, promptSha256: null, messages: [], usage: noUsage, ...effort };
}

interface ModelAnswer {
  readonly result: TurnResult;
  readonly refusal: AskRefusal | undefined;
  /** Empty if no request was made. */
  readonly promptSha256: string;
  readonly heardComment: number | undefined;
  readonly rulesSha256?: string;
}

/** Asks within the budgets; stores only costs and reactions. */
async function askModel(deps: Deps, ask: AskModel, turn: AgentTurn): Promise<ModelAnswer> {
  const { incident, session, repoContext, runbooks, cause, rows, signal, onStatus, personId } = turn;
  const account = { incident, sessionId: session.id, personId, step: session.steps + 1 };
  const begun = firstCause(cause, session);
  const refused = (await inFlood(deps, account, begun)) ?? (await tooManyTurns(deps, account, begun));
  if (refused) {
    const failure = { kind: "failed", why: "budget", message: refused.short, added: [], usage: noUsage } as const;
    return {
      result: { ...failure, toolCallCount: 0, durationMs: 0 },
      refusal: refused,
      promptSha256: "",
      heardComment: undefined,
    };
  }
  const purse = budgetModel(deps, ask, account);
  const model = deps.config.model.endpoints[0]?.model;
  const log = (event: object) => deps.log.info({ module: "agent", model, ...event });
  // Messages are logged by the turn that adds them, the system prompt by every turn.
  const onMessage = ({ role, content }: ChatMessage, tool?: string) =>
    onDebug(deps, content, (payload) =>
      tool === undefined
        ? deps.log.debug({ module: "agent", event: "message", role, ...payload })
        : deps.log.debug({ module: "agent", event: "tool_result", tool, ...payload }),
    );

  const history = await messagesOf(deps.store.db, session.id);
  const prepared = await prepareRequest(deps, turn, {
    history,
    createTools: (skills) => createTools(deps, turn, skills),
    // A helper spends the same budget.
    createDelegate: (given) => (task) =>
      runDelegate({
        ...buildHelperRequest(given, task),
        ask: purse.ask,
        signal,
        onStatus,
        onMessage,
        log: (event) => log({ ...event, helper: true }),
      }),
  });
  // A fresh incident has no comments.
  const heard =
    cause.kind === "opened" && cause.fresh && !incident.public
      ? { opener: true, comments: [], rights: "", newest: undefined, ...noThumbs }
      : await readNewComments(deps, turn);
  await keepThumbs(deps, incident, heard);
  const changes = await describeChangesSince(deps, turn, history);
  const isFirst = history.length === 0 && isFirstLook(turn);
  const skill = isFirst ? sureRunbook(runbooks, incident) : undefined;
  const runbook = skill && { name: skill.name, text: await readSkill(deps, turn, skill) };

  onMessage({ role: "system", content: prepared.prompt.text });
  for (const message of prepared.reminder) onMessage(message);
  const counted: { isAnswered: boolean; inputTokens?: number } = { isAnswered: false };
  const result = await runTurn({
    ask: async (request, watch) => {
      const answer = await purse.ask(request, watch);
      if (answer.kind === "failed") return answer;
      if (!counted.isAnswered) prepared.logInjection();
      counted.isAnswered = true;
      if (!answer.usage.estimated) counted.inputTokens = answer.usage.inputTokens;
      return answer;
    },
    signal,
    onStatus,
    onMessage,
    system: prepared.prompt.text,
    history: [...prepared.history, ...prepared.reminder],
    news: turnMessage({
      ...turn,
      session: { ...turn.session, ...modelSteps(turn.session, rows.turns, rows.freeTurns) },
      told: numbersIn(turn.told),
      heard,
      changes,
      runbook,
      rivals: isFirst && !skill ? rivalRunbooks(runbooks, incident) : [],
      questions: rows.questions,
      hypotheses: rows.hypotheses,
      pullRequests: rows.pullRequests,
      rules: rulesDue(prepared.history, { ...rows, runs: turn.runs }),
      now: deps.now(),
    }),
    tools: prepared.tools,
    servers: namesOf(repoContext.rules.servers),
    maxActions: deps.config.agent.maxActionsPerResponse,
    trouble: () => troubleIn(turn),
    hypotheses: rows.hypotheses,
    record: recordOf(turn),
    bare: (text) => redactMarkdown(deps.redact, text),
    log,
  });
  // The first message keeps how far the audit was read, and the requests' size.
  const { isAnswered, inputTokens } = counted;
  const [news, ...rest] = result.added;
  const kept = { auditSeq: rows.head.seq, ...(inputTokens !== undefined && { inputTokens }) };
  const added = news?.role === "user" ? [{ ...news, ...kept }, ...rest] : [];
  return {
    // An unread reminder comes again.
    result: { ...addWhatToAsk(result, cause), added: [...(isAnswered ? prepared.reminder : []), ...added] },
    refusal: purse.refusal(),
    promptSha256: prepared.prompt.sha256,
    ...(isAnswered && { rulesSha256: prepared.rulesSha256 }),
    heardComment: heard.newest,
  };
}

const numbersIn = (batches: readonly Pick<Batch, "numbers">[]): readonly number[] =>
  batches.flatMap(({ numbers }) => numbers);

/** What the words are compared with; it grows while reads run in this turn. */
const recordOf = (turn: AgentTurn): TurnRecord => ({
  get runs() {
    const { runs, rows } = turn;
    return [
      ...runs.map((run) => ({ ...run, isWell: wentWell(run) })),
      ...rows.runs.flatMap(({ actionId, server, ending, step }) => {
        const action = ending === null && rows.actions.find(({ id }) => id === actionId);
        if (!action) return [];
        const { number, spec } = action;
        const { command } = memberOf(spec, { step });
        return [{ number, servers: [server], command, reads: spec.risk === "low", ending, isWell: false, output: "" }];
      }),
    ];
  },
  get open() {
    return turn.rows.actions.filter(isUnfinished).map(({ number }) => number);
  },
});

/** The model must address each. */
function troubleIn({ told, runs }: Pick<AgentTurn, "told" | "runs">): readonly Trouble[] {
  const numbers = numbersIn(told);
  const troubled = runs.filter((run) => numbers.includes(run.number) && isTroubled(run) && !isMissed(run));
  return [...Map.groupBy(troubled, ({ number }) => number)].map(([number, same]) => ({
    number,
    lines: same.flatMap(({ trouble }) => trouble ?? []),
    what: [
      ...new Set(
        same.map(
          ({ ending, outcome, trouble }) =>
            endingWords(ending, outcome) + (trouble !== null ? ", with errors in its output" : ""),
        ),
      ),
    ].join("; "),
  }));
}

/** `ls: cannot access …`, `bash: ss: command not found`, `Unit x.service could not be found.` */
const missed =
  /^\s*(?:[\w./-]{1,40}: )?(?:line \d+: )?[^:]{0,200}?: (?:No such file or directory|(?:command )?not found)\s*$|\bcould not be found\b|\bis not recognized\b/i;

/** A look that found nothing to look at, such as a runbook's check on the wrong server, says nothing of the fault. */
const isMissed = ({ reads, ending, outcome, trouble, output }: RunResult): boolean =>
  reads &&
  outcome?.kind !== "surprise" &&
  ending.kind === "exited" &&
  ending.code !== 0 &&
  output.trim().split("\n").length <= 3 &&
  (trouble ?? output).split("\n").every((line) => missed.test(line));

function addWhatToAsk(result: TurnResult, { kind }: Cause): TurnResult {
  if (result.kind === "failed" || result.outcome === "asked" || kind === "asked" || kind === "answered") return result;
  const { reading } = result;
  const { proposals, confidence, notes } = reading;
  // A doubt about its words says nothing of how to go on.
  const isAnswered = notes.some((note) => !/^No output shows this: /.test(note));
  if (proposals.length > 0 || confidence !== undefined || isAnswered) return result;
  const note =
    "Nothing is proposed, and the agent does not say how sure it is. To go on: `/ask what should we look at next?`";
  return { ...result, reading: { ...reading, notes: [...notes, note] } };
}

/** Returns the session with the turn's cost. */
async function conclude(
  tx: Tx,
  deps: Deps,
  turn: AgentTurn,
  outcome: {
    readonly answer: TurnAnswer;
    readonly reading: Reading;
    readonly drafts: readonly DraftedProposal[];
    /** Its proposals stand beside the open ones. */
    readonly adds: boolean;
  },
): Promise<Session> {
  const { incident, session, repoContext, runbooks, records, cause, personId } = turn;
  const { answer, drafts, adds } = outcome;
  const clean = (text: string): string => redactText(deps.redact, text);
  const question = answer.question && {
    text: clean(answer.question.text),
    choices: answer.question.choices.map(clean),
  };
  const links = { skills: runbooks.skills, records };
  const reading = {
    ...outcome.reading,
    notes: [...(answer.refusal ? [await refusalText(tx, answer.refusal)] : []), ...outcome.reading.notes],
    prose: outcome.reading.prose === "" && question ? "I need an answer to go on." : outcome.reading.prose,
    runbooks: knownLinks(outcome.reading.runbooks, links, createAddressIn(deps, repoContext, incident.repo)),
  };
  const messages = answer.messages.map((message) => bareMessage(deps.redact, message));
  const step = await addTurn(tx, session, {
    cause: cause.kind,
    ...answer,
    personId,
    reading,
    messages,
    contextCommit: repoContext.context.commit,
    // People read of it once, on the first card.
    similar: session.steps === 0 ? turn.similar[0] : undefined,
    toldChanges: turn.repoChanges !== undefined && messages.length > 0,
  });
  // Only a runbook's checks come before the first step.
  const hasChecks = session.steps === 0 && turn.rows.turns.length > 0;
  await carryToCard(tx, threadOf(incident), turn.told, { step: step.step, hasChecks });
  // What the model proposes is compared with what ended, and a condition names a check that may have.
  const isCompared = ({ alone }: DraftedProposal): boolean =>
    alone.kind === "draft" && (!answer.offline || alone.draft.spec.guard !== undefined);
  const readParts = drafts.some(isCompared) ? partsOf : openPartsOf;
  const rows = await readParts(tx, incident.id, "actions", "approvals", "lease", "runs", "session");
  await propose(tx, deps, repoContext, {
    incident,
    rows,
    turn: step,
    reading,
    origin: answer.offline ? "offline" : "model",
    drafts,
    told: new Set(turn.runs.map(({ number }) => number)),
    // A question supersedes nothing.
    adds: adds || cause.kind === "asked",
    asked: askedOf(turn),
    counted: turn.raised,
    keeps: turn.handedBack,
  });
  if (question) {
    const { number, step: askedIn, text } = await addQuestion(tx, incident.id, { step: step.step, ...question });
    await appendAudit(tx, { kind: "question_asked", incidentId: incident.id, body: { number, step: askedIn, text } });
  }
  for (const one of reading.hypotheses ?? []) {
    if (turn.rows.hypotheses.some((before) => isDeepStrictEqual({ ...before, ...one }, before))) continue;
    const { id, says, status, forRuns, againstRuns } = one;
    await putHypothesis(tx, incident.id, { id, says, status, forRuns, againstRuns }, step.step);
    const body = { id, step: step.step, says, status, for: forRuns, against: againstRuns };
    await appendAudit(tx, { kind: "hypothesis_changed", incidentId: incident.id, body });
  }
  await show(tx, deps, incident);
  return rows.session;
}

/** Reads an incident by its runbooks alone. With `ofModel`, the model's commands, adds only follow-ups. */
function readOffline(deps: Deps, turn: AgentTurn, reason: Reason, ofModel?: readonly string[]): Reading {
  const { incident, rows, repoContext, runbooks, runs, cause, values } = turn;
  const followed = rows.turns.findLast(({ offline }) => offline)?.runbooks ?? [];
  // What was settled before is live no more.
  const stateOf = (action: Action | PastAction) =>
    "digest" in action && isLiveAction(deps, repoContext, action)
      ? "open"
      : action.state === "rejected"
        ? "rejected"
        : "ended";
  const earlier = [...rows.pastActions, ...rows.actions].sort((one, other) => one.number - other.number);
  const proposed = earlier.flatMap((action) =>
    checksIn(action.spec).map(({ command }): NonNullable<OfflineInput["proposed"]>[number] => ({
      command,
      place: action.spec.place,
      by: action.origin === "person" ? "person" : "agent",
      state: stateOf(action),
    })),
  );
  // Runbooks are written for shells; they mean a source only if there are none.
  const shells = repoContext.rules.servers.filter(({ source, patches }) => !source && !patches);
  const servers = shells.length > 0 ? shells : repoContext.rules.servers;
  return offlineReading({
    skills: runbooks.skills,
    workflows: runbooks.workflows,
    incident: { title: incident.title, body: incident.body },
    servers: servers.map(toolSummary),
    repositories: repoContext.rules.servers.flatMap(({ name, patches }) => (patches ? [name] : [])),
    values,
    serverNamed: serverNamedBy(values, servers),
    runs,
    proposed,
    // None of several candidates was followed.
    following: followed.length === 1 ? followed[0]?.label : undefined,
    asked: cause.kind === "asked" && ofModel === undefined ? cause.text : undefined,
    again: cause.kind === "investigated",
    ofModel,
    reason,
    unread: incident.public,
    readsOnly: (command, name) => {
      const server = servers.find((candidate) => candidate.name === name);
      const os = server?.os === "windows" ? "windows" : "linux";
      return server !== undefined && deps.evaluate(command, { ...server, os }).risk === "low";
    },
  });
}

/** Whether a new card would only repeat the newest one. */
function isSaidAlready({ rows, cause }: Pick<AgentTurn, "rows" | "cause">, reading: Reading): boolean {
  const newest = rows.turns.at(-1);
  if (cause.kind !== "batch-ended" || !newest?.offline || rows.lease || reading.proposals.length > 0) return false;
  return isDeepStrictEqual(wordsOf(newest), wordsOf(reading));
}

const wordsOf = (said: Pick<Reading, "prose" | "suggestions" | "notes" | "runbooks">): readonly unknown[] => [
  said.prose,
  said.suggestions,
  said.notes,
  said.runbooks.map(({ label }) => label),
];

/** If the model fails: the runbooks' checks before any run, or their answer to a person; otherwise nothing changes. */
function readWithoutModel(
  { rows, session, runs, cause }: AgentTurn,
  { reading, why }: { readonly reading: Reading; readonly why: string },
): Reading {
  const failed = `The model did not answer: ${why}.`;
  const again = "To try again: `/ask`";
  const { phase: _phase, confidence: _confidence, ...words } = reading;
  const answer = { ...(session.steps === 0 ? reading : words), notes: [`${failed} ${again}`, ...reading.notes] };
  if (runs.length === 0 || (cause.kind === "asked" && reading.proposals.length > 0)) return answer;
  const suggestions = rows.turns.at(-1)?.suggestions ?? [];
  return {
    prose: "",
    proposals: [],
    suggestions,
    runbooks: [],
    notes: [`${failed} Nothing else has changed. ${again}`],
  };
}

const turnSchema = z.object({ incidentId: z.string() });

/** Gives up an agent turn after its last attempt. */
export async function giveUpTurn(tx: Tx, deps: Deps, job: Job, reason: string): Promise<void> {
  const incident = await lockIncident(tx, turnSchema.parse(job.data).incidentId);
  // Takes "the agent reads" off the board.
  await endWithoutCard(tx, deps, incident);
  if (incident.state !== "open" || isDraft(job)) return;
  const body = `⚠️ I failed to read this and have given up: ${deps.markdown.plain(reason)}. To try again: \`/ask\`. The operator's log has the details.`;
  await wantNotice(tx, threadOf(incident), body);
}
