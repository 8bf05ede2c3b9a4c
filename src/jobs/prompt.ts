import { buildPrompt, type Prompt } from "../agent/prompt.ts";
import { type TurnTools, toolSpecs } from "../agent/tools.ts";
import type { Incident, Session } from "../store/incidents.ts";
import { readTemplate } from "../template.ts";
import type { ServerSummary, Skill } from "../types.ts";
import type { Ground } from "./world.ts";

const shipped = (file: string) => ({ text: readTemplate(file), source: `templates/${file}` });

// Read once, when the program starts: a missing one stops it there, with its name (INJ-1).
const instructions = shipped("instructions.md");
const identity = shipped("prompt/identity.md");
const protocol = shipped("prompt/protocol.md");
const planning = {
  text: "Keep a short plan: what you know, what you look at next, what would settle it.",
  source: "shipped",
};

const pillars = {
  troubleshoot: "Find the cause first; restore service when the cause is known or people ask for it.",
  revive: "Restore service first; look for the cause when it runs again.",
} as const;

/** The system prompt of a session's turn: the shipped layers, the repository's, and what is generated (OP-1, INJ-1). */
export function buildSystemPrompt(input: {
  readonly incident: Incident;
  readonly session: Session;
  readonly ground: Ground;
  readonly skills: readonly Skill[];
  readonly servers: readonly ServerSummary[];
  readonly tools: TurnTools;
}): Prompt {
  const { incident, session, ground } = input;
  const { rules } = ground.context;
  return buildPrompt({
    nonce: session.nonce,
    instructions,
    rules: rules ? { text: rules.text, source: `${rules.source}:${rules.path}` } : undefined,
    identity,
    protocol,
    tools: toolSpecs(input.tools),
    workflows: [],
    context: ground.context.instructions,
    skills: input.skills,
    environment: { repo: incident.repo, issue: incident.number, servers: input.servers },
    planning,
    session: { text: pillars[session.pillar], source: `pillar ${session.pillar}` },
  });
}
