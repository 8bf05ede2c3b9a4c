import type { Skill } from "../types.ts";
import { createMatcher, type IncidentText } from "./match.ts";

/** So many skills are named in a prompt; a repository with more has those named that fit the incident. */
export const maxMenuSkills = 100;

/** Building the index takes seconds for thousands of skills; it is kept as long as they are. */
const matchers = new WeakMap<readonly Skill[], ReturnType<typeof createMatcher>>();

function matcherOf(skills: readonly Skill[]): ReturnType<typeof createMatcher> {
  const matcher = matchers.get(skills) ?? createMatcher(skills);
  matchers.set(skills, matcher);
  return matcher;
}

/** The skills an incident's agent is told of, in the order in which they were found; those that fit best stay when there are too many (OP-4). */
export function buildMenu(skills: readonly Skill[], incident: IncidentText): readonly Skill[] {
  if (skills.length <= maxMenuSkills) return skills;
  const best = new Set(matcherOf(skills)(incident).ranked.map(({ name }) => name));
  const others = skills.filter(({ name }) => !best.has(name)).slice(0, maxMenuSkills - best.size);
  const shown = new Set([...skills.filter(({ name }) => best.has(name)), ...others]);
  return skills.filter((skill) => shown.has(skill));
}
