import { type BudgetVerdict, createTokenCounter, dayOf, judgeBudget, nextTurnAt } from "../../agent/tokens.ts";
import { costOf } from "../../agent/wire/endpoints.ts";
import type { AskModel } from "../../agent/wire/model.ts";
import { utcMinute } from "../../github/render/ink.ts";
import type { Tx } from "../../store/database/open.ts";
import { waitingBy } from "../../store/queue/table.ts";
import { type Account, isFirstNotice, reserveUsage, settleUsage, spentOn, turnsStartedBy } from "../../store/usage.ts";
import type { Deps } from "../context.ts";
import type { Cause } from "./turn-message.ts";

/** Assumed until the answer is there; nearly every reply is shorter. */
const mayAnswerTokens = 4_000;

export interface AskRefusal {
  /** Identifies the limit and its period; the long text is shown once for each. */
  readonly about: string;
  readonly long: string;
  readonly short: string;
}

export interface BudgetedModel {
  readonly ask: AskModel;
  readonly refusal: () => AskRefusal | undefined;
}

type SpentBudget = Extract<BudgetVerdict, { kind: "over" }>;

/**
 * Asks the model within the operator's budgets (SR-58, SR-60). Reserves the worst cost first, so that they hold across parallel turns.
 * Throws only if the store cannot be written.
 */
export function budgetModel(deps: Deps, ask: AskModel, account: Account): BudgetedModel {
  const { store, config, now } = deps;
  const counter = createTokenCounter();
  let refusal: AskRefusal | undefined;

  /** The reservation's id, or the spent budget. */
  async function reserve(inputTokens: number): Promise<string | SpentBudget> {
    const worst = { inputTokens, outputTokens: mayAnswerTokens, cachedTokens: 0 };
    const cost = Math.max(0, ...config.model.endpoints.map(({ price }) => costOf(worst, price)));
    const at = now();
    return store.transaction(async (tx) => {
      const verdict = judgeBudget({
        limits: config.model.budget,
        spent: await spentOn(tx, account, dayOf(at)),
        more: { tokens: inputTokens + mayAnswerTokens, cost },
        now: at,
      });
      if (verdict.kind === "over") return verdict;
      return reserveUsage(tx, account, { inputTokens, outputTokens: mayAnswerTokens, cost, at });
    });
  }

  return {
    refusal: () => refusal,
    ask: async (request, watch) => {
      const reserved = await reserve(counter.countRequest(request.messages, request.tools ?? []));
      if (typeof reserved !== "string") {
        refusal = spentWords(reserved, account, now());
        const { key } = reserved.budget;
        deps.log.warn({ module: "agent", event: "budget_spent", sessionId: account.sessionId, budget: key });
        return { kind: "failed", why: "budget", message: refusal.short };
      }
      const answer = await ask(request, watch);
      const reply = answer.kind === "reply" ? answer : undefined;
      if (reply && !reply.usage.estimated) counter.learn(request.messages, request.tools ?? [], reply.usage);
      await settleUsage(store.db, reserved, reply && { ...reply.usage, model: reply.model, cost: reply.cost });
      return answer;
    },
  };
}

const manually = "People go on with `/run`; approved commands run as before.";

function spentWords({ budget, spent, limit, until }: SpentBudget, { incident }: Account, at: Date): AskRefusal {
  const figure = (n: number) => (budget.in === "tokens" ? n.toLocaleString("en-US") : n.toFixed(2));
  const when = until ? `it is asked again from ${utcMinute(until)}` : "it is not asked here any more";
  const place = budget.of === "incident" ? incident.id : `${incident.repoId} ${dayOf(at).toISOString()}`;
  const key = `model.budget.${budget.key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
  return {
    about: `${budget.key} ${place}`,
    long: `The model's budget ${budget.name} is spent (${figure(spent)} of ${figure(limit)} ${budget.in === "tokens" ? "tokens" : "in money"}): ${when}, or when the operator raises ${key}. ${manually}`,
    short: `The model's budget ${budget.name} is spent: ${when}.`,
  };
}

/** Refuses a person's turns beyond the hourly limit. Listed bots have none, and results of approved commands are always read. */
export async function tooManyTurns(deps: Deps, account: Account, cause?: Cause): Promise<AskRefusal | undefined> {
  const { personId, incident } = account;
  if (cause?.kind === "batch-ended") return undefined;
  if (personId === undefined || deps.config.incident.bots.includes(personId)) return undefined;
  const perHour = deps.config.agent.turnsPerPersonPerHour;
  const began = await turnsStartedBy(deps.store.db, personId, new Date(deps.now().getTime() - 3_600_000));
  const until = nextTurnAt(began, perHour);
  if (!until) return undefined;
  const again = `asked again for that person from ${utcMinute(until)}`;
  return {
    about: `turns ${personId} ${incident.repoId} ${until.toISOString()}`,
    long: `One person has started ${perHour} turns of the agent within an hour, as many as one may: the model is ${again}. ${manually}`,
    short: `The model is ${again}.`,
  };
}

const mostTurnsWaiting = 50;

/** In a flood refuses first turns, because the last incident would wait for hours (F-40). A person's request is never refused. */
export async function inFlood(
  deps: Pick<Deps, "store">,
  account: Account,
  cause: Cause,
): Promise<AskRefusal | undefined> {
  if (cause.kind !== "opened") return undefined;
  const { id, repoId } = account.incident;
  const waiting = (await waitingBy(deps.store.db, "turn", mostTurnsWaiting)).get(String(repoId));
  if (waiting === undefined) return undefined;
  const short = "The model was not asked: too many incidents came at once. `/ask` has it read this one.";
  return { about: `flood ${id}`, long: `${short} ${waiting} more of this repository wait. ${manually}`, short };
}

/** The long text the first time, then the short one. */
export const refusalText = async (tx: Tx, { about, long, short }: AskRefusal): Promise<string> =>
  (await isFirstNotice(tx, about)) ? long : short;
