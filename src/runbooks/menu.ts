import { hash } from "node:crypto";
import type { Skill } from "../base/github.ts";
import { cleanIncident } from "./match/clean.ts";
import { createMatcher, type IncidentText, type Matcher } from "./match/matcher.ts";
import { termsOf } from "./match/words.ts";

export const maxMenuSkills = 100;

/** Indexing more takes longer than a turn should wait, so only the likeliest are indexed. */
const maxIndexed = 1_000;
const maxLikely = 200;
/** More terms add noise and time. */
const maxTerms = 40;

/** Indexing takes 0.2 ms per skill; commits that change no skill share an index. */
const bySkills = new WeakMap<readonly Skill[], Matcher>();
const byContent = new Map<string, Matcher>();
const maxKept = 8;

/** Returns the skills for a prompt, in the repository's order; if too many, those that fit best (OP-4). */
export function buildMenu(skills: readonly Skill[], incident: IncidentText): readonly Skill[] {
  if (skills.length <= maxMenuSkills) return skills;
  const match =
    skills.length <= maxIndexed ? menuMatcherOf(skills) : createMatcher(likely(skills, incident).map(withoutBody));
  const best = new Set(match(incident).ranked.map(({ name }) => name));
  const others = skills.filter(({ name }) => !best.has(name)).slice(0, maxMenuSkills - best.size);
  const shown = new Set([...skills.filter(({ name }) => best.has(name)), ...others]);
  return skills.filter((skill) => shown.has(skill));
}

const withoutBody = (skill: Skill): Skill => ({ ...skill, body: "" });

function menuMatcherOf(skills: readonly Skill[]): Matcher {
  const known = bySkills.get(skills);
  if (known) return known;
  const shown = skills.map(withoutBody);
  const key = hash("sha256", JSON.stringify(shown));
  const matcher = byContent.get(key) ?? createMatcher(shown);
  bySkills.set(skills, matcher);
  byContent.set(key, matcher);
  const [oldest] = byContent.keys();
  if (byContent.size > maxKept && oldest !== undefined) byContent.delete(oldest);
  return matcher;
}

/** Rare words count more. */
function likely(skills: readonly Skill[], { title, body }: IncidentText): readonly Skill[] {
  const terms = [...new Set(termsOf(`${cleanIncident(title)}\n${cleanIncident(body)}`))].slice(0, maxTerms);
  const texts = skills.map(({ name, description, metadata }) =>
    `${name} ${description} ${metadata.alerts ?? ""}`.toLowerCase(),
  );
  const scores = new Float64Array(skills.length);
  for (const term of terms) {
    const having = [...texts.keys()].filter((at) => texts[at]?.includes(term));
    for (const at of having) scores[at] = (scores[at] ?? 0) + Math.log(1 + skills.length / having.length);
  }
  const found = [...scores.keys()].filter((at) => (scores[at] ?? 0) > 0);
  return found
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))
    .slice(0, maxLikely)
    .flatMap((at) => skills[at] ?? []);
}
