import type { AskModel } from "../agent/model.ts";
import type { TurnTools } from "../agent/tools.ts";
import type { Trouble } from "../agent/trouble.ts";
import { noUsage, runTurn, type TurnResult } from "../agent/turn.ts";
import { endingWords } from "../github/render/state.ts";
import { buildMenu } from "../runbooks/menu.ts";
import type { Incident, Session } from "../store/incidents.ts";
import { questionsOf } from "../store/questions.ts";
import { messagesOf } from "../store/turns.ts";
import { inFlood, type Over, openPurse, tooManyTurns } from "./budget.ts";
import { createDelegate } from "./delegate.ts";
import { namesOf } from "./draft.ts";
import { feedbackHistory } from "./feedback-history.ts";
import { type Hearsay, hear, noThumbs } from "./hearsay.ts";
import { tellPrompt } from "./injection.ts";
import { type Cause, commenterOf, isTroubled, newsOf, type PastRun } from "./news.ts";
import { keepThumbs } from "./reactions.ts";
import type { Runbooks } from "./runbooks.ts";
import { createStartWorkflow } from "./start-workflow.ts";
import { type Records, withRecords } from "./track-record.ts";
import { createTurnTools, summaryOf } from "./turn-tools.ts";
import type { Ground, World } from "./world.ts";

/** What a turn begins with. */
export interface TurnInput {
  readonly incident: Incident;
  readonly session: Session;
  readonly ground: Ground;
  readonly runbooks: Runbooks;
  readonly records: Records;
  readonly runs: readonly PastRun[];
  readonly cause: Cause;
  /** Who set it going. */
  readonly personId: number | undefined;
  /** What happened on the issue later is for the next turn (SR-36). */
  readonly askedAt: Date;
  readonly signal: AbortSignal;
  readonly onStatus: (doing: string) => void;
}

interface Asked {
  readonly result: TurnResult;
  /** Why the model was not asked, or not again: what may be spent is spent. */
  readonly over: Over | undefined;
  readonly promptSha256: string;
  readonly heardComment: number | undefined;
}

/** Has the model take the turn, within the operator's budgets. Stores nothing but what it costs and what people's reactions say. */
export async function askModel(world: World, ask: AskModel, input: TurnInput): Promise<Asked> {
  const { incident, session, ground, runbooks, runs, cause, signal, onStatus, personId } = input;
  const account = { incident, sessionId: session.id, personId, step: session.steps + 1 };
  const spared = (await inFlood(world, account, cause)) ?? (await tooManyTurns(world, account));
  if (spared) return unasked(spared);
  const purse = openPurse(world, ask, account);
  const { servers } = ground.rules;
  const menu = withRecords(buildMenu(runbooks.skills, incident), input.records);
  const model = world.config.model.endpoints[0]?.model;
  const log = (event: object) => world.log.info({ module: "agent", model, ...event });
  const prompt = { incident, session, ground, runbooks, menu, servers: servers.map(summaryOf) };
  const { workflows } = runbooks;
  const own: TurnTools = {
    ...createTurnTools({ world, incident, ground, nonce: session.nonce, servers, skills: menu }),
    feedbackHistory: () => feedbackHistory(world.store.db, session),
    ...(workflows.length > 0 && { startWorkflow: createStartWorkflow(workflows, servers, session.nonce) }),
  };
  const delegate = createDelegate({
    ...prompt,
    tools: own,
    config: world.config,
    context: ground.context,
    ask: purse.ask,
    signal,
    onStatus,
    log: (event) => log({ ...event, helper: true }),
  });
  const tools = world.config.features.subAgents ? { ...own, delegate } : own;
  const history = await messagesOf(world.store.db, session.id);
  const told = await tellPrompt(world, { ...prompt, tools, history, commenter: commenterOf(cause) });
  const heard = await hearingOf(world, input);
  await keepThumbs(world, incident, heard);
  const questions = await questionsOf(world.store.db, incident.id);
  const result = await runTurn({
    ask: purse.ask,
    system: told.prompt.text,
    history: [...history, ...told.reminder],
    news: newsOf({ incident, session, cause, runs, heard, questions, now: world.now() }),
    tools,
    servers: namesOf(servers),
    maxActions: world.config.agent.maxActionsPerResponse,
    trouble: troubleOf(cause, runs),
    ran: runs.map(({ number }) => number),
    signal,
    onStatus,
    log,
  });
  return {
    result: { ...result, added: [...told.reminder, ...result.added] },
    over: purse.over(),
    promptSha256: told.prompt.sha256,
    heardComment: heard.newest,
  };
}

const unasked = (over: Over): Asked => ({
  result: { kind: "failed", why: "budget", message: over.short, added: [], usage: noUsage },
  over,
  promptSha256: "",
  heardComment: undefined,
});

/** The runs that this turn is about and that report trouble: none may be passed over (AR-15). */
function troubleOf(cause: Cause, runs: readonly PastRun[]): readonly Trouble[] {
  if (cause.kind !== "batch-ended") return [];
  const troubled = runs.filter((run) => cause.numbers.includes(run.number) && isTroubled(run));
  return [...Map.groupBy(troubled, ({ number }) => number)].map(([number, same]) => ({
    number,
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

/** A fresh incident has no comments to ask GitHub for. */
const hearingOf = (world: World, { incident, session, cause, askedAt }: TurnInput): Promise<Hearsay> =>
  cause.kind === "opened" && cause.fresh && !incident.public
    ? Promise.resolve({ opener: true, comments: [], newest: undefined, ...noThumbs })
    : hear(world, { incident, session, until: askedAt, told: "told" in cause ? cause.told : undefined });
