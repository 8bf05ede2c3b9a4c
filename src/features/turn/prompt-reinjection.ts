import { hash } from "node:crypto";
import {
  decideReinjection,
  lastInputTokens,
  lastReinjection,
  reinjectionMessage,
  triggerOf,
  withoutOutdated,
} from "../../agent/reinjection.ts";
import { createTokenCounter } from "../../agent/tokens.ts";
import type { ChatMessage } from "../../base/agent.ts";
import type { Config } from "../../config/load.ts";
import { rulesPath } from "../../github/context/plan.ts";
import type { Component } from "../../github/context/source.ts";
import type { Incident, Session } from "../../store/incidents.ts";
import { personPromptOf } from "../../store/person-prompts.ts";
import { redactText } from "../../text/bare.ts";
import type { Deps, RepoContext } from "../context.ts";
import { approvalRules, repoNonceOf, type SystemPrompt } from "./prompt.ts";
import { type Behind, buildRequest, type RequestInput, type TurnRequest } from "./turn-request.ts";

/** How often a prompt was told, in this process (INJ-4). */
interface Counts {
  first: number;
  repeated: number;
  failed: number;
  /** By repository: reads of its rules that failed one after another. */
  readonly failedInARow: Map<string, number>;
}
const counts = new WeakMap<Deps["store"], Counts>();

/** Reads of the rules that may fail one after another before it is an error. */
const maxFailedReads = 3;

/** The values in force, from the file or the environment; to be logged whenever they may have changed (INJ-3). */
export const logReinjection = (log: Deps["log"], { reinjection }: Pick<Config, "reinjection">): void =>
  log.info({ module: "systemPrompt", event: "reinjection_in_force", ...reinjection });

interface Told extends TurnRequest {
  /** The conversation so far as it is to be sent: without rules that hold no longer. */
  readonly history: readonly ChatMessage[];
  /** Instructions and rules again, where it is time (INJ-3); to be sent after the history and kept with it. */
  readonly reminder: readonly ChatMessage[];
  /** Of the rules in force, to be kept with the turn; empty where there are none. */
  readonly rulesSha256: string;
  /** Logs that they were told; to be called once a model has answered a request that holds them (INJ-4). */
  readonly logTold: () => void;
}

/** What the model is to be told before the news of a turn (INJ-3). */
export async function tellPrompt(
  deps: Deps,
  given: Pick<RequestInput, "runbooks" | "records"> & {
    readonly incident: Incident;
    readonly session: Session;
    readonly repoContext: RepoContext;
    readonly history: readonly ChatMessage[];
    /** Whose own comment starts the turn, if one does. */
    readonly commenter: number | undefined;
  },
  behind: Behind,
): Promise<Told> {
  const { incident, session, repoContext, history, commenter } = given;
  const { config } = deps;
  const component = await componentOf(deps, repoContext, incident);
  const personPrompt = commenter === undefined ? undefined : await personPromptOf(deps.store.db, commenter);
  const { context, rules: policy } = repoContext;
  const { prompt, tools } = buildRequest(
    {
      ...given,
      config,
      context,
      component,
      personPrompt,
      servers: policy.servers,
      approvals: approvalRules(policy.policy),
      repoNonce: repoNonceOf(config, incident.repo),
    },
    behind,
  );
  const { rules } = context;
  const rulesSha256 = rules ? hash("sha256", rules.text) : "";
  // As it is kept in the conversation, without its secrets (SR-45).
  const reminder = () => redactText(deps.redact, prompt.reminder);
  const last = lastReinjection(history);
  const inForce = last.step === 0 ? history : withoutOutdated(history, reminder());
  // A conversation whose requests nobody answered has told nothing yet.
  const isFirst = history.length === 0 || session.toldRules === null;
  const estimate = createTokenCounter().countRequest([{ role: "system", content: prompt.text }, ...inForce], []);
  const why = isFirst
    ? undefined
    : decideReinjection({
        ...deps.config.reinjection,
        rulesChanged: session.toldRules !== rulesSha256,
        contextWindow: deps.config.model.endpoints[0]?.contextWindow,
        inputTokens: Math.max(estimate, lastInputTokens(history)),
        turnsSince: session.steps - last.step,
        lastShare: last.share,
      });
  const trigger = isFirst ? "initial" : why && triggerOf(why);
  return {
    prompt,
    tools,
    history: inForce,
    reminder: why ? [reinjectionMessage(why, session.steps, reminder())] : [],
    rulesSha256,
    logTold: () => {
      if (trigger !== undefined)
        logInjection(deps, { trigger, prompt, sessionId: session.id, repo: incident.repo, repoContext });
    },
  };
}

/** A component that GitHub does not tell is not worth failing the turn for: what holds everywhere is known. */
export async function componentOf(deps: Deps, repoContext: RepoContext, incident: Incident): Promise<Component> {
  try {
    return await deps.context.component(repoContext.context, incident);
  } catch (error) {
    deps.log.warn({ module: "systemPrompt", event: "component_failed", err: error, incidentId: incident.id });
    return { folders: [], instructions: [], notes: ["the incident's component could not be read"] };
  }
}

function logInjection(
  deps: Deps,
  given: {
    readonly trigger: string;
    readonly prompt: SystemPrompt;
    readonly sessionId: string;
    readonly repo: string;
    readonly repoContext: RepoContext;
  },
): void {
  const { trigger, prompt, sessionId, repo, repoContext } = given;
  const count = counts.get(deps.store) ?? { first: 0, repeated: 0, failed: 0, failedInARow: new Map() };
  counts.set(deps.store, count);
  if (trigger === "initial") count.first += 1;
  else count.repeated += 1;
  // Rules that are there and cannot be read are a failed injection; rules that are not there are told and are none.
  const { rules, rulesFault } = repoContext.context;
  const inARow = rulesFault === undefined ? 0 : (count.failedInARow.get(repo) ?? 0) + 1;
  count.failed += rulesFault === undefined ? 0 : 1;
  count.failedInARow.set(repo, inARow);
  // What is told again is these two, as `buildReminder` has them.
  const told =
    trigger === "initial" ? prompt.sections : prompt.sections.filter(({ name }) => /^(instructions|rules)$/.test(name));
  const { first, repeated, failed } = count;
  const files = told.map(({ name, source, sha256, tokens }) => ({ name, source, sha256: sha256.slice(0, 12), tokens }));
  const line = { module: "systemPrompt", sessionId };
  deps.log.info({
    ...line,
    event: "prompt_injected",
    msg: "system prompt injected",
    trigger,
    sha256: prompt.sha256,
    sections: files,
    injections: { first, repeated, failed },
  });
  if (prompt.notes.length > 0) deps.log.warn({ ...line, event: "context_left_out", notes: prompt.notes });
  if (!rules)
    deps.log[inARow >= maxFailedReads ? "error" : "warn"]({
      ...line,
      event: rulesFault === undefined ? "rules_missing" : "rules_unreadable",
      repo,
      file: rulesPath,
      reason: rulesFault,
      inARow,
    });
}
