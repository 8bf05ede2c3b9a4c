import * as z from "zod";
import { noUsage, runTurn } from "../agent/turn.ts";
import { buildMenu } from "../runbooks/menu.ts";
import { offlineReading } from "../runbooks/offline.ts";
import type { Tx } from "../store/database.ts";
import { holdsOn, isStanding } from "../store/holds.ts";
import { type Incident, lockIncident, type Session, sessionOf } from "../store/incidents.ts";
import { questionsOf } from "../store/questions.ts";
import type { Job } from "../store/queue.ts";
import { addTurn, messagesOf } from "../store/turns.ts";
import { bareMessage, bareReading } from "../text/bare.ts";
import type { ChatMessage, Reading, TokenUsage } from "../types.ts";
import { namesOf } from "./draft.ts";
import { type Hearsay, hear } from "./hearsay.ts";
import { tellPrompt } from "./injection.ts";
import { type Cause, causeSchema, newsOf, type PastRun, pastRuns } from "./news.ts";
import { propose } from "./propose.ts";
import { type Runbooks, runbooksOf } from "./runbooks.ts";
import { show } from "./show.ts";
import { createTurnTools, summaryOf } from "./turn-tools.ts";
import { type Ground, groundOf, type World } from "./world.ts";

const jobSchema = z.object({ incidentId: z.string(), cause: causeSchema, askedAt: z.coerce.date() });

/** Lets the agent take a turn when the transaction commits; an incident's turns are taken one after another. */
export async function enqueueTurn(
  tx: Tx,
  world: Pick<World, "store" | "now">,
  incident: Incident,
  cause: Cause,
): Promise<void> {
  await world.store.queue.enqueue(tx, "turn", incident.id, { incidentId: incident.id, cause, askedAt: world.now() });
}

/** What a turn came to, from the model or from the offline responder. */
interface Taken {
  readonly reading: Reading;
  readonly offline: boolean;
  /** Whether the reading replaces the proposals that are still pending (PA-6). */
  readonly replaces: boolean;
  /** Of the system prompt that the model answered; null where it did not. */
  readonly promptSha256: string | null;
  /** The newest comment that was read to the model. */
  readonly heardComment?: number | undefined;
  readonly messages: readonly ChatMessage[];
  readonly usage: TokenUsage;
}

/**
 * One turn of the agent: it reads what happened, and what it says becomes a card with proposals. The model is asked outside
 * of any transaction; what it proposes is checked against the incident as it stands when the answer is there.
 */
export async function turn(world: World, job: Job): Promise<void> {
  const { incidentId, cause, askedAt } = jobSchema.parse(job.data);
  const { db } = world.store;
  const incident = await db.selectFrom("incident").selectAll().where("id", "=", incidentId).executeTakeFirstOrThrow();
  // A halt ends commands, not the reading of what they said; a hold stops everything here, and /resume makes up for it.
  if (incident.state === "closed" || (await holdsOn(db, incident)).some(isStanding)) return;
  const session = await sessionOf(db, incidentId);
  const ground = await groundOf(world, incident);
  if (session.steps >= session.stepLimit) return sayLimit(world, job, ground, incidentId);

  const runbooks = readRunbooks(world, ground);
  const runs = await pastRuns(world, incidentId);
  const taken = await take(world, { incident, ground, runbooks, runs, cause, askedAt, signal: job.signal });
  await world.store.transaction(async (tx) => {
    const locked = await lockIncident(tx, incidentId);
    if (locked.state === "open") {
      const reading = bareReading(world.redact, taken.reading);
      const messages = taken.messages.map((message) => bareMessage(world.redact, message));
      const step = await addTurn(tx, session, { cause: cause.kind, ...taken, reading, messages });
      await propose(tx, world, ground, {
        incident: locked,
        turn: step,
        reading,
        origin: taken.offline ? "offline" : "model",
        promptSha256: taken.promptSha256,
        replaces: taken.replaces,
      });
      const now = await tx.selectFrom("incident").selectAll().where("id", "=", incidentId).executeTakeFirstOrThrow();
      await show(tx, world, ground, { incident: now });
    }
    await job.settle(tx);
  });
}

interface TurnInput {
  readonly incident: Incident;
  readonly ground: Ground;
  readonly runbooks: Runbooks;
  readonly runs: readonly PastRun[];
  readonly cause: Cause;
  /** What happened on the issue later is for the next turn (SR-36). */
  readonly askedAt: Date;
  readonly signal: AbortSignal;
}

