import type { Trouble } from "../../agent/reply/trouble.ts";
import { noUsage, runTurn, type TurnResult } from "../../agent/turn.ts";
import type { AskModel } from "../../agent/wire/model.ts";
import type { ChatMessage } from "../../base/agent.ts";
import { endingWords } from "../../github/render/ending.ts";
import { messagesOf } from "../../store/turns.ts";
import type { Deps } from "../context.ts";
import { onDebug } from "../payload.ts";
import { namesOf } from "../proposal/draft.ts";
import { budgetModel, inFlood, type Over, tooManyTurns } from "./budget.ts";
import { type NewComments, noThumbs, readNewComments } from "./conversation.ts";
import { createDelegate } from "./delegate.ts";
import { tellRunbook } from "./known-runbook.ts";
import { tellPrompt } from "./prompt-reinjection.ts";
import { keepThumbs } from "./reactions.ts";
import { tellChanges } from "./tell-changes.ts";
import type { TurnInput } from "./turn-input.ts";
import { type Cause, commenterOf, isTroubled, type ToldRun, turnMessage } from "./turn-message.ts";
import { createDoings } from "./turn-tools.ts";

interface Asked {
  readonly result: TurnResult;
  /** Why the model was not asked, or not again: what may be spent is spent. */
  readonly over: Over | undefined;
  readonly promptSha256: string;
  readonly heardComment: number | undefined;
  readonly rulesSha256?: string;
}

/** Has the model take the turn, within the operator's budgets. Stores nothing but what it costs and what people's reactions say. */
export async function askModel(deps: Deps, ask: AskModel, input: TurnInput): Promise<Asked> {
  const { incident, session, repoContext, runbooks, runs, cause, values, toldNumbers, signal, onStatus, personId } =
    input;
  const account = { incident, sessionId: session.id, personId, step: session.steps + 1 };
  const spared = (await inFlood(deps, account, cause)) ?? (await tooManyTurns(deps, account, cause));
  if (spared) return unasked(spared);
  const purse = budgetModel(deps, ask, account);
  const model = deps.config.model.endpoints[0]?.model;
  const log = (event: object) => deps.log.info({ module: "agent", model, ...event });
  const onMessage = (message: ChatMessage, tool?: string) => tellMessage(deps, message, tool);
  const watch = { ask: purse.ask, signal, onStatus, onMessage };
  const { workflows } = runbooks;
  const history = await messagesOf(deps.store.db, session.id);
  const told = await tellPrompt(
    deps,
    { ...input, history, commenter: commenterOf(cause) },
    {
      doings: (skills) =>
        createDoings({ deps, incident, session, repoContext, skills, workflows, values, toldNumbers }),
      delegate: (given) => createDelegate({ ...given, ...watch, log: (event) => log({ ...event, helper: true }) }),
    },
  );
  const heard = await hearingOf(deps, input);
  await keepThumbs(deps, incident, heard);
  const changes = await tellChanges(deps, input, history);
  const runbook = await tellRunbook(deps, input, history.length > 0);
  onMessage({ role: "system", content: told.prompt.text });
  for (const message of told.reminder) onMessage(message);
  const counted: { isAnswered: boolean; inputTokens?: number } = { isAnswered: false };
  const askCounted: AskModel = async (request, watching) => {
    const answer = await purse.ask(request, watching);
    if (answer.kind === "failed") return answer;
    if (!counted.isAnswered) told.logTold();
    counted.isAnswered = true;
    if (!answer.usage.estimated) counted.inputTokens = answer.usage.inputTokens;
    return answer;
  };
  const result = await runTurn({
    ...watch,
    ask: askCounted,
    system: told.prompt.text,
    history: [...told.history, ...told.reminder],
    news: turnMessage({ ...input, heard, changes, runbook, questions: input.rows.questions, now: deps.now() }),
    tools: told.tools,
    servers: namesOf(repoContext.rules.servers),
    maxActions: deps.config.agent.maxActionsPerResponse,
    trouble: troubleOf(cause, runs),
    ran: runs.map(({ number }) => number),
    log,
  });
  const { isAnswered, inputTokens } = counted;
  const kept = { auditSeq: input.rows.head.seq, ...(inputTokens !== undefined && { inputTokens }) };
  return {
    // The model has not read it, so the next turn tells it again.
    result: {
      ...withEnd(result, cause),
      added: [...(isAnswered ? told.reminder : []), ...withKept(kept, result.added)],
    },
    over: purse.over(),
    promptSha256: told.prompt.sha256,
    ...(isAnswered && { rulesSha256: told.rulesSha256 }),
    heardComment: heard.newest,
  };
}

/** Keeps with the turn's first message how far it tells what became of the actions, and what its requests have come to. */
const withKept = (
  kept: { readonly auditSeq: number; readonly inputTokens?: number },
  [news, ...rest]: readonly ChatMessage[],
): readonly ChatMessage[] => (news?.role === "user" ? [{ ...news, ...kept }, ...rest] : []);

/** Words that come to nothing are told as that: whoever reads them at night must not look for what is not there. */
function withEnd(result: TurnResult, { kind }: Cause): TurnResult {
  if (result.kind === "failed" || result.outcome === "asked" || kind === "asked" || kind === "answered") return result;
  const { reading } = result;
  const { proposals, confidence, notes } = reading;
  if (proposals.length > 0 || confidence !== undefined || notes.length > 0) return result;
  const note =
    "Nothing is proposed, and the agent does not say how sure it is. To go on: `/ask what should we look at next?`";
  return { ...result, reading: { ...reading, notes: [note] } };
}

/** At level debug: each message of a conversation is told once, in the turn that adds it; the system prompt in every turn (S14). */
function tellMessage(deps: Deps, { role, content }: ChatMessage, tool?: string): void {
  onDebug(deps, content, (payload) =>
    tool === undefined
      ? deps.log.debug({ module: "agent", event: "message", role, ...payload })
      : deps.log.debug({ module: "agent", event: "tool_result", tool, ...payload }),
  );
}

const unasked = (over: Over): Asked => ({
  result: {
    kind: "failed",
    why: "budget",
    message: over.short,
    added: [],
    usage: noUsage,
    toolCallCount: 0,
    durationMs: 0,
  },
  over,
  promptSha256: "",
  heardComment: undefined,
});

/** The runs that this turn is about and that report trouble: none may be passed over (AR-15). */
function troubleOf(cause: Cause, runs: readonly ToldRun[]): readonly Trouble[] {
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
const hearingOf = (deps: Deps, { incident, session, repoContext, cause, askedAt }: TurnInput): Promise<NewComments> =>
  cause.kind === "opened" && cause.fresh && !incident.public
    ? Promise.resolve({ opener: true, comments: [], rights: "", newest: undefined, ...noThumbs })
    : readNewComments(deps, {
        incident,
        session,
        roster: repoContext.rules.policy.approvers,
        until: askedAt,
        told: "told" in cause ? cause.told : undefined,
        by: "login" in cause ? { id: cause.personId, login: cause.login } : undefined,
      });
