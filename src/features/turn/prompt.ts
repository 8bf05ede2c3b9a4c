import { createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Approvals, NamedServer } from "../../agent/describe.ts";
import { buildPrompt, buildReminder, type Prompt, type PromptLayers } from "../../agent/prompt.ts";
import { type TurnTools, toolSpecs } from "../../agent/tools.ts";
import type { RepoFile, Skill } from "../../base/github.ts";
import { readTemplate } from "../../base/template.ts";
import type { Config, RepoPolicy } from "../../config/load.ts";
import { appliesTo, withinBudget } from "../../github/context/instructions.ts";
import type { Component, RepoFiles } from "../../github/context/source.ts";
import { parseInstructions } from "../../runbooks/skills.ts";
import type { Session } from "../../store/incidents.ts";
import type { PersonPrompt } from "../../store/person-prompts.ts";
import type { Runbooks } from "./runbooks.ts";

const shipped = (file: string) => ({ text: readTemplate(file), source: `templates/${file}` });

// Read once, when the program starts: a missing one stops it there, with its name (INJ-1).
const instructions = shipped("instructions.md");
const identity = shipped("prompt/identity.md");
const protocol = shipped("prompt/protocol.md");
const planning = {
  text: [
    "If this takes more than one step, plan it: write the plan with `update_plan` before you start, and update it after each step.",
    "Keep it short: what you know, what is done, what comes next, what would settle it.",
    "People read it at any time, in a comment of its own on the issue (`/plan` links it).",
  ].join("\n"),
  source: "shipped",
};

/** Part 1 for whoever has none of their own: the operator's, else the default (PA-1). */
export const sharedIdentity = ({ systemPrompt }: Pick<Config, "systemPrompt">) =>
  readOwnLayers(systemPrompt).identity ?? identity;

const ofThisProcess = randomBytes(16).toString("hex");

/**
 * The nonce on the tags round a repository's own texts (SR-39): not to be guessed, and the same in all its incidents, on every
 * process. What people and servers say stands between tags with the session's own.
 */
export const repoNonceOf = ({ github }: Pick<Config, "github">, repo: string): string =>
  createHmac("sha256", github.webhookSecrets[0] ?? ofThisProcess)
    .update(`prompt of ${repo}`)
    .digest("hex")
    .slice(0, 32);

/** What an approval takes, by risk, as the model is told it. */
export const approvalRules = (policy: RepoPolicy["policy"]): readonly Approvals[] =>
  (["low", "medium", "high"] as const).map((risk) => ({
    risk,
    people: policy[risk].approvals,
    reason: policy[risk].reason === "required",
    alone: policy[risk].restateServer,
  }));

const pillars = {
  troubleshoot: "Find the cause first; restore service when the cause is known or people ask for it.",
  revive: "Restore service first; look for the cause when it runs again.",
} as const;

export interface PromptInput {
  readonly config: Pick<Config, "systemPrompt" | "features" | "agent">;
  readonly incident: { readonly repo: string; readonly number: number };
  readonly session: Pick<Session, "nonce" | "pillar" | "instructions">;
  /** Part 1 of whoever's comment starts the turn, where they have their own (PA-2). */
  readonly personPrompt?: Pick<PersonPrompt, "login" | "text"> | undefined;
  readonly context: RepoFiles;
  readonly component: Component;
  readonly runbooks: Runbooks;
  /** Of the skills those that are named. */
  readonly menu: readonly Skill[];
  readonly servers: readonly NamedServer[];
  /** What an approval takes here, by risk. */
  readonly approvals?: readonly Approvals[] | undefined;
  readonly tools: TurnTools;
  /** On the tags round the repository's own texts. */
  readonly repoNonce: string;
}

export interface SystemPrompt extends Prompt {
  /** Instructions and rules alone, to be told again (INJ-3). */
  readonly reminder: string;
  /** What was cut or could not be read, each with its file. */
  readonly notes: readonly string[];
}

/** The system prompt of a session's turn: the shipped layers, the operator's, the repository's, and what is generated (OP-1, INJ-1). */
export function buildSystemPrompt(input: PromptInput): SystemPrompt {
  const { config, incident, session, context, component, runbooks } = input;
  const { rules } = context;
  const own = readOwnLayers(config.systemPrompt);
  const told = instructionsOf(context, component);
  const layers: PromptLayers = {
    nonce: session.nonce,
    repoNonce: input.repoNonce,
    instructions,
    rules: rules ? { text: rules.text, source: `${rules.source}:${rules.path}` } : undefined,
    identity: personal(input.personPrompt) ?? own.identity ?? identity,
    protocol: input.tools.mayPropose ? protocol : undefined,
    maxActions: config.agent.maxActionsPerResponse,
    outputCharacters: config.agent.outputCharacters,
    tools: toolSpecs(input.tools),
    workflows: runbooks.workflows.map(({ name, description, params }) => ({
      name,
      description,
      params: Object.keys(params),
    })),
    context: told.files,
    skills: input.menu,
    skillsInAll: runbooks.skills.length,
    environment: { repo: incident.repo, issue: incident.number, servers: input.servers, approvals: input.approvals },
    planning: config.features.planning ? planning : undefined,
    session: sessionLayer(session),
    custom: own.custom,
  };
  return {
    ...buildPrompt(layers),
    reminder: buildReminder(layers),
    notes: [...own.notes, ...context.notes, ...component.notes, ...told.notes],
  };
}

/** A blank text means the default (PA-2). */
const personal = (prompt: PromptInput["personPrompt"]) =>
  prompt?.text.trim() ? { text: prompt.text, source: `prompt of @${prompt.login}` } : undefined;

const maxSessionCharacters = 12_000;

/** The pillar, then what people and workflows said for this session, the newest last; where it is too much, the oldest go (S13.4). */
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

type Told = ReturnType<typeof withinBudget>;
const toldBefore = new WeakMap<RepoFiles, WeakMap<Component, Told>>();

/** Worked out once for each commit and component (INJ-5). */
function instructionsOf(context: RepoFiles, component: Component): Told {
  const known = toldBefore.get(context) ?? new WeakMap<Component, Told>();
  toldBefore.set(context, known);
  const told = known.get(component) ?? withinBudget(instructionsFor(context, component));
  known.set(component, told);
  return told;
}

/** General first: what holds everywhere, then what is for the component's folders, those on the way to it last (OP-2). */
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

/**
 * The operator's own layers, read for each prompt so that a change needs no restart. The custom instructions may be absent
 * (S13.6); an identity that was there when the bot started and is not now is told, and the default takes its place.
 */
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
    // Absent is no error here; whether it should be there is the caller's to say.
    return undefined;
  }
}