async function take(world: World, input: TurnInput): Promise<Taken> {
  if (!world.ask) return offline(world, input, "no-model");
  const { result, promptSha256, heardComment } = await askModel(world, world.ask, input);
  if (result.kind === "read") {
    return {
      reading: result.reading,
      offline: false,
      replaces: result.outcome === "answered" && input.cause.kind !== "asked",
      promptSha256,
      heardComment,
      messages: result.added,
      usage: result.usage,
    };
  }
  // S15, OFF-1: the model's failure is told, and the runbooks answer in its place.
  const answer = offline(world, input, "model-down");
  const reading = {
    ...answer.reading,
    notes: [`The model did not answer: ${result.message}`, ...answer.reading.notes],
  };
  // Nothing to put in their place is no reason to take proposals away: the model has not been heard (PA-6).
  const replaces = answer.replaces && reading.proposals.length > 0;
  return { ...answer, reading, replaces, usage: result.usage };
}

async function askModel(world: World, ask: NonNullable<World["ask"]>, input: TurnInput) {
  const { incident, ground, runbooks, runs } = input;
  const session = await sessionOf(world.store.db, incident.id);
  const servers = ground.rules.servers;
  const menu = buildMenu(runbooks.skills, incident);
  const tools = createTurnTools({ world, incidentId: incident.id, nonce: session.nonce, servers, skills: menu });
  const history = await messagesOf(world.store.db, session.id);
  const told = { incident, session, ground, runbooks, menu, servers: servers.map(summaryOf), tools, history };
  const { prompt, reminder } = await tellPrompt(world, told);
  const heard = await hearingOf(world, input, session);
  const questions = await questionsOf(world.store.db, incident.id);
  const result = await runTurn({
    ask,
    system: prompt.text,
    history: [...history, ...reminder],
    news: newsOf({ incident, session, cause: input.cause, runs, heard, questions, now: world.now() }),
    tools,
    servers: namesOf(servers),
    maxActions: world.config.agent.maxActionsPerResponse,
    signal: input.signal,
    onStatus: (text) => showStatus(world, ground, incident.id, text),
    log: (event) => world.log.info({ module: "agent", sessionId: session.id, ...event }),
  });
  return {
    result: { ...result, added: [...reminder, ...result.added] },
    promptSha256: prompt.sha256,
    heardComment: heard.newest,
  };
}

/** A fresh incident has no comments to ask GitHub for. */
const hearingOf = (world: World, { incident, cause, askedAt }: TurnInput, session: Session): Promise<Hearsay> =>
  cause.kind === "opened" && cause.fresh && !incident.public
    ? Promise.resolve({ opener: true, comments: [], newest: undefined })
    : hear(world, { incident, session, until: askedAt });

/** The board says what the turn is doing. A status that cannot be written is not worth failing the turn for. */
function showStatus(world: World, ground: Ground, incidentId: string, doing: string): void {
  world.store
    .transaction(async (tx) => show(tx, world, ground, { incident: await lockIncident(tx, incidentId), doing }))
    .catch((error) => world.log.warn({ module: "agent", event: "status_lost", err: error }));
}

function offline(world: World, input: TurnInput, reason: "no-model" | "model-down"): Taken {
  const { incident, ground, runbooks, runs } = input;
  const reading = offlineReading({
    skills: runbooks.skills,
    incident: { title: incident.title, body: incident.body },
    servers: ground.rules.servers.map(summaryOf),
    runs,
    reason,
    readsOnly: (command, name) => {
      const server = ground.rules.servers.find((candidate) => candidate.name === name);
      const os = server?.os === "windows" ? "windows" : "linux";
      return server !== undefined && world.evaluate(command, { ...server, os }).risk === "low";
    },
  });
  return {
    reading,
    offline: true,
    replaces: input.cause.kind !== "asked",
    promptSha256: null,
    messages: [],
    usage: noUsage,
  };
}

/** The repository's runbooks; what cannot be used is named in the log, once for each commit (OP-3, OP-8). */
function readRunbooks(world: World, ground: Ground): Runbooks {
  const runbooks = runbooksOf(ground.context, ({ problems }) => {
    if (problems.length === 0) return;
    const named = problems.slice(0, 20).map(({ place, message }) => `${place} ${message}`);
    world.log.warn({ module: "runbooks", event: "runbooks_faulty", count: problems.length, problems: named });
  });
  return world.config.features.skills ? runbooks : { ...runbooks, skills: [] };
}

/** AR-17: the limit is said once, on the card of the step that is not taken. */
async function sayLimit(world: World, job: Job, ground: Ground, incidentId: string): Promise<void> {
  await world.store.transaction(async (tx) => {
    const incident = await lockIncident(tx, incidentId);
    await show(tx, world, ground, { incident });
    await job.settle(tx);
  });
}
