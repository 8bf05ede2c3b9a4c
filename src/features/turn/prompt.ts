import { createHmac, hash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import {
  type Approvals,
  buildPrompt,
  buildReminder,
  decideReinjection,
  lastInputTokens,
  lastReinjection,
  type NamedServer,
  type Prompt,
  type PromptLayers,
  reinjectionMessage,
  triggerOf,
  withoutOutdated,
} from "../../agent/prompt.ts";
import { createTokenCounter } from "../../agent/tokens.ts";
import { type TurnTools, toolSpecs } from "../../agent/tools.ts";
import { readOnlyTools } from "../../agent/turn.ts";
import type { ChatMessage } from "../../base/agent.ts";
import type { RepoFile, Skill } from "../../base/github.ts";
import type { Server } from "../../base/server.ts";
import { readTemplate } from "../../base/template.ts";
import type { RepoPolicy } from "../../config/repo.ts";
import type { Config } from "../../config/values.ts";
import { appliesTo, withinBudget } from "../../github/context/instructions.ts";
import { rulesPath } from "../../github/context/plan.ts";
import type { RepoFiles } from "../../github/context/read.ts";
import type { Component } from "../../github/context/source.ts";
import { buildMenu, parseInstructions, skillsForAgent } from "../../runbooks/skills.ts";
import type { Incident, Session } from "../../store/incidents.ts";
import { type PersonPrompt, personPromptOf } from "../../store/person-prompts.ts";
import type { Run } from "../../store/runs.ts";
import { redactText } from "../../text/bare.ts";
import type { Deps, RepoContext } from "../context.ts";
import { placeRows, policyWords } from "../proposal/in-force.ts";
import type { Records, Runbooks } from "./runbooks.ts";
import type { AgentTurn } from "./turn-message.ts";
import { type ToolFunctions, toolSummary } from "./turn-tools.ts";

/** What the model gets before the conversation (INJ-1 to INJ-5, OP-1, OP-2, OP-7, OP-8, PA-1, PA-2, PA-8, S13.4, S13.6, SR-39, SR-45). */

const shipped = (file: string) => ({ text: readTemplate(file), source: `templates/${file}` });

// At start, so that a missing template stops the program.
const instructions = shipped("instructions.md");
const identity = { ...shipped("prompt/identity.md"), isShipped: true };
const protocol = shipped("prompt/protocol.md");
const patches = shipped("prompt/patches.md");
const planning = {
  text: [
    "If this takes more than one step, write a plan with `update_plan` before you start, and update it after each step.",
    "Keep it short: what you know, what is done, what comes next.",
    "People read on the board what is still to do, and all of it with `/plan`.",
  ].join("\n"),
  source: "shipped",
};

const withPatches = { ...protocol, text: `${protocol.text.trim()}\n\n${patches.text}` };

/** What cannot be used from the start is told when it first can be, so that the prompt's beginning is the same for all turns. */
const lease = shipped("prompt/lease.md");
const hypotheses = shipped("prompt/hypotheses.md");

/** The rules that a turn's message tells because they apply from now on; each once in a session. */
export function rulesDue(
  history: readonly ChatMessage[],
  { lease: current, runs }: Pick<AgentTurn["rows"], "lease"> & { readonly runs: readonly Pick<Run, "ending">[] },
): readonly string[] {
  const isLeased = current?.offAt === null;
  const hasRun = runs.some(({ ending }) => ending !== null);
  return [...(isLeased ? [lease] : []), ...(isLeased || hasRun ? [hypotheses] : [])]
    .map(({ text }) => text.trim())
    .filter((text) => !history.some(({ content }) => content.includes(text)));
}

/** Part 1 of the prompt for people without their own. */
export const sharedIdentity = ({ systemPrompt }: Pick<Config, "systemPrompt">) =>
  readOwnLayers(systemPrompt).identity ?? identity;

const ofThisProcess = randomBytes(16).toString("hex");

/**
 * The nonce around a repository's texts: secret, and equal for all its incidents and processes, so that the provider's cache holds. Texts
 * of people and servers get the session's nonce.
 */
export const repoNonceOf = ({ github }: Pick<Config, "github">, repo: string): string =>
  createHmac("sha256", github.webhookSecrets[0] ?? ofThisProcess)
    .update(`prompt of ${repo}`)
    .digest("hex")
    .slice(0, 16);

/** What an approval needs, by risk. */
export const approvalRules = (policy: RepoPolicy["policy"]): readonly Approvals[] =>
  (["low", "medium", "high"] as const).map((risk) => ({
    risk,
    people: policy[risk].approvals,
    reason: policy[risk].reason === "required",
    alone: policy[risk].restateServer,
  }));

/** In a line each, where the operator's rules ask for more; none without rules. */
export function placeRules(rules: Pick<RepoPolicy, "policy" | "servers">, at: Date): readonly string[] {
  const rows = placeRows(rules, at).filter(({ policy }) => policy.rules.length > 0);
  const lines = rows.slice(0, mostPlaces).map(({ names, policy }) => {
    const more = names.length > mostPlaces ? ` and ${names.length - mostPlaces} more` : "";
    return `On ${names.slice(0, mostPlaces).join(", ")}${more}: ${policyWords(policy, (text) => text)}`;
  });
  return rows.length > mostPlaces ? [...lines, `${rows.length - mostPlaces} more have rules of their own`] : lines;
}
const mostPlaces = 10;

const pillars = {
  troubleshoot: "Find the cause first; restore service when the cause is known or people ask for it.",
  revive: "Restore service first; look for the cause when it runs again.",
} as const;

export interface PromptInput {
  readonly config: Pick<Config, "systemPrompt" | "features" | "agent">;
  readonly incident: { readonly repo: string; readonly number: number };
  readonly session: Pick<Session, "nonce" | "pillar" | "instructions">;
  /** The commenter's own part 1 of the prompt. */
  readonly personPrompt?: Pick<PersonPrompt, "login" | "text"> | undefined;
  readonly context: RepoFiles;
  readonly component: Component;
  readonly runbooks: Runbooks;
  readonly menu: readonly Skill[];
  readonly servers: readonly NamedServer[];
  readonly approvals?: readonly Approvals[] | undefined;
  readonly places?: readonly string[] | undefined;
  readonly tools: TurnTools;
  readonly repoNonce: string;
}

export interface SystemPrompt extends Prompt {
  /** Repeated in long sessions. */
  readonly reminder: string;
  /** What was cut or unreadable, by file. */
  readonly notes: readonly string[];
}

/** Builds a turn's system prompt from shipped, operator's, repository's and generated layers. */
export function buildSystemPrompt(input: PromptInput): SystemPrompt {
  const { config, incident, session, context, component, runbooks } = input;
  const { rules } = context;
  const own = readOwnLayers(config.systemPrompt);
  const instructed = instructionsOf(context, component);
  const layers: PromptLayers = {
    nonce: session.nonce,
    repoNonce: input.repoNonce,
    instructions,
    rules: rules ? { text: rules.text, source: `${rules.source}:${rules.path}` } : undefined,
    identity: personal(input.personPrompt) ?? own.identity ?? identity,
    protocol: input.tools.mayPropose ? (input.tools.readRepository ? withPatches : protocol) : undefined,
    maxActions: config.agent.maxActionsPerResponse,
    outputCharacters: config.agent.outputCharacters,
    tools: toolSpecs(input.tools),
    workflows: runbooks.workflows.map(({ name, description, params }) => ({
      name,
      description,
      params: Object.keys(params),
    })),
    context: instructed.files,
    skills: input.menu,
    skillsInAll: runbooks.skills.length,
    environment: {
      repo: incident.repo,
      issue: incident.number,
      servers: input.servers,
      approvals: input.approvals,
      places: input.places,
    },
    planning: config.features.planning ? planning : undefined,
    session: sessionLayer(session),
    custom: own.custom,
  };
  return {
    ...buildPrompt(layers),
    reminder: buildReminder(layers),
    notes: [...own.notes, ...context.notes, ...component.notes, ...instructed.notes],
  };
}

const personal = (prompt: PromptInput["personPrompt"]) =>
  prompt?.text.trim() ? { text: prompt.text, source: `prompt of @${prompt.login}` } : undefined;

const maxSessionCharacters = 12_000;

/** Newest last; drops the oldest if too long. */
function sessionLayer({ pillar, instructions }: PromptInput["session"]) {
  const kept: string[] = [];
  let room = maxSessionCharacters;
  for (const { source, text } of instructions.toReversed()) {
    room -= text.length;
    if (room < 0) {
      kept.push(`[${instructions.length - kept.length} older instructions omitted]`);
      break;
    }
    kept.push(`${source}:\n${text}`);
  }
  const sources = new Set(instructions.map(({ source }) => source));
  return {
    text: [pillars[pillar], ...kept.reverse()].join("\n\n"),
    source: [`pillar ${pillar}`, ...sources].join(", "),
  };
}

type ReadInstructions = ReturnType<typeof withinBudget>;
const knownInstructions = new WeakMap<RepoFiles, WeakMap<Component, ReadInstructions>>();

function instructionsOf(context: RepoFiles, component: Component): ReadInstructions {
  const known = knownInstructions.get(context) ?? new WeakMap<Component, ReadInstructions>();
  knownInstructions.set(context, known);
  const made = known.get(component) ?? withinBudget(instructionsFor(context, component));
  known.set(component, made);
  return made;
}

/** General first: for everything, for the component's folders, then from the folders on the way to them. */
export function instructionsFor(
  context: RepoFiles,
  { folders, instructions: specific }: Component,
): readonly RepoFile[] {
  const scoped = context.scoped.flatMap((file) => {
    const { applyTo, text } = parseInstructions(file);
    const fits =
      folders.length > 0 ? folders.some((folder) => appliesTo(applyTo, folder)) : appliesTo(applyTo, undefined);
    return fits && text !== "" ? [{ ...file, text }] : [];
  });
  return [...context.instructions, ...scoped, ...specific];
}

/** Read for each prompt, so that changes need no restart. If the identity file is lost, the default replaces it with a note. */
function readOwnLayers({ identity: text, identityFile, customInstructionsFile }: Config["systemPrompt"]) {
  const file = identityFile === undefined ? undefined : readOwn(identityFile);
  const written = text?.trim() ? { text, source: "system_prompt.identity" } : undefined;
  const lost = identityFile !== undefined && file === undefined;
  return {
    identity: file ?? written,
    custom: customInstructionsFile === undefined ? undefined : readOwn(customInstructionsFile),
    notes: lost ? [`system_prompt.identity_file is empty or cannot be read: ${identityFile}`] : [],
  };
}

function readOwn(file: string): { readonly text: string; readonly source: string } | undefined {
  try {
    const text = readFileSync(file, "utf8");
    return text.trim() === "" ? undefined : { text, source: file };
  } catch {
    // The caller decides whether that is a fault.
    return undefined;
  }
}

interface RequestInput extends Omit<PromptInput, "menu" | "tools" | "servers"> {
  readonly incident: PromptInput["incident"] & Pick<Incident, "title" | "body">;
  readonly records: Records;
  readonly servers: readonly Server[];
  /** What a person asks, which may name a skill. */
  readonly asked?: string | undefined;
}

interface TurnRequest {
  readonly prompt: SystemPrompt;
  readonly tools: TurnTools;
}

export interface ToolMakers {
  readonly createTools: (menu: readonly Skill[]) => ToolFunctions;
  readonly createDelegate: (input: Omit<PromptInput, "component">) => NonNullable<TurnTools["delegate"]>;
}

/** Builds a turn's prompt and tools; also for `countersign prompt`, which calls no model. */
export function buildRequest(input: RequestInput, makers: ToolMakers): TurnRequest {
  const { config, runbooks, incident, records } = input;
  const { planning, subAgents } = config.features;
  // Each skill has its record before its description.
  const menu = buildMenu(skillsForAgent(runbooks.skills, input.asked), incident).map((skill) => {
    const record = records.get(skill.name);
    return record === undefined ? skill : { ...skill, description: `(${record}) ${skill.description}` };
  });
  // On Windows, a cluster, a source and a repository "root" means nothing.
  const servers = input.servers.map(
    (server): NamedServer => ({
      ...toolSummary(server),
      ...(server.os === "windows" || server.cluster || server.source || server.patches
        ? {}
        : { root: server.user === "root" }),
    }),
  );
  const { updatePlan, startWorkflow, ...always } = makers.createTools(menu);
  const own: TurnTools = {
    ...always,
    listServers: () => servers,
    skillNames: menu.map((skill) => skill.name),
    ...(planning && { updatePlan }),
    ...(runbooks.workflows.length > 0 && { startWorkflow }),
    mayPropose: true,
    mayAsk: true,
  };
  const named = { ...input, menu, servers };
  const tools = subAgents ? { ...own, delegate: makers.createDelegate({ ...named, tools: own }) } : own;
  return { prompt: buildSystemPrompt({ ...named, tools }), tools };
}

const helperTask =
  "You are a helper of the agent on call. Read what the task names with your tools, answer it in a few sentences, name the number of each run that a claim rests on, and propose nothing. Phases, proposals and the form of a reply are the matter of that agent, not yours. The task:";

/** The turn's prompt without plan and workflows, with tools that only read. */
export function buildHelperRequest(input: Omit<PromptInput, "component">, task: string) {
  const { config, runbooks } = input;
  const tools = readOnlyTools(input.tools);
  const { text: system } = buildSystemPrompt({
    ...input,
    config: { ...config, features: { ...config.features, planning: false } },
    component: { folders: [], instructions: [], notes: [] },
    runbooks: { ...runbooks, workflows: [] },
    tools,
  });
  return { system, tools, task: `${helperTask}\n\n${task}` };
}

interface PreparedRequest extends TurnRequest {
  /** Without outdated rules. */
  readonly history: readonly ChatMessage[];
  /** Instructions and rules, if due; sent after the history and stored. */
  readonly reminder: readonly ChatMessage[];
  /** Stored with the turn; empty without rules. */
  readonly rulesSha256: string;
  /** Call it once a model has answered with this prompt. */
  readonly logInjection: () => void;
}

/** Builds what the model gets before the news of a turn. */
export async function prepareRequest(
  deps: Deps,
  { incident, session, repoContext, runbooks, records, cause }: AgentTurn,
  { history, ...makers }: ToolMakers & { readonly history: readonly ChatMessage[] },
): Promise<PreparedRequest> {
  const { config } = deps;
  const { context, rules: policy } = repoContext;
  const component = await readComponent(deps, repoContext, incident);
  // The commenter who starts the turn and whose part 1 of the prompt applies.
  const commenter = "personId" in cause ? cause.personId : undefined;
  const personPrompt = commenter === undefined ? undefined : await personPromptOf(deps.store.db, commenter);
  const { prompt, tools } = buildRequest(
    {
      incident,
      session,
      runbooks,
      records,
      config,
      context,
      component,
      personPrompt,
      servers: policy.servers,
      approvals: approvalRules(policy.policy),
      places: placeRules(policy, deps.now()),
      repoNonce: repoNonceOf(config, incident.repo),
      asked: cause.kind === "asked" ? cause.text : undefined,
    },
    makers,
  );
  const { rules } = context;
  const rulesSha256 = rules ? hash("sha256", rules.text) : "";
  // Without secrets, as stored.
  const reminder = () => redactText(deps.redact, prompt.reminder);
  const last = lastReinjection(history);
  const inForce = last.step === 0 ? history : withoutOutdated(history, reminder());
  // Before an answer no model has read the rules.
  const isFirst = history.length === 0 || session.toldRules === null;
  const estimate = createTokenCounter().countRequest([{ role: "system", content: prompt.text }, ...inForce], []);
  const why = isFirst
    ? undefined
    : decideReinjection({
        ...config.reinjection,
        rulesChanged: session.toldRules !== rulesSha256,
        contextWindow: config.model.endpoints[0]?.contextWindow,
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
    logInjection: () => {
      if (trigger !== undefined)
        logInjected(deps, { trigger, prompt, sessionId: session.id, repo: incident.repo, context });
    },
  };
}

/** Reads the incident's component; an empty one if GitHub does not answer. */
export async function readComponent(deps: Deps, repoContext: RepoContext, incident: Incident): Promise<Component> {
  try {
    return await deps.context.component(repoContext.context, incident);
  } catch (error) {
    deps.log.warn({ module: "systemPrompt", event: "component_failed", err: error, incidentId: incident.id });
    return { folders: [], instructions: [], notes: ["the incident's component could not be read"] };
  }
}

interface InjectionCounts {
  first: number;
  repeated: number;
  failed: number;
  /** Failed reads in a row, by repository. */
  readonly failedInARow: Map<string, number>;
}
const counts = new WeakMap<Deps["store"], InjectionCounts>();

/** From here on a failed read is an error. */
const maxFailedReads = 3;

function logInjected(
  deps: Deps,
  given: {
    readonly trigger: string;
    readonly prompt: SystemPrompt;
    readonly sessionId: string;
    readonly repo: string;
    readonly context: RepoFiles;
  },
): void {
  const { trigger, prompt, sessionId, repo, context } = given;
  const count = counts.get(deps.store) ?? { first: 0, repeated: 0, failed: 0, failedInARow: new Map() };
  counts.set(deps.store, count);
  if (trigger === "initial") count.first += 1;
  else count.repeated += 1;
  // Unreadable rules are a failure; missing ones are not.
  const { rules, rulesFault } = context;
  const inARow = rulesFault === undefined ? 0 : (count.failedInARow.get(repo) ?? 0) + 1;
  count.failed += rulesFault === undefined ? 0 : 1;
  count.failedInARow.set(repo, inARow);
  const sections =
    trigger === "initial" ? prompt.sections : prompt.sections.filter(({ name }) => /^(instructions|rules)$/.test(name));
  const { first, repeated, failed } = count;
  const line = { module: "systemPrompt", sessionId };
  deps.log.info({
    ...line,
    event: "prompt_injected",
    msg: "system prompt injected",
    trigger,
    sha256: prompt.sha256,
    sections: sections.map(({ name, source, sha256, tokens }) => ({
      name,
      source,
      sha256: sha256.slice(0, 12),
      tokens,
    })),
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
